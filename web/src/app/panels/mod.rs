//! The panels of the side. A panel is a file here and an entry in [`PANELS`].

mod algorithm;
mod compare;
mod every;
mod explore;
mod formula;
mod inspect;
mod stack;
mod stage;

pub(super) use stage::chip;

use super::branching::Shown;
use super::tabs;
use crate::session::{Action, Session, Side};
use orbitscope_core::search::log::Snapshot;
use std::rc::Rc;
use yew::prelude::*;

/// The parts of the page's state that a panel is drawn from.
pub(super) struct Context<'a> {
    pub(super) session: &'a UseReducerHandle<Session>,
    /// The search for a fair component at the step that is looked at.
    pub(super) snapshot: Option<Rc<Snapshot>>,
    /// The search of a property of branching time at the step that is looked at.
    pub(super) search: Option<&'a Shown>,
}

impl Context<'_> {
    /// A callback that sends an action to the session.
    fn send<T: 'static>(&self, action: impl Fn(T) -> Action + 'static) -> Callback<T> {
        super::send(self.session, action)
    }
}

/// A panel.
struct Panel {
    side: Side,
    /// Its name on the tab.
    name: fn(&Session) -> &'static str,
    /// A few words on its contents.
    about: &'static str,
    /// Whether it has something to show of what is looked at.
    offered: fn(&Session) -> bool,
    draw: fn(&Context<'_>) -> Html,
}

/// The panels, in the order of their tabs.
static PANELS: [Panel; 8] = [
    formula::PANEL,
    stack::PANEL,
    algorithm::PANEL,
    stage::PANEL,
    explore::PANEL,
    inspect::PANEL,
    every::PANEL,
    compare::PANEL,
];

/// The panel that is shown: the one that was chosen, or the first that has something to show.
fn shown(session: &Session) -> &'static Panel {
    let offered = || PANELS.iter().filter(|panel| (panel.offered)(session));
    offered()
        .find(|panel| panel.side == session.place.side)
        .or_else(|| offered().next())
        .unwrap_or(&PANELS[1])
}

/// The tabs, and the panel that is shown.
pub(super) fn draw(context: &Context<'_>) -> Html {
    let session: &Session = context.session;
    let shown = shown(session);
    let on_pick = context.send(Action::Side);
    let tabs = PANELS.iter().filter(|panel| (panel.offered)(session)).map(|panel| {
        let (side, chosen) = (panel.side, panel.side == shown.side);
        let name = (panel.name)(session);
        html! {
            <button type="button" role="tab" class="tab" title={panel.about} data-side={name} aria-controls="side"
                onclick={on_pick.reform(move |_: MouseEvent| side)} aria-selected={chosen.to_string()}
                tabindex={if chosen { "0" } else { "-1" }}>{ name }</button>
        }
    });
    html! {
        <section class="panel side" aria-label="The search from inside">
            <div class="tabs" role="tablist" aria-label="Side" onkeydown={tabs::on_key()}>{ for tabs }</div>
            <div id="side" class="side-body" role="tabpanel" tabindex="0">{ (shown.draw)(context) }</div>
        </section>
    }
}

/// The name of the panel that is first of what is played, for a small screen.
pub(super) fn first_name(session: &Session) -> &'static str {
    PANELS.iter().find(|panel| (panel.offered)(session)).map_or("Side", |panel| (panel.name)(session))
}
