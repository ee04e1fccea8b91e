//! A file that `orbitscope serve` follows: the page shows its text, again whenever it changes.

use crate::app::browser::{self, listen};
use crate::engine::link::Link;
use crate::session::{Action, OPENED, Session, origin_of};
use crate::share;
use crate::view::text::bytes;
use js_sys::{JSON, Reflect};
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{EventSource, MessageEvent};
use yew::prelude::*;

/// The server's news of the file.
enum News {
    Text(String),
    /// Why there is no text.
    Problem(String),
}

/// Reads the news with the browser's own reader of JSON: the page's program does without one.
fn read(data: &str) -> Option<News> {
    let news = JSON::parse(data).ok()?;
    let field = |name: &str| Reflect::get(&news, &name.into()).ok()?.as_string();
    field("text").map(News::Text).or_else(|| field("problem").map(News::Problem))
}

/// The name of the file, where the server follows one.
fn followed() -> Option<String> {
    let meta = browser::document()?.query_selector("meta[name=orbitscope-follow]").ok()??;
    meta.get_attribute("content")
}

/// Shows the file that the server follows. The view, the property and the options stay as they are, and what was typed here
/// is kept.
#[hook]
pub(crate) fn use_following(session: &UseReducerHandle<Session>) {
    let latest = use_mut_ref(|| session.clone());
    latest.replace(session.clone());
    use_effect_with((), move |()| {
        let source = followed().and_then(|name| Some((name, EventSource::new("follow").ok()?)));
        let listeners = source.as_ref().map(|(name, source)| {
            // The text that the page had of the file last.
            let shown = RefCell::new(None);
            let (file, dispatcher) = (name.clone(), latest.borrow().dispatcher());
            let lost = listen(source, "error", move |_| {
                let words =
                    format!("The server that follows {file} does not answer: its last text is shown.");
                dispatcher.dispatch(Action::Remark(words.into()));
            });
            let file = name.clone();
            let told = listen(source, "message", move |event| {
                let data = event.dyn_ref::<MessageEvent>().and_then(|event| event.data().as_string());
                let news = data.and_then(|data| read(&data));
                let session = latest.borrow().clone();
                for action in news.map(|news| actions(&session, news, &file, &shown)).into_iter().flatten() {
                    session.dispatch(action);
                }
            });
            [lost, told]
        });
        move || {
            drop(listeners);
            if let Some((_, source)) = source {
                source.close();
            }
        }
    });
}

/// The actions that the news ask for.
fn actions(session: &Session, news: News, file: &str, shown: &RefCell<Option<String>>) -> Vec<Action> {
    let remark = |words: String| Action::Remark(words.into());
    match news {
        News::Problem(words) => vec![remark(format!("The file cannot be followed now: {words}"))],
        News::Text(text) if text.len() > share::MAX_TEXT => {
            let (length, most) = (bytes(text.len() as u64), bytes(share::MAX_TEXT as u64));
            vec![remark(format!("The file {file} has {length}, and the page opens at most {most}."))]
        }
        News::Text(text) => {
            let before = shown.replace(Some(text.clone()));
            if *session.question.source == *text {
                return Vec::new();
            }
            let link = match &before {
                None => Link { text: text.clone(), ..Link::default() },
                Some(_) => Link { text: text.clone(), step: None, walk: None, ..share::link(session) },
            };
            let (mut opening, _) = share::opening(link);
            opening.origin = origin_of(&text, OPENED);
            browser::set_fragment(None);
            let mut actions = vec![Action::Open(Box::new(opening))];
            if before.is_some_and(|before| *session.question.source != *before) {
                actions.push(remark(format!(
                    "{file} has changed and is shown. What was typed here is kept: see Open."
                )));
            }
            actions
        }
    }
}
