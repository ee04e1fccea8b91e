//! Keys of a row of tabs: the arrows go from one to the next.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Goes along the tabs of the list that the key was pressed in, and chooses the one it comes to.
pub(super) fn on_key() -> Callback<KeyboardEvent> {
    Callback::from(|event: KeyboardEvent| {
        let pressed = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let list = pressed.and_then(|tab| tab.closest("[role=tablist]").ok().flatten());
        let Some(list) = list else { return };
        let Ok(tabs) = list.query_selector_all("[role=tab]") else { return };
        let count = tabs.length();
        let focused = event.target();
        let is_focused = |&at: &u32| tabs.get(at).map(JsCast::unchecked_into) == focused;
        let Some(at) = (0..count).find(is_focused) else { return };
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % count,
            "ArrowLeft" => (at + count - 1) % count,
            "Home" => 0,
            "End" => count - 1,
            _ => return,
        };
        event.prevent_default();
        // The player listens to these keys too.
        event.stop_propagation();
        if let Some(tab) = tabs.get(to).and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
            tab.click();
            // A tab that is shown can have the focus.
            let _ = tab.focus();
        }
    })
}
