//! Random models with families of open size: small, but with every construct that counting has to see.

use crate::support::random::Random;
use std::fmt::Write as _;

const STATES: [&str; 4] = ["A", "B", "C", "D"];

/// A random model, with what it has.
pub(super) struct Made {
    pub text: String,
    /// The property that is asked about; none for deadlocks.
    pub property: Option<String>,
    pub features: Vec<&'static str>,
    pub two: bool,
    /// The least value of n.
    pub least: i64,
}

#[allow(clippy::struct_excessive_bools, reason = "each is whether the model has something")]
struct Maker<'r> {
    rng: &'r mut Random,
    locals: usize,
    shared: usize,
    two: bool,
    pointer: bool,
    bag: bool,
    labels: bool,
    table: bool,
    /// Whether there is always somebody.
    inhabited: bool,
    asserts: Vec<String>,
    features: Vec<&'static str>,
}

impl Maker<'_> {
    fn one(&mut self, of: usize) -> usize {
        self.rng.below(of)
    }

    fn likely(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    fn local(&mut self) -> &'static str {
        let number = self.one(self.locals);
        STATES[number]
    }

    /// A random test of the process with this name.
    fn test(&mut self, name: &str) -> String {
        if self.labels && self.likely(20) {
            return format!("{name}.at == {}", ["first", "second"][self.one(2)]);
        }
        if self.table && self.likely(25) {
            return format!("{}seen[{name}]", ["", "not "][self.one(2)]);
        }
        if self.pointer && self.likely(10) {
            return format!("own {} {name}", ["==", "!="][self.one(2)]);
        }
        format!("{name}.st {} {}", if self.likely(85) { "==" } else { "!=" }, self.local())
    }

    /// An atom about a family; `apart` is a name that may be left out of the count.
    fn atom(&mut self, apart: Option<&str>) -> String {
        if self.two && self.likely(25) {
            let state = ["U", "V"][self.one(2)];
            return match self.one(3) {
                0 => format!("(exists w in worker: w.st == {state})"),
                1 => format!("(forall w in worker: w.st == {state})"),
                _ => format!("count(w in worker: w.st == {state}) >= 2"),
            };
        }
        let mut test = self.test("e");
        let (mut but, mut or) = (String::new(), String::new());
        if let Some(name) = apart
            && self.likely(40)
        {
            self.features.push("a process left out");
            but = format!("e != {name} and ");
            or = format!("e == {name} or ");
        }
        if self.likely(12) {
            self.features.push("a quantifier in another");
            let inner = self.test("f");
            let left_out = match apart {
                Some(name) if self.likely(40) => format!("f != e and f != {name} and "),
                _ => "f != e and ".into(),
            };
            let nested = match self.one(3) {
                0 => format!(" and (exists f in client: {left_out}{inner})"),
                1 => format!(" and count(f in client: {left_out}{inner}) >= 2"),
                _ => format!(" and not (exists f in client: {left_out}{inner})"),
            };
            test.push_str(&nested);
        }
        let number = self.one(3);
        match self.one(12) {
            0..=3 => format!("(exists e in client: {but}{test})"),
            4 | 5 => format!("not (exists e in client: {but}{test})"),
            6 => format!("(forall e in client: {or}{test})"),
            7 => format!("count(e in client: {but}{test}) >= {}", number + 1),
            8 => format!("count(e in client: {but}{test}) <= {number}"),
            9 => {
                self.features.push("a number in front");
                let number = 1 + self.one(2);
                let sign = ["<=", "<", ">=", ">", "==", "!="][self.one(6)];
                format!("{number} {sign} count(e in client: {but}{test})")
            }
            10 => {
                let sign = ["==", "!=", ">", "<"][self.one(4)];
                format!("count(e in client: {but}{test}) {sign} {number}")
            }
            _ if self.inhabited => {
                self.features.push("a largest number");
                let word = ["max", "min"][self.one(2)];
                format!("{word}(e in client: if {but}{test} then 1 else 0) == {}", self.one(2))
            }
            _ => format!("(exists e in client: {but}{test})"),
        }
    }

    fn shared_guard(&mut self, parts: &mut Vec<String>) {
        if self.shared > 1 && self.likely(45) {
            parts.push(format!("s == {}", self.one(self.shared)));
        }
        if self.bag && self.likely(20) {
            parts.push(format!("m{} in net", self.one(2)));
        }
    }

    fn shared_effect(&mut self, parts: &mut Vec<String>, effects: &mut Vec<String>) {
        if self.shared > 1 && self.likely(45) {
            if self.likely(4) {
                self.features.push("a fault");
                effects.push("s := s + 1".into());
            } else {
                effects.push(format!("s := {}", self.one(self.shared)));
            }
        }
        if self.bag && self.likely(35) {
            let message = self.one(2);
            if self.likely(50) {
                parts.push("room(net)".into());
                effects.push(format!("add m{message} to net"));
            } else {
                parts.push(format!("m{message} in net"));
                effects.push(format!("remove m{message} from net"));
            }
        }
    }

    /// An assignment to everybody at once; `other` is another participant.
    fn bulk(&mut self, other: bool) -> String {
        self.features.push("all at once");
        let own = self.local();
        let second = if other { format!("if d == p then {} else ", self.local()) } else { String::new() };
        let mut rest = format!("if d.st == {} then {} else d.st", self.local(), self.local());
        if self.likely(30) {
            rest = format!(
                "if d.st == {} and {} then {} else d.st",
                self.local(),
                self.atom(Some("d")),
                self.local()
            );
        }
        format!("forall d in client: d.st := if d == self then {own} else {second}{rest}")
    }

    fn client_action(&mut self, number: usize) -> String {
        let mut parts = vec![format!("st == {}", self.local())];
        let mut effects = vec![format!("st := {}", self.local())];
        self.shared_guard(&mut parts);
        self.shared_effect(&mut parts, &mut effects);
        let mut param = String::new();
        if self.likely(25) {
            param = "(d in client)".into();
            self.features.push("a parameter");
            parts.push(format!("d.st == {}", self.local()));
            if self.likely(70) {
                parts.push("d != self".into());
                effects.push(format!("d.st := {}", self.local()));
                self.features.push("moved by others");
            } else {
                effects[0] = format!("d.st := {}", self.local());
            }
        } else if self.likely(5) {
            self.features.push("three at a time");
            param = "(d in client, g in client)".into();
            parts.push("d != self and g != self and d != g".into());
            for name in ["d", "g"] {
                parts.push(format!("{name}.st == {}", self.local()));
                effects.push(format!("{name}.st := {}", self.local()));
            }
        } else if self.likely(8) {
            effects[0] = self.bulk(false);
        } else if self.likely(6) {
            param = "(p in client)".into();
            parts.push(format!("p != self and p.st == {}", self.local()));
            self.features.push("all at once, and one more");
            effects[0] = self.bulk(true);
        }
        if self.likely(45) {
            parts.push(self.atom(Some("self")));
        }
        if self.pointer && self.likely(50) {
            match self.one(4) {
                0 => {
                    parts.push("own == none".into());
                    effects.push("own := self".into());
                }
                1 => {
                    parts.push("own == self".into());
                    effects.push("own := none".into());
                }
                2 => parts.push(format!("own != none and own.st == {}", self.local())),
                _ => parts.push("own != self".into()),
            }
        }
        if self.table && self.likely(30) {
            let value = ["true", "false"][self.one(2)];
            effects.push(if self.likely(25) {
                format!("forall d in client: seen[d] := {value}")
            } else {
                format!("seen[self] := {value}")
            });
        }
        let guard = parts.join(" and ");
        if param.is_empty()
            && !effects.iter().any(|e| e.starts_with("add") || e.starts_with("remove"))
            && self.likely(25)
        {
            return format!("  action c{number}: {guard} {{ {} }}\n", self.block(number, &effects));
        }
        format!("  action c{number}{param}: {guard} -> {}\n", effects.join(", "))
    }

    /// The same effects as statements, and more of them.
    fn block(&mut self, number: usize, effects: &[String]) -> String {
        self.features.push("statements");
        let mut text = String::new();
        if self.likely(25) {
            let atom = self.atom(Some("self"));
            let _ = write!(text, "assert {atom}; ");
            self.asserts.push(format!("assert_c{number}_1"));
        }
        for effect in effects {
            if effect.contains("seen[d]") {
                text.push_str("for d in client { seen[d] := not seen[d] } ");
            } else if effect.starts_with("forall") {
                let _ = write!(
                    text,
                    "for d in client {{ if d.st == {} {{ d.st := {} }} }} ",
                    self.local(),
                    self.local()
                );
                self.features.push("all at once");
            } else if self.likely(40) {
                let condition = self.atom(Some("self"));
                let _ = write!(text, "if {condition} {{ {effect} }} ");
            } else {
                let _ = write!(text, "{effect}; ");
            }
        }
        if self.likely(30) {
            let condition = self.test("self");
            let _ = write!(text, "let k = {condition}; if k {{ st := {} }} else {{ skip }} ", self.local());
        }
        text
    }

    /// Labelled code beside the actions.
    fn code(&mut self) -> String {
        self.features.push("code with labels");
        let line = |maker: &mut Self, label: &str| {
            let mut text = format!("    {label}: ");
            if maker.likely(60) {
                let wait = if maker.likely(50) { maker.atom(Some("self")) } else { maker.test("self") };
                let _ = write!(text, "await {wait}; ");
            }
            match maker.one(4) {
                0 => {
                    let (a, b) = (maker.local(), maker.local());
                    let _ = write!(text, "either {{ st := {a} }} or {{ st := {b} }}");
                }
                1 => {
                    let (a, b) = (maker.local(), maker.local());
                    let _ = write!(text, "with w in client {{ await w.st == {a}; w.st := {b} }}");
                }
                2 => text.push_str("skip"),
                _ => {
                    let _ = write!(text, "st := {}", maker.local());
                }
            }
            text.push('\n');
            text
        };
        let body = line(self, "first") + &line(self, "second");
        if self.likely(80) { format!("  loop {{\n{body}  }}\n") } else { body }
    }

    fn server_action(&mut self, number: usize) -> String {
        let (mut parts, mut effects) = (vec!["true".to_string()], Vec::new());
        self.shared_guard(&mut parts);
        self.shared_effect(&mut parts, &mut effects);
        let mut param = String::new();
        if self.likely(60) {
            param = "(d in client)".into();
            self.features.push("moved by others");
            parts.push(format!("d.st == {}", self.local()));
            effects.push(format!("d.st := {}", self.local()));
            if self.likely(25) {
                param = "(d in client, e in client)".into();
                parts.push(format!("e != d and e.st == {}", self.local()));
                effects.push(format!("e.st := {}", self.local()));
                self.features.push("two at a time");
            }
            if self.pointer && self.likely(20) {
                effects.push("own := d".into());
            }
        } else if self.likely(10) {
            self.features.push("all at once");
            effects.push(format!(
                "forall d in client: d.st := if d.st == {} then {} else d.st",
                self.local(),
                self.local()
            ));
        } else if self.pointer && self.likely(30) {
            effects.push("own := none".into());
        }
        if self.likely(35) {
            parts.push(self.atom(None));
        }
        if effects.is_empty() {
            effects.push("t := not t".into());
        }
        format!("  action s{number}{param}: {} -> {}\n", parts.join(" and "), effects.join(", "))
    }

    fn fairness(&mut self, family: &str) -> String {
        match self.one(3) {
            0 => String::new(),
            1 => {
                self.features.push("strong");
                format!("fairness {family}: strong\n")
            }
            _ => {
                self.features.push("none");
                format!("fairness {family}: none\n")
            }
        }
    }

    /// Something that a temporal formula is made of; `names` are the processes that it speaks of.
    fn basic(&mut self, names: &[&str], server: bool) -> String {
        if !names.is_empty() && self.likely(75) {
            let name = names[self.one(names.len())];
            match self.one(8) {
                0 => {
                    self.features.push("executed");
                    return format!("executed({name})");
                }
                1 => {
                    self.features.push("enabled");
                    return format!("enabled({name})");
                }
                2 if names.len() > 1 => return format!("(c == b or {})", self.test(name)),
                _ => return self.test(name),
            }
        }
        if server && self.likely(10) {
            return ["executed(server)", "enabled(server)"][self.one(2)].into();
        }
        if self.likely(4) {
            self.features.push("enabled ones counted");
            return format!("count(e in client: enabled(e)) >= {}", 1 + self.one(2));
        }
        if self.shared < 2 || self.likely(60) {
            let name = names.first().copied();
            return self.atom(name);
        }
        format!("s == {}", self.one(self.shared))
    }

    fn property(&mut self, server: bool) -> String {
        if self.likely(20) {
            return format!("invariant p: {}", self.atom(None));
        }
        if self.likely(6) {
            self.features.push("cover");
            return format!("cover p: {}", self.atom(None));
        }
        let (mut front, mut names): (String, Vec<&str>) = (String::new(), Vec::new());
        if self.likely(55) {
            front = "c in client".into();
            names.push("c");
            self.features.push("tracked");
            if self.likely(20) {
                front += ", b in client";
                names.push("b");
                self.features.push("two tracked");
            }
        }
        let (p, q) = (self.basic(&names, server), self.basic(&names, server));
        if self.likely(8) {
            self.features.push("an automaton");
            let front = if front.is_empty() { front } else { format!("({front})") };
            return format!(
                "automaton p{front} {{ initial a {{ true -> a  {p} -> b }} accepting b {{ {q} -> b  true -> d }} d {{ {p} -> b }} }}"
            );
        }
        let body = match self.one(9) {
            0 => format!("G ({p})"),
            1 | 2 => format!("G F ({p})"),
            3 => format!("F G ({p})"),
            4 | 5 => format!("G (({p}) => F ({q}))"),
            6 => format!("({p}) U ({q})"),
            7 => format!("G (({p}) => X (({q}) or F ({p})))"),
            _ => format!("(G F ({p})) => G F ({q})"),
        };
        if front.is_empty() { format!("ltl p: {body}") } else { format!("ltl p: forall {front}: {body}") }
    }
}

/// The second family, whose size is another parameter, or the same.
fn worker(maker: &mut Maker<'_>, text: &mut String) {
    maker.features.push("two open families");
    let atom = maker.atom(None).replace("exists w", "exists v").replace("forall w", "forall v");
    let atom = atom.replace("(w in", "(v in").replace("w.st", "v.st");
    let mut size = "m";
    if maker.likely(30) {
        maker.features.push("two families of one parameter");
        maker.two = false;
        size = "n";
    } else {
        text.push_str("param m = 1 in 1..100\n");
    }
    let _ = write!(
        text,
        "process worker[{size}] {{\n  var st: {{U, V}} = U\n  action w0: st == U and {atom} -> st := V\n  action w1: st == V -> st := U\n}}\n"
    );
    *text += &maker.fairness("worker");
}

fn shared_variables(maker: &mut Maker<'_>, text: &mut String) {
    if maker.shared > 1 {
        let _ = writeln!(text, "shared s: 0..{} = 0", maker.shared - 1);
    }
    if maker.bag {
        text.push_str("shared net: bag[2] of {m0, m1} = {}\n");
        maker.features.push("a bag");
    }
    if maker.table {
        text.push_str("shared seen[client]: bool = false\n");
        maker.features.push("a table over the family");
    }
    if maker.pointer {
        text.push_str("shared own: client? = none\n");
        maker.features.push("a variable that holds a process");
    }
}

/// The process of a family whose size is fixed.
fn closed(maker: &mut Maker<'_>, text: &mut String) {
    text.push_str("process server {\n  var t: bool = false\n");
    for number in 0..=maker.one(3) {
        *text += &maker.server_action(number);
    }
    text.push_str("}\n");
    *text += &maker.fairness("server");
    if maker.likely(8) {
        maker.features.push("an action of a closed process that is fair by itself");
        text.push_str("fairness server.s0: strong\n");
    }
    maker.features.push("a closed family");
}

pub(super) fn make(rng: &mut Random) -> Made {
    let (locals, shared) = (2 + rng.below(3), 1 + rng.below(3));
    let (two, pointer) = (rng.below(100) < 12, rng.below(100) < 10);
    let (bag, labels) = (rng.below(100) < 8, rng.below(100) < 8);
    let table = rng.below(100) < 6;
    let (size, least) = match rng.below(20) {
        0 => ("n + 1", 1),
        1 => ("2 * n", 1),
        2 => ("n", 2),
        3 if !pointer => ("n - 1", 1),
        _ => ("n", 1),
    };
    let mut maker = Maker {
        rng,
        locals: if bag || labels || table { locals.min(3) } else { locals },
        shared: if bag { shared.min(2) } else { shared },
        two,
        pointer,
        bag,
        labels,
        table,
        inhabited: size != "n - 1",
        asserts: Vec::new(),
        features: Vec::new(),
    };
    let mut text = format!("param n = 2 in {least}..100\n");
    if size != "n" {
        maker.features.push("a size that is not the parameter");
    }
    shared_variables(&mut maker, &mut text);
    let any = maker.likely(8);
    if any {
        maker.features.push("any start");
    }
    let initial = if any { "any" } else { "A" };
    let states = STATES[..maker.locals].join(", ");
    let _ = write!(text, "process client[{size}] {{\n  var st: {{{states}}} = {initial}\n");
    // Every one in B is counted by s, which no threshold knows and a law does.
    let counts = maker.shared > 2 && !any && maker.likely(12);
    let actions = if counts { 0 } else { 2 + maker.one(5) };
    for number in 0..actions {
        text += &maker.client_action(number);
    }
    if counts {
        maker.features.push("a shared variable that counts");
        text.push_str("  action up: st == A and s < 2 -> st := B, s := s + 1\n");
        text.push_str("  action down: st == B and s > 0 -> st := A, s := s - 1\n");
    }
    if labels {
        text += &maker.code();
    }
    text.push_str("}\n");
    text += &maker.fairness("client");
    if actions > 0 && maker.likely(10) {
        maker.features.push("an action that is fair by itself");
        let fairness = ["weak", "strong"][maker.one(2)];
        let first = maker.one(actions);
        let _ = writeln!(text, "fairness client.c{first}: {fairness}");
        if maker.likely(30) {
            let _ = writeln!(text, "fairness client.c{}: strong", (first + 1) % actions);
        }
    }
    if maker.likely(8) {
        maker.features.push("an assumption");
        let atom = maker.atom(None);
        let _ = writeln!(text, "assume {atom}");
    }
    let server = !counts && maker.likely(45);
    if server {
        closed(&mut maker, &mut text);
    }
    if two {
        worker(&mut maker, &mut text);
    }
    let property = if counts && maker.likely(50) {
        format!(
            "invariant p: s > 0 or {}",
            ["not (exists e in client: e.st == B)", "(exists e in client: e.st == B)"][maker.one(2)]
        )
    } else {
        maker.property(server)
    };
    text += &property;
    let mut asked = Some("p".to_string());
    if maker.one(12) == 0 {
        asked = None;
    } else if !maker.asserts.is_empty() && maker.likely(30) {
        maker.features.push("an assertion");
        asked = maker.asserts.pop();
    } else if maker.one(30) == 0 {
        maker.features.push("deadlock free");
        text.push_str("\ndeadlock free\n");
        asked = Some("deadlock_free".into());
    }
    Made { text, property: asked, two: maker.two, features: maker.features, least }
}
