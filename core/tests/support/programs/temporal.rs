//! Temporal properties of random programs: formulas in the shapes that people write and in any shape, and automata.

use super::generate::{Generator, Scope};
use super::{Domain, Knobs, Spec};

/// Adds temporal properties to a program: formulas, and at least one automaton.
pub(crate) fn add_temporal(spec: Spec, seed: u64, knobs: &Knobs) -> Spec {
    let mut generator = Generator::new(!seed, knobs, spec);
    for i in 0..knobs.temporal {
        let scope = generator.tracking();
        let front: Vec<String> = scope
            .bound
            .iter()
            .map(|(name, domain)| format!("forall {name} in {}: ", generator.spec.domain(domain)))
            .collect();
        let formula = if generator.random.chance(70) {
            generator.pattern(&scope)
        } else {
            generator.formula(&scope, 3)
        };
        generator.spec.properties.push(("ltl", format!("t{i}"), front.concat() + &formula));
    }
    let automaton = generator.automaton();
    generator.spec.properties.push(("automaton", "wrong".to_string(), automaton));
    generator.spec
}

impl Generator<'_> {
    /// Up to two processes that a property speaks of.
    fn tracking(&mut self) -> Scope {
        let mut bound = Vec::new();
        for name in ["c", "d"].iter().take(self.random.below(3)) {
            let family = self.random.below(self.spec.families.len());
            bound.push(((*name).to_string(), Domain::Family(family)));
        }
        Scope { own: None, bound }
    }

    fn atom(&mut self, scope: &Scope) -> String {
        if self.random.chance(self.knobs.odd) {
            return self.mixed_atom(true, true, scope);
        }
        if !scope.bound.is_empty() && self.random.chance(20) {
            let (name, _) = self.random.pick(&scope.bound).clone();
            let word = self.random.pick::<&str>(&["enabled", "executed", "executed"]);
            return format!("{word}({name})");
        }
        let depth = self.random.below(2);
        self.truth(scope, depth)
    }

    /// A shape that people write, or one whose automaton has several acceptance sets.
    fn pattern(&mut self, scope: &Scope) -> String {
        if !scope.bound.is_empty() && self.random.chance(35) {
            // Formulas whose truth depends on fairness.
            let (p, _) = self.random.pick(&scope.bound).clone();
            let a = self.atom(scope);
            return match self.random.below(6) {
                0 | 5 => format!("G F executed({p})"),
                1 => format!("F G enabled({p}) => G F executed({p})"),
                2 => format!("G F enabled({p}) => G F executed({p})"),
                3 => format!("G F (enabled({p}) and {a}) => G F executed({p})"),
                _ => format!("G (enabled({p}) => F executed({p}))"),
            };
        }
        let [a, b, c] = [0; 3].map(|_| self.atom(scope));
        match self.random.below(9) {
            0 => format!("G ({a} => F {b})"),
            1 => format!("G F {a}"),
            2 => format!("F G {a}"),
            3 => format!("G F {a} => G F {b}"),
            4 => format!("not (G F {a} and G F {b})"),
            5 => format!("F G {a} or F G {b} or F G {c}"),
            6 => format!("{a} U {b} or G F {c}"),
            7 => format!("G ({a} => X ({b} R {c}))"),
            _ => format!("F ({a} and X F {b})"),
        }
    }

    fn formula(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 {
            return self.atom(scope);
        }
        let a = self.formula(scope, depth - 1);
        match self.random.below(9) {
            0 => format!("(not {a})"),
            1 => format!("(X {a})"),
            2 => format!("(F {a})"),
            3 => format!("(G {a})"),
            _ => {
                let b = self.formula(scope, depth - 1);
                let operator = self.random.pick::<&str>(&["and", "or", "=>", "U", "R", "W", "M"]);
                format!("({a} {operator} {b})")
            }
        }
    }

    /// An automaton: its parameters and its states, with moves whose guards overlap.
    pub(super) fn automaton(&mut self) -> String {
        let scope = self.tracking();
        let params: Vec<String> =
            scope.bound.iter().map(|(name, d)| format!("{name} in {}", self.spec.domain(d))).collect();
        let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        let count = 1 + self.random.below(3);
        let accepting = self.random.below(count);
        let states: Vec<String> = (0..count)
            .map(|state| {
                let initial = state == 0 || self.random.one_in(5);
                let words = match (initial, state == accepting || self.random.one_in(3)) {
                    (true, true) => "initial accepting",
                    (true, false) => "initial",
                    (false, true) => "accepting",
                    (false, false) => "state",
                };
                let moves: Vec<String> = (0..=self.random.below(3))
                    .map(|_| {
                        let guard =
                            if self.random.chance(30) { "true".to_string() } else { self.atom(&scope) };
                        format!("    {guard} -> q{}\n", self.random.below(count))
                    })
                    .collect();
                format!("  {words} q{state} {{\n{}  }}\n", moves.concat())
            })
            .collect();
        format!("{params} {{\n{}}}", states.concat())
    }
}

/// Adds this many formulas with quantifiers over processes inside of temporal operators.
pub(crate) fn add_inner(spec: Spec, seed: u64, knobs: &Knobs, count: usize) -> Spec {
    let mut generator = Generator::new(!seed, knobs, spec);
    for i in 0..count {
        let family = generator.random.below(generator.spec.families.len());
        let outer = Domain::Family(generator.random.below(generator.spec.families.len()));
        let domain = Domain::Family(family);
        let text = generator.spec.domain(&domain);
        let (c, d) = (generator.name(), generator.name());
        let one = Scope { bound: vec![(c.clone(), domain.clone())], ..Scope::default() };
        let both = Scope { bound: vec![(c.clone(), domain), (d.clone(), outer.clone())], ..Scope::default() };
        let only = Scope { bound: vec![(d.clone(), outer.clone())], ..Scope::default() };
        let (a, b) = (generator.truth(&one, 1), generator.truth(&one, 1));
        let quantifier = ["forall", "exists"][generator.random.below(2)];
        let inner = |body: &str| format!("({quantifier} {c} in {text}: {body})");
        let formula = match generator.random.below(8) {
            0 => format!("G {}", inner(&format!("F {a}"))),
            1 => format!("F {}", inner(&format!("G {a}"))),
            2 => format!("G {}", inner(&format!("({a} => F {b})"))),
            3 => format!("F {}", inner(&format!("({a} and X {b})"))),
            4 => format!("{} U {}", inner(&format!("X {a}")), inner(&format!("F {b}"))),
            5 => format!("exists {c} in {text}: G ({a} => F {b})"),
            6 => format!("F G {} or G F {}", inner(&format!("X {a}")), inner(&format!("executed({c})"))),
            _ => {
                let (related, own) = (generator.truth(&both, 1), generator.truth(&only, 1));
                let outer = generator.spec.domain(&outer);
                format!("forall {d} in {outer}: G ({own} => {})", inner(&format!("F ({a} or {related})")))
            }
        };
        generator.spec.properties.push(("ltl", format!("inner{i}"), formula));
    }
    generator.spec
}
