//! The tab of the answers for every size.

use super::Panel;
use crate::app::every::Every;
use crate::session::{Action, Side};
use yew::prelude::*;

pub(super) const PANEL: Panel = Panel {
    side: Side::Every,
    name: |_| "Every n",
    about: "Whether the property holds whatever the number of processes, and how that is found out",
    offered: |session| session.found.info.as_ref().is_some_and(|info| !info.params.is_empty()),
    draw: |context| {
        let on_act = context.send(Action::Every);
        html! { <Every session={(**context.session).clone()} {on_act} /> }
    },
};
