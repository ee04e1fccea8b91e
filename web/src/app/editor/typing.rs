//! The keys of the editor. Changes go through `insertText`, so that the browser's undo knows of them.

use super::names::Names;
use super::sheet::line_at;
use super::tools::to_definition;
use crate::view::editor::{
    Completion, Found, byte_offset, commented, indent_after, line_of, shifted, utf16_offset,
};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDocument, HtmlTextAreaElement, ScrollIntoViewOptions, ScrollLogicalPosition};
use yew::prelude::*;

/// The handler of keys. Tab is the page's: it accepts a name while names are offered, and otherwise goes on.
pub(super) fn on_key(area: &NodeRef, names: &Names, on_rename: &Callback<()>) -> Callback<KeyboardEvent> {
    let (area, on_rename) = (area.clone(), on_rename.clone());
    let (popup, accept, offer) = (names.popup.clone(), names.accept.clone(), names.offer.clone());
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
            "]" if command => on_lines(&area, |text, start, end| shifted(text, start, end, true)),
            "[" if command => on_lines(&area, |text, start, end| shifted(text, start, end, false)),
            "/" if command => on_lines(&area, commented),
            "F12" => to_definition(&area),
            "F2" => on_rename.emit(()),
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

/// Changes the lines of the selection, and keeps them selected.
fn on_lines(area: &HtmlTextAreaElement, change: impl Fn(&str, usize, usize) -> (usize, usize, String)) {
    let text = area.value();
    let at = |offset: Result<Option<u32>, _>| byte_offset(&text, offset.ok().flatten().unwrap_or(0));
    let (start, end, new) = change(&text, at(area.selection_start()), at(area.selection_end()));
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

/// Selects a part of the text, and scrolls there: a text area does so for what is typed alone.
pub(super) fn show(area: &HtmlTextAreaElement, (start, end): Found) {
    select(area, start, end);
    let text = area.value();
    let (line, _) = line_of(&text, byte_offset(&text, start));
    let lines = area.parent_element().and_then(|sheet| sheet.query_selector(".editor-lines").ok().flatten());
    if let Some(line) = lines.and_then(|lines| line_at(&lines, line as usize)) {
        reveal(&line);
    }
}

/// Puts a text in the place of a part.
pub(super) fn replace(area: &HtmlTextAreaElement, (start, end): Found, new: &str) {
    select(area, start, end);
    insert(new);
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
