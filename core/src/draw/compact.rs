//! States and processes in as few characters as a picture has room for: `RRI` for three clients.

use super::Step;
use crate::group::{Perm, Process};
use crate::ids::IdVec;
use crate::program::{ActionParam, Domain, FamilyId, Program, Slot, TermKind, Type, VarId};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The local states of more processes than this are counted.
const LISTED: u32 = 16;

/// How the processes and values of a program are written where there is little room.
#[derive(Clone, Debug)]
pub struct Compact<'p> {
    program: &'p Program,
    /// A variable that no action assigns and that has one initial value is the same in all states: it says nothing.
    changing: IdVec<VarId, bool>,
    /// The literals of each enumeration.
    literals: Vec<Vec<String>>,
    /// The letters before the number of a process.
    prefixes: IdVec<FamilyId, String>,
}

impl<'p> Compact<'p> {
    /// How this program's are written.
    pub fn new(program: &'p Program) -> Self {
        let mut changing: IdVec<VarId, bool> = program.vars.iter().map(|_| false).collect();
        for assignment in program.actions.iter().flat_map(|action| &action.assignments) {
            if let TermKind::Shared(var, _) | TermKind::Local(var, ..) = program.terms[assignment.target].kind
            {
                changing[var] = true;
            }
        }
        let differing = program.initial.differing();
        for (id, var) in program.vars.iter_enumerated().filter(|_| !differing.is_empty()) {
            let processes = var.owner.map_or(1, |family| program.families[family].size);
            changing[id] |= (0..processes).any(|process| {
                let (first, count) = program.entries(id, process);
                differing.range(first..Slot(first.0 + count)).next().is_some()
            });
        }
        let literals = program.enums.iter().map(|literals| abbreviated(literals));
        Compact { program, changing, literals: literals.collect(), prefixes: prefixes(program) }
    }

    pub(super) fn program(&self) -> &'p Program {
        self.program
    }

    /// Whether a variable is not the same in all states, is no table, and names no process.
    pub(super) fn is_plain(&self, id: VarId) -> bool {
        let var = &self.program.vars[id];
        self.changing[id]
            && var.index.is_empty()
            && matches!(var.ty.ty, Type::Bool | Type::Int | Type::Enum(_))
    }

    /// The variables of a family's processes of which the same is true.
    pub(super) fn plain_vars(&self, id: FamilyId) -> impl Iterator<Item = VarId> {
        self.program.families[id].vars.iter().copied().filter(|&var| self.is_plain(var))
    }

    /// The local state of a process, as far as it names no process.
    pub(super) fn local(&self, id: FamilyId, process: u32, values: &[i32]) -> String {
        self.joined(self.plain_vars(id), process, values)
    }

    /// Processes of a family that follow each other in one local state: the first, and how many.
    pub(super) fn runs(&self, id: FamilyId, values: &[i32]) -> Vec<(u32, u32)> {
        let family = &self.program.families[id];
        let entries = |var: VarId, process: u32| {
            let (first, count) = self.program.entries(var, process);
            &values[first.0 as usize..(first.0 + count) as usize]
        };
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for process in 0..family.size {
            let same = |first: u32| family.vars.iter().all(|&v| entries(v, first) == entries(v, process));
            match runs.last_mut() {
                Some((first, count)) if same(*first) => *count += 1,
                _ => runs.push((process, 1)),
            }
        }
        runs
    }

    fn joined(&self, vars: impl Iterator<Item = VarId>, process: u32, values: &[i32]) -> String {
        let parts: Vec<String> = vars.map(|var| self.variable(var, process, values, true)).collect();
        let short = parts.iter().all(|part| part.chars().count() == 1);
        parts.join(if short { "" } else { "," })
    }

    /// A process: its number where there is one family only, `r0` and `w0` where there are two.
    pub fn process(&self, process: Process) -> String {
        let (family, number) = self.program.locate(process);
        if self.program.families[family].single {
            return self.program.families[family].name.clone();
        }
        format!("{}{number}", self.prefixes[family])
    }

    /// Several processes.
    pub fn processes(&self, processes: impl Iterator<Item = Process>) -> String {
        processes.map(|p| self.process(p)).collect::<Vec<_>>().join(" ")
    }

    /// A permutation in cycle notation; the identity is `id`.
    pub fn perm(&self, perm: &Perm) -> String {
        if perm.is_identity() { "id".into() } else { perm.display(|p| self.process(p)).to_string() }
    }

    /// A step: who executes what.
    pub(super) fn step(&self, step: &Step) -> String {
        let action = &self.program.actions[step.action];
        let argument = |(param, &value): (&ActionParam, &i64)| match param.domain {
            Domain::Family(family) => self.process(self.program.process(family, value as u32)),
            Domain::Range(..) => format!("{value}"),
        };
        let arguments: Vec<String> = action.params.iter().zip(&step.arguments).map(argument).collect();
        let process = self.process(step.process);
        if arguments.is_empty() {
            return format!("{process}.{}", action.name);
        }
        format!("{process}.{}({})", action.name, arguments.join(", "))
    }

    /// Whether the variable has different values in two states: one that has not says nothing.
    pub fn is_changing(&self, var: VarId) -> bool {
        self.changing[var]
    }

    /// The state: the local states of each family, then the shared variables.
    pub fn state(&self, values: &[i32]) -> Vec<String> {
        let program = self.program;
        let mut lines = Vec::new();
        let told = |id: FamilyId| program.families[id].vars.iter().any(|&var| self.changing[var]);
        let families: Vec<FamilyId> =
            program.families.ids().filter(|&id| program.families[id].size > 0 && told(id)).collect();
        for &id in &families {
            let locals = self.family(id, values);
            let named = families.len() > 1 || program.families[id].single;
            lines.push(if named { format!("{}: {locals}", program.families[id].name) } else { locals });
        }
        for (id, var) in program.vars.iter_enumerated() {
            if var.owner.is_none() && self.changing[id] {
                lines.push(format!("{}={}", var.name, self.variable(id, 0, values, false)));
            }
        }
        lines
    }

    fn family(&self, id: FamilyId, values: &[i32]) -> String {
        let family = &self.program.families[id];
        let local = |process: u32| {
            let vars = family.vars.iter().copied().filter(|&var| self.changing[var]);
            self.joined(vars, process, values)
        };
        if family.size > LISTED {
            let mut runs: Vec<(String, u32)> = Vec::new();
            for (first, count) in self.runs(id, values) {
                let local = local(first);
                match runs.last_mut() {
                    Some(run) if run.0 == local => run.1 += count,
                    _ => runs.push((local, count)),
                }
            }
            return runs.iter().map(|(local, n)| format!("{local}×{n}")).collect::<Vec<_>>().join(" ");
        }
        let locals: Vec<String> = (0..family.size).map(local).collect();
        let short = locals.iter().all(|local| local.chars().count() == 1);
        locals.join(if short { "" } else { " " })
    }

    fn variable(&self, id: VarId, process: u32, values: &[i32], short: bool) -> String {
        let (first, count) = self.program.entries(id, process);
        let ty = self.program.vars[id].ty.ty;
        let entries = values[first.0 as usize..(first.0 + count) as usize].iter();
        let table = count > 1 || !self.program.vars[id].index.is_empty();
        let parts: Vec<String> = entries.map(|&value| self.value(ty, value as i64, short || table)).collect();
        let tight = parts.iter().all(|part| part.chars().count() == 1);
        parts.join(if tight { "" } else { " " })
    }

    fn value(&self, ty: Type, value: i64, short: bool) -> String {
        match ty {
            Type::Enum(id) if short => self.literals[id.0 as usize][value as usize].clone(),
            Type::Bool if short => String::from(if value != 0 { "T" } else { "F" }),
            Type::Process { .. } | Type::None if value < 0 => "–".into(),
            Type::Process { family, .. } => self.process(self.program.process(family, value as u32)),
            _ => self.program.show_value(ty, value).to_string(),
        }
    }
}

fn prefixes(program: &Program) -> IdVec<FamilyId, String> {
    let several: Vec<&str> =
        program.families.iter().filter(|f| !f.single).map(|family| family.name.as_str()).collect();
    let initials: BTreeSet<char> = several.iter().filter_map(|name| name.chars().next()).collect();
    let prefix = |name: &str| match several.len() {
        0 | 1 => String::new(),
        n if n == initials.len() => name.chars().take(1).collect(),
        _ => name.into(),
    };
    program.families.iter().map(|family| prefix(&family.name)).collect()
}

/// Literals are cut to at most this many characters.
const ABBREVIATED: usize = 3;

/// Names cut to as few characters as tell them apart, all to the same number; whole where that takes more than a few.
fn abbreviated(names: &[String]) -> Vec<String> {
    let cut = |length: usize| names.iter().map(move |name| name.chars().take(length).collect::<String>());
    let told_apart = |length: &usize| cut(*length).collect::<BTreeSet<String>>().len() == names.len();
    match (1..=ABBREVIATED).find(told_apart) {
        Some(length) => cut(length).collect(),
        None => names.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Machine, Settings, build};
    use crate::syntax::parse;

    /// The labels of all initial states, each without its processes.
    fn labels(declarations: &str) -> Vec<String> {
        let text =
            format!("{declarations} process p[2] {{ var y: bool = false action go: true -> y := not y }}");
        let parsed = parse(&text);
        let program = build(&parsed.file, &Settings::default()).unwrap();
        let (compact, machine) = (Compact::new(&program), Machine::new(&program));
        let mut walk = program.initial.walk();
        let mut labels = Vec::new();
        loop {
            labels.push(compact.state(&walk.values)[1..].join(" "));
            if !program.initial.advance(&program, machine.packing(), &mut walk) {
                return labels;
            }
        }
    }

    #[test]
    fn states_that_only_start_differently_are_told_apart() {
        assert_eq!(labels("shared x: 0..2 = 1"), [""]);
        assert_eq!(labels("shared x: 0..2 = any"), ["x=0", "x=1", "x=2"]);
        let some = "init { x := 2 } init { z := 1 }";
        assert_eq!(labels(&format!("shared x: 0..2 = 2 shared z: 0..1 = 0 {some}")), ["z=0", "z=1"]);
        assert_eq!(labels(&format!("shared x: 0..2 = 1 shared z: 0..1 = 1 {some}")), ["x=2", "x=1"]);
        assert_eq!(labels("shared x: 0..2 = any shared z: 0..1 = 0 init { x := 1 }"), [""]);
        assert_eq!(
            labels("shared x: 0..2 = any shared z: 0..1 = 0 init(v in 0..1) { x := v }"),
            ["x=0", "x=1"]
        );
    }

    #[test]
    fn names_are_cut_as_far_as_they_differ() {
        let cut =
            |names: &[&str]| abbreviated(&names.iter().map(|&n| n.into()).collect::<Vec<_>>()).join(" ");
        assert_eq!(cut(&["I", "R", "C"]), "I R C");
        assert_eq!(cut(&["idle", "trying", "critical"]), "i t c");
        assert_eq!(cut(&["thinks", "hungry", "has_left", "eats"]), "th hu ha ea");
        assert_eq!(cut(&["state_1", "state_2"]), "state_1 state_2");
        assert_eq!(cut(&["a", "ab"]), "a ab");
    }
}
