//! A state, looked at closely: its values, what changed, its steps, its orbit, and what is watched along the run.

use super::stage::chip;
use super::{Context, Panel};
use crate::app::line::Line;
use crate::engine::{Inspected, InspectedRow, InspectedValue, Watched};
use crate::session::{Action, Item, Look, Session, Side};
use crate::view::inspect::{Timeline, timeline, title};
use crate::view::text::counted;
use std::rc::Rc;
use yew::prelude::*;

pub(super) const PANEL: Panel = Panel {
    side: Side::Inspect,
    name: |_| "Inspect",
    about: "All values of a state, its steps, its orbit, and expressions to watch",
    offered: |_| true,
    draw,
};

fn draw(context: &Context<'_>) -> Html {
    let session: &Session = context.session;
    let on_look = context.send(Action::Look);
    let at = match session.pointer.selected {
        Some(Item::RunStep(column)) => Some(column),
        _ => None,
    };
    html! {
        <div class="inspect">
            <Line id="inspect-seek" label="Find" words={session.looking.sought.clone()} button="Find" keeps=true
                hint="states where an expression holds" on_line={on_look.reform(Look::Seek)} />
            { sought(session, &on_look) }
            <Line id="inspect-watch" label="Watch" words={Rc::<str>::from("")} button="Watch" keeps=false
                hint="a condition or a number" on_line={on_look.reform(Look::Watch)} />
            { for watched(session, at, &on_look, &context.send(Action::Select)) }
            <h3 class="inspect-title">{ title(session) }</h3>
            { match session.inspected() {
                None => html! { <p class="panel-note">{ "Choose a state: a node of a graph, or a column of a run." }</p> },
                Some(Err(why)) => html! { <p class="explore-trouble" role="status">{ &**why }</p> },
                Some(Ok(found)) => state(found, session.is_inspected()),
            } }
        </div>
    }
}

/// How many nodes were found, or what is wrong with the condition.
fn sought(session: &Session, on_look: &Callback<Look>) -> Html {
    let clear = on_look.reform(|_: MouseEvent| Look::Seek("".into()));
    match session.sought() {
        None => Html::default(),
        Some(Err(why)) => html! { <p class="explore-trouble" role="status">{ &**why }</p> },
        Some(Ok(found)) => html! {
            <p class="inspect-found" role="status">
                { format!("It holds in {} of the graph.", counted(found.len() as u64, "node")) }
                <button type="button" class="button is-small" onclick={clear}>{ "Show all" }</button>
            </p>
        },
    }
}

/// The watched expressions, as timelines.
fn watched(
    session: &Session,
    at: Option<u32>,
    on_look: &Callback<Look>,
    on_select: &Callback<Option<Item>>,
) -> Vec<Html> {
    let known = session.inspected().and_then(|found| found.as_ref().ok());
    let row = |(number, words): (u32, &Rc<str>)| {
        let answer = known.and_then(|found| found.watches.get(number as usize));
        let drop = on_look.reform(move |_: MouseEvent| Look::Unwatch(number));
        html! {
            <div class="watch" data-watch={words.to_string()}>
                <code class="watch-words">{ &**words }</code>
                <button type="button" class="watch-drop" aria-label={format!("Watch {words} no longer")} title="Watch this no longer" onclick={drop}>{ "×" }</button>
                { match answer {
                    None => Html::default(),
                    Some(Err(why)) => html! { <p class="explore-trouble" role="status">{ why }</p> },
                    Some(Ok(values)) => line(&timeline(values), at, on_select),
                } }
            </div>
        }
    };
    (0..).zip(session.looking.watches.iter()).map(row).collect()
}

fn line(line: &Timeline, at: Option<u32>, on_select: &Callback<Option<Item>>) -> Html {
    if let [(_, one)] = line.pieces.as_slice()
        && line.columns == 1
    {
        return html! { <span class="watch-value">{ word(*one) }</span> };
    }
    let width = (line.columns * 16).to_string();
    let pieces = line.pieces.iter().enumerate().map(|(number, &(from, value))| {
        let to = line.pieces.get(number + 1).map_or(line.columns, |next| next.0);
        let class = match value {
            Watched::Truth(true) => "is-true",
            Watched::Truth(false) => "is-false",
            Watched::Number(_) => "is-number",
            Watched::Wrong => "is-wrong",
        };
        let on_click = on_select.reform(move |_: MouseEvent| Some(Item::RunStep(from)));
        html! {
            <g class={classes!("watch-piece", class)} onclick={on_click}>
                <title>{ format!("from state {from}: {}", word(value)) }</title>
                <rect x={(from * 16).to_string()} y={format!("{:.1}", 20.0 - line.height(value) * 18.0)}
                    width={((to - from) * 16).to_string()} height={format!("{:.1}", line.height(value) * 18.0 + 2.0)} />
                if let Watched::Number(number) = value {
                    <text x={(from * 16 + 2).to_string()} y="20">{ number }</text>
                }
            </g>
        }
    });
    html! {
        <div class="watch-scroll">
            <svg class="watch-line" {width} height="24" role="img" aria-label={line.words()}>
                { for pieces }
                if let Some(at) = at {
                    <rect class="watch-now" x={(at * 16).to_string()} y="0" width="16" height="24" />
                }
            </svg>
        </div>
    }
}

fn word(value: Watched) -> String {
    match value {
        Watched::Truth(holds) => if holds { "true" } else { "false" }.into(),
        Watched::Number(number) => number.to_string(),
        Watched::Wrong => "an error".into(),
    }
}

fn state(found: &Inspected, current: bool) -> Html {
    let steps = &found.steps;
    let (enabled, all) = steps.enabled;
    html! {
        <div class={classes!("inspect-state", (!current).then_some("is-old"))}>
            <table class="inspect-values">
                <tbody>{ for found.rows.iter().map(row) }</tbody>
            </table>
            if found.more_rows > 0 {
                <p class="panel-note">{ format!("and {} rows more", found.more_rows) }</p>
            }
            <dl class="inspect-facts">
                if let Some(orbit) = &found.orbit {
                    <dt>{ "Orbit" }</dt>
                    <dd>{ if orbit == "1" { "this state alone".to_owned() } else { format!("{orbit} states") } }</dd>
                    <dt>{ "Representative" }</dt>
                    <dd>
                        if found.perm.is_empty() {
                            { "this state itself" }
                        } else {
                            <code>{ found.representative.join(" · ") }</code>{ " by " }<code>{ &found.perm }</code>
                        }
                    </dd>
                }
                <dt>{ "Can move" }</dt>
                <dd>{ format!("{enabled} of {}", counted(all.into(), "process")) }</dd>
            </dl>
            if let Some(fault) = &steps.fault {
                <p class="explore-trouble">{ fault }</p>
            }
            <ul class="inspect-steps" aria-label="Steps of this state">
                { for steps.kinds.iter().map(|kind| html! {
                    <li><code>{ kind.steps.first().map_or("", |(_, words)| words) }</code>
                        if kind.count > 1 { <span class="panel-note">{ format!(" {} alike", kind.count) }</span> }
                    </li>
                }) }
            </ul>
        </div>
    }
}

fn row(row: &InspectedRow) -> Html {
    let who = if row.who.is_empty() { "shared" } else { &row.who };
    html! {
        <tr>
            <th scope="row" class={classes!("inspect-who", row.who.is_empty().then_some("is-shared"))}>{ who }</th>
            <td>{ for row.values.iter().map(value) }</td>
        </tr>
    }
}

fn value(value: &InspectedValue) -> Html {
    html! {
        <span class={classes!("inspect-value", value.before.is_some().then_some("is-changed"))}>
            <span class="inspect-name">{ &value.name }</span>
            if let Some(tint) = value.tint {
                <span class={classes!("tint-chip", chip(tint))}></span>
            }
            if let Some(before) = &value.before {
                <s>{ before }</s>{ " " }
            }
            <b>{ &value.text }</b>
        </span>
    }
}
