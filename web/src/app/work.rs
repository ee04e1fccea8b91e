//! Asking the engine's worker what the session wants to know.

use super::client::Client;
use crate::engine::protocol::{RequestId, ToWorker};
use crate::session::{Action, Next, Session};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use yew::platform::{spawn_local, time::sleep};
use yew::prelude::*;

/// How long a worker may take to answer when it is told to stop, before it is ended.
const PATIENCE: Duration = Duration::from_millis(1500);

const SILENT: &str =
    "The engine did not answer and was started anew. What it had found by then is kept, and is partial.";
const BROKEN: &str =
    "The engine broke down and was started anew. What it had found by then is kept, and is partial.";
const NO_WORKER: &str = "The engine cannot be started: this browser gives the page no worker.";

/// What the hook keeps between renderings.
#[derive(Default)]
struct Line {
    client: RefCell<Option<Client>>,
    next_id: Cell<u32>,
}

/// Does what the session says is to be done next.
#[hook]
pub(super) fn use_engine(session: &UseReducerHandle<Session>) {
    let line = use_memo((), |()| Line::default());
    {
        let (line, dispatcher) = (line.clone(), session.dispatcher());
        use_effect_with((), move |()| {
            line.start(&dispatcher);
            move || drop(line.client.take())
        });
    }
    let session = session.clone();
    use_effect(move || {
        let dispatcher = session.dispatcher();
        match session.next() {
            Next::Nothing => {}
            Next::Ask(request) => {
                let id = RequestId(line.next_id.replace(line.next_id.get() + 1));
                line.send(ToWorker::Ask(id, request.clone()));
                if session.asked.is_some() {
                    line.clone().watch(dispatcher.clone());
                }
                dispatcher.dispatch(Action::Asked(id, request));
            }
            Next::Stop(id) => {
                line.send(ToWorker::Stop(id));
                line.watch(dispatcher.clone());
                dispatcher.dispatch(Action::Stopping);
            }
        }
    });
}

impl Line {
    fn start(self: &Rc<Self>, dispatcher: &UseReducerDispatcher<Session>) {
        let on_message = {
            let dispatcher = dispatcher.clone();
            Callback::from(move |message| dispatcher.dispatch(Action::Heard(message)))
        };
        let on_lost = {
            let (line, dispatcher) = (self.clone(), dispatcher.clone());
            Callback::from(move |()| line.restart(&dispatcher, BROKEN))
        };
        match Client::start(on_message, on_lost) {
            Ok(client) => *self.client.borrow_mut() = Some(client),
            Err(_) => dispatcher.dispatch(Action::Restarted(NO_WORKER.into())),
        }
    }

    fn send(&self, message: ToWorker) {
        if let Some(client) = &*self.client.borrow() {
            client.send(message);
        }
    }

    fn restart(self: &Rc<Self>, dispatcher: &UseReducerDispatcher<Session>, why: &str) {
        let old = self.client.take();
        self.start(dispatcher);
        dispatcher.dispatch(Action::Restarted(why.into()));
        // The one that broke down may be the caller.
        spawn_local(async move { drop(old) });
    }

    fn heard(&self) -> Option<u32> {
        self.client.borrow().as_ref().map(Client::heard)
    }

    /// Ends a worker that says nothing at all for too long, and starts another.
    fn watch(self: Rc<Self>, dispatcher: UseReducerDispatcher<Session>) {
        let before = self.heard();
        spawn_local(async move {
            sleep(PATIENCE).await;
            if before.is_some() && self.heard() == before {
                self.restart(&dispatcher, SILENT);
            }
        });
    }
}
