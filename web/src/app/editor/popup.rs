//! The names that complete the word before the caret.

use super::place::place;
use crate::view::editor::Completion;
use std::rc::Rc;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) completion: Completion,
    pub(crate) text: Rc<str>,
    pub(crate) chosen: usize,
    /// The coloured lines.
    pub(crate) lines: NodeRef,
    pub(crate) on_accept: Callback<usize>,
}

#[component]
pub(crate) fn Popup(props: &Props) -> Html {
    let list = use_node_ref();
    {
        let (list, lines) = (list.clone(), props.lines.clone());
        use_effect_with((props.completion.clone(), props.text.clone()), move |(completion, text)| {
            if let (Some(list), Some(lines)) = (list.cast::<HtmlElement>(), lines.cast::<Element>()) {
                put(&list, &lines, text, completion.start);
            }
        });
    }
    let items = props.completion.suggestions.iter().enumerate().map(|(number, suggestion)| {
        let chosen = number == props.chosen;
        // Before the text area loses the focus.
        let on_press = props.on_accept.reform(move |event: PointerEvent| {
            event.prevent_default();
            number
        });
        html! {
            <li id={format!("completion-{number}")} role="option" class={classes!("completion", chosen.then_some("is-chosen"))}
                aria-selected={chosen.to_string()} onpointerdown={on_press}>
                <span class="completion-text">{ &suggestion.text }</span>
                <span class="completion-kind">{ suggestion.kind }</span>
            </li>
        }
    });
    html! {
        <ul id="completions" ref={list} class="completions" role="listbox" aria-label="Names">{ for items }</ul>
    }
}

/// Puts the list under the word, or above it where there is no room, within the editor.
fn put(list: &HtmlElement, lines: &Element, text: &str, start: usize) {
    let Some((left, top, bottom)) = place(lines, text, start) else { return };
    let (sheet, own) = (lines.get_bounding_client_rect(), list.get_bounding_client_rect());
    let window =
        web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64()).unwrap_or(f64::MAX);
    let below = bottom + own.height() + 8.0 < window || top - own.height() < sheet.top();
    let y = if below { bottom - sheet.top() } else { top - sheet.top() - own.height() };
    let x = (left - sheet.left()).min(sheet.width() - own.width() - 4.0).max(0.0);
    // Custom properties are set through the object model: the content security policy forbids style attributes.
    let style = list.style();
    let _ = style.set_property("--x", &format!("{x:.0}px"));
    let _ = style.set_property("--y", &format!("{y:.0}px"));
}
