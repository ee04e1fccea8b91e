//! The line of time: how deep the search is, and what each step did.

use super::Slider;
use crate::session::{Play, PlayState};
use crate::view::timeline::Timeline;
use std::fmt::Write;
use std::rc::Rc;
use yew::prelude::*;

/// The height of the curve of depth, and of a row of ticks, in pixels.
const CURVE: f64 = 26.0;
const ROW: f64 = 11.0;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) timeline: Rc<Timeline>,
    pub(crate) player: PlayState,
    pub(crate) on_play: Callback<Play>,
}

#[component]
pub(crate) fn TimelineBar(props: &Props) -> Html {
    let timeline = &props.timeline;
    let marks = use_memo(timeline.clone(), |timeline| marks(timeline));
    html! {
        <div class="timeline">
            <ul class="timeline-names" aria-hidden="true">
                <li class="timeline-depth" title={format!("how many nodes the search is in; at most {}", timeline.max_depth)}>
                    { "depth" }
                </li>
                { for timeline.rows.iter().map(|row| html! { <li class={row.class} title={row.help}>{ row.name }</li> }) }
            </ul>
            <Slider label="Step of the search" player={props.player} on_play={props.on_play.clone()}>
                { (*marks).clone() }
            </Slider>
        </div>
    }
}

/// Everything that does not move: one path for each kind, in units of steps across and pixels down.
fn marks(timeline: &Timeline) -> Html {
    let height = CURVE + ROW * timeline.rows.len() as f64;
    let per = timeline.columns.first().map_or(1, |column| column.last - column.first + 1).max(1);
    let tall = (CURVE - 4.0) / timeline.max_depth.max(1) as f64;
    let mut curve = format!("M0 {CURVE}");
    for column in &timeline.columns {
        let (x, y) = (column.first, CURVE - tall * column.depth.1 as f64);
        let end = (f64::from(column.last) + 0.5).min(timeline.len.into());
        let _ = write!(curve, "L{} {y:.1}L{end} {y:.1}", f64::from(x) - 0.5);
    }
    let _ = write!(curve, "L{} {CURVE}Z", timeline.len);
    let ticks = timeline.rows.iter().enumerate().map(|(row, kind)| {
        let mut path = String::new();
        for column in timeline.columns.iter().filter(|column| column.counts[row] > 0) {
            // A column of several steps has a tick as long as it has steps of the kind.
            let share = column.counts[row] as f64 / per as f64;
            let long = (ROW - 4.0) * (0.4 + 0.6 * share.min(1.0));
            let x = f64::from(column.first + column.last) / 2.0;
            let _ = write!(path, "M{x} {:.1}v-{long:.1}", CURVE + ROW * (row + 1) as f64 - 2.0);
        }
        html! { <path class={classes!("tick", kind.class)} d={path} data-kind={kind.name} /> }
    });
    let verdict = timeline.columns.last().filter(|column| column.counts[timeline.rows.len()] > 0);
    html! {
        <svg class="timeline-marks" preserveAspectRatio="none" aria-hidden="true"
            viewBox={format!("0 0 {} {height}", timeline.len.max(1))}>
            <path class="timeline-curve" d={curve} />
            { for ticks }
            if verdict.is_some() {
                <path class="tick tick-verdict" data-kind="verdict" d={format!("M{} 0v{height}", timeline.len)} />
            }
        </svg>
    }
}
