//! The object that `check --json` prints; `schema/check.schema.json` describes it.

mod branching;
mod quotient;
mod run;
mod symbolic;

pub(crate) use branching::Branching;
pub(crate) use run::{Instance, Lasso, Ledgers, Steps, Whole};
pub(crate) use symbolic::Symbolic;

pub(crate) use quotient::{Cycles, Quotient, QuotientEdge, QuotientState, Root};

use orbitscope_core::check;
use orbitscope_core::group::Group;
use orbitscope_core::program::{Domain, FamilyId, Program, Slot, Type, VarId};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::time::Duration;

#[derive(Serialize)]
pub(crate) struct Report<'a> {
    pub model: String,
    pub params: Params<'a>,
    pub processes: u32,
    pub symmetry: Symmetry,
    /// Whether everything that the verdicts and counts speak of was seen.
    pub complete: bool,
    pub deadlocks: Deadlocks<'a>,
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

/// So many generators are listed: a million clients have a million of them.
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

#[derive(Serialize)]
pub(crate) struct Answer<'a> {
    pub property: &'a str,
    pub verdict: &'static str,
    pub fairness: Option<&'static str>,
    pub engine: Option<&'static str>,
    pub note: Option<String>,
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
    /// What there is to say about a ctl property.
    pub branching: Option<Branching<'a>>,
    /// What the symbolic engine did, where it was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<Symbolic>,
}

/// What a search counted; null where the search does not count such a thing.
#[derive(Serialize, Default)]
pub(crate) struct Stats {
    pub states: Option<u64>,
    pub edges: Option<u64>,
    pub aqs_states: Option<u64>,
    pub aqs_edges: Option<u64>,
    pub aqs_edges_pruned: Option<u64>,
    pub aqsi_states: Option<u64>,
    pub product_states: Option<u64>,
    pub product_edges: Option<u64>,
    pub time_ms: Option<f64>,
    pub peak_bytes: Option<u64>,
}

impl Stats {
    pub(crate) fn new(stats: &check::Stats, time: Duration) -> Stats {
        Stats {
            states: stats.states,
            edges: stats.edges,
            aqs_states: stats.aqs_states,
            aqs_edges: stats.aqs_edges,
            aqs_edges_pruned: stats.aqs_edges_pruned,
            aqsi_states: stats.aqsi_states,
            product_states: stats.product_states,
            product_edges: stats.product_edges,
            time_ms: Some((time.as_secs_f64() * 1e6).round() / 1e3),
            peak_bytes: Some(stats.peak_bytes),
        }
    }
}

/// The parameters with their values.
pub(crate) struct Params<'a>(pub &'a Program);

impl Serialize for Params<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.params.iter().map(|param| (&param.name, param.value)))
    }
}

/// A state: shared variables by name, then for each family a list of its processes' variables.
#[derive(Clone, Copy)]
pub(crate) struct State<'a> {
    pub program: &'a Program,
    pub values: &'a [i32],
}

impl Serialize for State<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut state = serializer.serialize_map(None)?;
        for (id, var) in self.program.vars.iter_enumerated().filter(|(_, var)| var.owner.is_none()) {
            state.serialize_entry(&var.name, &self.variable(id, 0))?;
        }
        for (id, family) in self.program.families.iter_enumerated().filter(|(_, f)| !f.vars.is_empty()) {
            if family.single {
                state.serialize_entry(&family.name, &Record { state: *self, family: id, process: 0 })?;
            } else {
                let records: Vec<Record<'_>> =
                    (0..family.size).map(|process| Record { state: *self, family: id, process }).collect();
                state.serialize_entry(&family.name, &records)?;
            }
        }
        state.end()
    }
}

impl<'a> State<'a> {
    fn variable(self, id: VarId, process: u32) -> Table<'a> {
        let (first, _) = self.program.entries(id, process);
        Table { state: self, var: id, first: first.0, index: &self.program.vars[id].index }
    }
}

/// The variables of one process.
struct Record<'a> {
    state: State<'a>,
    family: FamilyId,
    process: u32,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Program { families, vars, .. } = self.state.program;
        let variables = families[self.family].vars.iter();
        serializer.collect_map(variables.map(|&id| (&vars[id].name, self.state.variable(id, self.process))))
    }
}

/// The entries of a variable: one value, or nested lists, one level for each index.
struct Table<'a> {
    state: State<'a>,
    var: VarId,
    first: u32,
    index: &'a [Domain],
}

impl Serialize for Table<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let program = self.state.program;
        let size = |domain: &Domain| match *domain {
            Domain::Family(family) => program.families[family].size,
            Domain::Range(low, high) => (high - low + 1).max(0) as u32,
        };
        let Some((domain, inner)) = self.index.split_first() else {
            return self.value(serializer);
        };
        let stride: u32 = inner.iter().map(size).product();
        serializer.collect_seq((0..size(domain)).map(|at| Table {
            first: self.first + at * stride,
            index: inner,
            ..*self
        }))
    }
}

impl Table<'_> {
    fn value<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.state.values[self.first as usize];
        typed(self.state.program, self.state.program.vars[self.var].ty.ty, value, serializer)
    }
}

/// The value of one slot.
struct Value<'a> {
    program: &'a Program,
    slot: Slot,
    value: i32,
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        typed(self.program, self.program.type_of(self.slot), self.value, serializer)
    }
}

fn typed<S: Serializer>(program: &Program, ty: Type, value: i32, serializer: S) -> Result<S::Ok, S::Error> {
    let value = value as i64;
    match ty {
        Type::Bool => serializer.serialize_bool(value != 0),
        Type::Int | Type::Error => serializer.serialize_i64(value),
        Type::Process { .. } | Type::None if value < 0 => serializer.serialize_unit(),
        ty => serializer.collect_str(&program.show_value(ty, value)),
    }
}
