//! The text of the model: a text area over its coloured lines, completion of names, and what is wrong.
//!
//! The text area is the browser's own, so that undo, selection and the keyboard are what people know; all changes that the
//! editor makes itself go through the browser's `insertText`, which its undo knows of.

mod line;
mod names;
mod place;
mod popup;
mod sheet;
mod tools;
mod typing;

use super::problems::Problems;
use crate::engine::{Place, Problem};
use crate::view::text::utf16_range;
use gloo_timers::callback::Timeout;
use names::{Names, use_names};
use popup::Popup;
use sheet::{EditorBlock, PAUSE, use_sheet};
use std::rc::Rc;
use tools::{Brackets, Rest, Tools, Word};
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
    let sheet = use_sheet(&props.text, &props.problems);
    let names = use_names(&area, sheet.len() > sheet::LONG);
    let (rest, on_caret) = use_caret(&area);
    let renaming = use_state(|| None::<u32>);
    {
        let lines_ref = lines_ref.clone();
        use_effect_with(props.lit, move |lit| {
            let lines = lines_ref.cast::<Element>().filter(|_| lit.is_some());
            if let Some(line) = lines.and_then(|lines| sheet::line_at(&lines, lit.unwrap_or(1) as usize - 1))
            {
                typing::reveal(&line);
            }
        });
    }
    let on_input = {
        let (on_edit, later, close) = (props.on_edit.clone(), names.later.clone(), names.close.clone());
        Callback::from(move |event: InputEvent| {
            let area: HtmlTextAreaElement = event.target_unchecked_into();
            on_edit.emit(Rc::from(area.value()));
            // Text that is deleted, undone or pasted asks for no help.
            let typed = event.input_type() == "insertText"
                && event.data().is_some_and(|data| data.chars().count() == 1);
            if typed {
                later.emit(());
            } else {
                close.emit(());
            }
        })
    };
    let on_rename = {
        let (area, renaming) = (area.clone(), renaming.clone());
        Callback::from(move |()| {
            let caret =
                area.cast::<HtmlTextAreaElement>().and_then(|area| area.selection_start().ok().flatten());
            renaming.set(caret);
        })
    };
    let on_done = {
        let renaming = renaming.clone();
        Callback::from(move |()| renaming.set(None))
    };
    let on_key = typing::on_key(&area, &names, &on_rename);
    let Names { popup, accept, close, .. } = names;
    let on_locate = {
        let (area, text) = (area.clone(), props.text.clone());
        Callback::from(move |place: Place| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                let (start, end) = utf16_range(&text, &place);
                typing::select(&area, start, end);
            }
        })
    };
    let lit = props.lit.and_then(|line| sheet.place(line as usize - 1));
    let drawn = sheet.blocks().iter().enumerate().map(|(number, block)| {
        let lit = lit.filter(|(at, _)| *at == number).map(|(_, line)| line);
        html! { <EditorBlock key={block.id} block={block.clone()} {lit} /> }
    });
    let invalid = !props.problems.is_empty();
    let active = popup.as_ref().map(|(_, chosen)| format!("completion-{chosen}"));
    html! {
        <section class="panel source" aria-labelledby="source-heading">
            <h2 id="source-heading" class="panel-heading source-heading">
                <label for="source">{ "Source" }</label>
            </h2>
            <Tools text={props.text.clone()} area={area.clone()} {on_rename} />
            <div class="editor">
                <div class="editor-sheet">
                    <div ref={lines_ref.clone()} class="editor-lines" aria-hidden="true">{ for drawn }</div>
                    <Brackets text={props.text.clone()} rest={rest.clone()} lines={lines_ref.clone()} />
                    <textarea id="source" ref={area.clone()} class="editor-text" spellcheck="false" autocomplete="off"
                        autocapitalize="off" value={props.text.to_string()} oninput={on_input} onkeydown={on_key}
                        onkeyup={on_caret.reform(|_: KeyboardEvent| ())} onclick={on_caret.reform(|_: MouseEvent| ())}
                        onblur={close.reform(|_: FocusEvent| ())} onpointerdown={close.reform(|_: PointerEvent| ())}
                        aria-invalid={invalid.to_string()} aria-describedby={invalid.then_some("problems")}
                        aria-autocomplete="list" aria-controls={popup.is_some().then_some("completions")} aria-activedescendant={active} />
                    if let Some((found, chosen)) = &*popup {
                        <Popup completion={found.clone()} text={props.text.clone()} chosen={*chosen}
                            lines={lines_ref} on_accept={accept} />
                    }
                </div>
            </div>
            <Word text={props.text.clone()} {rest} renaming={*renaming} area={area.clone()} {on_done} />
            <Problems problems={props.problems.clone()} {on_locate} />
        </section>
    }
}

/// Where the caret has come to rest, and what to call when it may have moved.
#[hook]
fn use_caret(area: &NodeRef) -> (Option<Rest>, Callback<()>) {
    let rest = use_state_eq(|| None::<Rest>);
    let waiting = use_mut_ref(|| None::<Timeout>);
    let on_caret = {
        let (area, rest) = (area.clone(), rest.clone());
        Callback::from(move |()| {
            let (area, rest) = (area.clone(), rest.clone());
            *waiting.borrow_mut() = Some(Timeout::new(PAUSE, move || {
                let Some(area) = area.cast::<HtmlTextAreaElement>() else { return };
                // A selection is of no one word.
                let ends = (area.selection_start().ok().flatten(), area.selection_end().ok().flatten());
                let caret = ends.0.filter(|_| ends.0 == ends.1);
                rest.set(caret.map(|caret| (Rc::from(area.value()), caret)));
            }));
        })
    };
    ((*rest).clone(), on_caret)
}
