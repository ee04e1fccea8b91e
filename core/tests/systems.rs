//! Systems written in Rust against the same systems in the modelling language: quotients, verdicts, and runs to the letter.

use crate::support::random::Random;
use orbitscope_core::check::{Engine, Options, Refusal};
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::syntax::ast::Fairness;
use orbitscope_core::{Error, ErrorKind, Fact, GraphOf, Language, Model, Move, Others, System, draw};
use std::fmt::Write;

/// The condition of a rule on the other processes.
#[derive(Clone, Copy, Debug)]
enum Ask {
    Nothing,
    Some(u8),
    No(u8),
    AtLeast(u32, u8),
}

/// A step of a process in one of its values, with one shared value.
#[derive(Clone, Copy, Debug)]
struct Rule {
    from: (u8, u8),
    ask: Ask,
    to: (u8, u8),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct S(u8);

#[derive(Clone, Debug)]
struct Table {
    processes: u32,
    locals: u8,
    shareds: u8,
    rules: Vec<Rule>,
    fairness: &'static str,
    properties: String,
}

const NAMES: [&str; 8] = ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7"];

impl System for Table {
    type Local = u8;
    type Shared = S;

    fn processes(&self) -> u32 {
        self.processes
    }

    fn locals(&self) -> Vec<u8> {
        (0..self.locals).collect()
    }

    fn shareds(&self) -> Vec<S> {
        (0..self.shareds).map(S).collect()
    }

    fn initial(&self) -> (u8, S) {
        (0, S(0))
    }

    fn actions(&self) -> Vec<&'static str> {
        NAMES[..self.rules.len()].to_vec()
    }

    fn steps(&self, own: &u8, shared: &S, others: &Others<'_, u8>) -> Vec<Move<u8, S>> {
        let passes = |ask: Ask| match ask {
            Ask::Nothing => true,
            Ask::Some(value) => others.any(|&local| local == value),
            Ask::No(value) => others.iter().all(|(&local, _)| local != value),
            Ask::AtLeast(count, value) => others.count(|&local| local == value) >= count,
        };
        let rules = self.rules.iter().zip(NAMES);
        rules
            .filter(|(rule, _)| rule.from == (*own, shared.0) && passes(rule.ask))
            .map(|(rule, name)| Move::new(name, rule.to.0, S(rule.to.1)))
            .collect()
    }

    fn properties(&self) -> String {
        format!("{}{}", self.fairness, self.properties)
    }
}

impl Table {
    fn random(seed: u64) -> Table {
        let mut rng = Random::new(seed);
        let mut pick = |n: u32| rng.below(n as usize) as u32;
        let (locals, shareds) = (2 + pick(3) as u8, 1 + pick(3) as u8);
        let rules = (0..4 + pick(5)).map(|number| {
            let mut pair = || (pick(locals.into()) as u8, pick(shareds.into()) as u8);
            let (from, to) = (pair(), pair());
            let from = if number < 2 { (0, 0) } else { from };
            let value = pick(locals.into()) as u8;
            let ask = match pick(5) {
                0 => Ask::Some(value),
                1 => Ask::No(value),
                2 => Ask::AtLeast(1 + pick(2), value),
                _ => Ask::Nothing,
            };
            Rule { from, ask, to }
        });
        let rules = rules.collect();
        let mut local = || format!("v{}", pick(locals.into()));
        let (a, b, c, d) = (local(), local(), local(), local());
        let properties = format!(
            "invariant few: count(q in p: q.at == {a}) <= 1
             ltl again: forall q in p: G F q.at == {b}
             ltl leads: forall q in p: G (q.at == {c} => F q.at == {d})
             ltl some: F G exists q in p: q.at == {b} and executed(q)
             ctl can: forall q in p: AG EF q.at == {d}\n"
        );
        let fairness = ["", "fairness p: strong\n", "fairness p: none\n"][pick(3) as usize];
        Table { processes: 2 + pick(3), locals, shareds, rules, fairness, properties }
    }

    /// The same in the modelling language.
    fn text(&self) -> String {
        let list =
            |letter: &str, n: u8| (0..n).map(|k| format!("{letter}{k}")).collect::<Vec<_>>().join(", ");
        let mut text = format!(
            "shared common: {{{}}} = S_0\nprocess p[{}] {{\n  var at: {{{}}} = v0\n",
            list("S_", self.shareds),
            self.processes,
            list("v", self.locals)
        );
        for (rule, name) in self.rules.iter().zip(NAMES) {
            let ask = match rule.ask {
                Ask::Nothing => String::new(),
                Ask::Some(value) => format!(" and exists q in p: (q != self and q.at == v{value})"),
                Ask::No(value) => format!(" and forall q in p: (q == self or q.at != v{value})"),
                Ask::AtLeast(count, value) => {
                    format!(" and count(q in p: q != self and q.at == v{value}) >= {count}")
                }
            };
            let (from, to) = (rule.from, rule.to);
            let _ = writeln!(
                text,
                "  action {name}: at == v{} and common == S_{}{ask} -> at := v{}, common := S_{}",
                from.0, from.1, to.0, to.1
            );
        }
        text + "}\n" + self.fairness + &self.properties
    }
}

/// Everything that can be seen of a model, without numbers of bytes.
fn told(model: &Model, options: Options) -> String {
    let model = model.clone().with(options);
    let mut text = String::new();
    for (name, answer) in model.check_all() {
        let answer = answer.unwrap();
        let stats = answer.report().stats;
        let counts =
            (stats.states, stats.aqs_states, stats.aqsi_states, stats.product_states, stats.product_edges);
        let _ = writeln!(text, "{name} {counts:?} {answer}");
    }
    text
}

#[test]
fn random_systems_in_both_forms() {
    let cases = crate::support::cases(200);
    let (mut asked, mut violated, mut lassos, mut deadlocks) = (0, 0, 0, 0);
    for seed in 0..cases {
        let table = Table::random(seed);
        let text = table.text();
        let here = || format!("seed {seed}\n{text}");
        let written = Model::parse(&text).unwrap_or_else(|error| panic!("{}{error}", here()));
        let system = Model::of_system(table.clone()).unwrap_or_else(|error| panic!("{}{error}", here()));
        let order = |model: &Model| model.symmetry().group.order().to_string();
        assert_eq!(order(&system), order(&written), "{}", here());
        for graph in [GraphOf::States, GraphOf::Quotient, GraphOf::Product("again")] {
            let [ours, theirs] =
                [&system, &written].map(|model| draw::dot(&model.graph(graph, 10_000).unwrap()));
            assert_eq!(ours, theirs, "{graph:?} {}", here());
        }
        asked += u32::from(table.rules.iter().any(|rule| !matches!(rule.ask, Ask::Nothing)));
        for engine in [Engine::Onthefly, Engine::Explicit] {
            for fairness in [FairnessChoice::Model, FairnessChoice::All(Fairness::Strong)] {
                let deadlock = if seed % 2 == 0 { Deadlock::Stutter } else { Deadlock::Drop };
                let options = Options { engine, fairness, deadlock, ..Options::default() };
                let (ours, theirs) = (told(&system, options), told(&written, options));
                assert_eq!(ours, theirs, "{engine:?} {}", here());
                violated += ours.matches("violated").count();
                lassos += ours.matches("for ever").count();
                deadlocks += ours.matches("nobody can move").count();
            }
        }
        // The older method checks no branching time.
        for name in ["few", "again", "leads", "some"] {
            let options = Options { engine: Engine::Threaded, ..Options::default() };
            let [ours, theirs] =
                [&system, &written].map(|model| model.clone().with(options).check(name).unwrap().to_string());
            assert_eq!(ours, theirs, "{name} {}", here());
        }
    }
    let least = (cases / 10) as usize;
    let seen = (asked as usize, violated, lassos, deadlocks);
    assert!(asked as usize > least && violated > least && lassos > least && deadlocks > least, "{seen:?}");
}

fn two(rules: Vec<Rule>) -> Table {
    Table { processes: 2, locals: 2, shareds: 1, rules, fairness: "", properties: String::new() }
}

/// Mistakes of a system are reported, and questions that need a text are refused.
#[test]
fn systems_that_are_wrong_or_asked_too_much() {
    let step = |to| Rule { from: (0, 0), ask: Ask::Nothing, to };
    let properties = "invariant low: forall q in p: q.at == v0".to_string();
    let outside = Table { properties: properties.clone(), ..two(vec![step((7, 0))]) };
    let model = Model::of_system(outside).unwrap();
    let unknown = model.check("low").unwrap().unknown().map(orbitscope_core::check::Unknown::kind);
    assert_eq!(unknown, Some(ErrorKind::Fault));
    let good = Table { properties, ..two(vec![step((1, 0))]) };
    let model = Model::of_system(good.clone()).unwrap();
    assert!(model.check("low").unwrap().is_violated());
    for error in [
        model.export("m", Language::Promela).unwrap_err(),
        model.link(None).unwrap_err(),
        model.clone().set("n", 3).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Refused(Refusal::NoText)), "{error}");
    }
    let symbolic = model.clone().with(Options { engine: Engine::Symbolic, ..Options::default() });
    assert_eq!(symbolic.check("low").unwrap_err().kind(), ErrorKind::Refusal);
    let none = Table { locals: 0, ..good.clone() };
    assert_eq!(Model::of_system(none).unwrap_err().kind(), ErrorKind::Model);
    let nonsense = Table { properties: "ltl".into(), ..good };
    assert_eq!(Model::of_system(nonsense).unwrap_err().kind(), ErrorKind::Model);
}

/// Two outcomes of one action.
struct Coin;

impl System for Coin {
    type Local = Option<bool>;
    type Shared = ();
    fn processes(&self) -> u32 {
        3
    }
    fn locals(&self) -> Vec<Option<bool>> {
        vec![None, Some(false), Some(true)]
    }
    fn shareds(&self) -> Vec<()> {
        vec![()]
    }
    fn initial(&self) -> (Option<bool>, ()) {
        (None, ())
    }
    fn actions(&self) -> Vec<&'static str> {
        vec!["toss"]
    }
    fn choices(&self) -> u32 {
        2
    }
    fn steps(
        &self,
        own: &Option<bool>,
        (): &(),
        _: &Others<'_, Option<bool>>,
    ) -> Vec<Move<Option<bool>, ()>> {
        match own {
            None => [false, true].map(|side| Move::new("toss", Some(side), ())).to_vec(),
            Some(_) => Vec::new(),
        }
    }
    fn facts(&self) -> Vec<Fact<Option<bool>>> {
        vec![("heads", |side| *side == Some(true)), ("never", |_| false)]
    }
    fn properties(&self) -> String {
        "invariant few: count(q in p: heads(q)) <= 2
         invariant no: forall q in p: not never(q)
         ltl lands: forall q in p: F heads(q)"
            .into()
    }
}

#[test]
fn an_action_with_two_outcomes() {
    let model = Model::of_system(Coin).unwrap();
    // None, tails and heads among three processes, in any order: 27; without order: 10.
    assert_eq!(model.graph(GraphOf::States, 100).unwrap().nodes.len(), 27);
    assert_eq!(model.graph(GraphOf::Quotient, 100).unwrap().nodes.len(), 10);
    let few = model.check("few").unwrap();
    assert!(few.is_violated() && few.run_text().contains("toss(1)"), "{few}");
    assert!(model.check("no").unwrap().holds());
    assert!(model.check("lands").unwrap().is_violated());
    assert!(model.check("few").unwrap().path().is_some_and(|path| path.steps.len() == 3));
}

/// A counter that all processes share, with many values, and an action of this name.
struct Counter(u32, &'static str);

impl System for Counter {
    type Local = u32;
    type Shared = u32;
    fn processes(&self) -> u32 {
        2
    }
    fn locals(&self) -> Vec<u32> {
        (0..self.0).collect()
    }
    fn shareds(&self) -> Vec<u32> {
        (0..self.0).collect()
    }
    fn initial(&self) -> (u32, u32) {
        (0, 0)
    }
    fn actions(&self) -> Vec<&'static str> {
        vec![self.1]
    }
    fn steps(&self, _: &u32, shared: &u32, _: &Others<'_, u32>) -> Vec<Move<u32, u32>> {
        // Many values are listed, few are reached: the test is about the list.
        if *shared > 2 { Vec::new() } else { vec![Move::new(self.1, *shared, shared + 1)] }
    }
    fn facts(&self) -> Vec<Fact<u32>> {
        vec![("odd", |n| n % 2 == 1)]
    }
    fn shared_facts(&self) -> Vec<Fact<u32>> {
        vec![("begun", |&n| n > 0)]
    }
    fn properties(&self) -> String {
        "invariant even: forall q in p: not odd(q)
         ltl counts: G F begun"
            .into()
    }
}

/// Facts about many values are no deeply nested expressions. An action named by a word of the language is refused.
#[test]
fn many_values() {
    let wrong = Model::of_system(Counter(3, "true")).unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Model, "{wrong}");
    let model = Model::of_system(Counter(500, "tick")).unwrap();
    let even = model.check("even").unwrap();
    assert_eq!(even.path().map(|path| path.steps.len()), Some(2), "{even}");
    assert!(model.check("counts").unwrap().holds());
}
