//! The names of a lattice's columns and rows, which stay in sight however the picture is moved.

use super::number;
use crate::view::picture::viewport::{Point, Rect, Viewport};
use orbitscope_core::draw::{Picture, Tick};
use std::rc::Rc;
use yew::prelude::*;

/// The least distance of two names, in pixels: below each other, and beside each other.
const APART: (f64, f64) = (13.0, 30.0);
/// The widest name of a row, in characters.
const WIDEST: usize = 26;

#[derive(PartialEq, Properties)]
pub(super) struct Props {
    pub(super) picture: Rc<Picture>,
    pub(super) viewport: Viewport,
    pub(super) size: Rect,
}

#[component]
pub(super) fn Sides(props: &Props) -> Html {
    let [columns, rows] = &props.picture.sides[..] else { return Html::default() };
    let longest = rows.ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(0).min(WIDEST);
    let pixel = |point: Point| props.viewport.pixel_of(props.size, point);
    let across = spaced(&columns.ticks, APART.1, |at| pixel(Point::new(at, 0.0)).x);
    let down = spaced(&rows.ticks, APART.0, |at| pixel(Point::new(0.0, at)).y);
    let column = |(x, tick): &(f64, &Tick)| html! { <text x={number(*x)} y="30">{ &tick.label }</text> };
    let row = |(y, tick): &(f64, &Tick)| html! { <text x="8" y={number(*y)}>{ &tick.label }</text> };
    let middle = number(props.size.width / 2.0);
    html! {
        <>
            <svg class="graph-columns" aria-hidden="true" height="36">
                <text class="side-name" x={middle} y="13">{ format!("{} →", columns.name) }</text>
                { for across.iter().map(column) }
            </svg>
            <svg class="graph-rows" aria-hidden="true" width={number(longest as f64 * 6.9 + 16.0)}>
                { for down.iter().map(row) }
            </svg>
        </>
    }
}

/// The ticks that are far enough from each other, with their pixels. Those that are left out are left out evenly.
fn spaced(ticks: &[Tick], apart: f64, pixel: impl Fn(f64) -> f64) -> Vec<(f64, &Tick)> {
    let named: Vec<(f64, &Tick)> = ticks
        .iter()
        .filter(|tick| !tick.label.is_empty())
        .map(|tick| (pixel(tick.at.into()), tick))
        .collect();
    let pitch = named.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(f64::INFINITY, f64::min);
    let every =
        [1, 2, 5, 10, 20, 50, 100].into_iter().find(|&n| f64::from(n) * pitch >= apart).unwrap_or(200);
    named.into_iter().step_by(every as usize).collect()
}
