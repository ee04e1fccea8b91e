//! Components, rendered in a real browser.
#![cfg(target_arch = "wasm32")]

use orbitscope_core::draw::NodeId;
use orbitscope_web::app::{Graph, Problems};
use orbitscope_web::engine::{Edge, GraphKind, Next, Place, Problem, StateGraph, StateId, StateNode};
use orbitscope_web::session::Item;
use orbitscope_web::view::drawing::Drawing;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

/// A fresh element of the page.
fn stage() -> Element {
    let document = web_sys::window().unwrap().document().unwrap();
    let stage = document.create_element("div").unwrap();
    document.body().unwrap().append_child(&stage).unwrap();
    stage
}

fn text_of(stage: &Element, selector: &str) -> String {
    stage
        .query_selector(selector)
        .unwrap()
        .unwrap_or_else(|| panic!("there is no {selector}"))
        .text_content()
        .unwrap()
}

fn count_of(stage: &Element, selector: &str) -> u32 {
    stage.query_selector_all(selector).unwrap().length()
}

/// A callback and the values it was called with.
fn recorder<T: Clone + 'static>() -> (Callback<T>, Rc<RefCell<Vec<T>>>) {
    let log = Rc::new(RefCell::new(Vec::new()));
    let callback = {
        let log = log.clone();
        Callback::from(move |value| log.borrow_mut().push(value))
    };
    (callback, log)
}

#[wasm_bindgen_test]
async fn a_problem_shows_its_place_and_tells_where_to_look() {
    let place = Place { line: 3, column: 5, excerpt: "var x: bol".into(), length: 3 };
    let problems = Rc::new([
        Problem { message: "unknown type".into(), place: Some(place.clone()) },
        Problem { message: "clients is <b>99</b>".into(), place: None },
    ]);
    let (on_locate, located) = recorder();
    let stage = stage();
    let props =
        yew::props!(orbitscope_web::app::ProblemsProps { problems: problems as Rc<[Problem]>, on_locate });
    yew::Renderer::<Problems>::with_root_and_props(stage.clone(), props).render();
    yew::platform::time::sleep(std::time::Duration::ZERO).await;

    assert_eq!(count_of(&stage, ".problem"), 2);
    assert_eq!(text_of(&stage, ".problem-message"), "3:5 unknown type");
    assert_eq!(text_of(&stage, ".problem-excerpt"), "var x: bol\n    ^^^");
    assert_eq!(text_of(&stage, ".problem:last-child"), "clients is <b>99</b>");
    let button = stage.query_selector(".problem-place").unwrap().unwrap();
    button.unchecked_into::<HtmlElement>().click();
    assert_eq!(*located.borrow(), [place]);
}

#[wasm_bindgen_test]
async fn a_graph_shows_its_states_and_the_steps_of_the_selected_one() {
    let node = |label: &str, depth, next| StateNode { label: label.into(), depth, next };
    let edge = |from, to, label: &str| Edge { from: StateId(from), to: StateId(to), label: label.into() };
    let graph = StateGraph {
        nodes: vec![node("idle", 0, Next::Steps), node("stuck", 1, Next::Deadlock)].into(),
        edges: vec![edge(0, 0, "wait"), edge(0, 1, "go")],
        complete: true,
    };
    let (on_select, selected) = recorder();
    let stage = stage();
    let props = yew::props!(orbitscope_web::app::GraphProps {
        drawing: Rc::new(Drawing::of(&graph, 10)),
        of: GraphKind::States,
        selected: Some(Item::Node(GraphKind::States, NodeId(0))),
        hovered: None::<Item>,
        on_select,
        on_hover: Callback::noop(),
    });
    yew::Renderer::<Graph>::with_root_and_props(stage.clone(), props).render();
    yew::platform::time::sleep(std::time::Duration::ZERO).await;

    assert_eq!(count_of(&stage, "svg > .nodes > .node"), 2);
    assert_eq!(count_of(&stage, "svg > .edges > .edge"), 2);
    assert_eq!(text_of(&stage, "svg > .nodes > .is-initial"), "idle");
    assert_eq!(text_of(&stage, "svg > .nodes > .is-deadlock"), "stuck");
    assert_eq!(text_of(&stage, ".selection .edge-labels"), "waitgo");
    let stuck = stage.query_selector("[data-state='1'] text").unwrap().unwrap();
    let click = web_sys::MouseEvent::new_with_mouse_event_init_dict("click", &bubbling()).unwrap();
    stuck.dispatch_event(&click).unwrap();
    assert_eq!(*selected.borrow(), [Some(Item::Node(GraphKind::States, NodeId(1)))]);
}

fn bubbling() -> web_sys::MouseEventInit {
    let init = web_sys::MouseEventInit::new();
    init.set_bubbles(true);
    init
}
