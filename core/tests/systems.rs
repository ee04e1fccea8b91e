//! A system written in Rust is the same system in the language: counts, verdicts and runs agree.

#[allow(dead_code, reason = "its main function is for whoever runs the example")]
#[path = "../examples/system_in_rust.rs"]
mod system_in_rust;

use crate::support::systems::{MEETING, Meeting};
use orbitscope_core::check::{Engine, Options, Stats};
use orbitscope_core::explore::Limits;
use orbitscope_core::system::{Action, Family, Next, System};
use orbitscope_core::{Answer, ErrorKind, GraphOf, Language, Model, models};
use system_in_rust::Controller;

/// The counts that do not depend on how wide a state is.
fn counts(stats: &Stats) -> [Option<u64>; 6] {
    let Stats { states, edges, aqs_states, aqs_edges, product_states, product_edges, .. } = *stats;
    [states, edges, aqs_states, aqs_edges, product_states, product_edges]
}

/// The names of the steps of a run, and where its loop begins.
fn steps(model: &Model, answer: &Answer<'_>) -> Option<(Vec<String>, usize)> {
    let program = model.program();
    let lasso = answer.lasso()?;
    let names = lasso.stem.iter().chain(&lasso.cycle).map(|step| match (step.process, &step.action) {
        (Some(process), Some((action, arguments))) => {
            // The parameters of a native action have other names.
            let shown = program.show_step(process, *action, arguments);
            shown.split('(').next().unwrap_or_default().to_string() + &format!("{arguments:?}")
        }
        _ => "nobody".into(),
    });
    Some((names.collect(), lasso.stem.len()))
}

fn agree(what: &str, native: &Model, text: &Model, engines: &[Engine]) {
    for &engine in engines {
        let options = Options { engine, ..Options::default() };
        let (native, text) = (native.clone().with(options), text.clone().with(options));
        for name in text.properties() {
            // The older and the plain method check no branching time.
            let (Ok(ours), Ok(theirs)) = (native.check(name), text.check(name)) else {
                assert!(native.check(name).is_err() && text.check(name).is_err(), "{what}: {name}");
                continue;
            };
            let told = format!("{what}, {engine:?}: {name}\n{ours}\n{theirs}");
            assert_eq!(ours.holds(), theirs.holds(), "{told}");
            assert_eq!(ours.is_violated(), theirs.is_violated(), "{told}");
            assert!(ours.unknown().is_none(), "{told}");
            assert_eq!(counts(&ours.report().stats), counts(&theirs.report().stats), "{told}");
            assert_eq!(steps(&native, &ours), steps(&text, &theirs), "{told}");
            assert_eq!(ours.ledger(), theirs.ledger(), "{told}");
        }
    }
}

const ALL: &[Engine] = &[Engine::Onthefly, Engine::Threaded, Engine::Explicit];

#[test]
fn the_resource_controller_agrees_with_its_text() {
    let source = models::find("resource_controller").unwrap().source;
    for clients in [1, 2, 3, 5] {
        let native = Model::of(Controller { clients }).unwrap();
        let text = Model::parse(source).unwrap().set("clients", i64::from(clients)).unwrap();
        agree(&format!("{clients} clients"), &native, &text, ALL);
        for of in [GraphOf::States, GraphOf::Quotient, GraphOf::Product("eventually_access")] {
            let (ours, theirs) = (native.graph(of, 2_000).unwrap(), text.graph(of, 2_000).unwrap());
            let size = |graph: &orbitscope_core::draw::Graph| (graph.nodes.len(), graph.edges.len());
            assert_eq!(size(&ours), size(&theirs), "{clients} clients, {of:?}");
        }
    }
    // Processes are counted: many of them make a quotient of the same shape.
    let native = Model::of(Controller { clients: 3_000 }).unwrap();
    let text = Model::parse(source).unwrap().set("clients", 3_000).unwrap();
    agree("3000 clients", &native, &text, &[Engine::Onthefly]);
}

#[test]
fn partners_of_one_family_and_choices_agree_with_the_text() {
    for processes in [0, 1, 2, 3, 4] {
        let native = Model::of(Meeting { processes }).unwrap();
        let text = Model::parse(MEETING).unwrap().set("n", i64::from(processes)).unwrap();
        agree(&format!("{processes} processes"), &native, &text, ALL);
    }
    let native = Model::of(Meeting { processes: 30 }).unwrap();
    let text = Model::parse(MEETING).unwrap().set("n", 30).unwrap();
    agree("30 processes", &native, &text, &[Engine::Onthefly]);
}

/// A system that is wrong in one way.
#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Nothing,
    Value,
    Family,
    Partner,
    Initial,
    ActionOfNobody,
    Declares,
    Syntax,
}

struct Broken(Wrong);

impl System for Broken {
    type Shared = ();
    type Local = u8;

    fn shared_values(&self) -> Vec<()> {
        vec![()]
    }

    fn local_values(&self) -> Vec<u8> {
        vec![0, 1]
    }

    fn initial(&self) {}

    fn families(&self) -> Vec<Family<u8>> {
        vec![Family::new("p", 2, if self.0 == Wrong::Initial { 7 } else { 0 })]
    }

    fn actions(&self) -> Vec<Action<Self>> {
        let family = if self.0 == Wrong::ActionOfNobody { "q" } else { "p" };
        vec![Action::new("go", family, |system, here| match system.0 {
            Wrong::Value => Some(Next::new().me(2)),
            Wrong::Family => (here.count("q", |_| true) == 0).then(Next::new),
            Wrong::Partner => Some(Next::new().partner(1)),
            _ => Some(Next::new().me(1 - here.me())),
        })]
    }

    fn properties(&self) -> String {
        match self.0 {
            Wrong::Declares => "shared x: bool = false",
            Wrong::Syntax => "ltl live: forall q in p: G F",
            _ => "ltl live: forall q in p: G F q.state == 1",
        }
        .into()
    }
}

#[test]
fn a_wrong_system_is_told_and_never_panics() {
    for wrong in [Wrong::Initial, Wrong::ActionOfNobody, Wrong::Declares, Wrong::Syntax] {
        let error = Model::of(Broken(wrong)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Model);
        assert!(!error.to_string().is_empty());
    }
    for (wrong, words) in
        [(Wrong::Value, "does not list"), (Wrong::Family, "family"), (Wrong::Partner, "partner")]
    {
        let model = Model::of(Broken(wrong)).unwrap();
        let answer = model.check("live").unwrap();
        let unknown = answer.unknown().expect("an error of the system");
        assert_eq!(unknown.kind(), ErrorKind::Fault);
        assert!(unknown.to_string().contains(words), "{unknown}");
    }
}

#[test]
fn what_needs_expressions_is_refused() {
    let model = Model::of(Broken(Wrong::Nothing)).unwrap();
    assert!(model.check("live").unwrap().is_violated());
    for language in [Language::Promela, Language::Tla] {
        assert!(model.export("broken", language).unwrap_err().to_string().contains("written in Rust"));
    }
    assert!(model.clone().set("n", 3).unwrap_err().to_string().contains("no parameter"));
    let symbolic = Options { engine: Engine::Symbolic, limits: Limits::default(), ..Options::default() };
    let invariant = Model::of(Controller { clients: 2 }).unwrap().with(symbolic);
    let told = match invariant.check("mutual_exclusion") {
        Ok(answer) => answer.unknown().map(ToString::to_string).unwrap_or_default(),
        Err(error) => error.to_string(),
    };
    assert!(told.contains("written in Rust"), "{told}");
}
