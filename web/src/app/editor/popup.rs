//! The names that complete the word before the caret.

use crate::view::editor::{Completion, position};
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) completion: Completion,
    pub(crate) text: Rc<str>,
    pub(crate) chosen: usize,
    pub(crate) on_accept: Callback<usize>,
}

#[component]
pub(crate) fn Popup(props: &Props) -> Html {
    let list = use_node_ref();
    // The text may be one key ahead of the list.
    let start = props.completion.start.min(props.text.len());
    let at = position(&props.text, if props.text.is_char_boundary(start) { start } else { 0 });
    {
        let list = list.clone();
        use_effect_with(at, move |&(line, column)| {
            if let Some(list) = list.cast::<HtmlElement>() {
                // Custom properties are set through the object model: the content security policy forbids style attributes.
                let style = list.style();
                let _ = style.set_property("--line", &line.to_string());
                let _ = style.set_property("--column", &column.to_string());
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
