//! The search from inside: its stack, its iterations, or the stacks of a property of branching time.

use super::{Context, Panel};
use crate::app::{branching, stack, symbolic};
use crate::engine::GraphKind;
use crate::session::{Action, Mode, Side};
use crate::view;
use yew::prelude::*;

pub(super) const PANEL: Panel = Panel {
    side: Side::Stack,
    name: |session| if session.choices.is_symbolic() { "Iterations" } else { "Stack" },
    about: "The nodes that the search is in, and what it knows there",
    offered: |_| true,
    draw,
};

fn draw(context: &Context<'_>) -> Html {
    let session = context.session;
    match (session.mode(), &context.snapshot) {
        (Mode::Iterations(found), _) => {
            let Some(checked) = session.answer() else { return Html::default() };
            html! {
                <symbolic::IterationPanel property={session.property_name().unwrap_or_default().to_owned()}
                    found={found.clone()} checked={checked.clone()} step={session.play.player.step} />
            }
        }
        (Mode::Branching(None), _) => {
            html! { <p class="picture-none">{ view::branching::why_nothing(session) }</p> }
        }
        (Mode::Branching(Some(_)), _) => {
            let about = view::branching::about_search(session);
            let Some(shown) = context.search else { return html! { <p class="picture-none">{ about }</p> } };
            html! {
                <branching::Stacks frame={shown.frame.clone()} of={session.graph(GraphKind::Aqsi)} {about}
                    selected={session.pointer.selected} hovered={session.pointer.hovered}
                    on_select={context.send(Action::Select)} on_hover={context.send(Action::Hover)} />
            }
        }
        (Mode::Search(film), Some(snapshot)) => html! {
            <stack::Stack film={film.clone()} snapshot={snapshot.clone()}
                selected={session.seen_in(session.pointer.selected, GraphKind::Product)}
                hovered={session.seen_in(session.pointer.hovered, GraphKind::Product)}
                on_select={context.send(Action::Select)} on_hover={context.send(Action::Hover)} />
        },
        _ => html! { <p class="picture-none">{ view::summary::why_no_search(session) }</p> },
    }
}
