//! Checks that run on threads of their own, tell how far they are, and can be stopped.

use super::language::Language;
use crate::internal;
use crate::run::limits;
use crossbeam_channel::Sender;
use orbitscope_core::check::Options;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often somebody is told how far a check is.
const TELL: Duration = Duration::from_millis(250);

/// The answer to a property.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// The verdict in one line.
    pub words: String,
    /// The run that shows it, a step a line; empty where there is none.
    pub run: String,
    /// Whether it is one to look at: violated, or never covered.
    pub is_bad: bool,
}

/// A message of a check to the server.
pub(super) enum Event {
    /// How far the check with this number is.
    Progress(u64, String),
    /// A property has its answer.
    Found(u64, String, Told),
    /// The check has come to its end, or was stopped.
    Done(u64),
}

/// Checks properties of a text one after the other.
pub(super) fn start(
    number: u64,
    text: (Language, String),
    properties: Vec<String>,
    cancel: Arc<AtomicBool>,
    events: Sender<Event>,
) {
    std::thread::spawn(move || {
        let all = internal::guarded(|| check(number, &text, &properties, &cancel, &events));
        if let Err(what) = all {
            let told = Told { words: format!("internal error: {what}"), run: String::new(), is_bad: false };
            let _ = events.send(Event::Found(number, properties.first().cloned().unwrap_or_default(), told));
        }
        let _ = events.send(Event::Done(number));
    });
}

fn check(
    number: u64,
    (language, text): &(Language, String),
    properties: &[String],
    cancel: &AtomicBool,
    events: &Sender<Event>,
) {
    let plain = |words: String| Told { words, run: String::new(), is_bad: false };
    let send = |name: &str, told: Told| events.send(Event::Found(number, name.to_owned(), told));
    let Ok(model) = language.model(text) else {
        for name in properties {
            let _ = send(name, plain("not answered: the model has errors".into()));
        }
        return;
    };
    let model = model.with(Options { limits: limits(None), ..Options::default() });
    for name in properties {
        let mut session = match model.start(name) {
            Ok(session) => session,
            Err(error) => {
                let first = error.to_string();
                let _ =
                    send(name, plain(format!("not answered: {}", first.lines().next().unwrap_or_default())));
                continue;
            }
        };
        let mut told = Instant::now();
        while session.step() {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            if told.elapsed() >= TELL {
                told = Instant::now();
                let words = format!("{name}: {} nodes", session.progress().nodes);
                let _ = events.send(Event::Progress(number, words));
            }
        }
        let answer = session.finish();
        let written = answer.to_string();
        let (first, run) = written.split_once('\n').unwrap_or((&written, ""));
        let words = first.strip_prefix(&format!("{name}: ")).unwrap_or(first).to_owned();
        let _ = send(name, Told { words, run: run.to_owned(), is_bad: answer.is_violated() });
    }
}
