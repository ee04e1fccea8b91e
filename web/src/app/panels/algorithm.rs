//! The text of the algorithm, with the running commands lit.

use super::{Context, Panel};
use crate::app::algorithm::Algorithm;
use crate::session::{Action, Side};
use crate::view;
use yew::prelude::*;

pub(super) const PANEL: Panel = Panel {
    side: Side::Algorithm,
    name: |_| "Algorithm",
    about: "The commands of the search, with the running ones lit",
    offered: |session| !session.choices.is_symbolic() && !session.looks_branching(),
    draw,
};

fn draw(context: &Context<'_>) -> Html {
    let (Some(film), Some(snapshot)) = (context.session.film(), &context.snapshot) else {
        return html! { <p class="picture-none">{ view::summary::why_no_search(context.session) }</p> };
    };
    let last = snapshot.step.checked_sub(1).map(|last| film.log.steps()[last as usize].event);
    let halts = context.session.play.halts.clone();
    html! { <Algorithm event={last} {halts} on_halt={context.send(Action::Halt)} /> }
}
