//! Boxes, curves and their labels: everything that does not change while a search is played.

use super::number;
use crate::view::picture::glyph;
use crate::view::picture::marks::HUES;
use crate::view::picture::zoom::{Detail, is_sketched, name_size};
use orbitscope_core::draw::{Course, DrawnNode, EdgeId, EdgeStyle, Glyph, Layout, Line, NodeId, Picture};
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct Props {
    pub(super) picture: Rc<Picture>,
    pub(super) level: Detail,
    /// The width of lines where they would be too thin to see.
    pub(super) hairline: AttrValue,
}

/// The whole picture. It changes with the distance only, whatever is selected and whatever the search does: the marks are
/// attributes that [`super::paint`] sets.
#[component]
pub(super) fn Shapes(props: &Props) -> Html {
    let Props { picture, level, hairline } = props;
    let sketched = is_sketched(picture, *level);
    let edges = picture.graph.edges.ids().map(|id| curve(picture, id, sketched));
    let nodes = picture.graph.nodes.ids().map(|id| block(picture, id, *level));
    let letters = picture.nodes.iter().map(|node| {
        let (x, y) = (node.area.right() - 3.0, node.area.origin.y - 3.0);
        html! { <text class="node-letter" x={x.to_string()} y={y.to_string()} /> }
    });
    let size = format!("{:.1}", name_size(picture));
    html! {
        <>
            <defs>{ for heads() }</defs>
            <g class={classes!("edges", sketched.then_some("is-sketched"))} marker-end="url(#head)" stroke-width={hairline}>
                { for edges }
            </g>
            if *level == Detail::All {
                <g class="edge-labels">{ for picture.graph.edges.ids().map(|id| label(picture, id)) }</g>
            }
            <g class="nodes" font-size={if *level == Detail::Names { size } else { "12".into() }}>{ for nodes }</g>
            <g class="letters">{ for letters }</g>
        </>
    }
}

/// The heads of arrows, one for each colour.
fn heads() -> impl Iterator<Item = Html> {
    let names = ["head", "head-ghost", "head-entered", "head-stacked", "head-fair", "head-accent"];
    let hues = (0..HUES).map(|hue| format!("head-hue-{hue}"));
    names.into_iter().map(String::from).chain(hues).map(|id| {
        html! {
            <marker key={id.clone()} id={id.clone()} class={id} viewBox="0 0 8 8" refX="7.6" refY="4" markerWidth="8"
                markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">
                <path d="M0 0.9L8 4L0 7.1Z" />
            </marker>
        }
    })
}

/// The kind of an edge, for the style sheet.
pub(super) fn edge_class(picture: &Picture, id: EdgeId) -> Classes {
    let edge = &picture.graph.edges[id];
    let layered = matches!(picture.layout, Layout::Layered { .. });
    // In a lattice the direction says little; which action it is says all.
    let action =
        edge.step.as_ref().filter(|_| !layered).map(|step| format!("action-{}", step.action.0 % HUES));
    classes!(
        "edge",
        (layered && picture.routes[id].course == Course::Back).then_some("is-back"),
        (edge.style == EdgeStyle::Ghost).then_some("is-ghost"),
        action,
    )
}

fn curve(picture: &Picture, id: EdgeId, sketched: bool) -> Html {
    let head = (picture.graph.edges[id].style == EdgeStyle::Ghost).then_some("url(#head-ghost)");
    let path = &picture.routes[id].path;
    let (start, end) = (path.start, path.end());
    let d = if sketched { format!("M{} {}L{} {}", start.x, start.y, end.x, end.y) } else { path.d() };
    html! { <path class={edge_class(picture, id)} {d} marker-end={head} /> }
}

fn label(picture: &Picture, id: EdgeId) -> Html {
    let class = classes!(
        "edge-label",
        (picture.graph.edges[id].style == EdgeStyle::Ghost).then_some("is-ghost"),
        (picture.routes[id].course == Course::Back).then_some("is-back"),
    );
    html! { <g {class}>{ for label_lines(picture, id) }</g> }
}

/// The lines of an edge's label; where the layout has no room for them, over its middle.
pub(super) fn label_lines(picture: &Picture, id: EdgeId) -> Vec<Html> {
    let (edge, route) = (&picture.graph.edges[id], &picture.routes[id]);
    let x = route.label.x.to_string();
    let texts: Vec<(f32, &str)> = if route.lines.is_empty() {
        let under = route.label.y + 11.0;
        vec![(route.label.y - 3.5, edge.over.as_str()), (under, edge.under.as_str())]
    } else {
        route.lines.iter().map(|line| (line.base, line.text.as_str())).collect()
    };
    let lines = texts.into_iter().filter(|(_, text)| !text.is_empty());
    lines.map(|(y, text)| html! { <text x={x.clone()} y={y.to_string()}>{ text }</text> }).collect()
}

pub(super) fn block(picture: &Picture, id: NodeId, level: Detail) -> Html {
    let (node, shape) = (&picture.graph.nodes[id], &picture.nodes[id]);
    let class = classes!(
        "node",
        node.initial.then_some("is-initial"),
        node.deadlock.then_some("is-deadlock"),
        node.open.then_some("is-unknown"),
        node.accepting.then_some("is-accepting"),
        node.class.map(|class| format!("class-{}", class % HUES)),
    );
    let area = &shape.area;
    let (x, y) = (area.origin.x.to_string(), area.origin.y.to_string());
    let (width, height) = (area.size.x.to_string(), area.size.y.to_string());
    html! {
        <g {class} data-node={id.0.to_string()}>
            <rect class="node-box" {x} {y} {width} {height} rx="6" />
            if let Some(start) = shape.start {
                <path class="initial-mark" d={format!("M{} {}H{}", start.x, start.y, area.origin.x)}
                    marker-end="url(#head)" />
            }
            { for cells(&node.glyph, shape, level) }
            { for words(shape, level) }
        </g>
    }
}

/// The state as tinted cells: the whole box from afar, a row at its top over its words.
fn cells(of: &Glyph, shape: &DrawnNode, level: Detail) -> Vec<Html> {
    let cells = match level {
        Detail::Glyphs => glyph::cells(of, &shape.area),
        _ => glyph::cells_over(of, &shape.area),
    };
    let tinted = glyph::paths(&cells).into_iter().map(|(tint, d)| {
        html! { <path class={format!("cell tint-{}", glyph::class(tint).0)} {d} /> }
    });
    let many = glyph::many_path(&cells).map(|(line, d)| {
        let (ink, halo) = (number(line), number(2.2 * line));
        html! {
            <>
                <path class="cell-many is-halo" d={d.clone()} stroke-width={halo} />
                <path class="cell-many" {d} stroke-width={ink} />
            </>
        }
    });
    let tracked = glyph::tracked_path(&cells).map(|d| html! { <path class="cell-tracked" {d} /> });
    tinted.chain(many).chain(tracked).collect()
}

fn words(shape: &DrawnNode, level: Detail) -> Vec<Html> {
    let middle = shape.area.centre();
    let x = middle.x.to_string();
    let line = |class: &'static str, line: &Line| {
        html! { <text {class} x={x.clone()} y={line.base.to_string()}>{ &line.text }</text> }
    };
    match level {
        Detail::Glyphs => Vec::new(),
        Detail::Names => {
            let name = shape.label.iter().take(1).map(|name| {
                html! { <text class="node-name" x={x.clone()} y={middle.y.to_string()}>{ &name.text }</text> }
            });
            name.collect()
        }
        Detail::Nodes | Detail::All => {
            let rule = shape.rule.map(|rule| {
                let d = format!("M{} {rule}h{}", shape.area.origin.x, number(shape.area.size.x.into()));
                html! { <path class="node-rule" {d} /> }
            });
            let label = shape.label.iter().map(|l| line("node-line", l));
            let below = shape.below.iter().map(|l| line("node-line is-below", l));
            label.chain(rule).chain(below).collect()
        }
    }
}
