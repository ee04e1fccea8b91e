//! A link to what is shown, and the HTML that shows it in another page.

use super::menu;
use crate::app::browser;
use crate::session::Session;
use crate::share;
use web_sys::HtmlInputElement;
use yew::platform::spawn_local;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) session: UseReducerHandle<Session>,
}

/// A text that can be copied.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Link,
    Embed,
}

#[component]
pub(crate) fn Share(props: &Props) -> Html {
    let fragment = use_state(String::new);
    let said = use_state(String::new);
    let on_open = {
        let (session, fragment, said) = (props.session.clone(), fragment.clone(), said.clone());
        Callback::from(move |_: MouseEvent| {
            fragment.set(share::link(&session).encode());
            said.set(String::new());
        })
    };
    let address = format!("{}#{}", browser::address(), *fragment);
    let embed = share::embed_code(&format!("{}?embed=1#{}", browser::address(), *fragment));
    let length = share::length(&address);
    let copy = |what: What, text: String| {
        let (said, fragment) = (said.clone(), fragment.clone());
        Callback::from(move |_: MouseEvent| {
            let (said, fragment, text) = (said.clone(), fragment.clone(), text.clone());
            spawn_local(async move {
                let copied = browser::copy(&text).await;
                if what == What::Link {
                    browser::set_fragment(Some(&fragment));
                }
                let words = match (copied, what) {
                    (true, What::Link) => "The link is copied, and stands in the address of this page.",
                    (true, What::Embed) => "The code is copied.",
                    (false, _) => {
                        "The browser does not let the page copy: select the text and copy it by hand."
                    }
                };
                said.set(words.into());
            });
        })
    };
    let on_file = {
        let address = address.clone();
        Callback::from(move |_: MouseEvent| browser::save_text("orbitscope-link.txt", "text/plain", &address))
    };
    let body = html! {
        <>
            <p class="menu-note">{ "Everything that the page shows is in the link itself. Nothing leaves the browser." }</p>
            { field("share-link", "Link", &address) }
            <p id="share-length" class={classes!("menu-note", length.too_long.then_some("is-partial"))}>{ &length.words }</p>
            <div class="menu-row">
                <button type="button" class="button" data-copy="link" onclick={copy(What::Link, address.clone())}>{ "Copy link" }</button>
                if length.too_long {
                    <button type="button" class="button" data-save="link" onclick={on_file}>{ "Save link as a file" }</button>
                }
            </div>
            { field("share-embed", "For slides and course pages", &embed) }
            <div class="menu-row">
                <button type="button" class="button" data-copy="embed" onclick={copy(What::Embed, embed.clone())}>{ "Copy embed code" }</button>
            </div>
            <p class="menu-said" role="status">{ &*said }</p>
        </>
    };
    menu("share", "Share", on_open, body)
}

/// A text to be copied; a click selects it.
fn field(id: &'static str, name: &'static str, text: &str) -> Html {
    let on_click =
        Callback::from(|event: MouseEvent| event.target_unchecked_into::<HtmlInputElement>().select());
    html! {
        <>
            <label class="menu-label" for={id}>{ name }</label>
            <input {id} class="input menu-text" readonly={true} value={text.to_owned()} onclick={on_click} />
        </>
    }
}
