//! The picture of the states: zoom, pan, and the choice of a state.

mod gesture;
mod shapes;

use crate::engine::{GraphKind, StateId};
use crate::session::Item;
use crate::view::drawing::{Direction, Drawing};
use crate::view::viewport::{Point, Rect, Viewport};
use gesture::Gesture;
use orbitscope_core::draw::NodeId;
use shapes::{Highlight, Shapes};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// The magnification of one press of a zoom button.
const ZOOM_STEP: f64 = 1.25;

/// The properties of [`Graph`].
#[derive(PartialEq, Properties)]
pub struct Props {
    /// What to draw.
    pub drawing: Rc<Drawing>,
    /// Which graph it is.
    pub of: GraphKind,
    /// What was chosen.
    pub selected: Option<Item>,
    /// What the pointer is on.
    pub hovered: Option<Item>,
    /// Called with what was chosen.
    pub on_select: Callback<Option<Item>>,
    /// Called with what the pointer is on.
    pub on_hover: Callback<Option<Item>>,
}

/// A drawing that can be moved, magnified and walked through.
#[component]
pub fn Graph(props: &Props) -> Html {
    let canvas = use_node_ref();
    let viewport = use_state_eq(|| Viewport::fit(props.drawing.bounds));
    let gesture = use_mut_ref(Gesture::default);
    {
        let viewport = viewport.setter();
        use_effect_with(props.drawing.clone(), move |drawing| viewport.set(Viewport::fit(drawing.bounds)));
    }
    {
        // A state that was chosen elsewhere has to be in sight.
        let viewport = viewport.clone();
        let (drawing, of) = (props.drawing.clone(), props.of);
        use_effect_with(props.selected, move |selected| {
            if let Some(node) = selected.and_then(|item| drawing.nodes.get(state_of(item, of)?)) {
                viewport.set(viewport.revealing(node.centre));
            }
        });
    }
    let on_wheel = {
        let (viewport, canvas) = (viewport.clone(), canvas.clone());
        move |event: WheelEvent| {
            event.prevent_default();
            let Some(canvas) = canvas.cast::<Element>() else { return };
            let factor = (-event.delta_y().clamp(-100.0, 100.0) / 250.0).exp();
            let pixel = Point::new(event.client_x().into(), event.client_y().into());
            viewport.set(viewport.zoomed_about(viewport.point_at(panel(&canvas), pixel), factor));
        }
    };
    let on_pointer_down = {
        let gesture = gesture.clone();
        move |event: PointerEvent| gesture.borrow_mut().down(&event)
    };
    let on_pointer_move = {
        let (gesture, canvas, viewport) = (gesture.clone(), canvas.clone(), viewport.clone());
        move |event: PointerEvent| {
            let Some(canvas) = canvas.cast::<Element>() else { return };
            if let Some(moved) = gesture.borrow_mut().moved(&event, &canvas, *viewport) {
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
        let (gesture, on_select) = (gesture.clone(), props.on_select.clone());
        move |event: MouseEvent| {
            if !gesture.borrow().was_drag() {
                on_select.emit(node_under(&event, of));
            }
        }
    };
    let on_hover = props.on_hover.reform(move |event: PointerEvent| node_under(&event, of));
    let zoom = |factor: f64| {
        let viewport = viewport.clone();
        move |_: MouseEvent| viewport.set(viewport.zoomed(factor))
    };
    let fit = {
        let (viewport, drawing) = (viewport.clone(), props.drawing.clone());
        move |_: MouseEvent| viewport.set(Viewport::fit(drawing.bounds))
    };
    let on_key = on_key(props, &viewport);
    html! {
        <div class="graph">
            <svg ref={canvas} class="graph-canvas" viewBox={viewport.view_box()} tabindex="0" role="group"
                aria-roledescription="graph" aria-describedby="graph-keys"
                aria-label="State graph"
                onwheel={on_wheel} onpointerdown={on_pointer_down} onpointermove={on_pointer_move}
                onpointerup={on_pointer_up.clone()} onpointercancel={on_pointer_up}
                onpointerover={on_hover} onclick={on_click} onkeydown={on_key}>
                <Shapes drawing={props.drawing.clone()} />
                if let Some(state) = props.hovered.filter(|_| props.hovered != props.selected).and_then(|item| state_of(item, of)) {
                    <Highlight drawing={props.drawing.clone()} {state} kind="hover" />
                }
                if let Some(state) = props.selected.and_then(|item| state_of(item, of)) {
                    <Highlight drawing={props.drawing.clone()} {state} kind="selection" />
                }
            </svg>
            <div class="graph-tools" role="toolbar" aria-label="View">
                <button type="button" class="button" aria-label="Zoom in" title="Zoom in (+)"
                    onclick={zoom(ZOOM_STEP)}>{ "+" }</button>
                <button type="button" class="button" aria-label="Zoom out" title="Zoom out (−)"
                    onclick={zoom(1.0 / ZOOM_STEP)}>{ "−" }</button>
                <button type="button" class="button" title="Show all (0)" onclick={fit}>{ "Fit" }</button>
            </div>
            <p id="graph-keys" class="visually-hidden">
                { "Arrow keys choose a state, plus and minus zoom, 0 shows all, Escape chooses nothing." }
            </p>
        </div>
    }
}

fn on_key(props: &Props, viewport: &UseStateHandle<Viewport>) -> Callback<KeyboardEvent> {
    let (viewport, drawing, on_select) = (viewport.clone(), props.drawing.clone(), props.on_select.clone());
    let (selected, of) = (props.selected, props.of);
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let from = selected.and_then(|item| state_of(item, of));
        let walk = |direction| {
            if let Some(state) = drawing.step(from, direction) {
                on_select.emit(Some(Item::Node(of, NodeId(state.0))));
            }
        };
        match event.key().as_str() {
            "ArrowLeft" => walk(Direction::Left),
            "ArrowRight" => walk(Direction::Right),
            "ArrowUp" => walk(Direction::Up),
            "ArrowDown" => walk(Direction::Down),
            "Escape" => on_select.emit(None),
            "+" | "=" => viewport.set(viewport.zoomed(ZOOM_STEP)),
            "-" => viewport.set(viewport.zoomed(1.0 / ZOOM_STEP)),
            "0" => viewport.set(Viewport::fit(drawing.bounds)),
            _ => return,
        }
        event.prevent_default();
    })
}

/// The canvas in pixels of the window.
fn panel(canvas: &Element) -> Rect {
    let rect = canvas.get_bounding_client_rect();
    Rect { origin: Point::new(rect.x(), rect.y()), width: rect.width(), height: rect.height() }
}

/// The node of this graph that an item is.
fn state_of(item: Item, of: GraphKind) -> Option<StateId> {
    item.node_of(of).map(|node| StateId(node.0))
}

/// The node that an event happened on.
fn node_under(event: &Event, of: GraphKind) -> Option<Item> {
    let target: Element = event.target_dyn_into()?;
    let state = target.closest("[data-state]").ok()??.get_attribute("data-state")?;
    Some(Item::Node(of, NodeId(state.parse().ok()?)))
}
