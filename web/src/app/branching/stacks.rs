//! The two stacks of Heljanko's search.

use crate::engine::GraphKind;
use crate::session::Item;
use crate::view::branching::{Frame, Row, Stack};
use crate::view::text::counted;
use orbitscope_core::draw::NodeId;
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) frame: Rc<Frame>,
    /// The graph that is searched.
    pub(crate) of: GraphKind,
    /// A sentence about the search as a whole.
    pub(crate) about: String,
    pub(crate) selected: Option<Item>,
    pub(crate) hovered: Option<Item>,
    pub(crate) on_select: Callback<Option<Item>>,
    pub(crate) on_hover: Callback<Option<Item>>,
}

#[component]
pub(crate) fn Stacks(props: &Props) -> Html {
    let Frame { st, fst, .. } = &*props.frame;
    html! {
        <div class="two-stacks-panel">
            <p class="panel-note">{ &props.about }</p>
            <div class="two-stacks">
                { stack(props, "St", "the path of the search", st) }
                { stack(props, "FSt", "visited states from which the current one can be reached", fst) }
            </div>
        </div>
    }
}

fn stack(props: &Props, name: &'static str, about: &'static str, stack: &Stack) -> Html {
    html! {
        <section class="one-stack" data-stack={name}>
            <h3 class="one-stack-name">{ name }<span class="one-stack-size">{ counted(stack.size.into(), "state") }</span></h3>
            <p class="panel-note">{ about }</p>
            <ol class="one-stack-rows">{ for stack.rows.iter().map(|entry| row(props, entry)) }</ol>
            if stack.below > 0 {
                <p class="panel-note">{ format!("and {} further down", counted(stack.below.into(), "state")) }</p>
            }
        </section>
    }
}

fn row(props: &Props, row: &Row) -> Html {
    let item = Item::Node(props.of, NodeId(row.vertex.0));
    let (chosen, pointed) = (props.selected == Some(item), props.hovered == Some(item));
    let hover = |on: bool| props.on_hover.reform(move |_: MouseEvent| on.then_some(item));
    html! {
        <li key={row.vertex.0}>
            <button type="button" class={classes!("one-stack-row", pointed.then_some("is-hovered"))}
                aria-pressed={chosen.to_string()} onmouseenter={hover(true)} onmouseleave={hover(false)}
                onclick={props.on_select.reform(move |_: MouseEvent| Some(item))}>
                <b>{ &row.name }</b><span class="one-stack-state">{ &row.words }</span>
                <span class="one-stack-note">{ &row.note }</span>
            </button>
        </li>
    }
}
