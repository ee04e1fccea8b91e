//! The choice of the graph, each with its size.

use crate::engine::GraphKind;
use yew::prelude::*;

pub(crate) struct Props {
    /// The graphs with their sizes in words.
    pub(crate) sizes: Vec<(GraphKind, String)>,
    pub(crate) shown: GraphKind,
    pub(crate) on_pick: Callback<GraphKind>,
}

pub(crate) fn draw(props: &Props) -> Html {
    let tabs = props.sizes.iter().map(|(of, size)| {
        let of = *of;
        let on_click = props.on_pick.reform(move |_: MouseEvent| of);
        html! {
            <button type="button" role="tab" class="tab" onclick={on_click} title={of.about()}
                data-view={of.name()} aria-selected={(of == props.shown).to_string()} aria-controls="picture">
                { of.name() }
                if !size.is_empty() {
                    { " " }<span class="tab-count">{ size }</span>
                }
            </button>
        }
    });
    html! { <div class="tabs views" role="tablist" aria-label="Graph">{ for tabs }</div> }
}
