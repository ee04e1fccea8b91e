//! The quotient of small programs, unfolded, against the programs themselves; and the groups that it is made with,
//! against all permutations of the processes.

use crate::support::programs::{Knobs, Spec, generate};
use crate::support::random::Random;
use crate::support::unfold::{Element, Plain, check, check_tracked, family_permutations};
use crate::support::{MODEL_SIZES, built, cases, first_seed};
use orbitscope_core::group::{Perm, Process};
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::quotient::Prune;
use orbitscope_core::symmetry::{Choice, Effort, NotSymmetric, ProgramSymmetry, choose, detect};
use orbitscope_core::syntax::parse;
use orbitscope_core::{models, symmetry};
use std::fmt::Write;

const SEARCH: Effort = Effort { elements: 0, nodes: 2_000 };
const APPROXIMATE: Effort = Effort { elements: 0, nodes: 0 };
const PRUNINGS: [Prune; 3] = [Prune::None, Prune::Process, Prune::Full];

/// Unfolds under every pruning, and with each of the lists of tracked processes under the prunings beside it.
fn unfolds_by(
    program: &Program,
    symmetry: &ProgramSymmetry,
    plain: &Plain,
    elements: &[Element],
    tracked: &[(Vec<Process>, &[Prune])],
) -> Result<(), String> {
    for prune in PRUNINGS {
        check(program, symmetry, plain, elements, prune).map_err(|e| format!("{prune:?}: {e}"))?;
        for (tracked, _) in tracked.iter().filter(|(_, prunings)| prunings.contains(&prune)) {
            check_tracked(program, symmetry, plain, elements, prune, tracked)
                .map_err(|e| format!("{prune:?}, tracking {tracked:?}: {e}"))?;
        }
    }
    Ok(())
}

/// Unfolds with the last process tracked, and with the last and the first; gives the order of G.
pub(crate) fn unfolds(program: &Program, choice: Choice, states: u32) -> Result<String, String> {
    let symmetry = choose(program, choice).map_err(|refused| format!("{refused:?}"))?;
    let order = symmetry.group.order().to_string();
    let Some(plain) = Plain::explore(program, states) else { return Ok(order) };
    let Some(elements) = plain.elements(&symmetry, 800)? else { return Ok(order) };
    let last = Process(program.process_count().saturating_sub(1));
    unfolds_by(
        program,
        &symmetry,
        &plain,
        &elements,
        &[(vec![last], &PRUNINGS), (vec![last, Process(0)], &PRUNINGS)],
    )?;
    Ok(order)
}

#[test]
fn hand_written_programs() {
    let mut seen = 0;
    for (name, source) in crate::support::read_models("symmetry") {
        // The first line says which order G has.
        let expected =
            source.lines().next().and_then(|l| l.strip_prefix("// order ")).expect("an order").to_string();
        let program = built(&name, &source, &[]);
        assert_eq!(unfolds(&program, Choice::Model, 3_000), Ok(expected), "{name}");
        assert_eq!(unfolds(&program, Choice::None, 300), Ok("1".to_string()), "{name}");
        seen += 1;
    }
    assert!(seen >= 10, "only {seen} programs");
}

#[test]
fn the_models() {
    for (name, sizes) in MODEL_SIZES {
        let model = models::find(name).expect("the model is there");
        for params in std::iter::once(&[][..]).chain(sizes.iter().copied()) {
            let program = built(name, model.source, params);
            for choice in [Choice::Model, Choice::None] {
                let unfolded = unfolds(&program, choice, 1_000);
                assert!(unfolded.is_ok(), "{name} {params:?}: {unfolded:?}");
            }
        }
    }
}

/// Counts of the random programs, which say whether they are of use.
#[derive(Default, Debug)]
struct Tally {
    programs: u32,
    symmetric: u32,
    complete: u32,
    equal: u32,
    claimed: u32,
    unexpected: u32,
    refused: u32,
}

/// Everything about one random program.
fn everything(seed: u64, spec: &Spec, tally: &mut Tally) -> Result<(), String> {
    let mut random = Random::new(seed ^ 0x5eed);
    let program = built("generated", &spec.to_string(), &[]);
    let Some(plain) = Plain::explore(&program, 2_000) else { return Ok(()) };
    tally.programs += 1;
    let processes = program.process_count() as usize;
    let mut pick = || Process(random.below(processes) as u32);
    let prunings = PRUNINGS.map(|prune| [prune]);
    let one = |offset: u64| &prunings[((seed + offset) % 3) as usize][..];
    let tracked = [(vec![pick()], one(0)), (vec![pick(), pick()], one(1))];
    let found = detect(&program);
    tally.symmetric += u32::from(!found.group.is_trivial());
    if let Some(elements) = plain.elements(&found, 150)? {
        unfolds_by(&program, &found, &plain, &elements, &tracked)?;
        // Small groups are tried element by element: larger ones go other ways, which must lead to the same end.
        for effort in [SEARCH, APPROXIMATE] {
            let mut found = found.clone();
            found.effort = effort;
            check(&program, &found, &plain, &elements, one(2)[0])?;
            check_tracked(&program, &found, &plain, &elements, one(2)[0], &tracked[0].0)?;
        }
    }
    let none = choose(&program, Choice::None).expect("no symmetry is never refused");
    let elements = plain.elements(&none, 1)?.expect("one element");
    unfolds_by(&program, &none, &plain, &elements, &tracked[..1])?;
    let Some(all) = family_permutations(&program, 150) else { return Ok(()) };
    let automorphisms: Vec<Perm> = all.iter().filter(|g| plain.act(g).is_ok()).cloned().collect();
    if let Some(lost) = all.iter().find(|g| found.group.contains(g) && !automorphisms.contains(g)) {
        return Err(format!("{lost} is in G but no automorphism"));
    }
    tally.complete += 1;
    tally.equal += u32::from(found.group.order().to_u128() == Some(automorphisms.len() as u128));
    // Claims: some automorphisms, of which the text need not know.
    let generators: Vec<Perm> = (0..=random.below(2)).map(|_| random.pick(&automorphisms).clone()).collect();
    let unexpected = generators.iter().any(|g| !found.group.contains(g));
    if unexpected || random.one_in(4) {
        tally.claimed += 1;
        tally.unexpected += u32::from(unexpected);
        let program = claiming(spec, &program, &generators);
        let claimed = choose(&program, Choice::Model)
            .map_err(|refused| format!("claiming {generators:?}: {refused:?}"))?;
        if let Some(g) = generators.iter().find(|g| !claimed.group.contains(g)) {
            return Err(format!("{g} was claimed, but is not in G"));
        }
        let elements = plain.elements(&claimed, 150)?.expect("no larger than all automorphisms");
        for effort in [Effort::default(), SEARCH] {
            let mut claimed = claimed.clone();
            claimed.effort = effort;
            unfolds_by(&program, &claimed, &plain, &elements, &tracked[1..])
                .map_err(|e| format!("claiming {generators:?}, {effort:?}: {e}"))?;
        }
    }
    let wrong: Vec<&Perm> = all.iter().filter(|g| !automorphisms.contains(g)).collect();
    if !wrong.is_empty() {
        tally.refused += 1;
        let perm = random.pick(&wrong);
        is_refused(&claiming(spec, &program, &[(*perm).clone()]), &plain, perm)?;
    }
    Ok(())
}

/// The program with these generators claimed.
fn claiming(spec: &Spec, program: &Program, generators: &[Perm]) -> Program {
    let cycles: Vec<String> = generators
        .iter()
        .map(|g| {
            let name = |p| program.process_name(p);
            // The notation has no empty cycle.
            if g.is_identity() { format!("({})", name(Process(0))) } else { g.display(name).to_string() }
        })
        .collect();
    let mut text = spec.to_string();
    writeln!(text, "symmetry generators {{ {} }}", cycles.join(", ")).expect("a string can be written");
    built("claiming", &text, &[])
}

/// A claim that is wrong is refused, and what is shown is really so.
fn is_refused(program: &Program, plain: &Plain, perm: &Perm) -> Result<(), String> {
    let Err(refused) = choose(program, Choice::Model) else { return Err(format!("{perm} is not refused")) };
    if refused.perm != *perm {
        return Err(format!("{} is refused, but {perm} was claimed", refused.perm));
    }
    let structure = symmetry::state_structure(program);
    let number = |values: &[i32]| plain.states.iter().position(|s| s == values).map(|n| n as u32);
    let image = |values: &[i32]| number(&structure.apply(perm, values));
    let shown = match &refused.because {
        NotSymmetric::Initial(state, moved) => {
            structure.apply(perm, state) == *moved
                && number(state).is_some_and(|n| plain.initial.contains(&n))
                && number(moved).is_none_or(|n| !plain.initial.contains(&n))
        }
        NotSymmetric::Step { state, process, .. } => {
            let from = number(state).ok_or("the state shown is not reachable")?;
            plain.triples.range((from, *process, 0)..=(from, *process, u32::MAX)).any(|&(_, _, to)| {
                match (image(state), image(&plain.states[to as usize])) {
                    (Some(a), Some(b)) => !plain.triples.contains(&(a, perm.apply(*process), b)),
                    _ => true,
                }
            })
        }
        _ => false,
    };
    if shown { Ok(()) } else { Err(format!("{perm} is refused, but not shown to be wrong: {refused:?}")) }
}

pub(crate) fn knobs(seed: u64) -> Knobs {
    let kind = match seed % 7 {
        5 => Knobs::wide(seed / 7),
        // Who points at whom, in one table or from process to process.
        6 => Knobs { ids: 80, indexed: 40, two_indices: 10, optional: 40, ..Knobs::wide(seed / 7) },
        0 => Knobs::symmetric(),
        1 => Knobs::default(),
        2 => Knobs { topology: 60, indexed: 50, index: 10, ..Knobs::default() },
        3 => Knobs { ids: 60, indexed: 50, any: 25, ..Knobs::symmetric() },
        _ => Knobs { topology: 40, ring: 70, families: 2, processes: 5, ..Knobs::symmetric() },
    };
    Knobs { space: if seed % 50 < 5 { 1_500 } else { 120 }, properties: 0, ..kind }
}

#[test]
fn random_programs() {
    let mut tally = Tally::default();
    for seed in first_seed()..first_seed() + cases(2_000) {
        let spec = generate(seed, &knobs(seed));
        if everything(seed, &spec, &mut tally).is_err() {
            let fails = |spec: &Spec| everything(seed, spec, &mut Tally::default());
            let small = spec.shrunk(|spec| fails(spec).is_err());
            panic!("seed {seed}: {}\n{small}", fails(&small).unwrap_err());
        }
    }
    println!("{tally:?}");
    assert!(tally.symmetric * 2 > tally.programs, "too few programs have symmetry: {tally:?}");
    assert!(tally.unexpected * 40 > tally.complete, "too few claims say something new: {tally:?}");
    // Symmetry that only the behaviour shows, such as an action that is never enabled, is not found from the text.
    assert!(tally.equal * 2 > tally.complete, "too much symmetry is not found: {tally:?}");
}

/// Local states of all sizes around those at which a run takes two words, and at which it does not fit into any: each of the
/// variables that may hold a process is a bit. The last one is used too.
#[test]
fn local_states_of_many_bits() {
    for slots in [2, 30, 31, 32, 33, 61, 62, 63, 64, 65] {
        let source = format!(
            "shared slot[k in 1..{slots}]: p? = none
             shared done[a in p]: bool = false
             process p[3] {{
               var x: bool = false
               action take: slot[{slots}] == none and not x -> slot[{slots}] := self, x := true
               action pass(o in p): slot[{slots}] == self and o != slot[1] -> slot[1] := self, slot[{slots}] := o
               action end: slot[1] == self -> slot[1] := none, done[self] := true
             }}"
        );
        let program = built("many bits", &source, &[]);
        assert_eq!(unfolds(&program, Choice::Model, 3_000), Ok("6".to_string()), "{slots}");
    }
}

/// Claims about families with nobody or one process in them.
#[test]
fn trivial_families() {
    for (size, order) in [(0, "1"), (1, "1"), (2, "2")] {
        for ring in ["", " ring"] {
            let source = format!(
                "process p[{size}]{ring} {{ var x: bool = false action go: not x -> x := true }} \
                 process q {{ var y: p? = none action see(c in p): c.x -> y := c }}"
            );
            let parsed = parse(&source);
            let program = build(&parsed.file, &Settings::default()).expect("the model is right");
            for (choice, order) in [(Choice::Model, order), (Choice::None, "1")] {
                assert_eq!(unfolds(&program, choice, 100), Ok(order.to_string()), "{source}");
            }
        }
    }
}
