//! The object that `check --json` prints; `schema/check.schema.json` describes it.

mod branching;
mod quotient;
mod symbolic;

pub(crate) use branching::Branching;
pub(crate) use orbitscope_core::json::{Instance, Lasso, Ledgers, State, Steps, Whole};
pub(crate) use symbolic::Symbolic;

pub(crate) use quotient::{Cycles, Quotient, QuotientEdge, QuotientState, Root};

use orbitscope_core::check;
use orbitscope_core::group::Group;
use orbitscope_core::program::Program;
use orbitscope_core::quotient::EdgeStorage;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use std::time::Duration;

#[derive(Serialize)]
pub(crate) struct Report<'a> {
    pub model: String,
    pub params: Params<'a>,
    pub processes: u32,
    pub symmetry: Symmetry,
    /// The assumption that the model makes about all states that are looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assuming: Option<String>,
    /// Whether everything that the verdicts and counts speak of was seen.
    pub complete: bool,
    /// None where they were not looked for.
    pub deadlocks: Option<Deadlocks<'a>>,
    /// The error that ended the pass over the states.
    pub error: Option<Problem<'a>>,
    pub results: Vec<Answer<'a>>,
}

#[derive(Serialize)]
pub(crate) struct Symmetry {
    /// A decimal number: orders do not fit into a number of JSON.
    pub order: String,
    pub generators: Vec<String>,
    /// How many generators there are, listed or not.
    pub generator_count: u64,
}

/// At most this many generators are listed: a million clients have a million of them.
const MAX_GENERATORS: usize = 1_000;

impl Symmetry {
    pub(crate) fn new(program: &Program, group: &Group) -> Symmetry {
        let shown = group.generators().take(MAX_GENERATORS);
        let generators = shown.map(|g| g.display(|p| program.process_name(p)).to_string()).collect();
        Symmetry {
            order: group.order().to_string(),
            generators,
            generator_count: group.generators().count() as u64,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct Deadlocks<'a> {
    pub count: u64,
    /// Whether states of the quotient are counted, not of the program.
    pub up_to_symmetry: bool,
    pub path: Option<Steps<'a>>,
}

/// An error of the model, of a property, or of this program.
#[derive(Serialize)]
pub(crate) struct Problem<'a> {
    pub kind: &'static str,
    pub message: String,
    pub path: Option<Steps<'a>>,
}

#[derive(Serialize)]
pub(crate) struct Answer<'a> {
    pub property: &'a str,
    pub verdict: &'static str,
    /// The verdict in the words of a `cover`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<&'static str>,
    /// The assumption on which the verdict rests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assuming: Option<String>,
    pub fairness: Option<&'static str>,
    pub engine: Option<&'static str>,
    pub note: Option<String>,
    /// The error that the verdict is unknown for.
    pub error: Option<Problem<'a>>,
    pub instance: Option<Instance<'a>>,
    /// How many orbits of choices there are, each searched once.
    pub searches: Option<u32>,
    /// How many times the bodies of quantifiers inside were written out.
    pub expanded: Option<u64>,
    /// Whether permutations act on the automaton instead of moving the processes of these quantifiers.
    pub symmetric_automaton: Option<bool>,
    pub stats: Stats,
    pub path: Option<Steps<'a>>,
    pub lasso: Option<Lasso<'a>>,
    pub ledger: Option<Ledgers<'a>>,
    /// The parts and the evidence of a ctl property.
    pub branching: Option<Branching<'a>>,
    /// The iterations of the symbolic engine, where it was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<Symbolic>,
}

/// The counts of a search; null where the search does not count such a thing, or where there was no search.
pub(crate) struct Stats(pub Option<(check::Stats, EdgeStorage, Duration)>);

impl Serialize for Stats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let each = |bytes: Option<u64>, count: Option<u64>| {
            let (bytes, count) = (bytes?, count.filter(|&count| count > 0)?);
            Some((bytes as f64 / count as f64 * 10.0).round() / 10.0)
        };
        let (stats, storage, time) = match &self.0 {
            Some((stats, storage, time)) => {
                (*stats, stats.edge_expansions.map(|_| storage.name()), Some(time))
            }
            None => (check::Stats::default(), None, None),
        };
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("states", &stats.states)?;
        fields.serialize_entry("edges", &stats.edges)?;
        fields.serialize_entry("aqs_states", &stats.aqs_states)?;
        fields.serialize_entry("aqs_edges", &stats.aqs_edges)?;
        fields.serialize_entry("aqs_edges_pruned", &stats.aqs_edges_pruned)?;
        fields.serialize_entry("aqsi_states", &stats.aqsi_states)?;
        fields.serialize_entry("product_states", &stats.product_states)?;
        fields.serialize_entry("product_edges", &stats.product_edges)?;
        fields.serialize_entry("time_ms", &time.map(|time| (time.as_secs_f64() * 1e6).round() / 1e3))?;
        fields.serialize_entry("peak_bytes", &time.map(|_| stats.peak_bytes))?;
        fields.serialize_entry("bytes_per_aqs_state", &each(stats.aqs_bytes, stats.aqs_states))?;
        fields
            .serialize_entry("bytes_per_product_state", &each(stats.product_bytes, stats.product_states))?;
        fields.serialize_entry("stack_entries", &stats.stack_entries)?;
        fields.serialize_entry("bytes_per_stack_entry", &each(stats.stack_bytes, stats.stack_entries))?;
        fields.serialize_entry("edge_storage", &storage)?;
        fields.serialize_entry("edge_expansions", &stats.edge_expansions)?;
        fields.serialize_entry("edge_bytes", &stats.edge_bytes)?;
        fields.end()
    }
}

/// The parameters with their values.
pub(crate) struct Params<'a>(pub &'a Program);

impl Serialize for Params<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.params.iter().map(|param| (&param.name, param.value)))
    }
}
