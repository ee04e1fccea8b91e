//! The plot of how large the sets and their diagrams are.

use crate::app::plot::{axes, measures, n};
use crate::engine::Iterations;
use crate::view::plot::{SIZE, field};
use crate::view::symbolic::{Curve, Measure, shapes};
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) found: Rc<Iterations>,
    pub(crate) step: u32,
}

#[component]
pub(crate) fn IterationPlot(props: &Props) -> Html {
    let measure = use_state_eq(|| Measure::Nodes);
    let shapes = shapes(&props.found, *measure, props.step);
    let (_, _, top, bottom) = field();
    let at = shapes.at;
    html! {
        <figure class="plot iteration-plot">
            { measures(&measure, Measure::ALL, Measure::name) }
            <svg class="plot-canvas" viewBox={format!("0 0 {} {}", SIZE.0, SIZE.1)} role="img"
                aria-label={format!("{} against iterations, on a logarithmic scale", measure.name())}>
                { axes(&shapes.across, &shapes.up) }
                if let Some(at) = at {
                    <path class="iteration-at" d={format!("M{at:.1} {top:.1}V{bottom:.1}")} />
                }
                { for shapes.curves.iter().map(|curve| draw(curve, at)) }
            </svg>
            <figcaption>
                <ul class="iteration-legend">
                    { for shapes.curves.iter().map(|curve| html! {
                        <li>
                            <span class={format!("method-letter set-{}", curve.letter)}>{ curve.letter }</span>
                            { " " }{ curve.name }{ " " }<b>{ &curve.now }</b>
                        </li>
                    }) }
                </ul>
            </figcaption>
        </figure>
    }
}

fn draw(curve: &Curve, at: Option<f64>) -> Html {
    let path: Vec<String> = curve.points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    let (x, y) = curve.letter_at;
    let now = at.and_then(|at| curve.points.iter().find(|(x, _)| (x - at).abs() < 0.01));
    html! {
        <g class={format!("set-{}", curve.letter)} data-set={curve.name}>
            if !path.is_empty() {
                <path class="plot-path" d={format!("M{}", path.join("L"))} />
            }
            if let Some((x, y)) = now {
                <circle class="plot-mark" cx={n(*x)} cy={n(*y)} r="3" />
            }
            <text class="plot-letter" x={n(x)} y={n(y)}>{ curve.letter }</text>
        </g>
    }
}
