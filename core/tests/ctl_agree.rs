//! The four algorithms, on the program and on its quotient, against a direct fixed point; and every piece of evidence replayed.

use crate::support::programs::{Knobs, add_branching, generate};
use crate::support::random::Random;
use crate::support::temporal::Checker;
use crate::support::{Case, Verdict, asks_shares, built, cases, first_seed, on_sound_graph, written};
use orbitscope_core::ctl::{
    Algorithm, Because, Claim, CtlCheck, EvidenceFault, Outcome, Settings, Tree, replay, replay_tree,
};
use orbitscope_core::product::Deadlock;
use orbitscope_core::program::{Program, PropertyId};
use orbitscope_core::quotient::Prune;
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose};

fn check<'p>(
    program: &'p Program,
    id: PropertyId,
    symmetry: &ProgramSymmetry,
    settings: Settings,
) -> Result<(CtlCheck<'p>, bool), String> {
    let mut check = CtlCheck::new(program, id, symmetry, settings).map_err(|e| format!("{e:?}"))?;
    match check.run().clone() {
        Outcome::Holds => Ok((check, true)),
        Outcome::Violated => Ok((check, false)),
        other => Err(format!("{other:?}")),
    }
}

/// Opens claims and replays what they rest on, up to this many.
fn replay_all(program: &Program, check: &mut CtlCheck<'_>, most: usize) -> Result<usize, String> {
    let deadlock = Deadlock::Stutter;
    let formula = check.formula().clone();
    let tree = check.tree().ok_or("there is no evidence")?;
    replay_tree(program, &formula, deadlock, &tree).map_err(|f| format!("{f:?}: {tree:#?}"))?;
    let mut open: Vec<Claim> = check.claim().into_iter().collect();
    let mut seen = 0;
    while let Some(claim) = open.pop() {
        let evidence = check.explain(&claim).ok_or_else(|| format!("no evidence for {claim:?}"))?;
        replay(program, &formula, deadlock, &evidence).map_err(|f| format!("{f:?}: {evidence:#?}"))?;
        seen += 1;
        if seen > most {
            break;
        }
        open.extend(rests_on(evidence.because)?);
    }
    Ok(seen)
}

/// The claims that evidence rests on.
pub(crate) fn rests_on(because: Because) -> Result<Vec<Claim>, String> {
    Ok(match because {
        Because::Claims(claims) | Because::Every(claims) => claims,
        Because::Choice(_, claim) => vec![claim],
        Because::Walk { claims, .. } => claims.into_iter().map(|(_, claim)| claim).collect(),
        Because::TooLong => return Err("a walk is too long".into()),
        Because::Fact | Because::Universal => Vec::new(),
    })
}

/// Breaks a tree in one place; says whether it was possible.
fn corrupt(tree: &mut Tree, random: &mut Random) -> bool {
    match (&mut tree.evidence.because, random.below(3)) {
        (Because::Walk { steps, .. }, 0) if steps.len() > 1 => {
            steps.remove(0);
            true
        }
        (Because::Walk { claims, .. }, _) if !claims.is_empty() => {
            let at = random.below(claims.len());
            claims[at].1.holds ^= true;
            true
        }
        (Because::Claims(claims), _) if !claims.is_empty() => {
            let at = random.below(claims.len());
            claims[at].holds ^= true;
            true
        }
        (Because::Choice(_, claim), _) => {
            claim.holds ^= true;
            true
        }
        (Because::Fact, _) => {
            tree.evidence.claim.holds ^= true;
            true
        }
        _ => false,
    }
}

#[derive(Default)]
struct Tally {
    cases: u64,
    violated: u64,
    evidence: usize,
    corrupted: u64,
    programs: u64,
}

fn agree(
    program: &Program,
    id: PropertyId,
    symmetries: &[ProgramSymmetry; 2],
    expected: bool,
    pick: u64,
    tally: &mut Tally,
) -> Result<(), String> {
    let prune = [Prune::Full, Prune::Process, Prune::None][(pick % 3) as usize];
    for (symmetry, which) in symmetries.iter().zip(["with", "without"]) {
        let settings = Settings { algorithm: Algorithm::Global, prune, ..Settings::default() };
        let (first, _) = check(program, id, symmetry, settings)?;
        for algorithm in Algorithm::ALL {
            let mut check = first.relabelled(algorithm).ok_or("the graphs are complete")?;
            let holds = matches!(check.run(), Outcome::Holds);
            if holds != expected {
                return Err(format!("{algorithm:?} {which} symmetry and {prune:?} says {holds}"));
            }
            // The two that find their truth values in the most different ways.
            if matches!(algorithm, Algorithm::Global | Algorithm::Local) {
                tally.evidence += replay_all(program, &mut check, 12)
                    .map_err(|error| format!("{algorithm:?} {which} symmetry: {error}"))?;
            }
            if algorithm == Algorithm::Global {
                let mut tree = check.tree().ok_or("there is no evidence")?;
                if corrupt(&mut tree, &mut Random::new(pick)) {
                    tally.corrupted += 1;
                    let formula = check.formula();
                    if replay_tree(program, formula, Deadlock::Stutter, &tree).is_ok() {
                        return Err(format!("a corrupted tree replays: {tree:#?}"));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Asks all about a program.
fn ask(seed: u64, source: &str, case: &Case<'_>, tally: &mut Tally) {
    tally.programs += 1;
    let &Case { oracle, graph, program, .. } = case;
    let checker = Checker::new(oracle, graph);
    let symmetries = [Choice::Model, Choice::None].map(|choice| choose(program, choice).expect("no claims"));
    for (id, property) in written(program) {
        let expected = checker.check(&property.name, None) == Verdict::Holds;
        tally.cases += 1;
        tally.violated += u64::from(!expected);
        let pick = seed + u64::from(id.0);
        if let Err(error) = agree(program, id, &symmetries, expected, pick, tally) {
            panic!("seed {seed}, {}: {error}; it should be {expected}\n{source}", property.name);
        }
    }
}

#[test]
fn random_formulas() {
    let wanted = cases(20_000);
    let mut tally = Tally::default();
    let mut seed = first_seed();
    while tally.cases < wanted {
        seed += 1;
        let knobs = Knobs::branching(seed, 16, 300);
        let source = add_branching(generate(seed, &knobs), seed, &knobs, 16).to_string();
        on_sound_graph(&source, 300, |case| ask(seed, &source, case, &mut tally));
    }
    let Tally { cases, violated, evidence, corrupted, programs } = tally;
    println!(
        "{cases} cases of {programs} programs, {violated} violated, {evidence} pieces of evidence, {corrupted} corrupted"
    );
    if !asks_shares() {
        return;
    }
    assert!(violated * 10 > cases && violated * 10 < cases * 9, "{violated} of {cases} are violated");
    assert!(corrupted * 4 > cases, "only {corrupted} were corrupted");
}

/// All properties of a model by all algorithms, with deadlocks that repeat and with dropped ones: name, and both verdicts.
fn stuttering_and_dropped(source: &str, expected: &[(&str, bool, bool)]) {
    let program = built("drop", source, &[]);
    assert_eq!(program.properties.len(), expected.len());
    let symmetry = choose(&program, Choice::Model).expect("nothing is claimed");
    for &(name, stutter, drop) in expected {
        let id = program.property(name).expect("it is there");
        for algorithm in Algorithm::ALL {
            for (deadlock, expected) in [(Deadlock::Stutter, stutter), (Deadlock::Drop, drop)] {
                let settings = Settings { algorithm, deadlock, ..Settings::default() };
                let (mut check, holds) = check(&program, id, &symmetry, settings).expect("an answer");
                assert_eq!(holds, expected, "{name} {algorithm:?} {deadlock:?}");
                let tree = check.tree().expect("there is evidence");
                assert!(replay_tree(&program, check.formula(), deadlock, &tree).is_ok(), "{name} {tree:?}");
            }
        }
    }
}

/// Where deadlocks are dropped, only infinite paths count.
#[test]
fn dropped_deadlocks() {
    let source = "shared x: 0..3 = 0
      process p[2] {
        action spin: x <= 1 -> x := 1 - x
        action fall: x == 1 -> x := 2
        action end: x == 2 -> x := 3 }
      ctl a: AG x < 2
      ctl b: EF x == 2
      ctl c: AF x == 1
      ctl d: AX (x == 1 and AX x == 0)
      ctl e: E[x < 2 U x == 2]
      ctl f: EG x < 2
      ctl g: forall q in p: AG enabled(q)";
    stuttering_and_dropped(
        source,
        &[
            ("a", false, true),
            ("b", true, false),
            ("c", true, true),
            ("d", false, true),
            ("e", true, false),
            ("f", true, true),
            ("g", false, true),
        ],
    );
}

/// Where no infinite path starts, everything holds of all of them and nothing of some.
#[test]
fn no_infinite_path() {
    let source = "shared x: 0..2 = 0
      process p[2] { action go: x < 2 -> x := x + 1 }
      ctl a: AX x == 0
      ctl b: AG x == 0
      ctl c: A[x == 0 U x == 2]
      ctl d: AF x == 2 and x == 1
      ctl e: EX x == 1
      ctl f: EF x == 0
      ctl g: EG x <= 2
      ctl h: E[x < 2 U x == 2]
      ctl i: not EF exists q in p: enabled(q)
      ctl j: A[x == 1 R x == 0]";
    stuttering_and_dropped(
        source,
        &[
            ("a", false, true),
            ("b", false, true),
            ("c", false, true),
            ("d", false, false),
            ("e", true, false),
            ("f", true, false),
            ("g", true, false),
            ("h", true, false),
            ("i", false, true),
            ("j", false, true),
        ],
    );
}

/// Leftovers of one search must not reach the next one: the state in which x is 2 waits for another one in the first
/// search, and has to be decided alone in the second, before the state in which x is 5.
#[test]
fn a_search_leaves_nothing_behind() {
    let source = "process p { var x: 0..6 = 0
        action one: x == 0 -> x := 1
        action three: x == 0 -> x := 3
        action two: x == 1 -> x := 2
        action back: x == 2 -> x := 1
        action five: x == 1 -> x := 5
        action four: x == 3 or x == 5 -> x := 4
        action rest: x == 4 -> x := 4 }
      ctl six: EF p.x == 6
      ctl twice: AG ((EF p.x == 6) or (p.x == 2 => not E[p.x != 1 U p.x == 4]))";
    stuttering_and_dropped(source, &[("six", false, false), ("twice", true, true)]);
}

/// An expression may tell processes apart without naming one: the group of its part does not exchange them.
#[test]
fn what_an_expression_tells_apart() {
    let source = "process p[3] { var x: bool = false
        action up: not exists q in p: q.x -> x := true
        action rest: x -> x := x }
      ctl zero: EF exists q in p: index(q) == 0 and q.x
      ctl one: EF exists q in p: index(q) == 1 and q.x
      ctl two: EF exists q in p: index(q) == 2 and q.x
      ctl until_one: E[(forall q in p: not q.x) U exists q in p: index(q) == 1 and q.x]
      ctl until_two: E[(forall q in p: not q.x) U exists q in p: index(q) == 2 and q.x]
      ctl some: AF exists q in p: q.x
      ctl others: AG forall q in p: q.x => index(q) == 0";
    let hold = ["zero", "one", "two", "until_one", "until_two", "some"].map(|name| (name, true, true));
    let expected: Vec<(&str, bool, bool)> = hold.into_iter().chain([("others", false, false)]).collect();
    stuttering_and_dropped(source, &expected);
}

/// Evidence is refused if it is no path of the program, no loop, or about another state.
#[test]
fn corrupted_evidence_is_refused() {
    let source = "process p[3] { var x: 0..2 = 0
        action up: x < 2 -> x := x + 1
        action down: x > 0 -> x := x - 1 }
      ctl reach: not EF forall q in p: q.x == 2
      ctl stay: AF exists q in p: q.x == 2";
    let program = built("corrupt", source, &[]);
    let symmetry = choose(&program, Choice::Model).expect("nothing is claimed");
    let settings = Settings::default();
    let replayed =
        |check: &CtlCheck<'_>, tree: &Tree| replay_tree(&program, check.formula(), Deadlock::Stutter, tree);
    let find = |tree: &mut Tree, change: &dyn Fn(&mut Because)| {
        let mut at = tree;
        while !matches!(at.evidence.because, Because::Walk { .. }) {
            at = &mut at.below[0].1;
        }
        at.below.clear();
        change(&mut at.evidence.because);
    };
    let id = program.property("reach").expect("it is there");
    let (mut check_reach, holds) = check(&program, id, &symmetry, settings).expect("an answer");
    assert!(!holds);
    let good = check_reach.tree().expect("there is evidence");
    assert!(replayed(&check_reach, &good).is_ok());
    let broken = |change: &dyn Fn(&mut Because)| {
        let mut tree = good.clone();
        find(&mut tree, change);
        replayed(&check_reach, &tree)
    };
    assert_eq!(broken(&|_| {}), Ok(0));
    assert_eq!(
        broken(&|because| {
            let Because::Walk { steps, .. } = because else { unreachable!("it is a walk") };
            assert_eq!(steps.len(), 6);
            steps.swap(0, 5);
        }),
        Err(EvidenceFault::NoStep(0))
    );
    assert_eq!(
        broken(&|because| {
            let Because::Walk { steps, claims, .. } = because else { unreachable!("it is a walk") };
            steps.pop();
            claims.pop();
        }),
        Err(EvidenceFault::DoesNotFollow)
    );
    assert_eq!(
        broken(&|because| {
            let Because::Walk { steps, claims, .. } = because else { unreachable!("it is a walk") };
            steps.pop();
            let (_, mut last) = claims.pop().expect("the last state");
            last.values = steps[4].values.clone();
            claims.pop();
            claims.push((5, last));
        }),
        Err(EvidenceFault::Wrong)
    );
    let id = program.property("stay").expect("it is there");
    let (mut check_stay, _) = check(&program, id, &symmetry, settings).expect("an answer");
    let mut tree = check_stay.tree().expect("there is evidence");
    assert!(replayed(&check_stay, &tree).is_ok());
    find(&mut tree, &|because| {
        let Because::Walk { steps, back, .. } = because else { unreachable!("it is a walk") };
        assert!(back.is_some(), "the loop closes");
        *back = Some(steps.len() as u32 - 1);
    });
    assert_eq!(replayed(&check_stay, &tree), Err(EvidenceFault::Open));
    let mut tree = check_stay.tree().expect("there is evidence");
    tree.evidence.claim.values[0] = 1;
    assert_eq!(replayed(&check_stay, &tree), Err(EvidenceFault::NotInitial));
}
