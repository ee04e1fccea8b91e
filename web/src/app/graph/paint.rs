//! Marks as attributes of the shapes that are there. A step of the search changes a few of them: only those are touched, and
//! nothing is rendered anew.

use crate::view::picture::marks::{EdgeMark, HUES, Marks, NodeMark, Phase};
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, NodeList};
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct Props {
    pub(super) canvas: NodeRef,
    pub(super) marks: Option<Rc<Marks>>,
}

/// The elements of a picture, in the order of their numbers, and the marks they have.
#[derive(Default)]
struct Painted {
    nodes: Vec<Element>,
    letters: Vec<Element>,
    edges: Vec<Element>,
    marks: Rc<Marks>,
}

/// Draws nothing itself.
#[component]
pub(super) fn Paint(props: &Props) -> Html {
    let painted = use_mut_ref(|| None::<Painted>);
    let canvas = props.canvas.clone();
    use_effect_with(props.marks.clone(), move |marks| {
        let Some(canvas) = canvas.cast::<Element>() else { return };
        let mut painted = painted.borrow_mut();
        let painted = painted.get_or_insert_with(|| Painted::new(&canvas));
        painted.paint(marks.clone().unwrap_or_default());
    });
    Html::default()
}

impl Painted {
    fn new(canvas: &Element) -> Painted {
        let all = |selector: &str| {
            canvas.query_selector_all(selector).map(|list| elements(&list)).unwrap_or_default()
        };
        Painted {
            nodes: all(":scope > .nodes > .node"),
            letters: all(":scope > .letters > text"),
            edges: all(":scope > .edges > .edge"),
            marks: Rc::default(),
        }
    }

    fn paint(&mut self, marks: Rc<Marks>) {
        let before = |old: &Marks, id: usize| old.nodes.as_slice().get(id).copied().unwrap_or_default();
        for (id, (node, letter)) in self.nodes.iter().zip(&self.letters).enumerate() {
            let mark = marks.nodes.as_slice().get(id).copied().unwrap_or_default();
            if mark != before(&self.marks, id) {
                set(node, "data-mark", (mark != NodeMark::default()).then(|| mark.words()));
                letter.set_text_content(Some(&mark.letter()));
            }
        }
        for (id, edge) in self.edges.iter().enumerate() {
            let of = |marks: &Marks| marks.edges.as_slice().get(id).copied().unwrap_or_default();
            let mark: EdgeMark = of(&marks);
            if mark != of(&self.marks) {
                set(edge, "data-mark", (mark != EdgeMark::default()).then(|| mark.words()));
                set(edge, "marker-end", head(mark).map(|head| format!("url(#{head})")));
            }
        }
        self.marks = marks;
    }
}

/// The head of a marked edge, in its colour.
fn head(mark: EdgeMark) -> Option<String> {
    match mark.phase {
        _ if mark.fair => Some("head-fair".into()),
        Phase::Entered => Some("head-entered".into()),
        Phase::Stacked => Some("head-stacked".into()),
        Phase::Popped(number) => Some(format!("head-hue-{}", number % HUES)),
        Phase::Fresh | Phase::Done | Phase::Holds => None,
    }
}

fn set(element: &Element, name: &str, value: Option<String>) {
    // Neither can fail: the names are good and the elements are there.
    let _ = match value {
        Some(value) => element.set_attribute(name, &value),
        None => element.remove_attribute(name),
    };
}

fn elements(list: &NodeList) -> Vec<Element> {
    (0..list.length()).filter_map(|i| list.item(i)?.dyn_into().ok()).collect()
}
