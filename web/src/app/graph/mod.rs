//! A picture of a graph: zoom, pan, the choice of a node, and the marks of the search on it.

mod corner;
mod gesture;
mod map;
mod marks;
mod orbit;
mod overlay;
mod paint;
mod panel;
mod shapes;
mod sides;
mod sight;

pub(super) use marks::use_marks;
pub use orbit::{Props as OrbitProps, Unfolded};
pub(super) use sight::{Sight, use_sight};

use crate::engine::{Drawing, GraphKind};
use crate::session::Item;
use crate::view::picture::export::Seen;
use crate::view::picture::marks::Marks;
use crate::view::picture::viewport::{Point, Rect, Viewport};
use crate::view::picture::walk::{Direction, step};
use crate::view::picture::zoom::{Detail, detail, hairline};
use gesture::Gesture;
use orbitscope_core::draw::{EdgeStyle, Layout, NodeId, Picture};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// The magnification of one press of a zoom button.
const ZOOM_STEP: f64 = 1.25;

/// The properties of [`Graph`].
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The drawing.
    pub drawing: Rc<Drawing>,
    /// Which graph it is.
    pub of: GraphKind,
    /// The marks of the search.
    #[prop_or_default]
    pub marks: Option<Rc<Marks>>,
    /// The nodes that were looked for; the others step back.
    #[prop_or_default]
    pub found: Option<Rc<[u32]>>,
    /// The item that was chosen.
    pub selected: Option<Item>,
    /// The item that the pointer is on.
    pub hovered: Option<Item>,
    /// Called with what was chosen.
    pub on_select: Callback<Option<Item>>,
    /// Called with what the pointer is on.
    pub on_hover: Callback<Option<Item>>,
    /// Called with a node that was clicked, or opened with Enter.
    #[prop_or_default]
    pub on_open: Callback<NodeId>,
    /// Called with what is seen.
    #[prop_or_default]
    pub on_seen: Callback<Seen>,
}

/// How the picture is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shown {
    pub(super) lattice: bool,
    pub(super) ghosts: bool,
}

/// A picture that can be moved, magnified and walked through.
#[component]
pub fn Graph(props: &Props) -> Html {
    let drawing = &props.drawing;
    let shown = use_state_eq(|| Shown { lattice: drawing.lattice_first, ghosts: true });
    {
        // Another graph starts in its own clearest layout.
        let (shown, lattice) = (shown.clone(), drawing.lattice_first);
        use_effect_with((props.of, lattice), move |_| shown.set(Shown { lattice, ..*shown }));
    }
    let picture: Rc<Picture> = (*use_memo((drawing.clone(), shown.lattice), |(drawing, lattice)| {
        Rc::new(drawing.lattice.clone().filter(|_| *lattice).unwrap_or_else(|| drawing.layered.clone()))
    }))
    .clone();
    let on_shown = {
        let shown = shown.clone();
        Callback::from(move |changed| shown.set(changed))
    };
    let seen = Seen {
        picture: picture.clone(),
        ghosts: shown.ghosts,
        marks: props.marks.clone(),
        found: props.found.clone(),
    };
    props.on_seen.emit(seen);
    let key = format!("{:p}", Rc::as_ptr(&picture));
    html! {
        <Canvas {key} {picture} shown={*shown} {on_shown}
            has_lattice={drawing.lattice.is_some()} of={props.of} marks={props.marks.clone()} found={props.found.clone()}
            selected={props.selected.and_then(|item| item.node_of(props.of))}
            hovered={props.hovered.and_then(|item| item.node_of(props.of))}
            on_select={props.on_select.clone()} on_hover={props.on_hover.clone()} on_open={props.on_open.clone()} />
    }
}

#[derive(PartialEq, Properties)]
struct CanvasProps {
    picture: Rc<Picture>,
    shown: Shown,
    on_shown: Callback<Shown>,
    has_lattice: bool,
    of: GraphKind,
    marks: Option<Rc<Marks>>,
    found: Option<Rc<[u32]>>,
    selected: Option<NodeId>,
    hovered: Option<NodeId>,
    on_select: Callback<Option<Item>>,
    on_hover: Callback<Option<Item>>,
    on_open: Callback<NodeId>,
}

/// The visible part, and whether somebody chose it.
#[derive(Clone)]
struct View {
    now: Viewport,
    chosen: UseStateHandle<Option<Viewport>>,
}

impl View {
    fn set(&self, viewport: Viewport) {
        self.chosen.set(Some(viewport));
    }
}

/// The visible part before anybody zooms: all of it where that can be read, else the place that is spoken of.
fn usual(picture: &Picture, size: Rect, node: Option<NodeId>) -> Viewport {
    let first = || picture.graph.nodes.iter_enumerated().find(|(_, node)| node.initial).map(|(id, _)| id);
    let shape = node.or_else(first).and_then(|node| picture.nodes.get(node));
    let focus = shape.map(|shape| shape.area.centre()).unwrap_or_default();
    Viewport::readable(picture, size, Point::new(focus.x.into(), focus.y.into()))
}

/// One picture; another one is another canvas.
#[component]
fn Canvas(props: &CanvasProps) -> Html {
    let picture = &props.picture;
    let canvas = use_node_ref();
    let chosen = use_state_eq(|| None::<Viewport>);
    let gesture = use_mut_ref(Gesture::default);
    let size = panel::use_size(&canvas);
    let shown_node = props.marks.as_ref().and_then(|marks| marks.run_at.or(marks.current));
    let viewport =
        View { now: chosen.unwrap_or_else(|| usual(picture, size, shown_node.or(props.selected))), chosen };
    use_reveal(picture, &viewport, props.selected);
    use_reveal(picture, &viewport, shown_node);
    let on_wheel = on_wheel(&viewport, &canvas);
    let on_pointer_down = {
        let gesture = gesture.clone();
        move |event: PointerEvent| gesture.borrow_mut().down(&event)
    };
    let on_pointer_move = {
        let (gesture, canvas, viewport) = (gesture.clone(), canvas.clone(), viewport.clone());
        move |event: PointerEvent| {
            let Some(canvas) = canvas.cast::<Element>() else { return };
            if let Some(moved) = gesture.borrow_mut().moved(&event, &canvas, viewport.now) {
                viewport.set(moved);
            }
        }
    };
    let on_pointer_up = {
        let gesture = gesture.clone();
        move |event: PointerEvent| gesture.borrow_mut().up(&event)
    };
    let of = props.of;
    let on_click = {
        let (gesture, on_select, on_open) = (gesture.clone(), props.on_select.clone(), props.on_open.clone());
        move |event: MouseEvent| {
            if !gesture.borrow().was_drag() {
                let node = node_under(&event);
                on_select.emit(node.map(|node| Item::Node(of, node)));
                if let Some(node) = node {
                    on_open.emit(node);
                }
            }
        }
    };
    let on_hover = {
        let (hovered, on_hover) = (props.hovered, props.on_hover.clone());
        move |event: PointerEvent| {
            let node = node_under(&event);
            if node != hovered {
                on_hover.emit(node.map(|node| Item::Node(of, node)));
            }
        }
    };
    let on_leave = props.on_hover.reform(|_: PointerEvent| None);
    let on_view = {
        let viewport = viewport.clone();
        Callback::from(move |view| viewport.set(view))
    };
    let scale = viewport.now.scale(size);
    let level = detail(picture, scale);
    let small = matches!(level, Detail::Glyphs | Detail::Names);
    let hairline = if small { format!("{:.2}", hairline(scale)) } else { "1.2".into() };
    let lattice = picture.layout == Layout::Lattice;
    let class = classes_of(props, level);
    let on_key = on_key(props, &viewport);
    html! {
        <div class={classes!("graph", lattice.then_some("has-sides"))}>
            if lattice {
                <sides::Sides picture={picture.clone()} viewport={viewport.now} {size} />
            }
            <svg ref={canvas.clone()} {class} viewBox={viewport.now.view_box()} tabindex="0" role="group"
                aria-roledescription="graph" aria-describedby="graph-keys" aria-label={of.name()}
                onwheel={on_wheel} onpointerdown={on_pointer_down} onpointermove={on_pointer_move}
                onpointerup={on_pointer_up.clone()} onpointercancel={on_pointer_up} onpointerover={on_hover}
                onpointerleave={on_leave} onclick={on_click} onkeydown={on_key}>
                <shapes::Shapes picture={picture.clone()} {level} {hairline} />
                <overlay::Overlay picture={picture.clone()} {level} found={props.found.clone()} marks={props.marks.clone()}
                    selected={props.selected} hovered={props.hovered} ghosts={props.shown.ghosts} />
            </svg>
            <paint::Paint {canvas} marks={props.marks.clone()} />
            <corner::Corner picture={picture.clone()} node={props.hovered.or(props.selected)} />
            if picture.nodes.len() > crate::view::picture::minimap::FROM {
                <map::Map picture={picture.clone()} viewport={viewport.now} {size} at={shown_node}
                    on_view={on_view.clone()} />
            }
            <corner::Tools viewport={viewport.now} picture={picture.clone()} {on_view} shown={props.shown}
                on_shown={props.on_shown.clone()} has_lattice={props.has_lattice} has_ghosts={has_ghosts(picture)}
                meaning={props.marks.as_ref().map_or(&[][..], |marks| marks.legend)} />
            <p id="graph-keys" class="visually-hidden">
                { "Arrow keys choose a node, Enter unfolds it, plus and minus zoom, 0 shows all, G shows or hides pruned edges, Escape chooses nothing." }
            </p>
        </div>
    }
}

fn has_ghosts(picture: &Picture) -> bool {
    picture.graph.edges.iter().any(|edge| edge.style == EdgeStyle::Ghost)
}

/// Brings a node into sight when another one is to be seen.
#[hook]
fn use_reveal(picture: &Rc<Picture>, viewport: &View, node: Option<NodeId>) {
    let (viewport, picture) = (viewport.clone(), picture.clone());
    use_effect_with(node, move |node| {
        // A view that nobody moved follows by itself.
        if let (Some(now), Some(node)) = (*viewport.chosen, node.and_then(|node| picture.nodes.get(node))) {
            let centre = node.area.centre();
            viewport.set(now.revealing(Point::new(centre.x.into(), centre.y.into())));
        }
    });
}

/// The classes of a canvas: what the stylesheet shows of the picture at this size.
fn classes_of(props: &CanvasProps, level: Detail) -> Classes {
    classes!(
        "graph-canvas",
        match level {
            Detail::Glyphs => "is-far",
            Detail::Names => "is-middle",
            Detail::Nodes | Detail::All => "is-near",
        },
        (props.picture.layout == Layout::Lattice).then_some("is-lattice"),
        (!props.shown.ghosts).then_some("is-without-ghosts"),
        props.marks.is_some().then_some("is-searched"),
        props.found.is_some().then_some("is-sought"),
    )
}

/// Magnifies about the pointer.
fn on_wheel(viewport: &View, canvas: &NodeRef) -> Callback<WheelEvent> {
    let (viewport, canvas) = (viewport.clone(), canvas.clone());
    Callback::from(move |event: WheelEvent| {
        event.prevent_default();
        let Some(canvas) = canvas.cast::<Element>() else { return };
        let factor = (-event.delta_y().clamp(-100.0, 100.0) / 250.0).exp();
        let pixel = Point::new(event.client_x().into(), event.client_y().into());
        let now = viewport.now;
        viewport.set(now.zoomed_about(now.point_at(panel::area(&canvas), pixel), factor));
    })
}

fn on_key(props: &CanvasProps, viewport: &View) -> Callback<KeyboardEvent> {
    let (viewport, picture, on_select) = (viewport.clone(), props.picture.clone(), props.on_select.clone());
    let (selected, of) = (props.selected, props.of);
    let (shown, on_shown, on_open) = (props.shown, props.on_shown.clone(), props.on_open.clone());
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let walk = |direction| {
            if let Some(node) = step(&picture, selected, direction) {
                on_select.emit(Some(Item::Node(of, node)));
            }
        };
        match event.key().as_str() {
            "ArrowLeft" => walk(Direction::Left),
            "ArrowRight" => walk(Direction::Right),
            "ArrowUp" => walk(Direction::Up),
            "ArrowDown" => walk(Direction::Down),
            "Enter" => {
                if let Some(node) = selected {
                    on_open.emit(node);
                }
            }
            "Escape" => on_select.emit(None),
            "+" | "=" => viewport.set(viewport.now.zoomed(ZOOM_STEP)),
            "-" => viewport.set(viewport.now.zoomed(1.0 / ZOOM_STEP)),
            "0" => viewport.set(Viewport::of(&picture)),
            "g" | "G" => on_shown.emit(Shown { ghosts: !shown.ghosts, ..shown }),
            _ => return,
        }
        event.prevent_default();
        // The player listens for some of these keys too, wherever the focus is not in a field.
        event.stop_propagation();
    })
}

/// The node that an event happened on.
fn node_under(event: &Event) -> Option<NodeId> {
    let target: Element = event.target_dyn_into()?;
    let node = target.closest("[data-node]").ok()??.get_attribute("data-node")?;
    Some(NodeId(node.parse().ok()?))
}

/// A number as SVG wants it.
fn number(value: f64) -> String {
    format!("{value:.1}")
}

/// A rectangle of a picture for the viewport.
fn rect(area: orbitscope_core::draw::Rect) -> Rect {
    Rect {
        origin: Point::new(area.origin.x.into(), area.origin.y.into()),
        width: area.size.x.into(),
        height: area.size.y.into(),
    }
}
