//! Boxes, curves and their highlights.

use crate::engine::{Next, StateId};
use crate::view::drawing::{Drawing, EdgeShape, INITIAL_MARK, LINE, NodeShape};
use crate::view::routing::Course;
use std::rc::Rc;
use yew::prelude::*;

/// Up to this many edges, all labels are written; above, those of the highlighted state.
const FEW_EDGES: usize = 14;

/// What sets a box apart.
fn next_class(next: Next) -> Option<&'static str> {
    match next {
        Next::Steps => None,
        Next::Deadlock => Some("is-deadlock"),
        Next::Unknown => Some("is-unknown"),
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct ShapesProps {
    pub(super) drawing: Rc<Drawing>,
}

/// The whole drawing. It changes with the graph only, whatever is selected.
#[component]
pub(super) fn Shapes(props: &ShapesProps) -> Html {
    let drawing = &props.drawing;
    let labelled = drawing.edges.len() <= FEW_EDGES;
    html! {
        <>
            <defs>
                { marker("arrow") }
                { marker("arrow-strong") }
            </defs>
            <g class="edges">{ for drawing.edges.iter().map(|edge| curve(edge, "arrow")) }</g>
            <g class="nodes">{ for drawing.nodes.iter().map(|node| block(drawing, node)) }</g>
            if labelled {
                <g class="edge-labels">{ for drawing.edges.iter().map(edge_label) }</g>
            }
        </>
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct HighlightProps {
    pub(super) drawing: Rc<Drawing>,
    pub(super) state: StateId,
    pub(super) kind: &'static str,
}

/// A state and its steps, drawn once more on top.
#[component]
pub(super) fn Highlight(props: &HighlightProps) -> Html {
    let HighlightProps { drawing, state, kind } = props;
    let Some(node) = drawing.nodes.get(*state) else { return Html::default() };
    let leaving: Vec<&EdgeShape> = drawing.edges.iter().filter(|edge| edge.from == *state).collect();
    let reached = leaving.iter().filter(|edge| edge.to != *state).map(|edge| &drawing.nodes[edge.to]);
    html! {
        <g class={classes!("highlight", *kind)}>
            <g class="edges">{ for leaving.iter().map(|edge| curve(edge, "arrow-strong")) }</g>
            <g class="nodes">
                { for reached.map(|node| block(drawing, node)) }
                <g class="is-centre">{ block(drawing, node) }</g>
            </g>
            <g class="edge-labels">{ for leaving.into_iter().map(edge_label) }</g>
        </g>
    }
}

fn marker(id: &'static str) -> Html {
    html! {
        <marker {id} class={id} viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7"
            markerUnits="userSpaceOnUse" orient="auto">
            <path d="M0 0.8L7.5 4L0 7.2L1.6 4Z" />
        </marker>
    }
}

fn curve(edge: &EdgeShape, arrow: &str) -> Html {
    let course = match edge.route.course {
        Course::Forward => "is-forward",
        Course::Back => "is-back",
        Course::Level => "is-level",
        Course::Loop => "is-loop",
    };
    html! {
        <path class={classes!("edge", course)} d={edge.route.path.clone()} marker-end={format!("url(#{arrow})")} />
    }
}

fn edge_label(edge: &EdgeShape) -> Html {
    let at = edge.route.label_at;
    html! {
        <text class="edge-label" x={format!("{:.1}", at.x)} y={format!("{:.1}", at.y)}>{ &edge.label }</text>
    }
}

fn block(drawing: &Drawing, node: &NodeShape) -> Html {
    let class = classes!("node", node.initial.then_some("is-initial"), next_class(node.next));
    let (left, top) = (-drawing.width / 2.0, -drawing.height / 2.0);
    let (width, height) = (drawing.width.to_string(), drawing.height.to_string());
    let (length, distance) = INITIAL_MARK;
    let first = -LINE * (node.lines.len() - 1) as f64 / 2.0;
    let lines = node.lines.iter().enumerate().map(|(i, line)| {
        html! { <text class="node-line" y={format!("{:.1}", first + i as f64 * LINE)}>{ line }</text> }
    });
    html! {
        <g {class} data-state={node.state.0.to_string()}
            transform={format!("translate({:.1} {:.1})", node.centre.x, node.centre.y)}>
            if node.initial {
                <path class="initial-mark" d={format!("M{:.1} 0h{length}", left - distance - length)} marker-end="url(#arrow)" />
            }
            <rect class="node-box" x={left.to_string()} y={top.to_string()} {width} {height} rx="6" />
            { for lines }
        </g>
    }
}
