//! Formulas of branching time: operators, named processes and quantifiers nested in all ways.

use super::generate::{Generator, Scope};
use super::{Domain, Knobs, Spec};

/// Adds this many formulas to a program.
pub(crate) fn add_branching(spec: Spec, seed: u64, knobs: &Knobs, count: usize) -> Spec {
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
            && let Some(size) = self.spec.families[family].size.filter(|&size| size > 0)
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

/// Adds this many formulas that fairness can decide: about what comes to pass in the end for some process.
pub(crate) fn add_inevitable(spec: Spec, seed: u64, knobs: &Knobs, count: usize) -> Spec {
    let mut generator = Generator::new(!seed, knobs, spec);
    for i in 0..count {
        let domain = Domain::Family(generator.random.below(generator.spec.families.len()));
        let (name, text) = (generator.name(), generator.spec.domain(&domain));
        let scope = Scope { bound: vec![(name.clone(), domain)], ..Scope::default() };
        let quantifier = ["forall", "exists"][generator.random.below(2)];
        let (a, b) = (generator.truth(&scope, 1), generator.truth(&scope, 1));
        let body = match generator.random.below(7) {
            0 => format!("AF {a}"),
            1 => format!("EG {a}"),
            2 => format!("AG ({a} => AF {b})"),
            3 => format!("AG AF {a}"),
            4 => format!("EF EG {a}"),
            5 => format!("A[{a} U {b}]"),
            _ => format!("EX EG ({a} or AF {b})"),
        };
        generator.spec.properties.push((
            "ctl",
            format!("end{i}"),
            format!("{quantifier} {name} in {text}: {body}"),
        ));
    }
    generator.spec
}

/// Adds this many formulas of the mu-calculus to a program.
pub(crate) fn add_mu(spec: Spec, seed: u64, knobs: &Knobs, count: usize) -> Spec {
    let mut generator = Generator::new(!seed, knobs, spec);
    for i in 0..count {
        let formula = if i % 2 == 0 {
            generator.fixpoints(&Scope::default(), &mut Vec::new(), 4, true)
        } else {
            generator.nested_fixpoints()
        };
        generator.spec.properties.push(("mu", format!("fix{i}"), formula));
    }
    generator.spec
}

impl Generator<'_> {
    /// Two or three fixed points around each other, each of whose variables stands in the innermost body.
    fn nested_fixpoints(&mut self) -> String {
        let names: Vec<String> = (0..self.random.between(2, 3)).map(|i| format!("Z{i}")).collect();
        let family = Domain::Family(self.random.below(self.spec.families.len()));
        let (bound, text) = (self.name(), self.spec.domain(&family));
        let scope = Scope { bound: vec![(bound.clone(), family)], ..Scope::default() };
        let mut body = String::new();
        for name in &names {
            let next = ["", "<> ", "[] ", "<> ", "[] "][self.random.below(5)];
            let (op, inner) = (["and", "or"][self.random.below(2)], ["and", "or"][self.random.below(2)]);
            let fact = self.truth(&scope, 1);
            let part = format!("({fact} {inner} {next}{name})");
            body = if body.is_empty() { part } else { format!("({body} {op} {part})") };
        }
        body = format!("{} ({body})", ["<>", "[]"][self.random.below(2)]);
        // The quantifier in front, or somewhere between the fixed points.
        let at = self.random.below(names.len() + 1);
        let quantifier = ["forall", "exists"][self.random.below(2)];
        for (i, name) in names.iter().enumerate().rev() {
            if i + 1 == at {
                body = format!("({quantifier} {bound} in {text}: {body})");
            }
            let fact = self.random.chance(30).then(|| self.truth(&Scope::default(), 1));
            let word = ["mu", "nu"][self.random.below(2)];
            body = match fact {
                Some(fact) => {
                    format!("({word} {name}. {fact} {} {body})", ["and", "or"][self.random.below(2)])
                }
                None => format!("({word} {name}. {body})"),
            };
        }
        if at == 0 { format!("{quantifier} {bound} in {text}: {body}") } else { body }
    }

    /// A formula of the mu-calculus. A variable stands under an even number of negations inside of its fixed point:
    /// where the sign is the one at the fixed point.
    fn fixpoints(
        &mut self,
        scope: &Scope,
        around: &mut Vec<(String, bool)>,
        depth: usize,
        sign: bool,
    ) -> String {
        let usable: Vec<String> = around.iter().filter(|(_, s)| *s == sign).map(|(n, _)| n.clone()).collect();
        if !usable.is_empty() && self.random.chance(if depth == 0 { 60 } else { 12 }) {
            return self.random.pick(&usable).clone();
        }
        if depth == 0 {
            return self.fact(scope);
        }
        if !usable.is_empty() && self.random.chance(30) {
            // A fixed point that reaches into a quantifier.
            let family = self.random.below(self.spec.families.len());
            let (name, domain) = (self.name(), Domain::Family(family));
            let mut inner = scope.clone();
            inner.bound.push((name.clone(), domain.clone()));
            let text = self.spec.domain(&domain);
            let (quantifier, op) =
                (["forall", "exists"][self.random.below(2)], ["and", "or"][self.random.below(2)]);
            let next = ["", "<> ", "[] "][self.random.below(3)];
            let (fact, body) = (self.truth(&inner, 1), self.fixpoints(&inner, around, depth - 1, sign));
            let variable = self.random.pick(&usable).clone();
            return format!("({quantifier} {name} in {text}: ({fact} {op} {next}{variable}) {op} {body})");
        }
        match self.random.below(100) {
            0..15 => {
                let (name, domain) = (self.name(), self.any_domain());
                let quantifier = ["forall", "exists"][self.random.below(2)];
                let text = self.spec.domain(&domain);
                let mut inner = scope.clone();
                inner.bound.push((name.clone(), domain));
                let body = self.fixpoints(&inner, around, depth - 1, sign);
                format!("({quantifier} {name} in {text}: {body})")
            }
            15..40 => {
                let op = *self.random.pick(&["and", "or", "and", "or", "=>"]);
                let left = self.fixpoints(scope, around, depth - 1, sign != (op == "=>"));
                let right = self.fixpoints(scope, around, depth - 1, sign);
                format!("({left} {op} {right})")
            }
            40..47 => format!("(not {})", self.fixpoints(scope, around, depth - 1, !sign)),
            47..70 => {
                let op = ["<>", "[]"][self.random.below(2)];
                format!("({op} {})", self.fixpoints(scope, around, depth - 1, sign))
            }
            70..95 => {
                let word = ["mu", "nu"][self.random.below(2)];
                let name = format!("Z{}", around.len());
                around.push((name.clone(), sign));
                let body = self.fixpoints(scope, around, depth - 1, sign);
                around.pop();
                format!("({word} {name}. {body})")
            }
            _ => self.fact(scope),
        }
    }
}
