//! The comparison of methods.

use super::{Context, Panel};
use crate::app::compare;
use crate::session::{Action, Side};
use crate::view;
use yew::prelude::*;

pub(super) const PANEL: Panel = Panel {
    side: Side::Compare,
    name: |_| "Compare",
    about: "What every method needs for this property",
    offered: |_| true,
    draw,
};

fn draw(context: &Context<'_>) -> Html {
    let session = context.session;
    let background = &session.background;
    let params = session.found.info.iter().flat_map(|info| &info.params).map(|param| param.name.clone());
    compare::draw(&compare::Props {
        rows: view::compare::rows(background),
        heads: view::compare::heads(background),
        plot: background.plot.clone(),
        running: background.is_running(),
        current: background.is_about(&session.question, session.property, session.choices),
        property: session.property_name().map(str::to_owned),
        params: params.collect(),
        on_compare: context.send(|()| Action::Compare),
        on_plot: context.send(Action::Plot),
        on_end: context.send(|()| Action::EndCompare),
    })
}
