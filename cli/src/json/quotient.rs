//! The object that `graph --of aqs` and `graph --of aqsi` print.

use super::{Params, State, Symmetry};
use orbitscope_core::group::{Partition, Perm, Process};
use orbitscope_core::program::{ActionId, Program};
use serde::{Serialize, Serializer};

#[derive(Serialize)]
pub(crate) struct Quotient<'a> {
    pub title: String,
    pub of: &'static str,
    pub params: Params<'a>,
    pub processes: u32,
    pub symmetry: Symmetry,
    pub prune: &'static str,
    /// Whether all states and edges are here.
    pub complete: bool,
    /// Whether every orbit surely has one state only.
    pub exact: bool,
    pub state_count: u64,
    pub edge_count: u64,
    /// The tracked processes of the program.
    pub tracked: Vec<String>,
    pub roots: Vec<Root<'a>>,
    pub states: Vec<QuotientState<'a>>,
    pub edges: Vec<QuotientEdge<'a>>,
    /// The edges that pruning left out, where they are asked for.
    pub pruned: Option<Vec<QuotientEdge<'a>>>,
}

/// An initial state of the program: the permutation takes the quotient's state to it.
#[derive(Serialize)]
pub(crate) struct Root<'a> {
    pub state: String,
    pub perm: Cycles<'a>,
}

pub(crate) struct QuotientState<'a> {
    pub program: &'a Program,
    pub id: String,
    pub label: Vec<String>,
    pub values: Vec<i32>,
    /// Where the tracked processes are.
    pub tracked: Vec<Process>,
    /// The classes of like processes.
    pub classes: Partition,
    pub initial: bool,
    pub deadlock: bool,
}

#[derive(Serialize)]
struct Class {
    representative: String,
    size: u32,
}

impl Serialize for QuotientState<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            id: &'a str,
            label: &'a [String],
            state: State<'a>,
            tracked: Vec<String>,
            classes: Vec<Class>,
            initial: bool,
            deadlock: bool,
        }
        let classes = self.classes.classes().filter_map(|class| {
            let representative = self.program.process_name(class.first()?);
            Some(Class { representative, size: class.len() })
        });
        let fields = Fields {
            id: &self.id,
            label: &self.label,
            state: State { program: self.program, values: &self.values },
            tracked: self.tracked.iter().map(|&p| self.program.process_name(p)).collect(),
            classes: classes.collect(),
            initial: self.initial,
            deadlock: self.deadlock,
        };
        fields.serialize(serializer)
    }
}

/// An edge `from —(perm, process)→ to`: the process executes, and the true successor is perm·to.
#[derive(Serialize)]
pub(crate) struct QuotientEdge<'a> {
    pub from: String,
    pub to: String,
    pub process: String,
    pub action: &'a str,
    pub args: Vec<String>,
    pub perm: Cycles<'a>,
    /// How many steps of the state it stands for.
    pub weight: u64,
    /// For a pruned edge: the kept edge it is parallel to, as a position in `edges`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_to: Option<usize>,
    /// For a pruned edge: what takes the kept edge to it and fixes the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_by: Option<Cycles<'a>>,
}

impl<'a> QuotientEdge<'a> {
    pub(crate) fn new(
        program: &'a Program,
        (from, to): (u32, u32),
        process: Process,
        (action, arguments): (ActionId, &[i64]),
        perm: &Perm,
        weight: u64,
    ) -> Self {
        QuotientEdge {
            from: format!("s{from}"),
            to: format!("s{to}"),
            process: program.process_name(process),
            action: &program.actions[action].name,
            args: program.argument_names(action, arguments),
            perm: Cycles::new(program, perm),
            weight,
            parallel_to: None,
            shown_by: None,
        }
    }
}

/// A permutation as its cycles, each a list of processes.
pub(crate) struct Cycles<'a> {
    program: &'a Program,
    perm: Perm,
}

impl<'a> Cycles<'a> {
    pub(crate) fn new(program: &'a Program, perm: &Perm) -> Self {
        Cycles { program, perm: perm.clone() }
    }
}

impl Serialize for Cycles<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = |p: Process| self.program.process_name(p);
        let cycles = self.perm.cycles().into_iter();
        serializer.collect_seq(cycles.map(|cycle| cycle.into_iter().map(name).collect::<Vec<_>>()))
    }
}

impl<'a> Root<'a> {
    pub(crate) fn new(program: &'a Program, state: u32, perm: &Perm) -> Self {
        Root { state: format!("s{state}"), perm: Cycles::new(program, perm) }
    }
}
