//! The program, walked through by hand: the steps of the present state, a click takes one.

use super::line::Line;
use crate::engine::{Kind, MAX_WALK, Start};
use crate::session::Stride;
use crate::view::explore::Shown;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct Props {
    pub(super) shown: Shown,
    pub(super) on_stride: Callback<Stride>,
}

/// How many steps one press of the button takes at random, before somebody says how many.
const RANDOM: u32 = 10;

#[component]
pub(super) fn Explore(props: &Props) -> Html {
    let Props { shown, on_stride } = props;
    let stride = |stride: Stride| on_stride.reform(move |_: MouseEvent| stride.clone());
    let on_until = {
        let on_stride = on_stride.clone();
        Callback::from(move |words: Rc<str>| {
            if !words.is_empty() {
                on_stride.emit(Stride::Until(words));
            }
        })
    };
    let random = use_state_eq(|| RANDOM);
    let on_random = {
        let random = random.clone();
        Callback::from(move |event: Event| {
            let field: HtmlInputElement = event.target_unchecked_into();
            match field.value().parse() {
                Ok(steps) if (1..=MAX_WALK as u32).contains(&steps) => random.set(steps),
                // A number that no walk can have is not kept.
                _ => field.set_value(&random.to_string()),
            }
        })
    };
    let from = shown.offered.map(|(of, node)| {
        let words = format!("From {}", crate::view::explore::node_name(of, node));
        html! { <button type="button" class="button" onclick={stride(Stride::Begin(Start::Node(of, node)))}>{ words }</button> }
    });
    html! {
        <div class="explore">
            <div class="explore-tools" role="toolbar" aria-label="Walk">
                <button type="button" class="button" disabled={shown.steps == 0} onclick={stride(Stride::Undo)}>{ "Undo" }</button>
                <button type="button" class="button" disabled={!shown.can_redo} onclick={stride(Stride::Redo)}>{ "Redo" }</button>
                <button type="button" class="button" disabled={shown.kinds.is_empty()} onclick={stride(Stride::Random(*random))}>
                    { format!("{} at random", *random) }
                </button>
                <input class="field explore-random" type="number" min="1" max={MAX_WALK.to_string()} value={random.to_string()}
                    aria-label="Steps at random" onchange={on_random} />
                <button type="button" class="button" onclick={stride(Stride::Begin(Start::First))}>{ "From the start" }</button>
                { for from }
            </div>
            <Line id="explore-until" label="Until" words={shown.until.clone()} button="Go" keeps=true
                hint="an expression of the model" on_line={on_until} />
            if let Some(trouble) = &shown.trouble {
                <p class="explore-trouble" role="status">{ &**trouble }</p>
            }
            <p class="explore-now">{ &shown.words }</p>
            if !shown.invariants.is_empty() {
                <ul class="explore-properties" aria-label="Invariants in this state">
                    { for shown.invariants.iter().map(|(name, holds)| invariant(name, *holds)) }
                </ul>
            }
            <ol class="explore-steps" aria-label="Steps that can be taken">{ for shown.kinds.iter().map(|of| kind(of, on_stride)) }</ol>
            if shown.more > 0 {
                <p class="panel-note">{ format!("and {} steps more", shown.more) }</p>
            }
        </div>
    }
}

fn invariant(name: &str, holds: Option<bool>) -> Html {
    let (class, words) = match holds {
        Some(true) => ("is-good", "holds here"),
        Some(false) => ("is-bad", "violated here"),
        None => ("is-bad", "has an error here"),
    };
    html! { <li class={classes!("explore-property", class)}>{ name }{ ": " }{ words }</li> }
}

/// Steps that are alike: the first is taken by the large button, the others are behind a fold.
fn kind(of: &Kind, on_stride: &Callback<Stride>) -> Html {
    let button = |(pick, words): &(u32, String), class: &'static str| {
        let pick = *pick;
        html! {
            <button type="button" {class} data-pick={pick.to_string()}
                onclick={on_stride.reform(move |_: MouseEvent| Stride::Pick(pick))}>{ words }</button>
        }
    };
    let Some(first) = of.steps.first() else { return Html::default() };
    html! {
        <li class="explore-kind" data-action={of.action.clone()}>
            { button(first, "explore-step") }
            if of.count > 1 {
                <details class="explore-alike">
                    <summary>{ format!("{} alike", of.count) }</summary>
                    { for of.steps.iter().skip(1).map(|step| button(step, "explore-other")) }
                    if of.count as usize > of.steps.len() {
                        <span class="panel-note">{ format!("and {} more", of.count as usize - of.steps.len()) }</span>
                    }
                </details>
            }
        </li>
    }
}
