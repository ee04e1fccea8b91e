//! The plot of what each method needs.

use crate::session::Plot;
use crate::view::plot::{Line, Measure, Point, SIZE, Tick, field, shapes};
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) plot: Plot,
}

/// The buttons that choose what is plotted.
pub(crate) fn measures<M: Copy + PartialEq + 'static>(
    chosen: &UseStateHandle<M>,
    all: impl IntoIterator<Item = M>,
    name: fn(M) -> &'static str,
) -> Html {
    let tabs = all.into_iter().map(|each| {
        let chosen = chosen.clone();
        let selected = each == *chosen;
        let on_click = move |_: MouseEvent| chosen.set(each);
        html! {
            <button type="button" class="tab" aria-pressed={selected.to_string()} onclick={on_click}>{ name(each) }</button>
        }
    });
    html! { <div class="tabs plot-measures" role="group" aria-label="What is plotted">{ for tabs }</div> }
}

#[component]
pub(crate) fn PlotPanel(props: &Props) -> Html {
    let measure = use_state_eq(|| Measure::States);
    let shapes = shapes(&props.plot, *measure);
    html! {
        <figure class="plot">
            { measures(&measure, Measure::ALL, Measure::name) }
            <svg class="plot-canvas" viewBox={format!("0 0 {} {}", SIZE.0, SIZE.1)} role="img"
                aria-label={format!("{} against {}, logarithmic scales", measure.name(), props.plot.param)}>
                { axes(&shapes.across, &shapes.up) }
                { for shapes.lines.iter().map(line) }
            </svg>
            <figcaption class="compare-note">
                { format!("{} against {}, both on logarithmic scales. ", measure.name(), props.plot.param) }
                { "A hollow mark: the method gave up there. Letters as in the table." }
            </figcaption>
        </figure>
    }
}

fn line(line: &Line) -> Html {
    let letter = line.method.letter();
    let path: Vec<String> =
        line.points.iter().map(|point| format!("{:.1} {:.1}", point.x, point.y)).collect();
    let marks = line.points.iter().map(|point: &Point| {
        html! {
            <circle class={classes!("plot-mark", point.partial.then_some("is-partial"))} cx={n(point.x)} cy={n(point.y)} r="2.6">
                <title>{ &point.words }</title>
            </circle>
        }
    });
    let (x, y) = line.letter_at;
    html! {
        <g class={format!("plot-line method-{letter}")} data-method={letter}>
            <path class="plot-path" d={format!("M{}", path.join("L"))} />
            { for marks }
            <text class="plot-letter" x={n(x)} y={n(y)}>{ letter }</text>
        </g>
    }
}

/// The axes of a plot, with their numbers.
pub(super) fn axes(across: &[Tick], up: &[Tick]) -> Html {
    let (left, right, top, bottom) = field();
    let across = across.iter().map(|tick| {
        html! { <text class="plot-number" x={n(tick.at)} y={n(bottom + 13.0)} text-anchor="middle">{ &tick.words }</text> }
    });
    let up = up.iter().map(|tick| {
        html! {
            <>
                <path class="plot-rule" d={format!("M{left:.1} {:.1}H{right:.1}", tick.at)} />
                <text class="plot-number" x={n(left - 5.0)} y={n(tick.at + 3.0)} text-anchor="end">{ &tick.words }</text>
            </>
        }
    });
    html! {
        <>
            { for up }
            { for across }
            <path class="plot-axis" d={format!("M{left:.1} {top:.1}V{bottom:.1}H{right:.1}")} />
        </>
    }
}

/// A length in the picture.
pub(super) fn n(value: f64) -> String {
    format!("{value:.1}")
}
