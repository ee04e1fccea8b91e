//! Actions of TLA+: the guard, the new values, and what stays as it is.

use super::Module;
use super::term::Writer;
use crate::export::Unsayable;
use crate::export::names::Names;
use crate::program::{Action, ActionId, ArithmeticOp, Comparison, FamilyId, Reg, TermId, TermKind, VarId};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

impl Module<'_> {
    /// All actions, and behind those of each family the step of a process.
    pub(super) fn actions(&mut self) -> Result<String, Unsayable> {
        let mut text = String::new();
        for family in self.program.families.ids() {
            let single = self.program.families[family].single;
            let mut steps = Vec::new();
            for &id in &self.program.families[family].actions.clone() {
                let action = &self.program.actions[id];
                let wanted = format!("{}_{}", self.program.families[family].name, action.name);
                let name = self.names.fresh(&super::proper(&wanted));
                let (writer_names, params) = self.parameters(action);
                let own = if single { None } else { Some("self".to_string()) };
                let head: Vec<String> = own.into_iter().chain(params.iter().cloned()).collect();
                let head = if head.is_empty() { name } else { format!("{name}({})", head.join(", ")) };
                let _ = writeln!(text, "{head} ==");
                text.push_str(&self.body(action, writer_names)?);
                let mut step = String::new();
                for (param, name) in action.params.iter().zip(&params) {
                    let _ = write!(step, "\\E {name} \\in {} : ", self.set(param.domain));
                }
                steps.push(format!("{step}{head}"));
            }
            text.push_str(&self.step(family, &steps));
        }
        Ok(text)
    }

    fn step(&self, family: FamilyId, steps: &[String]) -> String {
        let mut text = format!("{} ==\n", self.step_of(family, "self"));
        for step in steps {
            let _ = writeln!(text, "  \\/ {step}");
        }
        if steps.is_empty() {
            text.push_str("  FALSE\n");
        }
        text.push('\n');
        text
    }

    /// The names of an action's parameters.
    fn parameters(&self, action: &Action) -> (BTreeMap<Reg, String>, Vec<String>) {
        let mut taken: Names = self.names.clone();
        let names: Vec<String> =
            action.params.iter().map(|param| taken.fresh(&super::proper(&param.name))).collect();
        let mut bound: BTreeMap<Reg, String> = (1..).map(Reg).zip(names.iter().cloned()).collect();
        bound.insert(Reg(0), "self".into());
        (bound, names)
    }

    fn body(&self, action: &Action, bound: BTreeMap<Reg, String>) -> Result<String, Unsayable> {
        let mut writer = Writer { module: self, bound };
        let mut text = String::new();
        let guard: Vec<TermId> = match &self.program.terms[action.guard].kind {
            TermKind::And(list) if !list.is_empty() => list.clone(),
            _ => alloc::vec![action.guard],
        };
        for part in guard {
            let _ = writeln!(text, "  /\\ {}", writer.term(part)?);
        }
        // All changes of one variable are one conjunct.
        let mut changes: Vec<(VarId, Vec<(String, String)>)> = Vec::new();
        for assignment in &action.assignments {
            let target = &self.program.terms[assignment.target];
            let (var, process, indices) = match &target.kind {
                TermKind::Shared(var, indices) => (*var, None, indices),
                TermKind::Local(var, process, indices) => (*var, Some(*process), indices),
                _ => return Err(Unsayable::new(target.span, "this is no variable")),
            };
            let place = writer.place(var, process, indices)?.join(", ");
            let value = writer.term(assignment.value)?;
            match changes.iter_mut().find(|(other, _)| *other == var) {
                Some((_, list)) => list.push((place, value)),
                None => changes.push((var, alloc::vec![(place, value)])),
            }
        }
        for (var, list) in &changes {
            let name = &self.vars[*var];
            for (i, (place, value)) in list.iter().enumerate() {
                for (other, theirs) in &list[..i] {
                    let _ = writeln!(
                        text,
                        "  /\\ Assert(<<{place}>> # <<{other}>> \\/ ({value}) = ({theirs}), \"two values for one variable\")"
                    );
                }
            }
            match list.as_slice() {
                [(place, value)] if place.is_empty() => {
                    let compound = value.contains(' ');
                    let value = if compound { format!("({value})") } else { value.clone() };
                    let _ = writeln!(text, "  /\\ {name}' = {value}");
                }
                _ => {
                    let parts: Vec<String> =
                        list.iter().map(|(place, value)| format!("![{place}] = {value}")).collect();
                    let _ = writeln!(text, "  /\\ {name}' = [{name} EXCEPT {}]", parts.join(", "));
                }
            }
        }
        let same: Vec<&str> = (self.vars.iter_enumerated())
            .filter(|(id, _)| changes.iter().all(|(var, _)| var != id))
            .map(|(_, name)| name.as_str())
            .collect();
        if !same.is_empty() {
            let _ = writeln!(text, "  /\\ UNCHANGED <<{}>>", same.join(", "));
        }
        if let Some(tick) = &self.tick {
            let _ = writeln!(text, "  /\\ {tick}' = ~{tick}");
        }
        text.push('\n');
        Ok(text)
    }

    /// Whether it is plain that the action changes a variable wherever it is enabled.
    pub(super) fn surely_changes(&self, id: ActionId) -> bool {
        let action = &self.program.actions[id];
        let guard = match &self.program.terms[action.guard].kind {
            TermKind::And(list) => list.clone(),
            _ => alloc::vec![action.guard],
        };
        let show = |term: TermId| self.program.show_term(term, |reg| Some(format!("r{}", reg.0)));
        let fixed = |term: TermId| match self.program.terms[term].kind {
            TermKind::Const(_) => Some(show(term)),
            _ => None,
        };
        action.assignments.iter().any(|assignment| {
            let target = show(assignment.target);
            let value = &self.program.terms[assignment.value].kind;
            match value {
                TermKind::Not(inner) => return show(*inner) == target,
                TermKind::Arithmetic(ArithmeticOp::Add | ArithmeticOp::Sub, a, b) => {
                    let moved = matches!(self.program.terms[*b].kind, TermKind::Const(step) if step != 0);
                    return moved && show(*a) == target;
                }
                _ => {}
            }
            let Some(new) = fixed(assignment.value) else { return false };
            guard.iter().any(|&part| match &self.program.terms[part].kind {
                TermKind::Compare(op, a, b) => {
                    let old = match (fixed(*a), fixed(*b)) {
                        (None, Some(old)) if show(*a) == target => old,
                        (Some(old), None) if show(*b) == target => old,
                        _ => return false,
                    };
                    match op {
                        Comparison::Eq => old != new,
                        Comparison::Ne => old == new,
                        _ => false,
                    }
                }
                TermKind::Not(inner) => show(*inner) == target && new == "true",
                _ => show(part) == target && new == "false",
            })
        })
    }
}
