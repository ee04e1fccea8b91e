//! The log of a search against the search itself: the state rebuilt from the log alone is the live one, at every step.

use crate::support::agree::LIMITS;
use crate::support::built;
use crate::support::programs::{Knobs, generate};
use crate::support::random::Random;
use crate::support::snapshots::compare_stacks;
use orbitscope_core::Limit;
use orbitscope_core::group::{Partition, Process};
use orbitscope_core::models;
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, NodeId, Product};
use orbitscope_core::program::{Program, PropertyKind};
use orbitscope_core::property::{Obligation, obligations};
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::log::{
    Effect, End, Learnt, Log, Player, RecordLimits, Recorder, Snapshot, Step, Why,
};
use orbitscope_core::search::{Command, Event, Outcome, Search};
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::{Fairness, Logic};
use std::collections::BTreeSet;

/// Counts of the cases that the tests have met.
#[derive(Default, Debug)]
struct Met {
    logs: u32,
    steps: u32,
    events: BTreeSet<&'static str>,
    ghosts: u32,
    joined: u32,
    became_fair: u32,
}

fn name(event: Event) -> &'static str {
    match event {
        Event::Root(_) => "root",
        Event::Tree { .. } => "tree",
        Event::Back { .. } => "back",
        Event::Cross { .. } => "cross",
        Event::Join { .. } => "join",
        Event::Component { .. } => "component",
        Event::Yes(_) => "yes",
        Event::No => "no",
        Event::Stopped(_) => "stopped",
    }
}

fn started<'p>(
    program: &'p Program,
    obligation: &Obligation,
    fairness: FairnessChoice,
    prune: Prune,
    max_nodes: u32,
) -> Search<'p> {
    let product = Product::new(program, obligation, prune, Deadlock::Stutter);
    Search::new(product, FairnessOf::new(program, fairness), max_nodes)
}

/// Compares a rebuilt state with the live one, field by field.
fn compare(log: &Log, shot: &Snapshot, search: &Search<'_>) {
    compare_stacks(log, shot, search);
    for (shot, live) in shot.frames.iter().zip(search.frames()) {
        let entry = &log.entries()[shot.dfnum as usize];
        assert_eq!(entry.edges.len(), live.edges.len());
        let all_fair = log.classes(shot.partition, shot.fair).all(|class| class.fair.is_some());
        assert_eq!(all_fair, live.all_fair(log.degree()));
    }
    for (dfnum, visited) in (0..).zip(&shot.visited) {
        let live = search.visit(visited.node).expect("it has been visited");
        assert_eq!((dfnum, visited.lowlink), (live.dfnum, live.lowlink));
        assert_eq!(visited.component.is_none(), live.on_stack);
        assert_eq!(log.dfnum(visited.node), Some(dfnum));
    }
    match (shot.end, search.outcome()) {
        (None, None) | (Some(End::No), Some(Outcome::Holds)) => {}
        (Some(End::Yes(_)), Some(Outcome::Violated(component))) => {
            assert_eq!(log.fair_component(), component.nodes);
        }
        (Some(End::Stopped(_)), Some(outcome)) => {
            assert!(!matches!(outcome, Outcome::Holds | Outcome::Violated(_)));
        }
        other => panic!("{other:?}"),
    }
}

/// Whether each fact is one of the program: the process is disabled at that node, or that edge executes it.
fn check_facts(log: &Log, search: &mut Search<'_>) {
    let (none, strong) = (search.fairness().none.clone(), search.fairness().strong.clone());
    let frames: Vec<_> = log.at(log.len()).expect("the log is whole").frames;
    for shot in frames {
        for &fact in log.facts(shot.fair) {
            let fact = log.fact(fact);
            for process in log.points(fact.points).ranges().flatten().map(Process) {
                let local = |node: NodeId| {
                    let dfnum = log.dfnum(node).expect("a fact speaks of a visited node");
                    log.local(dfnum, process).expect("it has an entry")
                };
                match fact.why {
                    Why::Unasked => assert!(none.contains(process)),
                    Why::Disabled(node) => {
                        let place = search.product_mut().place(node).expect("no faults");
                        assert!(!place.enabled.contains(local(node)) && !strong.contains(process));
                    }
                    Why::Executed(node, edge) => {
                        let edges = search.product_mut().edges(node).expect("no faults");
                        assert_eq!(edges[edge as usize].process, Some(local(node)));
                    }
                }
            }
        }
    }
}

/// The record of a step agrees with its command.
fn check_step(log: &Log, step: Step, before: &Snapshot, after: &Snapshot, met: &mut Met) {
    assert_eq!(step.event.edge(), after.edge);
    let Effect::Learnt(id) = step.effect else { return };
    let Learnt { around, partition, fair, marks, lowlink } = log.learnt(id).clone();
    let (old, new) = (log.partition(partition.0), log.partition(partition.1));
    let depth = after.frames.len() - 1;
    assert_eq!(before.frames[depth].partition, partition.0);
    assert_eq!(before.frames[depth].fair, fair.0);
    let dfnum = after.frames[depth].dfnum;
    assert_eq!(before.visited[dfnum as usize].lowlink, lowlink.0);
    let edge = &log.entries()[dfnum as usize].edges[after.frames[depth].next as usize - 1];
    let mut wanted = marks.0.union(edge.marks);
    if let Event::Back { .. } = step.event {
        let around = log.perm(around.expect("an edge to the stack has its permutation"));
        assert_eq!(old.join(&Partition::orbits_of(log.degree(), around)), *new);
    } else {
        let child = before.frames[depth + 1];
        assert_eq!(old.join(log.partition(child.partition)), *new);
        wanted = wanted.union(child.marks);
    }
    assert_eq!(marks.1, wanted);
    met.joined += u32::from(old != new);
    // A class became fair if it is so now, and a process of it was in a class that was not.
    let known = log.fair_points(fair.0);
    let became: Vec<_> = log.became_fair(step).into_iter().map(|class| class.members).collect();
    let expected: Vec<_> = new
        .classes()
        .filter(|class| log.fair_points(fair.1).meets(class))
        .filter(|class| class.iter().any(|p| !known.meets(&old.members(p))))
        .collect();
    assert_eq!(became, expected);
    met.became_fair += became.len() as u32;
}

/// Ghosts: as many as are counted, each the image of its leader under a permutation that fixes the node.
fn check_ghosts(log: &Log, search: &mut Search<'_>, prune: Prune, met: &mut Met) {
    for entry in log.entries() {
        let all = search.product_mut().steps(entry.node).expect("no faults");
        let weights: u64 = all.iter().map(|step| step.weight).sum();
        assert_eq!(weights, all.len() as u64 + entry.pruned);
        if prune == Prune::None {
            assert_eq!(entry.pruned, 0);
        }
        if entry.pruned <= 64 {
            assert_eq!(entry.ghosts.len() as u64, entry.pruned, "{:?}", entry.ghosts);
        }
        let place = search.product_mut().place(entry.node).expect("no faults");
        for ghost in &entry.ghosts {
            let leader = &entry.steps[ghost.parallel_to as usize];
            let rho = log.perm(ghost.shown_by.expect("small groups are searched whole"));
            assert_eq!(rho.apply(leader.process), ghost.process);
            assert!(entry.tracked.iter().all(|&l| rho.apply(l) == l));
            assert!(place.stabiliser.contains(rho));
            met.ghosts += 1;
        }
    }
}

/// Records a search and holds the log against it in every way.
fn check_log(mut search: Search<'_>, prune: Prune, random: &mut Random, met: &mut Met) {
    let mut recorder = Recorder::new(&search, RecordLimits::default());
    let mut popped: BTreeSet<NodeId> = BTreeSet::new();
    let mut before = recorder.log().at(0).expect("it has a beginning");
    compare(recorder.log(), &before, &search);
    let mut forwards = vec![before.clone()];
    let mut player = Player::new();
    loop {
        let stack: Vec<NodeId> = search.stack().to_vec();
        let Some(event) = recorder.step(&mut search) else { break };
        let log = recorder.log();
        let after = player.seek(log, log.len()).expect("the step is there").clone();
        compare(log, &after, &search);
        let step = log.steps()[log.len() as usize - 1];
        assert_eq!(step.event, event);
        check_step(log, step, &before, &after, met);
        if let Event::Component { size, root } = event {
            let number = after.components.ids().next_back().expect("one was popped");
            assert_eq!(after.components[number], root);
            let members: Vec<NodeId> =
                after.members(number).map(|dfnum| after.visited[dfnum as usize].node).collect();
            assert_eq!(members, stack[search.stack().len()..]);
            assert_eq!(members.len() as u32, size);
            assert!(members.iter().all(|&node| popped.insert(node)));
        }
        met.events.insert(name(event));
        forwards.push(after.clone());
        before = after;
    }
    check_facts(recorder.log(), &mut search);
    check_ghosts(recorder.log(), &mut search, prune, met);
    let log = recorder.finish();
    assert!(!log.is_partial());
    met.logs += 1;
    met.steps += log.len();
    assert_eq!(forwards.len() as u32, log.len() + 1);
    // Backwards, and by leaps, with a player that has passed nothing yet.
    let mut player = Player::new();
    for step in (0..=log.len()).rev() {
        assert_eq!(player.seek(&log, step), Some(&forwards[step as usize]));
    }
    for _ in 0..20 {
        let step = random.below(forwards.len()) as u32;
        assert_eq!(player.seek(&log, step), Some(&forwards[step as usize]));
        assert_eq!(log.at(step).as_ref(), Some(&forwards[step as usize]));
    }
    assert_eq!(player.seek(&log, log.len() + 1), None);
    let text = serde_json::to_string(&log).expect("a log can be written");
    assert_eq!(serde_json::from_str::<Log>(&text).expect("what is written can be read"), log);
}

fn check_program(program: &Program, fairness: FairnessChoice, prune: Prune, seed: u64, met: &mut Met) {
    let mut random = Random::new(seed);
    let symmetry = choose(program, Choice::Model).expect("no claims");
    for (id, property) in program.properties.iter_enumerated() {
        if matches!(property.kind, PropertyKind::Formula(Logic::Invariant | Logic::Ctl | Logic::Mu, _)) {
            continue;
        }
        let Ok(all) = obligations(program, id, &symmetry, &LIMITS) else { continue };
        for obligation in &all {
            check_log(started(program, obligation, fairness, prune, 2_000), prune, &mut random, met);
        }
    }
}

#[test]
fn of_the_models() {
    let mut met = Met::default();
    for model in models::ALL {
        let sizes = crate::support::MODEL_SIZES.iter().find(|(name, _)| *name == model.name);
        let params = sizes.and_then(|(_, sizes)| sizes.last()).copied().unwrap_or(&[]);
        let program = built(model.name, model.source, params);
        check_program(&program, FairnessChoice::Model, Prune::Full, 1, &mut met);
    }
    println!("{met:?}");
    assert!(met.logs >= 15 && met.ghosts > 100 && met.joined > 20, "{met:?}");
}

#[test]
fn of_random_programs() {
    let choices = [
        FairnessChoice::Model,
        FairnessChoice::All(Fairness::Weak),
        FairnessChoice::All(Fairness::Strong),
        FairnessChoice::All(Fairness::None),
    ];
    let prunings = [Prune::Full, Prune::Process, Prune::None];
    let mut met = Met::default();
    for seed in 0..900 {
        let knobs = Knobs { space: 150, ..Knobs::symmetric() };
        let program = built("random", &generate(seed, &knobs).to_string(), &[]);
        let (fairness, prune) = (choices[seed as usize % 4], prunings[seed as usize % 3]);
        check_program(&program, fairness, prune, seed, &mut met);
    }
    println!("{met:?}");
    let common = ["root", "tree", "back", "cross", "join", "component", "yes", "no"];
    assert!(common.iter().all(|event| met.events.contains(event)), "{met:?}");
    assert!(met.logs > 200 && met.ghosts > 100 && met.joined > 100 && met.became_fair > 100, "{met:?}");
}

fn simplified() -> Program {
    let model = models::find("simplified_controller").expect("it is built in");
    built(model.name, model.source, &[])
}

fn of_property(program: &Program, name: &str) -> Obligation {
    let symmetry = choose(program, Choice::Model).expect("no claims");
    let property = program.property(name).expect("it has the property");
    obligations(program, property, &symmetry, &LIMITS).expect("it is small").remove(0)
}

/// A limit of the steps recorded leaves a log that says so; the search goes on. A search that is not stepped by a recorder
/// does the same steps.
#[test]
fn limits_and_silence() {
    let program = simplified();
    let (_, property) = program
        .properties
        .iter_enumerated()
        .find(|(_, p)| !matches!(p.kind, PropertyKind::Formula(Logic::Invariant | Logic::Ctl | Logic::Mu, _)))
        .expect("it has a temporal property");
    let obligation = of_property(&program, &property.name);
    let mut silent = started(&program, &obligation, FairnessChoice::Model, Prune::Full, u32::MAX);
    let events: Vec<Event> = std::iter::from_fn(|| silent.step()).collect();

    let mut search = started(&program, &obligation, FairnessChoice::Model, Prune::Full, u32::MAX);
    let mut recorder = Recorder::new(&search, RecordLimits { steps: 5, ghosts: 0 });
    let recorded: Vec<Event> = std::iter::from_fn(|| recorder.step(&mut search)).collect();
    assert_eq!(recorded, events);
    let log = recorder.finish();
    assert!(log.is_partial() && log.len() == 5 && log.at(5).is_some_and(|shot| shot.end.is_none()));
    assert!(log.entries().iter().all(|entry| entry.ghosts.is_empty()));

    let mut search = started(&program, &obligation, FairnessChoice::Model, Prune::Full, 2);
    let mut recorder = Recorder::new(&search, RecordLimits::default());
    while recorder.step(&mut search).is_some() {}
    let log = recorder.finish();
    let last = log.at(log.len()).expect("it is there");
    assert!(
        matches!(last.end, Some(End::Stopped(_)))
            && matches!(search.outcome(), Some(Outcome::Limit(Limit::States)))
    );
    compare(&log, &last, &search);
}

/// A log that was tampered with is refused when it is read, or is another log: it never makes a reader panic.
#[test]
fn broken_logs_are_refused() {
    let program = simplified();
    let property = program
        .properties
        .iter()
        .find(|p| !matches!(p.kind, PropertyKind::Formula(Logic::Invariant | Logic::Ctl | Logic::Mu, _)));
    let obligation = of_property(&program, &property.expect("it has a temporal property").name);
    let mut search = started(&program, &obligation, FairnessChoice::Model, Prune::Full, u32::MAX);
    let mut recorder = Recorder::new(&search, RecordLimits::default());
    while recorder.step(&mut search).is_some() {}
    let text = serde_json::to_string(&recorder.finish()).expect("a log can be written");
    let numbers: Vec<usize> = text.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let (mut random, mut refused) = (Random::new(7), 0);
    for _ in 0..2_000 {
        let mut changed = text.clone();
        let at = *random.pick(&numbers);
        changed.replace_range(at..=at, random.pick::<&str>(&["7", "0", "1", "93"]));
        match serde_json::from_str::<Log>(&changed) {
            Err(_) => refused += 1,
            Ok(log) => {
                let last = log.at(log.len()).expect("its steps follow from each other");
                for frame in &last.frames {
                    assert!(log.classes(frame.partition, frame.fair).count() <= log.degree() as usize);
                }
            }
        }
    }
    assert!(refused > 200, "only {refused} of 2000 were refused");
}

#[test]
fn commands_have_their_numbers() {
    let numbers: Vec<&str> = Command::ALL.iter().map(|command| command.number()).collect();
    assert_eq!(numbers.join(" "), "M2 M3 1 2' 3 4 5'' 6 7 8 9 10 11 12' 13 14 15 16 17 18");
    assert!(Command::ALL.is_sorted());
    assert_eq!(Event::No.commands(), [Command::AnswerNo]);
    let back = Event::Back { from: NodeId(0), edge: 0, to: NodeId(0) };
    assert!(back.commands().contains(&Command::JoinOrbits));
}
