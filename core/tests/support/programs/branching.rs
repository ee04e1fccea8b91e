//! Formulas of branching time: operators, named processes and quantifiers nested in all ways.

use super::generate::{Generator, Scope};
use super::{Domain, Knobs, Spec};

/// Adds so many formulas to a program.
pub fn add_branching(spec: Spec, seed: u64, knobs: &Knobs, count: usize) -> Spec {
    let mut generator = Generator::new(!seed, knobs, spec);
    for i in 0..count {
        let formula = generator.branching(&Scope::default(), 3);
        generator.spec.properties.push(("ctl", format!("branch{i}"), formula));
    }
    generator.spec
}

impl Generator<'_> {
    fn branching(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 || self.random.chance(8) {
            return self.fact(scope);
        }
        let choice = self.random.below(100);
        if choice < 22 {
            let (name, domain) = (self.name(), self.any_domain());
            let quantifier = ["forall", "exists"][self.random.below(2)];
            let text = self.spec.domain(&domain);
            let mut inner = scope.clone();
            inner.bound.push((name.clone(), domain));
            let less = usize::from(self.random.chance(50));
            let body = self.branching(&inner, depth - less);
            return format!("({quantifier} {name} in {text}: {body})");
        }
        if choice < 40 {
            let (a, b) = (self.branching(scope, depth - 1), self.branching(scope, depth - 1));
            return match self.random.below(5) {
                0 | 1 => format!("({a} and {b})"),
                2 => format!("({a} or {b})"),
                3 => format!("({a} => {b})"),
                _ => format!("({a} <=> {b})"),
            };
        }
        if choice < 46 {
            return format!("(not {})", self.branching(scope, depth - 1));
        }
        let path = ["A", "E"][self.random.below(2)];
        if choice < 80 {
            let op = *self.random.pick(&["X", "F", "G", "F", "G"]);
            return format!("({path}{op} {})", self.branching(scope, depth - 1));
        }
        let op = *self.random.pick(&["U", "R", "W", "M"]);
        let (a, b) = (self.branching(scope, depth - 1), self.branching(scope, depth - 1));
        format!("{path}[{a} {op} {b}]")
    }

    /// An expression that may name a process, or ask whether one is enabled.
    fn fact(&mut self, scope: &Scope) -> String {
        let mut scope = scope.clone();
        let family = self.random.below(self.spec.families.len());
        if self.random.chance(25)
            && let Some(size) = self.spec.families[family].size
        {
            let name = format!("{}[{}]", self.spec.families[family].name, self.random.between(0, size - 1));
            scope.bound.push((name, Domain::Family(family)));
        }
        if self.random.chance(12)
            && let Some(process) = self.process(&scope, family, 1)
        {
            return format!("enabled({process})");
        }
        self.truth(&scope, 1)
    }
}
