//! Files, and the texts that the browser has kept.

use super::menu;
use crate::app::browser::{self, Local};
use crate::app::visit::{open_kept_in, take_file};
use crate::keep::{Kept, all};
use crate::session::Session;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) session: UseReducerHandle<Session>,
}

#[component]
pub(crate) fn Open(props: &Props) -> Html {
    let kept = use_state(Vec::<Kept>::new);
    let on_open = {
        let kept = kept.clone();
        Callback::from(move |_: MouseEvent| kept.set(all(&Local)))
    };
    let on_file = {
        let dispatcher = props.session.dispatcher();
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                take_file(&dispatcher, file.into());
            }
            // The same file can be chosen again.
            input.set_value("");
        })
    };
    let rows = kept.iter().map(|kept| {
        let on_click = {
            let (dispatcher, kept) = (props.session.dispatcher(), kept.clone());
            Callback::from(move |_: MouseEvent| open_kept_in(&dispatcher, &kept))
        };
        html! {
            <li key={kept.place.clone()}>
                <button type="button" class="card kept" onclick={on_click}
                    popovertarget="menu-open" popovertargetaction="hide">
                    <strong class="card-title">{ kept.title() }</strong>
                    <span class="card-blurb">{ browser::moment(kept.time) }</span>
                </button>
            </li>
        }
    });
    let body = html! {
        <>
            <label class="menu-label" for="open-file">{ "A model from a file; or drop it anywhere on the page" }</label>
            <input id="open-file" type="file" class="input menu-text" accept=".orb,.txt,text/plain" onchange={on_file} />
            <h3 class="menu-label">{ "Kept in this browser" }</h3>
            if kept.is_empty() {
                <p class="menu-note">{ "What you change is kept here as you type." }</p>
            } else {
                <ul class="cards kept-list">{ for rows }</ul>
            }
        </>
    };
    menu("open", "Open", on_open, body)
}
