//! The choice of a built-in model.

use super::browser;
use super::elsewhere::Elsewhere;
use crate::engine::{self, Model};
use crate::session::{NEW, Opening, text_alone};
use crate::view::templates::TEMPLATES;
use std::cell::Cell;
use std::rc::Rc;
use yew::platform::spawn_local;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) model: Model,
    pub(crate) edited: bool,
    pub(crate) on_pick: Callback<Model>,
    pub(crate) on_open: Callback<Opening>,
    pub(crate) on_remark: Callback<Rc<str>>,
}

thread_local! {
    /// How many models were picked: a text that comes late does not take the place of a model that was picked after it.
    static PICKED: Cell<u32> = const { Cell::new(0) };
}

/// Opens a model. Most texts are files of the site, so that the page is small when it is loaded first.
fn pick(model: Model, on_pick: Callback<Model>, on_remark: Callback<Rc<str>>) {
    PICKED.set(PICKED.get() + 1);
    if !model.source.is_empty() {
        return on_pick.emit(model);
    }
    let turn = PICKED.get();
    spawn_local(async move {
        let first = engine::models().iter().any(|own| own.name == model.name);
        let folder = if first { "models" } else { "models/library" };
        if let Some(text) = browser::text_of(&format!("{folder}/{}.orb", model.name)).await {
            let loaded = Model { source: text.leak(), ..model };
            engine::remember(loaded);
            if PICKED.get() == turn {
                on_pick.emit(loaded);
            }
            return;
        }
        let words =
            format!("The text of {} cannot be loaded: look at the connection and try again.", model.title);
        on_remark.emit(words.into());
    });
}

#[component]
pub(crate) fn Gallery(props: &Props) -> Html {
    let card = |&model: &Model| {
        let (on_pick, on_remark) = (props.on_pick.clone(), props.on_remark.clone());
        let on_click = Callback::from(move |_: MouseEvent| pick(model, on_pick.clone(), on_remark.clone()));
        let current = model.name == props.model.name;
        html! {
            <li key={model.name}>
                <button type="button" class="card" data-model={model.name} onclick={on_click}
                    aria-current={current.then_some("true")}
                    popovertarget="gallery" popovertargetaction="hide">
                    <strong class="card-title">{ model.title }</strong>
                    <span class="card-blurb">{ model.summary }</span>
                </button>
            </li>
        }
    };
    let groups = engine::groups().iter().map(|group| {
        html! {
            <section key={group.title} class="gallery-group" aria-label={group.title}>
                <h3>{ group.title }</h3>
                <p class="gallery-about">{ group.about }</p>
                <ul class="cards">{ for group.models.iter().map(card) }</ul>
            </section>
        }
    });
    let new = TEMPLATES.iter().map(|template| {
        let on_click = props.on_open.reform(move |_: MouseEvent| text_alone(template.text.into(), NEW));
        html! {
            <li key={template.name}>
                <button type="button" class="card" data-template={template.name} onclick={on_click}
                    popovertarget="gallery" popovertargetaction="hide">
                    <strong class="card-title">{ template.name }</strong>
                    <span class="card-blurb">{ template.about }</span>
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
                <section class="gallery-new" aria-labelledby="gallery-new">
                    <h3 id="gallery-new" class="menu-label">{ "New" }</h3>
                    <ul class="cards">{ for new }</ul>
                </section>
                <div class="gallery-more">
                    <p>{ "Three answers that TLC's symmetry gets wrong, and why." }</p>
                    <button type="button" class="button" popovertarget="elsewhere">{ "Wrong answers elsewhere" }</button>
                </div>
                { for groups }
            </div>
            <Elsewhere on_open={props.on_open.clone()} />
        </>
    }
}
