//! The rules that remove abstract components which no instance has, sets of them, and why they leave something.

use alloc::string::String;
use alloc::vec::Vec;

/// A rule that removes abstract components which no instance has. They are tried in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Rule {
    /// Nothing but the abstraction and the fairness of processes that are told apart.
    Simulation,
    /// The fairness of each single untracked process.
    Threads,
    /// A weighted number of processes that can only grow.
    Drift,
    /// Weighted numbers of processes that are never below a bound.
    Laws,
}

impl Rule {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Simulation => "simulation",
            Rule::Threads => "threads",
            Rule::Drift => "drift",
            Rule::Laws => "laws",
        }
    }
}

/// The rules that a proof rests on. The simulation is one of every proof, and is named where there is no other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rules {
    threads: bool,
    drift: bool,
    laws: bool,
}

impl Rules {
    /// The same with one more rule.
    #[must_use]
    pub fn with(mut self, rule: Rule) -> Rules {
        match rule {
            Rule::Simulation => {}
            Rule::Threads => self.threads = true,
            Rule::Drift => self.drift = true,
            Rule::Laws => self.laws = true,
        }
        self
    }

    /// The rules in the order in which they are tried.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        let Rules { threads, drift, laws } = self;
        let all = [
            (Rule::Simulation, !(threads || drift || laws)),
            (Rule::Threads, threads),
            (Rule::Drift, drift),
            (Rule::Laws, laws),
        ];
        all.into_iter().filter(|(_, is)| *is).map(|(rule, _)| rule)
    }

    /// The rules of both.
    #[must_use]
    pub fn and(self, other: Rules) -> Rules {
        other.iter().fold(self, Rules::with)
    }

    /// The last one that was needed.
    pub fn last(self) -> Rule {
        self.iter().last().unwrap_or(Rule::Simulation)
    }
}

impl core::fmt::Display for Rules {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let count = self.iter().count();
        for (number, rule) in self.iter().enumerate() {
            let before = match number {
                0 => "",
                _ if number + 1 == count => " and ",
                _ => ", ",
            };
            write!(f, "{before}{}", rule.name())?;
        }
        Ok(())
    }
}

/// The reason why something is left that no instance may have, as far as it can be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Nobody knows whether an instance reaches it: once there, no count of *many* changes.
    Reached,
    /// These steps, in words, change how many *many* are, and it stays *many* for ever.
    Fed(Vec<String>),
}

impl core::fmt::Display for Kept {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Kept::Reached => f.write_str(
                "whether an instance reaches them depends on how many *many* is: an invariant of the counts that rules them out, kept by a guard or in a shared variable, is needed",
            ),
            Kept::Fed(steps) => write!(
                f,
                "they go on for ever only while *many* stays many, whoever comes or leaves by {}: a bound on how often that can happen is needed, such as a shared variable that counts it",
                steps.join("; ")
            ),
        }
    }
}
