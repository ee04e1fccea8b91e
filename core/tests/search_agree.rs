//! The on-the-fly search, the older threaded method and the plain one against each other, on random programs and properties.
//!
//! `ORBITSCOPE_CASES` sets the cases of each of the four tests, `ORBITSCOPE_SEED` the first seed.

use crate::support::agree::{Answer, CACHES, How, LIMITS, agree, on_the_fly, symmetry_of, verdict};
use crate::support::built;
use crate::support::programs::{Knobs, Spec, Type, add_temporal, dressed, generate, machines, roles};
use crate::support::random::Random;
use orbitscope_core::automaton::{Ap, AutomatonState, Label, Tgba};
use orbitscope_core::explore::{Exploration, Limits};
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, ProcessSet};
use orbitscope_core::program::{Program, PropertyKind};
use orbitscope_core::property::{Obligation, obligations};
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::{Explicit, explicit};
use orbitscope_core::syntax::ast::Fairness;
use std::rc::Rc;

/// How many cases had what.
#[derive(Default, Debug)]
struct Tally {
    cases: u64,
    programs: u64,
    skipped: u64,
    violated: u64,
    /// Under less fairness the verdict is another one: under none, or, where all are strongly fair, under weak fairness.
    fairness_decides: u64,
    stored_ids: u64,
    rings: u64,
    several_families: u64,
    several_tracked: u64,
    deadlocks: u64,
    dropped_deadlocks: u64,
    unfair_families: u64,
    fair_actions: u64,
    /// Without the fairness of actions the verdict is another one.
    actions_decide: u64,
    assumed: u64,
    several_roots: u64,
    formulas: u64,
    automata: u64,
    random_automata: u64,
    several_sets: u64,
    nondeterministic: u64,
    prunings: [u64; 3],
}

const PRUNINGS: [Prune; 3] = [Prune::Full, Prune::Process, Prune::None];

pub(crate) fn program(seed: u64) -> Spec {
    let kind = match seed % 8 {
        0 => Knobs::default(),
        1 => Knobs { ids: 60, any: 25, ..Knobs::symmetric() },
        2 => Knobs { ring: 80, families: 2, ..Knobs::symmetric() },
        3 => Knobs::wide(seed / 8),
        _ => Knobs::symmetric(),
    };
    let knobs = Knobs { space: 80, properties: 0, fairness: 80, definitions: 1, ..kind };
    let spec = match seed % 8 {
        0..4 => generate(seed, &knobs),
        4..7 => machines(seed),
        _ => roles(seed),
    };
    let spec = dressed(spec, seed, &knobs);
    add_temporal(spec, seed, &knobs)
}

/// Whether processes get different kinds of fairness.
fn is_mixed(program: &Program, of: &FairnessOf) -> bool {
    let all = ProcessSet::range(0..program.process_count());
    let mut asked = of.none.clone();
    asked.union(&of.strong);
    let kinds = [of.none != ProcessSet::default(), of.strong != ProcessSet::default(), asked != all];
    kinds.iter().filter(|&&kind| kind).count() > 1
}

/// Checks the temporal properties of a program, each in some way that the seed chooses.
fn check(seed: u64, spec: &Spec, fairness: FairnessChoice, tally: &mut Tally) -> Result<(), String> {
    let program = built("random", &spec.to_string(), &[]);
    let of = FairnessOf::new(&program, fairness);
    if fairness == FairnessChoice::Model && !is_mixed(&program, &of) {
        return Ok(());
    }
    let mut exploration = Exploration::new(&program, Limits { states: 1_000, ..Limits::default() }, &[]);
    exploration.run();
    let symmetry = symmetry_of(&program)?;
    let mut random = Random::new(seed);
    let without_fair_actions = (!of.actions.is_empty()).then(|| {
        let mut plain = spec.clone();
        plain.families.iter_mut().flat_map(|f| &mut f.actions).for_each(|action| action.fairness = None);
        built("without fair actions", &plain.to_string(), &[])
    });
    tally.programs += 1;
    let properties = program.properties.iter_enumerated();
    // The automaton twice: as it is written, and with any moves between its guards.
    let ways = properties.flat_map(|(id, property)| {
        let automaton = matches!(property.kind, PropertyKind::Automaton(_));
        let again = automaton.then_some((id, property, true));
        [(id, property, false)].into_iter().chain(again)
    });
    for (id, property, replaced) in ways {
        let pruning = random.below(3);
        let how = How {
            fairness,
            prune: PRUNINGS[pruning],
            deadlock: if random.coin() { Deadlock::Drop } else { Deadlock::Stutter },
            automaton: replaced.then(|| random.bits()),
            cache: CACHES[seed as usize / 8 % 4],
        };
        let answer = agree(&program, &symmetry, id, how)
            .map_err(|error| format!("{} checked with {how:?}: {error}", property.name))?;
        let Some(Answer { holds, tracked, acceptance_sets, nondeterministic, .. }) = answer else {
            tally.skipped += 1;
            continue;
        };
        let less = match fairness {
            FairnessChoice::All(Fairness::Strong) => Fairness::Weak,
            _ => Fairness::None,
        };
        let with_less = verdict(&program, &symmetry, id, How { fairness: FairnessChoice::All(less), ..how });
        let automaton = matches!(property.kind, PropertyKind::Automaton(_));
        let deadlocks = !exploration.deadlocks().is_empty();
        let vars = || spec.shared.iter().chain(spec.families.iter().flat_map(|f| &f.vars));
        let mut count = |counter: fn(&mut Tally) -> &mut u64, yes: bool| *counter(tally) += u64::from(yes);
        count(|t| &mut t.cases, true);
        count(|t| &mut t.violated, !holds);
        count(|t| &mut t.fairness_decides, with_less == Some(!holds));
        count(|t| &mut t.stored_ids, vars().any(|v| matches!(v.ty, Type::Id { .. })));
        count(|t| &mut t.rings, spec.families.iter().any(|f| f.ring && f.size.is_some_and(|n| n > 2)));
        count(|t| &mut t.several_families, spec.families.len() > 1);
        count(|t| &mut t.several_tracked, tracked > 1);
        count(|t| &mut t.deadlocks, deadlocks);
        count(|t| &mut t.dropped_deadlocks, deadlocks && how.deadlock == Deadlock::Drop);
        count(|t| &mut t.unfair_families, of.none != ProcessSet::default());
        count(|t| &mut t.fair_actions, !of.actions.is_empty());
        count(|t| &mut t.assumed, program.assumption.is_some());
        let plain = without_fair_actions.as_ref().and_then(|plain| verdict(plain, &symmetry, id, how));
        count(|t| &mut t.actions_decide, plain == Some(!holds));
        count(|t| &mut t.several_roots, vars().any(|v| v.init == "any"));
        count(|t| &mut t.formulas, !automaton);
        count(|t| &mut t.automata, automaton && !replaced);
        count(|t| &mut t.random_automata, replaced);
        count(|t| &mut t.several_sets, acceptance_sets > 1);
        count(|t| &mut t.nondeterministic, nondeterministic);
        tally.prunings[pruning] += 1;
    }
    Ok(())
}

/// Runs the cases; `decided` is how many of a thousand fairness has to decide at least.
fn random_cases(fairness: FairnessChoice, decided: u64) -> Tally {
    let mut tally = Tally::default();
    let wanted = crate::support::cases(5_000);
    let mut seed = crate::support::first_seed();
    while tally.cases < wanted {
        let spec = program(seed);
        if let Err(error) = check(seed, &spec, fairness, &mut tally) {
            println!("seed {seed}: {error}");
            let fails = |spec: &Spec| check(seed, spec, fairness, &mut Tally::default());
            let small = spec.shrunk(|spec| fails(spec).is_err());
            panic!("seed {seed} under {fairness:?}: {}\n{small}", fails(&small).unwrap_err());
        }
        seed += 1;
    }
    println!("{fairness:?} up to seed {seed}: {tally:?}");
    if !crate::support::asks_shares() {
        return tally;
    }
    let Tally { cases, violated, .. } = tally;
    let kinds = [
        ("violated", violated, 15),
        ("holding", cases - violated, 15),
        ("with stored ids", tally.stored_ids, 20),
        ("with rings", tally.rings, 15),
        ("with several families", tally.several_families, 30),
        ("with several tracked processes", tally.several_tracked, 15),
        ("with deadlocks", tally.deadlocks, 7),
        ("with deadlocks dropped", tally.dropped_deadlocks, 3),
        ("with several initial states", tally.several_roots, 15),
        ("with formulas", tally.formulas, 40),
        ("with automata written by hand", tally.automata, 12),
        ("with random automata", tally.random_automata, 12),
        ("with several acceptance sets", tally.several_sets, 10),
        ("with a choice of moves", tally.nondeterministic, 15),
        ("with full pruning", tally.prunings[0], 25),
        ("with pruning by process", tally.prunings[1], 25),
        ("without pruning", tally.prunings[2], 25),
    ];
    for (kind, count, percent) in kinds {
        assert!(count * 100 >= cases * percent, "only {count} of {cases} cases are {kind}: {tally:?}");
    }
    // Weak fairness does most of what strong fairness does: that the latter decides is rare.
    let enough = tally.fairness_decides * 1000 >= cases * decided;
    assert!(enough, "fairness decides too few of {cases} cases: {tally:?}");
    tally
}

/// All automata with two states that read the local state of one client, on the simplified controller: here weak fairness
/// decides, and most mistakes that can be made with permutations show.
#[test]
fn all_automata_with_two_states() {
    let source = "process client[3] { var st: {I, R, C} = I
        action request: st == I -> st := R
        action withdraw: st == R -> st := I
        action grant: st == R and not exists d in client: d.st == C -> st := C
        action release: st == C -> st := I }
      automaton reads(c in client) { initial accepting a { c.st == I -> a c.st == R -> a c.st == C -> a } }";
    let program = built("simplified", source, &[]);
    let symmetry = symmetry_of(&program).expect("no claims");
    let property = program.property("reads").expect("it has the property");
    let found = obligations(&program, property, &symmetry, &LIMITS).expect("it is small");
    let [obligation] = &found[..] else { panic!("the clients are one orbit") };
    let of = FairnessOf::new(&program, FairnessChoice::All(Fairness::Weak));
    let mut violated = 0;
    for moves in 0..1u32 << 12 {
        for accepting in [[true, false], [false, true], [true, true]] {
            // One bit for each pair of states and each letter.
            let outgoing = (0..12).filter(|bit| moves >> bit & 1 == 1).map(|bit| {
                let (from, to, letter) = (bit / 6, bit / 3 % 2, Ap(bit % 3));
                (AutomatonState(from), Label::literal(letter, true), AutomatonState(to))
            });
            let automaton = Tgba::from_accepting_states([AutomatonState(0)], &accepting, outgoing);
            let automaton = Rc::new(automaton.expect("it has an initial state"));
            let obligation = Obligation { automaton, ..obligation.clone() };
            let plain = explicit(&program, &obligation, &of, Deadlock::Stutter, Limits::default());
            let prune = PRUNINGS[moves as usize % 3];
            let holds =
                on_the_fly(&program, &obligation, &of, prune, Deadlock::Stutter, CACHES[moves as usize % 4]);
            let context = || format!("moves {moves:#014b}, accepting {accepting:?}, {prune:?}");
            assert_eq!(holds, Ok(matches!(plain, Explicit::Holds(..))), "{}", context());
            violated += u32::from(holds == Ok(false));
        }
    }
    println!("{violated} of 12288 are violated");
    assert!((2_000..10_000).contains(&violated), "{violated}");
}

/// Models on which the engines once disagreed, or would after a mistake that random programs seldom show, in every way to
/// check them.
#[test]
fn models_that_tell() {
    let mut seen = 0;
    for (name, source) in crate::support::read_models("agree") {
        let program = built(&name, &source, &[]);
        let symmetry = symmetry_of(&program).expect("no claims");
        let choices = [Fairness::Weak, Fairness::Strong, Fairness::None].map(FairnessChoice::All);
        for fairness in choices.into_iter().chain([FairnessChoice::Model]) {
            for (prune, deadlock) in
                PRUNINGS.iter().flat_map(|&p| [(p, Deadlock::Stutter), (p, Deadlock::Drop)])
            {
                let how = How { fairness, prune, deadlock, automaton: None, cache: CACHES[seen % 4] };
                for (id, property) in program.properties.iter_enumerated() {
                    let answer = agree(&program, &symmetry, id, how);
                    assert!(matches!(answer, Ok(Some(_))), "{name} {} {how:?}: {answer:?}", property.name);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen >= 24, "only {seen} checks");
}

#[test]
fn under_weak_fairness() {
    random_cases(FairnessChoice::All(Fairness::Weak), 50);
}

#[test]
fn under_strong_fairness() {
    random_cases(FairnessChoice::All(Fairness::Strong), 5);
}

#[test]
fn without_fairness() {
    random_cases(FairnessChoice::All(Fairness::None), 0);
}

#[test]
fn under_mixed_fairness() {
    let tally = random_cases(FairnessChoice::Model, 40);
    assert!(tally.unfair_families * 3 > tally.cases, "too few cases have unfair families: {tally:?}");
    assert!(tally.fair_actions * 5 > tally.cases, "too few cases have fair actions: {tally:?}");
    assert!(tally.assumed * 12 > tally.cases, "too few cases assume something: {tally:?}");
    assert!(tally.actions_decide * 300 > tally.cases, "fairness of actions decides too little: {tally:?}");
}
