//! Random models, properties and fairness: what is proved for every size is checked size by size, and an abstract system that counts
//! exactly says what the instance says.

use crate::support::cases;
use crate::support::random::Random;
use orbitscope_core::check::{Check, Engine, Options, Survey, Target, Verdict};
use orbitscope_core::every::{Conclusion, Effort, Found, Prover, Rule, RunToEnd};
use orbitscope_core::program::{self, Program, Settings};
use orbitscope_core::symmetry;
use orbitscope_core::syntax::ast::File;
use orbitscope_core::syntax::parse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const STATES: [&str; 4] = ["A", "B", "C", "D"];

/// A random model, with what it has.
struct Made {
    text: String,
    features: Vec<&'static str>,
    two: bool,
}

struct Maker<'r> {
    rng: &'r mut Random,
    locals: usize,
    shared: usize,
    two: bool,
    pointer: bool,
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
        let state = self.local();
        let mut test = format!("e.st == {state}");
        if let Some(name) = apart
            && self.likely(40)
        {
            self.features.push("a process left out");
            test = format!("e != {name} and {test}");
        }
        match self.one(6) {
            0 | 1 => format!("(exists e in client: {test})"),
            2 => format!("not (exists e in client: {test})"),
            3 => format!("(forall e in client: {test})").replace("e != ", "e == ").replace(" and ", " or "),
            4 => format!("count(e in client: {test}) >= 2"),
            _ => format!("count(e in client: {test}) <= {}", self.one(3)),
        }
    }

    fn shared_guard(&mut self, parts: &mut Vec<String>) {
        if self.shared > 1 && self.likely(45) {
            parts.push(format!("s == {}", self.one(self.shared)));
        }
    }

    fn shared_effect(&mut self, effects: &mut Vec<String>) {
        if self.shared > 1 && self.likely(45) {
            effects.push(format!("s := {}", self.one(self.shared)));
        }
    }

    fn client_action(&mut self, number: usize) -> String {
        let mut parts = vec![format!("st == {}", self.local())];
        let mut effects = vec![format!("st := {}", self.local())];
        self.shared_guard(&mut parts);
        self.shared_effect(&mut effects);
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
        } else if self.likely(6) {
            self.features.push("all at once");
            effects.push(format!(
                "forall d in client: d.st := if d == self then {} else if d.st == {} then {} else d.st",
                self.local(),
                self.local(),
                self.local()
            ));
            effects.remove(0);
        }
        if self.likely(45) {
            parts.push(self.atom(Some("self")));
        }
        if self.pointer && self.likely(50) {
            match self.one(3) {
                0 => {
                    parts.push("own == none".into());
                    effects.push("own := self".into());
                }
                1 => {
                    parts.push("own == self".into());
                    effects.push("own := none".into());
                }
                _ => parts.push("own != self".into()),
            }
        }
        format!("  action c{number}{param}: {} -> {}\n", parts.join(" and "), effects.join(", "))
    }

    fn server_action(&mut self, number: usize) -> String {
        let (mut parts, mut effects) = (vec!["true".to_string()], Vec::new());
        self.shared_guard(&mut parts);
        self.shared_effect(&mut effects);
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

    fn property(&mut self) -> String {
        if self.likely(20) {
            return format!("invariant p: {}", self.atom(None));
        }
        let (mut front, mut of) = (String::new(), None);
        if self.likely(55) {
            front = "forall c in client: ".into();
            of = Some("c");
            self.features.push("tracked");
            if self.likely(15) {
                front = "forall c in client, b in client: ".into();
                self.features.push("two tracked");
            }
        }
        let pair = front.contains("b in");
        let basic = |maker: &mut Self| -> String {
            match of {
                Some(_) if maker.likely(75) => match maker.one(8) {
                    0 => {
                        maker.features.push("executed");
                        "executed(c)".into()
                    }
                    1 => {
                        maker.features.push("enabled");
                        "enabled(c)".into()
                    }
                    2 if pair => format!("b.st == {}", maker.local()),
                    _ => format!("c.st == {}", maker.local()),
                },
                name if maker.shared < 2 || maker.likely(60) => maker.atom(name),
                _ => format!("s == {}", maker.one(maker.shared)),
            }
        };
        let (p, q) = (basic(self), basic(self));
        let body = match self.one(5) {
            0 => format!("G ({p})"),
            1 => format!("G F ({p})"),
            2 => format!("F G ({p})"),
            3 => format!("G ({p} => F ({q}))"),
            _ => format!("(G F ({p})) => G F ({q})"),
        };
        format!("ltl p: {front}{body}")
    }
}

fn make(rng: &mut Random) -> Made {
    let (locals, shared) = (2 + rng.below(3), 1 + rng.below(3));
    let (two, pointer) = (rng.below(100) < 12, rng.below(100) < 10);
    let mut maker = Maker { rng, locals, shared, two, pointer, features: Vec::new() };
    let mut text = String::from("param n = 2 in 1..100\n");
    if shared > 1 {
        let _ = writeln!(text, "shared s: 0..{} = 0", shared - 1);
    }
    if pointer {
        text.push_str("shared own: client? = none\n");
        maker.features.push("a variable that holds a process");
    }
    let any = maker.likely(8);
    if any {
        maker.features.push("any start");
    }
    let initial = if any { "any" } else { "A" };
    let _ = write!(text, "process client[n] {{\n  var st: {{{}}} = {initial}\n", STATES[..locals].join(", "));
    for number in 0..2 + maker.one(5) {
        text += &maker.client_action(number);
    }
    text.push_str("}\n");
    text += &maker.fairness("client");
    if maker.likely(45) {
        text.push_str("process server {\n  var t: bool = false\n");
        for number in 0..1 + maker.one(3) {
            text += &maker.server_action(number);
        }
        text.push_str("}\n");
        text += &maker.fairness("server");
        maker.features.push("a closed family");
    }
    if two {
        maker.features.push("two open families");
        let atom = maker.atom(None).replace("exists w", "exists v").replace("forall w", "forall v");
        let atom = atom.replace("(w in", "(v in").replace("w.st", "v.st");
        let _ = write!(
            text,
            "param m = 1 in 1..100\nprocess worker[m] {{\n  var st: {{U, V}} = U\n  action w0: st == U and {atom} -> st := V\n  action w1: st == V -> st := U\n}}\n"
        );
        text += &maker.fairness("worker");
    }
    let property = maker.property();
    text += &property;
    let features = maker.features;
    Made { text, features, two }
}

/// What an instance says: none where it has an error or is too large.
fn concrete(file: &File, values: &[(&str, i64)], deadlock: bool, engine: Engine) -> Option<bool> {
    let params = values.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let program: Program = program::build(file, &Settings { params, ..Settings::default() }).ok()?;
    let symmetry = symmetry::detect(&program);
    let mut options = Options { engine, ..Options::default() };
    options.limits.states = 30_000;
    if deadlock {
        let mut survey = Survey::new(&program, &symmetry, &[], &options).ok()?;
        survey.run();
        return (survey.is_complete() || survey.deadlock_count() > 0).then(|| survey.deadlock_count() == 0);
    }
    let id = program.property("p")?;
    let report = Check::new(&program, &symmetry, Target::Property(id), options).ok()?.run();
    match report.verdict {
        Verdict::Holds => Some(true),
        Verdict::Violated => Some(false),
        Verdict::Unknown(_) => None,
    }
}

fn values(made: &Made, n: i64, m: i64) -> Vec<(&'static str, i64)> {
    if made.two { vec![("n", n), ("m", m)] } else { vec![("n", n)] }
}

#[test]
fn proofs_hold_size_by_size() {
    let cases = cases(20_000);
    let mut reached: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..cases {
        let mut rng = Random::new(seed.wrapping_mul(0x9E37_79B9) + 17);
        let made = make(&mut rng);
        one_case(seed, &made, &mut rng, &mut reached);
    }
    println!("{reached:?}");
    let wanted = [
        "strong",
        "none",
        "two open families",
        "a process left out",
        "a parameter",
        "moved by others",
        "two at a time",
        "all at once",
        "a variable that holds a process",
        "any start",
        "tracked",
        "two tracked",
        "executed",
        "enabled",
        "a closed family",
        "proved",
        "left",
        "from 2 on",
        "deadlock",
        "exact agrees",
        "threads",
        "smallest",
    ];
    for feature in wanted {
        assert!(
            cases < 2_000 || reached.get(feature).is_some_and(|&n| n > 0),
            "never met: {feature} in {reached:?}"
        );
    }
}

fn one_case<'r>(seed: u64, made: &Made, rng: &mut Random, reached: &mut BTreeMap<&'r str, u64>) {
    let mut note = |what: &'r str| *reached.entry(what).or_default() += 1;
    let text = &made.text;
    let parsed = parse(text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:?}", parsed.diagnostics);
    let effort = Effort { states: 3_000, nodes: 20_000, instance: 20_000, small: 2, ..Effort::default() };
    let prover = match Prover::new(&parsed.file, &Settings::default(), &[], Options::default(), effort) {
        Ok(prover) => prover,
        Err(errors) => panic!("seed {seed}: {}\n{text}", errors[0].message),
    };
    let deadlock = rng.below(12) == 0;
    let property = if deadlock { None } else { Some("p") };
    let from = 1 + i64::from(rng.below(4) == 0) * (1 + rng.below(2) as i64);
    let finer = u32::from(rng.below(6) == 0);
    let (proof, found) =
        prover.attempt(property, &if made.two { vec![from, 1] } else { vec![from] }, finer, &mut RunToEnd);
    let found = found.unwrap_or_else(|| panic!("seed {seed}: {}\n{text}", proof.words()));
    match found {
        Found::Proved(rule) => {
            note("proved");
            if from > 1 {
                note("from 2 on");
            }
            if deadlock {
                note("deadlock");
            }
            match rule {
                Rule::Simulation => {}
                Rule::Threads => note("threads"),
                Rule::Drift => note("drift"),
                Rule::Laws => note("laws"),
            }
            for &feature in &made.features {
                note(feature);
            }
            let (most, more) = if made.two { (3, 3) } else { (6, 1) };
            for n in from..=most {
                for m in 1..=more {
                    let engine =
                        if n <= 4 && rng.below(8) == 0 { Engine::Explicit } else { Engine::Onthefly };
                    let answer = concrete(&parsed.file, &values(made, n, m), deadlock, engine);
                    assert_ne!(
                        answer,
                        Some(false),
                        "seed {seed}: proved from {from} by {rule:?}, violated for n = {n}, m = {m}\n{text}"
                    );
                }
            }
        }
        Found::Left { .. } => note("left"),
        Found::Stuck(_) | Found::Fault(_) => note("stuck"),
    }
    // Counted exactly, the abstract system is the quotient of one instance.
    if rng.below(5) == 0 {
        let (n, m) = (1 + rng.below(3) as i64, 1 + rng.below(2) as i64);
        let of = if made.two { vec![n, m] } else { vec![n] };
        let answer = concrete(&parsed.file, &values(made, n, m), deadlock, Engine::Onthefly);
        let exact = prover.exactly(property, &of, &mut RunToEnd);
        if let (Some(answer), Some(exact)) = (answer, exact)
            && !matches!(exact, Found::Stuck(_) | Found::Fault(_))
        {
            assert_eq!(
                matches!(exact, Found::Proved(_)),
                answer,
                "seed {seed}: exactly n = {n}, m = {m}\n{text}"
            );
            note("exact agrees");
        }
    }
    // The whole procedure: what it says is violated is, and no smaller instance is.
    if rng.below(10) == 0 {
        let proof = prover.prove(property, &mut RunToEnd);
        match &proof.conclusion {
            Conclusion::Violated { at, .. } => {
                let m = at.get(1).copied().unwrap_or(1);
                assert_eq!(
                    concrete(&parsed.file, &values(made, at[0], m), deadlock, Engine::Onthefly),
                    Some(false)
                );
                assert!(proof.run().is_some(), "seed {seed}: no run\n{text}");
                note("smallest");
            }
            Conclusion::Holds { .. } => {
                for n in 1..=if made.two { 3 } else { 5 } {
                    let answer = concrete(&parsed.file, &values(made, n, 2), deadlock, Engine::Onthefly);
                    assert_ne!(answer, Some(false), "seed {seed}: holds, violated for n = {n}\n{text}");
                }
            }
            Conclusion::Unknown(_) => note("unknown"),
        }
    }
}
