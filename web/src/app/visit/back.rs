//! Back and Forward of the browser go from model to model.
//!
//! Each entry of the browser's history has a number and what was shown there, as it is kept in the browser too. What changed
//! there since is remembered by the page, as long as it is not loaded anew.

use crate::app::browser::{self, listen};
use crate::session::{Action, Session};
use crate::share;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use yew::prelude::*;

/// The hook's memory between renderings.
struct Trail {
    latest: RefCell<UseReducerHandle<Session>>,
    /// The entry that is shown.
    at: Cell<u32>,
    /// The epoch that belongs to it.
    epoch: Cell<u32>,
    /// Whether the next epoch comes from an entry, not from a person.
    popped: Cell<bool>,
    left: RefCell<BTreeMap<u32, String>>,
}

/// An entry: its number, and what was shown.
fn entry() -> Option<(u32, String)> {
    let state = browser::entry()?;
    let (number, content) = state.split_once('\n')?;
    Some((number.parse().ok()?, content.to_owned()))
}

impl Trail {
    fn told(&self, content: &str) -> String {
        format!("{}\n{content}", self.at.get())
    }

    /// Something else is shown than before.
    fn follow(&self, session: &Session) {
        if self.epoch.replace(session.kept.epoch) == session.kept.epoch || self.popped.take() {
            return;
        }
        let left = session.kept.left.as_deref().map(share::kept_text);
        // Who follows a link makes a new entry already, which nobody has written to.
        let fresh = entry().is_none();
        if let Some(left) = left {
            if !fresh {
                browser::set_entry(&self.told(&left));
            }
            self.left.borrow_mut().insert(self.at.get(), left);
        }
        self.at.set(self.at.get() + 1);
        self.left.borrow_mut().split_off(&self.at.get());
        let now = self.told(&share::kept_text(session));
        if fresh { browser::set_entry(&now) } else { browser::push_entry(&now) }
    }

    /// Somebody went back or forward.
    fn go(&self) {
        let Some((number, content)) = entry() else { return };
        let session = self.latest.borrow().clone();
        self.left.borrow_mut().insert(self.at.replace(number), share::kept_text(&session));
        let content = self.left.borrow().get(&number).cloned().unwrap_or(content);
        self.popped.set(true);
        session.dispatch(Action::Open(Box::new(share::read_kept(&content, None))));
    }
}

/// Writes an entry whenever another model is shown, and shows what an entry says.
#[hook]
pub(crate) fn use_history(session: &UseReducerHandle<Session>, active: bool) {
    let trail = {
        let session = session.clone();
        use_memo((), move |()| Trail {
            at: Cell::new(entry().map_or(0, |(number, _)| number)),
            epoch: Cell::new(session.kept.epoch),
            popped: Cell::default(),
            left: RefCell::default(),
            latest: RefCell::new(session),
        })
    };
    trail.latest.replace(session.clone());
    {
        let (trail, session) = (trail.clone(), session.clone());
        use_effect_with(session.kept.epoch, move |_| {
            if active {
                trail.follow(&session);
            }
        });
    }
    use_effect_with(active, move |&active| {
        if active {
            let content = share::kept_text(&trail.latest.borrow());
            browser::set_entry(&trail.told(&content));
        }
        let window = browser::window().filter(|_| active);
        let listener = window.map(|window| listen(&window, "popstate", move |_| trail.go()));
        move || drop(listener)
    });
}
