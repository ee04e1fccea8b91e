//! The tabs at the bottom of a small screen.

use crate::session::Screen;
use yew::prelude::*;

const SCREENS: [(Screen, &str); 4] =
    [(Screen::Model, "Model"), (Screen::Graph, "Graph"), (Screen::Run, "Run"), (Screen::Side, "Stack")];

/// The class of the page while it shows this part.
pub(crate) fn class(screen: Screen) -> &'static str {
    match screen {
        Screen::Model => "shows-model",
        Screen::Graph => "shows-graph",
        Screen::Run => "shows-run",
        Screen::Side => "shows-side",
    }
}

pub(crate) struct Props {
    pub(crate) shown: Screen,
    /// Whether the side shows iterations instead of a stack.
    pub(crate) symbolic: bool,
    pub(crate) on_pick: Callback<Screen>,
}

pub(crate) fn draw(props: &Props) -> Html {
    let tabs = SCREENS.map(|(screen, name)| {
        let name = if screen == Screen::Side && props.symbolic { "Iterations" } else { name };
        let on_click = props.on_pick.reform(move |_: MouseEvent| screen);
        html! {
            <button type="button" class="tab" onclick={on_click}
                aria-current={(screen == props.shown).then_some("page")}>{ name }</button>
        }
    });
    html! { <nav class="screens" aria-label="Parts of the page">{ for tabs }</nav> }
}
