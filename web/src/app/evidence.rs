//! Why a `ctl` property has its verdict, as an outline with the paths that show it.

use crate::engine::{Evidence, Walk};
use yew::prelude::*;

pub(crate) struct Props {
    /// The property.
    pub(crate) about: String,
    pub(crate) lines: Vec<Evidence>,
}

pub(crate) fn draw(props: &Props) -> Html {
    html! {
        <section class="panel evidence" aria-labelledby="evidence-heading">
            <h2 id="evidence-heading" class="panel-heading">{ "Why " }<code>{ &props.about }</code></h2>
            <div class="evidence-scroll" tabindex="0">{ branch(&props.lines) }</div>
        </section>
    }
}

/// Lines as nested lists: what is indented further than a line belongs to it. It nests as deep as the formula does.
fn branch(lines: &[Evidence]) -> Html {
    let Some(depth) = lines.first().map(|line| line.depth) else { return Html::default() };
    let mut items = Vec::new();
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        let end = after.iter().position(|next| next.depth <= depth).unwrap_or(after.len());
        items.push(html! {
            <li>
                <p class="evidence-claim">{ &line.words }</p>
                if let Some(walk) = &line.path {
                    { steps(walk) }
                }
                { branch(&after[..end]) }
            </li>
        });
        rest = &after[end..];
    }
    html! { <ul class="evidence-list">{ for items }</ul> }
}

fn steps(walk: &Walk) -> Html {
    let rows = (1..).zip(&walk.steps).map(|(number, (step, state)): (u32, _)| {
        let repeats = walk.back.is_some_and(|back| number > back);
        html! {
            <tr class={repeats.then_some("is-loop")}>
                <td class="number">{ number }</td>
                <td>{ step }</td>
                <td>{ state }</td>
                <td class="evidence-loop">{ if repeats { "repeats" } else { "" } }</td>
            </tr>
        }
    });
    html! {
        <table class="evidence-path">
            <tbody>
                <tr><td class="number">{ 0 }</td><td /><td>{ &walk.start }</td><td /></tr>
                { for rows }
                if walk.more > 0 {
                    <tr><td /><td colspan="3">{ format!("and {} more steps", walk.more) }</td></tr>
                }
            </tbody>
        </table>
    }
}
