//! The engine's answers about properties of branching time, held against core's naive evaluation without symmetry.

use super::*;
use crate::engine::protocol::{Answer, Request};
use crate::engine::tests::{answers, model};
use crate::engine::{Choices, Verdict, models};
use orbitscope_core::ctl::Algorithm;
use orbitscope_core::program::PropertyId;
use std::collections::BTreeSet;

/// Calls `with` for each property of branching time of the gallery, with the graphs of its parts and its verdict.
fn each(mut with: impl FnMut(&str, &CheckedModel, u32, Branching, Vec<Drawing>, Verdict)) {
    let choices = Choices::default();
    for builtin in models() {
        let question = crate::engine::Question { source: builtin.source.into(), settings: [].into() };
        let checked = CheckedModel::new(&question).unwrap();
        for (property, info) in (0..).zip(checked.info().properties) {
            if !info.logic.is_branching() {
                continue;
            }
            let name = format!("{} {}", builtin.name, info.name);
            let asked = |more: Vec<Request>| {
                let mut requests = vec![
                    model(builtin.source, &[]),
                    Request::Check { property, choices, patience: None },
                    Request::Branching { property, choices },
                ];
                requests.extend(more);
                answers(requests)
            };
            let Some(Answer::Branching(Ok(Some(found)))) = asked(Vec::new()).pop() else { panic!("{name}") };
            let part = |part| Request::Picture { of: GraphKind::Part(part), choices };
            let all = asked(found.parts.ids().map(part).collect());
            let Answer::Check(Some(verdict)) = &all[1] else { panic!("{name}") };
            let drawn = all[3..].iter().map(|answer| match answer {
                Answer::Picture(Ok(Some(drawing))) => drawing.clone(),
                other => panic!("{name}: {other:?}"),
            });
            with(&name, &checked, property, *found, drawn.collect(), verdict.verdict);
        }
    }
}

fn check(model: &CheckedModel, property: u32, symmetry: bool, algorithm: Algorithm) -> CtlCheck<'_> {
    let choice = if symmetry { Choice::Model } else { Choice::None };
    let symmetry = choose(&model.program, choice).unwrap();
    let settings = Settings { algorithm, ..Settings::default() };
    let mut check = CtlCheck::new(&model.program, PropertyId(property), &symmetry, settings).unwrap();
    check.run();
    check
}

#[test]
fn marked_states_are_those_of_the_naive_evaluation_without_symmetry() {
    let mut compared = 0;
    each(|name, model, property, found, drawn, _| {
        let quotient = check(model, property, true, Algorithm::Global);
        let mut plain = check(model, property, false, Algorithm::Naive);
        let outline = plain.formula().outline(&model.program, 1000);
        assert_eq!(outline.len(), found.tree.len(), "{name}");
        for (node, shown) in outline.iter().zip(&found.tree) {
            assert_eq!(
                (node.part, node.depth, &node.words),
                (shown.part, shown.depth, &shown.words),
                "{name}"
            );
            let row = plain.satisfying(node.part, node.sub).unwrap();
            let mut count = 0;
            for vertex in quotient.graph(node.part).vertices() {
                let tracked = quotient.vertex(node.part, vertex).1.to_vec();
                let values = quotient.vertex_values(node.part, vertex);
                let there = plain.vertex_of(node.part, &values, &tracked).unwrap();
                assert_eq!(shown.holds.get(vertex), row.get(there), "{name}: {} in {values:?}", node.words);
                count += u32::from(row.get(there));
                compared += 1;
            }
            assert_eq!(shown.count, count, "{name}: {}", node.words);
        }
        for (id, part) in found.parts.iter_enumerated() {
            let graph = drawn[id.0 as usize].graph();
            assert_eq!(
                (graph.nodes.len() as u32, part.states),
                (quotient.graph(id).len(), quotient.graph(id).len())
            );
            for (node, vertex) in graph.nodes.iter().zip(quotient.graph(id).vertices()) {
                let (state, tracked) = quotient.vertex(id, vertex);
                assert_eq!(node.state, Some((state, tracked.to_vec())), "{name}");
            }
            // The drawn edges are those that are searched, but for loops in states without a step.
            let edges: BTreeSet<(u32, u32)> =
                graph.edges.iter().map(|edge| (edge.from.0, edge.to.0)).collect();
            let searched = quotient.graph(id).vertices().flat_map(|from| {
                let to = quotient.graph(id).successors(from).iter();
                to.map(move |to| (from.0, to.0)).collect::<Vec<_>>()
            });
            let dead = |from: u32| graph.nodes[draw::NodeId(from)].deadlock;
            let searched: BTreeSet<(u32, u32)> = searched.filter(|&(from, _)| !dead(from)).collect();
            assert_eq!(edges, searched, "{name}");
            assert!(
                graph.nodes.iter().any(|node| node.initial),
                "{name}: nothing stands for an initial state"
            );
        }
    });
    assert!(compared > 1000, "only {compared}");
}

#[test]
fn evidence_says_what_the_verdict_says_and_its_paths_go_through_the_graph() {
    let (mut walks, mut opened) = (0, 0);
    each(|name, model, property, found, drawn, verdict| {
        if found.mu {
            assert!(found.pieces.is_empty(), "{name}: no path shows a fixed point");
            return;
        }
        let mut lab = Lab::default();
        assert_eq!(lab.prepare(model, property, Choices::default()), Ok(true));
        while lab.work().is_some_and(Stepping::step) {}
        assert_eq!(lab.branching(model).as_ref(), Some(&found));
        assert_eq!(found.pieces[0].1.holds, verdict == Verdict::Holds, "{name}: {}", found.pieces[0].1.words);
        let known: BTreeSet<ClaimId> = found.pieces.iter().map(|(id, _)| *id).collect();
        let mut pieces: Vec<Piece> = found.pieces.iter().map(|(_, piece)| piece.clone()).collect();
        for (_, piece) in &found.pieces {
            for below in piece.below.iter().filter(|below| !known.contains(&below.claim)).take(4) {
                let piece =
                    lab.explain(model, below.claim).unwrap_or_else(|| panic!("{name}: {}", below.words));
                assert_eq!(piece.words, below.words, "{name}");
                pieces.push(piece);
                opened += 1;
            }
        }
        for piece in &pieces {
            let Some(run) = &piece.run else { continue };
            walks += 1;
            let graph = drawn[piece.part.0 as usize].graph();
            let vertices: Vec<Vertex> = piece.vertices.iter().map(|vertex| vertex.unwrap()).collect();
            assert_eq!(vertices.len(), run.steps.len() + 1, "{name}");
            for pair in vertices.windows(2) {
                let drawn = |edge: &draw::Edge| (edge.from.0, edge.to.0) == (pair[0].0, pair[1].0);
                let repeats = pair[0] == pair[1] && graph.nodes[draw::NodeId(pair[0].0)].deadlock;
                assert!(repeats || graph.edges.iter().any(drawn), "{name}: {pair:?} is no edge");
            }
        }
    });
    assert!(walks > 15 && opened > 10, "only {walks} paths, {opened} claims opened");
}

#[test]
fn other_engines_and_other_logics_have_nothing_to_look_into() {
    let source = models().iter().find(|model| model.name == "mutex_heljanko").unwrap().source;
    let ask = |property: u32, choices: Choices| {
        let all = answers(vec![model(source, &[]), Request::Branching { property, choices }]);
        match all.last() {
            Some(Answer::Branching(Ok(found))) => found.is_some(),
            other => panic!("{other:?}"),
        }
    };
    assert!(ask(1, Choices::default()));
    assert!(ask(1, Choices { engine: Engine::Explicit, ..Choices::default() }));
    assert!(!ask(1, Choices { engine: Engine::Symbolic, ..Choices::default() }));
    assert!(!ask(8, Choices::default()), "a formula of linear time");
    assert!(!ask(99, Choices::default()));
}

#[test]
fn fair_paths_are_said_and_searched_all_the_same() {
    let source = models().iter().find(|model| model.name == "mutex_emerson_sistla").unwrap().source;
    let choices = Choices { fair_ctl: true, ..Choices::default() };
    let all = answers(vec![model(source, &[]), Request::Branching { property: 6, choices }]);
    let Some(Answer::Branching(Ok(Some(found)))) = all.last() else { panic!("{all:?}") };
    assert!(found.fair);
    assert!(found.tree.iter().all(|node| !node.words.contains("EG true")), "{:?}", found.tree);
    assert!(found.parts.iter().any(|part| matches!(part.play, Play::From { whole: true, .. })));
}

/// The page offers fair paths of ctl, and ctl at all, with the engines that check them, and with no other.
#[test]
fn an_engine_refuses_what_is_not_offered() {
    let source = models().iter().find(|model| model.name == "mutex_emerson_sistla").unwrap().source;
    for engine in [Engine::Onthefly, Engine::Threaded, Engine::Explicit, Engine::Symbolic] {
        for fair_ctl in [false, true] {
            let choices = Choices { engine, fair_ctl, ..Choices::default() };
            let ask = Request::Check { property: 6, choices, patience: None };
            let all = answers(vec![model(source, &[]), ask]);
            let Some(Answer::Check(Some(checked))) = all.last() else { panic!("{all:?}") };
            let offered = if fair_ctl { choices.can_branch_fairly() } else { choices.can_branch() };
            assert_eq!(checked.verdict != Verdict::Unknown, offered, "{engine:?}, fair: {fair_ctl}");
        }
    }
}

#[test]
fn a_part_with_more_states_than_are_drawn_is_partial() {
    let source = "process p[6] { var x: 0..4 = 0 action up: true -> x := (x + 1) % 5 }
        ctl f: AG EF (p[0].x == 0 and p[1].x == 1 and p[2].x == 2 and p[3].x == 3 and p[4].x == 4 and p[5].x == 0)";
    let choices = Choices::default();
    let part = Request::Picture { of: GraphKind::Part(PartId(0)), choices };
    let all = answers(vec![model(source, &[]), Request::Branching { property: 0, choices }, part]);
    let Answer::Branching(Ok(Some(found))) = &all[1] else { panic!("{all:?}") };
    assert_eq!((found.parts[PartId(0)].states, &found.parts[PartId(0)].play), (15_625, &Play::TooLarge));
    assert_eq!((found.tree[0].count, found.tree[0].holds.len()), (15_625, LIMITS.states));
    let Answer::Picture(Ok(Some(drawing))) = &all[2] else { panic!("{:?}", all[2]) };
    assert!(!drawing.is_complete() && drawing.size().0 == LIMITS.states);
}
