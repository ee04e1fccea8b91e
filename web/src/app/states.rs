//! The table of states, and the steps from the selected one.

use crate::engine::{Analysis, Next, StateId};
use crate::session::Item;
use crate::view::states::{Details, StateRow, details, rows};
use crate::view::text;
use std::rc::Rc;
use yew::prelude::*;

/// How many rows are added at a time.
const PAGE: u32 = 100;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) analysis: Rc<Analysis>,
    pub(crate) selected: Option<Item>,
    pub(crate) hovered: Option<Item>,
    pub(crate) on_select: Callback<Option<Item>>,
    pub(crate) on_hover: Callback<Option<Item>>,
}

#[component]
pub(crate) fn States(props: &Props) -> Html {
    let limit = use_state_eq(|| PAGE);
    let graph = &props.analysis.graph;
    let all = use_memo(props.analysis.clone(), |analysis| rows(&analysis.graph, u32::MAX));
    let shown = all.iter().take(*limit as usize);
    let chosen = props.selected.and_then(|Item::State(state)| details(graph, state));
    let on_more = {
        let limit = limit.clone();
        move |_| limit.set(*limit + PAGE)
    };
    let left = all.len().saturating_sub(*limit as usize);
    html! {
        <section class="panel states" aria-labelledby="states-heading">
            <h2 id="states-heading" class="panel-heading">{ "States" }</h2>
            <div class="details" aria-live="polite">
                if let Some(details) = chosen {
                    { chosen_state(&details, &props.on_select) }
                } else {
                    <p class="details-hint">{ "Choose a state to see its steps." }</p>
                }
            </div>
            <div class="states-scroll" tabindex="0" role="region" aria-labelledby="states-heading">
                <table class="states-table">
                    <thead>
                        <tr>
                            <th scope="col" class="number">{ "No." }</th>
                            <th scope="col">{ "Values" }</th>
                            <th scope="col" class="number" title="Distance from the initial states">{ "Depth" }</th>
                            <th scope="col" class="number" title="Steps that lead away from it">{ "Steps" }</th>
                        </tr>
                    </thead>
                    <tbody>{ for shown.map(|row| table_row(row, props)) }</tbody>
                </table>
                if left > 0 {
                    <button type="button" class="button states-more" onclick={on_more}>
                        { format!("Show more ({} left)", text::count(left)) }
                    </button>
                }
            </div>
        </section>
    }
}

fn table_row(row: &StateRow, props: &Props) -> Html {
    let item = Item::State(row.state);
    let is_selected = props.selected == Some(item);
    let class = classes!(
        is_selected.then_some("is-selected"),
        (props.hovered == Some(item)).then_some("is-hovered"),
        (row.next == Next::Deadlock).then_some("is-deadlock"),
    );
    let choose = props.on_select.reform(move |_: MouseEvent| Some(item));
    html! {
        <tr key={row.state.0} {class} onclick={choose}
            onpointerenter={props.on_hover.reform(move |_| Some(item))}
            onpointerleave={props.on_hover.reform(|_| None)}>
            <td class="number">
                <button type="button" class="state-number" aria-pressed={is_selected.to_string()}>
                    { row.state.0 }
                </button>
            </td>
            <td class="values">
                { &row.label }
                if row.next == Next::Deadlock {
                    <span class="tag is-bad">{ "deadlock" }</span>
                }
            </td>
            <td class="number">{ row.depth }</td>
            <td class="number">{ row.steps }</td>
        </tr>
    }
}

fn chosen_state(details: &Details, on_select: &Callback<Option<Item>>) -> Html {
    let go = |state: StateId| on_select.reform(move |_: MouseEvent| Some(Item::State(state)));
    let steps = details.steps.iter().map(|(action, to, label)| {
        html! {
            <li>
                <button type="button" class="step" onclick={go(*to)}>
                    <span class="step-action">{ action }</span>
                    <span class="step-target">{ label }</span>
                </button>
            </li>
        }
    });
    html! {
        <>
            <p class="details-title">
                <span class="details-number">{ format!("State {}", details.state.0) }</span>
                <span class="details-values">{ &details.label }</span>
            </p>
            if details.next == Next::Deadlock {
                <p class="details-hint is-bad">{ "Deadlock: no process can move." }</p>
            } else {
                <ol class="steps">{ for steps }</ol>
            }
            if details.next == Next::Unknown {
                <p class="details-hint">{ "Its steps are not all known: the limit of the exploration came first." }</p>
            }
            <p class="details-hint">{ format!("Reached by {}.", text::counted(details.arrivals as usize, "step")) }</p>
        </>
    }
}
