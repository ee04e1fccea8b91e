//! The line under the graph's tabs: what is shown, and how much of it.

use crate::engine::SymmetryInfo;
use crate::view::text;
use yew::prelude::*;

pub(crate) struct Props {
    /// The sizes of the graph, in words.
    pub(crate) counts: Vec<String>,
    /// Whether that is all of it.
    pub(crate) complete: bool,
    /// Draws more of it, where that is possible.
    pub(crate) on_more: Option<Callback<()>>,
    /// A sentence about the kind of graph.
    pub(crate) about: &'static str,
    pub(crate) symmetry: SymmetryInfo,
    /// Whether the text has changed since and has problems.
    pub(crate) stale: bool,
}

pub(crate) fn draw(props: &Props) -> Html {
    html! {
        <p class="summary" role="status">
            { for props.counts.iter().map(|count| html! { <span class="summary-count">{ count }</span> }) }
            if !props.complete {
                <span class="tag is-partial" title="The graph is larger than what is drawn">{ "partial" }</span>
            }
            if let Some(on_more) = &props.on_more {
                <button type="button" class="button summary-more" onclick={on_more.reform(|_: MouseEvent| ())}
                    title="Draws as many nodes again; those that are drawn stay where they are">{ "Draw more" }</button>
            }
            <span class="summary-note">{ props.about }</span>
            <span class="summary-note" title={title(&props.symmetry)}>
                { format!("|G| {}", text::order(&props.symmetry.order)) }
            </span>
            if props.stale {
                <span class="tag is-partial">{ "the last version without errors" }</span>
            }
        </p>
    }
}

/// The effect of the symmetry, and why it is no larger.
fn title(symmetry: &SymmetryInfo) -> String {
    let families = symmetry.families.iter().map(|(name, words)| format!("{name}: {words}"));
    let reasons = symmetry.reasons.iter().map(|reason| match &reason.place {
        Some(place) => format!("line {}: {}", place.line, reason.message),
        None => reason.message.clone(),
    });
    families.chain(reasons).collect::<Vec<_>>().join("\n")
}
