//! The text of the algorithm, with the running commands lit.

use crate::view::algorithm::{LINES, focus, lit};
use orbitscope_core::search::Event;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    /// What the last step did; none before the first one.
    pub(crate) event: Option<Event>,
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
                    <span class="algorithm-number">{ command.number() }</span>
                    <span class="algorithm-text">{ line.text }</span>
                </li>
            },
        }
    });
    html! {
        <div class="algorithm">
            <ol class="algorithm-lines">{ for lines }</ol>
            <p class="panel-note">
                { "Numbers are those of the paper: Gyuris & Sistla, On-the-Fly Model Checking Under Fairness That Exploits Symmetry, sections 4.2 to 4.4." }
            </p>
        </div>
    }
}
