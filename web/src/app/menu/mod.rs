//! The menus for the whole: open, share, take away, learn.

mod open;
mod share;
mod takeaway;

pub(super) use takeaway::use_documents;

use crate::app::graph::Sight;
use crate::session::Session;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) session: UseReducerHandle<Session>,
    /// The graph as it is seen.
    pub(crate) seen: Sight,
    /// The words on the button that starts the tour, and what it does.
    pub(crate) tour: AttrValue,
    pub(crate) on_tour: Callback<()>,
}

#[component]
pub(crate) fn Menus(props: &Props) -> Html {
    let on_tour = props.on_tour.reform(|_: MouseEvent| ());
    html! {
        <nav class="menus" aria-label="Open, share, take away, learn">
            <open::Open session={props.session.clone()} />
            <share::Share session={props.session.clone()} />
            <takeaway::TakeAway session={props.session.clone()} seen={props.seen.clone()} />
            <button type="button" id="tour-open" class="button" onclick={on_tour}>{ &props.tour }</button>
        </nav>
    }
}

/// A panel that a button opens; it closes with Escape and by a click elsewhere.
fn menu(id: &'static str, name: &'static str, on_open: Callback<MouseEvent>, body: Html) -> Html {
    let (panel, heading) = (format!("menu-{id}"), format!("menu-{id}-heading"));
    html! {
        <>
            <button type="button" class="button" data-menu={id} popovertarget={panel.clone()} onclick={on_open}>
                { name }
            </button>
            <div id={panel} class="menu" popover="auto" role="dialog" aria-labelledby={heading.clone()}>
                <h2 id={heading} class="menu-heading">{ name }</h2>
                { body }
            </div>
        </>
    }
}
