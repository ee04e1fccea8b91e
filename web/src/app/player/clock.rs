//! The clock that makes the player go on by itself, and the keys that reach it from anywhere on the page.

use crate::app::browser::{listen, window};
use crate::session::{Play, PlayState};
use crate::view::timeline::of_key_at;
use gloo_timers::callback::Interval;
use wasm_bindgen::JsCast;
use yew::prelude::*;

/// The shortest time between two steps that are drawn, in milliseconds.
const FRAME: f64 = 16.0;
/// Clocks are a little early now and then: this part of a step more is given.
const EARLY: f64 = 0.1;

/// Does a step whenever it is due; a page that was in the background does not leap.
#[hook]
pub(crate) fn use_clock(playing: bool, speed: u32, on_play: &Callback<Play>) {
    let on_play = on_play.clone();
    use_effect_with((playing, speed), move |&(playing, speed)| {
        let interval = playing.then(|| {
            let period = (1000.0 / speed as f64).max(FRAME);
            let (mut due, mut before) = (0.0, now());
            Interval::new(period as u32, move || {
                let passed = now() - std::mem::replace(&mut before, now());
                due += passed.min(2.0 * period) * speed as f64 / 1000.0;
                let steps = f64::floor(due + EARLY);
                due -= steps;
                if steps > 0.0 {
                    on_play.emit(Play::Tick(steps as u32));
                }
            })
        });
        move || drop(interval)
    });
}

/// Milliseconds on a clock that never goes back.
fn now() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// Space, the arrows, Home and End, wherever nobody else uses them.
#[hook]
pub(crate) fn use_keys(player: PlayState, on_play: &Callback<Play>) {
    let latest = use_mut_ref(|| (player, on_play.clone()));
    *latest.borrow_mut() = (player, on_play.clone());
    use_effect_with((), move |()| {
        let told = move |event: &KeyboardEvent| {
            let with = event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key();
            if event.default_prevented() || with {
                return;
            }
            let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
            let (tag, role) =
                target.map_or_else(Default::default, |e| (e.tag_name(), e.get_attribute("role")));
            let (player, on_play) = latest.borrow().clone();
            if let Some(play) = of_key_at(&event.key(), &tag, role.as_deref(), player) {
                event.prevent_default();
                on_play.emit(play);
            }
        };
        let listener =
            window().map(|window| listen(&window, "keydown", move |event| told(event.unchecked_ref())));
        move || drop(listener)
    });
}
