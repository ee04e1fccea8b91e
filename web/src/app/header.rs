//! The page's name, its purpose and the choice of colours.

use super::browser::{Local, document};
use crate::keep::Store;
use crate::view::theme::Theme;
use web_sys::HtmlElement;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// The key under which the loader script finds the theme at the next visit.
const STORAGE_KEY: &str = "orbitscope-theme";

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    /// The menus for the whole.
    pub(crate) children: Html,
}

#[component]
pub(crate) fn Header(props: &Props) -> Html {
    let theme = use_state(current_theme);
    let on_click = {
        let theme = theme.clone();
        move |_| {
            let next = theme.next();
            apply_theme(next);
            theme.set(next);
        }
    };
    html! {
        <header class="page-header">
            <h1 class="page-name">{ "Orbitscope" }</h1>
            <p class="page-purpose">{ "See everything a program of identical processes can do." }</p>
            { props.children.clone() }
            <button type="button" class="button theme-toggle" onclick={on_click}
                title="Change between the system's colours, light and dark">
                <span class="theme-toggle-icon" aria-hidden="true" />
                <span class="theme-toggle-words">{ format!("Theme: {}", theme.name()) }</span>
            </button>
        </header>
    }
}

fn root_element() -> Option<HtmlElement> {
    document()?.document_element()?.dyn_into().ok()
}

/// The theme that the loader script has put on the page.
fn current_theme() -> Theme {
    let name = root_element().and_then(|root| root.dataset().get("theme"));
    name.map_or_else(Theme::default, |name| Theme::from_name(&name))
}

fn apply_theme(theme: Theme) {
    if let Some(root) = root_element() {
        let _ = root.dataset().set("theme", theme.name());
    }
    // Without storage (a private window, say) the choice lasts as long as the page.
    let _ = Local.set(STORAGE_KEY, theme.name());
}
