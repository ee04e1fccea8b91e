//! Published verdicts and counts for branching time, and what decomposition is worth.

use crate::support::{Verdict, built, noted_verdicts};
use orbitscope_core::Limit;
use orbitscope_core::ctl::{
    Algorithm, CtlCheck, Event, Formula, Outcome, PartId, Settings, Step, replay_tree,
};
use orbitscope_core::explore::Limits;
use orbitscope_core::ids::Id;
use orbitscope_core::models;
use orbitscope_core::product::Deadlock;
use orbitscope_core::program::{Program, PropertyKind};
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::Logic;

fn model(name: &str, params: &[(&str, i64)]) -> Program {
    let model = models::find(name).expect("it is built in");
    built(model.name, model.source, params)
}

fn run<'p>(program: &'p Program, name: &str, choice: Choice, algorithm: Algorithm) -> (CtlCheck<'p>, bool) {
    let id = program.property(name).expect("it has the property");
    let symmetry = choose(program, choice).expect("no claim is wrong");
    let settings = Settings { algorithm, ..Settings::default() };
    let mut check = CtlCheck::new(program, id, &symmetry, settings).expect("it can be checked");
    let holds = match check.run() {
        Outcome::Holds => true,
        Outcome::Violated => false,
        other => panic!("{name}: {other:?}"),
    };
    let tree = check.tree().expect("there is evidence");
    let replayed = replay_tree(program, check.formula(), Deadlock::Stutter, &tree);
    assert!(replayed.is_ok(), "{name} by {algorithm:?}: {replayed:?} {tree:#?}");
    (check, holds)
}

/// Heljanko, "Model checking the branching time temporal logic CTL", section 2.4: eight properties of a small mutual
/// exclusion, with the verdicts that the text gives.
#[test]
fn heljankos_mutual_exclusion() {
    let program = model("mutex_heljanko", &[]);
    for (name, expected) in [
        ("never_both", true),
        ("tries_then_critical", true),
        ("must_be_critical", false),
        ("can_be_critical", true),
        ("always_back_to_start", false),
        ("can_go_back_to_start", true),
        ("can_stay_at_start", true),
        ("tries_first", true),
    ] {
        for algorithm in Algorithm::ALL {
            for choice in [Choice::Model, Choice::None] {
                let (_, holds) = run(&program, name, choice, algorithm);
                assert_eq!(holds, expected, "{name} {algorithm:?} {choice:?}");
            }
        }
    }
    let (check, _) = run(&program, "never_both", Choice::None, Algorithm::Global);
    assert_eq!(check.largest_graph().len(), 9, "the reachability graph of the report has 9 states");
}

/// Emerson & Sistla, "Symmetry and model checking", section 6: the quotient of n-process mutual exclusion has 2n + 1 states.
#[test]
fn emerson_and_sistlas_mutual_exclusion() {
    for n in [1, 2, 3, 10, 60] {
        let program = model("mutex_emerson_sistla", &[("n", n)]);
        for algorithm in Algorithm::ALL {
            let (check, holds) = run(&program, "mutual_exclusion_ctl", Choice::Model, algorithm);
            assert!(holds);
            assert_eq!(i64::from(check.largest_graph().len()), 2 * n + 1);
            assert_eq!(check.formula().parts.len(), 1);
        }
    }
    let program = model("mutex_emerson_sistla", &[("n", 4)]);
    let (check, _) = run(&program, "mutual_exclusion_ctl", Choice::None, Algorithm::Global);
    assert_eq!(check.largest_graph().len(), 16 + 4 * 8);
}

#[test]
fn verdicts_noted_in_the_models() {
    let mut seen = 0;
    for model in models::ALL {
        let program = built(model.name, model.source, &[]);
        for (name, noted) in noted_verdicts(model.source) {
            let property = program.property(&name).expect("the note names a property");
            if !matches!(program.properties[property].kind, PropertyKind::Formula(Logic::Ctl, _)) {
                continue;
            }
            for algorithm in Algorithm::ALL {
                let (_, holds) = run(&program, &name, Choice::Model, algorithm);
                assert_eq!(Verdict::of(holds), noted, "{} {name} by {algorithm:?}", model.name);
            }
            let (_, holds) = run(&program, &name, Choice::None, Algorithm::Global);
            assert_eq!(Verdict::of(holds), noted, "{} {name} without symmetry", model.name);
            seen += 1;
        }
    }
    assert!(seen >= 25, "only {seen} properties");
}

/// A formula that names every process leaves no symmetry; taken apart, each part has almost all of it.
#[test]
fn decomposition() {
    let n = 12;
    let named: Vec<String> = (0..n).map(|i| format!("EF p[{i}].x == 2")).collect();
    let source = format!(
        "process p[{n}] {{ var x: 0..2 = 0
           action up: x < 2 -> x := x + 1
           action back: x == 2 -> x := 0 }}
         ctl whole: AG ({})",
        named.join(" and ")
    );
    let program = built("decomposition", &source, &[]);
    let (check, holds) = run(&program, "whole", Choice::Model, Algorithm::Global);
    assert!(holds);
    let states: u32 = check.formula().parts.ids().map(|part| check.graph(part).len()).sum();
    // Each part has 3 local states of one process times the 78 ways to spread 11 others; 3^12 = 531,441 without.
    assert_eq!(check.formula().parts.len(), 13);
    assert_eq!(states, 12 * 3 * 78 + 1);
    for id in 0..12 {
        let part = &check.formula().parts[PartId::from_index(id)];
        assert_eq!(
            (part.fixed.len(), part.symmetry.group.stabiliser(&part.fixed).order().to_string()),
            (1, "39916800".into())
        );
    }
}

/// A quantifier inside a temporal operator costs one tracked process, not all of them.
#[test]
fn quantifiers_inside() {
    let source = "param n = 4
      process p[n] { var x: 0..2 = 0
        action up: x < 2 -> x := x + 1
        action back: x == 2 -> x := 0 }
      ctl some: AG exists q in p: AF q.x == 1
      ctl every: EF forall q in p: (q.x == 1 and EG q.x == 1)
      ctl two: AG exists q in p: forall r in p: (q == r or E[r.x == 0 U q.x == 2] or r.x > 0)";
    for n in [2i64, 4, 20] {
        let program = built("inside", source, &[("n", n)]);
        for (name, expected, most) in [
            ("some", false, 3 * n * (n + 1) / 2),
            ("every", n > 1, 3 * n * (n + 1) / 2),
            ("two", true, 9 * n * n),
        ] {
            let (check, holds) = run(&program, name, Choice::Model, Algorithm::Global);
            assert_eq!(holds, expected, "{name} {n}");
            assert!(
                i64::from(check.largest_graph().len()) <= most,
                "{name} {n} {}",
                check.largest_graph().len()
            );
            if n == 4 {
                let (_, plain) = run(&program, name, Choice::None, Algorithm::Emc);
                assert_eq!(plain, expected, "{name} without symmetry");
            }
        }
    }
}

/// Stepping shows the two stacks: what leaves St waits on FSt, and a witness labels FSt.
#[test]
fn the_search_can_be_watched() {
    let program = model("dining_philosophers", &[]);
    let symmetry = choose(&program, Choice::Model).expect("no claim is wrong");
    let id = program.property("can_eat_again").expect("it is there");
    let mut check = CtlCheck::new(&program, id, &symmetry, Settings::default()).expect("it can be checked");
    let (mut witnesses, mut closes, mut waits, mut searches) = (0, 0, 0, 0);
    while let Some(step) = check.step() {
        let Step::Search(part, event) = step else { continue };
        let Some((at, search)) = check.search() else { continue };
        assert_eq!(at, part);
        match event {
            Event::Begin(_) => searches += 1,
            Event::Witness(..) => {
                witnesses += 1;
                assert!(search.st().is_empty() && search.fst().is_empty());
            }
            Event::Close(v) => {
                closes += 1;
                assert!(search.number(v).is_none());
            }
            Event::Leave(v) => waits += u32::from(search.fst().contains(&v)),
            _ => {}
        }
    }
    assert!(matches!(check.outcome(), Some(Outcome::Holds | Outcome::Violated)));
    assert!(searches > 1 && witnesses > 0 && closes + waits > 0, "{searches} {witnesses} {closes} {waits}");
}

#[test]
fn limits_and_faults() {
    let program = model("mutex_emerson_sistla", &[("n", 30)]);
    let symmetry = choose(&program, Choice::Model).expect("no claim is wrong");
    let id = program.property("can_enter").expect("it is there");
    let outcome = |limits: Limits| {
        let settings = Settings { limits, ..Settings::default() };
        CtlCheck::new(&program, id, &symmetry, settings).expect("it can be checked").run().clone()
    };
    assert!(matches!(outcome(Limits { states: 20, ..Limits::default() }), Outcome::Limit(Limit::States)));
    assert!(matches!(outcome(Limits { bytes: 1 << 10, ..Limits::default() }), Outcome::Limit(Limit::Bytes)));
    let faulty = built(
        "faulty",
        "process p[2] { var x: 0..3 = 0 action up: x < 2 -> x := x + 1 }
         ctl f: AG forall q in p: 6 / (2 - q.x) > 0",
        &[],
    );
    let symmetry = choose(&faulty, Choice::Model).expect("no claim is wrong");
    let id = faulty.property("f").expect("it is there");
    let mut check = CtlCheck::new(&faulty, id, &symmetry, Settings::default()).expect("it can be checked");
    assert!(matches!(check.run(), Outcome::PropertyFault(..)));
}

/// Under a temporal operator a quantified formula is one part; above all of them it is taken apart further.
#[test]
fn parts_of_quantified_formulas() {
    let source = "process p[3] { var x: bool = false  action flip: true -> x := not x }
        ctl above: forall q in p: (q.x or EF q.x)
        ctl begins: forall q in p: EF q.x
        ctl inside: EF forall q in p: (q.x and EX not q.x)";
    let program = built("parts", source, &[]);
    let symmetry = choose(&program, Choice::Auto).expect("nothing is claimed");
    for (name, parts) in [("above", 3), ("begins", 2), ("inside", 2)] {
        let id = program.property(name).expect("it is there");
        let formula = Formula::new(&program, id, &symmetry).expect("it is a ctl formula");
        assert_eq!(formula.parts.len(), parts, "{name}");
    }
}
