//! Links that come by the address, and files that are chosen or dropped.

use crate::app::browser::{self, listen};
use crate::session::{Action, OPENED, Session, text_alone};
use crate::share;
use crate::view::text::bytes;
use gloo_file::File;
use gloo_file::futures::read_as_text;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, HashChangeEvent};
use yew::platform::spawn_local;
use yew::prelude::*;

const KEPT: &str = "A link was opened. Your own text is kept: see Open.";

/// Listens to changes of the address and to files that are dropped on the page.
#[hook]
pub(crate) fn use_arrivals(session: &UseReducerHandle<Session>) {
    let dispatcher = session.dispatcher();
    use_effect_with((), move |()| {
        let listeners = browser::window().map(|window| {
            let changed = dispatcher.clone();
            [
                listen(&window, "hashchange", move |event| {
                    if let Some(fragment) = arrived(event) {
                        open_link(&changed, &fragment);
                    }
                }),
                listen(&window, "dragover", |event| {
                    if has_files(event) {
                        event.prevent_default();
                    }
                }),
                listen(&window, "drop", move |event| {
                    if has_files(event) {
                        event.prevent_default();
                        if let Some(file) = dropped(event) {
                            take_file(&dispatcher, file);
                        }
                    }
                }),
            ]
        });
        move || drop(listeners)
    });
}

/// The link that the address changed to. By now it may be gone from the address: what was typed just before is kept in the
/// meantime, and whatever is changed takes the link out of the address.
fn arrived(event: &Event) -> Option<String> {
    // Who goes back or forward comes to an entry that says what was shown there.
    if browser::entry().is_some() {
        return None;
    }
    let url = event.dyn_ref::<HashChangeEvent>()?.new_url();
    let (_, fragment) = url.split_once('#')?;
    (!fragment.is_empty()).then(|| fragment.to_owned())
}

fn open_link(dispatcher: &UseReducerDispatcher<Session>, fragment: &str) {
    match share::read(fragment) {
        Ok((opening, remarks)) => {
            browser::set_fragment(Some(fragment));
            dispatcher.dispatch(Action::Open(Box::new(opening)));
            for words in remarks.into_iter().chain([KEPT.to_owned()]) {
                dispatcher.dispatch(Action::Remark(words.into()));
            }
        }
        Err(error) => {
            dispatcher.dispatch(Action::Remark(format!("The link was not opened: {error}.").into()));
        }
    }
}

fn has_files(event: &Event) -> bool {
    let data = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
    data.is_some_and(|data| data.types().includes(&"Files".into(), 0))
}

fn dropped(event: &Event) -> Option<File> {
    event.dyn_ref::<DragEvent>()?.data_transfer()?.files()?.get(0).map(File::from)
}

/// Opens a file: a model, or a link that was saved.
pub(crate) fn take_file(dispatcher: &UseReducerDispatcher<Session>, file: File) {
    let dispatcher = dispatcher.clone();
    spawn_local(async move {
        let (name, size) = (file.name(), file.size());
        if size > share::MAX_TEXT as u64 {
            let words = format!(
                "The file {name} has {}, and at most {} are read: it is not a model.",
                bytes(size),
                bytes(share::MAX_TEXT as u64)
            );
            return dispatcher.dispatch(Action::Remark(words.into()));
        }
        match read_as_text(&file).await {
            Ok(text) if !text.contains(['\0', '\u{fffd}']) => {
                browser::set_fragment(None);
                match saved_link(&text) {
                    Some(fragment) => open_link(&dispatcher, fragment),
                    None => dispatcher.dispatch(Action::Open(Box::new(text_alone(text.into(), OPENED)))),
                }
            }
            _ => {
                let words = format!("The file {name} is not a text in UTF-8: it was not opened.");
                dispatcher.dispatch(Action::Remark(words.into()));
            }
        }
    });
}

/// The part after `#` of a file that is nothing but a link.
fn saved_link(text: &str) -> Option<&str> {
    let line = text.trim();
    let (address, fragment) = line.split_once('#')?;
    let is_address = address.is_empty() || address.starts_with("http://") || address.starts_with("https://");
    (is_address && !line.contains(char::is_whitespace)).then_some(fragment)
}
