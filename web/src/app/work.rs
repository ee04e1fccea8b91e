//! Asking the engine's worker what the session wants to know.

use super::client::Client;
use crate::engine::protocol::{RequestId, ToWorker};
use crate::session::{Action, Happened, Next, Session, Which};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use yew::platform::{spawn_local, time::sleep};
use yew::prelude::*;

/// How long a worker may take to answer when it is told to stop, before it is ended.
const PATIENCE: Duration = Duration::from_millis(1500);

/// A line to a worker; it is kept between renderings.
struct Line {
    which: Which,
    client: RefCell<Option<Client>>,
    next_id: Cell<u32>,
}

/// Does what the session says is to be done next with a worker. The worker starts when it is asked for the first time.
#[hook]
pub(super) fn use_engine(session: &UseReducerHandle<Session>, which: Which) {
    let line = use_memo((), |()| Line { which, client: RefCell::default(), next_id: Cell::default() });
    {
        let line = line.clone();
        use_effect_with((), move |()| move || drop(line.client.take()));
    }
    let session = session.clone();
    use_effect(move || {
        let dispatcher = session.dispatcher();
        let (next, busy) = match which {
            Which::Front => (session.next(), session.asked.is_some()),
            Which::Background => (session.background.next(), session.background.is_busy()),
        };
        match next {
            Next::Nothing => {}
            Next::Ask(request) => {
                if line.client.borrow().is_none() {
                    line.start(&dispatcher);
                }
                let id = RequestId(line.next_id.replace(line.next_id.get() + 1));
                line.send(ToWorker::Ask(id, request.clone()));
                if busy {
                    line.clone().watch(dispatcher.clone());
                }
                dispatcher.dispatch(Action::Line(which, Happened::Asked(id, request)));
            }
            Next::Stop(id) => {
                line.send(ToWorker::Stop(id));
                line.watch(dispatcher.clone());
                dispatcher.dispatch(Action::Line(which, Happened::Stopping));
            }
        }
    });
}

impl Line {
    fn start(self: &Rc<Self>, dispatcher: &UseReducerDispatcher<Session>) {
        let on_message = {
            let (which, dispatcher) = (self.which, dispatcher.clone());
            Callback::from(move |message| dispatcher.dispatch(Action::Line(which, Happened::Heard(message))))
        };
        let on_lost = {
            let (line, dispatcher) = (self.clone(), dispatcher.clone());
            Callback::from(move |()| line.restart(&dispatcher, Happened::Broken))
        };
        match Client::start(on_message, on_lost) {
            Ok(client) => *self.client.borrow_mut() = Some(client),
            Err(_) => dispatcher.dispatch(Action::Line(self.which, Happened::Missing)),
        }
    }

    fn send(&self, message: ToWorker) {
        if let Some(client) = &*self.client.borrow() {
            client.send(message);
        }
    }

    fn restart(self: &Rc<Self>, dispatcher: &UseReducerDispatcher<Session>, why: Happened) {
        let old = self.client.take();
        self.start(dispatcher);
        dispatcher.dispatch(Action::Line(self.which, why));
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
                self.restart(&dispatcher, Happened::Silent);
            }
        });
    }
}
