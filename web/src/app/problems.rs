//! What is wrong with the model, with its place in the text.

use crate::engine::{Place, Problem};
use crate::view::text::caret;
use std::rc::Rc;
use yew::prelude::*;

/// The properties of [`Problems`].
#[derive(PartialEq, Properties)]
pub struct Props {
    /// What is wrong, in the order of the text.
    pub problems: Rc<[Problem]>,
    /// Called with a place that should be shown in the text.
    pub on_locate: Callback<Place>,
}

/// The list of problems; nothing is drawn where there are none.
#[component]
pub fn Problems(props: &Props) -> Html {
    let items = props.problems.iter().map(|problem| {
        html! {
            <li class="problem">
                if let Some(place) = &problem.place {
                    { located(problem, place, &props.on_locate) }
                } else {
                    <p class="problem-message">{ &problem.message }</p>
                }
            </li>
        }
    });
    html! {
        <div id="problems" class="problems" role="status">
            if !props.problems.is_empty() {
                <ol class="problem-list">{ for items }</ol>
            }
        </div>
    }
}

fn located(problem: &Problem, place: &Place, on_locate: &Callback<Place>) -> Html {
    let on_click = {
        let place = place.clone();
        on_locate.reform(move |_: MouseEvent| place.clone())
    };
    html! {
        <>
            <p class="problem-message">
                <button type="button" class="problem-place" onclick={on_click} title="Show in the text">
                    { format!("{}:{}", place.line, place.column) }
                </button>
                { " " }{ &problem.message }
            </p>
            <pre class="problem-excerpt" aria-hidden="true">
                { &place.excerpt }{ "\n" }<span class="problem-caret">{ caret(place) }</span>
            </pre>
        </>
    }
}
