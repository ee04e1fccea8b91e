//! Running an exploration with limits and progress.

use crate::failure::Failure;
use crate::model::Model;
use crate::output::Marks;
use crate::text::path_lines;
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::text::Diagnostic;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How many states are expanded between two looks at the clock.
const CHUNK: u32 = 256;

/// The limits of a run: as many states as asked, and no more memory than half of what the machine has.
pub(crate) fn limits(max_states: Option<u32>) -> Limits {
    let default = Limits::default();
    Limits {
        states: max_states.unwrap_or(default.states),
        bytes: machine_memory().map_or(default.bytes, |bytes| default.bytes.min(bytes / 2)),
    }
}

/// The memory of the machine, where the system tells.
fn machine_memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Explores until the end, telling how far it is; returns the time it took. A fault of the model is a failure.
pub(crate) fn explore(model: &Model, exploration: &mut Exploration<'_>) -> Result<Duration, Failure> {
    let started = Instant::now();
    let mut progress = Progress::new(started);
    while exploration.advance(CHUNK).is_none() {
        progress.tick(exploration);
    }
    progress.clear();
    let time = started.elapsed();
    fault(model, exploration).map_or(Ok(time), Err)
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
    let values = exploration.values(state);
    let mut messages = vec![
        model.source.render(&Diagnostic::new(fault.span, words)),
        format!("in the state: {}", program.show_state(&values)),
        "path to it:".into(),
    ];
    messages.extend(path_lines(program, &exploration.path_to(state), Marks::PLAIN));
    Some(Failure::Input(messages.join("\n")))
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

    fn tick(&mut self, exploration: &Exploration<'_>) {
        if !self.wanted {
            return;
        }
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + Duration::from_millis(200);
        self.shown = true;
        let (states, edges) = (exploration.states().len(), exploration.edge_count());
        let rate = states as f64 / now.duration_since(self.started).as_secs_f64();
        let left = states - exploration.expanded();
        let _ = write!(
            io::stderr(),
            "\r\x1b[K{states} states ({left} to expand), {edges} edges, {rate:.0} states/s"
        );
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
