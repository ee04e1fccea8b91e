//! A worker, as the page sees it.

use crate::engine::protocol::{FromWorker, ToWorker, decode, encode};
use gloo_events::EventListener;
use js_sys::{Array, Uint8Array};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlElement, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

/// A worker with an engine. It ends when this is dropped.
pub(super) struct Client {
    worker: Worker,
    shared: Rc<Shared>,
    /// They hear the worker's messages and its errors.
    _listeners: [EventListener; 2],
}

/// Tells `worker.js` where the engine is.
#[derive(Serialize)]
struct Program {
    js: String,
    wasm: String,
}

#[derive(Default)]
struct Shared {
    ready: Cell<bool>,
    /// Messages that are sent as soon as the worker is ready.
    waiting: RefCell<Vec<ToWorker>>,
    /// How many messages have come.
    heard: Cell<u32>,
}

impl Client {
    /// Starts a worker. `on_lost` is called when it breaks down.
    pub(super) fn start(on_message: Callback<FromWorker>, on_lost: Callback<()>) -> Result<Client, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options("worker.js", &options)?;
        let shared = Rc::new(Shared::default());
        let listen = {
            let (worker, shared) = (worker.clone(), shared.clone());
            move |event: &MessageEvent| {
                let Some(message) = decode(&Uint8Array::new(&event.data()).to_vec()) else { return };
                shared.heard.set(shared.heard.get() + 1);
                if message == FromWorker::Ready {
                    shared.ready.set(true);
                    for waiting in shared.waiting.take() {
                        post(&worker, &waiting);
                    }
                }
                on_message.emit(message);
            }
        };
        let listeners = [
            EventListener::new(&worker, "message", move |event| listen(event.unchecked_ref())),
            EventListener::new(&worker, "error", move |_| on_lost.emit(())),
        ];
        let program = Program {
            js: engine_url("orbitscope-engine.js")?,
            wasm: engine_url("orbitscope-engine_bg.wasm")?,
        };
        worker.post_message(&serde_wasm_bindgen::to_value(&program)?)?;
        Ok(Client { worker, shared, _listeners: listeners })
    }

    /// Sends a message, as soon as the worker is ready for it.
    pub(super) fn send(&self, message: ToWorker) {
        if self.shared.ready.get() {
            post(&self.worker, &message);
        } else {
            self.shared.waiting.borrow_mut().push(message);
        }
    }

    /// How many messages have come from it: none while it is being loaded.
    pub(super) fn heard(&self) -> u32 {
        self.shared.heard.get()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

fn post(worker: &Worker, message: &ToWorker) {
    let bytes = Uint8Array::from(encode(message).as_slice());
    // Plain bytes can always be handed over.
    let _ = worker.post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()));
}

/// Where a file of the engine is. The name of the page's own program, which differs from build to build, is part of the
/// address, so that no page gets an engine of another build from the browser's cache.
fn engine_url(file: &str) -> Result<String, JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("there is no page")?;
    let meta = document.query_selector("meta[name=orbitscope-program]")?;
    let meta: HtmlElement = meta.ok_or("the page does not name its program")?.unchecked_into();
    let name = meta.dataset().get("js").ok_or("the page does not name its program")?;
    let build = name.rsplit('/').next().unwrap_or_default();
    let base = document.base_uri()?.unwrap_or_default();
    Ok(web_sys::Url::new_with_base(&format!("{file}?of={build}"), &base)?.href())
}
