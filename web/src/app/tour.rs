//! The guided tour: a card beside what it speaks of, worked with the keyboard or the mouse.

use super::browser::{self, Local};
use crate::keep::Store;
use crate::session::{Action, Opening, Play, Session};
use crate::share;
use crate::tour::{STOPS, opening};
use gloo_timers::callback::Timeout;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Where the tour finds the stop at which it was left.
const LEFT: &str = "orbitscope-tour";

/// After so many milliseconds the page shows what a stop asks for.
const SHOWN_AFTER: u32 = 60;

/// Scrolls to what a stop speaks of, where it is out of sight.
fn show(place: &str) {
    let found = browser::document().and_then(|document| document.query_selector(place).ok().flatten());
    if let Some(element) = found {
        element.scroll_into_view();
    }
}

/// Where the tour is, if it is on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tour {
    stop: UseStateHandle<Option<usize>>,
    session: UseReducerHandle<Session>,
    /// The session before the tour: one gets it back.
    before: UseStateHandle<Option<Opening>>,
}

/// The tour of this visit.
#[hook]
pub(crate) fn use_tour(session: &UseReducerHandle<Session>) -> Tour {
    let (stop, before) = (use_state_eq(|| None), use_state(|| None));
    let tour = Tour { stop, before, session: session.clone() };
    {
        let session = session.clone();
        use_effect_with((*tour.stop, session.film().cloned()), move |(stop, film)| {
            let Some(stop) = stop.and_then(|stop| STOPS.get(stop)) else { return };
            if session.scene.view != stop.view {
                session.dispatch(Action::View(stop.view));
            }
            session.dispatch(Action::Screen(stop.panel.screen()));
            if let Some(side) = stop.side() {
                session.dispatch(Action::Side(side));
            }
            if let Some(film) = film {
                session.dispatch(Action::Play(Play::Seek(stop.step(film))));
            }
            let place = stop.panel.place();
            Timeout::new(SHOWN_AFTER, move || show(place)).forget();
        });
    }
    tour
}

impl Tour {
    /// Starts it, or goes on where it was left.
    pub(crate) fn start(&self) {
        if self.stop.is_some() {
            return;
        }
        self.before.set(Some(share::read_kept(&share::kept_text(&self.session), Some(self.session.model))));
        self.session.dispatch(Action::Open(Box::new(opening())));
        self.stop.set(Some(left()));
    }

    /// The words on the button that starts it.
    pub(crate) fn name() -> AttrValue {
        match left() {
            0 => "Tour".into(),
            stop => format!("Tour: go on at {}", stop + 1).into(),
        }
    }

    /// The class of the page, which shows what the tour speaks of.
    pub(crate) fn class(&self) -> Option<String> {
        let stop = STOPS.get((*self.stop)?)?;
        Some(format!("tour-{}", stop.panel.name()))
    }

    fn go(&self, stop: usize) {
        Local.set(LEFT, &stop.to_string());
        self.stop.set(Some(stop));
    }

    /// Ends it and gives back what was there before it.
    fn end(&self, finished: bool) {
        if finished {
            Local.remove(LEFT);
        }
        self.stop.set(None);
        if let Some(before) = (*self.before).clone() {
            self.session.dispatch(Action::Open(Box::new(before)));
        }
        self.before.set(None);
        let button = browser::document().and_then(|document| document.get_element_by_id("tour-open"));
        if let Some(button) =
            button.and_then(|button| wasm_bindgen::JsCast::dyn_into::<HtmlElement>(button).ok())
        {
            let _ = button.focus();
        }
    }
}

/// The stop at which the tour was left.
fn left() -> usize {
    let left = Local.get(LEFT).and_then(|left| left.parse().ok());
    left.filter(|&stop| stop < STOPS.len()).unwrap_or(0)
}

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) tour: Tour,
}

#[component]
pub(crate) fn TourCard(props: &Props) -> Html {
    let tour = &props.tour;
    let next = use_node_ref();
    {
        let next = next.clone();
        use_effect_with(tour.stop.is_some(), move |&on| {
            if let Some(next) = next.cast::<HtmlElement>().filter(|_| on) {
                let _ = next.focus();
            }
        });
    }
    let Some(number) = *tour.stop else { return Html::default() };
    let stop = STOPS[number];
    let last = number + 1 == STOPS.len();
    let go = |to: Option<usize>, finished: bool| {
        let tour = tour.clone();
        Callback::from(move |_: MouseEvent| match to {
            Some(stop) => tour.go(stop),
            None => tour.end(finished),
        })
    };
    let on_key = {
        let tour = tour.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.prevent_default();
                tour.end(false);
            }
        })
    };
    html! {
        <section class="tour panel" role="dialog" aria-labelledby="tour-title" aria-describedby="tour-words" onkeydown={on_key}>
            <h2 id="tour-title" class="tour-title">{ stop.title }</h2>
            <p class="tour-count">{ format!("Stop {} of {}", number + 1, STOPS.len()) }</p>
            <p id="tour-words" class="tour-words" aria-live="polite">{ stop.words }</p>
            <div class="menu-row">
                <button type="button" class="button" data-tour="back" disabled={number == 0}
                    onclick={go(Some(number.saturating_sub(1)), false)}>{ "Back" }</button>
                <button type="button" ref={next} class="button tour-next" data-tour="next"
                    onclick={go((!last).then_some(number + 1), true)}>{ if last { "Finish" } else { "Next" } }</button>
                <button type="button" class="button" data-tour="close" onclick={go(None, false)}>{ "Close" }</button>
            </div>
        </section>
    }
}
