//! The stack of the search, with each node's classes, and the join of the last step.

mod chips;
mod join;
mod row;

use crate::engine::words::Words;
use crate::engine::{Film, GraphKind};
use crate::session::Item;
use crate::view;
use crate::view::text::counted;
use join::JoinPicture;
use orbitscope_core::draw::NodeId;
use orbitscope_core::search::log::Snapshot;
use row::StackRow;
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) film: Rc<Film>,
    pub(crate) snapshot: Rc<Snapshot>,
    pub(crate) selected: Option<Item>,
    pub(crate) hovered: Option<Item>,
    pub(crate) on_select: Callback<Option<Item>>,
    pub(crate) on_hover: Callback<Option<Item>>,
}

#[component]
pub(crate) fn Stack(props: &Props) -> Html {
    let Film { log, words, .. } = &*props.film;
    let stack = view::stack::Stack::new(log, words, &props.snapshot);
    let join = view::join::Join::new(log, words, props.snapshot.step);
    let is = |item: Option<Item>, row: &view::stack::Row| {
        item.and_then(|item| item.node_of(GraphKind::Product)) == Some(NodeId(row.node.0))
    };
    let rows = stack.rows.iter().map(|row| {
        let item = Item::Node(GraphKind::Product, NodeId(row.node.0));
        html! {
            <StackRow key={row.dfnum} row={row.clone()} selected={is(props.selected, row)} hovered={is(props.hovered, row)}
                on_select={props.on_select.reform(move |()| Some(item))}
                on_hover={props.on_hover.reform(move |on: bool| on.then_some(item))} />
        }
    });
    html! {
        <div class="stack">
            if let Some(join) = join {
                <JoinPicture key={props.snapshot.step} join={Rc::new(join)} />
            }
            <p class="stack-head">
                if stack.rows.is_empty() {
                    { if props.snapshot.step == 0 { "Nothing is on the stack yet: press Play, or the right arrow key." } else { "The stack is empty." } }
                } else {
                    { format!("{}, the newest first. ", counted(stack.size.into(), "node")) }
                    { "A class is a set of processes that can stand for each other." }
                }
            </p>
            <ol class="stack-rows">{ for rows }</ol>
            if stack.below > 0 {
                <p class="panel-note">{ format!("and {} further down", counted(stack.below.into(), "node")) }</p>
            }
            { automaton(words) }
        </div>
    }
}

/// The automaton of wrong runs: what its states wait for.
fn automaton(words: &Words) -> Html {
    if words.automaton.is_empty() {
        return Html::default();
    }
    let states = words.automaton.iter().enumerate().map(|(q, state)| {
        let moves = state.moves.iter().map(|(guard, to, marks)| {
            let marks = marks.iter().map(|mark| html! { <span class="mark is-seen">{ mark }</span> });
            html! { <li><code>{ guard }</code>{ format!(" → q{to} ") }{ for marks }</li> }
        });
        html! { <li class="automaton-state"><b>{ format!("q{q}") }</b><ul>{ for moves }</ul></li> }
    });
    html! {
        <details class="automaton">
            <summary>{ "The automaton of wrong runs" }</summary>
            <p class="panel-note">
                { "It reads the states of a run and accepts those that violate the property: all of its marks must be seen again and again." }
            </p>
            <ul class="automaton-states">{ for states }</ul>
        </details>
    }
}
