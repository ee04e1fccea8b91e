//! The line that sums up what was found.

use crate::engine::{Analysis, Next};
use crate::view::text;
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) analysis: Rc<Analysis>,
    /// Whether the text has changed since and has problems.
    pub(crate) stale: bool,
    /// Whether the present text is being explored.
    pub(crate) pending: bool,
    /// How many states are in the picture.
    pub(crate) drawn: usize,
}

#[component]
pub(crate) fn Summary(props: &Props) -> Html {
    let graph = &props.analysis.graph;
    let [states, steps, deadlocks] = text::summary(graph);
    let has_deadlock = graph.nodes.iter().any(|node| node.next == Next::Deadlock);
    let partial_picture = props.drawn < graph.nodes.len();
    html! {
        <p class="summary" role="status">
            <span class="summary-count">{ states }</span>
            <span class="summary-count">{ steps }</span>
            <span class={classes!("summary-count", has_deadlock.then_some("is-bad"))}>{ deadlocks }</span>
            if graph.complete {
                <span class="tag">{ "complete" }</span>
            } else {
                <span class="tag is-partial" title="The exploration stopped at its limit">{ "partial" }</span>
            }
            if partial_picture {
                <span class="summary-note">{ format!("the first {} are drawn", text::count(props.drawn)) }</span>
            }
            if props.pending {
                <span class="summary-note">{ "exploring …" }</span>
            } else if props.stale {
                <span class="summary-note">{ "the last version without errors" }</span>
            }
        </p>
    }
}
