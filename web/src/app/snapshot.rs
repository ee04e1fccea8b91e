//! The search's state at the step where the player is.

use crate::engine::Film;
use orbitscope_core::search::log::{Player, Snapshot};
use std::rc::Rc;
use yew::prelude::*;

/// The search's state after `step` steps of a film: a function of the film's log and `step` alone.
#[hook]
pub(super) fn use_snapshot(film: Option<&Rc<Film>>, step: u32) -> Option<Rc<Snapshot>> {
    let player = use_mut_ref(|| (None::<Rc<Film>>, Player::new()));
    let snapshot = use_memo((film.cloned(), step), |(film, step)| {
        let mut player = player.borrow_mut();
        if player.0.as_ref().map(Rc::as_ptr) != film.as_ref().map(Rc::as_ptr) {
            *player = (film.clone(), Player::new());
        }
        let film = film.as_ref()?;
        player.1.seek(&film.log, *step).cloned().map(Rc::new)
    });
    (*snapshot).clone()
}
