//! Properties in which everything meets: fixed, quantified and counted processes, `enabled` and `executed` under every
//! operator, in every logic and in every spelling.

use super::generate::{Binders, Generator, Scope};
use super::{Domain, Knobs, Spec};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    Invariant,
    Ltl,
    Ctl,
    Mu,
}

/// How much a formula may still grow.
#[derive(Clone, Copy)]
struct Room {
    depth: usize,
    /// The temporal operators that there may be, with quantifiers written out: a naive checker guesses the value of each.
    operators: i64,
    /// How often what stands here is written out.
    copies: i64,
}

impl Room {
    fn inner(self) -> Room {
        Room { depth: self.depth - 1, ..self }
    }

    /// Two parts share what there is.
    fn half(self) -> Room {
        Room { operators: self.operators / 2, ..self.inner() }
    }
}

/// Adds this many properties to a program, of every logic in turn.
pub(crate) fn add_mixed(spec: Spec, seed: u64, knobs: &Knobs, count: usize) -> Spec {
    let mut generator = Generator::new(!seed ^ 0x6d69_7864, knobs, spec);
    for i in 0..count {
        let (keyword, formula) = match (seed as usize + i) % 8 {
            0 if generator.random.one_in(3) => ("cover", generator.property(Logic::Invariant)),
            0 => ("invariant", generator.property(Logic::Invariant)),
            1..=3 => ("ltl", generator.property(Logic::Ltl)),
            4 | 5 => ("ctl", generator.property(Logic::Ctl)),
            6 => ("mu", generator.property(Logic::Mu)),
            _ => ("automaton", generator.automaton()),
        };
        generator.spec.properties.push((keyword, format!("mixed{i}"), formula));
    }
    if generator.random.one_in(4) {
        generator.spec.properties.push(("deadlock", "deadlock_free".to_string(), String::new()));
    }
    generator.spec
}

impl Generator<'_> {
    fn property(&mut self, logic: Logic) -> String {
        let room = Room { depth: 3, operators: if logic == Logic::Ltl { 6 } else { 24 }, copies: 1 };
        let mut scope = Scope::default();
        let mut front = String::new();
        if self.random.chance(50) {
            let Binders { text, scope: inner, .. } = self.binders(&scope);
            let quantifier = if logic == Logic::Ltl || self.random.coin() { "forall" } else { "exists" };
            front = format!("{quantifier} {text}: ");
            scope = inner;
        }
        front + &self.mixed(logic, &scope, room, &mut Vec::new())
    }

    /// A formula. `around` are the variables of fixed points, which no negation may come between here.
    fn mixed(&mut self, logic: Logic, scope: &Scope, room: Room, around: &mut Vec<String>) -> String {
        if !around.is_empty() && self.random.chance(if room.depth == 0 { 50 } else { 15 }) {
            return self.random.pick(around).clone();
        }
        if room.depth == 0 || self.random.chance(8) {
            return self.mixed_atom(logic == Logic::Ltl, logic != Logic::Invariant, scope);
        }
        match self.random.below(100) {
            0..14 => {
                let quantifier = ["forall", "exists"][self.random.below(2)];
                let Binders { text, scope: inner, choices } = self.binders(scope);
                let copies = room.copies * choices.max(1);
                let body = self.mixed(logic, &inner, Room { copies, ..room.inner() }, around);
                format!("({quantifier} {text}: {body})")
            }
            14..40 => self.connective(logic, scope, room, around),
            _ if logic == Logic::Invariant || room.copies > room.operators => {
                self.mixed(logic, scope, room.inner(), around)
            }
            _ => self.temporal_operator(logic, scope, room, around),
        }
    }

    fn connective(&mut self, logic: Logic, scope: &Scope, room: Room, around: &mut Vec<String>) -> String {
        let kind = self.random.below(9);
        // These say a part both as it is and negated: under them no fixed point around is named.
        let mut none = Vec::new();
        let outside = if kind < 4 { around } else { &mut none };
        let both = if (6..=7).contains(&kind) { 2 } else { 1 };
        let less = Room { copies: room.copies * both, ..room.half() };
        let a = self.mixed(logic, scope, less, outside);
        if kind == 8 {
            return format!("({} {a})", self.spelt("not", &["!"]));
        }
        let b = self.mixed(logic, scope, less, outside);
        match kind {
            0 | 1 => format!("({a} {} {b})", self.spelt("and", &["&&"])),
            2 | 3 => format!("({a} {} {b})", self.spelt("or", &["||"])),
            4 | 5 if logic == Logic::Invariant => format!("({a} => {b})"),
            4 | 5 => format!("({a} {} {b})", self.spelt("=>", &["->"])),
            6 | 7 => format!("({a} {} {b})", ["<=>", "==", "!="][self.random.below(3)]),
            _ => unreachable!("a negation has one part"),
        }
    }

    fn temporal_operator(
        &mut self,
        logic: Logic,
        scope: &Scope,
        room: Room,
        around: &mut Vec<String>,
    ) -> String {
        let spent = Room { operators: room.operators - room.copies, ..room };
        if self.random.chance(8) {
            let condition = self.mixed_atom(logic == Logic::Ltl, true, scope);
            let (a, b) = (
                self.mixed(logic, scope, room.half(), around),
                self.mixed(logic, scope, room.half(), around),
            );
            return format!("(if {condition} then {a} else {b})");
        }
        match logic {
            Logic::Invariant => unreachable!("there are none"),
            Logic::Ltl if self.random.chance(60) => {
                let op = match self.random.below(3) {
                    0 => "X",
                    1 => self.spelt("F", &["<>", "eventually"]),
                    _ => self.spelt("G", &["[]", "always"]),
                };
                format!("({op} {})", self.mixed(logic, scope, spent.inner(), around))
            }
            Logic::Ltl => {
                let op = *self.random.pick(&["U", "R", "W", "M"]);
                // `W` and `M` say one of their parts twice.
                let less = Room {
                    copies: room.copies * if matches!(op, "W" | "M") { 2 } else { 1 },
                    ..spent.half()
                };
                let (a, b) = (self.mixed(logic, scope, less, around), self.mixed(logic, scope, less, around));
                format!("({a} {op} {b})")
            }
            Logic::Ctl if self.random.chance(60) => {
                let op = *self.random.pick(&["AX", "EX", "AF", "EF", "AG", "EG"]);
                format!("({op} {})", self.mixed(logic, scope, spent.inner(), around))
            }
            Logic::Ctl => {
                let (path, op) = (["A", "E"][self.random.below(2)], *self.random.pick(&["U", "R", "W", "M"]));
                let (a, b) = (
                    self.mixed(logic, scope, spent.half(), around),
                    self.mixed(logic, scope, spent.half(), around),
                );
                format!("{path}[{a} {op} {b}]")
            }
            Logic::Mu if self.random.chance(50) => {
                let op = ["<>", "[]"][self.random.below(2)];
                format!("({op} {})", self.mixed(logic, scope, spent.inner(), around))
            }
            Logic::Mu => {
                let (word, name) = (["mu", "nu"][self.random.below(2)], format!("Z{}", around.len()));
                around.push(name.clone());
                let body = self.mixed(logic, scope, spent.inner(), around);
                around.pop();
                format!("({word} {name}. {body})")
            }
        }
    }

    /// An expression about processes: fixed, bound and held ones, whether they are enabled, whether they execute.
    pub(super) fn mixed_atom(&mut self, linear: bool, moments: bool, scope: &Scope) -> String {
        let mut scope = scope.clone();
        let family = self.random.below(self.spec.families.len());
        let count = self.spec.families[family].count();
        if self.random.chance(20) && self.spec.families[family].size.is_some() && count > 0 {
            let name = format!("{}[{}]", self.spec.families[family].name, self.random.between(0, count - 1));
            scope.bound.push((name, Domain::Family(family)));
        }
        if !moments || self.random.chance(45) {
            let depth = 1 + self.random.below(2);
            if self.random.chance(12) {
                let (tallied, low, high) = self.tallied(&scope, depth);
                let op = self.random.pick::<&str>(&["==", "<", ">=", "!="]);
                return format!("({tallied} {op} {})", self.random.between(low, high.max(low)));
            }
            if self.random.chance(25) {
                let Binders { text, scope: inner, choices } = self.binders(&scope);
                let (body, (number, ..)) = (self.truth(&inner, 1), self.number(&scope, depth));
                let op = self.random.pick::<&str>(&["==", "<", ">=", "!="]);
                return match self.random.below(2) {
                    0 => format!("(count({text}: {body}) {op} {})", choices / 2),
                    _ => format!("({number} {op} count({text}: {body}))"),
                };
            }
            return self.truth(&scope, depth);
        }
        let word =
            |generator: &mut Self| if linear && generator.random.chance(60) { "executed" } else { "enabled" };
        if self.random.chance(35) {
            let Binders { text, scope: inner, choices } = self.binders(&scope);
            let moment = self.moment(word, &inner);
            let fact = self.comparison(&inner, 1);
            return match self.random.below(5) {
                0 => format!("(exists {text}: {moment} and {fact})"),
                1 => format!("(forall {text}: {moment} => {fact})"),
                2 => format!("(exists {text}: not {moment} or {fact})"),
                3 => format!(
                    "(count({text}: {moment}) {} {})",
                    self.random.pick(&["==", "<", ">="]),
                    choices / 2
                ),
                _ => format!("(count({text}: {fact} and {moment}) > 0)"),
            };
        }
        let a = self.moment(word, &scope);
        match self.random.below(8) {
            0 => format!("({a} and {})", self.comparison(&scope, 1)),
            1 => format!("({a} {} {})", ["==", "!=", "<=>"][self.random.below(3)], self.moment(word, &scope)),
            2 => format!("({} => {a})", self.comparison(&scope, 1)),
            3 => format!("(if {a} then {} else {})", self.comparison(&scope, 0), self.moment(word, &scope)),
            4 => format!("(not {a})"),
            5 => format!("({a} or {})", self.moment(word, &scope)),
            _ => a,
        }
    }

    fn moment(&mut self, word: impl Fn(&mut Self) -> &'static str, scope: &Scope) -> String {
        let word = word(self);
        for _ in 0..4 {
            let family = self.random.below(self.spec.families.len());
            if let Some(process) = self.process(scope, family, 2) {
                return format!("{word}({process})");
            }
        }
        "true".to_string()
    }
}
