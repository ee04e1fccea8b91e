//! The page of wrong answers: what another checker says, what is so, and the run that shows it.

use super::properties::badge;
use crate::session::Opening;
use crate::view::elsewhere::{Account, Line, WHO, accounts, opening};
use crate::view::properties::Badge;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) on_open: Callback<Opening>,
}

/// A dialog that buttons open by its name, `elsewhere`.
#[component]
pub(crate) fn Elsewhere(props: &Props) -> Html {
    let accounts = accounts();
    html! {
        <div id="elsewhere" class="gallery elsewhere" popover="auto" role="dialog" aria-labelledby="elsewhere-heading">
            <div class="gallery-head">
                <h2 id="elsewhere-heading">{ "Wrong answers elsewhere" }</h2>
                <button type="button" class="button" popovertarget="elsewhere" popovertargetaction="hide">{ "Close" }</button>
            </div>
            <p class="elsewhere-about">
                { "A checker that keeps one state for all that differ in who is who forgets who became whom. For liveness that is \
                   not sound: TLC warns of it, and answers so (versions of 2020 and 2026, with two and with three clients)." }
            </p>
            { for accounts.iter().map(|account| told(account, &props.on_open)) }
        </div>
    }
}

fn told(account: &Account, on_open: &Callback<Opening>) -> Html {
    let answer = account.answer;
    let heading = format!("elsewhere-{}", answer.property);
    html! {
        <section key={answer.property} class="wrong" data-wrong={answer.property} aria-labelledby={heading.clone()}>
            <h3 id={heading} class="wrong-title">{ account.title }</h3>
            <p class="wrong-formula"><code>{ answer.formula() }</code></p>
            <dl class="wrong-sides">
                { side(WHO, account.theirs, true) }
                { side("Orbitscope", account.ours, false) }
            </dl>
            <p class="wrong-why">{ answer.why }</p>
            { run(account) }
            <button type="button" class="button" popovertarget="gallery" popovertargetaction="hide"
                onclick={on_open.reform(move |_: MouseEvent| opening(answer))}>
                { "Check it here" }
            </button>
        </section>
    }
}

/// An answer. A wrong one has no colour of a verdict, and is struck out.
fn side(who: &'static str, (verdict, words): (Badge, &'static str), wrong: bool) -> Html {
    html! {
        <div class="wrong-side">
            <dt>{ who }</dt>
            <dd>
                if wrong {
                    <span class="badge is-mistaken"><s>{ verdict.word() }</s>{ " wrong" }</span>
                } else {
                    { badge(verdict) }
                }
                { " " }{ words }
            </dd>
        </div>
    }
}

fn run(account: &Account) -> Html {
    let lanes = account.answer.claim.lanes.iter().map(|lane| html! { <th scope="col">{ *lane }</th> });
    html! {
        <div class="compare-scroll" tabindex="0" role="group" aria-label={account.caption}>
            <table class="wrong-run">
                <caption>{ account.caption }</caption>
                <thead>
                    <tr><th scope="col"><span class="visually-hidden">{ "state" }</span></th><th scope="col">{ "step" }</th>{ for lanes }</tr>
                </thead>
                <tbody>
                    { for account.lines.iter().map(|state| line(state, false)) }
                    { for account.mistaken.iter().map(|state| line(state, true)) }
                </tbody>
            </table>
        </div>
    }
}

fn line(state: &Line, mistaken: bool) -> Html {
    let values = state.values.iter().map(|(value, changed)| {
        html! { <td class={classes!("wrong-value", changed.then_some("is-changed"))}>{ *value }</td> }
    });
    html! {
        <tr class={classes!(state.in_loop.then_some("in-loop"), mistaken.then_some("is-mistaken"))}>
            <th scope="row">{ for state.number }</th>
            <td class="wrong-step">{ &state.step }</td>
            { for values }
        </tr>
    }
}
