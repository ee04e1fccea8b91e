//! Where a character of the text is on the screen: measured at the coloured lines, which lie exactly under the text area.

use super::sheet::line_at;
use crate::view::editor::line_of;
use wasm_bindgen::JsCast;
use web_sys::{DomRect, Element, Node};

/// The place of a byte offset of the text: its left edge, and the upper and lower edge of its row.
pub(super) fn place(lines: &Element, text: &str, offset: usize) -> Option<(f64, f64, f64)> {
    let (number, units) = line_of(text, offset);
    let line = line_at(lines, number as usize)?;
    let mut left = units;
    let mut last = None;
    for node in texts(&line) {
        let length = node.node_value().unwrap_or_default().encode_utf16().count() as u32;
        if left < length {
            let rect = rect(&node, left, left + 1)?;
            return Some((rect.left(), rect.top(), rect.bottom()));
        }
        left -= length;
        last = (length > 0).then_some((node, length)).or(last);
    }
    // Behind the last character of the line, or in an empty one.
    if let Some((node, length)) = last {
        let rect = rect(&node, length - 1, length)?;
        return Some((rect.right(), rect.top(), rect.bottom()));
    }
    let rect = line.get_bounding_client_rect();
    Some((rect.left(), rect.top(), rect.bottom()))
}

/// The pieces of text of a line: its own, and those of the spans in it.
fn texts(line: &Element) -> Vec<Node> {
    let mut found = Vec::new();
    let children = line.child_nodes();
    for node in (0..children.length()).filter_map(|k| children.item(k)) {
        match node.dyn_ref::<Element>() {
            Some(span) => found.extend(span.first_child()),
            None if node.node_type() == Node::TEXT_NODE => found.push(node),
            None => {}
        }
    }
    found
}

fn rect(node: &Node, start: u32, end: u32) -> Option<DomRect> {
    let range = web_sys::window()?.document()?.create_range().ok()?;
    range.set_start(node, start).ok()?;
    range.set_end(node, end).ok()?;
    Some(range.get_bounding_client_rect())
}
