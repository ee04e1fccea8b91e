//! The tabs at the bottom of a small screen.

use crate::session::Screen;
use yew::prelude::*;

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
    /// The name of what stands at the side.
    pub(crate) side: &'static str,
    pub(crate) on_pick: Callback<Screen>,
}

pub(crate) fn draw(props: &Props) -> Html {
    let screens = [
        (Screen::Model, "Model"),
        (Screen::Graph, "Graph"),
        (Screen::Run, "Run"),
        (Screen::Side, props.side),
    ];
    let tabs = screens.map(|(screen, name)| {
        let on_click = props.on_pick.reform(move |_: MouseEvent| screen);
        html! {
            <button type="button" class="tab" onclick={on_click}
                aria-current={(screen == props.shown).then_some("page")}>{ name }</button>
        }
    });
    html! { <nav class="screens" aria-label="Parts of the page">{ for tabs }</nav> }
}
