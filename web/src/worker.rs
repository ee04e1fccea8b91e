//! The engine in a worker: messages come and go as bytes.

use crate::engine::protocol::{FromWorker, ToWorker, decode, encode};
use crate::engine::{Port, serve};
use gloo_events::EventListener;
use js_sys::{Array, Promise, Uint8Array, global};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent};

/// Starts to answer what the page asks.
pub fn start() {
    // Anywhere else there is nobody to answer.
    let Ok(scope) = global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    let Ok(bell) = MessageChannel::new() else { return };
    let inbox = Rc::new(Inbox::default());
    let listener = {
        let inbox = inbox.clone();
        EventListener::new(&scope, "message", move |event| {
            let event: &MessageEvent = event.unchecked_ref();
            if let Some(message) = decode(&Uint8Array::new(&event.data()).to_vec()) {
                inbox.put(message);
            }
        })
    };
    // It listens as long as the worker lives.
    listener.forget();
    spawn_local(serve(Page { scope, inbox, bell }));
}

#[derive(Default)]
struct Inbox {
    messages: RefCell<VecDeque<ToWorker>>,
    waker: RefCell<Option<Waker>>,
}

impl Inbox {
    fn put(&self, message: ToWorker) {
        self.messages.borrow_mut().push_back(message);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// The page at the other end.
struct Page {
    scope: DedicatedWorkerGlobalScope,
    inbox: Rc<Inbox>,
    /// By it the worker sends messages to itself.
    bell: MessageChannel,
}

impl Port for Page {
    fn send(&self, message: FromWorker) {
        let bytes = Uint8Array::from(encode(&message).as_slice());
        // The bytes are handed over, not copied. A page that is gone needs no answer.
        let _ = self.scope.post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()));
    }

    fn take(&self) -> Option<ToWorker> {
        self.inbox.messages.borrow_mut().pop_front()
    }

    async fn wait(&self) {
        poll_fn(|context| {
            if self.inbox.messages.borrow().is_empty() {
                self.inbox.waker.replace(Some(context.waker().clone()));
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })
        .await;
    }

    async fn pause(&self) {
        // Messages that came in before are heard before the bell. A timer of no time would do, but a browser makes one
        // that is set again and again wait for four milliseconds.
        let heard = Promise::new(&mut |resolve, _| self.bell.port1().set_onmessage(Some(&resolve)));
        if self.bell.port2().post_message(&JsValue::NULL).is_ok() {
            let _ = JsFuture::from(heard).await;
        }
    }

    fn now(&self) -> f64 {
        // Without a clock every slice ends at once.
        self.scope.performance().map_or(f64::INFINITY, |clock| clock.now())
    }
}
