//! A field for an expression, with a button.

use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct LineProps {
    pub(super) id: AttrValue,
    pub(super) label: AttrValue,
    /// The text that was entered last.
    pub(super) words: Rc<str>,
    pub(super) button: AttrValue,
    pub(super) hint: AttrValue,
    /// Whether the words stay in the field.
    pub(super) keeps: bool,
    pub(super) on_line: Callback<Rc<str>>,
}

/// A line to type into. Its text stays while answers come in and the page is drawn anew.
#[component]
pub(super) fn Line(props: &LineProps) -> Html {
    let typed = use_state(|| props.words.to_string());
    {
        let typed = typed.clone();
        use_effect_with(props.words.clone(), move |words| typed.set(words.to_string()));
    }
    let on_input = {
        let typed = typed.clone();
        Callback::from(move |event: InputEvent| {
            let field: HtmlInputElement = event.target_unchecked_into();
            typed.set(field.value());
        })
    };
    let on_submit = {
        let (typed, on_line, keeps) = (typed.clone(), props.on_line.clone(), props.keeps);
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            on_line.emit(typed.trim().into());
            if !keeps {
                typed.set(String::new());
            }
        })
    };
    html! {
        <form class="explore-until" onsubmit={on_submit}>
            <label for={props.id.clone()}>{ &props.label }</label>
            <input id={props.id.clone()} class="field" type="text" spellcheck="false" autocomplete="off"
                value={(*typed).clone()} placeholder={props.hint.clone()} oninput={on_input} />
            <button type="submit" class="button">{ &props.button }</button>
        </form>
    }
}
