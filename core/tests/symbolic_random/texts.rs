//! Random models as text that go where the symbolic engine does something of its own: counts over several names, ids of ids, tables
//! between families, many initial states, families of no and of one process, hints, claims, more bits than a word has.

use crate::support::random::Random;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A model, and which of the things that matter here it has.
pub(super) struct Text {
    pub(super) source: String,
    pub(super) features: BTreeSet<&'static str>,
}

/// All features; a test that tries enough models sees each of them.
pub(super) const FEATURES: [&str; 16] = [
    "count of pairs in a guard",
    "count of pairs in a property",
    "count over two families",
    "id of an id",
    "id that may be none",
    "table between families",
    "several `any`",
    "empty family",
    "family of one",
    "hint",
    "claimed generator",
    "more than 64 bits",
    "ring",
    "index",
    "remote assignment",
    "parameter",
];

/// Which variables a model has.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each variable is there or not")]
struct Has {
    b: bool,
    x: bool,
    left: bool,
    s: bool,
    lock: bool,
    t: bool,
    pad: bool,
    ring: bool,
}

struct Writer {
    random: Random,
    /// How many processes `f` and `g` have.
    sizes: [i64; 2],
    has: Has,
    names: u32,
    guard: bool,
    features: BTreeSet<&'static str>,
}

/// The names in scope, of processes of `f` and of `g`.
#[derive(Clone, Default)]
struct Scope {
    f: Vec<String>,
    g: Vec<String>,
}

impl Scope {
    fn with(&self, family: &str, name: &str) -> Scope {
        let mut inner = self.clone();
        let names = if family == "f" { &mut inner.f } else { &mut inner.g };
        names.push(name.into());
        inner
    }
}

pub(super) fn text(seed: u64) -> Text {
    let mut random = Random::new(seed ^ 0x7379_6d62);
    let sizes = [*random.pick(&[0, 1, 2, 2, 3, 3, 4]), *random.pick(&[0, 1, 1, 2, 2])];
    let x = random.chance(40);
    let has = Has {
        b: !x || random.chance(60),
        x,
        left: sizes[0] > 0 && random.chance(45),
        s: random.chance(35),
        lock: random.chance(50),
        t: random.chance(45),
        pad: random.one_in(8),
        ring: random.one_in(4),
    };
    let mut writer = Writer { random, sizes, has, names: 0, guard: true, features: BTreeSet::new() };
    let source = writer.model();
    Text { source, features: writer.features }
}

impl Writer {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.chance(percent)
    }

    fn feature(&mut self, name: &'static str) {
        assert!(FEATURES.contains(&name), "{name}");
        self.features.insert(name);
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }

    fn model(&mut self) -> String {
        let mut out = String::new();
        let Has { b, x, left, s, lock, t, pad, ring } = self.has;
        let [f, g] = self.sizes;
        for size in self.sizes {
            match size {
                0 => self.feature("empty family"),
                1 => self.feature("family of one"),
                _ => {}
            }
        }
        let mut any = 0;
        let mut init = |writer: &mut Writer, usual: &str, percent: u32| {
            if writer.chance(percent) {
                any += 1;
                "any".to_string()
            } else {
                usual.to_string()
            }
        };
        if s {
            let init = init(self, "0", 30);
            let _ = writeln!(out, "shared s: 0..2 = {init}");
        }
        if lock {
            self.feature("id that may be none");
            let init = init(self, "none", 40);
            let _ = writeln!(out, "shared lock: f? = {init}");
        }
        if t {
            self.feature("table between families");
            let init = init(self, "false", if f * g <= 3 { 30 } else { 0 });
            let _ = writeln!(out, "shared t[f, g]: bool = {init}");
        }
        if pad {
            self.feature("more than 64 bits");
            let _ = writeln!(out, "shared pad[0..33]: 0..3 = 0");
        }
        let own = [
            (b, "b: bool", "false", 30),
            (x, "x: 0..2", "0", 20),
            (left, "left: f", if ring { "next(self)" } else { "self" }, 25),
        ];
        let locals: Vec<String> = own
            .into_iter()
            .filter(|(there, ..)| *there)
            .map(|(_, name, usual, percent)| format!("  var {name} = {}\n", init(self, usual, percent)))
            .collect();
        let of_g = init(self, "false", 30);
        if any > 1 {
            self.feature("several `any`");
        }
        if ring {
            self.feature("ring");
        }
        let _ = write!(out, "process f[{f}]{} {{\n{}", if ring { " ring" } else { "" }, locals.concat());
        for number in 0..self.random.between(1, 4) {
            let action = self.action(true);
            let _ = writeln!(out, "  action a{number}{action}");
        }
        let _ = write!(out, "}}\nprocess g[{g}] {{\n  var b: bool = {of_g}\n");
        for number in 0..self.random.between(1, 2) {
            let action = self.action(false);
            let _ = writeln!(out, "  action a{number}{action}");
        }
        out.push_str("}\n");
        self.guard = false;
        self.properties(&mut out);
        out
    }

    fn properties(&mut self, out: &mut String) {
        let closed = Scope::default();
        for number in 0..2 {
            let fact = self.expr(&closed, 3);
            let _ = writeln!(out, "invariant i{number}: {fact}");
        }
        for number in 0..3 {
            let formula = self.branching(&closed, 3);
            let _ = writeln!(out, "ctl c{number}: {formula}");
        }
        for number in 0..2 {
            let [a, b, c] = [0; 3].map(|_| self.expr(&closed, 1));
            let formula = match self.random.below(8) {
                0 => format!("G (({a}) => X ({b}))"),
                1 => format!("({a}) W ({b})"),
                2 => format!("G (({a}) => (({b}) W ({c})))"),
                3 => format!("X (({a}) or X ({b}))"),
                4 => format!("({a}) R (({b}) or X ({c}))"),
                5 => format!("G F ({a})"),
                6 => format!("G (({a}) => F ({b}))"),
                _ => format!("F G ({a}) or ({b}) U ({c})"),
            };
            let _ = writeln!(out, "ltl l{number}: {formula}");
        }
        for _ in 0..self.random.below(3) {
            self.feature("hint");
            let fact = self.expr(&closed, 2);
            let _ = writeln!(out, "hint {fact}");
        }
        if self.sizes[0] > 1 && !self.has.ring && self.chance(15) {
            self.feature("claimed generator");
            let _ = writeln!(out, "symmetry generators {{ (f[0] f[1]) }}");
        }
    }

    /// Parameters, guard and assignments of an action of `f` or of `g`.
    fn action(&mut self, of_f: bool) -> String {
        let mut scope = Scope::default();
        let (mut params, mut guard, mut assignments) = (Vec::new(), Vec::new(), Vec::new());
        let own = if of_f { &mut scope.f } else { &mut scope.g };
        own.push("self".into());
        if self.chance(40) {
            self.feature("parameter");
            let family = self.random.below(2);
            let name = self.fresh();
            params.push(format!("{name} in {}", ["f", "g"][family]));
            if family == 0 { scope.f.push(name) } else { scope.g.push(name) }
        }
        let other = |names: &[String]| names.iter().find(|name| *name != "self").cloned();
        let (p, q) = (other(&scope.f), other(&scope.g));
        let mut ways: Vec<usize> = vec![0, 0, 1, 2, 3, 4, 5, 6, 7];
        for _ in 0..=self.random.below(2) {
            let way = ways.remove(self.random.below(ways.len()));
            ways.retain(|other| *other != way);
            let Has { b, x, left, s, lock, t, pad, .. } = self.has;
            match way {
                0 if b || !of_f => assignments.push(format!("b := {}", self.expr(&scope, 1))),
                1 if of_f && x => assignments.push("x := (x + 1) % 3".into()),
                2 if of_f && left => {
                    self.feature("id of an id");
                    let target = p.clone().unwrap_or_else(|| "left.left".into());
                    assignments.push(format!("left := {target}"));
                }
                3 if lock && of_f => {
                    let value = *self.random.pick(&["self", "none", "self"]);
                    assignments.push(format!("lock := {value}"));
                }
                4 if s => assignments.push("s := (s + 1) % 3".into()),
                5 if t && of_f && q.is_some() => {
                    let place = format!("t[self, {}]", q.clone().unwrap_or_default());
                    assignments.push(format!("{place} := not {place}"));
                }
                6 if b && p.is_some() => {
                    self.feature("remote assignment");
                    let p = p.clone().unwrap_or_default();
                    if of_f {
                        guard.push(format!("{p} != self"));
                    }
                    assignments.push(format!("{p}.b := {}", self.expr(&scope, 0)));
                }
                7 if pad => assignments.push("pad[33] := 3 - pad[33], pad[0] := pad[33]".into()),
                _ => {}
            }
        }
        if assignments.is_empty() {
            let usual = if of_f && !self.has.b { "x := 2 - x" } else { "b := not b" };
            assignments.push(usual.into());
        }
        guard.push(format!("({})", self.expr(&scope, 2)));
        let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        format!("{params}: {} -> {}", guard.join(" and "), assignments.join(", "))
    }

    fn branching(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 || self.chance(10) {
            return format!("({})", self.expr(scope, 1));
        }
        match self.random.below(10) {
            0 | 1 => {
                let (word, name) = (*self.random.pick(&["forall", "exists"]), self.fresh());
                let family = if self.chance(70) { "f" } else { "g" };
                let inner = scope.with(family, &name);
                let body = self.branching(&inner, depth);
                format!("({word} {name} in {family}: {body})")
            }
            2 | 3 => {
                let op = *self.random.pick(&["and", "or", "=>", "<=>"]);
                format!("({} {op} {})", self.branching(scope, depth - 1), self.branching(scope, depth - 1))
            }
            4 => format!("(not {})", self.branching(scope, depth - 1)),
            5..=7 => {
                let (path, op) =
                    (*self.random.pick(&["A", "E"]), *self.random.pick(&["X", "F", "G", "F", "G"]));
                format!("({path}{op} {})", self.branching(scope, depth - 1))
            }
            _ => {
                let (path, op) = (*self.random.pick(&["A", "E"]), *self.random.pick(&["U", "R", "W", "M"]));
                let (a, b) = (self.branching(scope, depth - 1), self.branching(scope, depth - 1));
                format!("{path}[{a} {op} {b}]")
            }
        }
    }

    fn expr(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 {
            return self.atom(scope);
        }
        match self.random.below(8) {
            0 => format!("({} and {})", self.expr(scope, depth - 1), self.expr(scope, depth - 1)),
            1 => format!("({} or {})", self.expr(scope, depth - 1), self.expr(scope, depth - 1)),
            2 => format!("(not {})", self.expr(scope, depth - 1)),
            3 | 4 => {
                let (word, name) = (*self.random.pick(&["forall", "exists"]), self.fresh());
                let family = if self.chance(65) { "f" } else { "g" };
                let inner = scope.with(family, &name);
                format!("({word} {name} in {family}: {})", self.expr(&inner, depth - 1))
            }
            5 => self.count(scope, depth - 1),
            6 => {
                let [a, b, c] = [0; 3].map(|_| self.expr(scope, depth - 1));
                format!("(if {a} then {b} else {c})")
            }
            _ => self.atom(scope),
        }
    }

    /// A count over one, two or three names, compared with a number.
    fn count(&mut self, scope: &Scope, depth: usize) -> String {
        let mut inner = scope.clone();
        let mut binders = Vec::new();
        let mut families = BTreeSet::new();
        for _ in 0..*self.random.pick(&[1, 2, 2, 2, 3]) {
            let name = self.fresh();
            match self.random.below(7) {
                0..=3 => {
                    families.insert("f");
                    binders.push(format!("{name} in f"));
                    inner.f.push(name);
                }
                4 | 5 => {
                    families.insert("g");
                    binders.push(format!("{name} in g"));
                    inner.g.push(name);
                }
                _ => binders.push(format!("{name} in 1..2")),
            }
        }
        if binders.len() > 1 {
            self.feature(if self.guard {
                "count of pairs in a guard"
            } else {
                "count of pairs in a property"
            });
        }
        if families.len() > 1 {
            self.feature("count over two families");
        }
        let op = *self.random.pick(&["==", "!=", "<=", ">", "<", ">="]);
        let body = self.expr(&inner, depth);
        format!("count({}: {body}) {op} {}", binders.join(", "), self.random.below(6))
    }

    fn atom(&mut self, scope: &Scope) -> String {
        for _ in 0..20 {
            if let Some(atom) = self.try_atom(scope) {
                return atom;
            }
        }
        (*self.random.pick(&["true", "false"])).into()
    }

    fn try_atom(&mut self, scope: &Scope) -> Option<String> {
        let Has { b, x, left, s, lock, t, pad, ring } = self.has;
        let pick = |random: &mut Random, names: &[String]| {
            (!names.is_empty()).then(|| names[random.below(names.len())].clone())
        };
        let p = pick(&mut self.random, &scope.f);
        let (other, q) = (pick(&mut self.random, &scope.f), pick(&mut self.random, &scope.g));
        let number = self.random.below(3);
        Some(match self.random.below(14) {
            0 | 1 if b => format!("{}.b", p?),
            2 if x => format!("{}.x == {number}", p?),
            3 if x => format!("{}.x <= {number}", p?),
            4 => format!("{} != {}", p?, other?),
            5 if left => format!("{}.left == {}", p?, other?),
            6 if left && b => {
                self.feature("id of an id");
                format!("{}.left.left.b", p?)
            }
            7 if lock => format!("lock == {}", p?),
            8 if lock && b && left => {
                self.feature("id of an id");
                "(lock != none and lock.left.b)".into()
            }
            8 if lock && b => "(lock != none and lock.b)".into(),
            9 if s => format!("s == {number}"),
            10 if t => format!("t[{}, {}]", p?, q?),
            11 => format!("{}.b", q?),
            12 if ring && b => format!("next({}).b", p?),
            12 if pad => format!("pad[33] == {number}"),
            13 if self.random.one_in(3) => {
                self.feature("index");
                format!("index({}) == {number}", p?)
            }
            _ => return None,
        })
    }
}
