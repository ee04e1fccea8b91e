//! Running an exploration with limits and progress.

use crate::failure::Failure;
use crate::interrupt;
use crate::memory::Memory;
use crate::model::Model;
use crate::output::PLAIN_LINES;
use orbitscope_core::check::{self, Cost, Halt, Stepping, path_lines};
use orbitscope_core::crew::Crew as _;
use orbitscope_core::explore::{Exploration, Limits, Path, StopReason};
use orbitscope_core::program::Program;
use orbitscope_core::symbolic::Phase;
use orbitscope_core::text::Diagnostic;
use orbitscope_crew::Threads;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// At most this many states are expanded between two looks at the clock.
const CHUNK: u32 = 256;
/// In a round each thread looks at this many times more states.
const ROUND: u32 = 32;
/// Between two looks at the clock there should be no more time than this: whoever asks to stop does not wait.
const LOOK: Duration = Duration::from_millis(20);
/// After a request to stop, the run of a violation that is in hand is still made, if that takes no longer than this.
const LAST: Duration = Duration::from_millis(80);
/// How often it is asked whether the process is near a limit of its memory.
const MEASURE: Duration = Duration::from_millis(50);

/// The limits of a run: as many states as asked, and the memory that there is.
pub(crate) fn limits(max_states: Option<u32>) -> Limits {
    let default = Limits::default();
    Limits {
        states: max_states.unwrap_or(default.states),
        bytes: Memory::of_system().budget().map_or(default.bytes, |bytes| default.bytes.min(bytes)),
        ..default
    }
}

/// Explores until the end, telling how far it is; says what stopped it. A fault of the model is a failure.
pub(crate) fn explore(model: &Model, exploration: &mut Exploration<'_>) -> Result<Option<Halt>, Failure> {
    let mut pace = Pace::new();
    let mut progress = Progress::new(pace.started);
    while exploration.advance(pace.chunk).is_none() && pace.goes_on() {
        progress.tick(|| {
            let left = exploration.states().len() - exploration.expanded();
            (
                exploration.states().len().into(),
                format!("{} edges, {left} to expand", exploration.edge_count()),
            )
        });
    }
    progress.clear();
    let halt = pace.halt.filter(|_| exploration.stopped().is_none());
    fault(model, exploration).map_or(Ok(halt), Err)
}

/// How many steps are taken at once, so that the clock, the memory and requests to stop are looked at often enough.
pub(crate) struct Pace {
    pub started: Instant,
    last: Instant,
    measured: Instant,
    memory: Memory,
    pub chunk: u32,
    pub halt: Option<Halt>,
}

impl Pace {
    pub(crate) fn new() -> Pace {
        interrupt::listen();
        let started = Instant::now();
        let memory = Memory::of_system();
        Pace { started, last: started, measured: started, memory, chunk: 1, halt: None }
    }

    /// Whether to take the next steps.
    pub(crate) fn goes_on(&mut self) -> bool {
        let now = Instant::now();
        let taken = now.duration_since(self.last);
        self.last = now;
        if taken > LOOK {
            self.chunk = (self.chunk / 2).max(1);
        } else if taken < LOOK / 4 {
            self.chunk = (self.chunk * 2).min(CHUNK);
        }
        if interrupt::requested() {
            self.halt = Some(Halt::Request);
        } else if now.duration_since(self.measured) >= MEASURE {
            self.measured = now;
            self.halt = self.memory.is_tight().then_some(Halt::Memory);
        }
        self.halt.is_none()
    }
}

/// The error of the model that ended an exploration: what, where, in which state, and how to get there.
fn fault(model: &Model, exploration: &Exploration<'_>) -> Option<Failure> {
    let program = &model.program;
    let (state, fault, words) = match exploration.stopped()? {
        StopReason::Fault(state, fault) => (*state, fault.fault, program.show_fault(fault)),
        StopReason::PropertyFault(state, property, fault) => {
            let name = &program.properties[*property].name;
            (*state, *fault, format!("{} while evaluating `{name}`", fault.kind))
        }
        _ => return None,
    };
    let mut messages = vec![model.source.render(&Diagnostic::new(fault.span, words))];
    messages.extend(path_messages(program, &exploration.path_to(state)));
    Some(Failure::Input(messages.join("\n")))
}

/// The state that a path leads to, and the path.
pub(crate) fn path_messages(program: &Program, path: &Path) -> Vec<String> {
    let last = path.last_state();
    let mut messages = vec![format!("in the state: {}", program.show_state(&last)), "path to it:".into()];
    messages.extend(path_lines(program, path, PLAIN_LINES));
    messages
}

/// How long a search took, and of a symbolic one its successors and its symmetric states.
#[derive(Clone, Copy, Default)]
pub(crate) struct Times {
    pub total: Duration,
    pub image: Duration,
    pub sigma: Duration,
}

impl Cost for Times {
    fn and(self, other: Times) -> Times {
        Times {
            total: self.total + other.total,
            image: self.image + other.image,
            sigma: self.sigma + other.sigma,
        }
    }
}

/// Works to the end with these threads, telling how far it is; returns the time it took, and what stopped it before the end.
pub(crate) fn drive(work: &mut impl Stepping, threads: Threads) -> (Times, Option<Halt>) {
    let mut pace = Pace::new();
    let mut progress = Progress::new(pace.started);
    let mut times = Times::default();
    let mut more = true;
    while more && pace.goes_on() {
        more = if threads.pay(work.waiting()) {
            work.round(&threads, pace.chunk * ROUND * threads.size() as u32)
        } else {
            advance(work, pace.chunk, &mut times)
        };
        progress.tick(|| {
            let check::Progress { nodes, edges, search, searches, making, .. } = work.progress();
            let mut words = format!("{edges} {}", if work.phase().is_some() { "BDD nodes" } else { "edges" });
            if searches > 1 {
                let _ = write!(words, ", search {} of {searches}", search + 1);
            }
            if making > 0 {
                let _ = write!(words, ", violated, {making} steps to its run");
            }
            (nodes, words)
        });
    }
    let halt = pace.halt.filter(|_| more);
    if halt.is_some() && work.hurry() {
        let until = Instant::now() + LAST;
        while Instant::now() < until && work.step() {}
    }
    progress.clear();
    times.total = pace.started.elapsed();
    (times, halt)
}

/// A few steps; those of a symbolic search are few and long, and each is timed.
fn advance(work: &mut impl Stepping, chunk: u32, times: &mut Times) -> bool {
    let before = Instant::now();
    let Some(phase) = work.phase() else {
        for n in 1..=chunk {
            if !work.step() {
                return false;
            }
            // Steps need not be as short as the last ones were.
            if n.is_multiple_of(8) && before.elapsed() > LOOK {
                break;
            }
        }
        return true;
    };
    let more = work.step();
    match phase {
        Phase::Image => times.image += before.elapsed(),
        Phase::Sigma => times.sigma += before.elapsed(),
        Phase::Look | Phase::Done => {}
    }
    more
}

/// One line on the terminal that says how far a long run is.
struct Progress {
    started: Instant,
    next: Instant,
    shown: bool,
    wanted: bool,
}

impl Progress {
    fn new(started: Instant) -> Progress {
        // Some build servers give their jobs a terminal, but nobody looks at it while they run.
        let wanted = io::stderr().is_terminal() && std::env::var_os("CI").is_none();
        Progress { started, next: started + Duration::from_secs(1), shown: false, wanted }
    }

    /// Says how many states there are, and what else there is to say.
    fn tick(&mut self, say: impl FnOnce() -> (u64, String)) {
        if !self.wanted {
            return;
        }
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + Duration::from_millis(200);
        self.shown = true;
        let (states, more) = say();
        let rate = states as f64 / now.duration_since(self.started).as_secs_f64();
        let _ = write!(io::stderr(), "\r\x1b[K{states} states, {more}, {rate:.0} states/s");
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
