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
    /// Where it is made; everywhere, where there is none.
    when: Option<Expr>,
    turn: u32,
    /// Conditions that the value must satisfy.
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
        let effect = |a: &Assignment| {
            let over: Vec<String> = a
                .over
                .iter()
                .map(|(reg, of)| format!("{} in {}", self.program.show_bound(*reg), domain(*of)))
                .collect();
            let over = if over.is_empty() { String::new() } else { format!("forall {}: ", over.join(", ")) };
            let when = a.when.map_or(String::new(), |when| format!(" if {}", show(when)));
            format!("{over}{} := {}{when}", show(a.target), show(a.value))
        };
        let effects: Vec<String> = action.assignments.iter().map(effect).collect();
        format!("{}{params}: {} -> {}", action.name, show(action.guard), effects.join(", "))
    }

    /// The statements that assign at once, behind those that say what must be true.
    fn effects(&self, writer: &mut Writer<'m>, action: &Action) -> Result<String, Unsayable> {
        let mut written = Vec::new();
        for assignment in &action.assignments {
            self.assign_all(writer, assignment, &assignment.over, &mut written)?;
        }
        let mut statements: Vec<String> = Vec::new();
        let mut assert = |demand: Expr| {
            if demand.value != Some(1) {
                statements.push(format!("assert({})", demand.text));
            }
        };
        // Where an assignment is not made, nothing is demanded of it.
        let made = |of: &Written| of.when.as_ref().map(super::term::not);
        for (i, later) in written.iter().enumerate() {
            for demand in &later.demands {
                assert(join(made(later).into_iter().chain([demand.clone()]).collect(), false));
            }
            let rivals = |earlier: &&Written| (earlier.var, earlier.turn) == (later.var, later.turn);
            for earlier in written[..i].iter().filter(rivals) {
                let same_value = compare(Comparison::Eq, &earlier.value, &later.value);
                let elsewhere = match (&earlier.place, &later.place) {
                    (Some(a), Some(b)) if a.text != b.text => compare(Comparison::Ne, a, b),
                    _ => Expr { value: Some(0), ..same_value.clone() },
                };
                let parts = made(earlier).into_iter().chain(made(later)).chain([elsewhere, same_value]);
                assert(join(parts.collect(), false));
            }
        }
        // A variable that an earlier assignment changes and a later one reads is put aside first.
        for i in 1..written.len() {
            let clash = written[..i].iter().any(|earlier| written[i].reads.contains(&earlier.var));
            if !clash {
                continue;
            }
            let number = i + 1;
            self.temporaries.set(self.temporaries.get().max(number));
            let later = &mut written[i];
            if let Some(when) = &mut later.when
                && when.value.is_none()
            {
                statements.push(format!("when{number} = {}", when.text));
                when.text = format!("when{number}");
                when.level = Level::Atom;
            }
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
        for Written { var, place, value, when, .. } in &written {
            let name = &self.vars[*var];
            let index = place.as_ref().map_or(String::new(), |place| format!("[{}]", place.text));
            let assigned = format!("{name}{index} = {}", value.text);
            statements.push(match when {
                Some(when) => format!("if :: {} -> {assigned} :: else fi", when.text),
                None => assigned,
            });
        }
        Ok(statements.join("; "))
    }

    /// An assignment, written out for every choice of these names.
    fn assign_all(
        &self,
        writer: &mut Writer<'m>,
        assignment: &Assignment,
        over: &[(Reg, Domain)],
        written: &mut Vec<Written>,
    ) -> Result<(), Unsayable> {
        let Some((&(reg, domain), rest)) = over.split_first() else {
            written.extend(self.assignment(writer, assignment)?);
            return Ok(());
        };
        let (low, size) = self.bounds(domain);
        for value in low..low + size {
            writer.bind(reg, value);
            self.assign_all(writer, assignment, rest, written)?;
        }
        Ok(())
    }

    /// An assignment; none where it is surely not made.
    fn assignment(
        &self,
        writer: &mut Writer<'m>,
        assignment: &Assignment,
    ) -> Result<Option<Written>, Unsayable> {
        let when = assignment.when.map(|when| writer.term(when)).transpose()?;
        if when.as_ref().is_some_and(|when| when.value == Some(0)) {
            return Ok(None);
        }
        let when = when.filter(|when| when.value.is_none());
        let target = &self.program.terms[assignment.target];
        let (var, process, indices) = match &target.kind {
            TermKind::Shared(var, indices) => (*var, None, indices),
            TermKind::Local(var, process, indices) => (*var, Some(*process), indices),
            _ => return Err(Unsayable::new(target.span, "this is no variable")),
        };
        let place = writer.place(var, process, indices)?;
        let value = writer.term(assignment.value)?;
        let mut reads = BTreeSet::new();
        for term in [assignment.value].into_iter().chain(assignment.when) {
            self.reads(term, &mut reads);
        }
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
        Ok(Some(Written { var, place, value, reads, when, turn: assignment.turn, demands }))
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

    /// The condition under which the variable can take a value; none where it surely can.
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
