//! The entry point of the page's workers: a program of its own, so that the page is there before its engine is.

#[cfg(target_arch = "wasm32")]
use orbitscope_web::engine::exercise::{marked, told};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

fn main() {
    #[cfg(target_arch = "wasm32")]
    orbitscope_web::worker::start();
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("Orbitscope's engine runs in a worker of its page: start it with `cargo xtask serve`.");
}

/// The exercise of a link, as `static/exercise.js` shows it.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
#[allow(unreachable_pub, reason = "scripts call it")]
pub fn exercise(fragment: &str) -> String {
    told(fragment)
}

/// Whether a text meets one of its demands.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
#[allow(unreachable_pub, reason = "scripts call it")]
pub fn marks(fragment: &str, text: &str, number: usize) -> String {
    marked(fragment, text, number)
}
