//! A line of time that can be dragged and has keys, over whatever is drawn on it.

use crate::session::{Play, PlayState};
use crate::view::timeline::{of_key, step_at};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) label: &'static str,
    pub(crate) player: PlayState,
    pub(crate) on_play: Callback<Play>,
    pub(crate) children: Html,
}

#[component]
pub(crate) fn Slider(props: &Props) -> Html {
    let PlayState { step, len, .. } = props.player;
    let seek = props.on_play.reform(move |event: PointerEvent| {
        let rect = line_of(&event).map(|line| line.get_bounding_client_rect());
        let place =
            rect.map_or(0.0, |rect| (f64::from(event.client_x()) - rect.left()) / rect.width().max(1.0));
        Play::Seek(step_at(place, len))
    });
    let on_down = {
        let seek = seek.clone();
        Callback::from(move |event: PointerEvent| {
            if event.button() == 0 {
                if let Some(line) = line_of(&event) {
                    // A pointer that is gone again has no need of it.
                    let _ = line.set_pointer_capture(event.pointer_id());
                }
                seek.emit(event);
            }
        })
    };
    let on_move = Callback::from(move |event: PointerEvent| {
        if event.buttons() & 1 == 1 {
            seek.emit(event);
        }
    });
    let on_key = {
        let (player, on_play) = (props.player, props.on_play.clone());
        Callback::from(move |event: KeyboardEvent| {
            if let Some(play) = of_key(&event.key(), player) {
                event.prevent_default();
                on_play.emit(play);
            }
        })
    };
    let at = format!("{:.3}%", 100.0 * step as f64 / len.max(1) as f64);
    html! {
        <div class="timeline-line" role="slider" tabindex="0" aria-label={props.label} aria-valuemin="0"
            aria-valuemax={len.to_string()} aria-valuenow={step.to_string()}
            aria-valuetext={format!("step {step} of {len}")} onpointerdown={on_down} onpointermove={on_move}
            onkeydown={on_key}>
            { props.children.clone() }
            <svg class="timeline-cursor" aria-hidden="true">
                <rect class="timeline-done" x="0" y="0" width={at.clone()} height="100%" />
                <line x1={at.clone()} x2={at.clone()} y1="0" y2="100%" />
                <circle cx={at} cy="4" r="4" />
            </svg>
        </div>
    }
}

/// The line that a pointer is on.
fn line_of(event: &PointerEvent) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest(".timeline-line").ok()?
}
