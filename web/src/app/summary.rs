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
    /// Shows a line of the text.
    pub(crate) on_line: Callback<u32>,
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
            { symmetry(&props.symmetry, &props.on_line) }
            if props.stale {
                <span class="tag is-partial">{ "the last version without errors" }</span>
            }
        </p>
    }
}

/// The order of the group; a click tells what each family's processes may do, and why it is no more.
fn symmetry(symmetry: &SymmetryInfo, on_line: &Callback<u32>) -> Html {
    let families = symmetry.families.iter().map(|(name, words)| {
        html! { <li><b>{ name }</b>{ ": " }{ words }</li> }
    });
    let reasons = symmetry.reasons.iter().map(|reason| {
        let line = reason.place.as_ref().map(|place| place.line);
        let place = line.map(|line| {
            let on_click = on_line.reform(move |_: MouseEvent| line);
            html! { <><button type="button" class="problem-place" onclick={on_click}>{ format!("line {line}") }</button>{ ": " }</> }
        });
        html! { <li>{ place.unwrap_or_default() }{ &reason.message }</li> }
    });
    let order = format!("|G| {}", text::order(&symmetry.order));
    let lost = !symmetry.reasons.is_empty();
    html! {
        <>
            <button type="button" class="summary-symmetry" popovertarget="symmetry-why"
                title="The order of the group of permutations that leave the program as it is">
                { order }
                if lost { <span class="summary-lost">{ " why no more?" }</span> }
            </button>
            <div id="symmetry-why" class="menu" popover="auto" role="dialog" aria-label="Symmetry">
                <h2 class="menu-heading">{ "Symmetry" }</h2>
                <ul class="symmetry-families">{ for families }</ul>
                if lost {
                    <h3 class="menu-heading">{ "Why it is no more" }</h3>
                    <ul class="symmetry-reasons">{ for reasons }</ul>
                }
            </div>
        </>
    }
}
