//! Asking the engine without keeping the page from its other work.

use crate::engine::{CheckedModel, LIMITS};
use crate::session::{Action, Answer, Question, Session};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use yew::platform::{spawn_local, time::sleep};
use yew::prelude::*;

/// How long the engine runs before the page may draw and listen again.
const SLICE_MS: f64 = 8.0;
/// How many states are expanded between two looks at the clock.
const STATES: u32 = 16;

/// Asks the engine whenever the question changes; a question that has changed in the meantime is given up.
#[hook]
pub(super) fn use_engine(session: &UseReducerHandle<Session>) {
    let dispatcher = session.dispatcher();
    use_effect_with(session.question.clone(), move |question| {
        let question = question.clone();
        let given_up = Rc::new(Cell::new(false));
        let cleanup = {
            let given_up = given_up.clone();
            move || given_up.set(true)
        };
        spawn_local(async move {
            if let Some(answer) = answer(&question, &given_up).await {
                dispatcher.dispatch(Action::Answer(question, answer));
            }
        });
        cleanup
    });
}

async fn answer(question: &Question, given_up: &Cell<bool>) -> Option<Answer> {
    let model = match CheckedModel::new(&question.source, &question.settings) {
        Ok(model) => model,
        Err(problems) => return Some(Err(problems.into())),
    };
    let mut search = model.search(LIMITS);
    loop {
        let slice_end = now() + SLICE_MS;
        loop {
            if let Some(answer) = search.advance(STATES) {
                return Some(answer.map(Rc::new).map_err(Rc::from));
            }
            if now() >= slice_end {
                break;
            }
        }
        sleep(Duration::ZERO).await;
        if given_up.get() {
            return None;
        }
    }
}

/// Milliseconds on a clock that never goes back. Without a clock every slice ends at once.
fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(f64::INFINITY, |clock| clock.now())
}
