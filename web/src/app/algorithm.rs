//! The text of the algorithm, with the running commands lit.

use crate::session::Halt;
use crate::view::algorithm::{LINES, focus, lit};
use orbitscope_core::search::{Command, Event};
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    /// The event of the last step; none before the first one.
    pub(crate) event: Option<Event>,
    pub(crate) halts: Rc<[Halt]>,
    pub(crate) on_halt: Callback<Halt>,
}

#[component]
pub(crate) fn Algorithm(props: &Props) -> Html {
    let (lit, focus) = (lit(props.event), props.event.and_then(focus));
    let lines = LINES.iter().enumerate().map(|(number, line)| {
        let indent = format!("indent-{}", line.indent);
        match line.command {
            None => html! { <li class="algorithm-heading">{ line.text }</li> },
            Some(command) => html! {
                <li class={classes!("algorithm-line", indent, lit[number].then_some("is-lit"),
                        (focus == Some(number)).then_some("is-focus"))}
                    aria-current={(focus == Some(number)).then_some("step")}>
                    { number_of(command, props) }
                    <span class="algorithm-text">{ line.text }</span>
                </li>
            },
        }
    });
    html! {
        <div class="algorithm">
            <ol class="algorithm-lines">{ for lines }</ol>
            <p class="panel-note">
                { "A click on a number: playing halts at that line. Numbers are those of the paper: Gyuris & Sistla, On-the-Fly Model Checking Under Fairness That Exploits Symmetry, sections 4.2 to 4.4." }
            </p>
        </div>
    }
}

/// The number of a line; playing halts at a line whose number was chosen.
fn number_of(command: Command, props: &Props) -> Html {
    let halt = Halt::Line(command);
    let on_click = props.on_halt.reform(move |_: MouseEvent| halt);
    html! {
        <button type="button" class="algorithm-number" aria-pressed={props.halts.contains(&halt).to_string()}
            title="Halt here while playing" aria-label={format!("Halt at {}", halt.name())} onclick={on_click}>
            { command.number() }
        </button>
    }
}
