//! Values, states and faults in the words of the model.

use super::code::FaultKind;
use super::layout::Slot;
use super::machine::StepFault;
use super::types::Type;
use super::{ActionId, Domain, Program, Var, VarId};
use crate::ids::Id;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

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
        ShowState { program: self, values }
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

    /// What went wrong in a step, in one sentence.
    pub fn show_fault(&self, fault: &StepFault) -> String {
        let action = &self.actions[fault.action];
        let what = fault_words(fault.fault.kind);
        match fault.process {
            Some(process) => {
                format!("{what} while executing {}", self.show_step(process, fault.action, &fault.arguments))
            }
            None => format!("{what} in the guard of the action `{}`", action.name),
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

/// A fault in words.
pub(super) fn fault_words(kind: FaultKind) -> String {
    match kind {
        FaultKind::DivisionByZero => "division by zero".to_string(),
        FaultKind::Overflow => "a number too large for 64 bits".to_string(),
        FaultKind::Index { index, low, high } if low > high => format!("index {index} into an empty table"),
        FaultKind::Index { index, low, high } => format!("index {index} outside {low}..{high}"),
        FaultKind::NoProcess => "`none` used as a process".to_string(),
        FaultKind::Range { value, low, high } => {
            format!("value {value} outside the variable's range {low}..{high}")
        }
        FaultKind::Literal => "a literal that the variable's enumeration does not have".to_string(),
        FaultKind::AssignedTwice => "two different values assigned to one variable".to_string(),
    }
}

/// A plain state in one line.
#[derive(Clone, Copy, Debug)]
pub struct ShowState<'a> {
    program: &'a Program,
    values: &'a [i32],
}

impl ShowState<'_> {
    fn variable(&self, f: &mut fmt::Formatter<'_>, id: VarId, var: &Var, process: u32) -> fmt::Result {
        let (first, count) = self.program.entries(id, process);
        let value =
            |at: u32| self.program.show_value(var.ty.ty, self.values[Slot(first.0 + at).index()] as i64);
        if var.index.is_empty() {
            return write!(f, "{}", value(0));
        }
        f.write_str("[")?;
        for at in 0..count {
            write!(f, "{}{}", if at == 0 { "" } else { ", " }, value(at))?;
        }
        f.write_str("]")
    }
}

impl fmt::Display for ShowState<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        for (id, var) in self.program.vars.iter_enumerated().filter(|(_, v)| v.owner.is_none()) {
            write!(f, "{space}{}=", var.name)?;
            self.variable(f, id, var, 0)?;
            space = " ";
        }
        for family in self.program.families.iter().filter(|family| !family.vars.is_empty()) {
            write!(f, "{space}{}=", family.name)?;
            space = " ";
            if !family.single {
                f.write_str("[")?;
            }
            for process in 0..family.size {
                if process > 0 {
                    f.write_str(", ")?;
                }
                match family.vars.as_slice() {
                    &[only] => self.variable(f, only, &self.program.vars[only], process)?,
                    several => {
                        f.write_str("{")?;
                        for (position, &id) in several.iter().enumerate() {
                            let var = &self.program.vars[id];
                            write!(f, "{}{}=", if position == 0 { "" } else { " " }, var.name)?;
                            self.variable(f, id, var, process)?;
                        }
                        f.write_str("}")?;
                    }
                }
            }
            if !family.single {
                f.write_str("]")?;
            }
        }
        Ok(())
    }
}
