//! References: expressions for processes, and variables that a scope can reach.

use super::generate::{Generator, Scope};
use super::{Domain, Type, Var};

/// A reference to a variable, with what must hold before it may be read or written.
pub(super) struct Reference {
    /// The family that the variable belongs to, and its name.
    pub(super) var: (Option<usize>, String),
    pub(super) text: String,
    pub(super) ty: Type,
    pub(super) safety: Vec<String>,
}

impl Generator<'_> {
    /// An expression for a process of a family, if there is one; never `none`. With a depth it may be what a variable of
    /// another process holds.
    pub(super) fn process(&mut self, scope: &Scope, family: usize, depth: usize) -> Option<String> {
        if depth > 0
            && self.random.chance(self.knobs.chains)
            && let Some(held) = self.held(scope, family, depth - 1)
        {
            return Some(held);
        }
        let mut candidates: Vec<String> = scope
            .visible()
            .filter(|(_, domain)| *domain == Domain::Family(family))
            .map(|(name, _)| name.clone())
            .collect();
        if scope.own == Some(family) {
            candidates.push("self".to_string());
        }
        let spec = &self.spec.families[family];
        let (name, count, ring, single) = (spec.name.clone(), spec.count(), spec.ring, spec.size.is_none());
        if single {
            candidates.push(name);
        } else if self.random.chance(self.knobs.fixed) && count > 0 {
            candidates.push(format!("{name}[{}]", self.random.between(0, count - 1)));
        }
        for var in &self.spec.shared {
            let held = var.index.is_empty() && var.ty == (Type::Id { family, optional: false });
            if held && !scope.sees_another(&self.spec, &var.name) {
                candidates.push(var.name.clone());
            }
        }
        if candidates.is_empty() {
            return None;
        }
        let chosen = self.random.pick(&candidates).clone();
        if ring && depth > 0 && self.random.chance(50) {
            let function = ["next", "prev"][self.random.below(2)];
            return Some(format!("{function}({chosen})"));
        }
        Some(chosen)
    }

    /// A process that some variable surely holds.
    fn held(&mut self, scope: &Scope, family: usize, depth: usize) -> Option<String> {
        let holds = |ty: &Type| *ty == Type::Id { family, optional: false };
        let Reference { text, safety, .. } = self.variable(scope, &holds, depth)?;
        safety.is_empty().then_some(text)
    }

    /// A process that some variable holds where it does not hold `none`, with what must hold before.
    fn perhaps_held(&mut self, scope: &Scope, family: usize, depth: usize) -> Option<(String, Vec<String>)> {
        let wanted = Type::Id { family, optional: true };
        let chained = depth > 0 && self.random.chance(self.knobs.chains);
        if chained && let Some(reference) = self.variable(scope, &|ty| *ty == wanted, depth - 1) {
            let Reference { text, mut safety, .. } = reference;
            safety.push(format!("{text} != none"));
            return Some((text, safety));
        }
        let seen =
            |v: &&Var| v.index.is_empty() && v.ty == wanted && !scope.sees_another(&self.spec, &v.name);
        let holders: Vec<String> = self.spec.shared.iter().filter(seen).map(|v| v.name.clone()).collect();
        if holders.is_empty() {
            return None;
        }
        let holder = self.random.pick(&holders).clone();
        let safety = vec![format!("{holder} != none")];
        Some((holder, safety))
    }

    /// An index into a domain, if there is one that is surely inside.
    pub(super) fn index_into(&mut self, scope: &Scope, domain: &Domain, depth: usize) -> Option<String> {
        match domain {
            Domain::Family(family) => self.process(scope, *family, depth),
            Domain::Range(low, high) => {
                let inside = |d: &Domain| matches!(d, Domain::Range(l, h) if l >= low && h <= high);
                let bound: Vec<String> =
                    scope.visible().filter(|(_, d)| inside(d)).map(|(n, _)| n.clone()).collect();
                if !bound.is_empty() && self.random.chance(60) {
                    return Some(self.random.pick(&bound).clone());
                }
                if depth > 0 && !self.indexing && self.random.chance(self.knobs.odd) {
                    self.indexing = true;
                    let (number, ..) = self.number(scope, 1);
                    self.indexing = false;
                    return Some(format!("{low} + ({number} - {low}) % {}", high - low + 1));
                }
                Some(self.random.between(*low, *high).to_string())
            }
        }
    }

    /// A variable that the scope can reach, its own or another process's.
    pub(super) fn variable(
        &mut self,
        scope: &Scope,
        wanted: &dyn Fn(&Type) -> bool,
        depth: usize,
    ) -> Option<Reference> {
        let mut choices: Vec<(Option<usize>, Var)> =
            self.spec.shared.iter().filter(|v| wanted(&v.ty)).map(|v| (None, v.clone())).collect();
        for (id, family) in self.spec.families.iter().enumerate() {
            let vars = family.vars.iter().filter(|v| wanted(&v.ty));
            choices.extend(vars.map(|v| (Some(id), v.clone())));
        }
        // Some choices cannot be reached from here: try a few.
        for _ in 0..4 {
            if choices.is_empty() {
                return None;
            }
            let (owner, var) = self.random.pick(&choices).clone();
            let mut safety = Vec::new();
            let mut text = match owner {
                None if scope.sees_another(&self.spec, &var.name) => continue,
                None => var.name.clone(),
                Some(family)
                    if scope.own == Some(family)
                        && !scope.hides(&var.name)
                        && !self.random.chance(self.knobs.remote) =>
                {
                    var.name.clone()
                }
                Some(family) => {
                    let holder =
                        if self.random.chance(50) { self.perhaps_held(scope, family, depth) } else { None };
                    let process = match holder {
                        Some((holder, guards)) => {
                            safety = guards;
                            holder
                        }
                        None => match self.process(scope, family, depth) {
                            Some(process) => process,
                            None => continue,
                        },
                    };
                    format!("{process}.{}", var.name)
                }
            };
            let indices: Option<Vec<String>> =
                var.index.iter().map(|d| self.index_into(scope, d, depth)).collect();
            let Some(indices) = indices else { continue };
            if !indices.is_empty() {
                text = format!("{text}[{}]", indices.join(", "));
            }
            return Some(Reference { var: (owner, var.name), text, ty: var.ty, safety });
        }
        None
    }
}

impl Scope {
    /// Whether the name of a shared variable means something else here: a bound name, or a variable of the process.
    fn sees_another(&self, spec: &super::Spec, shared: &str) -> bool {
        let own = |family: usize| spec.families[family].vars.iter().any(|v| v.name == shared);
        self.hides(shared) || self.own.is_some_and(own)
    }
}
