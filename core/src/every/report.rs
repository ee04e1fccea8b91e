//! The report about every size.

use super::fragment::Outside;
use super::open::OpenParam;
use super::parts::Stuck;
use super::rules::{Kept, Rules};
use crate::check::{Counterexample, Halt, Report, Unknown, Verdict};
use crate::error::{Classified, ErrorKind};
use crate::program::Program;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The conclusion about a property of every size.
#[derive(Clone, Debug)]
pub enum Conclusion {
    /// It holds for all values of the parameters from their least ones on.
    Holds {
        /// From these values on it was proved for all at once; smaller ones were checked one by one.
        from: Vec<i64>,
    },
    /// It is violated; the run is in [`Proof::instance`].
    Violated {
        /// The smallest values for which it is.
        at: Vec<i64>,
        /// For all larger values of the parameters than these, or the same, it holds.
        then: Option<Vec<i64>>,
        /// For a `cover`: it is proved that no size covers it.
        never: bool,
    },
    /// Neither is known.
    Unknown(Reason),
}

/// Why neither is known.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The property, or the model, cannot be spoken of for every size.
    Outside(Outside),
    /// No violation was found, but the abstract system has one that may or may not be a run of an instance.
    Spurious {
        /// Some of its abstract states, in words.
        words: Vec<String>,
        /// How many abstract states it has.
        states: usize,
        /// Why no rule removes it, and what would be needed.
        why: Kept,
    },
    /// A `cover` that is covered by every instance that was checked, by a path that larger ones may not have.
    Growth,
    /// A budget was used up, or the abstract system cannot be built.
    Stuck(Stuck),
    /// A single instance could not be decided.
    Instance(Vec<i64>, Box<Unknown>),
    /// A proposition or a step has an error in the abstract system, and in no instance that was checked.
    Fault(String),
    /// Its automaton cannot be made.
    Property(String),
    /// It was stopped.
    Halted(Halt),
}

impl core::fmt::Display for Reason {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Reason::Outside(outside) => write!(f, "{}; {}", outside.message, outside.nearest),
            Reason::Spurious { words, states, .. } => {
                let more = if *states > words.len() { ", …" } else { "" };
                let (left, real) = match states {
                    1 => ("1 state".into(), "it may or may not be one"),
                    _ => (format!("{states} states"), "these may or may not be states"),
                };
                write!(
                    f,
                    "no violation was found, but the abstract system has {left} in which it might be violated: {}{more}; {real} of a run of the program",
                    words.join(", ")
                )
            }
            Reason::Growth => write!(
                f,
                "every instance that was checked covers it, but its path depends on how many there are: nothing is known of larger ones"
            ),
            Reason::Stuck(Stuck::States) => write!(f, "the abstract system has more states than allowed"),
            Reason::Stuck(Stuck::Nodes) => f.write_str(
                "the product of the abstract system and the property's automaton has more nodes than allowed",
            ),
            Reason::Stuck(Stuck::Roots) => write!(f, "the abstract system has too many initial states"),
            Reason::Stuck(Stuck::Crowd(fault)) => fault.fmt(f),
            Reason::Instance(values, unknown) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "the instance {} was not decided: {unknown}", values.join(", "))
            }
            Reason::Fault(what) => write!(f, "the property may have an error for some size: {what}"),
            Reason::Property(what) => f.write_str(what),
            Reason::Halted(Halt::Request) => f.write_str("stopped before the end"),
            Reason::Halted(Halt::Memory) => f.write_str("memory became short"),
        }
    }
}

impl core::error::Error for Reason {}

impl Classified for Reason {
    fn kind(&self) -> ErrorKind {
        match self {
            Reason::Outside(_) | Reason::Spurious { .. } | Reason::Growth => ErrorKind::Refusal,
            Reason::Stuck(Stuck::States | Stuck::Nodes | Stuck::Roots)
            | Reason::Property(_)
            | Reason::Halted(Halt::Memory) => ErrorKind::Limit,
            Reason::Stuck(Stuck::Crowd(fault)) => fault.kind(),
            Reason::Instance(_, unknown) => unknown.kind(),
            Reason::Fault(_) => ErrorKind::Fault,
            Reason::Halted(Halt::Request) => ErrorKind::Stopped,
        }
    }
}

/// A single instance that was checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The values of the open parameters.
    pub values: Vec<i64>,
    /// `holds`, `violated` or `unknown`.
    pub verdict: &'static str,
}

/// Everything that was found out about one property.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The property's name; none for deadlock freedom.
    pub property: Option<String>,
    /// Whether it is a `cover`: it is *covered* where others hold, and *never* where others are violated.
    pub covers: bool,
    /// The open parameters.
    pub params: Vec<OpenParam>,
    /// The conclusion.
    pub conclusion: Conclusion,
    /// The number up to which the processes of each open family were counted, in the last abstract system.
    pub thresholds: Vec<u32>,
    /// How many processes were tracked in it.
    pub tracked: usize,
    /// Its states.
    pub states: usize,
    /// Its edges.
    pub edges: u64,
    /// The model's assumption, where it has one.
    pub assumed: Option<String>,
    /// The rules that the proof rests on, where there is one.
    pub rules: Option<Rules>,
    /// The instances that were checked one by one, in order.
    pub checked: Vec<Checked>,
    /// The violated instance with its replayed run.
    pub instance: Option<Box<(Program, Report)>>,
}

impl Proof {
    /// `holds`, `violated` or `unknown`.
    pub fn verdict(&self) -> &'static str {
        match self.conclusion {
            Conclusion::Holds { .. } => "holds",
            Conclusion::Violated { .. } => "violated",
            Conclusion::Unknown(_) => "unknown",
        }
    }

    /// Whether it is known to hold for every size.
    pub fn holds(&self) -> bool {
        matches!(self.conclusion, Conclusion::Holds { .. })
    }

    /// The run of a violation.
    pub fn run(&self) -> Option<&Counterexample> {
        self.instance.as_ref()?.1.counterexample.as_ref()
    }

    fn good(&self) -> &'static str {
        if self.covers { "covered" } else { "holds" }
    }

    fn each(&self, sign: &str, values: &[i64]) -> String {
        let parts =
            self.params.iter().zip(values).map(|(param, value)| format!("{} {sign} {value}", param.name));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// The outcome in words, in one line.
    pub fn words(&self) -> String {
        let outcome = self.outcome();
        match &self.assumed {
            Some(assumed) if !matches!(self.conclusion, Conclusion::Unknown(_)) => {
                format!("{outcome}, assuming {assumed}")
            }
            _ => outcome,
        }
    }

    fn outcome(&self) -> String {
        match &self.conclusion {
            Conclusion::Holds { from } => {
                let least: Vec<i64> = self.params.iter().map(|p| p.least).collect();
                let every = format!("{} for every {}", self.good(), self.each(">=", &least));
                if *from == least {
                    every
                } else {
                    format!("{every} (proved for {}, smaller ones checked one by one)", self.each(">=", from))
                }
            }
            Conclusion::Violated { never: true, .. } => {
                let least: Vec<i64> = self.params.iter().map(|p| p.least).collect();
                format!("never, for every {}", self.each(">=", &least))
            }
            Conclusion::Violated { at, then, .. } => {
                let bad = if self.covers { "never" } else { "violated" };
                let smallest = format!("{bad}, smallest {}", self.each("=", at));
                match then {
                    Some(then) => {
                        format!("{smallest}; {} for every {}", self.good(), self.each(">=", then))
                    }
                    None => smallest,
                }
            }
            Conclusion::Unknown(reason) => format!("unknown: {reason}"),
        }
    }
}

/// The verdict of one instance as a word.
pub(super) fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(_) => "unknown",
    }
}
