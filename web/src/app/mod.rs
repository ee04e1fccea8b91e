//! The page in the browser: Yew components over the session and the view-model.

mod gallery;
mod graph;
mod header;
mod params;
mod problems;
mod source;
mod states;
mod summary;
mod work;

pub use graph::{Graph, Props as GraphProps};
pub use problems::{Problems, Props as ProblemsProps};

use crate::engine;
use crate::session::{Action, Session};
use crate::view::drawing::Drawing;
use std::rc::Rc;
use yew::prelude::*;

/// How many states are drawn.
const MAX_DRAWN: u32 = 300;

/// Starts the application in the page's body.
pub fn start() {
    yew::Renderer::<App>::new().render();
}

impl Reducible for Session {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(self.apply(action))
    }
}

/// The whole page.
#[component]
pub fn App() -> Html {
    let session = use_reducer(|| Session::new(engine::models()[0]));
    work::use_engine(&session);
    let drawing = use_memo(session.shown.clone(), |shown| {
        shown.as_ref().map(|analysis| Rc::new(Drawing::of(&analysis.graph, MAX_DRAWN)))
    });
    let pick = send(&session, Action::Pick);
    let edit = send(&session, Action::Edit);
    let set = send(&session, |(name, value)| Action::Set(name, value));
    let select = send(&session, Action::Select);
    let hover = send(&session, Action::Hover);
    html! {
        <>
            <header::Header />
            <main class={classes!("workbench", session.is_stale().then_some("is-stale"))}>
                <section class="panel model" aria-labelledby="model-heading">
                    <h2 id="model-heading" class="visually-hidden">{ "Model" }</h2>
                    <gallery::Gallery model={session.model} edited={session.is_edited()} on_pick={pick} />
                    if let Some(analysis) = &session.shown {
                        <params::Params params={analysis.params.clone()}
                            settings={session.question.settings.clone()} on_set={set} />
                    }
                </section>
                <source::Source text={session.question.source.clone()} problems={session.problems.clone()}
                    on_edit={edit} />
                <section class="panel picture" aria-labelledby="picture-heading">
                    <h2 id="picture-heading" class="visually-hidden">{ "Reachable states" }</h2>
                    if let (Some(analysis), Some(drawing)) = (&session.shown, &*drawing) {
                        <summary::Summary analysis={analysis.clone()} stale={session.is_stale()}
                            pending={session.pending} drawn={drawing.nodes.len()} />
                        <Graph drawing={drawing.clone()} selected={session.selected} hovered={session.hovered}
                            on_select={select.clone()} on_hover={hover.clone()} />
                    }
                </section>
                if let Some(analysis) = &session.shown {
                    <states::States analysis={analysis.clone()} selected={session.selected}
                        hovered={session.hovered} on_select={select} on_hover={hover} />
                }
            </main>
        </>
    }
}

/// A callback that sends an action to the session.
fn send<T: 'static>(
    session: &UseReducerHandle<Session>,
    action: impl Fn(T) -> Action + 'static,
) -> Callback<T> {
    let dispatcher = session.dispatcher();
    Callback::from(move |value| dispatcher.dispatch(action(value)))
}
