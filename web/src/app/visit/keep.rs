//! Text and settings are kept in the browser as one types.

use super::{TAB, before, new_place};
use crate::app::browser::{self, Local, listen};
use crate::keep::Place;
use crate::session::{Action, Session};
use crate::share;
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use yew::prelude::*;

/// While one types, the text is written once in this many milliseconds.
const PAUSE: u32 = 250;

const FULL: &str = "The browser has no room to keep this text: save it as a file, with Take away.";

/// The hook's memory between renderings.
struct Keeper {
    place: RefCell<Place>,
    latest: RefCell<UseReducerHandle<Session>>,
    /// The count of changes by hand when it was written last.
    touched: Cell<u32>,
    /// The epoch of what was written last, and of what was shown last.
    epoch: Cell<u32>,
    shown: Cell<u32>,
    /// Whether the text at the place is one's own, not the gallery's.
    own: Cell<bool>,
    waiting: Cell<bool>,
}

impl Keeper {
    /// Writes what there is now, if somebody has changed something.
    fn write(&self) {
        let session = self.latest.borrow().clone();
        if self.keep(&session, &session.dispatcher()) {
            // The link in the address says something else by now.
            browser::set_fragment(None);
        }
    }

    /// Writes a session, if somebody has changed something in it; says whether it did.
    fn keep(&self, session: &Session, dispatcher: &UseReducerDispatcher<Session>) -> bool {
        if session.kept.touched == self.touched.get() {
            return false;
        }
        let mut place = self.place.borrow_mut();
        if session.kept.epoch != self.epoch.replace(session.kept.epoch) && self.own.get() {
            // The text at the old place stays as it is.
            *place = new_place(None);
        }
        if place.write(&Local, browser::now(), session.model.name, share::kept_text(session)) {
            self.touched.set(session.kept.touched);
            self.own.set(is_own(session));
            if let Some(storage) = browser::tab_storage() {
                let _ = storage.set_item(TAB, place.name());
            }
            true
        } else {
            dispatcher.dispatch(Action::Remark(FULL.into()));
            false
        }
    }
}

/// Whether the text is none of the gallery's.
fn is_own(session: &Session) -> bool {
    session.is_edited() || session.model.fingerprint.is_none()
}

/// The place that this tab goes on from: its own, if what is there is what is shown.
fn continued(session: &Session) -> Option<String> {
    let kept = before()?;
    let same = share::read_kept(&kept.content, None).question.source == session.question.source;
    same.then_some(kept.place)
}

/// Keeps the session in the browser: at once after a pause, else a moment later, and when the page is left.
#[hook]
pub(crate) fn use_keeping(session: &UseReducerHandle<Session>, active: bool) {
    let keeper = {
        let session = session.clone();
        use_memo((), move |()| Keeper {
            place: RefCell::new(new_place(continued(&session))),
            touched: Cell::new(session.kept.touched),
            epoch: Cell::new(session.kept.epoch),
            shown: Cell::new(session.kept.epoch),
            own: Cell::new(is_own(&session)),
            latest: RefCell::new(session),
            waiting: Cell::new(false),
        })
    };
    keeper.latest.replace(session.clone());
    // Keeps the text that was typed in the last moment before something else was opened. It may never have been
    // rendered.
    if keeper.shown.replace(session.kept.epoch) != session.kept.epoch
        && let Some(left) = session.kept.left.as_ref().filter(|_| active)
    {
        keeper.keep(left, &session.dispatcher());
    }
    {
        let keeper = keeper.clone();
        use_effect_with(active, move |&active| {
            let leave = |name| {
                let (window, keeper) = (browser::window()?, keeper.clone());
                Some(listen(&window, name, move |_| keeper.write()))
            };
            let listeners: Vec<_> = if active {
                ["pagehide", "blur"].into_iter().filter_map(leave).collect()
            } else {
                Vec::new()
            };
            move || drop(listeners)
        });
    }
    use_effect_with(session.kept.touched, move |_| {
        if active && !keeper.waiting.replace(true) {
            keeper.write();
            let keeper: Rc<Keeper> = keeper.clone();
            Timeout::new(PAUSE, move || {
                keeper.waiting.set(false);
                keeper.write();
            })
            .forget();
        }
    });
}
