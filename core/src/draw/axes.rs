//! The measures by which nodes differ without a look at single processes: how many are in each local state, and the
//! values of shared variables. They are the coordinates of a lattice.

use super::compact::Compact;
use super::{Graph, NodeId};
use crate::group::Process;
use crate::ids::IdVec;
use crate::limits::MAX_AXIS_STATES;
use crate::program::{FamilyId, Program, Type, VarId};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Something that has one value in each node.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Axis {
    /// The name of the measure.
    pub name: String,
    /// The same in as few characters as can be.
    pub short: String,
    /// The names of its values 0, 1, …; a number names itself.
    pub labels: Vec<String>,
}

impl Axis {
    /// A value in words.
    pub fn value(&self, value: i32) -> String {
        let name = usize::try_from(value).ok().and_then(|value| self.labels.get(value));
        name.cloned().unwrap_or_else(|| value.to_string())
    }
}

/// Collects where nodes are while they are drawn.
#[derive(Default)]
pub(super) struct Coordinates {
    /// For each node: the processes in each local state of each family, by the state's number in `locals`.
    counts: Vec<BTreeMap<(FamilyId, u32), i32>>,
    /// The local states seen, by family.
    locals: BTreeMap<FamilyId, Vec<String>>,
    /// For each node: the values of the shared variables, the local states of the tracked processes, and what else it has.
    values: Vec<Vec<i32>>,
    tracked: Vec<String>,
    rest: u32,
}

impl Coordinates {
    /// Notes the next node. `rest` is the automaton's state, where there is one.
    pub(super) fn node(
        &mut self,
        compact: &Compact<'_>,
        flat: &[i32],
        tracked: &[Process],
        rest: Option<u32>,
    ) {
        let program = compact.program();
        let mut counts = BTreeMap::new();
        for id in families(compact, program) {
            for (process, count) in compact.runs(id, flat) {
                let local = compact.local(id, process, flat);
                let known = self.locals.entry(id).or_default();
                *counts.entry((id, number(known, local))).or_default() += count as i32;
            }
        }
        self.counts.push(counts);
        let shared = shared(compact, program);
        let mut values: Vec<i32> = shared.map(|id| flat[program.entries(id, 0).0.0 as usize]).collect();
        for &process in tracked {
            let (family, index) = program.locate(process);
            let local = compact.local(family, index, flat);
            values.push(number(&mut self.tracked, local) as i32);
        }
        values.extend(rest.map(|rest| rest as i32));
        self.rest = self.rest.max(rest.map_or(0, |rest| rest + 1));
        self.values.push(values);
    }

    /// Gives the graph its axes, and each node its place on them.
    pub(super) fn finish(self, compact: &Compact<'_>, tracked: usize, graph: &mut Graph) {
        let program = compact.program();
        let mut counted: Vec<(FamilyId, u32)> = Vec::new();
        for (&family, locals) in self.locals.iter().filter(|(_, locals)| locals.len() <= MAX_AXIS_STATES) {
            for (number, local) in (0..).zip(locals) {
                counted.push((family, number));
                let name = &program.families[family].name;
                let name = format!("{name} processes in {local}");
                graph.axes.push(Axis { name, short: local.clone(), labels: Vec::new() });
            }
        }
        graph.axes.extend(shared(compact, program).map(|id| Axis {
            name: program.vars[id].name.clone(),
            short: program.vars[id].name.clone(),
            labels: labels(program, program.vars[id].ty.ty),
        }));
        for number in 0..tracked {
            let name =
                if tracked == 1 { "tracked process".into() } else { format!("tracked process {number}") };
            let labels = self.tracked.iter().map(|local| format!("l in {local}")).collect();
            graph.axes.push(Axis { name, short: "l".into(), labels });
        }
        if self.rest > 0 {
            let labels = (0..self.rest).map(|q| format!("q{q}")).collect();
            graph.axes.push(Axis { name: "automaton".into(), short: "q".into(), labels });
        }
        let nodes: &mut IdVec<NodeId, _> = &mut graph.nodes;
        for ((node, counts), values) in nodes.iter_mut().zip(self.counts).zip(self.values) {
            node.at = counted.iter().map(|key| counts.get(key).copied().unwrap_or(0)).chain(values).collect();
        }
    }
}

/// The place of a name in a list, to which it is added if it is new.
fn number(names: &mut Vec<String>, name: String) -> u32 {
    let found = names.iter().position(|known| *known == name);
    found.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    }) as u32
}

/// The families whose processes have local states to count.
fn families<'a>(compact: &'a Compact<'_>, program: &'a Program) -> impl Iterator<Item = FamilyId> + 'a {
    program
        .families
        .ids()
        .filter(|&id| program.families[id].size > 1 && compact.plain_vars(id).next().is_some())
}

/// The shared variables that change and name no process.
fn shared<'a>(compact: &'a Compact<'_>, program: &'a Program) -> impl Iterator<Item = VarId> + 'a {
    program.vars.ids().filter(|&id| program.vars[id].owner.is_none() && compact.is_plain(id))
}

fn labels(program: &Program, ty: Type) -> Vec<String> {
    match ty {
        Type::Bool => ["false", "true"].map(String::from).to_vec(),
        Type::Enum(id) => program.enums[id].clone(),
        _ => Vec::new(),
    }
}
