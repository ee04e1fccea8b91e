//! The marks over the picture: where the search is, and the nodes that are chosen or under the pointer.

use super::rect;
use super::shapes::{block, edge_class, label_lines};
use crate::view::picture::marks::Marks;
use crate::view::picture::zoom::Detail;
use orbitscope_core::draw::{EdgeId, EdgeStyle, NodeId, Picture};
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct Props {
    pub(super) picture: Rc<Picture>,
    pub(super) level: Detail,
    pub(super) marks: Option<Rc<Marks>>,
    pub(super) found: Option<Rc<[u32]>>,
    pub(super) selected: Option<NodeId>,
    pub(super) hovered: Option<NodeId>,
    pub(super) ghosts: bool,
}

#[component]
pub(super) fn Overlay(props: &Props) -> Html {
    let Props { picture, selected, hovered, .. } = props;
    let marks = props.marks.as_deref();
    let known = |node: Option<NodeId>| node.filter(|&node| picture.nodes.get(node).is_some());
    let followed = marks.and_then(|marks| marks.followed);
    html! {
        <g class="overlay">
            { for props.found.iter().flat_map(|found| found.iter()).filter_map(|&node| known(Some(NodeId(node)))).map(|node| html! {
                <g class="is-found" font-size="12">{ block(picture, node, props.level) }{ ring(picture, node, "is-sought") }</g>
            }) }
            if let Some(node) = known(hovered.filter(|_| hovered != selected)) {
                { steps(props, node, "hover") }
            }
            if let Some(node) = known(*selected) {
                { steps(props, node, "selection") }
            }
            if let Some(edge) = followed {
                { edge_on_top(picture, edge, "followed", "head-entered") }
            }
            if let Some(node) = known(marks.and_then(|marks| marks.current)) {
                { ring(picture, node, "is-current") }
            }
            if let Some(node) = known(marks.and_then(|marks| marks.run_at)) {
                { ring(picture, node, "is-run") }
            }
        </g>
    }
}

/// A node and the edges that leave it.
fn steps(props: &Props, node: NodeId, kind: &'static str) -> Html {
    let picture = &props.picture;
    let leaving: Vec<EdgeId> = picture
        .graph
        .edges
        .iter_enumerated()
        .filter(|(_, edge)| edge.from == node && (props.ghosts || edge.style == EdgeStyle::Solid))
        .map(|(id, _)| id)
        .collect();
    html! {
        <g class={classes!("highlight", kind)}>
            { for leaving.iter().map(|&edge| edge_on_top(picture, edge, "leaving", "head-accent")) }
            <g class="is-centre" font-size="12">{ block(picture, node, props.level.max(Detail::Nodes)) }</g>
            { ring(picture, node, "is-chosen") }
        </g>
    }
}

/// An edge once more with its label, on a strip that keeps it readable.
fn edge_on_top(picture: &Picture, id: EdgeId, kind: &'static str, head: &str) -> Html {
    let class = classes!(edge_class(picture, id), kind);
    html! {
        <>
            <path {class} d={picture.routes[id].path.d()} marker-end={format!("url(#{head})")} />
            <g class={classes!("edge-label", kind)}>{ for label_lines(picture, id) }</g>
        </>
    }
}

fn ring(picture: &Picture, node: NodeId, kind: &'static str) -> Html {
    let area = rect(picture.nodes[node].area);
    let out = if kind == "is-run" { 7.0 } else { 4.0 };
    let (x, y) = ((area.origin.x - out).to_string(), (area.origin.y - out).to_string());
    let (width, height) = ((area.width + 2.0 * out).to_string(), (area.height + 2.0 * out).to_string());
    html! { <rect class={classes!("ring", kind)} {x} {y} {width} {height} rx="9" /> }
}
