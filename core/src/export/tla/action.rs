//! Actions of TLA+: the guard, the new values, and what stays as it is.

use super::Module;
use super::term::Writer;
use crate::export::Unsayable;
use crate::export::names::Names;
use crate::program::{
    Action, ActionId, ArithmeticOp, Assignment, Comparison, Domain, FamilyId, Reg, TermId, TermKind, VarId,
};
use crate::sort::Sort as _;
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
                self.fair_steps.push(format!("{step}{head}"));
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
        let several = self.changed_by_parts(&mut writer, action, &mut text)?;
        let simple = |a: &&Assignment| !several.contains(&self.assigned(a));
        for assignment in action.assignments.iter().filter(simple) {
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
            .filter(|(id, _)| changes.iter().all(|(var, _)| var != id) && !several.contains(id))
            .map(|(_, name)| name.as_str())
            .collect();
        if !same.is_empty() {
            let _ = writeln!(text, "  /\\ UNCHANGED <<{}>>", same.join(", "));
        }
        if let Some(tick) = &self.tick {
            let _ = writeln!(text, "  /\\ {tick}' = ~{tick}");
        }
        if self.program.assumption.is_some() {
            let _ = writeln!(text, "  /\\ Assumed'");
        }
        text.push('\n');
        Ok(text)
    }

    fn assigned(&self, assignment: &Assignment) -> VarId {
        match self.program.terms[assignment.target].kind {
            TermKind::Shared(var, _) | TermKind::Local(var, ..) => var,
            _ => unreachable!("the checker lets only variables be assigned"),
        }
    }

    /// Writes the conjuncts of the variables that some assignment is made to for many places, or not always, or by several
    /// statements: each is the old value with one assignment after the other.
    fn changed_by_parts(
        &self,
        writer: &mut Writer<'_>,
        action: &Action,
        text: &mut String,
    ) -> Result<Vec<VarId>, Unsayable> {
        let special = |a: &&Assignment| !a.over.is_empty() || a.when.is_some() || a.turn > 0;
        let mut vars: Vec<VarId> =
            action.assignments.iter().filter(special).map(|a| self.assigned(a)).collect();
        vars.arrange();
        vars.dedup();
        for &var in &vars {
            let own: Vec<&Assignment> =
                action.assignments.iter().filter(|a| self.assigned(a) == var).collect();
            for (i, a) in own.iter().enumerate() {
                if let Some(b) = own[..i].iter().find(|b| b.turn == a.turn) {
                    let words =
                        "TLA+ cannot be asked whether these assignments to one variable agree: make them one";
                    return Err(Unsayable::new(self.program.terms[b.target].span, words));
                }
            }
            // Each value is named, since the next one may say it twice.
            let mut value = self.vars[var].clone();
            let mut steps = String::new();
            let last = own.len() - 1;
            for (i, assignment) in own.into_iter().enumerate() {
                value = self.changed(writer, var, assignment, &value)?;
                if i < last {
                    let name = format!("{}is{}", self.prefix, i + 1);
                    let _ = write!(steps, "{name} == {value} ");
                    value = name;
                }
            }
            let value = if steps.is_empty() { value } else { format!("LET {steps}IN {value}") };
            let _ = writeln!(text, "  /\\ {}' = {value}", self.vars[var]);
        }
        Ok(vars)
    }

    /// A variable's value with one assignment made to it.
    fn changed(
        &self,
        writer: &mut Writer<'_>,
        var: VarId,
        assignment: &Assignment,
        before: &str,
    ) -> Result<String, Unsayable> {
        let target = &self.program.terms[assignment.target];
        let (process, indices) = match &target.kind {
            TermKind::Local(_, process, indices) => (Some(*process), indices),
            TermKind::Shared(_, indices) => (None, indices),
            _ => return Err(Unsayable::new(target.span, "this is no variable")),
        };
        let address: Vec<TermId> =
            process.into_iter().filter(|_| !self.is_single(var)).chain(indices.iter().copied()).collect();
        if assignment.over.is_empty() {
            let when = assignment.when.map(|when| writer.term(when)).transpose()?;
            let new = writer.term(assignment.value)?;
            let place = writer.place(var, process, indices)?.join(", ");
            let after = if place.is_empty() {
                format!("({new})")
            } else {
                format!("[{before} EXCEPT ![{place}] = {new}]")
            };
            return Ok(match when {
                Some(when) => format!("(IF {when} THEN {after} ELSE {before})"),
                None => after,
            });
        }
        // A function of the same arguments; the names of the assignment are some of them.
        let names: Vec<String> = (0..address.len()).map(|n| format!("{}at{n}", self.prefix)).collect();
        let mut same = Vec::new();
        let mut named = Vec::new();
        for (&term, name) in address.iter().zip(&names) {
            match self.program.terms[term].kind {
                TermKind::Bound(reg)
                    if assignment.over.iter().any(|(r, _)| *r == reg) && !named.contains(&reg) =>
                {
                    named.push(reg);
                    writer.bound.insert(reg, name.clone());
                }
                _ => same.push((term, name)),
            }
        }
        if named.len() < assignment.over.len() {
            let words = "TLA+ says the new value of each place: write this so that what `forall` binds are indices of the place";
            return Err(Unsayable::new(target.span, words));
        }
        let mut tests = Vec::new();
        for (term, name) in same {
            tests.push(format!("{name} = {}", writer.part(term)?));
        }
        if let Some(when) = assignment.when {
            tests.push(writer.part(when)?);
        }
        let new = writer.term(assignment.value)?;
        let domains: Vec<Domain> = self.domains(var);
        let binders: Vec<String> = names
            .iter()
            .zip(&domains)
            .map(|(name, domain)| format!("{name} \\in {}", self.set(*domain)))
            .collect();
        let value = if tests.is_empty() {
            new
        } else {
            format!("IF {} THEN {new} ELSE {before}[{}]", tests.join(" /\\ "), names.join(", "))
        };
        Ok(format!("[{} |-> {value}]", binders.join(", ")))
    }

    /// The domains of the arguments of a variable, which is a function.
    fn domains(&self, var: VarId) -> Vec<Domain> {
        let declared = &self.program.vars[var];
        let owner = declared.owner.filter(|_| !self.is_single(var)).map(Domain::Family);
        owner.into_iter().chain(declared.index.iter().copied()).collect()
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
        let always = |a: &&Assignment| a.over.is_empty() && a.when.is_none() && a.turn == 0;
        action.assignments.iter().filter(always).any(|assignment| {
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
