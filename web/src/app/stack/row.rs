//! A node on the stack.

use super::chips;
use crate::view::stack::{FrameView, Row};
use yew::prelude::*;

#[derive(Properties)]
pub(crate) struct Props {
    pub(crate) row: Row,
    pub(crate) selected: bool,
    pub(crate) hovered: bool,
    pub(crate) on_select: Callback<()>,
    pub(crate) on_hover: Callback<bool>,
}

/// The callbacks are made anew whenever the page is rendered, and follow from the row: while a search is played, most rows
/// stay as they are and need not be drawn again.
impl PartialEq for Props {
    fn eq(&self, other: &Props) -> bool {
        (&self.row, self.selected, self.hovered) == (&other.row, other.selected, other.hovered)
    }
}

#[component]
pub(crate) fn StackRow(props: &Props) -> Html {
    let row = &props.row;
    let class = classes!(
        "stack-row",
        row.current.then_some("is-current"),
        row.frame.learnt.then_some("is-learnt"),
        props.selected.then_some("is-selected"),
        props.hovered.then_some("is-hovered"),
    );
    html! {
        <li {class} data-node={row.node.0.to_string()} onmouseenter={props.on_hover.reform(|_: MouseEvent| true)}
            onmouseleave={props.on_hover.reform(|_: MouseEvent| false)}>
            <button type="button" class="stack-node" aria-pressed={props.selected.to_string()}
                onclick={props.on_select.reform(|_: MouseEvent| ())}>
                <b class="stack-name">{ format!("u{}", row.node.0) }</b>
                <span class="stack-state">{ &row.state }</span>
                if !row.places.is_empty() {
                    <span class="stack-places">{ &row.places }</span>
                }
                <span class="stack-q">{ format!("q{}", row.automaton) }</span>
            </button>
            { numbers(row) }
            if row.current {
                <ul class="class-lines">{ for row.frame.classes.shown.iter().map(chips::line) }</ul>
                if row.frame.classes.hidden > 0 {
                    <p class="class-more">{ format!("and {} more classes", row.frame.classes.hidden) }</p>
                }
                { needs(&row.frame) }
            } else {
                { chips::row(&row.frame.classes) }
            }
            { waiting(row) }
        </li>
    }
}

fn numbers(row: &Row) -> Html {
    let FrameView { edges, marks, pruned, .. } = &row.frame;
    let marks = marks.iter().enumerate().map(|(mark, &seen)| {
        let title = format!("acceptance mark {mark}: {}", if seen { "seen" } else { "not seen yet" });
        html! { <span class={classes!("mark", seen.then_some("is-seen"))} {title}>{ mark }</span> }
    });
    html! {
        <p class="stack-numbers">
            <span title="its number in the order of visiting">{ "dfnum " }<b>{ row.dfnum }</b></span>
            <span title="the smallest number that is reached from it on the stack; if it is its own, it is the root of a component">
                { "lowlink " }<b>{ row.lowlink }</b>
            </span>
            <span title="edges that have been followed">{ "edges " }<b>{ format!("{}/{}", edges.0, edges.1) }</b></span>
            if *pruned > 0 {
                <span title="parallel edges that are not followed">{ "pruned " }<b>{ pruned }</b></span>
            }
            <span class="stack-marks">{ "marks " }{ for marks }</span>
        </p>
    }
}

fn needs(frame: &FrameView) -> Html {
    if frame.is_complete() {
        return html! { <p class="stack-needs is-complete">{ "Everything that a fair wrong run needs is there." }</p> };
    }
    html! { <p class="stack-needs">{ "Missing for a fair wrong run: " }{ frame.missing() }{ "." }</p> }
}

fn waiting(row: &Row) -> Html {
    if row.waiting.is_empty() {
        return Html::default();
    }
    let mut names: Vec<String> = row.waiting.iter().map(|node| format!("u{}", node.0)).collect();
    if row.more_waiting > 0 {
        names.push(format!("and {} more", row.more_waiting));
    }
    html! {
        <p class="stack-waiting" title="They have been left and stay on the stack until their component is complete">
            { "entered from here, left, still on the stack: " }{ names.join(" ") }
        </p>
    }
}
