//! The text of the model: a text area over its coloured lines, completion of names, and what is wrong.
//!
//! The text area is the browser's own, so that undo, selection and the keyboard are what people know; all changes that the
//! editor makes itself go through the browser's `insertText`, which its undo knows of.

mod line;
mod place;
mod popup;
mod typing;

use super::problems::Problems;
use crate::engine::{Place, Problem};
use crate::view::editor::{self, Completion, byte_offset, complete};
use crate::view::text::utf16_range;
use line::EditorLine;
use popup::Popup;
use std::rc::Rc;
use web_sys::{Element, HtmlTextAreaElement};
use yew::prelude::*;

#[derive(Properties)]
pub(crate) struct Props {
    pub(crate) text: Rc<str>,
    pub(crate) problems: Rc<[Problem]>,
    /// A line that another panel speaks of, from 1.
    pub(crate) lit: Option<u32>,
    /// Always the same, though made anew whenever the page is rendered.
    pub(crate) on_edit: Callback<Rc<str>>,
}

/// While a search is played the text need not be drawn again.
impl PartialEq for Props {
    fn eq(&self, other: &Props) -> bool {
        (&self.text, &self.problems, self.lit) == (&other.text, &other.problems, other.lit)
    }
}

#[component]
pub(crate) fn Editor(props: &Props) -> Html {
    let area = use_node_ref();
    let lines_ref = use_node_ref();
    let popup = use_state(|| None::<(Completion, usize)>);
    let lines = use_memo((props.text.clone(), props.problems.clone()), |(text, problems)| {
        editor::lines(text, problems).into_iter().map(Rc::new).collect::<Vec<_>>()
    });
    {
        let lines_ref = lines_ref.clone();
        use_effect_with(props.lit, move |lit| {
            let lines = lines_ref.cast::<Element>().filter(|_| lit.is_some());
            if let Some(line) = lines.and_then(|lines| lines.children().item(lit.unwrap_or(1) - 1)) {
                typing::reveal(&line);
            }
        });
    }
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
    let accept = {
        let (area, popup) = (area.clone(), popup.clone());
        Callback::from(move |chosen: usize| {
            if let (Some(area), Some((found, _))) = (area.cast::<HtmlTextAreaElement>(), &*popup) {
                typing::accept(&area, found, chosen);
            }
            popup.set(None);
        })
    };
    let on_input = {
        let (on_edit, offer, popup) = (props.on_edit.clone(), offer.clone(), popup.clone());
        Callback::from(move |event: InputEvent| {
            let area: HtmlTextAreaElement = event.target_unchecked_into();
            on_edit.emit(Rc::from(area.value()));
            // Text that is deleted, undone or pasted asks for no help.
            let typed = event.input_type() == "insertText"
                && event.data().is_some_and(|data| data.chars().count() == 1);
            if typed {
                offer.emit(false);
            } else {
                popup.set(None);
            }
        })
    };
    let on_key = typing::on_key(&area, &popup, &accept, &offer);
    let close = {
        let popup = popup.clone();
        Callback::from(move |()| popup.set(None))
    };
    let on_locate = {
        let (area, text) = (area.clone(), props.text.clone());
        Callback::from(move |place: Place| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                let (start, end) = utf16_range(&text, &place);
                typing::select(&area, start, end);
            }
        })
    };
    let drawn = (1..).zip(&*lines).map(|(number, line)| {
        html! { <EditorLine key={number} line={line.clone()} lit={props.lit == Some(number)} /> }
    });
    let invalid = !props.problems.is_empty();
    let active = popup.as_ref().map(|(_, chosen)| format!("completion-{chosen}"));
    html! {
        <section class="panel source" aria-labelledby="source-heading">
            <h2 id="source-heading" class="panel-heading source-heading">
                <label for="source">{ "Source" }</label>
                <span class="source-hint">{ "Ctrl+Space completes names" }</span>
            </h2>
            <div class="editor">
                <div class="editor-sheet">
                    <div ref={lines_ref.clone()} class="editor-lines" aria-hidden="true">{ for drawn }</div>
                    <textarea id="source" ref={area} class="editor-text" spellcheck="false" autocomplete="off"
                        autocapitalize="off" value={props.text.to_string()} oninput={on_input} onkeydown={on_key}
                        onblur={close.reform(|_: FocusEvent| ())} onpointerdown={close.reform(|_: PointerEvent| ())}
                        aria-invalid={invalid.to_string()} aria-describedby={invalid.then_some("problems")}
                        aria-autocomplete="list" aria-controls={popup.is_some().then_some("completions")} aria-activedescendant={active} />
                    if let Some((found, chosen)) = &*popup {
                        <Popup completion={found.clone()} text={props.text.clone()} chosen={*chosen}
                            lines={lines_ref} on_accept={accept} />
                    }
                </div>
            </div>
            <Problems problems={props.problems.clone()} {on_locate} />
        </section>
    }
}
