//! The panel of an iteration: the verdict, what is counted, and how large the diagrams are.

use super::plot::IterationPlot;
use crate::engine::{Checked, Iterations};
use crate::view::symbolic::{Fact, facts, tags, verdict};
use crate::view::text;
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) property: String,
    pub(crate) found: Rc<Iterations>,
    pub(crate) checked: Rc<Checked>,
    pub(crate) step: u32,
}

#[component]
pub(crate) fn IterationPanel(props: &Props) -> Html {
    let Props { property, found, checked, step } = props;
    let said = verdict(found, checked);
    let summary = &found.summary;
    html! {
        <div class="iterations">
            <div class="iteration-verdict">
                <p>
                    <span class={classes!("badge", said.badge.class())}>
                        <span aria-hidden="true">{ said.badge.sign() }</span>{ " " }{ said.badge.word() }
                    </span>
                    { " " }<code>{ property }</code>{ " " }<b class="iteration-scope">{ said.scope }</b>
                </p>
                <p class="panel-note">{ said.words }</p>
                if checked.searches > 1 {
                    <p class="panel-note">{ format!("The last of {}.", text::counted(checked.searches.into(), "search")) }</p>
                }
            </div>
            <ul class="iteration-tags" aria-label="This step">
                { for tags(found, *step).into_iter().map(|tag| html! { <li class="tag">{ tag }</li> }) }
            </ul>
            <table class="iteration-facts">
                <thead>
                    <tr>
                        <th scope="col">{ "set" }</th>
                        <th scope="col" class="number">{ "states" }</th>
                        <th scope="col" class="number">{ "nodes" }</th>
                    </tr>
                </thead>
                <tbody>{ for facts(found, *step).iter().map(row) }</tbody>
            </table>
            <IterationPlot found={found.clone()} step={*step} />
            <p class="panel-note">
                { format!(
                    "{} of a state in the order {}; a relation of {} in {}; at most {} at once.",
                    text::counted(summary.bits.into(), "bit"),
                    summary.order.name(),
                    text::counted(summary.relation_nodes.into(), "node"),
                    text::counted(summary.parts.into(), "part"),
                    text::counted(summary.peak_nodes.into(), "node"),
                ) }
            </p>
        </div>
    }
}

fn row(fact: &Fact) -> Html {
    let or_none = |words: &str| if words.is_empty() { "–".to_owned() } else { words.to_owned() };
    html! {
        <tr key={fact.name} class={fact.part.then_some("is-part")} data-fact={fact.name}>
            <th scope="row" title={fact.help}>{ fact.name }</th>
            <td class="number" title={fact.digits.clone()}>{ or_none(&fact.states) }</td>
            <td class="number">{ &fact.nodes }</td>
        </tr>
    }
}
