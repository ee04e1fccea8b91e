//! How a visit starts, what comes in during it, and that nothing of it is lost.

mod arrive;
mod back;
mod follow;
mod keep;

pub(super) use arrive::{take_file, use_arrivals};
pub(super) use back::use_history;
pub(super) use follow::use_following;
pub(super) use keep::use_keeping;

use super::browser::{self, Local};
use crate::engine;
use crate::keep::{Kept, Place, all};
use crate::session::{Action, Session};
use crate::share;
use crate::view::text::count;
use yew::prelude::*;

/// Where this tab finds what it kept before it was loaded anew.
const TAB: &str = "orbitscope-tab";

/// The session that a visit starts with: what the link says, or what this tab had, or what was kept last.
pub(super) fn session() -> Session {
    let session = Session::new(engine::models()[0]);
    let (session, opened) = match browser::fragment() {
        Some(fragment) => follow(&session, &fragment),
        None => (session, false),
    };
    if opened || browser::is_embedded() {
        return session;
    }
    match before().or_else(|| all(&Local).into_iter().next()) {
        Some(kept) => session.apply(Action::Open(Box::new(kept.opening()))),
        None => session,
    }
}

/// Opens a link; a bad one is said, and changes nothing. Says whether it was opened.
fn follow(session: &Session, fragment: &str) -> (Session, bool) {
    match share::read(fragment) {
        Ok((opening, remarks)) => {
            let session = session.apply(Action::Open(Box::new(opening)));
            let say = |session: Session, words: String| session.apply(Action::Remark(words.into()));
            (remarks.into_iter().fold(session, say), true)
        }
        Err(error) => {
            let words =
                format!("The link was not opened ({} characters): {error}.", count(fragment.len() as u64));
            (session.apply(Action::Remark(words.into())), false)
        }
    }
}

/// The text that this tab kept before it was loaded anew.
fn before() -> Option<Kept> {
    let name = browser::tab_storage()?.get_item(TAB).ok()??;
    Kept::at(&Local, &name)
}

/// Goes on with a text that was kept, during a visit. The tab finds it again when it is loaded anew.
pub(super) fn open_kept_in(dispatcher: &UseReducerDispatcher<Session>, kept: &Kept) {
    browser::set_fragment(None);
    if let Some(storage) = browser::tab_storage() {
        let _ = storage.set_item(TAB, &kept.place);
    }
    dispatcher.dispatch(Action::Open(Box::new(kept.opening())));
}

/// A place for what is written from now on.
fn new_place(before: Option<String>) -> Place {
    // Two tabs that start within the same millisecond differ in the rest.
    let chance = (js_sys::Math::random() * 1e9).floor();
    Place::new(&format!("{}-{chance}", browser::now()), before, String::new())
}
