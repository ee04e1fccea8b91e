//! The program, walked through by hand.

use super::Panel;
use crate::app::explore::Explore;
use crate::session::{Action, Side};
use crate::view;
use yew::prelude::*;

pub(super) const PANEL: Panel = Panel {
    side: Side::Explore,
    name: |_| "Explore",
    about: "Take steps yourself, one after the other",
    offered: |_| true,
    draw: |context| {
        let on_stride = context.send(Action::Walk);
        html! { <Explore shown={view::explore::shown(context.session)} {on_stride} /> }
    },
};
