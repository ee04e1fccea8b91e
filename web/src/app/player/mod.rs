//! The player of a film: buttons, speed, the line of time, and what just happened in words. Other players have the same bar and
//! the same line that can be dragged.

mod clock;
mod slider;
mod timeline;

use crate::engine::Film;
use crate::session::{Halt, Play, PlayState, SPEEDS};
use crate::view::narration::narrate;
use crate::view::text::count;
use crate::view::timeline::Timeline;
pub(crate) use clock::{use_clock, use_keys};
pub(crate) use slider::Slider;
use std::rc::Rc;
use timeline::TimelineBar;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The number of columns in which the line of time is drawn.
pub(crate) const COLUMNS: u32 = 480;

#[derive(PartialEq, Properties)]
pub(crate) struct FilmProps {
    pub(crate) film: Rc<Film>,
    pub(crate) player: PlayState,
    pub(crate) halts: Rc<[Halt]>,
    /// The node of the search that is chosen.
    pub(crate) chosen: Option<u32>,
    pub(crate) on_play: Callback<Play>,
    pub(crate) on_halt: Callback<Halt>,
}

/// The player of a recorded search for a fair component.
#[component]
pub(crate) fn FilmPlayer(props: &FilmProps) -> Html {
    let timeline = use_memo(props.film.clone(), |film| Timeline::new(&film.log, COLUMNS));
    let at = (props.film.clone(), props.player.step);
    let story = use_memo(at, |(film, step)| AttrValue::from(narrate(&film.log, &film.words, *step)));
    html! {
        <Player {timeline} story={(*story).clone()} partial={props.film.log.is_partial()} player={props.player}
            on_play={props.on_play.clone()}>{ halts(props) }</Player>
    }
}

/// Where playing stops by itself, and the way to the next of these steps.
fn halts(props: &FilmProps) -> Html {
    let set = &props.halts;
    let chosen = props.chosen.map(Halt::Node).filter(|halt| !set.contains(halt));
    // Those of the search, those that were set elsewhere, and the node that is chosen.
    let others = set.iter().copied().filter(|halt| !Halt::KINDS.contains(halt));
    let toggles = Halt::KINDS.into_iter().chain(others).chain(chosen).map(|halt| {
        let on_click = props.on_halt.reform(move |_: MouseEvent| halt);
        html! {
            <button type="button" class="button is-small" aria-pressed={set.contains(&halt).to_string()} onclick={on_click}>
                { halt.name() }
            </button>
        }
    });
    let on_next = props.on_play.reform(|_: MouseEvent| Play::ToHalt);
    html! {
        <>
            if !set.is_empty() {
                <button type="button" class="button is-small" title="n" disabled={props.player.step == props.player.len}
                    onclick={on_next}>{ "Next halt" }</button>
            }
            <details class="halts">
                <summary>{ match set.len() { 0 => "halts".to_owned(), some => format!("halts: {some}") } }</summary>
                <div class="halts-list" role="group" aria-label="Halt at">
                    { for toggles }
                    <p class="panel-note">
                        { "Playing stops there by itself, and n goes to the next. Lines are chosen under Algorithm, a node in the graph Product." }
                    </p>
                </div>
            </details>
        </>
    }
}

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) timeline: Rc<Timeline>,
    /// The last step in words.
    pub(crate) story: AttrValue,
    /// Whether the search went on behind the last step.
    pub(crate) partial: bool,
    pub(crate) player: PlayState,
    pub(crate) on_play: Callback<Play>,
    /// Further controls of this player.
    #[prop_or_default]
    pub(crate) children: Html,
}

#[component]
pub(crate) fn Player(props: &Props) -> Html {
    let PlayState { playing, speed, .. } = props.player;
    use_clock(playing, speed, &props.on_play);
    use_keys(props.player, &props.on_play);
    html! {
        <section class="player" aria-label="The search, step by step">
            { bar(props.player, props.partial, &props.on_play, &props.children) }
            <TimelineBar timeline={props.timeline.clone()} player={props.player} on_play={props.on_play.clone()} />
            <p class="narration" role="status" aria-live={if playing { "off" } else { "polite" }}>{ &props.story }</p>
        </section>
    }
}

/// The buttons, the step, what this player has besides, and the speed.
pub(crate) fn bar(player: PlayState, partial: bool, on_play: &Callback<Play>, more: &Html) -> Html {
    let PlayState { step, len, playing, speed } = player;
    let on_speed = on_play.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        Play::Speed(select.value().parse().unwrap_or(SPEEDS[2]))
    });
    let play = if playing { ("Pause", PAUSE) } else { ("Play", PLAY) };
    let button = |name: &'static str, path: &'static str, play: Play, disabled: bool| {
        html! {
            <button type="button" class="button player-button" title={name} aria-label={name} {disabled}
                onclick={on_play.reform(move |_: MouseEvent| play)}>{ icon(path) }</button>
        }
    };
    html! {
        <div class="player-bar">
            <div class="player-buttons">
                { button("To the start", START, Play::Seek(0), step == 0) }
                { button("One step back", BACK, Play::Back, step == 0) }
                <button type="button" class="button player-play" data-play="toggle" disabled={len == 0}
                    onclick={on_play.reform(|_: MouseEvent| Play::Toggle)} title="Space">
                    { icon(play.1) }{ play.0 }
                </button>
                { button("One step on", FORWARD, Play::Forward, step == len) }
                { button("To the end", END, Play::Seek(len), step == len) }
            </div>
            <p class="player-step">
                <span class="player-step-name" title="Of the search; the states of a run are counted by themselves">{ "step " }</span><b>{ count(step.into()) }</b>{ " of " }{ count(len.into()) }
                if partial {
                    { " " }<span class="tag is-partial" title="The search went on, or was stopped, after the last step that was recorded">{ "partial" }</span>
                }
            </p>
            { more.clone() }
            <label class="player-speed">
                <span class="player-speed-name">{ "speed" }</span>
                <select class="input" onchange={on_speed} aria-label="Steps a second">
                    { for SPEEDS.map(|n| html! {
                        <option value={n.to_string()} selected={n == speed}>{ format!("{n}/s") }</option>
                    }) }
                </select>
            </label>
        </div>
    }
}

pub(crate) const PLAY: &str = "M4 2.5v11l9-5.5z";
pub(crate) const PAUSE: &str = "M4 3h3v10H4zM9 3h3v10H9z";
pub(crate) const BACK: &str = "M11 3v10L4.5 8zM3 3h1.4v10H3z";
pub(crate) const FORWARD: &str = "M5 3v10l6.5-5zM11.6 3H13v10h-1.4z";
pub(crate) const START: &str = "M13 3v10L8 8zM8 3v10L3 8zM2 3h1.2v10H2z";
pub(crate) const END: &str = "M3 3v10l5-5zM8 3v10l5-5zM12.8 3H14v10h-1.2z";

/// The picture on a button.
pub(crate) fn icon(path: &'static str) -> Html {
    html! { <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d={path} /></svg> }
}
