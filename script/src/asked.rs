//! The options of a question, by the names that they have on the command line.

use crate::wrong::{Wrong, unknown};
use orbitscope_core::check::{Engine, Options};
use orbitscope_core::explore::Limits;
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::syntax::ast::Fairness;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Everything that may be asked besides the text. Each member may be left out; one that is misspelt is an error.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Asked {
    /// Values of parameters.
    pub set: BTreeMap<String, i64>,
    /// The property; without it all, where that makes sense.
    pub property: Option<String>,
    /// `model`, `weak`, `strong` or `none`.
    pub fairness: Option<String>,
    /// `onthefly`, `threaded`, `explicit` or `symbolic`.
    pub engine: Option<String>,
    /// `stutter` or `drop`.
    pub deadlock: Option<String>,
    /// At most this many states of a search.
    pub states: Option<u32>,
    /// The graph: `states`, `quotient`, `tracked` or `product`.
    pub of: Option<String>,
    /// At most this many nodes of a graph.
    pub nodes: Option<u32>,
}

/// A search stops at this many bytes: a browser gives a page no more than 4 GiB, and other data need room too.
const BYTES: u64 = 1 << 30;
/// A search stops at this many states.
const STATES: u32 = 20_000_000;

impl Asked {
    pub(crate) fn options(&self) -> Result<Options, Wrong> {
        let fairness = choice(
            "fairness",
            self.fairness.as_deref(),
            &[
                ("model", FairnessChoice::Model),
                ("weak", FairnessChoice::All(Fairness::Weak)),
                ("strong", FairnessChoice::All(Fairness::Strong)),
                ("none", FairnessChoice::All(Fairness::None)),
            ],
        )?;
        let engine = choice(
            "engine",
            self.engine.as_deref(),
            &[
                ("onthefly", Engine::Onthefly),
                ("threaded", Engine::Threaded),
                ("explicit", Engine::Explicit),
                ("symbolic", Engine::Symbolic),
            ],
        )?;
        let deadlock = choice(
            "deadlock",
            self.deadlock.as_deref(),
            &[("stutter", Deadlock::Stutter), ("drop", Deadlock::Drop)],
        )?;
        let limits = Limits::new(self.states.unwrap_or(STATES), BYTES);
        Ok(Options { fairness, engine, deadlock, limits, ..Options::default() })
    }
}

impl Asked {
    /// How it is checked, as a link says it: each choice that is not the usual one, by its name on the command line.
    pub(crate) fn choices(&self) -> BTreeMap<String, String> {
        let named = [
            ("fairness", &self.fairness, "model"),
            ("engine", &self.engine, "onthefly"),
            ("deadlock", &self.deadlock, "stutter"),
        ];
        named
            .into_iter()
            .filter_map(|(name, given, usual)| {
                Some((name, given.as_deref().filter(|given| *given != usual)?))
            })
            .map(|(name, given)| (name.to_owned(), given.to_owned()))
            .collect()
    }
}

/// The value of a name; the first one where none is given.
fn choice<T: Copy>(what: &str, given: Option<&str>, known: &[(&str, T)]) -> Result<T, Wrong> {
    let Some(name) = given else { return Ok(known[0].1) };
    let found = known.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
    found.ok_or_else(|| unknown(what, name, &known.iter().map(|(own, _)| *own).collect::<Vec<_>>()))
}
