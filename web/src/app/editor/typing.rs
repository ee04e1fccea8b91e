//! The keys of the editor. Changes go through `insertText`, so that the browser's undo knows of them.

use crate::view::editor::{Completion, byte_offset, indent_after, shifted, utf16_offset};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDocument, HtmlTextAreaElement, ScrollIntoViewOptions, ScrollLogicalPosition};
use yew::prelude::*;

/// The handler of keys. Tab is the page's: it accepts a name while names are offered, and otherwise goes on.
pub(super) fn on_key(
    area: &NodeRef,
    popup: &UseStateHandle<Option<(Completion, usize)>>,
    accept: &Callback<usize>,
    offer: &Callback<bool>,
) -> Callback<KeyboardEvent> {
    let (area, popup, accept, offer) = (area.clone(), popup.clone(), accept.clone(), offer.clone());
    Callback::from(move |event: KeyboardEvent| {
        let Some(area) = area.cast::<HtmlTextAreaElement>() else { return };
        let command = event.ctrl_key() || event.meta_key();
        let key = event.key();
        if let Some((found, chosen)) = &*popup {
            let count = found.suggestions.len();
            match key.as_str() {
                "ArrowDown" => popup.set(Some((found.clone(), (chosen + 1) % count))),
                "ArrowUp" => popup.set(Some((found.clone(), (chosen + count - 1) % count))),
                "Enter" | "Tab" if !event.shift_key() => accept.emit(*chosen),
                "Escape" => popup.set(None),
                "ArrowLeft" | "ArrowRight" | "Home" | "End" | "PageUp" | "PageDown" => {
                    return popup.set(None);
                }
                _ => return,
            }
            return event.prevent_default();
        }
        match key.as_str() {
            " " if command => offer.emit(true),
            "]" if command => shift(&area, true),
            "[" if command => shift(&area, false),
            "Enter" if !command && !event.is_composing() => {
                let (text, start) = (area.value(), area.selection_start().ok().flatten().unwrap_or(0));
                insert(&format!("\n{}", indent_after(&text, byte_offset(&text, start))));
            }
            _ => return,
        }
        event.prevent_default();
    })
}

/// Replaces the word before the caret.
pub(super) fn accept(area: &HtmlTextAreaElement, found: &Completion, chosen: usize) {
    let text = area.value();
    let caret = area.selection_start().ok().flatten().unwrap_or(0);
    if let Some(suggestion) = found.suggestions.get(chosen)
        && text.is_char_boundary(found.start.min(text.len()))
    {
        select(area, utf16_offset(&text, found.start.min(text.len())), caret);
        insert(&suggestion.text);
    }
}

/// Moves the lines of the selection, and keeps them selected.
fn shift(area: &HtmlTextAreaElement, right: bool) {
    let text = area.value();
    let at = |offset: Result<Option<u32>, _>| byte_offset(&text, offset.ok().flatten().unwrap_or(0));
    let (start, end, new) = shifted(&text, at(area.selection_start()), at(area.selection_end()), right);
    let first = utf16_offset(&text, start);
    select(area, first, utf16_offset(&text, end));
    insert(&new);
    select(area, first, first + new.encode_utf16().count() as u32);
}

/// Puts the focus into the text and selects a part of it.
pub(super) fn select(area: &HtmlTextAreaElement, start: u32, end: u32) {
    // A text area that is on the page takes both; were it gone there would be nothing to show.
    let _ = area.focus();
    let _ = area.set_selection_range(start, end);
}

/// Types a text in the place of the selection.
fn insert(text: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(document) = document.and_then(|document| document.dyn_into::<HtmlDocument>().ok()) {
        let _ = document.exec_command_with_show_ui_and_value("insertText", false, text);
    }
}

/// Scrolls a line into view, if it is not.
pub(super) fn reveal(line: &Element) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    line.scroll_into_view_with_scroll_into_view_options(&options);
}
