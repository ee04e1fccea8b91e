//! The work under way, with a button to stop it.

use crate::view::summary::Activity;
use std::rc::Rc;
use yew::prelude::*;

pub(crate) struct Props {
    pub(crate) activity: Option<Activity>,
    /// Whether checks were stopped.
    pub(crate) halted: bool,
    pub(crate) notice: Option<Rc<str>>,
    pub(crate) on_stop: Callback<()>,
    /// Ends this check alone.
    pub(crate) on_skip: Callback<()>,
    pub(crate) on_again: Callback<()>,
}

pub(crate) fn draw(props: &Props) -> Html {
    let on_stop = props.on_stop.reform(|_: MouseEvent| ());
    let on_again = props.on_again.reform(|_: MouseEvent| ());
    let stoppable = props.activity.as_ref().is_some_and(|activity| activity.stoppable);
    html! {
        <div class="progress">
            if let Some(notice) = &props.notice {
                <p class="progress-notice" role="alert">{ &**notice }</p>
            }
            <div class="progress-line">
                if let Some(activity) = props.activity.as_ref().filter(|_| !props.halted || stoppable) {
                    <span class="progress-what">{ &activity.what }</span>
                    <span class="progress-counts">{ activity.counts.join(" · ") }</span>
                } else if props.halted {
                    <span class="progress-what"><span class="tag is-partial">{ "partial" }</span>{ " Stopped: what was found by then is kept." }</span>
                }
                if stoppable {
                    <button type="button" class="button skip" title="Goes on with the next question" onclick={props.on_skip.reform(|_: MouseEvent| ())}>{ "Skip" }</button>
                    <button type="button" class="button stop" title="Ends all checks" onclick={on_stop}>{ "Stop" }</button>
                } else if props.halted {
                    <button type="button" class="button again" onclick={on_again}>{ "Check again" }</button>
                }
            </div>
        </div>
    }
}
