//! The iterations as a line of time, with the bar of every player and what just happened in words.

use crate::app::player::{Slider, bar, use_clock, use_keys};
use crate::engine::{Checked, Iterations, Logic};
use crate::session::{Play, PlayState};
use crate::view::symbolic::{Row, narrate, rows};
use std::fmt::Write;
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) found: Rc<Iterations>,
    pub(crate) checked: Rc<Checked>,
    pub(crate) logic: Logic,
    pub(crate) player: PlayState,
    pub(crate) on_play: Callback<Play>,
}

#[component]
pub(crate) fn IterationPlayer(props: &Props) -> Html {
    let PlayState { step, playing, speed, .. } = props.player;
    use_clock(playing, speed, &props.on_play);
    use_keys(props.player, &props.on_play);
    let rows = use_memo(props.found.clone(), |found| rows(found));
    let marks = use_memo((rows.clone(), props.player.len), |(rows, len)| marks(rows, *len));
    let story = narrate(&props.found, &props.checked, props.logic, step);
    let partial =
        props.found.all as usize > props.found.summary.iterations.len() || props.checked.is_partial();
    html! {
        <section class="player iteration-player" aria-label="The symbolic search, iteration by iteration">
            { bar(props.player, partial, &props.on_play, &Html::default()) }
            <div class="timeline">
                <ul class="timeline-names" aria-hidden="true">
                    { for rows.iter().map(|row| html! {
                        <li class={classes!("iteration-row", slug(row))} title={row.help}>{ row.name }</li>
                    }) }
                </ul>
                <Slider label="Iteration of the search" player={props.player} on_play={props.on_play.clone()}>
                    { (*marks).clone() }
                </Slider>
            </div>
            <p class="narration" role="status" aria-live={if playing { "off" } else { "polite" }}>{ story }</p>
        </section>
    }
}

fn slug(row: &Row) -> String {
    format!("row-{}", row.name.replace(' ', "-"))
}

/// The bars, in units of steps across and pixels down; the last step, the end, has a line through all rows.
fn marks(rows: &[Row], len: u32) -> Html {
    let mut top = 0.0;
    let bars: Vec<Html> = rows
        .iter()
        .map(|row| {
            let foot = top + row.tall - 1.0;
            top += row.tall;
            let mut path = String::new();
            for (number, bar) in (1..).zip(&row.bars).filter(|(_, bar)| **bar > 0.0) {
                let tall = bar * (row.tall - 3.0);
                let _ = write!(path, "M{:.2} {foot:.1}h0.7v-{tall:.1}h-0.7z", f64::from(number) - 0.35);
            }
            html! { <path class={classes!("iteration-bars", slug(row))} data-row={row.name} d={path} /> }
        })
        .collect();
    html! {
        <svg class="timeline-marks" preserveAspectRatio="none" aria-hidden="true" viewBox={format!("0 0 {} {top}", len.max(1))}>
            { for bars }
            <path class="tick iteration-end" d={format!("M{len} 0v{top}")} />
        </svg>
    }
}
