//! Temporal formulas in which everything stands everywhere: `executed`, `enabled` and counts under every operator, quantifiers
//! in every place, named and chosen and quantified processes beside each other; and expressions with a fault, behind parts
//! that decide or not.

use super::generate::{Generator, Scope};
use super::{Domain, Knobs, Spec, Type};

/// Adds this many formulas of linear time without faults.
pub(crate) fn add_meaning(spec: Spec, seed: u64, knobs: &Knobs, count: usize) -> Spec {
    let mut generator = Generator::new(seed ^ 0x6d65_616e, knobs, spec);
    for i in 0..count {
        let mut scope = Scope::default();
        let mut front: Vec<String> = Vec::new();
        while scope.bound.len() < 2 && generator.random.chance(30) {
            let (name, domain) = (generator.name(), generator.any_domain());
            front.push(format!("forall {name} in {}: ", generator.spec.domain(&domain)));
            scope.bound.push((name, domain));
        }
        let depth = 2 + generator.random.below(2);
        let formula = front.concat() + &generator.meaning(&scope, depth);
        generator.spec.properties.push(("ltl", format!("meaning{i}"), formula));
    }
    generator.spec
}

impl Generator<'_> {
    fn meaning(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 {
            return self.atom_of_a_step(scope);
        }
        match self.random.below(100) {
            0..30 => {
                let op = *self.random.pick(&["X", "F", "G"]);
                format!("({op} {})", self.meaning(scope, depth - 1))
            }
            30..50 => {
                let (a, b) = (self.meaning(scope, depth - 1), self.meaning(scope, 0));
                let (a, b) = if self.random.coin() { (a, b) } else { (b, a) };
                format!("({a} {} {b})", self.random.pick(&["U", "R", "W", "M"]))
            }
            50..56 => format!("(not {})", self.meaning(scope, depth - 1)),
            56..60 => {
                let c = self.atom_of_a_step(scope);
                let (a, b) = (self.meaning(scope, depth - 1), self.atom_of_a_step(scope));
                format!("(if {c} then {a} else {b})")
            }
            60..78 => {
                let (a, b) = (self.meaning(scope, depth - 1), self.meaning(scope, depth - 1));
                let op = *self.random.pick(&["and", "or", "and", "or", "=>", "<=>", "==", "!="]);
                format!("({a} {op} {b})")
            }
            _ => {
                let (name, domain) = (self.name(), self.any_domain());
                let text = self.spec.domain(&domain);
                let mut inner = scope.clone();
                inner.bound.push((name.clone(), domain));
                let quantifier = ["forall", "exists"][self.random.below(2)];
                format!("({quantifier} {name} in {text}: {})", self.meaning(&inner, depth - 1))
            }
        }
    }

    /// An expression of a state and the step that leaves it.
    fn atom_of_a_step(&mut self, scope: &Scope) -> String {
        let mut scope = scope.clone();
        let family = self.random.below(self.spec.families.len());
        let name = self.spec.families[family].name.clone();
        if self.random.chance(15)
            && let Some(size) = self.spec.families[family].size
            && size > 0
        {
            // A process by its name, in the place of what is bound.
            let fixed = format!("{name}[{}]", self.random.between(0, size - 1));
            scope.bound.push((fixed, Domain::Family(family)));
        }
        let processes: Vec<String> = scope.bound.iter().filter_map(is_process).collect();
        match self.random.below(100) {
            0..45 if !processes.is_empty() => {
                let word = *self.random.pick(&["executed", "executed", "enabled"]);
                format!("{word}({})", self.random.pick(&processes))
            }
            45..65 => {
                let counted = self.name();
                let mut inner = scope.clone();
                inner.bound.push((counted.clone(), Domain::Family(family)));
                let body = match self.random.below(4) {
                    0 => format!("executed({counted})"),
                    1 => format!("enabled({counted})"),
                    _ => self.truth(&inner, 1),
                };
                let op = *self.random.pick(&["==", "<", ">=", "!="]);
                format!("(count({counted} in {name}: {body}) {op} {})", self.random.between(0, 2))
            }
            _ => self.truth(&scope, 1),
        }
    }
}

fn is_process((name, domain): &(String, Domain)) -> Option<String> {
    matches!(domain, Domain::Family(_)).then(|| name.clone())
}

/// Adds this many formulas of each logic with expressions that may have a fault; none where the program has nothing of
/// which one could speak so.
pub(crate) fn add_faulty(spec: Spec, seed: u64, knobs: &Knobs, count: usize) -> Option<Spec> {
    let mut generator = Generator::new(seed ^ 0x6661_756c, knobs, spec);
    let faulty = generator.faulty();
    if faulty.is_empty() {
        return None;
    }
    for i in 0..count {
        for logic in ["ltl", "ctl", "mu"] {
            let formula = generator.lazy(&faulty, logic, 2, &mut Vec::new());
            generator.spec.properties.push((logic, format!("{logic}{i}"), formula));
        }
    }
    Some(generator.spec)
}

/// An expression that has a fault where the other one is true.
#[derive(Clone)]
struct Risk {
    expression: String,
    fault: String,
}

impl Generator<'_> {
    fn faulty(&mut self) -> Vec<Risk> {
        let mut risks = Vec::new();
        for var in self.spec.shared.iter().filter(|var| var.index.is_empty()) {
            let name = &var.name;
            match var.ty {
                Type::Id { family, optional: true } => {
                    let family = &self.spec.families[family];
                    for local in family.vars.iter().filter(|local| local.index.is_empty()) {
                        let expression = match local.ty {
                            Type::Bool => format!("{name}.{}", local.name),
                            Type::Range(low, _) => format!("{name}.{} == {low}", local.name),
                            Type::Enum(id) => format!("{name}.{} == {}", local.name, super::ENUMS[id][0]),
                            Type::Id { .. } => continue,
                        };
                        risks.push(Risk { expression, fault: format!("{name} == none") });
                    }
                    let expression = format!("enabled({name})");
                    risks.push(Risk { expression, fault: format!("{name} == none") });
                }
                Type::Range(low, high) if (low..=high).contains(&0) && low < high => {
                    let expression = format!("6 / {name} == 6");
                    risks.push(Risk { expression, fault: format!("{name} == 0") });
                }
                _ => {}
            }
        }
        risks
    }

    /// A formula whose parts may have a fault, often behind a part that decides where they would.
    fn lazy(&mut self, risks: &[Risk], logic: &str, depth: usize, variables: &mut Vec<String>) -> String {
        let Risk { expression, fault } = self.random.pick(risks).clone();
        let mut part = |generator: &mut Self| {
            if depth > 0 && generator.random.chance(35) {
                return generator.lazy(risks, logic, depth - 1, variables);
            }
            let inner = match generator.random.below(4) {
                0 => format!("({fault} or {expression})"),
                1 => format!("(not ({fault}) and {expression})"),
                _ => generator.truth(&Scope::default(), 1),
            };
            generator.future(logic, &inner, variables)
        };
        let (a, b) = (part(self), part(self));
        let body = match self.random.below(12) {
            0 => format!("({fault} or {expression} or {a})"),
            1 => format!("({fault} or {a} or {expression})"),
            2 => format!("(not ({fault}) and {expression} and {a})"),
            3 => format!("(not ({fault}) and {a} and ({expression} or {b}))"),
            4 => format!("({fault} => {a})"),
            5 => format!("(not ({fault}) => ({expression} and {a}))"),
            6 => format!("(if {fault} then {a} else ({expression} or {b}))"),
            7 => format!("(if {expression} then {a} else {b})"),
            8 => format!("(({fault} or {a}) or {expression})"),
            9 => format!("(not ({fault} or {a}) and {expression})"),
            10 => format!("(({fault} or {a}) <=> ({expression} and {b}))"),
            _ => format!("(({fault} and {a}) or ({expression} and {b}))"),
        };
        self.future(logic, &body, variables)
    }

    /// A temporal operator of a logic around a formula.
    fn future(&mut self, logic: &str, body: &str, variables: &mut Vec<String>) -> String {
        let pick = self.random.below(4);
        match logic {
            "ltl" => format!("({} {body})", ["X", "F", "G", "G"][pick]),
            "ctl" => format!("({} {body})", ["AX", "EF", "AG", "AF"][pick]),
            _ => {
                let name = format!("Z{}", variables.len());
                variables.push(name.clone());
                match pick {
                    0 => format!("(<> {body})"),
                    1 => format!("([] {body})"),
                    2 => format!("(mu {name}. {body} or <> {name})"),
                    _ => format!("(nu {name}. {body} and [] {name})"),
                }
            }
        }
    }
}
