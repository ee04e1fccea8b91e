//! Components, rendered in a real browser.
#![cfg(target_arch = "wasm32")]

use orbitscope_core::draw::{Axis, Edge, EdgeStyle, Graph, Node, NodeId, Picture};
use orbitscope_web::app::{Graph as GraphView, Problems, Unfolded};
use orbitscope_web::engine::{Drawing, GraphKind, Orbit, Place, Problem};
use orbitscope_web::session::Item;
use orbitscope_web::view::picture::marks::{EdgeMark, Marks, NodeMark, Phase};
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
        Problem { place: Some(place.clone()), ..Problem::new("unknown type") },
        Problem::new("clients is <b>99</b>"),
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

/// A graph with a loop, a deadlock and a ghost.
fn small_graph() -> Graph {
    let mut graph = Graph::new("small");
    let label = |label: &str| vec![label.to_owned()];
    let idle = graph.nodes.push(Node {
        initial: true,
        label: label("idle"),
        stands_for: Some("3".into()),
        ..Node::new("s0")
    });
    let stuck = graph.nodes.push(Node { deadlock: true, label: label("stuck"), ..Node::new("s1") });
    graph.edges.push(Edge::new(idle, idle, "wait"));
    graph.edges.push(Edge::new(idle, stuck, "go"));
    graph.edges.push(Edge {
        style: EdgeStyle::Ghost,
        under: "by (0 1)".into(),
        ..Edge::new(idle, stuck, "haunt")
    });
    graph
}

/// A grid of states: so many processes, each here or there, and a switch.
fn grid(columns: i32) -> Graph {
    let mut graph = Graph::new("grid");
    let axis = |name: &str| Axis { name: name.into(), short: name.into(), labels: Vec::new() };
    graph.axes = vec![axis("there"), axis("switch")];
    for at in 0..2 * columns {
        let (column, row) = (at / 2, at % 2);
        let node = Node {
            at: vec![column, row],
            initial: at == 0,
            label: vec![format!("{column}")],
            ..Node::new(format!("s{at}"))
        };
        graph.nodes.push(node);
    }
    for at in 2..2 * columns as u32 {
        graph.edges.push(Edge::new(NodeId(at - 2), NodeId(at), "on"));
    }
    for at in 0..columns as u32 {
        graph.edges.push(Edge::new(NodeId(2 * at), NodeId(2 * at + 1), "flip"));
    }
    graph
}

fn marks(phases: &[Phase], edges: usize) -> Rc<Marks> {
    let nodes = phases.iter().map(|&phase| NodeMark { phase, ..NodeMark::default() }).collect();
    Rc::new(Marks { nodes, edges: vec![EdgeMark::default(); edges].into(), ..Marks::default() })
}

async fn rest() {
    for _ in 0..3 {
        yew::platform::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

fn attribute(stage: &Element, selector: &str, name: &str) -> Option<String> {
    stage
        .query_selector(selector)
        .unwrap()
        .unwrap_or_else(|| panic!("there is no {selector}"))
        .get_attribute(name)
}

fn click_on(stage: &Element, selector: &str) {
    let target = stage.query_selector(selector).unwrap().unwrap_or_else(|| panic!("there is no {selector}"));
    let click = web_sys::MouseEvent::new_with_mouse_event_init_dict("click", &bubbling()).unwrap();
    target.dispatch_event(&click).unwrap();
}

#[wasm_bindgen_test]
async fn a_graph_shows_its_nodes_and_the_edges_of_the_selected_one() {
    let (on_select, selected) = recorder();
    let (on_open, opened) = recorder();
    let stage = stage();
    let props = yew::props!(orbitscope_web::app::GraphProps {
        drawing: Rc::new(Drawing::new(small_graph())),
        of: GraphKind::States,
        selected: Some(Item::Node(GraphKind::States, NodeId(0))),
        hovered: None::<Item>,
        on_select,
        on_hover: Callback::noop(),
        on_open,
    });
    yew::Renderer::<GraphView>::with_root_and_props(stage.clone(), props).render();
    rest().await;

    assert_eq!(count_of(&stage, "svg > .nodes > .node"), 2);
    assert_eq!(count_of(&stage, "svg > .edges > .edge"), 3);
    assert_eq!(text_of(&stage, "svg > .nodes > .is-initial"), "idle");
    assert_eq!(text_of(&stage, "svg > .nodes > .is-deadlock"), "stuck");
    assert_eq!(count_of(&stage, ".selection .edge.leaving"), 3);
    assert!(text_of(&stage, ".graph-corner").contains("stands for 3 states"));
    click_on(&stage, "svg > .nodes > [data-node='1']");
    assert_eq!(*selected.borrow(), [Some(Item::Node(GraphKind::States, NodeId(1)))]);
    assert_eq!(*opened.borrow(), [NodeId(1)]);

    // Ghosts go and come back.
    assert_eq!(count_of(&stage, ".is-without-ghosts"), 0);
    click_on(&stage, ".graph-tools button");
    rest().await;
    assert_eq!(
        (count_of(&stage, ".is-without-ghosts"), count_of(&stage, ".selection .edge.leaving")),
        (1, 2)
    );
}

#[wasm_bindgen_test]
async fn a_step_changes_marks_and_renders_nothing_anew() {
    let stage = stage();
    let drawing = Rc::new(Drawing::new(small_graph()));
    let props = |marks: Option<Rc<Marks>>| {
        yew::props!(orbitscope_web::app::GraphProps {
            drawing: drawing.clone(),
            of: GraphKind::Product,
            marks,
            selected: None::<Item>,
            hovered: None::<Item>,
            on_select: Callback::noop(),
            on_hover: Callback::noop(),
        })
    };
    let mut handle = yew::Renderer::<GraphView>::with_root_and_props(stage.clone(), props(None)).render();
    rest().await;
    let (first, second) = (".nodes > [data-node='0']", ".nodes > [data-node='1']");
    let element = stage.query_selector(first).unwrap().unwrap();
    assert_eq!(attribute(&stage, first, "data-mark"), None);
    for (phases, words, letter) in [
        ([Phase::Entered, Phase::Fresh], (Some("entered"), None), ""),
        ([Phase::Stacked, Phase::Entered], (Some("stacked"), Some("entered")), ""),
        ([Phase::Popped(1), Phase::Done], (Some("popped hue-1"), Some("done")), "B"),
        ([Phase::Fresh, Phase::Fresh], (None, None), ""),
    ] {
        handle.update(props(Some(marks(&phases, 3))));
        rest().await;
        assert_eq!(attribute(&stage, first, "data-mark").as_deref(), words.0);
        assert_eq!(attribute(&stage, second, "data-mark").as_deref(), words.1);
        assert_eq!(text_of(&stage, ".letters > text"), letter);
        assert!(stage.query_selector(first).unwrap().unwrap().is_same_node(Some(&element)));
    }
}

#[wasm_bindgen_test]
async fn a_large_full_graph_is_a_lattice_with_a_map() {
    let stage = stage();
    let props = yew::props!(orbitscope_web::app::GraphProps {
        drawing: Rc::new(Drawing::new(grid(60))),
        of: GraphKind::Aqs,
        selected: None::<Item>,
        hovered: None::<Item>,
        on_select: Callback::noop(),
        on_hover: Callback::noop(),
    });
    yew::Renderer::<GraphView>::with_root_and_props(stage.clone(), props).render();
    rest().await;
    assert_eq!(count_of(&stage, ".graph.has-sides"), 1);
    assert!(text_of(&stage, ".graph-columns").starts_with("there →"));
    assert_eq!(text_of(&stage, ".graph-rows"), "switch=0switch=1");
    // All of it would be too small to read: it begins with a part. The map is there while something is out of sight.
    assert_eq!(count_of(&stage, ".graph-map"), 1);
    click_on(&stage, "[title='Show all (0)']");
    rest().await;
    assert_eq!(count_of(&stage, ".graph-map"), 0);
    for _ in 0..12 {
        click_on(&stage, "[aria-label='Zoom in']");
        rest().await;
    }
    assert_eq!(count_of(&stage, ".graph-map"), 1);
    // As layers it has no sides, and the nodes are the same.
    click_on(&stage, ".graph-tools button[aria-pressed='true']");
    rest().await;
    assert_eq!((count_of(&stage, ".graph.has-sides"), count_of(&stage, ".nodes > .node")), (0, 120));
}

#[wasm_bindgen_test]
async fn an_orbit_is_unfolded() {
    let stage = stage();
    let (on_close, closed) = recorder();
    let states = ["CII", "ICI", "IIC"].map(|state| vec![state.to_owned()]).to_vec();
    let props = yew::props!(orbitscope_web::app::OrbitProps {
        picture: Rc::new(Picture::layered(small_graph())),
        node: NodeId(0),
        orbit: Some(Rc::new(Orbit { of: (GraphKind::Aqs, 0), states, complete: false })),
        on_close,
    });
    yew::Renderer::<Unfolded>::with_root_and_props(stage.clone(), props).render();
    rest().await;
    assert_eq!(count_of(&stage, ".orbit-state"), 3);
    assert_eq!(text_of(&stage, ".orbit-state.is-representative"), "CII");
    assert!(text_of(&stage, ".orbit-title").contains("stands for 3 states"));
    assert_eq!(text_of(&stage, ".orbit-more"), "and more");
    click_on(&stage, ".orbit-close");
    assert_eq!(closed.borrow().len(), 1);
}

fn bubbling() -> web_sys::MouseEventInit {
    let init = web_sys::MouseEventInit::new();
    init.set_bubbles(true);
    init
}
