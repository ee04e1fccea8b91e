//! The states that a node stands for, unfolded.

use super::panel::area;
use crate::engine::Orbit;
use crate::view::picture::viewport::Rect;
use crate::view::{picture, text};
use orbitscope_core::draw::{Node, NodeId, Picture};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// The properties of [`Unfolded`].
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The picture that has the node.
    pub picture: Rc<Picture>,
    /// The node.
    pub node: NodeId,
    /// Its states, once they are known.
    pub orbit: Option<Rc<Orbit>>,
    /// Called when it shall be folded again.
    pub on_close: Callback<()>,
}

/// The orbit of a node: one box a state, the representative first.
#[component]
pub fn Unfolded(props: &Props) -> Html {
    let on_close = props.on_close.reform(|_: MouseEvent| ());
    let popup = use_node_ref();
    let corner = use_state_eq(|| CORNERS[0]);
    {
        let (popup, corner, node) = (popup.clone(), corner.clone(), props.node);
        use_effect_with((node, props.orbit.clone()), move |_| {
            if let Some(free) = popup.cast::<Element>().and_then(|popup| free_corner(&popup, node)) {
                corner.set(free);
            }
        });
    }
    let Some(node) = props.picture.graph.nodes.get(props.node) else { return Html::default() };
    html! {
        <aside ref={popup} class={classes!("orbit", *corner)} aria-label="The states that the node stands for">
            <header class="orbit-head">
                <p class="orbit-title">
                    <span class="orbit-node">{ node.lines().join(" ") }</span>
                    { " " }{ node.stands_for.as_deref().map(picture::stands_for).unwrap_or_default() }
                </p>
                <button type="button" class="button orbit-close" aria-label="Fold" title="Fold" onclick={on_close}>
                    { "×" }
                </button>
            </header>
            if let Some(orbit) = &props.orbit {
                <ol class="orbit-states">
                    { for orbit.states.iter().enumerate().map(|(number, lines)| state(number, lines)) }
                </ol>
                if let Some(more) = more(node, orbit) {
                    <p class="orbit-more">{ more }</p>
                }
            }
        </aside>
    }
}

/// The corners of the panel, for the style sheet: the first in which the popup does not cover its node is taken.
const CORNERS: [&str; 4] = ["at-right", "at-left", "at-right is-low", "at-left is-low"];

/// The height of the picture's tools, in pixels: the popup stays above them.
const TOOLS: f64 = 64.0;

/// The first corner of the picture's panel in which the popup is beside its node.
fn free_corner(popup: &Element, node: NodeId) -> Option<&'static str> {
    let panel = popup.parent_element()?;
    let node = panel.query_selector(&format!(".nodes > [data-node='{}']", node.0)).ok()??;
    let (panel, popup, node) = (area(&panel), area(popup), area(&node));
    CORNERS.into_iter().find(|corner| {
        let (mut at, edge) = (panel.origin, (panel.width - popup.width, panel.height - popup.height - TOOLS));
        at.x += if corner.contains("left") { 0.0 } else { edge.0 };
        at.y += if corner.contains("low") { edge.1 } else { 0.0 };
        !Rect { origin: at, ..popup }.meets(&node)
    })
}

fn state(number: usize, lines: &[String]) -> Html {
    let class = classes!("orbit-state", (number == 0).then_some("is-representative"));
    let title = (number == 0).then_some("The representative");
    html! {
        <li {class} {title}>{ for lines.iter().map(|line| html! { <span>{ line }</span> }) }</li>
    }
}

/// A line about the states that are not listed.
fn more(node: &Node, orbit: &Orbit) -> Option<String> {
    if orbit.complete {
        return None;
    }
    let listed = orbit.states.len() as u64;
    let total: Option<u64> = node.stands_for.as_deref().and_then(|digits| digits.parse().ok());
    // A node with tracked processes stands for more places than states.
    Some(match total.and_then(|total| total.checked_sub(listed)).filter(|&left| left > 0) {
        Some(left) if node.state.as_ref().is_some_and(|(_, tracked)| tracked.is_empty()) => {
            format!("and {} more", text::count(left))
        }
        _ => "and more".into(),
    })
}
