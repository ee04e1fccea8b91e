//! A page needs two things of a check: the states of each subformula, and the search step by step in both directions.

use crate::support::built;
use crate::support::random::Random;
use orbitscope_core::ctl::{
    Algorithm, CtlCheck, Event, GlobalSearch, Outcome, Settings, StackMove, Sub, Vertex,
};
use orbitscope_core::models;
use orbitscope_core::program::{Program, PropertyKind};
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::Logic;

fn done<'p>(program: &'p Program, name: &str, algorithm: Algorithm) -> CtlCheck<'p> {
    let symmetry = choose(program, Choice::Model).expect("nothing is claimed");
    let id = program.property(name).expect("it is there");
    let settings = Settings { algorithm, ..Settings::default() };
    let mut check = CtlCheck::new(program, id, &symmetry, settings).expect("it can be checked");
    check.run();
    check
}

/// The ctl properties of the built-in models.
fn each_property(mut with: impl FnMut(&Program, &str)) {
    for model in models::ALL {
        let program = built(model.name, model.source, &[]);
        for property in &program.properties {
            if matches!(property.kind, PropertyKind::Formula(Logic::Ctl, _)) {
                with(&program, &property.name);
            }
        }
    }
}

/// Each node of the tree has its states, the same by every algorithm, and they fit together as the operators say.
#[test]
fn states_of_each_subformula() {
    let mut nodes = 0;
    each_property(|program, name| {
        let mut global = done(program, name, Algorithm::Global);
        let mut local = done(program, name, Algorithm::Local);
        let outline = global.formula().outline(program, 1000);
        assert_eq!(outline[0].depth, 0);
        for (before, node) in outline.iter().zip(&outline[1..]) {
            assert!(node.depth >= 1 && node.depth <= before.depth + 1, "{outline:#?}");
        }
        for node in &outline {
            let row = global.satisfying(node.part, node.sub).expect("all is known");
            assert_eq!(local.satisfying(node.part, node.sub), Some(row.clone()), "{}", node.words);
            assert_eq!(row.len(), global.graph(node.part).len());
            let part = global.formula().parts[node.part].clone();
            if let Sub::Not(a) = part.subs[node.sub] {
                let inner = global.satisfying(node.part, a).expect("all is known");
                assert_eq!(inner.count() + row.count(), row.len());
            }
            if !row.is_empty() {
                let values = global.vertex_values(node.part, Vertex(0));
                assert_eq!(values.len(), program.layout.slots as usize);
                assert_eq!(global.vertex(node.part, Vertex(0)).1.len(), part.tracks());
            }
            nodes += 1;
        }
        // The whole holds where the verdict says so.
        let top = global.satisfying(outline[0].part, outline[0].sub).expect("all is known");
        assert!(top.get(Vertex(0)) || matches!(global.outcome(), Some(Outcome::Violated)), "{name}");
    });
    eprintln!("NODES {nodes}");
    assert!(nodes > 100, "only {nodes} nodes");
}

fn same(a: &GlobalSearch, b: &GlobalSearch) -> bool {
    a.st() == b.st() && a.fst() == b.fst() && a.marked() == b.marked() && a.rows() == b.rows()
}

/// The search at any step, sought in any order, is the one that is reached by stepping.
#[test]
fn playback_is_the_search() {
    let (mut steps, mut witnesses, mut counterexamples) = (0, 0, 0);
    each_property(|program, name| {
        let mut check = done(program, name, Algorithm::Global);
        for part in check.formula().parts.ids().collect::<Vec<_>>() {
            let Some(mut playback) = check.playback(part, 100_000) else { panic!("{name} is known") };
            assert!(playback.is_whole());
            let subs = check.formula().parts[part].subs.clone();
            // It ends with the result of the check.
            let last = playback.moves().len() as u32;
            for sub in subs.ids() {
                assert_eq!(Some(&playback.seek(last).rows()[sub]), check.row(part, sub));
            }
            let mut live = playback.seek(0).clone();
            let graph = playback.graph().clone();
            let mut random = Random::new(u64::from(last));
            for step in 0..last.min(700) {
                assert!(same(playback.seek(step), &live), "{name} step {step}");
                let (st, fst) = (live.st().len(), live.fst().len());
                let event = live.step(&graph, &subs).expect("there is a step");
                let moved = playback.moves()[step as usize];
                assert_eq!(moved.event, event);
                let height = |before: usize, moved: StackMove| match moved {
                    StackMove::Stays => before,
                    StackMove::Push => before + 1,
                    StackMove::Pop(taken) => before - taken as usize,
                };
                let (on_st, on_fst) = playback.stack_moves(step);
                assert_eq!(height(st, on_st), live.st().len());
                assert_eq!(height(fst, on_fst), live.fst().len());
                // A state on the path waits on FSt, as long as it is not decided: then both are empty.
                if !live.fst().is_empty() {
                    assert!(live.st().iter().all(|(v, _)| live.fst().contains(v)));
                }
                match event {
                    Event::Witness(_, to) => {
                        witnesses += 1;
                        assert!(
                            live.fst().is_empty() && live.rows().iter().last().is_some_and(|r| r.get(to))
                        );
                    }
                    Event::Counterexample(..) => {
                        counterexamples += 1;
                        assert!(live.st().is_empty());
                    }
                    _ => {}
                }
                if step % 97 == 0 {
                    let other = random.below(last as usize + 1) as u32;
                    let there = playback.seek(other).clone();
                    playback.seek(0);
                    assert!(same(playback.seek(other), &there));
                }
                steps += 1;
            }
        }
    });
    assert!(steps > 2000 && witnesses > 20 && counterexamples > 5, "{steps} {witnesses} {counterexamples}");
}
