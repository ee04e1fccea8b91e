//! Fair CTL: path quantifiers over fair paths, on the program and on its quotient, against fair cycles of the
//! interpreter's graph; every fair run replayed.

use super::ctl_agree::rests_on;
use crate::support::oracle::Oracle;
use crate::support::programs::{Knobs, add_branching, add_inevitable, generate, machines, roles};
use crate::support::temporal::Checker;
use crate::support::{Verdict, asks_shares, built, cases, first_seed, parsed, written};
use orbitscope_core::ctl::{
    Algorithm, Because, Claim, CtlCheck, EvidenceFault, Outcome, Settings, Sub, replay, replay_tree,
};
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::program::{Program, PropertyId};
use orbitscope_core::quotient::Prune;
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose};
use orbitscope_core::syntax::ast::Fairness;

fn run<'p>(
    program: &'p Program,
    id: PropertyId,
    symmetry: &ProgramSymmetry,
    settings: Settings,
) -> (CtlCheck<'p>, bool) {
    let mut check = CtlCheck::new(program, id, symmetry, settings).expect("it can be checked");
    let holds = match check.run() {
        Outcome::Holds => true,
        Outcome::Violated => false,
        other => panic!("{other:?}"),
    };
    (check, holds)
}

/// Opens claims and replays what they rest on, up to this many; counts them and the fair runs.
fn replay_all(program: &Program, check: &mut CtlCheck<'_>, most: usize) -> Result<(u64, u64), String> {
    let formula = check.formula().clone();
    let tree = check.tree().ok_or("there is no evidence")?;
    replay_tree(program, &formula, Deadlock::Stutter, &tree).map_err(|f| format!("{f:?}: {tree:#?}"))?;
    let mut open: Vec<Claim> = check.claim().into_iter().collect();
    let (mut seen, mut runs) = (0, 0);
    while let Some(claim) = open.pop() {
        let evidence = check.explain(&claim).ok_or_else(|| format!("no evidence for {claim:?}"))?;
        replay(program, &formula, Deadlock::Stutter, &evidence)
            .map_err(|f| format!("{f:?}: {evidence:#?}"))?;
        seen += 1;
        let fair = matches!(formula.parts[claim.part].subs[claim.sub], Sub::FairGlobally(_));
        runs += u64::from(fair && matches!(evidence.because, Because::Walk { .. }));
        if seen > most as u64 {
            break;
        }
        open.extend(rests_on(evidence.because)?);
    }
    Ok((seen, runs))
}

#[derive(Default, Debug)]
struct Tally {
    cases: u64,
    violated: u64,
    /// Where the answer is another one than about all paths.
    fairness_decides: u64,
    evidence: u64,
    runs: u64,
}

#[test]
fn random_formulas() {
    let wanted = cases(3_000);
    let mut tally = Tally::default();
    let mut seed = first_seed();
    while tally.cases < wanted {
        seed += 1;
        let knobs = Knobs::branching(seed, 16, 200);
        let spec = match seed % 4 {
            0 | 1 => generate(seed, &knobs),
            2 => machines(seed),
            _ => roles(seed),
        };
        let spec = add_branching(spec, seed, &knobs, 4);
        let source = add_inevitable(spec, seed, &knobs, 8).to_string();
        let file = parsed("random", &source);
        let oracle = Oracle::new(&file, &[]);
        let Some(graph) = oracle.explore_sound(120) else { continue };
        let mut checker = Checker::new(&oracle, &graph);
        let program = built("random", &source, &[]);
        let symmetries =
            [Choice::Model, Choice::None].map(|choice| choose(&program, choice).expect("no claims"));
        let (assumed, fairness) = [
            (None, FairnessChoice::Model),
            (Some(Fairness::Weak), FairnessChoice::All(Fairness::Weak)),
            (Some(Fairness::Strong), FairnessChoice::All(Fairness::Strong)),
            (Some(Fairness::None), FairnessChoice::All(Fairness::None)),
        ][[0, 1, 2, 1, 2, 3][(seed % 6) as usize]];
        let prune = [Prune::Full, Prune::Process, Prune::None][(seed / 6 % 3) as usize];
        for (id, property) in written(&program) {
            checker.fair_paths = None;
            let plain = checker.check(&property.name, None) == Verdict::Holds;
            checker.fair_paths = Some(assumed);
            let expected = checker.check(&property.name, None) == Verdict::Holds;
            tally.cases += 1;
            tally.violated += u64::from(!expected);
            tally.fairness_decides += u64::from(expected != plain);
            for symmetry in &symmetries {
                let settings = Settings { fair_paths: Some(fairness), prune, ..Settings::default() };
                let (mut check, holds) = run(&program, id, symmetry, settings);
                let place = || {
                    format!("seed {seed}, {} under {fairness:?} fairness, {prune:?}\n{source}", property.name)
                };
                assert_eq!(holds, expected, "{}", place());
                let (evidence, runs) = replay_all(&program, &mut check, 10)
                    .unwrap_or_else(|error| panic!("{error}: {}", place()));
                tally.evidence += evidence;
                tally.runs += runs;
                for algorithm in [Algorithm::Naive, Algorithm::Emc, Algorithm::Local] {
                    let mut check = check.relabelled(algorithm).expect("the graphs are complete");
                    let holds = matches!(check.run(), Outcome::Holds);
                    assert_eq!(holds, expected, "{algorithm:?}: {}", place());
                }
            }
        }
    }
    println!("{tally:?}");
    if !asks_shares() {
        return;
    }
    let Tally { cases, violated, fairness_decides, runs, .. } = tally;
    assert!(violated * 10 > cases && violated * 10 < cases * 9, "{tally:?}");
    assert!(fairness_decides * 50 > cases && runs * 2 > cases, "{tally:?}");
}

const TURNS: &str = "process p[3] { var x: bool = false var busy: bool = false
    action flip: true -> x := not x
    action work: x -> busy := not busy }
  ctl moves: AF exists q in p: q.x
  ctl each_moves: forall q in p: AF q.x
  ctl works: forall q in p: AG AF q.busy
  ctl can_rest: EG forall q in p: not q.x
  ctl next_on: EX true and AX EF p[0].x";

/// Weak fairness makes each process move, and no fairness makes it choose `work`.
#[test]
fn known_verdicts() {
    let program = built("turns", TURNS, &[]);
    let symmetry = choose(&program, Choice::Model).expect("nothing is claimed");
    for (name, all, weak) in [
        ("moves", true, true),
        ("each_moves", false, true),
        ("works", false, false),
        ("can_rest", false, false),
        ("next_on", true, true),
    ] {
        let id = program.property(name).expect("it is there");
        for algorithm in Algorithm::ALL {
            for (fair_paths, expected) in [(None, all), (Some(FairnessChoice::Model), weak)] {
                let settings = Settings { algorithm, fair_paths, ..Settings::default() };
                let (mut check, holds) = run(&program, id, &symmetry, settings);
                assert_eq!(holds, expected, "{name} {algorithm:?} {fair_paths:?}");
                replay_all(&program, &mut check, 100).expect("the evidence replays");
            }
        }
    }
}

/// Where deadlocks are dropped, infinite paths may start in a state and no fair one: where x is 0, fairness makes q fall, and
/// then nothing goes on. Otherwise the last state repeats, and q, which cannot move there, is treated fairly.
#[test]
fn no_fair_path() {
    let source = "shared x: 0..3 = 2
      process p {
        action spin: x == 0 -> x := 0
        action there: x == 2 -> x := 0
        action away: x >= 2 -> x := 3 }
      process q { action fall: x == 0 -> x := 1 }
      ctl next: EX x == 0
      ctl until: E[x == 2 U x == 0]
      ctl always_until: A[x == 2 U x == 3]";
    let program = built("fall", source, &[]);
    let symmetry = choose(&program, Choice::Model).expect("nothing is claimed");
    for (name, stutter, drop) in
        [("next", true, false), ("until", true, false), ("always_until", false, true)]
    {
        let id = program.property(name).expect("it is there");
        for algorithm in Algorithm::ALL {
            for (deadlock, expected) in [(Deadlock::Stutter, stutter), (Deadlock::Drop, drop)] {
                let fair_paths = Some(FairnessChoice::Model);
                let settings = Settings { algorithm, fair_paths, deadlock, ..Settings::default() };
                let holds = run(&program, id, &symmetry, settings).1;
                assert_eq!(holds, expected, "{name} {algorithm:?} {deadlock:?}");
            }
        }
    }
}

/// A run that is not fair is refused.
#[test]
fn unfair_runs_are_refused() {
    let program = built("turns", TURNS, &[]);
    let symmetry = choose(&program, Choice::Model).expect("nothing is claimed");
    let id = program.property("works").expect("it is there");
    let settings = Settings { fair_paths: Some(FairnessChoice::Model), ..Settings::default() };
    let (mut check, holds) = run(&program, id, &symmetry, settings);
    assert!(!holds);
    let formula = check.formula().clone();
    let mut open: Vec<Claim> = check.claim().into_iter().collect();
    let mut refused = 0;
    while let Some(claim) = open.pop() {
        let evidence = check.explain(&claim).expect("there is evidence");
        let fair = matches!(formula.parts[claim.part].subs[claim.sub], Sub::FairGlobally(_));
        let mut unfair = evidence.clone();
        match &mut unfair.because {
            // One process goes to and fro for ever: the others could move, too, and do not.
            Because::Walk { steps, back, claims } if fair => {
                let values = |at: usize| if at == 0 { &claim.values } else { &steps[at - 1].values };
                let start = (0..steps.len())
                    .find(|&at| {
                        let step = &steps[at];
                        values(at) != &step.values && step.action.as_ref().is_some_and(|(a, _)| a.0 == 0)
                    })
                    .expect("somebody flips");
                let mut there_and_back = steps[start].clone();
                there_and_back.values = values(start).clone();
                steps.truncate(start + 1);
                steps.push(there_and_back);
                *back = Some(start as u32);
                claims.retain(|(at, _)| *at as usize <= start + 1);
                let mut last = claims.last().expect("a claim").clone();
                last.0 = start as u32 + 1;
                last.1.values = steps[start].values.clone();
                claims.truncate(start + 1);
                claims.push(last);
                let verdict = replay(&program, &formula, Deadlock::Stutter, &unfair);
                assert!(matches!(verdict, Err(EvidenceFault::DoesNotFollow)), "{verdict:?} for {unfair:#?}");
                refused += 1;
            }
            Because::Claims(claims) | Because::Every(claims) => open.append(claims),
            Because::Choice(_, claim) => open.push(claim.clone()),
            Because::Walk { claims, .. } => open.extend(claims.drain(..).map(|(_, claim)| claim)),
            _ => {}
        }
    }
    assert!(refused > 0);
}
