//! The view of a property of branching time, with the real engine at the other end of a session.

use super::*;
use crate::engine::{CheckedModel, ClaimId, GraphKind, MAX_STEPS, models};
use crate::session::bench::settled_after;
use crate::session::{Action, Branch, Item, Play, Side};
use crate::view::picture::marks::Phase;
use orbitscope_core::ctl::{Event, Vertex};
use std::collections::BTreeSet;

fn looking_at(model: &str, property: &str, more: Vec<Action>) -> Session {
    let model = *models().iter().find(|known| known.name == model).unwrap();
    let question = Session::new(model).question;
    let properties = CheckedModel::new(&question).unwrap().info().properties;
    let number = properties.iter().position(|known| known.name == property).unwrap();
    let first = Action::Property(number as u32);
    settled_after(Session::new(model), [first].into_iter().chain(more))
}

fn graph(session: &Session) -> &Graph {
    session.picture(session.graph(GraphKind::Aqsi)).unwrap().graph()
}

fn count(marks: &Marks, phase: Phase) -> usize {
    marks.nodes.iter().filter(|mark| mark.phase == phase).count()
}

/// Heljanko's fourth property: the tree, the part that it is checked on, and the states of each subformula.
#[test]
fn a_chosen_subformula_has_its_states_marked() {
    let session = looking_at("mutex_heljanko", "can_be_critical", vec![]);
    assert_eq!((session.place.side, session.scene.view), (Side::Formula, GraphKind::Aqsi));
    let rows = tree(&session, None);
    let told: Vec<(u32, &str, &str)> =
        rows.iter().map(|row| (row.depth, row.words.as_str(), row.count.as_str())).collect();
    assert_eq!(
        told,
        [
            (0, "forall a in p: EF a.st == critical", "holds in 1 of 1 state"),
            (1, "EF a.st == critical", "holds in 9 of 9 states"),
            (2, "a.st == critical", "holds in 2 of 9 states"),
        ]
    );
    // The first row is about the initial state alone: the states of the second one are shown at first.
    assert_eq!((session.chosen(), rows[1].chosen, rows[1].other_part), (1, true, true));
    assert_eq!(graph(&session).nodes.len(), 9);
    let said = about_part(&session).join(" ");
    assert!(said.contains("It tracks a") && said.contains("9 states"), "{said}");
    assert_eq!(count(&marks(&session, None, graph(&session), None).unwrap(), Phase::Holds), 9);
    let session = session.apply(Action::Branch(Branch::Choose(2)));
    assert_eq!(count(&marks(&session, None, graph(&session), None).unwrap(), Phase::Holds), 2);
    // The whole is evaluated on a graph of its own.
    let session = looking_at("mutex_heljanko", "can_be_critical", vec![Action::Branch(Branch::Choose(0))]);
    assert_eq!((graph(&session).nodes.len(), session.play.player.len), (1, 0));
    assert!(about_search(&session).contains("nothing to search"));
}

#[test]
fn the_search_is_the_same_forwards_and_backwards_and_its_marks_are_what_it_knows() {
    let mut searches = 0;
    for (model, property) in [
        ("mutex_heljanko", "tries_then_critical"),
        ("mutex_heljanko", "always_back_to_start"),
        ("mutex_heljanko", "tries_first"),
        ("mutex_emerson_sistla", "must_enter"),
        ("mutex_emerson_sistla", "can_enter"),
    ] {
        let session = looking_at(model, property, vec![]);
        let (_, part) = session.part().unwrap();
        let mut playback = Playback::new((**session.score().unwrap()).clone(), MAX_STEPS);
        let steps = playback.moves().len() as u32;
        assert_eq!((session.play.player.len, playback.is_whole()), (steps, true));
        let graph = graph(&session);
        let frames: Vec<Frame> =
            (0..=steps).map(|step| Frame::new(&mut playback, part, graph, step)).collect();
        for step in (0..=steps).rev() {
            assert_eq!(Frame::new(&mut playback, part, graph, step), frames[step as usize], "step {step}");
        }
        let events: Vec<Event> = playback.moves().iter().map(|moved| moved.event).collect();
        // A naive reading of the events: what is on St, and what each search has decided.
        let mut st: Vec<Vertex> = Vec::new();
        for (frame, event) in frames[1..].iter().zip(&events) {
            match *event {
                Event::Root(vertex) | Event::Enter(vertex) => st.push(vertex),
                Event::Leave(_) | Event::Close(_) => drop(st.pop()),
                Event::Counterexample(..) | Event::Witness(..) => st.clear(),
                Event::End(sub) => {
                    searches += 1;
                    let node = session.branching().unwrap().tree.iter().find(|node| node.until == Some(sub));
                    let node = node.expect("what is searched stands in the tree");
                    let negated = part.subs[sub] != node.words;
                    let states = part.states - if negated { node.count } else { 0 };
                    let holds = if negated { states } else { node.count };
                    assert_eq!(count(&frame.marks, Phase::Holds) as u32, holds, "{property}: {}", node.words);
                    assert_eq!(count(&frame.marks, Phase::Fresh), 0);
                }
                _ => {}
            }
            let entered: BTreeSet<u32> = (frame.marks.nodes.iter_enumerated())
                .filter(|(_, mark)| mark.phase == Phase::Entered)
                .map(|(node, _)| node.0)
                .collect();
            assert_eq!(entered, st.iter().map(|vertex| vertex.0).collect());
            let rows: Vec<Vertex> = frame.st.rows.iter().rev().map(|row| row.vertex).collect();
            assert_eq!((rows, frame.st.below), (st.clone(), 0));
            assert!(frame.story.ends_with('.') && !frame.story.contains("  "), "{}", frame.story);
        }
        let line = timeline(&playback, 7);
        assert_eq!((line.len, line.columns.len() <= 7), (steps, true));
        let entered = events.iter().filter(|event| matches!(event, Event::Root(_) | Event::Enter(_))).count();
        assert_eq!(line.columns.iter().map(|column| column.counts[0]).sum::<u32>() as usize, entered);
    }
    assert!(searches > 6, "only {searches}");
}

#[test]
fn the_player_shows_the_search_and_choosing_shows_the_states_again() {
    let session = looking_at("mutex_heljanko", "tries_then_critical", vec![Action::Play(Play::Seek(7))]);
    let (_, part) = session.part().unwrap();
    let mut playback = Playback::new((**session.score().unwrap()).clone(), MAX_STEPS);
    let frame = Frame::new(&mut playback, part, graph(&session), session.play.player.step);
    let marks = |session: &Session| super::marks(session, Some(&frame), graph(session), None).unwrap();
    assert_eq!(marks(&session), frame.marks);
    assert_eq!(tree(&session, Some(&frame)).iter().filter(|row| row.under_way).count(), 1);
    let session = session.apply(Action::Branch(Branch::Choose(2)));
    assert_eq!(session.play.player.step, 0);
    let before = Frame { step: 0, ..frame.clone() };
    let shown = super::marks(&session, Some(&before), graph(&session), None).unwrap();
    assert_eq!(shown, satisfying(session.subformula().unwrap(), graph(&session)));
}

/// A path is shown at once, its states are states of the graph, and further claims are answered when they are opened.
#[test]
fn evidence_is_a_path_and_can_be_opened() {
    let session = looking_at("mutex_heljanko", "must_be_critical", vec![]);
    let (_, piece) = session.shown_piece().unwrap();
    assert!(!piece.holds && piece.words.contains("AF"), "{}", piece.words);
    let run = session.run().unwrap();
    assert!(run.loop_start.is_some() && !session.shows_deadlock());
    let of = session.graph(GraphKind::Aqsi);
    let seen = session.seen_in(Some(Item::RunStep(0)), of);
    assert_eq!(seen.and_then(|item| item.node_of(of)), Some(NodeId(0)));
    let marked = super::marks(&session, None, graph(&session), Some(0)).unwrap();
    assert!(marked.nodes.iter().any(|mark| mark.run) && marked.run_at == Some(NodeId(0)));

    // A path may start anywhere: it is not said to start in an initial state.
    let nested = looking_at("mutex_emerson_sistla", "must_enter", vec![]);
    let pieces = &nested.branching().unwrap().pieces;
    let paths: Vec<String> =
        pieces.iter().filter_map(|(_, piece)| Some(piece.run.as_ref()?.summary())).collect();
    assert_eq!(paths, ["a path of 1 step", "a loop of 3 steps from its first state"]);

    // Each process of `forall a` has its own witness.
    let session = looking_at("mutex_heljanko", "can_be_critical", vec![]);
    let (_, whole) = &session.branching().unwrap().pieces[0];
    assert_eq!(whole.below.len(), 2);
    let other: ClaimId = whole.below[1].claim;
    assert!(session.piece(other).is_none());
    let open = Action::Branch(Branch::Toggle(other));
    let session = looking_at("mutex_heljanko", "can_be_critical", vec![open]);
    let piece = session.piece(other).expect("it was answered");
    assert!(piece.words.contains("p[1]") && piece.run.is_some(), "{}", piece.words);
    assert_eq!(session.shown_piece().map(|(id, _)| id), Some(other));
    assert!(session.is_open(other) && !session.apply(Action::Branch(Branch::Toggle(other))).is_open(other));
}

#[test]
fn what_cannot_be_played_says_why() {
    let session = looking_at("mutex_heljanko", "can_go_back_mu", vec![]);
    assert!(about_search(&session).contains("fixed points") && session.play.player.len == 0);
    assert!(session.branching().is_some());
    let session = looking_at("mutex_heljanko", "tries_then_critical_ltl", vec![]);
    assert_eq!((session.place.side, session.branching().is_none()), (Side::Stack, true));
    let symbolic = crate::engine::Choices { engine: crate::engine::Engine::Symbolic, ..session.choices };
    let session = looking_at("mutex_heljanko", "never_both", vec![Action::Choose(symbolic)]);
    assert!(session.branching().is_none() && why_nothing(&session).contains("state by state"));
}
