//! Expressions: numbers, and what is true or false.

use super::super::random::Random;
use super::generate::{Binders, Generator, Scope};
use super::reference::Reference;
use super::{Definition, Domain, ENUMS, Type};

/// A number, and the range that it is surely in.
type Number = (String, i64, i64);

fn constant(random: &mut Random) -> Number {
    let value = random.between(-2, 3);
    (value.to_string(), value, value)
}

impl Generator<'_> {
    pub(super) fn number(&mut self, scope: &Scope, depth: usize) -> Number {
        match self.random.below(if depth == 0 { 3 } else { 10 }) {
            0 => self.fixed_number(scope),
            1 | 2 => self.number_variable(scope),
            3 if self.random.chance(self.knobs.quantifiers) => {
                let Binders { text, scope: inner, choices } = self.binders(scope);
                let body = self.truth(&inner, depth - 1);
                (format!("count({text}: {body})"), 0, choices)
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
                let odd = self.random.chance(self.knobs.odd);
                let divisor: i64 = *self.random.pick(if odd { &[-2, -3, 1] } else { &[2, 3, 2] });
                if self.random.chance(50) {
                    (format!("({a} % {divisor})"), 0, divisor.abs() - 1)
                } else {
                    let (a_by, b_by) = (low.div_euclid(divisor), high.div_euclid(divisor));
                    (format!("({a} / {divisor})"), a_by.min(b_by), a_by.max(b_by))
                }
            }
            8 if self.random.chance(self.knobs.quantifiers) => self.tallied(scope, depth),
            8 | 9 => {
                let (a, a_low, a_high) = self.number(scope, depth - 1);
                if self.random.chance(35) {
                    let most = a_low.abs().max(a_high.abs());
                    return (format!("abs({a})"), 0, most);
                }
                let (b, b_low, b_high) = self.number(scope, depth - 1);
                if self.random.coin() {
                    (format!("min({a}, {b})"), a_low.min(b_low), a_high.min(b_high))
                } else {
                    (format!("max({a}, {b})"), a_low.max(b_low), a_high.max(b_high))
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

    /// A sum, or the smallest or largest of some numbers.
    pub(super) fn tallied(&mut self, scope: &Scope, depth: usize) -> Number {
        let Binders { text, scope: inner, choices } = self.binders(scope);
        let (body, low, high) = self.number(&inner, depth - 1);
        match self.random.below(3) {
            _ if choices == 0 => (format!("sum({text}: {body})"), 0, 0),
            0 => (format!("sum({text}: {body})"), low * choices, high * choices),
            1 => (format!("min({text}: {body})"), low, high),
            _ => (format!("max({text}: {body})"), low, high),
        }
    }

    /// A literal number, or a parameter.
    fn fixed_number(&mut self, scope: &Scope) -> Number {
        let family = self.random.pick(&self.spec.families);
        if let Some(size) = family.size {
            let name = format!("size_of_{}", family.name);
            if self.random.chance(self.knobs.odd) && !scope.hides(&name) {
                return (name, size, size);
            }
        }
        constant(&mut self.random)
    }

    fn number_variable(&mut self, scope: &Scope) -> Number {
        let bound: Vec<Number> = scope
            .visible()
            .filter_map(|(name, domain)| match domain {
                // Over nothing the body is never evaluated, and its name has no value to speak of.
                Domain::Range(low, high) => Some((name.clone(), *low, *high.max(low))),
                Domain::Family(_) => None,
            })
            .collect();
        if !bound.is_empty() && self.random.chance(50) {
            return self.random.pick(&bound).clone();
        }
        match self.variable(scope, &|ty| matches!(ty, Type::Range(..)), 1) {
            Some(Reference { text, ty: Type::Range(low, high), safety, .. }) if safety.is_empty() => {
                (text, low, high)
            }
            _ => constant(&mut self.random),
        }
    }

    /// An expression that is true or false, in parentheses where it needs them anywhere.
    pub(super) fn truth(&mut self, scope: &Scope, depth: usize) -> String {
        if depth > 0 && self.random.chance(self.knobs.quantifiers) {
            let quantifier = ["forall", "exists"][self.random.below(2)];
            let Binders { text, scope: inner, .. } = self.binders(scope);
            let body = self.truth(&inner, depth - 1);
            return format!("({quantifier} {text}: {body})");
        }
        if depth > 0 && self.random.chance(35) {
            let (a, b) = (self.truth(scope, depth - 1), self.truth(scope, depth - 1));
            return match self.random.below(7) {
                0 | 1 => format!("({a} {} {b})", self.spelt("and", &["&&"])),
                2 => format!("({a} {} {b})", self.spelt("or", &["||"])),
                3 => format!("({a} => {b})"),
                4 => format!("({a} {} {b})", self.spelt("<=>", &["==", "!="])),
                5 => format!("({} {a})", self.spelt("not", &["!"])),
                _ => {
                    let condition = self.comparison(scope, depth - 1);
                    format!("(if {condition} then {a} else {b})")
                }
            };
        }
        self.comparison(scope, depth)
    }

    /// The use of a definition, if one fits.
    fn defined(&mut self, scope: &Scope) -> Option<String> {
        if self.spec.definitions.is_empty() || !self.random.chance(15) {
            return None;
        }
        let Definition { name, own, params, .. } = self.random.pick(&self.spec.definitions).clone();
        if own.is_some() && own != scope.own {
            return None;
        }
        let arguments: Option<Vec<String>> =
            params.iter().map(|domain| self.index_into(scope, domain, 1)).collect();
        let arguments = arguments?;
        Some(if arguments.is_empty() { name } else { format!("{name}({})", arguments.join(", ")) })
    }

    pub(super) fn comparison(&mut self, scope: &Scope, depth: usize) -> String {
        if let Some(defined) = self.defined(scope) {
            return defined;
        }
        if self.random.chance(20) {
            let (a, ..) = self.number(scope, depth.min(1));
            let (b, ..) = self.number(scope, depth.min(1));
            let op = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
            return format!("({a} {op} {b})");
        }
        if self.random.chance(self.knobs.odd) {
            return self.guarded(scope);
        }
        if self.random.chance(15) {
            let family = self.random.below(self.spec.families.len());
            if let (Some(a), Some(b)) = (self.process(scope, family, 1), self.process(scope, family, 1)) {
                return format!("({a} {} {b})", self.random.pick(&["==", "!="]));
            }
        }
        let Some(reference) = self.variable(scope, &|_| true, 2) else {
            return ["true", "false"][self.random.below(2)].to_string();
        };
        self.test(scope, reference)
    }

    /// A test of a variable.
    fn test(&mut self, scope: &Scope, Reference { text, ty, safety, .. }: Reference) -> String {
        let op = *self.random.pick(&["==", "==", "!="]);
        let test = match ty {
            Type::Bool if self.random.chance(50) => text,
            Type::Bool => format!("(not {text})"),
            Type::Range(low, high) => format!("({text} {op} {})", self.random.between(low, high)),
            Type::Enum(id) => {
                let like = move |ty: &Type| match ty {
                    Type::Enum(other) => *other == id || *other < 2 && id < 2,
                    _ => false,
                };
                match self.variable(scope, &like, 1) {
                    Some(other) if other.safety.is_empty() && self.random.chance(30) => {
                        format!("({text} {op} {})", other.text)
                    }
                    _ => format!("({text} {op} {})", self.random.pick(ENUMS[id])),
                }
            }
            Type::Id { family, optional } => match self.process(scope, family, 2) {
                Some(process) if !optional || self.random.chance(50) => format!("({text} {op} {process})"),
                _ if optional => format!("({text} {op} none)"),
                _ => "true".to_string(),
            },
        };
        if safety.is_empty() { test } else { format!("({} and {test})", safety.join(" and ")) }
    }

    /// An expression that would be a fault, if the operand before it did not keep it from being evaluated.
    fn guarded(&mut self, scope: &Scope) -> String {
        let (divisor, low, high) = self.number_variable(scope);
        if low == high {
            // A division by a number that is known to be 0 is an error already when the program is built.
            return format!("({divisor} >= 0)");
        }
        let (a, ..) = self.number(scope, 0);
        let op = *self.random.pick(&["==", "!=", "<", ">="]);
        let by = ["/", "%"][self.random.below(2)];
        let test = format!("{a} {by} {divisor} {op} 1");
        if low > 0 || high < 0 {
            return format!("({test})");
        }
        match self.random.below(5) {
            0 => format!("({divisor} != 0 and {test})"),
            1 => format!("({divisor} == 0 or {test})"),
            2 => format!("({divisor} != 0 => {test})"),
            3 => format!("(if {divisor} == 0 then {a} > 0 else {test})"),
            // A quantifier stops at the first value that decides.
            _ => format!("(exists q in 0..1: q == 0 or {test})"),
        }
    }
}
