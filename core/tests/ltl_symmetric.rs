//! Quantifiers inside of temporal operators: permutations that act on the automaton give the same verdicts as tracking every
//! process, and as the plain method; and they need fewer states.

use crate::support::programs::{Knobs, add_inner, generate, machines, roles};
use crate::support::{built, cases, first_seed};
use orbitscope_core::check::{Check, Counterexample, Engine, Options, Report, Target, Verdict};
use orbitscope_core::ltl;
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::program::{Program, PropertyId};
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose};
use orbitscope_core::syntax::ast::Fairness;

fn run(program: &Program, symmetry: &ProgramSymmetry, id: PropertyId, options: Options) -> Option<Report> {
    let mut check = Check::new(program, symmetry, Target::Property(id), options).ok()?;
    Some(check.run())
}

fn word(report: &Report) -> Option<bool> {
    match &report.verdict {
        Verdict::Holds => Some(true),
        Verdict::Violated => Some(false),
        Verdict::Unknown(_) => None,
    }
}

#[derive(Default, Debug)]
struct Tally {
    cases: u64,
    symmetric: u64,
    violated: u64,
    /// Product states by the one way and by the other, where the search ended with all of them.
    acting: u64,
    tracking: u64,
}

#[test]
fn random_formulas() {
    let wanted = cases(2_000);
    let mut tally = Tally::default();
    let mut seed = first_seed();
    while tally.cases < wanted {
        seed += 1;
        let knobs = Knobs { space: 60, properties: 0, fairness: 80, ..Knobs::symmetric() };
        let spec = match seed % 4 {
            0 | 1 => generate(seed, &knobs),
            2 => machines(seed),
            _ => roles(seed),
        };
        let source = add_inner(spec, seed, &knobs, 4).to_string();
        let program = built("random", &source, &[]);
        let symmetry = choose(&program, Choice::Model).expect("no claims");
        let fairness = [
            FairnessChoice::Model,
            FairnessChoice::All(Fairness::Weak),
            FairnessChoice::All(Fairness::Strong),
            FairnessChoice::All(Fairness::None),
        ][(seed / 4 % 4) as usize];
        let translation = ltl::Limits { states: 300, ..ltl::Limits::default() };
        for (id, property) in program.properties.iter_enumerated() {
            let options = Options { fairness, translation, ..Options::default() };
            let Some(acting) = run(&program, &symmetry, id, options) else { continue };
            let place = || format!("seed {seed}, {} under {fairness:?} fairness\n{source}", property.name);
            tally.cases += 1;
            if !acting.symmetric {
                continue;
            }
            tally.symmetric += 1;
            let tracking = run(&program, &symmetry, id, Options { expand_quantifiers: true, ..options });
            let plain = run(&program, &symmetry, id, Options { engine: Engine::Explicit, ..options });
            let (tracking, plain) = (tracking.expect("it is small"), plain.expect("it is small"));
            assert!(!tracking.symmetric && !plain.symmetric);
            if word(&plain).is_none() {
                assert!(word(&acting).is_none(), "{acting:?} and {plain:?}: {}", place());
                continue;
            }
            assert_eq!(word(&acting), word(&plain), "{acting:?}: {}", place());
            assert_eq!(word(&tracking), word(&plain), "{}", place());
            let holds = matches!(acting.verdict, Verdict::Holds);
            tally.violated += u64::from(!holds);
            assert_eq!(holds, acting.counterexample.is_none());
            if holds {
                tally.acting += acting.stats.product_states.unwrap_or(0);
                tally.tracking += tracking.stats.product_states.unwrap_or(0);
            }
        }
    }
    println!("{tally:?}");
    let Tally { cases, symmetric, violated, acting, tracking } = tally;
    assert!(symmetric * 4 > cases && violated * 5 > symmetric && violated * 10 < symmetric * 9, "{tally:?}");
    assert!(acting < tracking, "{tally:?}");
}

/// With every process tracked there is no symmetry left; with an automaton that permutations act on it is all there.
#[test]
fn fewer_states() {
    let source = "param n = 6 process p[n] { var st: {N, T, C} = N
        action try: st == N -> st := T
        action enter: st == T and forall q in p: q.st != C -> st := C
        action leave: st == C -> st := N }
      ltl somebody: G F exists a in p: X a.st == C
      ltl nobody_for_ever: not F exists a in p: G a.st == T
      ltl everybody: G forall a in p: (a.st == T => F a.st == C)";
    let program = built("inner", source, &[]);
    let symmetry = choose(&program, Choice::Model).expect("no claims");
    let mut acted = 0;
    for (id, property) in program.properties.iter_enumerated() {
        let acting = run(&program, &symmetry, id, Options::default()).expect("it is small");
        let expand = Options { expand_quantifiers: true, ..Options::default() };
        let tracking = run(&program, &symmetry, id, expand).expect("it is small");
        assert_eq!(word(&acting), word(&tracking), "{}", property.name);
        println!("{} {:?} {:?} {:?}", property.name, acting.symmetric, acting.stats, tracking.stats);
        if let Some(Counterexample::Path(_)) = acting.counterexample {
            panic!("a run shows it, not a path");
        }
        acted += u32::from(acting.symmetric);
        if acting.symmetric && matches!(acting.verdict, Verdict::Holds) {
            assert!(acting.stats.aqsi_states < tracking.stats.aqsi_states);
        }
    }
    assert!(acted >= 2);
}
