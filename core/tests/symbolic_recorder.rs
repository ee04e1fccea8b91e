//! The diagrams that a recorder takes down, against states that are enumerated, exchanged and counted one by one.

use crate::support::built;
use orbitscope_core::bdd::BddGraph;
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::ids::Id;
use orbitscope_core::program::Program;
use orbitscope_core::symbolic::{
    Iteration, Kind, Model, Question, Reach, ReachStop, Recorder, Start, SymbolicOptions,
};
use orbitscope_core::symmetry;
use std::collections::BTreeSet;

/// Three clients with three local states, a shared bit, and who was last, if anybody was: 44 states.
const CLIENTS: &str = "
    shared free: bool = true
    shared last: client? = none
    process client[3] {
      var st: 0..2 = 0
      action ask: st == 0 -> st := 1
      action take: st == 1 and free -> st := 2, free := false, last := self
      action leave: st == 2 -> st := 0, free := true
    }
    hint count(c in client: c.st == 1) == 0";

type State = Vec<i32>;
type States = BTreeSet<State>;

fn wanted(set: &BddGraph, state: &State) -> bool {
    let bit = |label: &str| {
        let (name, place) = match label.rsplit_once('.') {
            Some((name, place)) if place.bytes().all(|b| b.is_ascii_digit()) => {
                (name, place.parse().unwrap())
            }
            _ => (label, 0),
        };
        let code = match name {
            "free" => state[0],
            // Nobody is -1.
            "last" => state[1] + 1,
            "client[0].st" => state[2],
            "client[1].st" => state[3],
            "client[2].st" => state[4],
            other => panic!("no such variable: {other}"),
        };
        code >> place & 1 == 1
    };
    let mut at = set.root;
    while at > 1 {
        let node = &set.nodes[at as usize];
        let next = if bit(&node.label) { node.high } else { node.low };
        assert!(node.row < set.nodes[next as usize].row, "edges go down");
        at = next;
    }
    at == 1
}

/// Every state with values of its types, reached or not.
fn all_states() -> Vec<State> {
    let mut all: Vec<State> = vec![Vec::new()];
    for values in [0..2, -1..3, 0..3, 0..3, 0..3] {
        all = all.iter().flat_map(|s| values.clone().map(|v| [s.as_slice(), &[v]].concat())).collect();
    }
    all
}

fn members(set: &BddGraph) -> States {
    all_states().into_iter().filter(|state| wanted(set, state)).collect()
}

/// All states that exchanging clients makes of these.
fn orbits(states: &States) -> States {
    let permutations = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let exchanged = |state: &State, perm: [usize; 3]| {
        let last = usize::try_from(state[1]).map_or(-1, |last| perm[last] as i32);
        let mut moved = vec![state[0], last, 0, 0, 0];
        for client in 0..3 {
            moved[2 + perm[client]] = state[2 + client];
        }
        moved
    };
    states.iter().flat_map(|state| permutations.map(|perm| exchanged(state, perm))).collect()
}

fn reachable(program: &Program) -> States {
    let mut exploration = Exploration::new(program, Limits::default(), &[]);
    assert_eq!(exploration.run(), &StopReason::Complete);
    (0..exploration.states().len()).map(|n| exploration.values(Id::from_index(n as usize))).collect()
}

fn recorded(program: &Program, options: SymbolicOptions, most: u32) -> (Start, Recorder, Vec<Iteration>) {
    let model = Model::new(program, 0, 1_000_000).expect("it fits");
    let generators: Vec<_> = symmetry::detect(program).group.generators().collect();
    let mut reach = Reach::new(model, generators, &options, Question::default()).expect("it fits");
    let mut recorder = Recorder::new(most, 1000);
    while reach.step() {
        recorder.look(&reach);
    }
    assert_eq!(reach.stopped(), Some(&ReachStop::Complete));
    let start = recorder.start().expect("every search starts").clone();
    (start, recorder, reach.iterations().to_vec())
}

#[test]
fn diagrams_say_of_every_state_what_the_log_counts() {
    let program = built("model", CLIENTS, &[]);
    let reachable = reachable(&program);
    // While the resource is free every client asks or does not, and the last one was nobody or somebody.
    assert_eq!((reachable.len(), orbits(&reachable).len()), (8 * 4 + 3 * 4, 44));
    let usual = SymbolicOptions::default();
    let options = [
        usual,
        SymbolicOptions { under: Some(3), ..usual },
        SymbolicOptions { hints: true, ..usual },
        SymbolicOptions { hints: true, under: Some(4), sigma_limit: Some(1), ..usual },
    ];
    let (mut cut, mut hinted, mut symmetric) = (false, false, false);
    for options in options {
        let (start, recorder, iterations) = recorded(&program, options, 1000);
        let initial = members(&start.diagrams.frontier);
        assert_eq!((initial.len(), start.states.to_u64()), (1, Some(1)));
        assert_eq!(members(&start.diagrams.covered).len() as u64, start.covered.to_u64().unwrap());
        assert_eq!(recorder.iterations().len(), iterations.len());
        let mut representatives = initial.clone();
        let mut expanded = States::new();
        for (diagrams, iteration) in recorder.iterations().iter().zip(&iterations) {
            let (frontier, under) = (members(&diagrams.frontier), members(&diagrams.under));
            let after = members(&diagrams.representatives);
            let covered = members(&diagrams.covered);
            for (set, count) in [
                (&frontier, &iteration.frontier),
                (&under, &iteration.under),
                (&after, &iteration.representatives),
                (&covered, &iteration.covered),
            ] {
                assert_eq!(Some(set.len() as u64), count.to_u64());
            }
            assert!(under.is_subset(&frontier) && frontier.is_subset(&representatives));
            if let Kind::TakenUp(_) = iteration.kind {
                let aside: States = representatives.difference(&expanded).cloned().collect();
                assert_eq!(frontier, aside, "all that was left aside is taken up");
                hinted |= options.hints;
            }
            assert!(representatives.is_subset(&after) && after.is_subset(&reachable));
            let added = (after.len() - representatives.len()) as u64;
            assert_eq!(iteration.added.to_u64(), Some(added));
            assert!(covered.is_subset(&orbits(&after)) && after.is_subset(&covered));
            if options.sigma_limit.is_none() {
                assert_eq!(covered, orbits(&after));
            }
            cut |= under != frontier;
            symmetric |= iteration.symmetric.to_u64() != Some(0);
            expanded.extend(under);
            representatives = after;
        }
        assert_eq!(orbits(&representatives), orbits(&reachable));
    }
    assert!(cut && hinted && symmetric, "{cut} {hinted} {symmetric}");
}

#[test]
fn large_diagrams_are_left_out_and_say_how_large_they_are() {
    let program = built("model", CLIENTS, &[]);
    let (_, whole, iterations) = recorded(&program, SymbolicOptions::default(), 1000);
    let (_, small, _) = recorded(&program, SymbolicOptions::default(), 9);
    let mut left_out = 0;
    for ((whole, small), iteration) in whole.iterations().iter().zip(small.iterations()).zip(&iterations) {
        for (whole, small, nodes) in [
            (&whole.frontier, &small.frontier, iteration.frontier_nodes),
            (&whole.representatives, &small.representatives, iteration.representatives_nodes),
            (&whole.covered, &small.covered, iteration.covered_nodes),
        ] {
            assert_eq!(whole.nodes.len() as u32, nodes + 2);
            if nodes <= 9 {
                assert_eq!(whole, small);
            } else {
                assert_eq!((small.nodes.len(), small.left_out), (0, nodes));
                left_out += 1;
            }
        }
    }
    assert!(left_out > 0);
}

/// The recorder follows one search after the other and keeps the last one; past its limit it takes down nothing more.
#[test]
fn a_recorder_starts_anew_with_a_search_and_ends_at_its_limit() {
    let program = built("model", CLIENTS, &[]);
    let generators: Vec<_> = symmetry::detect(&program).group.generators().collect();
    let mut recorder = Recorder::new(60, 2);
    for under in [Some(2), None] {
        let options = SymbolicOptions { under, ..SymbolicOptions::default() };
        let model = Model::new(&program, 0, 1_000_000).expect("it fits");
        let mut reach =
            Reach::new(model, generators.clone(), &options, Question::default()).expect("it fits");
        recorder.look(&reach);
        while reach.step() {
            recorder.look(&reach);
        }
        assert!(reach.iterations().len() > 2);
        assert_eq!(recorder.iterations().len(), 2);
    }
    let (_, last, _) = recorded(&program, SymbolicOptions::default(), 60);
    assert_eq!(recorder.iterations(), &last.iterations()[..2]);
}
