//! The mu-calculus on the program and on its quotient, against nested fixed points over the interpreter's graph.

use crate::support::programs::{Knobs, add_mu, generate};
use crate::support::temporal::Checker;
use crate::support::{Case, Verdict, asks_shares, built, cases, first_seed, on_sound_graph, written};
use orbitscope_core::ctl::{CtlCheck, Outcome, Settings, Sub};
use orbitscope_core::product::Deadlock;
use orbitscope_core::program::{Program, PropertyId};
use orbitscope_core::quotient::Prune;
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::Fixpoint;

fn run(program: &Program, id: PropertyId, choice: Choice, settings: Settings) -> (CtlCheck<'_>, bool) {
    let symmetry = choose(program, choice).expect("nothing is claimed");
    let mut check = CtlCheck::new(program, id, &symmetry, settings).expect("it can be checked");
    let holds = match check.run() {
        Outcome::Holds => true,
        Outcome::Violated => false,
        other => panic!("{other:?}"),
    };
    (check, holds)
}

#[derive(Default, Debug)]
struct Tally {
    cases: u64,
    violated: u64,
    programs: u64,
    /// Formulas with a fixed point; with both kinds; with one that reaches into another part.
    fixpoints: u64,
    mixed: u64,
    across: u64,
}

impl Tally {
    fn note(&mut self, check: &CtlCheck<'_>) {
        let parts = || check.formula().parts.iter();
        let has = |kind: Fixpoint| {
            parts().any(|part| part.subs.iter().any(|sub| matches!(sub, Sub::Fixpoint(k, ..) if *k == kind)))
        };
        let (least, greatest) = (has(Fixpoint::Least), has(Fixpoint::Greatest));
        self.fixpoints += u64::from(least || greatest);
        self.mixed += u64::from(least && greatest);
        self.across += u64::from(parts().any(|part| !part.variables.is_empty()));
    }
}

/// Asks all about a program.
fn ask(seed: u64, source: &str, case: &Case<'_>, tally: &mut Tally) {
    tally.programs += 1;
    let &Case { oracle, graph, program, .. } = case;
    let checker = Checker::new(oracle, graph);
    let prune = [Prune::Full, Prune::Process, Prune::None][(seed % 3) as usize];
    for (id, property) in written(program) {
        let expected = checker.check(&property.name, None) == Verdict::Holds;
        tally.cases += 1;
        tally.violated += u64::from(!expected);
        for choice in [Choice::Model, Choice::None] {
            let (check, holds) = run(program, id, choice, Settings { prune, ..Settings::default() });
            assert_eq!(
                holds, expected,
                "seed {seed}, {} with {choice:?} symmetry and {prune:?}\n{source}",
                property.name
            );
            if choice == Choice::Model {
                tally.note(&check);
            }
        }
    }
}

#[test]
fn random_formulas() {
    let wanted = cases(6_000);
    let mut tally = Tally::default();
    let mut seed = first_seed();
    while tally.cases < wanted {
        seed += 1;
        let knobs = Knobs::branching(seed, 8, 200);
        let source = add_mu(generate(seed, &knobs), seed, &knobs, 12).to_string();
        on_sound_graph(&source, 300, |case| ask(seed, &source, case, &mut tally));
    }
    println!("{tally:?}");
    if !asks_shares() {
        return;
    }
    let Tally { cases, violated, fixpoints, mixed, across, .. } = tally;
    assert!(violated * 10 > cases && violated * 10 < cases * 9, "{violated} of {cases} are violated");
    assert!(fixpoints * 2 > cases && mixed * 10 > cases && across * 25 > cases, "{tally:?}");
}

/// Formulas of CTL said with fixed points, and two with alternation that CTL cannot say.
#[test]
fn known_formulas() {
    let source = "process p[4] { var x: 0..2 = 0
        action up: x < 2 -> x := x + 1
        action down: x == 1 -> x := 0 }
      ctl ef: EF forall q in p: q.x == 2
      mu ef_mu: mu X. (forall q in p: q.x == 2) or <> X
      ctl af: AF exists q in p: q.x == 2
      mu af_mu: mu X. (exists q in p: q.x == 2) or [] X
      ctl ag: AG forall q in p: EF q.x == 2
      mu ag_mu: nu X. (forall q in p: mu Y. q.x == 2 or <> Y) and [] X
      ctl eu: exists q in p: E[q.x != 1 U p[0].x == 2]
      mu eu_mu: exists q in p: mu X. p[0].x == 2 or q.x != 1 and <> X
      // Infinitely often p[0] is at 0 on some path, and on all.
      mu often: nu Y. mu X. <> (p[0].x == 0 and Y or X)
      mu always_often: nu Y. mu X. [] (p[0].x == 0 and Y or X)
      // The same without the step that leaves p[0] where it is: it has to come to 2 and back, which it cannot.
      mu at_two_and_back: nu Y. mu X. <> (p[0].x == 2 and (mu Z. <> (p[0].x == 0 and Y or Z)) or X)
      // p[0] is at 1 again and again.
      mu at_one: nu Y. mu X. <> (p[0].x == 1 and Y or X)
      mu at_one_from_zero: nu Y. mu X. <> (p[0].x == 1 and (mu Z. <> (p[0].x == 0 and Y or Z)) or X)
      // X reaches into the body of a quantifier.
      mu across: mu X. (forall q in p: q.x == 2) or exists q in p: (q.x < 2 and <> X)";
    let program = built("known", source, &[]);
    for (name, expected) in [
        ("ef", true),
        ("ef_mu", true),
        ("af", false),
        ("af_mu", false),
        ("ag", true),
        ("ag_mu", true),
        ("eu", true),
        ("eu_mu", true),
        ("often", true),
        ("always_often", false),
        ("at_two_and_back", false),
        ("at_one", true),
        ("at_one_from_zero", true),
        ("across", true),
    ] {
        let id = program.property(name).expect("it is there");
        for choice in [Choice::Model, Choice::None] {
            assert_eq!(run(&program, id, choice, Settings::default()).1, expected, "{name} {choice:?}");
        }
    }
    // Four like processes with three values: 15 states; with one told apart 30.
    let states = |name: &str| {
        let id = program.property(name).expect("it is there");
        run(&program, id, Choice::Model, Settings::default()).0.largest_graph().len()
    };
    assert_eq!((states("ef_mu"), states("ag_mu"), states("often")), (15, 30, 30));
    assert_eq!(states("across"), 30);
}

/// A fixed point inside one of the other kind starts anew whenever that changes: where x is 0, what was found for the first X
/// would keep itself alive, since x may stay there, though x is 1 once at most.
#[test]
fn inner_fixed_points_start_anew() {
    let source = "process p { var x: 0..2 = 0
        action stay: x == 0 -> x := 0
        action go: x == 0 -> x := 1
        action on: x >= 1 -> x := 2 }
      mu often: nu X. mu Y. <> ((p.x == 1 and X) or Y)
      mu rarely: mu X. nu Y. [] ((p.x != 1 or X) and Y)";
    let program = built("anew", source, &[]);
    for (name, expected) in [("often", false), ("rarely", true)] {
        let id = program.property(name).expect("it is there");
        assert_eq!(run(&program, id, Choice::Model, Settings::default()).1, expected, "{name}");
    }
}

/// Where deadlocks are dropped, only infinite paths count; otherwise the last state repeats.
#[test]
fn dropped_deadlocks() {
    let source = "shared x: 0..3 = 0
      process p {
        action spin: x <= 1 -> x := 1 - x
        action fall: x == 1 -> x := 2
        action end: x == 2 -> x := 3 }
      mu end: mu X. x == 3 or <> X
      mu end_stays: nu X. x <= 3 and <> X
      mu low: nu X. x < 2 and [] X";
    let program = built("drop", source, &[]);
    for (name, stutter, drop) in [("end", true, false), ("end_stays", true, true), ("low", false, true)] {
        let id = program.property(name).expect("it is there");
        for (deadlock, expected) in [(Deadlock::Stutter, stutter), (Deadlock::Drop, drop)] {
            let settings = Settings { deadlock, ..Settings::default() };
            assert_eq!(run(&program, id, Choice::Model, settings).1, expected, "{name} {deadlock:?}");
        }
    }
}
