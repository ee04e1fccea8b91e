//! The coloured lines under the text area.

use super::line::EditorLine;
use crate::engine::Problem;
use crate::view::editor::{self, Block, Sheet};
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// In a text of more lines than this, a key colours the lines that it changes alone,
pub(super) const LONG: usize = 400;
/// and the whole is read again when nobody has typed for so many milliseconds.
pub(super) const PAUSE: u32 = 200;

#[derive(Default)]
struct Memory {
    sheet: Rc<Sheet>,
    text: Rc<str>,
    problems: Rc<[Problem]>,
    /// Whether some lines are coloured by themselves, and how long ago they were typed nobody knows yet.
    rough: Option<Timeout>,
    due: bool,
}

/// The lines of a text, kept from one key to the next.
#[hook]
pub(super) fn use_sheet(text: &Rc<str>, problems: &Rc<[Problem]>) -> Rc<Sheet> {
    let memory = use_mut_ref(Memory::default);
    let again = use_force_update();
    let mut now = memory.borrow_mut();
    let typed = now.text != *text;
    if typed && now.sheet.len() > LONG {
        now.sheet = Rc::new(now.sheet.typed(&now.text, text));
        now.text = text.clone();
        let memory = memory.clone();
        now.rough = Some(Timeout::new(PAUSE, move || {
            memory.borrow_mut().due = true;
            again.force_update();
        }));
    } else if typed || now.due || (now.rough.is_none() && now.problems != *problems) {
        now.sheet = Rc::new(now.sheet.with(editor::lines(text, problems)));
        (now.text, now.problems) = (text.clone(), problems.clone());
        (now.rough, now.due) = (None, false);
    }
    now.sheet.clone()
}

/// The element of a line of the text, from 0.
pub(super) fn line_at(lines: &Element, line: usize) -> Option<Element> {
    let blocks = lines.children();
    let mut before = 0;
    for block in (0..blocks.length()).filter_map(|at| blocks.item(at)) {
        let count = block.child_element_count() as usize;
        if line < before + count {
            return block.children().item((line - before) as u32);
        }
        before += count;
    }
    None
}

#[derive(PartialEq, Properties)]
pub(super) struct Props {
    pub(super) block: Rc<Block>,
    /// The line that another panel speaks of, in this block.
    pub(super) lit: Option<usize>,
}

/// Some lines; they are drawn again only when one of them changes.
#[component]
pub(super) fn EditorBlock(props: &Props) -> Html {
    let lines = props.block.lines.iter().enumerate().map(|(number, line)| {
        html! { <EditorLine key={number} line={line.clone()} lit={props.lit == Some(number)} /> }
    });
    html! { <div class="editor-block">{ for lines }</div> }
}
