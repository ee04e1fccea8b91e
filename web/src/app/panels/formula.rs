//! The tree of a formula of branching time.

use super::{Context, Panel};
use crate::app::branching;
use crate::session::{Action, Branch, Side};
use crate::view;
use yew::prelude::*;

pub(super) const PANEL: Panel = Panel {
    side: Side::Formula,
    name: |_| "Formula",
    about: "The subformulas, and where each of them holds",
    offered: |session| !session.choices.is_symbolic() && session.looks_branching(),
    draw,
};

fn draw(context: &Context<'_>) -> Html {
    let (session, search) = (context.session, context.search);
    let Some(found) = session.branching() else {
        return html! { <p class="picture-none">{ view::branching::why_nothing(session) }</p> };
    };
    let about = view::branching::about_search(session);
    html! {
        <branching::Formula rows={view::branching::tree(session, search.map(|shown| &*shown.frame))}
            about={view::branching::about_part(session)} cut={found.cut}
            note={session.score().is_none().then_some(about)}
            on_choose={context.send(|node| Action::Branch(Branch::Choose(node)))} />
    }
}
