//! Asking the engine's worker what the session wants to know.

use super::client::Client;
use crate::engine::Record;
use crate::engine::protocol::{Answer, FromWorker, Request, RequestId, ToWorker};
use crate::session::{Action, Happened, Next, Session, Which};
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use yew::platform::spawn_local;
use yew::prelude::*;

/// A worker that is told to stop is ended if it says nothing for this many milliseconds.
const PATIENCE: u32 = 1_500;
/// The engine may take this many milliseconds to be loaded. Its answers are waited for meanwhile.
const LOADING: u32 = 60_000;
/// The engine is loaded this many milliseconds after the first answers, when the page has been drawn.
const PAUSE: u32 = 500;

/// A line to a worker; it is kept between renderings.
struct Line {
    which: Which,
    client: RefCell<Option<Client>>,
    /// Answers for the time before the first worker.
    record: RefCell<Record>,
    /// The requests that the record answered: a worker has to hear of them before anything else.
    answered: RefCell<Vec<Request>>,
    preparing: Cell<bool>,
    /// How many workers there have been.
    started: Cell<u32>,
    next_id: Cell<u32>,
}

/// Does what the session says is to be done next with a worker. The worker starts when it is asked for the first time.
#[hook]
pub(super) fn use_engine(session: &UseReducerHandle<Session>, which: Which) {
    let line = use_memo((), |()| Line::new(which));
    {
        let line = line.clone();
        use_effect_with((), move |()| move || drop(line.client.take()));
    }
    let session = session.clone();
    use_effect(move || {
        let dispatcher = session.dispatcher();
        let (next, busy) = match which {
            Which::Front => (session.next(), session.line.asked.is_some()),
            Which::Background => (session.background.next(), session.background.is_busy()),
        };
        match next {
            Next::Nothing => line.prepare(dispatcher),
            // A graph that nobody looks at does not bring the engine before the page is drawn.
            Next::Ask(Request::Picture { of, .. })
                if of != session.graph(session.scene.view) && line.is_fresh() =>
            {
                line.prepare(dispatcher);
            }
            Next::Ask(request) => {
                let id = line.new_id();
                dispatcher.dispatch(Action::Line(which, Happened::Asked(id, request.clone())));
                if let Some(answer) = line.recorded(&request) {
                    let heard = FromWorker::Answer(id, Box::new(answer));
                    dispatcher.dispatch(Action::Line(which, Happened::Heard(heard)));
                } else {
                    line.ensure(&dispatcher);
                    line.send(ToWorker::Ask(id, request));
                    if busy {
                        line.watch(dispatcher);
                    }
                }
            }
            Next::Stop(id) => {
                line.send(ToWorker::Stop(id));
                line.clone().watch(dispatcher.clone());
                dispatcher.dispatch(Action::Line(which, Happened::Stopping));
            }
        }
    });
}

impl Line {
    fn new(which: Which) -> Line {
        let record = if which == Which::Front { Record::opening() } else { Record::default() };
        Line {
            which,
            client: RefCell::default(),
            record: RefCell::new(record),
            answered: RefCell::default(),
            preparing: Cell::default(),
            started: Cell::default(),
            next_id: Cell::default(),
        }
    }

    fn new_id(&self) -> RequestId {
        RequestId(self.next_id.replace(self.next_id.get() + 1))
    }

    /// The answer to this from the record, as long as there is no worker.
    fn recorded(&self, request: &Request) -> Option<Answer> {
        if self.started.get() > 0 {
            return None;
        }
        let answer = self.record.borrow_mut().take(request)?;
        self.answered.borrow_mut().push(request.clone());
        Some(answer)
    }

    /// Whether all answers came from the record so far.
    fn is_fresh(&self) -> bool {
        self.started.get() == 0 && !self.answered.borrow().is_empty()
    }

    /// Sees to it that there is a worker. A first one hears what was asked before it came; nobody waits for the answers.
    fn ensure(self: &Rc<Self>, dispatcher: &UseReducerDispatcher<Session>) {
        if self.client.borrow().is_some() {
            return;
        }
        self.start(dispatcher);
        for request in self.answered.take() {
            self.send(ToWorker::Ask(self.new_id(), request));
        }
    }

    /// After answers from the record alone: loads the engine, before it is asked for.
    fn prepare(self: Rc<Self>, dispatcher: UseReducerDispatcher<Session>) {
        if !self.answered.borrow().is_empty() && !self.preparing.replace(true) {
            Timeout::new(PAUSE, move || self.ensure(&dispatcher)).forget();
        }
    }

    fn start(self: &Rc<Self>, dispatcher: &UseReducerDispatcher<Session>) {
        self.started.set(self.started.get() + 1);
        let on_message = {
            let (which, dispatcher) = (self.which, dispatcher.clone());
            Callback::from(move |message| dispatcher.dispatch(Action::Line(which, Happened::Heard(message))))
        };
        let on_lost = {
            let (line, dispatcher) = (self.clone(), dispatcher.clone());
            Callback::from(move |()| {
                if line.heard().is_some_and(|(_, messages)| messages > 0) {
                    line.restart(&dispatcher, Happened::Broken);
                } else {
                    line.give_up(&dispatcher);
                }
            })
        };
        match Client::start(on_message, on_lost) {
            Ok(client) => *self.client.borrow_mut() = Some(client),
            Err(_) => self.give_up(dispatcher),
        }
    }

    fn send(&self, message: ToWorker) {
        if let Some(client) = &*self.client.borrow() {
            client.send(message);
        }
    }

    /// The engine cannot be loaded.
    fn give_up(self: &Rc<Self>, dispatcher: &UseReducerDispatcher<Session>) {
        let old = self.client.take();
        dispatcher.dispatch(Action::Line(self.which, Happened::Missing));
        // The one that broke down may be the caller.
        spawn_local(async move { drop(old) });
    }

    fn restart(self: &Rc<Self>, dispatcher: &UseReducerDispatcher<Session>, why: Happened) {
        let old = self.client.take();
        self.start(dispatcher);
        dispatcher.dispatch(Action::Line(self.which, why));
        // The one that broke down may be the caller.
        spawn_local(async move { drop(old) });
    }

    /// Which worker this is, and how often it has said something.
    fn heard(&self) -> Option<(u32, u32)> {
        self.client.borrow().as_ref().map(|client| (self.started.get(), client.heard()))
    }

    /// Ends a worker that says nothing at all for too long, and starts another.
    fn watch(self: Rc<Self>, dispatcher: UseReducerDispatcher<Session>) {
        let before = self.heard();
        let loading = before.is_some_and(|(_, messages)| messages == 0);
        Timeout::new(if loading { LOADING } else { PATIENCE }, move || {
            if before.is_some() && self.heard() == before {
                self.restart(&dispatcher, Happened::Silent);
            }
        })
        .forget();
    }
}
