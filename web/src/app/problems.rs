//! The errors of the model, with their places in the text.

use crate::engine::{Place, Problem};
use crate::session::Item;
use crate::view::text::caret;
use std::rc::Rc;
use yew::prelude::*;

/// The properties of [`Problems`].
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The errors, in the order of the text.
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

/// The first of what is wrong, always in sight: wherever the text is scrolled to, and whichever part a small screen shows.
pub(super) fn strip(problems: &[Problem], faults: &[Problem], on_select: &Callback<Option<Item>>) -> Html {
    let shown = if problems.is_empty() { faults } else { problems };
    let Some(first) = shown.first() else { return Html::default() };
    let more = shown.len() - 1;
    let locate = first.place.as_ref().map(|place| {
        let line = place.line;
        let on_click = on_select.reform(move |_: MouseEvent| Some(Item::SourceLine(line)));
        html! { <button type="button" class="problem-place" onclick={on_click}>{ format!("line {line}") }</button> }
    });
    html! {
        <p class="problem-strip" role="status">
            { for locate }{ " " }{ &first.message }
            if more > 0 {
                <span class="problem-more">{ format!(" and {more} more") }</span>
            }
        </p>
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
