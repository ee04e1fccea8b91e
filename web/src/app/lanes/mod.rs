//! The counterexample as lanes: one for each process, time to the right.

mod grid;
mod ledger;

use crate::engine::GraphKind;
use crate::engine::run::Run;
use crate::session::Item;
use grid::Grid;
use ledger::Ledger;
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) title: AttrValue,
    /// The subject of the run: the name of a property, or an error.
    pub(crate) about: AttrValue,
    pub(crate) run: Rc<Run>,
    /// Whether it shows that something holds.
    #[prop_or_default]
    pub(crate) good: bool,
    pub(crate) selected: Option<Item>,
    pub(crate) on_select: Callback<Option<Item>>,
}

#[component]
pub(crate) fn Lanes(props: &Props) -> Html {
    let turned = use_state(|| false);
    let folded = use_state(|| false);
    let changes = use_state(|| false);
    let only_changes = {
        let changes = changes.clone();
        Callback::from(move |_: MouseEvent| changes.set(!*changes))
    };
    let run = &props.run;
    let known = run.representatives.is_some();
    let set_turned = |to: bool| {
        let turned = turned.clone();
        Callback::from(move |_: MouseEvent| turned.set(to))
    };
    let toggle = {
        let folded = folded.clone();
        Callback::from(move |_: MouseEvent| folded.set(!*folded))
    };
    let column = match props.selected {
        Some(Item::RunStep(column)) => Some(column),
        _ => None,
    };
    // A node of the product is a state of the run, or several.
    let lit: Vec<u32> = match props.selected {
        Some(Item::Node(GraphKind::Product, node)) => (0..)
            .zip(&run.nodes)
            .filter(|(_, at)| at.is_some_and(|at| at.0 == node.0))
            .map(|(column, _)| column)
            .collect(),
        _ => column.into_iter().collect(),
    };
    let on_column = props.on_select.reform(|column: u32| Some(Item::RunStep(column)));
    html! {
        <section class={classes!("panel", "run", folded.then_some("is-folded"), props.good.then_some("is-witness"))} aria-labelledby="run-heading">
            <div class="run-head">
                <h2 id="run-heading" class="run-title">
                    <button type="button" class="run-fold" aria-expanded={(!*folded).to_string()} onclick={toggle}>
                        { &props.title }
                    </button>
                </h2>
                <p class="run-about">{ &props.about }{ ": " }{ run.summary() }</p>
                if run.lanes.iter().any(|lane| !lane.is_moving()) {
                    <button type="button" class="toggle is-alone" aria-pressed={changes.to_string()}
                        title="Lanes that never change are left out" onclick={only_changes}>{ "changes only" }</button>
                }
                if known {
                    <div class="run-toggle" role="group" aria-label="Numbers of the processes">
                        <button type="button" class="toggle" aria-pressed={(!*turned).to_string()}
                            title="Each lane is one process of the program" onclick={set_turned(false)}>
                            { "program's processes" }
                        </button>
                        <button type="button" class="toggle" aria-pressed={turned.to_string()}
                            title="Each lane is one place of the representative that stands for the state; steps renumber the processes"
                            onclick={set_turned(true)}>
                            { "representatives" }
                        </button>
                    </div>
                }
            </div>
            if !*folded {
                <div class="run-body">
                    <Grid run={run.clone()} turned={*turned && known} changes={*changes} selected={column} {lit} on_select={on_column.clone()} />
                    if !run.ledger.is_empty() {
                        <Ledger run={run.clone()} selected={column} on_select={on_column} />
                    }
                </div>
            }
        </section>
    }
}
