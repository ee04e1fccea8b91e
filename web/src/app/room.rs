//! Borders that can be dragged, and buttons by which a panel gets all of the screen.

use super::browser::{Local, document};
use crate::keep::Store;
use crate::view::room::{Border, Part, Room};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// The key under which the sizes are remembered.
const STORAGE_KEY: &str = "orbitscope-room";
/// How far an arrow key moves a border, in pixels.
const NUDGE: f64 = 24.0;

/// How the screen is divided, now and at the next visit.
#[hook]
pub(super) fn use_room() -> (Room, Callback<Room>) {
    let room =
        use_state_eq(|| Local.get(STORAGE_KEY).map_or_else(Room::default, |text| Room::from_text(&text)));
    // The site's policy has no place for styles in attributes, and lets a script set them.
    use_effect_with(*room, |room| {
        let root =
            document().and_then(|document| document.document_element()?.dyn_into::<HtmlElement>().ok());
        let Some(style) = root.map(|root| root.style()) else { return };
        for (name, value) in room.properties() {
            let _ = match value {
                Some(value) => style.set_property(name, &value),
                None => style.remove_property(name).map(|_| ()),
            };
        }
    });
    let set = {
        let room = room.clone();
        Callback::from(move |next: Room| {
            // Without storage the sizes last as long as the page.
            let _ = Local.set(STORAGE_KEY, &next.to_text());
            room.set(next);
        })
    };
    (*room, set)
}

#[derive(PartialEq, Properties)]
pub(super) struct SplitterProps {
    pub(super) border: Border,
    pub(super) room: Room,
    pub(super) on_room: Callback<Room>,
}

/// A border. It knows the panel it changes as the element after it, or before it for the model.
#[component]
pub(super) fn Splitter(props: &SplitterProps) -> Html {
    let SplitterProps { border, room, on_room } = props;
    let (border, room) = (*border, *room);
    let node = use_node_ref();
    let length = move |node: &NodeRef| -> Option<f64> {
        let selector = match border {
            Border::Model => ".model-column",
            Border::Side => ".side-column",
            Border::Run => ".run-row",
        };
        let area = node
            .cast::<Element>()?
            .closest("main")
            .ok()??
            .query_selector(selector)
            .ok()??
            .get_bounding_client_rect();
        Some(if border == Border::Run { area.height() } else { area.width() })
    };
    // Towards the right for the model, towards the left and up for the others.
    let sign = if border == Border::Model { 1.0 } else { -1.0 };
    let dragged = use_mut_ref(|| None::<(f64, f64)>);
    let at = move |event: &PointerEvent| {
        f64::from(if border == Border::Run { event.client_y() } else { event.client_x() })
    };
    let on_down = {
        let (node, dragged) = (node.clone(), dragged.clone());
        Callback::from(move |event: PointerEvent| {
            *dragged.borrow_mut() = length(&node).map(|length| (at(&event), length));
            if let Some(element) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) {
                let _ = element.set_pointer_capture(event.pointer_id());
            }
            event.prevent_default();
        })
    };
    let on_move = {
        let (dragged, on_room) = (dragged.clone(), on_room.clone());
        Callback::from(move |event: PointerEvent| {
            if let Some((from, length)) = *dragged.borrow() {
                on_room.emit(room.with(border, length + sign * (at(&event) - from)));
            }
        })
    };
    let on_up = Callback::from(move |_: PointerEvent| *dragged.borrow_mut() = None);
    let on_key = {
        let (node, on_room) = (node.clone(), on_room.clone());
        Callback::from(move |event: KeyboardEvent| {
            let step = match event.key().as_str() {
                "ArrowRight" | "ArrowDown" => NUDGE,
                "ArrowLeft" | "ArrowUp" => -NUDGE,
                _ => return,
            };
            if let Some(length) = length(&node) {
                on_room.emit(room.with(border, length + sign * step));
            }
            event.prevent_default();
            event.stop_propagation();
        })
    };
    let usual = on_room.reform(move |_: MouseEvent| room.without(border));
    let (class, orientation, name) = match border {
        Border::Model => ("is-model", "vertical", "Border of the model"),
        Border::Side => ("is-side", "vertical", "Border of the side"),
        Border::Run => ("is-run", "horizontal", "Border of the run"),
    };
    let (now, least, most) = room.extent(border);
    html! {
        <div ref={node} class={classes!("splitter", class)} role="separator" tabindex="0" aria-orientation={orientation}
            aria-valuenow={now.to_string()} aria-valuemin={least.to_string()} aria-valuemax={most.to_string()}
            aria-label={name} title="Drag, or use the arrow keys; a double click brings the usual size back"
            onpointerdown={on_down} onpointermove={on_move} onpointerup={on_up.clone()} onpointercancel={on_up}
            onkeydown={on_key} ondblclick={usual} />
    }
}

/// The button that gives a panel the screen, or takes it back.
pub(super) fn maximise(part: Part, room: Room, on_room: &Callback<Room>) -> Html {
    let on_click = on_room.reform(move |_: MouseEvent| room.turned(part));
    let large = room.max == Some(part);
    let words = if large { "Give the room back" } else { "Give this panel all the room" };
    html! {
        <button type="button" class="maximise" data-max={part.name()} aria-pressed={large.to_string()} aria-label={words} title={words}
            onclick={on_click}>{ if large { "⤡" } else { "⤢" } }</button>
    }
}
