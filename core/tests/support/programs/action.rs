//! Actions: guards, targets and the values assigned to them.

use super::generate::{Binders, Generator, Scope};
use super::{Action, ENUMS, Type};

impl Generator<'_> {
    pub(super) fn action(&mut self, family: usize, name: String) -> Action {
        let mut scope = Scope { own: Some(family), bound: Vec::new() };
        let mut action = Action {
            name,
            params: Vec::new(),
            safety: Vec::new(),
            guard: Vec::new(),
            assignments: Vec::new(),
            fairness: None,
            block: None,
        };
        while action.params.len() < 2 && self.random.chance(self.knobs.parameters) {
            let (name, domain) = (format!("p{}", action.params.len()), self.any_domain());
            action.params.push((name.clone(), domain.clone()));
            scope.bound.push((name, domain));
        }
        // Long guards are seldom true, and a program that does nothing tests nothing.
        let least = i64::from(self.random.chance(75));
        for _ in 0..self.random.between(least, 2) {
            let depth = self.random.below(3);
            action.guard.push(self.truth(&scope, depth));
        }
        let mut assigned = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            if self.random.chance(self.knobs.bulk) {
                self.assign_many(&scope, &mut assigned, &mut action);
                continue;
            }
            let Some(target) = self.variable(&scope, &|_| true, 2) else { continue };
            // Two ways to name one variable could mean one place: each variable is assigned once.
            if assigned.contains(&target.var) {
                continue;
            }
            let Some(value) = self.value(&scope, &target.ty, &mut action.safety) else { continue };
            assigned.push(target.var);
            action.safety.extend(target.safety);
            action.assignments.push((target.text, value));
        }
        if action.assignments.is_empty() {
            // Nothing could be reached: a step that changes nothing.
            let var = self.spec.shared.first().map(|v| (v.name.clone(), v.index.is_empty()));
            match var {
                Some((name, true)) => action.assignments.push((name.clone(), name)),
                _ => return self.action(family, action.name),
            }
        }
        action
    }

    /// An assignment to many places, each of which gets one value: what is bound are indices of the place, or the value is the
    /// same for all.
    fn assign_many(
        &mut self,
        scope: &Scope,
        assigned: &mut Vec<(Option<usize>, String)>,
        action: &mut Action,
    ) {
        let Binders { text, scope: inner, .. } = self.binders(scope);
        let bound = &inner.bound[scope.bound.len()..];
        let Some(target) = self.variable(&inner, &|_| true, 0) else { return };
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(String::from).collect()
        };
        // The process, or an index, and nothing that is made of them.
        let address = format!(".{}", target.text.replace(['[', ']', ','], "."));
        let direct = |name: &String| {
            address.split('.').filter(|part| part.trim() == name).count() == 1
                && words(&target.text).iter().filter(|word| *word == name).count() == 1
        };
        let addressed = bound.iter().all(|(name, _)| direct(name));
        let outside = bound.iter().all(|(name, _)| !words(&target.text).contains(name));
        if assigned.contains(&target.var) || !(addressed || outside) {
            return;
        }
        let mut safety = target.safety;
        let names: Vec<String> = bound.iter().map(|(name, _)| name.clone()).collect();
        let Some(value) = self.value(if addressed { &inner } else { scope }, &target.ty, &mut safety) else {
            return;
        };
        // A condition made outside must not meet a name that is bound here.
        let meets = |text: &String| words(text).iter().any(|word| names.contains(word));
        if !addressed && (meets(&value) || safety.iter().any(meets)) {
            return;
        }
        assigned.push(target.var);
        action.safety.extend(safety.into_iter().map(|part| format!("(forall {text}: {part})")));
        action.assignments.push((format!("forall {text}: {}", target.text), value));
    }

    /// A value for a variable of a type, with what keeps it in range.
    pub(super) fn value(&mut self, scope: &Scope, ty: &Type, safety: &mut Vec<String>) -> Option<String> {
        match ty {
            Type::Bool => Some(self.truth(scope, 1)),
            Type::Range(low, high) => {
                let (text, least, most) = self.number(scope, 2);
                // A fixed value outside the range is an error already when the program is built.
                let fixed = least == most
                    || text.contains("if ")
                    || !text.contains(|c: char| c.is_ascii_alphabetic());
                if (fixed && (least < *low || most > *high)) || self.random.chance(15) {
                    return Some(format!("{low} + (({text} - {low}) % {})", high - low + 1));
                }
                if least < *low {
                    safety.push(format!("{text} >= {low}"));
                }
                if most > *high {
                    safety.push(format!("{text} <= {high}"));
                }
                Some(text)
            }
            Type::Enum(id) => Some(self.literal(scope, *id, safety)),
            Type::Id { family, optional } => {
                let same = |other: &Type| matches!(other, Type::Id { family: f, .. } if f == family);
                if self.random.chance(30)
                    && let Some(other) = self.variable(scope, &same, 1)
                {
                    safety.extend(other.safety);
                    if !optional && matches!(other.ty, Type::Id { optional: true, .. }) {
                        safety.push(format!("{} != none", other.text));
                    }
                    return Some(other.text);
                }
                let process = self.process(scope, *family, 1);
                if *optional && (process.is_none() || self.random.chance(35)) {
                    return Some("none".to_string());
                }
                if self.random.chance(self.knobs.odd)
                    && let (Some(a), Some(b)) = (&process, self.process(scope, *family, 1))
                {
                    return Some(format!("if {} then {a} else {b}", self.comparison(scope, 1)));
                }
                process
            }
        }
    }

    fn literal(&mut self, scope: &Scope, id: usize, safety: &mut Vec<String>) -> String {
        if self.random.chance(25)
            && let Some(other) = self.variable(scope, &|other| *other == Type::Enum(id), 1)
        {
            safety.extend(other.safety);
            return other.text;
        }
        if id < 2
            && self.random.chance(15)
            && let Some(other) = self.variable(scope, &|other| matches!(other, Type::Enum(0 | 1)), 1)
        {
            // Only the common literal can go over.
            safety.extend(other.safety);
            safety.push(format!("{} == C", other.text));
            return other.text;
        }
        if self.random.chance(15) {
            let condition = self.truth(scope, 1);
            let literals = if id == 3 { &ENUMS[id][1..] } else { ENUMS[id] };
            let (a, b) = (self.random.pick(literals), self.random.pick(literals));
            return format!("if {condition} then {a} else {b}");
        }
        (*self.random.pick(ENUMS[id])).to_string()
    }
}
