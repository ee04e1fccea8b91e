//! The fairness ledger: why the loop treats every process fairly.

use crate::engine::run::{Reason, Run};
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) run: Rc<Run>,
    pub(crate) selected: Option<u32>,
    pub(crate) on_select: Callback<u32>,
}

#[component]
pub(crate) fn Ledger(props: &Props) -> Html {
    let run = &*props.run;
    let lines = run.ledger.iter().map(|account| {
        let lane = &run.lanes[account.lane as usize];
        let words = account.reason.words(account.step);
        // A step is shown by the state it leads to; a process that cannot move, by the state in which it cannot.
        let column = account.step.map(|step| if account.reason == Reason::Executes { step + 1 } else { step });
        html! {
            <li class={classes!("ledger-line", (column.is_some() && column == props.selected).then_some("is-selected"))}>
                <span class="ledger-name">{ &lane.name }</span>
                if let Some(column) = column {
                    <button type="button" class="ledger-step" onclick={props.on_select.reform(move |_: MouseEvent| column)}>
                        { words }
                    </button>
                } else {
                    <span>{ words }</span>
                }
            </li>
        }
    });
    html! {
        <div class="ledger">
            <h3 class="ledger-title">{ "Fairness ledger" }</h3>
            <p class="panel-note">{ "Why the loop is fair to each process." }</p>
            <ul class="ledger-lines">{ for lines }</ul>
        </div>
    }
}
