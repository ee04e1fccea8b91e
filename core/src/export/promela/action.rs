//! Actions as options of a process's loop: each choice of an action's parameters is one indivisible step.

use super::Model;
use super::term::{Expr, Level, Meaning, NONE, Writer, compare, join};
use crate::export::Unsayable;
use crate::program::{
    Action, ActionId, Assignment, Comparison, Domain, FamilyId, Reg, TermId, TermKind, Type, VarId,
};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

/// One assignment, written.
struct Written {
    var: VarId,
    /// The index of the entry; none where the variable is no array.
    place: Option<Expr>,
    value: Expr,
    reads: BTreeSet<VarId>,
    /// What must be true of the value.
    demands: Vec<Expr>,
}

impl<'m> Model<'m> {
    /// The options of a family's loop, one for each choice of parameters.
    pub(super) fn options(&'m self, family: FamilyId) -> Result<String, Unsayable> {
        let mut text = String::new();
        for &id in &self.program.families[family].actions {
            let _ = writeln!(text, "  /* {} */", self.action_words(id));
            for choice in self.choices(id) {
                let mut writer = self.writer_for(family, &choice);
                let action = &self.program.actions[id];
                let guard = writer.term(action.guard)?;
                if guard.value == Some(0) {
                    continue;
                }
                let body = self.effects(&mut writer, action)?;
                let _ = writeln!(text, "  :: d_step {{ {} -> {}{body} }}", guard.text, self.mark());
                self.spend(text.len() / 64)?;
            }
        }
        Ok(text)
    }

    /// Where a process of the family has a step; `self` stands for it.
    pub(super) fn enabled(&'m self, family: FamilyId) -> Result<Expr, Unsayable> {
        let mut guards = Vec::new();
        for &id in &self.program.families[family].actions {
            for choice in self.choices(id) {
                let mut writer = self.writer_for(family, &choice);
                guards.push(writer.term(self.program.actions[id].guard)?);
            }
        }
        Ok(join(guards, false))
    }

    fn writer_for(&'m self, family: FamilyId, choice: &[(Reg, i64)]) -> Writer<'m> {
        let mut writer = Writer::new(self);
        let high = i64::from(self.program.families[family].size) - 1;
        let own =
            if self.is_flat(family) { Meaning::Value(0) } else { Meaning::Name("self".to_string(), high) };
        writer.bound.insert(Reg(0), own);
        for &(reg, value) in choice {
            writer.bind(reg, value);
        }
        writer
    }

    /// All choices of an action's parameters; the last turns fastest.
    fn choices(&self, id: ActionId) -> Vec<Vec<(Reg, i64)>> {
        let mut choices: Vec<Vec<(Reg, i64)>> = alloc::vec![Vec::new()];
        for (reg, param) in (1..).zip(&self.program.actions[id].params) {
            let (low, size) = self.bounds(param.domain);
            choices = choices
                .iter()
                .flat_map(|choice| {
                    (low..low + size).map(move |value| {
                        let mut longer = choice.clone();
                        longer.push((Reg(reg), value));
                        longer
                    })
                })
                .collect();
        }
        choices
    }

    /// How many options the loops have together; more than memory holds is found out before they are made.
    pub(super) fn option_count(&self) -> u64 {
        let of = |action: &Action| {
            action.params.iter().fold(1u64, |count, param| {
                let size = match param.domain {
                    Domain::Family(family) => self.program.families[family].size.into(),
                    Domain::Range(low, high) => u64::try_from(high - low + 1).unwrap_or(0),
                };
                count.saturating_mul(size)
            })
        };
        self.program.actions.iter().map(of).fold(0, u64::saturating_add)
    }

    /// The action as the model writes it.
    fn action_words(&self, id: ActionId) -> String {
        let action = &self.program.actions[id];
        let domain = |domain: Domain| match domain {
            Domain::Family(family) => self.program.families[family].name.clone(),
            Domain::Range(low, high) => format!("{low}..{high}"),
        };
        let params: Vec<String> =
            action.params.iter().map(|param| format!("{} in {}", param.name, domain(param.domain))).collect();
        let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        let show = |term: TermId| {
            self.program.show_term(term, |reg| match reg.0 {
                0 => Some("self".into()),
                n => action.params.get(n as usize - 1).map(|param| param.name.clone()),
            })
        };
        let effects: Vec<String> =
            action.assignments.iter().map(|a| format!("{} := {}", show(a.target), show(a.value))).collect();
        format!("{}{params}: {} -> {}", action.name, show(action.guard), effects.join(", "))
    }

    /// The statements that assign at once, behind those that say what must be true.
    fn effects(&self, writer: &mut Writer<'m>, action: &Action) -> Result<String, Unsayable> {
        let mut written = Vec::new();
        for assignment in &action.assignments {
            written.push(self.assignment(writer, *assignment)?);
        }
        let mut statements: Vec<String> = Vec::new();
        let mut assert = |demand: Expr| {
            if demand.value != Some(1) {
                statements.push(format!("assert({})", demand.text));
            }
        };
        for (i, later) in written.iter().enumerate() {
            later.demands.iter().cloned().for_each(&mut assert);
            for earlier in written[..i].iter().filter(|earlier| earlier.var == later.var) {
                let same_value = compare(Comparison::Eq, &earlier.value, &later.value);
                let elsewhere = match (&earlier.place, &later.place) {
                    (Some(a), Some(b)) if a.text != b.text => compare(Comparison::Ne, a, b),
                    _ => Expr { value: Some(0), ..same_value.clone() },
                };
                assert(join(alloc::vec![elsewhere, same_value], false));
            }
        }
        // What an earlier assignment changes and a later one reads is put aside first.
        for i in 1..written.len() {
            let clash = written[..i].iter().any(|earlier| written[i].reads.contains(&earlier.var));
            if !clash {
                continue;
            }
            let number = i + 1;
            self.temporaries.set(self.temporaries.get().max(number));
            let later = &mut written[i];
            if later.value.value.is_none() {
                statements.push(format!("new{number} = {}", later.value.text));
                later.value.text = format!("new{number}");
            }
            if let Some(place) = &mut later.place
                && place.value.is_none()
                && place.text != "self"
            {
                statements.push(format!("at{number} = {}", place.text));
                place.text = format!("at{number}");
            }
        }
        for Written { var, place, value, .. } in &written {
            let name = &self.vars[*var];
            let index = place.as_ref().map_or(String::new(), |place| format!("[{}]", place.text));
            statements.push(format!("{name}{index} = {}", value.text));
        }
        Ok(statements.join("; "))
    }

    fn assignment(&self, writer: &mut Writer<'m>, assignment: Assignment) -> Result<Written, Unsayable> {
        let target = &self.program.terms[assignment.target];
        let (var, process, indices) = match &target.kind {
            TermKind::Shared(var, indices) => (*var, None, indices),
            TermKind::Local(var, process, indices) => (*var, Some(*process), indices),
            _ => return Err(Unsayable::new(target.span, "this is no variable")),
        };
        let place = writer.place(var, process, indices)?;
        let value = writer.term(assignment.value)?;
        let mut reads = BTreeSet::new();
        self.reads(assignment.value, &mut reads);
        for &term in process.iter().chain(indices) {
            self.reads(term, &mut reads);
        }
        let mut demands = Vec::new();
        if let Some(demand) = self.demand(var, assignment.value, &value) {
            demands.push(demand);
        }
        // An index into one of two dimensions can be wrong without leaving the array.
        for (domain, &index) in self.program.vars[var].index.clone().into_iter().zip(indices) {
            let (low, size) = self.bounds(domain);
            let index = writer.term(index)?;
            demands.extend(range_demand(&index, low, low + size - 1));
        }
        Ok(Written { var, place, value, reads, demands })
    }

    fn reads(&self, term: TermId, found: &mut BTreeSet<VarId>) {
        let kind = &self.program.terms[term].kind;
        if let TermKind::Shared(var, _) | TermKind::Local(var, _, _) = kind {
            found.insert(*var);
        }
        for child in kind.children() {
            self.reads(child, found);
        }
    }

    /// What must be true of a value for the variable to take it; none where it surely is.
    fn demand(&self, var: VarId, term: TermId, value: &Expr) -> Option<Expr> {
        let ty = self.program.vars[var].ty;
        match ty.ty {
            Type::Int => range_demand(value, ty.low.into(), ty.high()),
            Type::Process { family, optional } => {
                let last = i64::from(self.program.families[family].size) - 1;
                if optional && value.maybe_none {
                    if value.value == Some(NONE) || (value.low >= 0 && value.high <= last) {
                        return None;
                    }
                    let none = compare(Comparison::Eq, value, &Expr::number(NONE));
                    return range_demand(value, 0, last).map(|d| join(alloc::vec![none, d], false));
                }
                let high = if value.maybe_none { NONE } else { value.high };
                range_demand(&Expr { high, ..value.clone() }, 0, last)
            }
            Type::Enum(id) => {
                let mut possible = BTreeSet::new();
                self.possible(term, &mut possible);
                let allowed = &self.program.enums[id];
                if possible.iter().all(|literal| allowed.contains(literal)) {
                    return None;
                }
                let fits = allowed.iter().filter(|literal| possible.contains(*literal)).map(|literal| {
                    let (number, name) = &self.literals[literal];
                    compare(
                        Comparison::Eq,
                        &Expr { value: None, ..value.clone() },
                        &Expr { text: name.clone(), ..Expr::number(*number) },
                    )
                });
                Some(join(fits.collect(), false))
            }
            _ => None,
        }
    }

    /// The literals that a term may have as its value.
    fn possible(&self, term: TermId, found: &mut BTreeSet<String>) {
        let node = &self.program.terms[term];
        match &node.kind {
            TermKind::Recode(_, _, inner) => self.possible(*inner, found),
            TermKind::If(_, yes, no) => {
                self.possible(*yes, found);
                self.possible(*no, found);
            }
            kind => {
                if let Type::Enum(id) = node.ty {
                    match kind {
                        TermKind::Const(position) => {
                            found.extend(self.program.enums[id].get(*position as usize).cloned());
                        }
                        _ => found.extend(self.program.enums[id].iter().cloned()),
                    }
                }
            }
        }
    }
}

/// That a value is within bounds; none where it surely is.
fn range_demand(value: &Expr, low: i64, high: i64) -> Option<Expr> {
    let above = (value.low < low).then(|| compare(Comparison::Ge, value, &Expr::number(low)));
    let below = (value.high > high).then(|| compare(Comparison::Le, value, &Expr::number(high)));
    let parts: Vec<Expr> = above.into_iter().chain(below).collect();
    (!parts.is_empty()).then(|| {
        let joined = join(parts, true);
        Expr { level: joined.level.max(Level::Comparison), ..joined }
    })
}
