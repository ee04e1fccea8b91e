//! The choice of a built-in model.

use super::elsewhere::Elsewhere;
use crate::engine::{self, Model};
use crate::session::Opening;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) model: Model,
    pub(crate) edited: bool,
    pub(crate) on_pick: Callback<Model>,
    pub(crate) on_open: Callback<Opening>,
}

#[component]
pub(crate) fn Gallery(props: &Props) -> Html {
    let cards = engine::models().iter().map(|&model| {
        let on_pick = props.on_pick.reform(move |_: MouseEvent| model);
        let current = model == props.model;
        html! {
            <li key={model.name}>
                <button type="button" class="card" data-model={model.name} onclick={on_pick}
                    aria-current={current.then_some("true")}
                    popovertarget="gallery" popovertargetaction="hide">
                    <strong class="card-title">{ model.title }</strong>
                    <span class="card-blurb">{ model.summary }</span>
                </button>
            </li>
        }
    });
    html! {
        <>
            <button type="button" class="button gallery-open" popovertarget="gallery">
                <span class="visually-hidden">{ "Model: " }</span>
                <span class="gallery-title">{ props.model.title }</span>
                if props.edited {
                    <span class="tag">{ "edited" }</span>
                }
                <span class="gallery-chevron" aria-hidden="true" />
            </button>
            <p class="blurb">{ props.model.summary }</p>
            <div id="gallery" class="gallery" popover="auto" role="dialog" aria-labelledby="gallery-heading">
                <div class="gallery-head">
                    <h2 id="gallery-heading">{ "Models" }</h2>
                    <button type="button" class="button" popovertarget="gallery" popovertargetaction="hide">
                        { "Close" }
                    </button>
                </div>
                <div class="gallery-more">
                    <p>{ "Three answers that TLC's symmetry gets wrong, and why." }</p>
                    <button type="button" class="button" popovertarget="elsewhere">{ "Wrong answers elsewhere" }</button>
                </div>
                <ul class="cards">{ for cards }</ul>
            </div>
            <Elsewhere on_open={props.on_open.clone()} />
        </>
    }
}
