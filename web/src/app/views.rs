//! The choice of the graph, each with its size.

use crate::engine::GraphKind;
use yew::prelude::*;

pub(crate) struct Props {
    /// The graphs with their sizes in words.
    pub(crate) sizes: Vec<(GraphKind, String)>,
    /// The graph that is shown; none where a diagram is.
    pub(crate) shown: Option<GraphKind>,
    /// How large the diagram is that can be shown instead, in words; none where there is no symbolic search.
    pub(crate) diagram: Option<String>,
    pub(crate) on_pick: Callback<GraphKind>,
    pub(crate) on_diagram: Callback<()>,
}

pub(crate) fn draw(props: &Props) -> Html {
    let tabs = props.sizes.iter().map(|(of, size)| {
        let of = *of;
        let on_click = props.on_pick.reform(move |_: MouseEvent| of);
        html! {
            <button type="button" role="tab" class="tab" onclick={on_click} title={of.about()}
                data-view={of.name()} aria-selected={(Some(of) == props.shown).to_string()} aria-controls="picture"
                tabindex={if Some(of) == props.shown { "0" } else { "-1" }}>
                { of.name() }
                if !size.is_empty() {
                    { " " }<span class="tab-count">{ size }</span>
                }
            </button>
        }
    });
    let on_diagram = props.on_diagram.reform(|_: MouseEvent| ());
    html! {
        <div class="tabs views" role="tablist" aria-label="Graph" onkeydown={super::tabs::on_key()}>
            { for tabs }
            if let Some(size) = &props.diagram {
                <button type="button" role="tab" class="tab" onclick={on_diagram} data-view="BDD" aria-controls="picture"
                    title="A set of states of the symbolic search as a decision diagram"
                    aria-selected={props.shown.is_none().to_string()} tabindex={if props.shown.is_none() { "0" } else { "-1" }}>
                    { "BDD " }<span class="tab-count">{ size }</span>
                </button>
            }
        </div>
    }
}
