//! Orbitscope's page.
//!
//! [`engine`] is the one way to the checker, [`session`] is what the page remembers, [`view`] turns both into
//! what is shown. These three know nothing of the browser and are tested natively; `app` draws them with Yew, `worker`
//! runs the engine beside the page.

#[cfg(target_arch = "wasm32")]
pub mod app;
pub mod engine;
pub mod keep;
pub mod session;
pub mod share;
pub mod tour;
pub mod view;
#[cfg(target_arch = "wasm32")]
pub mod worker;
