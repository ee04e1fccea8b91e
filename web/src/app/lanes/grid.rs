//! The lanes themselves, as a table: a row is a lane, a column a state.

use crate::app::panels::chip;
use crate::engine::run::{Lane, Run, Who};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) run: Rc<Run>,
    /// Whether the lanes are those of the representatives.
    pub(crate) turned: bool,
    /// Whether lanes that never change are left out.
    pub(crate) changes: bool,
    /// The column that is chosen.
    pub(crate) selected: Option<u32>,
    /// The columns that are lit: the one that is chosen, or those of a node that is.
    pub(crate) lit: Vec<u32>,
    pub(crate) on_select: Callback<u32>,
}

#[component]
pub(crate) fn Grid(props: &Props) -> Html {
    let run = &*props.run;
    let turned = run.representatives.as_ref().filter(|_| props.turned);
    let lanes = turned.map_or(&run.lanes, |turned| &turned.lanes);
    let columns = run.columns();
    let on_key = {
        let (on_select, at) = (props.on_select.clone(), props.selected.unwrap_or(0));
        Callback::from(move |event: KeyboardEvent| {
            let to = match event.key().as_str() {
                "ArrowRight" => (at + 1).min(columns - 1),
                "ArrowLeft" => at.saturating_sub(1),
                "Home" => 0,
                "End" => columns - 1,
                _ => return,
            };
            event.prevent_default();
            on_select.emit(to);
            focus_column(&event, to);
        })
    };
    let heads = (0..columns).map(|column| head(props, column));
    let told = lanes.iter().enumerate().filter(|(_, lane)| !props.changes || lane.is_moving());
    let rows = told.map(|(number, lane)| {
        let cells = (0..columns).map(|column| {
            let mover = column.checked_sub(1).and_then(|step| match turned {
                Some(turned) => turned.movers[step as usize],
                None => run.steps[step as usize].lane,
            });
            let moves = mover == Some(number as u32);
            cell(props, lane, column, moves)
        });
        html! {
            <tr class={classes!("lane", (lane.who == Who::Shared).then_some("is-shared"))}>
                <th scope="row" class="lane-name" title={title(run, lane)}>
                    { &lane.name }
                    if lane.count > 1 {
                        <span class="lane-alike">{ format!(" {} alike", lane.count) }</span>
                    }
                    if let Some(vars) = several_vars(run, lane) {
                        <span class="lane-vars">{ vars }</span>
                    }
                </th>
                { for cells }
            </tr>
        }
    });
    html! {
        <div class="lanes-scroll" tabindex="-1">
            <table class="lanes" onkeydown={on_key}>
                <thead>
                    { band(run) }
                    <tr role="row"><th class="lane-name lane-corner" scope="col" title="The states of the run; a step leads from each to the next">{ "state" }</th>{ for heads }</tr>
                </thead>
                <tbody>
                    { for rows }
                    if let Some(turned) = turned {
                        <tr class="lane is-turns">
                            <th scope="row" class="lane-name" title="How the step renumbers the processes">{ "renumbered" }</th>
                            <td></td>
                            { for turned.turns.iter().map(|turn| html! { <td class="lane-turn" title={turn.clone()}><span>{ turn }</span></td> }) }
                        </tr>
                    }
                </tbody>
            </table>
            if run.hidden > 0 {
                <p class="panel-note">{ format!("{} processes more have no lane here", run.hidden) }</p>
            }
        </div>
    }
}

/// The subject of the lane, and the variables that its cells tell.
fn title(run: &Run, lane: &Lane) -> String {
    match &lane.who {
        Who::Shared => format!("{}, shared by all", lane.name),
        Who::Processes(family, _) => {
            let vars = &run.families[*family as usize].vars;
            if vars.is_empty() { lane.name.clone() } else { format!("{}: {}", lane.name, vars.join(", ")) }
        }
    }
}

/// The names of the values in a lane's cells, where there are several.
fn several_vars(run: &Run, lane: &Lane) -> Option<String> {
    let Who::Processes(family, _) = &lane.who else { return None };
    let vars = &run.families[*family as usize].vars;
    (vars.len() > 1).then(|| vars.join(", "))
}

/// The stem and the loop above their columns, the loop with its way back.
fn band(run: &Run) -> Html {
    let Some(start) = run.loop_start else { return Html::default() };
    let long = run.columns() - start;
    html! {
        <tr class="lane-band" aria-hidden="true">
            <th class="lane-name lane-corner"></th>
            if start > 0 {
                <td colspan={start.to_string()} class="band-stem"><span>{ "stem" }</span></td>
            }
            <td colspan={long.to_string()} class="band-loop">
                <span class="band-arrow"></span><span class="band-words">{ "loop, for ever" }</span>
            </td>
        </tr>
    }
}

fn head(props: &Props, column: u32) -> Html {
    let run = &*props.run;
    let chosen = props.selected == Some(column);
    let step = column.checked_sub(1).map(|step| &run.steps[step as usize]);
    let name = step
        .map_or_else(|| "the first state".to_owned(), |step| format!("state {column}, after {}", step.words));
    let first = props.selected.is_none() && column == 0;
    html! {
        <th scope="col" class={classes!("lane-head", run.in_loop(column).then_some("in-loop"),
            props.lit.contains(&column).then_some("is-selected"))}>
            <button type="button" role="radio" class="lane-step" data-column={column.to_string()} title={name.clone()}
                aria-label={name} aria-checked={chosen.to_string()} tabindex={if chosen || first { "0" } else { "-1" }}
                onclick={props.on_select.reform(move |_: MouseEvent| column)}>
                { column }
            </button>
        </th>
    }
}

fn cell(props: &Props, lane: &Lane, column: u32, moves: bool) -> Html {
    let run = &*props.run;
    let changed = lane.changes_at(column);
    let class = classes!(
        "lane-cell",
        run.in_loop(column).then_some("in-loop"),
        (run.loop_start == Some(column)).then_some("is-first"),
        props.lit.contains(&column).then_some("is-selected"),
        changed.then_some("is-changed"),
        moves.then_some("is-mover"),
    );
    let action = column.checked_sub(1).filter(|_| moves).map(|step| &run.steps[step as usize].action);
    html! {
        <td {class} onclick={props.on_select.reform(move |_: MouseEvent| column)}>
            if let Some(action) = action {
                <span class="lane-action">{ action }</span>
            }
            <span class="lane-value">
                { for lane.tints_at(column).iter().map(|&tint| html! { <span class={classes!("tint-chip", chip(tint))}></span> }) }
                { value(lane, column) }
            </span>
        </td>
    }
}

/// The words of a cell; a table with two indices is drawn as one.
fn value(lane: &Lane, column: u32) -> Html {
    let rows = lane.matrix_at(column);
    if rows.is_empty() {
        return html! { { lane.at(column) } };
    }
    let before = column.checked_sub(1).map(|before| lane.matrix_at(before));
    let cell = |row: usize, at: usize, text: &String| {
        let changed = before.is_some_and(|before| before.get(row).and_then(|row| row.get(at)) != Some(text));
        html! { <span class={classes!("matrix-cell", changed.then_some("is-changed"))}>{ text }</span> }
    };
    let line = |(row, texts): (usize, &Vec<String>)| {
        html! { <span class="matrix-row">{ for texts.iter().enumerate().map(|(at, text)| cell(row, at, text)) }</span> }
    };
    html! { <span class="matrix" aria-label={lane.at(column).to_owned()}>{ for rows.iter().enumerate().map(line) }</span> }
}

/// Moves the focus with the choice.
fn focus_column(event: &KeyboardEvent, column: u32) {
    let button = event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        .and_then(|element| element.closest("table").ok().flatten())
        .and_then(|table| table.query_selector(&format!("[data-column='{column}']")).ok().flatten())
        .and_then(|button| button.dyn_into::<HtmlElement>().ok());
    if let Some(button) = button {
        // A button of the table can have the focus.
        let _ = button.focus();
    }
}
