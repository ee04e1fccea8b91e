//! The generator: declarations first, then actions whose expressions use what is declared.

use super::super::random::Random;
use super::{Action, Domain, ENUMS, Family, Knobs, Spec, Type, Var};

/// A program for a seed.
pub(crate) fn generate(seed: u64, knobs: &Knobs) -> Spec {
    let mut generator = Generator::new(seed, knobs, Spec::default());
    generator.declare();
    generator.define();
    for family in 0..generator.spec.families.len() {
        // The larger of two draws: most families have several actions.
        let most = knobs.actions as i64;
        let count = generator.random.between(1, most).max(generator.random.between(1, most));
        for index in 0..count {
            let action = generator.action(family, format!("a{index}"));
            generator.spec.families[family].actions.push(action);
        }
    }
    generator.properties();
    generator.spec
}

pub(super) struct Generator<'k> {
    pub(super) random: Random,
    pub(super) knobs: &'k Knobs,
    pub(super) spec: Spec,
    /// The product of the sizes of all variables so far.
    space: u64,
    fresh: usize,
}

/// What an expression may use.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) own: Option<usize>,
    pub(super) bound: Vec<(String, Domain)>,
}

/// A reference to a variable, with what must hold before it may be read or written.
struct Reference {
    /// The family that the variable belongs to, and its name.
    var: (Option<usize>, String),
    text: String,
    ty: Type,
    safety: Vec<String>,
}

impl<'k> Generator<'k> {
    pub(super) fn new(seed: u64, knobs: &'k Knobs, spec: Spec) -> Self {
        Generator { random: Random::new(seed), knobs, spec, space: 1, fresh: 0 }
    }

    fn declare(&mut self) {
        for i in 0..self.random.between(1, self.knobs.families as i64) {
            let single = self.random.chance(self.knobs.single);
            let size = (!single).then(|| self.random.between(2, self.knobs.processes));
            let kinds = ["weak", "strong", "none"];
            let fairness = self.random.chance(self.knobs.fairness).then(|| *self.random.pick(&kinds));
            self.spec.families.push(Family {
                name: format!("f{i}"),
                size,
                ring: !single && self.random.chance(self.knobs.ring),
                vars: Vec::new(),
                actions: Vec::new(),
                fairness,
            });
        }
        for family in 0..self.spec.families.len() {
            let count = self.spec.families[family].count() as u32;
            for i in 0..self.random.between(1, self.knobs.locals as i64) {
                if let Some(var) = self.var(format!("v{i}"), Some(family), count) {
                    self.spec.families[family].vars.push(var);
                }
            }
        }
        for i in 0..=self.random.below(self.knobs.shared + 1) {
            if let Some(var) = self.var(format!("s{i}"), None, 1) {
                self.spec.shared.push(var);
            }
        }
        if self.spec.shared.is_empty() && self.spec.families.iter().all(|f| f.vars.is_empty()) {
            self.spec.shared.push(Var {
                name: "s0".to_string(),
                index: Vec::new(),
                ty: Type::Bool,
                init: "false".to_string(),
            });
        }
    }

    pub(super) fn any_domain(&mut self) -> Domain {
        if self.random.chance(75) {
            Domain::Family(self.random.below(self.spec.families.len()))
        } else {
            let low = self.random.between(-1, 1);
            Domain::Range(low, low + self.random.between(0, 2))
        }
    }

    fn size_of(&self, domain: &Domain) -> u32 {
        match domain {
            Domain::Family(family) => self.spec.families[*family].count() as u32,
            Domain::Range(low, high) => (high - low + 1) as u32,
        }
    }

    /// A variable, if there is room for it.
    fn var(&mut self, name: String, own: Option<usize>, copies: u32) -> Option<Var> {
        let ty = if self.random.chance(self.knobs.ids) {
            let family = self.random.below(self.spec.families.len());
            Type::Id { family, optional: self.random.chance(self.knobs.optional) }
        } else {
            match self.random.below(4) {
                0 | 1 => Type::Enum(self.random.below(ENUMS.len())),
                2 => Type::Bool,
                _ => {
                    let low = self.random.between(-2, 1);
                    Type::Range(low, low + self.random.between(0, 3))
                }
            }
        };
        let mut index = Vec::new();
        if self.random.chance(self.knobs.indexed) {
            index.push(self.any_domain());
            if self.random.chance(self.knobs.two_indices) {
                index.push(self.any_domain());
            }
        }
        let values = match &ty {
            Type::Bool => 2,
            Type::Range(low, high) => (high - low + 1) as u64,
            Type::Enum(id) => ENUMS[*id].len() as u64,
            Type::Id { family, optional } => {
                self.spec.families[*family].count() as u64 + u64::from(*optional)
            }
        };
        let cells = index.iter().map(|d| self.size_of(d)).product::<u32>() * copies;
        let space = values.checked_pow(cells)?.checked_mul(self.space)?;
        if space > self.knobs.space {
            return None;
        }
        self.space = space;
        let init = self.topology(&ty, own, &index).unwrap_or_else(|| self.initial(&ty, own));
        Some(Var { name, index, ty, init })
    }

    /// An initial value that depends on the numbers of the processes it belongs to.
    fn topology(&mut self, ty: &Type, own: Option<usize>, index: &[Domain]) -> Option<String> {
        if self.knobs.topology == 0 || !self.random.chance(self.knobs.topology) {
            return None;
        }
        let axes = index.iter().enumerate().map(|(i, domain)| match domain {
            Domain::Family(_) => format!("index(i{i})"),
            Domain::Range(..) => format!("i{i}"),
        });
        let of_self =
            own.filter(|&f| self.spec.families[f].size.is_some()).map(|_| "index(self)".to_string());
        let mut sum: Vec<String> = of_self.into_iter().chain(axes).collect();
        if sum.is_empty() {
            return None;
        }
        // Differences make rings and grids, sums make mirrors.
        for term in sum.iter_mut().skip(1) {
            *term = format!("{} * {term}", self.random.pick(&["(-1)", "1", "2"]));
        }
        let sum = format!("({} + {})", sum.join(" + "), self.random.between(0, 2));
        let parity = format!("{sum} % {} == 0", self.random.between(2, 3));
        Some(match ty {
            Type::Bool => parity,
            Type::Range(low, high) => format!("{low} + {sum} % {}", high - low + 1),
            Type::Enum(id) => {
                let (a, b) = (self.random.pick(ENUMS[*id]), ENUMS[*id][0]);
                format!("if {parity} then {a} else {b}")
            }
            Type::Id { family, optional } => {
                let family = &self.spec.families[*family];
                let size = family.size?;
                let process = format!("{}[{sum} % {size}]", family.name);
                if *optional { format!("if {parity} then {process} else none") } else { process }
            }
        })
    }

    fn initial(&mut self, ty: &Type, own: Option<usize>) -> String {
        if self.random.chance(self.knobs.any) {
            return "any".to_string();
        }
        match ty {
            Type::Bool => ["false", "true"][self.random.below(2)].to_string(),
            Type::Range(low, high) => self.random.between(*low, *high).to_string(),
            Type::Enum(id) => (*self.random.pick(ENUMS[*id])).to_string(),
            Type::Id { family, optional } => {
                let (count, name) = {
                    let family = &self.spec.families[*family];
                    (family.count(), family.name.clone())
                };
                if own == Some(*family) && self.random.chance(60) {
                    "self".to_string()
                } else if *optional && (self.random.chance(80) || self.knobs.fixed == 0) {
                    "none".to_string()
                } else if self.spec.families[*family].size.is_none() {
                    name
                } else if self.knobs.fixed == 0 {
                    // Any fixed process would break the symmetry.
                    "any".to_string()
                } else {
                    format!("{name}[{}]", self.random.between(0, count - 1))
                }
            }
        }
    }

    fn define(&mut self) {
        for i in 0..self.random.below(self.knobs.definitions + 1) {
            let family = self.random.chance(50).then(|| self.random.below(self.spec.families.len()));
            let bound = family.map(|f| ("x".to_string(), Domain::Family(f))).into_iter().collect();
            let body = self.truth(&Scope { own: None, bound }, 2);
            self.spec.definitions.push((format!("d{i}"), family, body));
        }
    }

    pub(super) fn name(&mut self) -> String {
        self.fresh += 1;
        format!("b{}", self.fresh)
    }

    /// An expression for a process of a family, if there is one; never `none`.
    pub(super) fn process(&mut self, scope: &Scope, family: usize, depth: usize) -> Option<String> {
        let mut candidates: Vec<String> = scope
            .bound
            .iter()
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
        } else if self.random.chance(self.knobs.fixed) {
            candidates.push(format!("{name}[{}]", self.random.between(0, count - 1)));
        }
        for var in &self.spec.shared {
            if var.index.is_empty() && var.ty == (Type::Id { family, optional: false }) {
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

    /// An index into a domain, if there is one that is surely inside.
    fn index_into(&mut self, scope: &Scope, domain: &Domain) -> Option<String> {
        match domain {
            Domain::Family(family) => self.process(scope, *family, 1),
            Domain::Range(low, high) => {
                let inside = |d: &Domain| matches!(d, Domain::Range(l, h) if l >= low && h <= high);
                let bound: Vec<&String> =
                    scope.bound.iter().filter(|(_, d)| inside(d)).map(|(n, _)| n).collect();
                if !bound.is_empty() && self.random.chance(60) {
                    return Some((*self.random.pick(&bound)).clone());
                }
                Some(self.random.between(*low, *high).to_string())
            }
        }
    }

    /// A variable that the scope can reach; `remote` allows other processes' ones.
    fn variable(&mut self, scope: &Scope, wanted: impl Fn(&Type) -> bool) -> Option<Reference> {
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
                None => var.name.clone(),
                Some(family) if scope.own == Some(family) && !self.random.chance(self.knobs.remote) => {
                    var.name.clone()
                }
                Some(family) => {
                    let holders: Vec<String> = (self.spec.shared.iter())
                        .filter(|v| v.index.is_empty() && v.ty == (Type::Id { family, optional: true }))
                        .map(|v| v.name.clone())
                        .collect();
                    if !holders.is_empty() && self.random.chance(50) {
                        let holder = self.random.pick(&holders).clone();
                        safety.push(format!("{holder} != none"));
                        format!("{holder}.{}", var.name)
                    } else {
                        let Some(process) = self.process(scope, family, 1) else { continue };
                        format!("{process}.{}", var.name)
                    }
                }
            };
            let indices: Option<Vec<String>> = var.index.iter().map(|d| self.index_into(scope, d)).collect();
            let Some(indices) = indices else { continue };
            if !indices.is_empty() {
                text = format!("{text}[{}]", indices.join(", "));
            }
            return Some(Reference { var: (owner, var.name), text, ty: var.ty, safety });
        }
        None
    }

    /// A number, and the range that it is surely in.
    fn number(&mut self, scope: &Scope, depth: usize) -> (String, i64, i64) {
        let constant = |random: &mut Random| {
            let value = random.between(-2, 3);
            (format!("{value}"), value, value)
        };
        match self.random.below(if depth == 0 { 3 } else { 8 }) {
            0 => constant(&mut self.random),
            1 | 2 => {
                let bound: Vec<(String, i64, i64)> = (scope.bound.iter())
                    .filter_map(|(name, domain)| match domain {
                        Domain::Range(low, high) => Some((name.clone(), *low, *high)),
                        Domain::Family(_) => None,
                    })
                    .collect();
                if !bound.is_empty() && self.random.chance(50) {
                    return self.random.pick(&bound).clone();
                }
                match self.variable(scope, |ty| matches!(ty, Type::Range(..))) {
                    Some(Reference { text, ty: Type::Range(low, high), safety, .. }) if safety.is_empty() => {
                        (text, low, high)
                    }
                    _ => constant(&mut self.random),
                }
            }
            3 if self.random.chance(self.knobs.quantifiers) => {
                let (name, domain) = (self.name(), self.any_domain());
                let (text, size) = (self.spec.domain(&domain), self.size_of(&domain));
                let mut inner = scope.clone();
                inner.bound.push((name.clone(), domain));
                let body = self.truth(&inner, depth - 1);
                (format!("count({name} in {text}: {body})"), 0, size as i64)
            }
            4 if self.random.chance(self.knobs.index) => {
                let family = self.random.below(self.spec.families.len());
                let count = self.spec.families[family].count();
                match self.process(scope, family, 1) {
                    Some(process) => (format!("index({process})"), 0, count - 1),
                    None => constant(&mut self.random),
                }
            }
            5 => {
                let (a, low, high) = self.number(scope, depth - 1);
                let divisor = *self.random.pick(&[2, 3]);
                if self.random.chance(50) {
                    (format!("({a} % {divisor})"), 0, divisor - 1)
                } else {
                    (format!("({a} / {divisor})"), low.div_euclid(divisor), high.div_euclid(divisor))
                }
            }
            6 => {
                let condition = self.truth(scope, depth - 1);
                let (a, a_low, a_high) = self.number(scope, depth - 1);
                let (b, b_low, b_high) = self.number(scope, depth - 1);
                (format!("(if {condition} then {a} else {b})"), a_low.min(b_low), a_high.max(b_high))
            }
            _ => {
                let (a, a_low, a_high) = self.number(scope, depth - 1);
                let (b, b_low, b_high) = self.number(scope, depth - 1);
                match self.random.below(4) {
                    0 => (format!("({a} - {b})"), a_low - b_high, a_high - b_low),
                    1 => {
                        let corners = [a_low * b_low, a_low * b_high, a_high * b_low, a_high * b_high];
                        let low = corners.into_iter().min().unwrap_or_default();
                        (format!("({a} * {b})"), low, corners.into_iter().max().unwrap_or_default())
                    }
                    2 => (format!("(-{a})"), -a_high, -a_low),
                    _ => (format!("({a} + {b})"), a_low + b_low, a_high + b_high),
                }
            }
        }
    }

    /// An expression that is true or false, in parentheses where it needs them anywhere.
    pub(super) fn truth(&mut self, scope: &Scope, depth: usize) -> String {
        if depth > 0 && self.random.chance(self.knobs.quantifiers) {
            let (name, domain) = (self.name(), self.any_domain());
            let quantifier = ["forall", "exists"][self.random.below(2)];
            let text = self.spec.domain(&domain);
            let mut inner = scope.clone();
            inner.bound.push((name.clone(), domain));
            let body = self.truth(&inner, depth - 1);
            return format!("({quantifier} {name} in {text}: {body})");
        }
        if depth > 0 && self.random.chance(35) {
            let (a, b) = (self.truth(scope, depth - 1), self.truth(scope, depth - 1));
            return match self.random.below(7) {
                0 | 1 => format!("({a} and {b})"),
                2 => format!("({a} or {b})"),
                3 => format!("({a} => {b})"),
                4 => format!("({a} <=> {b})"),
                5 => format!("(not {a})"),
                _ => {
                    let condition = self.comparison(scope, depth - 1);
                    format!("(if {condition} then {a} else {b})")
                }
            };
        }
        self.comparison(scope, depth)
    }

    fn comparison(&mut self, scope: &Scope, depth: usize) -> String {
        if !self.spec.definitions.is_empty() && self.random.chance(15) {
            let (name, family, _) = self.random.pick(&self.spec.definitions).clone();
            match family {
                None => return name,
                Some(family) => {
                    if let Some(process) = self.process(scope, family, 1) {
                        return format!("{name}({process})");
                    }
                }
            }
        }
        if self.random.chance(20) {
            let (a, ..) = self.number(scope, depth.min(1));
            let (b, ..) = self.number(scope, depth.min(1));
            let op = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
            return format!("({a} {op} {b})");
        }
        if self.random.chance(15) {
            let family = self.random.below(self.spec.families.len());
            if let (Some(a), Some(b)) = (self.process(scope, family, 1), self.process(scope, family, 1)) {
                return format!("({a} {} {b})", self.random.pick(&["==", "!="]));
            }
        }
        let Some(Reference { text, ty, safety, .. }) = self.variable(scope, |_| true) else {
            return ["true", "false"][self.random.below(2)].to_string();
        };
        let op = *self.random.pick(&["==", "==", "!="]);
        let test = match ty {
            Type::Bool if self.random.chance(50) => text,
            Type::Bool => format!("(not {text})"),
            Type::Range(low, high) => format!("({text} {op} {})", self.random.between(low, high)),
            Type::Enum(id) => {
                let other = match id {
                    0 => self.variable(scope, |ty| matches!(ty, Type::Enum(0 | 1))),
                    1 => self.variable(scope, |ty| matches!(ty, Type::Enum(0 | 1))),
                    _ => self.variable(scope, |ty| matches!(ty, Type::Enum(2))),
                };
                match other {
                    Some(other) if other.safety.is_empty() && self.random.chance(30) => {
                        format!("({text} {op} {})", other.text)
                    }
                    _ => format!("({text} {op} {})", self.random.pick(ENUMS[id])),
                }
            }
            Type::Id { family, optional } => match self.process(scope, family, 1) {
                Some(process) if !optional || self.random.chance(50) => format!("({text} {op} {process})"),
                _ if optional => format!("({text} {op} none)"),
                _ => "true".to_string(),
            },
        };
        if safety.is_empty() { test } else { format!("({} and {test})", safety.join(" and ")) }
    }

    fn action(&mut self, family: usize, name: String) -> Action {
        let mut scope = Scope { own: Some(family), bound: Vec::new() };
        let mut action = Action {
            name,
            params: Vec::new(),
            safety: Vec::new(),
            guard: Vec::new(),
            assignments: Vec::new(),
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
            let Some(target) = self.variable(&scope, |_| true) else { continue };
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

    /// A value for a variable of a type, with what keeps it in range.
    fn value(&mut self, scope: &Scope, ty: &Type, safety: &mut Vec<String>) -> Option<String> {
        match ty {
            Type::Bool => Some(self.truth(scope, 1)),
            Type::Range(low, high) => {
                let (text, least, most) = self.number(scope, 2);
                // A fixed value outside the range is an error already when the program is built.
                let fixed = text.contains("if ") || !text.contains(|c: char| c.is_ascii_alphabetic());
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
            Type::Enum(id) => {
                if self.random.chance(25)
                    && let Some(other) = self.variable(scope, |other| other == ty)
                {
                    safety.extend(other.safety);
                    return Some(other.text);
                }
                if *id < 2
                    && self.random.chance(15)
                    && let Some(other) = self.variable(scope, |other| matches!(other, Type::Enum(0 | 1)))
                {
                    // Only the common literal can go over.
                    safety.extend(other.safety);
                    safety.push(format!("{} == C", other.text));
                    return Some(other.text);
                }
                if self.random.chance(15) {
                    let condition = self.truth(scope, 1);
                    let (a, b) = (self.random.pick(ENUMS[*id]), self.random.below(ENUMS[*id].len()));
                    return Some(format!("if {condition} then {a} else {}", ENUMS[*id][b]));
                }
                Some((*self.random.pick(ENUMS[*id])).to_string())
            }
            Type::Id { family, optional } => {
                let same = |other: &Type| matches!(other, Type::Id { family: f, .. } if f == family);
                if self.random.chance(30)
                    && let Some(other) = self.variable(scope, same)
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
                process
            }
        }
    }

    fn properties(&mut self) {
        for i in 0..self.random.below(self.knobs.properties + 1) {
            let family = self.random.below(self.spec.families.len());
            let quantified = self.random.chance(60);
            let bound = if quantified { vec![("c".to_string(), Domain::Family(family))] } else { Vec::new() };
            let scope = Scope { own: None, bound };
            let front = if quantified {
                format!("forall c in {}: ", self.spec.families[family].name)
            } else {
                String::new()
            };
            let (a, b) = (self.truth(&scope, 1), self.truth(&scope, 1));
            let (keyword, formula) = match self.random.below(8) {
                0 | 1 => ("invariant", a),
                2 => ("ltl", format!("G ({a} => F {b})")),
                3 => ("ltl", format!("G F {a}")),
                4 => ("ltl", format!("F G {a}")),
                5 => ("ltl", format!("{a} U {b} or G F {b}")),
                6 => ("ctl", format!("AG ({a} => EF {b})")),
                _ => ("ctl", format!("AF {a} or EG {b}")),
            };
            self.spec.properties.push((keyword, format!("q{i}"), format!("{front}{formula}")));
        }
    }
}
