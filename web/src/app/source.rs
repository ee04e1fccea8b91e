//! The text of the model and what is wrong with it.

use super::problems::Problems;
use crate::engine::{Place, Problem};
use crate::view::text::utf16_range;
use std::rc::Rc;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) text: Rc<str>,
    pub(crate) problems: Rc<[Problem]>,
    pub(crate) on_edit: Callback<Rc<str>>,
}

#[component]
pub(crate) fn Source(props: &Props) -> Html {
    let area = use_node_ref();
    let on_input = props.on_edit.reform(|event: InputEvent| {
        let area: HtmlTextAreaElement = event.target_unchecked_into();
        Rc::from(area.value())
    });
    let on_locate = {
        let (area, text) = (area.clone(), props.text.clone());
        Callback::from(move |place: Place| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                let (start, end) = utf16_range(&text, &place);
                // A text area that is on the page takes both; were it gone there would be nothing to show.
                let _ = area.focus();
                let _ = area.set_selection_range(start, end);
            }
        })
    };
    let invalid = !props.problems.is_empty();
    html! {
        <section class="panel source" aria-labelledby="source-heading">
            <h2 id="source-heading" class="panel-heading"><label for="source">{ "Source" }</label></h2>
            <textarea id="source" ref={area} class="source-text" spellcheck="false" autocomplete="off"
                autocapitalize="off" wrap="off" value={props.text.to_string()} oninput={on_input}
                aria-invalid={invalid.to_string()} aria-describedby={invalid.then_some("problems")} />
            <Problems problems={props.problems.clone()} {on_locate} />
        </section>
    }
}
