//! The parts beside the picture: the buttons with a legend, and the node that the pointer is on in full words.

use super::{Shown, ZOOM_STEP};
use crate::view::picture::glyph;
use crate::view::picture::marks::{HUES, Legend};
use crate::view::picture::{self, viewport::Viewport};
use orbitscope_core::draw::{Layout, NodeId, Picture};
use orbitscope_core::program::ActionId;
use std::collections::BTreeSet;
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct ToolsProps {
    pub(super) viewport: Viewport,
    pub(super) picture: Rc<Picture>,
    pub(super) on_view: Callback<Viewport>,
    pub(super) shown: Shown,
    pub(super) on_shown: Callback<Shown>,
    pub(super) has_lattice: bool,
    pub(super) has_ghosts: bool,
    /// The meaning of the marks, where there are some.
    pub(super) meaning: Legend,
}

#[component]
pub(super) fn Tools(props: &ToolsProps) -> Html {
    let ToolsProps { viewport, shown, on_view, on_shown, .. } = props;
    let (viewport, shown) = (*viewport, *shown);
    let zoom = |factor: f64| on_view.reform(move |_: MouseEvent| viewport.zoomed(factor));
    let fit = {
        let picture = props.picture.clone();
        on_view.reform(move |_: MouseEvent| Viewport::of(&picture))
    };
    let lattice = on_shown.reform(move |_: MouseEvent| Shown { lattice: !shown.lattice, ..shown });
    let ghosts = on_shown.reform(move |_: MouseEvent| Shown { ghosts: !shown.ghosts, ..shown });
    html! {
        <div class="graph-tools" role="toolbar" aria-label="View">
            <ul class="legend" aria-label="Legend">{ for legend(props) }{ for tints(props) }</ul>
            if props.has_ghosts {
                <button type="button" class="button" aria-pressed={shown.ghosts.to_string()} onclick={ghosts}
                    title="Pruned parallel edges, each with the permutation that makes it redundant (G)">
                    { "Ghosts" }
                </button>
            }
            if props.has_lattice {
                <button type="button" class="button" aria-pressed={shown.lattice.to_string()} onclick={lattice}
                    title="Place states by how many processes are in each local state">{ "Lattice" }</button>
            }
            <button type="button" class="button" aria-label="Zoom in" title="Zoom in (+)"
                onclick={zoom(ZOOM_STEP)}>{ "+" }</button>
            <button type="button" class="button" aria-label="Zoom out" title="Zoom out (−)"
                onclick={zoom(1.0 / ZOOM_STEP)}>{ "−" }</button>
            <button type="button" class="button" title="Show all (0)" onclick={fit}>{ "Fit" }</button>
        </div>
    }
}

/// The meaning of the colours: phases of the search, or else the actions of a lattice.
fn legend(props: &ToolsProps) -> Vec<Html> {
    if !props.meaning.is_empty() {
        let phase = |(mark, name): (&'static str, &'static str)| {
            html! {
                <li class="legend-item">
                    <svg class="legend-mark" viewBox="0 0 16 12" aria-hidden="true">
                        <g class="node" data-mark={mark}><rect class="node-box" x="1" y="1" width="14" height="10" rx="3" /></g>
                    </svg>
                    { name }
                </li>
            }
        };
        return props.meaning.iter().copied().map(phase).collect();
    }
    if props.picture.layout != Layout::Lattice {
        return Vec::new();
    }
    let graph = &props.picture.graph;
    let used: BTreeSet<ActionId> =
        graph.edges.iter().filter_map(|edge| edge.step.as_ref().map(|step| step.action)).collect();
    let action = |action: ActionId| {
        let class = format!("edge action-{}", action.0 % HUES);
        html! {
            <li class="legend-item is-lattice">
                <svg class="legend-mark" viewBox="0 0 16 12" aria-hidden="true"><path {class} d="M1 6h14" /></svg>
                { graph.actions.get(action).cloned().unwrap_or_default() }
            </li>
        }
    };
    used.into_iter().map(action).collect()
}

/// The legend names this many values of variables.
const TINTS: usize = 10;

/// The legend of the cells in the nodes' glyphs.
fn tints(props: &ToolsProps) -> impl Iterator<Item = Html> {
    glyph::legend(&props.picture.graph.strips, TINTS).into_iter().map(|(tint, words)| {
        let cell = [glyph::Cell { at: (2.0, 0.0), size: (12.0, 12.0), tint, many: false, tracked: false }];
        html! {
            <li class="legend-item is-tint">
                <svg class="legend-mark" viewBox="0 0 16 12" aria-hidden="true">
                    { for glyph::paths(&cell).into_iter().map(|(tint, d)| {
                        html! { <path class={format!("cell tint-{}", glyph::class(tint).0)} {d} /> }
                    }) }
                </svg>
                { words }
            </li>
        }
    })
}

#[derive(PartialEq, Properties)]
pub(super) struct CornerProps {
    pub(super) picture: Rc<Picture>,
    pub(super) node: Option<NodeId>,
}

/// A node in words, for when its box is too small to read.
#[component]
pub(super) fn Corner(props: &CornerProps) -> Html {
    let Some(node) = props.node.and_then(|node| props.picture.graph.nodes.get(node)) else {
        return Html::default();
    };
    let stands_for = node.stands_for.as_deref().map(picture::stands_for);
    html! {
        <p class="graph-corner">
            <span class="corner-name">{ &node.name }</span>
            { for node.lines().iter().map(|line| html! { <span>{ line }</span> }) }
            if let Some(stands_for) = stands_for {
                <span class="corner-note">{ stands_for }</span>
            }
            if node.deadlock {
                <span class="tag is-bad">{ "deadlock" }</span>
            }
            if node.open {
                <span class="tag is-partial">{ "more behind it" }</span>
            }
        </p>
    }
}
