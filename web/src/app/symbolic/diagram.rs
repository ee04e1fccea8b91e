//! A small decision diagram, row by row.

use crate::engine::{Iterations, MOST_NODES};
use crate::session::Set;
use crate::view::symbolic::diagram::{Edge, Level, Node, Picture, RADIUS, picture};
use crate::view::symbolic::{diagram_of, set_name, size};
use crate::view::text;
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) found: Rc<Iterations>,
    pub(crate) step: u32,
    pub(crate) shown: Set,
    pub(crate) on_pick: Callback<Set>,
}

#[component]
pub(crate) fn Diagram(props: &Props) -> Html {
    let graph = diagram_of(&props.found, props.step, props.shown);
    let drawn = use_memo(graph.cloned(), |graph| graph.as_ref().and_then(picture));
    let nodes = graph.map_or(0, size);
    let sets = Set::ALL.map(|set| {
        let (name, about) = set_name(set);
        let on_click = props.on_pick.reform(move |_: MouseEvent| set);
        html! {
            <button type="button" class="tab" title={about} data-set={name} onclick={on_click}
                aria-pressed={(set == props.shown).to_string()}>{ name }</button>
        }
    });
    let name = set_name(props.shown).0.to_lowercase();
    html! {
        <div class="diagram">
            <div class="tabs diagram-sets" role="group" aria-label="Which set">{ for sets }</div>
            if let Some(picture) = &*drawn {
                <div class="diagram-scroll" tabindex="0" role="group" aria-label={format!("Decision diagram of {name}")}>
                    { draw(picture, &name, nodes) }
                </div>
                <p class="panel-note diagram-note">
                    { format!("{}. ", text::counted(nodes.into(), "node")) }
                    { "Solid: the bit of the row is 1. Dashed: it is 0. Every way down to 1 is a state of the set, or several; what leads to 0 is left out. Of x, x.0 is the bit worth 1, x.1 that worth 2." }
                </p>
            } else if nodes > MOST_NODES {
                <p class="picture-none">
                    { format!(
                        "The diagram of {name} has {} here. Up to {MOST_NODES} are drawn: look at another set, or at another iteration.",
                        text::counted(nodes.into(), "node")
                    ) }
                </p>
            } else if graph.is_some() {
                <p class="picture-none">{ "This set is empty." }</p>
            } else {
                <p class="picture-none">{ "The search broke off before there was a set to look at." }</p>
            }
        </div>
    }
}

fn draw(picture: &Picture, name: &str, nodes: u32) -> Html {
    let (width, height) = picture.size;
    let about = format!("{name}, {}", text::counted(nodes.into(), "node"));
    html! {
        <svg class="diagram-canvas" width={n(width)} height={n(height)} viewBox={format!("0 0 {width:.1} {height:.1}")}
            role="img" aria-label={about} data-nodes={nodes.to_string()}>
            { for picture.levels.iter().map(|each| level(each, width)) }
            { for picture.edges.iter().map(edge) }
            { for picture.nodes.iter().map(node) }
        </svg>
    }
}

fn level(level: &Level, width: f64) -> Html {
    if level.name.is_empty() {
        return Html::default();
    }
    html! {
        <>
            <path class="diagram-rule" d={format!("M0 {:.1}H{width:.1}", level.y)} />
            <text class="diagram-name" x="4" y={n(level.y - 4.0)}>{ &level.name }</text>
        </>
    }
}

fn edge(edge: &Edge) -> Html {
    let class = if edge.high { "diagram-edge is-high" } else { "diagram-edge is-low" };
    html! { <path {class} d={edge.path.clone()} data-from={edge.from.to_string()} data-to={edge.to.to_string()} /> }
}

fn node(node: &Node) -> Html {
    if node.number > 1 {
        return html! { <circle class="diagram-node" cx={n(node.x)} cy={n(node.y)} r={n(RADIUS)} /> };
    }
    let (x, y, side) = (node.x - RADIUS, node.y - RADIUS, 2.0 * RADIUS);
    html! {
        <>
            <rect class="diagram-one" x={n(x)} y={n(y)} width={n(side)} height={n(side)} />
            <text class="diagram-digit" x={n(node.x)} y={n(node.y + 3.5)} text-anchor="middle">{ "1" }</text>
        </>
    }
}

fn n(value: f64) -> String {
    format!("{value:.1}")
}
