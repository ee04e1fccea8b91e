use super::walk::*;
use super::{CheckedModel, Choices, GraphKind, Question, film::Studio};
use orbitscope_core::models;
use std::collections::BTreeMap;

fn question(source: &str) -> Question {
    Question { source: source.into(), settings: BTreeMap::new() }
}

fn go(question: &Question, walk: &Walk, go: &Go) -> Result<Walked, String> {
    let model = CheckedModel::new(question).expect("the text is sound");
    super::walk::walk(&model, &mut Studio::default(), Choices::default(), question, walk, go)
}

fn first(picks: &[u32]) -> Walk {
    Walk::new(Start::First, picks.to_vec())
}

/// Random walks of the built-in models: what is listed is all that can be done, and steps that are said to be alike lead to
/// one orbit.
#[test]
fn the_steps_that_are_listed_are_those_of_the_state() {
    let mut folded = 0;
    for built_in in models::ALL {
        let question = question(built_in.source);
        for seed in 1..6 {
            let walked = go(&question, &first(&[]), &Go::Random(7, seed * 77)).unwrap();
            assert!(walked.note.is_some() || walked.walk.picks.len() == 7, "{}", built_in.name);
            // The same numbers are the same walk.
            let again = go(&question, &walked.walk, &Go::Stay).unwrap();
            assert_eq!((&again.run, &again.kinds), (&walked.run, &walked.kinds), "{}", built_in.name);
            let listed: u32 = walked.kinds.iter().map(|kind| kind.count).sum();
            for kind in &walked.kinds {
                let ends = kind.steps.iter().map(|(pick, words)| {
                    let mut picks = walked.walk.picks.clone();
                    picks.push(*pick);
                    let further =
                        go(&question, &Walk::new(walked.walk.start.clone(), picks), &Go::Stay).unwrap();
                    assert_eq!(further.run.steps.last().map(|step| &step.words), Some(words));
                    further.places.last().unwrap().1.clone()
                });
                let mut ends: Vec<_> = ends.collect();
                folded += usize::from(ends.len() > 1);
                ends.dedup();
                assert_eq!(ends.len(), 1, "{}: {kind:?} leads to several orbits", built_in.name);
            }
            let beyond = go(
                &question,
                &Walk::new(walked.walk.start.clone(), [walked.walk.picks.clone(), vec![listed]].concat()),
                &Go::Stay,
            );
            assert!(beyond.unwrap().note.unwrap().contains("there is no such step"), "{}", built_in.name);
        }
    }
    assert!(folded > 20, "{folded} kinds had several steps");
}

#[test]
fn until_takes_the_fewest_steps() {
    let built_in = models::find("simplified_controller").unwrap();
    let question = question(built_in.source);
    let condition = "exists c in client: c.st == C";
    let walked = go(&question, &first(&[]), &Go::Until(condition.into())).unwrap();
    assert_eq!(walked.note, None);
    let depth = walked.walk.picks.len();
    let mut at: Vec<Vec<u32>> = vec![Vec::new()];
    for length in 0..depth {
        assert!(length == 0 || at.iter().all(|picks| !uses(&question, picks)), "a shorter way");
        let next = at.iter().flat_map(|picks| {
            let kinds = go(&question, &first(picks), &Go::Stay).unwrap().kinds;
            kinds.into_iter().map(|kind| [picks.clone(), vec![kind.steps[0].0]].concat()).collect::<Vec<_>>()
        });
        at = next.collect();
    }
    let nowhere = go(&question, &first(&[]), &Go::Until("false".into())).unwrap();
    assert!(nowhere.walk.picks.is_empty() && nowhere.note.unwrap().contains("None of the"));
    for (bad, part) in [
        ("exists c in clint: true", "character 13"),
        ("st ==", "error at"),
        ("true invariant x: true", "One expression"),
        ("1 + 1", "error at"),
    ] {
        let note = go(&question, &first(&[]), &Go::Until(bad.into())).unwrap().note.unwrap();
        assert!(note.contains(part), "{bad}: {note}");
    }
}

/// Whether a client uses the resource after these steps.
fn uses(question: &Question, picks: &[u32]) -> bool {
    let walked = go(question, &first(picks), &Go::Stay).unwrap();
    walked.places.last().is_some_and(|(lines, _)| lines[0].contains('C'))
}

#[test]
fn a_walk_needs_one_state_only() {
    // Each of 40 processes counts to a thousand on its own: 10^120 states.
    let question = question(
        "process p[40] { var n: 0..999 = 0 action up: n < 999 -> n := n + 1 action down: n > 0 -> n := n - 1 }
         invariant low: forall q in p: q.n < 2",
    );
    let walked = go(&question, &first(&[]), &Go::Random(50, 5)).unwrap();
    assert_eq!((walked.walk.picks.len(), walked.note, walked.enabled), (50, None, (40, 40)));
    let none_yet = go(&question, &first(&[]), &Go::Stay).unwrap();
    assert_eq!(none_yet.kinds.iter().map(|kind| kind.count).collect::<Vec<_>>(), [40]);
    assert_eq!(none_yet.invariants, [(0, Some(true))]);
    let twice = go(&question, &first(&[0, 0]), &Go::Stay).unwrap();
    assert_eq!(twice.invariants, [(0, Some(false))]);
    assert_eq!(twice.kinds.iter().map(|kind| kind.count).sum::<u32>(), 41);
}

#[test]
fn a_walk_starts_at_a_node_and_at_nothing_that_is_none() {
    let question = question(models::find("readers_writers").unwrap().source);
    for of in [GraphKind::States, GraphKind::Aqs] {
        let at = go(&question, &Walk::new(Start::Node(of, 3), Vec::new()), &Go::Stay).unwrap();
        assert_ne!(at.walk.start, go(&question, &first(&[]), &Go::Stay).unwrap().walk.start);
    }
    let start = |start: Start| go(&question, &Walk::new(start, Vec::new()), &Go::Stay);
    assert!(start(Start::Node(GraphKind::States, 9_999_999)).unwrap_err().contains("no such node"));
    assert!(start(Start::State(vec![0; 3])).unwrap_err().contains("does not have"));
    let Start::State(mut values) = start(Start::First).unwrap().walk.start else { panic!() };
    values[0] = 99;
    assert!(start(Start::State(values)).unwrap_err().contains("does not have"));
}

/// A walk that comes from elsewhere is the one that was made, or none: its numbers may fit another model.
#[test]
fn a_walk_of_another_model_is_told() {
    let source = models::find("simplified_controller").unwrap().source;
    let made = go(&question(source), &first(&[]), &Go::Random(9, 5)).unwrap();
    assert_eq!(made.walk.picks.len(), 9);
    assert_eq!(go(&question(source), &made.walk, &Go::Stay).unwrap().run, made.run);
    // Names of other things, and what is said of properties, do not matter.
    let longer = format!("// The same.\n{source}");
    assert_eq!(go(&question(&longer), &made.walk, &Go::Stay).unwrap().walk, made.walk);
    let told = |source: &str, walk: &Walk| {
        let found = go(&question(source), walk, &Go::Stay);
        found.is_err_and(|why| why.starts_with("The walk was made in another model"))
    };
    // The same numbers of values and steps, with other words for them.
    let renamed =
        source.replace("{I, R, C}", "{I, R, S}").replace("st == C", "st == S").replace(":= C", ":= S");
    assert_ne!(renamed, source);
    assert!(go(&question(&renamed), &Walk { seen: None, ..made.walk.clone() }, &Go::Stay).is_ok());
    assert!(told(&renamed, &made.walk));
    // Another walk of the same model.
    assert!(told(source, &Walk { seen: made.walk.seen.map(|seen| seen ^ 1), ..made.walk.clone() }));
    let shorter = Walk { picks: made.walk.picks[..8].to_vec(), ..made.walk.clone() };
    assert!(told(source, &shorter));
}
