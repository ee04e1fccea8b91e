//! A session with a real engine at its other end, for tests.

use super::{Action, Happened, Next, Session, Which};
use crate::engine::protocol::{Answer, FromWorker, Request, RequestId, ToWorker};
use crate::engine::{Port, serve};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct Wire {
    inbox: RefCell<VecDeque<ToWorker>>,
    said: RefCell<VecDeque<FromWorker>>,
    clock: Cell<f64>,
    /// By how much the clock advances when it is read.
    tick: f64,
}

impl Port for &Wire {
    fn send(&self, message: FromWorker) {
        self.said.borrow_mut().push_back(message);
    }

    fn take(&self) -> Option<ToWorker> {
        self.inbox.borrow_mut().pop_front()
    }

    async fn wait(&self) {
        poll_fn(|_| if self.inbox.borrow().is_empty() { Poll::Pending } else { Poll::Ready(()) }).await;
    }

    async fn pause(&self) {}

    fn now(&self) -> f64 {
        self.clock.set(self.clock.get() + self.tick);
        self.clock.get()
    }
}

/// The session after everything it wants to know was answered.
pub(crate) fn settled(session: Session) -> Session {
    settled_after(session, [])
}

/// The session after everything was answered, and again after each of these actions, by one and the same engine.
pub(crate) fn settled_after(session: Session, actions: impl IntoIterator<Item = Action>) -> Session {
    converse(session, actions, &Wire { tick: 1.0, ..Wire::default() }, |_, _| ())
}

/// The questions that a session asks until it has settled, with their answers.
pub(crate) fn recorded(session: Session) -> Vec<(Request, Answer)> {
    let mut record = Vec::new();
    converse(session, [], &Wire::default(), |request, answer| record.push((request.clone(), answer.clone())));
    record
}

fn converse(
    mut session: Session,
    actions: impl IntoIterator<Item = Action>,
    wire: &Wire,
    mut note: impl FnMut(&Request, &Answer),
) -> Session {
    let mut actions = actions.into_iter();
    let mut serving = pin!(serve(wire));
    let mut context = Context::from_waker(Waker::noop());
    for id in 0..1_000 {
        match session.next() {
            Next::Nothing => match actions.next() {
                Some(action) => session = session.apply(action),
                None => return session,
            },
            Next::Stop(_) => panic!("nobody stopped anything"),
            Next::Ask(request) => {
                wire.inbox.borrow_mut().push_back(ToWorker::Ask(RequestId(id), request.clone()));
                session = session
                    .apply(Action::Line(Which::Front, Happened::Asked(RequestId(id), request.clone())));
                assert!(serving.as_mut().poll(&mut context).is_pending());
                while let Some(message) = wire.said.borrow_mut().pop_front() {
                    if let FromWorker::Answer(_, answer) = &message {
                        note(&request, answer);
                    }
                    session = session.apply(Action::Line(Which::Front, Happened::Heard(message)));
                }
            }
        }
    }
    panic!("it never settles: {:?}", session.next());
}

/// How long each answer takes while a session settles, in seconds.
pub(crate) fn timed(session: Session) -> Vec<(Request, f64)> {
    let mut before = std::time::Instant::now();
    let mut times = Vec::new();
    converse(session, [], &Wire::default(), |request, _| {
        times.push((request.clone(), before.elapsed().as_secs_f64()));
        before = std::time::Instant::now();
    });
    times
}
