//! The few things that the page asks of the browser itself.

use crate::keep::Store;
use gloo_events::{EventListener, EventListenerOptions};
use gloo_file::{Blob, ObjectUrl};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Event, EventTarget, HtmlElement, Response, Storage, Window};

pub(super) fn window() -> Option<Window> {
    web_sys::window()
}

pub(super) fn document() -> Option<Document> {
    window()?.document()
}

/// Whether the page shall show the picture and the player alone. A page in a notebook has no address of its own that could say so, and
/// says it in its text.
pub(super) fn is_embedded() -> bool {
    let search = window().and_then(|window| window.location().search().ok()).unwrap_or_default();
    let page = document().and_then(|document| document.document_element());
    search.trim_start_matches('?').split('&').any(|part| part == "embed=1")
        || page.is_some_and(|page| page.has_attribute("data-embed"))
}

/// The part of the address after `#`, if there is one.
pub(super) fn fragment() -> Option<String> {
    let hash = window()?.location().hash().ok()?;
    hash.strip_prefix('#').filter(|rest| !rest.is_empty()).map(str::to_owned)
}

/// The address of the page, without what it shows.
pub(super) fn address() -> String {
    let href = window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    href.split(['#', '?']).next().unwrap_or_default().to_owned()
}

/// Puts this after `#` in the address, or nothing. It is no step back in the history.
pub(super) fn set_fragment(fragment: Option<&str>) {
    let Some(window) = window() else { return };
    let Ok(href) = window.location().href() else { return };
    let (base, _) = href.split_once('#').unwrap_or((&href, ""));
    let address = fragment.map_or_else(|| base.to_owned(), |fragment| format!("{base}#{fragment}"));
    if address != href
        && let Ok(history) = window.history()
    {
        // A page that may not change its address works all the same.
        let _ = history.replace_state_with_url(&history.state().unwrap_or(JsValue::NULL), "", Some(&address));
    }
}

/// The text that was written to the present entry of the browser's history.
pub(super) fn entry() -> Option<String> {
    window()?.history().ok()?.state().ok()?.as_string()
}

/// Writes to the present entry of the browser's history.
pub(super) fn set_entry(content: &str) {
    if let Some(Ok(history)) = window().map(|window| window.history()) {
        // A browser that has no room for it goes back to another page, as it did before.
        let _ = history.replace_state_with_url(&content.into(), "", None);
    }
}

/// Makes a new entry of the browser's history, with the same address.
pub(super) fn push_entry(content: &str) {
    if let Some(Ok(history)) = window().map(|window| window.history()) {
        let _ = history.push_state_with_url(&content.into(), "", None);
    }
}

/// The browser's storage. It may be forbidden, and then the page does without it; `gloo-storage` would panic.
pub(super) struct Local;

impl Local {
    fn storage() -> Option<Storage> {
        window()?.local_storage().ok()?
    }
}

impl Store for Local {
    fn names(&self) -> Vec<String> {
        let Some(storage) = Local::storage() else { return Vec::new() };
        let count = storage.length().unwrap_or(0);
        (0..count).filter_map(|at| storage.key(at).ok()?).collect()
    }

    fn get(&self, name: &str) -> Option<String> {
        Local::storage()?.get_item(name).ok()?
    }

    fn set(&self, name: &str, value: &str) -> bool {
        Local::storage().is_some_and(|storage| storage.set_item(name, value).is_ok())
    }

    fn remove(&self, name: &str) {
        if let Some(storage) = Local::storage() {
            let _ = storage.remove_item(name);
        }
    }
}

/// The storage of this tab alone: it outlives a reload.
pub(super) fn tab_storage() -> Option<Storage> {
    window()?.session_storage().ok()?
}

/// Milliseconds since 1970.
pub(super) fn now() -> f64 {
    js_sys::Date::now()
}

/// A moment as people here write it.
pub(super) fn moment(time: f64) -> String {
    let date = js_sys::Date::new(&time.into());
    date.to_locale_string("default", &JsValue::UNDEFINED).into()
}

/// Copies a text; false where the browser does not let the page.
pub(super) async fn copy(text: &str) -> bool {
    let Some(window) = window() else { return false };
    JsFuture::from(window.navigator().clipboard().write_text(text)).await.is_ok()
}

/// The text of a file of the site.
pub(super) async fn text_of(path: &str) -> Option<String> {
    let answer: Response = JsFuture::from(window()?.fetch_with_str(path)).await.ok()?.dyn_into().ok()?;
    let text = if answer.ok() { answer.text().ok()? } else { return None };
    JsFuture::from(text).await.ok()?.as_string()
}

/// Saves a file.
pub(super) fn save(name: &str, blob: Blob) -> Option<()> {
    // The browser has taken the file when the address goes out of use.
    let url = ObjectUrl::from(blob);
    let anchor: HtmlElement = document()?.create_element("a").ok()?.unchecked_into();
    anchor.set_attribute("href", &url).ok()?;
    anchor.set_attribute("download", name).ok()?;
    anchor.click();
    Some(())
}

/// Saves a text as a file.
pub(super) fn save_text(name: &str, kind: &str, text: &str) {
    let _ = save(name, Blob::new_with_options(text, Some(kind)));
}

/// Listens to events as long as the listener lives, and may keep the browser from its usual answer to them.
pub(super) fn listen(
    target: &EventTarget,
    name: &'static str,
    told: impl Fn(&Event) + 'static,
) -> EventListener {
    EventListener::new_with_options(target, name, EventListenerOptions::enable_prevent_default(), told)
}
