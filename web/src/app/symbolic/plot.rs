//! The plot of how large the sets and their diagrams are.

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
    let (left, right, top, bottom) = field();
    let tabs = Measure::ALL.map(|each| {
        let measure = measure.clone();
        let selected = each == *measure;
        let on_click = move |_: MouseEvent| measure.set(each);
        html! {
            <button type="button" class="tab" aria-pressed={selected.to_string()} onclick={on_click}>{ each.name() }</button>
        }
    });
    let across = shapes.across.iter().map(|tick| {
        html! { <text class="plot-number" x={n(tick.at)} y={n(bottom + 13.0)} text-anchor="middle">{ &tick.words }</text> }
    });
    let up = shapes.up.iter().map(|tick| {
        html! {
            <>
                <path class="plot-rule" d={format!("M{left:.1} {:.1}H{right:.1}", tick.at)} />
                <text class="plot-number" x={n(left - 5.0)} y={n(tick.at + 3.0)} text-anchor="end">{ &tick.words }</text>
            </>
        }
    });
    let at = shapes.at;
    html! {
        <figure class="plot iteration-plot">
            <div class="tabs plot-measures" role="group" aria-label="What is plotted">{ for tabs }</div>
            <svg class="plot-canvas" viewBox={format!("0 0 {} {}", SIZE.0, SIZE.1)} role="img"
                aria-label={format!("{} against iterations, on a logarithmic scale", measure.name())}>
                { for up }
                { for across }
                <path class="plot-axis" d={format!("M{left:.1} {top:.1}V{bottom:.1}H{right:.1}")} />
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

fn n(value: f64) -> String {
    format!("{value:.1}")
}
