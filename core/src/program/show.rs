//! Values, states and faults in the words of the model.

use super::code::{Fault, FaultKind};
use super::layout::Slot;
use super::machine::StepFault;
use super::shape::{DeclId, Declared};
use super::term::Misuse;
use super::types::{FamilyId, Type};
use super::{ActionId, Domain, Program, Var, VarId};
use crate::error::{Classified, ErrorKind};
use crate::ids::Id;
use crate::sort::Sort as _;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::{fmt, mem};

/// A value of a type, as the model writes it.
#[derive(Clone, Copy, Debug)]
pub struct ShowValue<'a> {
    program: &'a Program,
    ty: Type,
    value: i64,
}

impl fmt::Display for ShowValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ty {
            Type::Bool => write!(f, "{}", self.value != 0),
            Type::Int | Type::Error => write!(f, "{}", self.value),
            Type::Enum(id) => match self.program.enums[id].get(self.value as usize) {
                Some(literal) => f.write_str(literal),
                None => write!(f, "?{}", self.value),
            },
            Type::Process { .. } | Type::None if self.value < 0 => f.write_str("none"),
            Type::Process { family, .. } => {
                let process = self.program.process(family, self.value as u32);
                f.write_str(&self.program.process_name(process))
            }
            Type::None => f.write_str("none"),
        }
    }
}

impl Program {
    /// A value of a type, ready to print.
    pub fn show_value(&self, ty: Type, value: i64) -> ShowValue<'_> {
        ShowValue { program: self, ty, value }
    }

    /// A plain state, ready to print: `turn=server_turn client=[R, I, I]`.
    pub fn show_state<'a>(&'a self, values: &'a [i32]) -> ShowState<'a> {
        ShowState { program: self, values, marks: None }
    }

    /// A step: `client[3].request`, `server.grant(client[1])`.
    pub fn show_step(&self, process: crate::group::Process, action: ActionId, arguments: &[i64]) -> String {
        let name = self.process_name(process);
        format!("{name}.{}{}", self.actions[action].name, self.show_arguments(action, arguments))
    }

    fn show_arguments(&self, action: ActionId, arguments: &[i64]) -> String {
        if arguments.is_empty() {
            return String::new();
        }
        let shown: Vec<String> = self.argument_names(action, arguments);
        format!("({})", shown.join(", "))
    }

    /// The arguments of an action as the model writes them.
    pub fn argument_names(&self, action: ActionId, arguments: &[i64]) -> Vec<String> {
        if let Some(shown) = &self.actions[action].shown {
            return shown.iter().map(|shown| self.show_argument(shown, arguments)).collect();
        }
        let params = &self.actions[action].params;
        let one = |(param, &value): (&super::ActionParam, &i64)| {
            let ty = match param.domain {
                Domain::Family(family) => Type::Process { family, optional: false },
                Domain::Range(..) => Type::Int,
            };
            self.show_value(ty, value).to_string()
        };
        params.iter().zip(arguments).map(one).collect()
    }

    /// The error of a step, in one sentence.
    pub fn show_fault(&self, fault: &StepFault) -> String {
        let what = fault.fault.kind;
        match (fault.process, fault.action) {
            (Some(process), Some(action)) => {
                format!("{what} while executing {}", self.show_step(process, action, &fault.arguments))
            }
            (None, Some(action)) => {
                format!("{what} in the guard of the action `{}`", self.actions[action].name)
            }
            (_, None) => format!("{what} in what is assumed of an initial state"),
        }
    }

    /// The variable of a slot, the process where it is local, and the number of its entry.
    fn variable_at(&self, slot: Slot) -> (VarId, Option<crate::group::Process>, u32) {
        let family = self.layout.records.iter_enumerated().find(|(id, record)| {
            let size = self.families[*id].size * record.stride;
            (record.first..record.first + size).contains(&slot.0)
        });
        let (owner, process, offset) = match family {
            Some((id, record)) => {
                let (process, offset) =
                    ((slot.0 - record.first) / record.stride, (slot.0 - record.first) % record.stride);
                (Some(id), Some(self.process(id, process)), offset)
            }
            None => (None, None, slot.0),
        };
        let own = self.vars.ids().filter(|&id| self.vars[id].owner == owner);
        let before = own.filter(|&id| self.layout.offsets[id] <= offset);
        // Of several at one place all but the last have no entries.
        let id = before.max_by_key(|&id| (self.layout.offsets[id], id)).unwrap_or(VarId(0));
        (id, process, offset - self.layout.offsets[id])
    }

    /// The process that a slot belongs to; a shared one has none.
    pub fn owner_of(&self, slot: Slot) -> Option<crate::group::Process> {
        self.variable_at(slot).1
    }

    /// The type of a slot's values.
    pub fn type_of(&self, slot: Slot) -> Type {
        self.vars[self.variable_at(slot).0].ty.ty
    }

    /// A slot as the model writes it: `turn`, `client[3].st`, `link[2, 0]`.
    pub fn show_slot(&self, slot: Slot) -> String {
        let (id, process, mut entry) = self.variable_at(slot);
        let var = &self.vars[id];
        let mut indices = Vec::with_capacity(var.index.len());
        for &domain in var.index.iter().rev() {
            let size = super::layout::domain_size(domain, &self.families).max(1);
            let low = match domain {
                Domain::Family(_) => 0,
                Domain::Range(low, _) => low,
            };
            indices.push((low + i64::from(entry % size)).to_string());
            entry /= size;
        }
        indices.reverse();
        let index = if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
        match process {
            Some(process) => format!("{}.{}{index}", self.process_name(process), var.name),
            None => format!("{}{index}", var.name),
        }
    }

    /// The slots of a variable: at one process if it is local, and how many entries it has.
    pub fn entries(&self, id: VarId, process: u32) -> (Slot, u32) {
        let var = &self.vars[id];
        let count = var.index.iter().map(|&d| super::layout::domain_size(d, &self.families)).product();
        let first = match var.owner {
            Some(family) => self.layout.local(family, process, id),
            None => self.layout.global(id),
        };
        (first, count)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::DivisionByZero => f.write_str("division by zero"),
            FaultKind::Overflow => f.write_str("a number too large for 64 bits"),
            FaultKind::Index { index, low, high } if low > high => {
                write!(f, "index {index} into an empty table")
            }
            FaultKind::Index { index, low, high } => write!(f, "index {index} outside {low}..{high}"),
            FaultKind::NoProcess => f.write_str("`none` used as a process"),
            FaultKind::Range { value, low, high } => {
                write!(f, "value {value} outside the variable's range {low}..{high}")
            }
            FaultKind::Literal => f.write_str("a literal that the variable's enumeration does not have"),
            FaultKind::Endless => f.write_str("a `while` that does not end"),
            FaultKind::Nothing => f.write_str("the smallest or the largest of no values"),
            FaultKind::Misuse(Misuse::Absent) => f.write_str("`none` used as a value"),
            FaultKind::Misuse(Misuse::Empty) => f.write_str("the queue is empty"),
            FaultKind::Misuse(Misuse::Full) => f.write_str("there is no room for one more value"),
            FaultKind::Misuse(Misuse::Missing) => f.write_str("what is removed is not in the bag"),
            FaultKind::Misuse(Misuse::Outside) => f.write_str("a value that cannot be in here"),
            FaultKind::AssignedTwice => f.write_str("two different values assigned to one variable"),
        }
    }
}

impl core::error::Error for FaultKind {}

impl Classified for FaultKind {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Fault
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl core::error::Error for Fault {}

impl Classified for Fault {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Fault
    }
}

/// A family or a table with more members than this is condensed.
const MANY: u32 = 32;
/// At most this many members that have changed are still listed one by one.
const CHANGES: usize = 8;
/// Members are listed one by one where at most this many of them are alike.
const FEW: usize = 3;
/// At most this many different local states are told apart.
const GROUPS: usize = 12;

/// A plain state in one line. A large family is condensed: `client=[0: R, 5: C, 999998 × I]`.
#[derive(Clone, Copy, Debug)]
pub struct ShowState<'a> {
    program: &'a Program,
    values: &'a [i32],
    marks: Option<Marks<'a>>,
}

/// The marks around a value that is not as it was.
#[derive(Clone, Copy, Debug)]
struct Marks<'a> {
    before: &'a [i32],
    open: &'a str,
    close: &'a str,
}

/// A shared variable, or all variables of a family.
#[derive(Clone, Copy, Debug)]
enum Part {
    Shared(DeclId),
    Family(FamilyId),
}

impl<'a> ShowState<'a> {
    /// Puts `open` and `close` around each value that differs from the one in `before`.
    #[must_use]
    pub fn marking_changes(self, before: &'a [i32], open: &'a str, close: &'a str) -> Self {
        ShowState { marks: Some(Marks { before, open, close }), ..self }
    }

    /// The parts of the line: one for each shared variable, one for each family that has variables.
    pub fn lines(&self) -> Vec<String> {
        struct Line<'s, 'a>(&'s ShowState<'a>, Part);
        impl fmt::Display for Line<'_, '_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.part(f, self.1)
            }
        }
        self.parts().map(|part| Line(self, part).to_string()).collect()
    }

    fn parts(&self) -> impl Iterator<Item = Part> + use<'a> {
        let Program { declared, families, .. } = self.program;
        let shared =
            declared.iter_enumerated().filter(|(_, var)| var.owner.is_none()).map(|(id, _)| Part::Shared(id));
        let local = families.iter_enumerated().filter(|(_, family)| !family.vars.is_empty());
        shared.chain(local.map(|(id, _)| Part::Family(id)))
    }

    fn part(&self, f: &mut fmt::Formatter<'_>, part: Part) -> fmt::Result {
        match part {
            Part::Shared(id) => {
                let decl = &self.program.declared[id];
                write!(f, "{}=", decl.name)?;
                self.declared(f, decl, 0)
            }
            Part::Family(id) => self.family(f, id),
        }
    }

    fn family(&self, f: &mut fmt::Formatter<'_>, id: FamilyId) -> fmt::Result {
        let family = &self.program.families[id];
        write!(f, "{}=", family.name)?;
        if !family.single {
            f.write_str("[")?;
        }
        if family.size > MANY {
            let first = self.program.entries(family.vars[0], 0).0.index();
            let stride = (self.program.entries(family.vars[0], 1).0.index() - first).max(1);
            let row =
                |process: u32| first + process as usize * stride..first + (process as usize + 1) * stride;
            self.condensed(f, family.size, row, |f, process| self.record(f, id, process))?;
        } else {
            for process in 0..family.size {
                f.write_str(if process == 0 { "" } else { ", " })?;
                self.record(f, id, process)?;
            }
        }
        if !family.single {
            f.write_str("]")?;
        }
        Ok(())
    }

    /// The variables of one process.
    fn record(&self, f: &mut fmt::Formatter<'_>, family: FamilyId, process: u32) -> fmt::Result {
        let own = || self.program.declared.iter().filter(|decl| decl.owner == Some(family));
        if let (Some(only), None) = (own().next(), own().nth(1)) {
            return self.declared(f, only, process);
        }
        f.write_str("{")?;
        for (position, decl) in own().enumerate() {
            write!(f, "{}{}=", if position == 0 { "" } else { " " }, decl.name)?;
            self.declared(f, decl, process)?;
        }
        f.write_str("}")
    }

    /// A variable as it was declared: where it is more than a scalar, each of its values is shown whole.
    fn declared(&self, f: &mut fmt::Formatter<'_>, decl: &Declared, process: u32) -> fmt::Result {
        if self.program.is_scalar(decl) {
            return self.variable(f, decl.first, process);
        }
        let entries = self.program.declared_entries(decl);
        if !decl.index.is_empty() {
            f.write_str("[")?;
        }
        for entry in 0..entries {
            f.write_str(if entry == 0 { "" } else { ", " })?;
            let shown = self.program.show_declared(decl, self.values, process, entry);
            match self.marks {
                Some(Marks { before, open, close })
                    if self.program.show_declared(decl, before, process, entry) != shown =>
                {
                    write!(f, "{open}{shown}{close}")?;
                }
                _ => f.write_str(&shown)?,
            }
        }
        if decl.index.is_empty() { Ok(()) } else { f.write_str("]") }
    }

    /// Many rows of values: those that have changed and those that few are like by their number, the others counted.
    fn condensed(
        &self,
        f: &mut fmt::Formatter<'_>,
        count: u32,
        row: impl Fn(u32) -> core::ops::Range<usize>,
        show: impl Fn(&mut fmt::Formatter<'_>, u32) -> fmt::Result,
    ) -> fmt::Result {
        let changed = |at: u32| self.marks.is_some_and(|m| m.before[row(at)] != self.values[row(at)]);
        let mut single: Vec<u32> = (0..count).filter(|&at| changed(at)).take(CHANGES).collect();
        let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
        let (mut others, mut last) = (0u32, 0);
        for at in (0..count).filter(|at| single.binary_search(at).is_err()) {
            let alike = |(_, members): &(u32, Vec<u32>)| self.values[row(members[0])] == self.values[row(at)];
            // Neighbours are often alike.
            if !groups.get(last).is_some_and(alike) {
                last = groups.iter().position(alike).unwrap_or(groups.len());
            }
            if last == groups.len() && last == GROUPS {
                others += 1;
                continue;
            }
            if last == groups.len() {
                groups.push((0, Vec::new()));
            }
            let (size, members) = &mut groups[last];
            *size += 1;
            if members.len() < FEW {
                members.push(at);
            }
        }
        single.extend(groups.iter().filter(|(size, _)| *size as usize <= FEW).flat_map(|(_, few)| few));
        single.arrange();
        groups.retain(|(size, _)| *size as usize > FEW);
        groups.arrange_by_key(|(size, _)| core::cmp::Reverse(*size));
        let mut first = true;
        let mut comma =
            |f: &mut fmt::Formatter<'_>| f.write_str(if mem::take(&mut first) { "" } else { ", " });
        for &at in &single {
            comma(f)?;
            write!(f, "{at}: ")?;
            show(f, at)?;
        }
        for (size, members) in &groups {
            comma(f)?;
            write!(f, "{size} × ")?;
            show(f, members[0])?;
        }
        if others > 0 {
            comma(f)?;
            write!(f, "{others} in other states")?;
        }
        Ok(())
    }

    fn variable(&self, f: &mut fmt::Formatter<'_>, id: VarId, process: u32) -> fmt::Result {
        let (first, count) = self.program.entries(id, process);
        let var = &self.program.vars[id];
        if var.index.is_empty() {
            return self.value(f, var, first);
        }
        f.write_str("[")?;
        if count > MANY {
            let row = |at: u32| first.index() + at as usize..first.index() + at as usize + 1;
            self.condensed(f, count, row, |f, at| self.value(f, var, Slot(first.0 + at)))?;
        } else {
            for at in 0..count {
                f.write_str(if at == 0 { "" } else { ", " })?;
                self.value(f, var, Slot(first.0 + at))?;
            }
        }
        f.write_str("]")
    }

    fn value(&self, f: &mut fmt::Formatter<'_>, var: &Var, slot: Slot) -> fmt::Result {
        let value = self.values[slot.index()];
        let shown = self.program.show_value(var.ty.ty, value as i64);
        match self.marks {
            Some(Marks { before, open, close }) if before[slot.index()] != value => {
                write!(f, "{open}{shown}{close}")
            }
            _ => write!(f, "{shown}"),
        }
    }
}

impl fmt::Display for ShowState<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, part) in self.parts().enumerate() {
            f.write_str(if position == 0 { "" } else { " " })?;
            self.part(f, part)?;
        }
        Ok(())
    }
}
