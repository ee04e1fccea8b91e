//! Names are offered for the word before the caret.

use super::sheet::PAUSE;
use super::typing;
use crate::view::editor::{Completion, byte_offset, complete};
use gloo_timers::callback::Timeout;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

/// The names on offer, and what can be done with them.
pub(super) struct Names {
    pub(super) popup: UseStateHandle<Option<(Completion, usize)>>,
    /// Looks for names; says whether a person asked for them.
    pub(super) offer: Callback<bool>,
    /// The same after a key; in a long text one goes on typing meanwhile.
    pub(super) later: Callback<()>,
    /// Takes the name with this number.
    pub(super) accept: Callback<usize>,
    pub(super) close: Callback<()>,
}

#[hook]
pub(super) fn use_names(area: &NodeRef, long: bool) -> Names {
    let popup = use_state(|| None::<(Completion, usize)>);
    let waiting = use_mut_ref(|| None::<Timeout>);
    let offer = {
        let (area, popup) = (area.clone(), popup.clone());
        Callback::from(move |asked: bool| {
            let found = area.cast::<HtmlTextAreaElement>().and_then(|area| {
                let text = area.value();
                let caret = area.selection_start().ok()??;
                complete(&text, byte_offset(&text, caret), asked)
            });
            popup.set(found.map(|found| (found, 0)));
        })
    };
    let later = {
        let offer = offer.clone();
        Callback::from(move |()| {
            if long {
                let offer = offer.clone();
                *waiting.borrow_mut() = Some(Timeout::new(PAUSE, move || offer.emit(false)));
            } else {
                offer.emit(false);
            }
        })
    };
    let accept = {
        let (area, popup) = (area.clone(), popup.clone());
        Callback::from(move |chosen: usize| {
            if let (Some(area), Some((found, _))) = (area.cast::<HtmlTextAreaElement>(), &*popup) {
                typing::accept(&area, found, chosen);
            }
            popup.set(None);
        })
    };
    let close = {
        let popup = popup.clone();
        Callback::from(move |()| popup.set(None))
    };
    Names { popup, offer, later, accept, close }
}
