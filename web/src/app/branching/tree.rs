//! The tree of a formula: choosing a subformula marks its states.

use crate::view::branching::{Share, TreeRow};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) rows: Vec<TreeRow>,
    /// The part of the chosen subformula, in sentences.
    pub(crate) about: Vec<String>,
    /// Whether the formula has more subformulas.
    pub(crate) cut: bool,
    /// Where there is nothing to play: why.
    pub(crate) note: Option<String>,
    pub(crate) on_choose: Callback<u32>,
}

#[component]
pub(crate) fn Formula(props: &Props) -> Html {
    let on_key = {
        let (on_choose, last) = (props.on_choose.clone(), props.rows.len().saturating_sub(1) as u32);
        let at = props.rows.iter().find(|row| row.chosen).map_or(0, |row| row.number);
        Callback::from(move |event: KeyboardEvent| {
            let to = match event.key().as_str() {
                "ArrowDown" => (at + 1).min(last),
                "ArrowUp" => at.saturating_sub(1),
                _ => return,
            };
            event.prevent_default();
            on_choose.emit(to);
            focus(&event, to);
        })
    };
    html! {
        <div class="formula">
            <p class="panel-note">
                { "Choose a subformula: the states in which it holds are marked in the graph. Up and down go through them." }
            </p>
            <div class="formula-tree" onkeydown={on_key} role="group" aria-label="Subformulas">
                { branch(&props.rows, &props.on_choose) }
            </div>
            if props.cut {
                <p class="panel-note"><span class="tag is-partial">{ "partial" }</span>{ " The formula has more subformulas than are listed." }</p>
            }
            <div class="formula-about" role="status">
                { for props.about.iter().map(|said| html! { <p>{ said }</p> }) }
            </div>
            if let Some(note) = &props.note {
                <p class="panel-note">{ note }</p>
            }
        </div>
    }
}

/// Rows as nested lists. It nests as deep as the formula does.
fn branch(rows: &[TreeRow], on_choose: &Callback<u32>) -> Html {
    let Some(depth) = rows.first().map(|row| row.depth) else { return Html::default() };
    let mut items = Vec::new();
    let mut rest = rows;
    while let Some((row, after)) = rest.split_first() {
        let end = after.iter().position(|next| next.depth <= depth).unwrap_or(after.len());
        items.push(html! {
            <li key={row.number}>{ node(row, on_choose) }{ branch(&after[..end], on_choose) }</li>
        });
        rest = &after[end..];
    }
    html! { <ul class="formula-list">{ for items }</ul> }
}

fn node(row: &TreeRow, on_choose: &Callback<u32>) -> Html {
    let number = row.number;
    let share = match row.share {
        Share::All => "is-all",
        Share::None => "is-none",
        Share::Some => "is-some",
    };
    html! {
        <button type="button" class={classes!("formula-node", row.under_way.then_some("is-under-way"))}
            aria-pressed={row.chosen.to_string()} data-sub={number.to_string()}
            onclick={on_choose.reform(move |_: MouseEvent| number)}>
            <code class="formula-words">{ &row.words }</code>
            <span class={classes!("formula-count", share)}>{ &row.count }</span>
            if row.other_part {
                <span class="tag">{ "another graph" }</span>
            }
            if row.under_way {
                <span class="tag is-searched-now">{ "being searched" }</span>
            }
        </button>
    }
}

/// Moves the focus with the choice.
fn focus(event: &KeyboardEvent, number: u32) {
    let button = event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        .and_then(|element| element.closest(".formula-tree").ok().flatten())
        .and_then(|tree| tree.query_selector(&format!("[data-sub='{number}']")).ok().flatten())
        .and_then(|button| button.dyn_into::<HtmlElement>().ok());
    if let Some(button) = button {
        // A button can have the focus.
        let _ = button.focus();
    }
}
