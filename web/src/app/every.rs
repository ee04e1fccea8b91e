//! A property for every size: the verdict, the sizes that were checked, and the abstract search on its system.

use super::graph::Graph;
use super::player::{BACK, END, FORWARD, PAUSE, PLAY, START, icon};
use crate::engine::{Every as Found, Verdict};
use crate::session::{EveryAct, Item, Session};
use crate::view::every::{
    GRAPH, badge, fields, marks, moment, moments, reached, stands_for, why_no_drawing, words,
};
use crate::view::picture::viewport::readable_height;
use orbitscope_core::draw::Picture;
use std::rc::Rc;
use std::time::Duration;
use web_sys::HtmlInputElement;
use yew::platform::{spawn_local, time::sleep};
use yew::prelude::*;

/// How long a step is looked at while the search is played.
const PACE: Duration = Duration::from_millis(700);

#[derive(PartialEq, Properties)]
pub(super) struct Props {
    pub(super) session: Session,
    pub(super) on_act: Callback<EveryAct>,
}

/// The panel.
#[component]
pub(super) fn Every(props: &Props) -> Html {
    let session = &props.session;
    let known = session.property.and_then(|property| session.known_everywhere(property));
    match known {
        None => html! { <p class="picture-none" role="status">{ "Every size is looked at…" }</p> },
        Some(Err(why)) => html! {
            <div class="every">
                <p class="explore-trouble" role="status">{ "Nothing can be said of every size: " }{ &**why }</p>
                <p class="panel-note">{ "The guide's chapter \"For every n\" says what can." }</p>
            </div>
        },
        Some(Ok(found)) => html! {
            <div class="every">
                { verdict(found) }
                { strip(session, found, &props.on_act) }
                if found.story.is_some() {
                    <Player session={props.session.clone()} found={found.clone()} on_act={props.on_act.clone()} />
                } else {
                    <p class="panel-note">{ why_no_drawing(found) }</p>
                }
            </div>
        },
    }
}

fn verdict(found: &Found) -> Html {
    let (word, class) = badge(found);
    html! {
        <p class="every-verdict" role="status">
            <span class={classes!("badge", class)}>{ word }</span>{ " " }{ &found.words }
            if let Some(rules) = &found.rules {
                <span class="panel-note">{ format!(" by {rules}") }</span>
            }
        </p>
    }
}

/// The sizes one by one, with a slider that lays one of them over the abstract system.
fn strip(session: &Session, found: &Found, on_act: &Callback<EveryAct>) -> Html {
    let fields = fields(found);
    let chosen = session.everywhere.size;
    let last = fields.iter().rposition(|field| field.image.is_some());
    let on_input = {
        let images: Vec<Option<usize>> = fields.iter().map(|field| field.image).collect();
        on_act.reform(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let at: usize = input.value().parse().unwrap_or(0);
            EveryAct::Size(at.checked_sub(1).and_then(|at| images.get(at).copied().flatten()))
        })
    };
    let at = fields.iter().position(|field| field.image.is_some() && field.image == chosen);
    let label = at.map_or_else(|| "every size".to_owned(), |at| fields[at].label.clone());
    html! {
        <>
            if found.params.len() > 1 {
                <p class="panel-note">{ format!("Checked one by one, by {}:", found.params.join(" and ")) }</p>
            }
            <ol class="every-sizes" aria-label="Sizes that were checked one by one">
                { for fields.iter().map(|field| {
                    let (sign, class) = match field.verdict {
                        Verdict::Holds => ("✓", "is-good"),
                        Verdict::Violated => ("✗", "is-bad"),
                        Verdict::Unknown => ("?", "is-unknown"),
                    };
                    let lit = field.image.is_some() && field.image == chosen;
                    html! {
                        <li class={classes!("badge", class, lit.then_some("is-lit"))} title={field.label.clone()}>{ format!("{} {sign}", field.short) }</li>
                    }
                }) }
            </ol>
            if let Some(last) = last {
                <label class="every-slider">
                    <span>{ "Lay over it: " }<b>{ label }</b></span>
                    <input id="every-size" type="range" min="0" max={(last + 1).to_string()} step="1"
                        value={at.map_or(0, |at| at + 1).to_string()} oninput={on_input} />
                </label>
            }
        </>
    }
}

/// The legend below the picture, in pixels, and the tallest that both may be.
const LEGEND: f64 = 144.0;
const TALLEST: f64 = 1_280.0;

/// The height that shows all rows of a picture and its legend.
fn strut(picture: &Picture) -> String {
    format!("{:.0}", (1.02 * readable_height(picture) + LEGEND).min(TALLEST))
}

#[derive(PartialEq, Properties)]
struct PlayerProps {
    session: Session,
    found: Rc<Found>,
    on_act: Callback<EveryAct>,
}

/// The abstract search, step by step, on the abstract system.
#[component]
fn Player(props: &PlayerProps) -> Html {
    let PlayerProps { session, found, on_act } = props;
    let playing = use_state_eq(|| false);
    let Some(story) = &found.story else { return Html::default() };
    let last = moments(story).len().saturating_sub(1);
    let (step, now) = moment(session, story);
    {
        let (playing, on_act) = (playing.clone(), on_act.clone());
        use_effect_with((*playing, step, last), move |&(on, step, last)| {
            if on && step >= last {
                playing.set(false);
            } else if on {
                spawn_local(async move {
                    sleep(PACE).await;
                    on_act.emit(EveryAct::Step(step + 1));
                });
            }
        });
    }
    let drawing = use_memo(found.clone(), |found| {
        found.story.as_ref().and_then(|story| story.drawing.clone()).map(Rc::new)
    });
    let drawing = (*drawing).clone();
    let lit = session.everywhere.size.map(|image| Rc::from(reached(story, image)));
    let picked = session.everywhere.picked;
    let selected = picked.map(|node| Item::Node(GRAPH, orbitscope_core::draw::NodeId(node)));
    let on_select = on_act.reform(|item: Option<Item>| {
        EveryAct::Pick(item.and_then(|item| item.node_of(GRAPH)).map(|node| node.0))
    });
    let go = |to: usize| on_act.reform(move |_: MouseEvent| EveryAct::Step(to));
    let toggle = {
        let (playing, on_act) = (playing.clone(), on_act.clone());
        Callback::from(move |_: MouseEvent| {
            // At the end it starts from the beginning.
            if !*playing && step >= last {
                on_act.emit(EveryAct::Step(0));
            }
            playing.set(!*playing);
        })
    };
    let on_input = on_act.reform(|event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        EveryAct::Step(input.value().parse().unwrap_or(0))
    });
    html! {
        <>
            <div class="every-bar" role="group" aria-label="The abstract search, step by step">
                <button type="button" class="button is-small" aria-label="First step" onclick={go(0)} disabled={step == 0}>{ icon(START) }</button>
                <button type="button" class="button is-small" aria-label="One step back" onclick={go(step.saturating_sub(1))} disabled={step == 0}>{ icon(BACK) }</button>
                <button type="button" class="button is-small" aria-label={if *playing { "Pause the abstract search" } else { "Play the abstract search" }} onclick={toggle}>{ icon(if *playing { PAUSE } else { PLAY }) }</button>
                <button type="button" class="button is-small" aria-label="One step on" onclick={go((step + 1).min(last))} disabled={step >= last}>{ icon(FORWARD) }</button>
                <button type="button" class="button is-small" aria-label="Last step" onclick={go(last)} disabled={step >= last}>{ icon(END) }</button>
                <input type="range" id="every-step" aria-label="Step of the abstract search" min="0" max={last.to_string()} step="1" value={step.to_string()} oninput={on_input} />
                <span class="panel-note">{ format!("{} of {}", step + 1, last + 1) }</span>
            </div>
            <p class="every-words" aria-live="polite">{ words(story, now) }</p>
            if let Some(drawing) = drawing {
                <div class="every-graph">
                    // No row is cut: the tab scrolls. Attributes say how tall, since the page's styles are all in its style sheets.
                    <svg class="every-strut" width="0" height={strut(&drawing.layered)} aria-hidden="true" />
                    <Graph {drawing} of={GRAPH} marks={Some(Rc::new(marks(story, now)))} found={lit} {selected} hovered={None::<Item>}
                        {on_select} on_hover={Callback::noop()} />
                </div>
            } else {
                <p class="panel-note">{ why_no_drawing(found) }</p>
            }
            if let Some(node) = picked {
                <ul class="every-stands" aria-label="The chosen abstract state">
                    { for stands_for(story, found, node, session.everywhere.size).iter().map(|line| html! { <li>{ line }</li> }) }
                </ul>
            }
            <p class="panel-note">{ "Abstract states, not states of the program: ∞ is \"many\", a dot is nobody, ⊙ the process that is followed. An abstract run need not be a run of any size." }</p>
        </>
    }
}
