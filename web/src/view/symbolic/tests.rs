//! The view of symbolic searches, against the plain engine and against figures that are known of small models by hand.

use super::*;
use crate::engine::{Choices, Engine, Generators, Logic, Model, Tuning, models};
use crate::session::bench::{settled, settled_after};
use crate::session::{Action, Play, Session};
use crate::view::plot::field;
use std::collections::BTreeSet;

fn symbolic(tuning: Tuning) -> Choices {
    Choices { engine: Engine::Symbolic, symbolic: tuning, ..Choices::default() }
}

fn model(name: &str) -> Model {
    *models().iter().find(|model| model.name == name).unwrap()
}

fn own(source: &'static str) -> Model {
    Model::new("own", "Own", "", source)
}

/// The session with everything answered, looking at a property.
fn looking(model: Model, choices: Choices, property: &str) -> Session {
    let session = Session::new(model).apply(Action::Choose(choices));
    let info = settled(session.clone()).found.info.clone().unwrap();
    let number = info.properties.iter().position(|p| p.name == property).unwrap();
    settled_after(session, [Action::Property(number as u32)])
}

fn sum(numbers: impl IntoIterator<Item = Natural>) -> Natural {
    numbers.into_iter().fold(Natural::zero(), |mut all, n| {
        all.add(&n);
        all
    })
}

/// Hints, a cut σ_Step and dense frontiers too: what is added comes to all representatives, and what they stand for to all
/// states that the plain engine finds.
#[test]
fn the_iterations_add_up_to_all_states() {
    let usual = Tuning::default();
    let tunings =
        [usual, Tuning { under: Some(8), ..usual }, Tuning { hints: true, sigma_limit: Some(1), ..usual }];
    let (mut searches, mut cut) = (0, 0);
    for name in ["simplified_controller", "mutex_emerson_sistla", "token_ring", "readers_writers", "peterson"]
    {
        let plain = Choices { engine: Engine::Explicit, ..Choices::default() };
        let plain = settled(Session::new(model(name)).apply(Action::Choose(plain)));
        let all = plain.found.surveyed.as_ref().unwrap().stats.states.unwrap();
        for tuning in tunings {
            let session = settled(Session::new(model(name)).apply(Action::Choose(symbolic(tuning))));
            for (number, checked) in &session.found.checked {
                let Some(found) = &checked.iterations else { continue };
                let whole = plain.found.checked[number].verdict;
                assert_eq!(checked.verdict, whole, "{name} {number}");
                searches += 1;
                assert_eq!(
                    (found.all + 1, found.diagrams.len()),
                    (found.steps(), found.summary.iterations.len())
                );
                let start = found.start.as_ref().unwrap();
                let mut representatives = start.states.clone();
                for (step, i) in (1..).zip(&found.summary.iterations) {
                    assert_eq!(i.successors, sum([i.known.clone(), i.symmetric.clone(), i.added.clone()]));
                    representatives.add(&i.added);
                    assert_eq!(i.representatives, representatives);
                    let facts = facts(found, step);
                    let digits = |name| &facts.iter().find(|fact| fact.name == name).unwrap().digits;
                    assert_eq!(*digits("added"), i.added.to_string());
                    let parts = ["expanded", "left aside"].map(|part| digits(part).parse::<u64>().unwrap());
                    assert_eq!(*digits("frontier"), (parts[0] + parts[1]).to_string());
                    cut += u32::from(parts[1] > 0);
                }
                assert_eq!(found.summary.representatives, representatives);
                // An automaton that runs along tells states apart by what it has read.
                let info = &session.found.info.as_ref().unwrap().properties[*number as usize];
                if checked.verdict == crate::engine::Verdict::Holds && !info.logic.has_search() {
                    assert_eq!(found.summary.covered.to_u64(), Some(all), "{name}, {}", info.name);
                }
            }
            assert_eq!(
                session.found.surveyed.as_ref().unwrap().covered.as_ref().unwrap().to_u64(),
                Some(all),
                "{name}"
            );
        }
    }
    assert!(searches > 20 && cut > 5, "{searches} searches, {cut} cut frontiers");
}

/// Whether a state is in the set that a picture shows: along the drawn edges, by the names of the rows.
fn is_drawn(picture: &diagram::Picture, value: impl Fn(&str) -> bool) -> bool {
    let row = |number: u32| {
        let node = picture.nodes.iter().find(|node| node.number == number).unwrap();
        picture.levels.iter().find(|level| (level.y - node.y).abs() < 0.1).unwrap()
    };
    let from: BTreeSet<u32> = picture.edges.iter().map(|edge| edge.to).collect();
    let mut at = picture.nodes.iter().map(|node| node.number).find(|number| !from.contains(number)).unwrap();
    while at != 1 {
        let high = value(&row(at).name);
        match picture.edges.iter().find(|edge| edge.from == at && edge.high == high) {
            Some(edge) => at = edge.to,
            None => return false,
        }
    }
    true
}

/// The simplified controller: at the end exactly those states are covered in which at most one client is critical.
#[test]
fn the_drawn_diagram_is_the_set() {
    let session = looking(model("simplified_controller"), symbolic(Tuning::default()), "mutual_exclusion");
    let found = session.iterations().unwrap();
    let last = found.steps();
    let at = |step| diagram::picture(diagram_of(found, step, Set::Covered).unwrap()).unwrap();
    let (start, end) = (at(0), at(last));
    let (mut first, mut covered) = (0, 0);
    for code in 0..64u32 {
        let client = |c: u32| code >> (2 * c) & 3;
        let bit = |name: &str| {
            let c: u32 = name["client[".len()..][..1].parse().unwrap();
            let place: u32 = name.rsplit_once('.').unwrap().1.parse().unwrap();
            client(c) >> place & 1 == 1
        };
        let clients = [0, 1, 2].map(client);
        let is_state = clients.iter().all(|&c| c < 3);
        let critical = clients.iter().filter(|&&c| c == 2).count();
        assert_eq!(is_drawn(&end, bit), is_state && critical <= 1, "{clients:?}");
        assert_eq!(is_drawn(&start, bit), clients == [0; 3], "{clients:?}");
        covered += u32::from(is_drawn(&end, bit));
        first += u32::from(is_drawn(&start, bit));
    }
    assert_eq!((first, covered), (1, 20));
    assert!(end.levels.iter().any(|level| level.name == "client[2].st.1"));
}

/// Every diagram of many searches: in its frame, with room between nodes, every edge going down to where it should.
#[test]
fn diagrams_are_drawn_with_room() {
    let mut drawn = 0;
    for name in ["simplified_controller", "futurebus", "token_ring", "gossip", "two_phase_commit"] {
        let session = settled(Session::new(model(name)).apply(Action::Choose(symbolic(Tuning::default()))));
        for found in session.found.checked.values().filter_map(|checked| checked.iterations.as_ref()) {
            for step in 0..=found.steps() {
                for set in Set::ALL {
                    let Some(graph) = diagram_of(found, step, set) else { continue };
                    assert_eq!(graph.nodes.is_empty(), size(graph) > crate::engine::MOST_NODES);
                    let Some(picture) = diagram::picture(graph) else { continue };
                    drawn += 1;
                    assert_eq!(picture.nodes.len() as u32, size(graph) + 1);
                    let leading: usize = (graph.nodes.iter().skip(2))
                        .map(|node| usize::from(node.low != 0) + usize::from(node.high != 0))
                        .sum();
                    assert_eq!(picture.edges.len(), leading);
                    for (n, node) in picture.nodes.iter().enumerate() {
                        assert!(node.x > diagram::RADIUS && node.x < picture.size.0 - diagram::RADIUS);
                        assert!(node.y > diagram::RADIUS && node.y < picture.size.1 - diagram::RADIUS);
                        for other in &picture.nodes[..n] {
                            let apart = (node.x - other.x).hypot(node.y - other.y);
                            assert!(apart > 2.0 * diagram::RADIUS, "{name}: {apart} apart");
                        }
                    }
                    let y = |number: u32| picture.nodes.iter().find(|node| node.number == number).unwrap().y;
                    assert!(picture.edges.iter().all(|edge| y(edge.from) < y(edge.to)));
                }
            }
        }
    }
    assert!(drawn > 100, "{drawn}");
}

#[test]
fn every_step_has_its_story() {
    for name in ["simplified_controller", "dining_philosophers", "peterson"] {
        let tuning = Tuning { under: Some(6), ..Tuning::default() };
        let session = settled(Session::new(model(name)).apply(Action::Choose(symbolic(tuning))));
        for (number, checked) in &session.found.checked {
            let Some(found) = &checked.iterations else { continue };
            let logic = session.found.info.as_ref().unwrap().properties[*number as usize].logic;
            for step in 0..=found.steps() {
                let story = narrate(found, checked, logic, step);
                assert!(story.ends_with('.') && story.len() > 20, "{story}");
                assert!(!tags(found, step).is_empty());
                if let Moment::Iteration(_, i) = moment(found, step) {
                    let aside = i.under != i.frontier;
                    assert_eq!(story.contains("aside") && story.contains("dense"), aside, "{story}");
                    assert_eq!(story.contains("removed"), i.symmetric != Natural::zero(), "{story}");
                }
            }
        }
    }
}

#[test]
fn the_first_steps_of_the_controller_in_words() {
    let session = looking(model("simplified_controller"), symbolic(Tuning::default()), "mutual_exclusion");
    let (found, checked) = (session.iterations().unwrap(), session.answer().unwrap());
    let story = |step| narrate(found, checked, Logic::Invariant, step);
    assert_eq!(
        story(0),
        "The search begins with 1 initial state, which is the first representative: no symmetry makes another state of it."
    );
    assert_eq!(
        story(1),
        "Iteration 1 expands the one state of the frontier. It has 3 successors: all new and representatives from now on. σ_Step applies the symmetries to them until nothing changes, in 1 round: 4 representatives stand for 4 states."
    );
    assert!(story(found.steps()).starts_with(
        "The frontier is empty and nothing was left aside: 20 representatives stand for 20 states"
    ));
    assert_eq!(verdict(found, checked).scope, "for the program");
}

/// A claim that is wrong: the second process does what the first does not.
const WRONG: &str = "
    process p[2] { var x: 0..2 = 0
      action up: x == 0 -> x := 1
      action top: self == p[1] and x == 1 -> x := 2 }
    symmetry generators { (p[0] p[1]) }
    invariant low: count(q in p: q.x == 2) == 0
    invariant small: count(q in p: q.x > 2) == 0";

#[test]
fn unchecked_symmetries_only_falsify() {
    let tuning = Tuning { generators: Generators::Unchecked, ..Tuning::default() };
    let model = model("peterson");
    let session = settled(Session::new(model).apply(Action::Choose(symbolic(tuning))));
    let (_, checked) = session.found.checked.iter().find(|(_, c)| c.iterations.is_some()).unwrap();
    let said = verdict(checked.iterations.as_ref().unwrap(), checked);
    assert_eq!(
        (checked.verdict, said.badge),
        (crate::engine::Verdict::Unknown, crate::view::properties::Badge::Unknown)
    );
    assert!(said.scope.contains("falsification only"), "{said:?}");
    // A model whose claim is wrong is refused before that, on the page too.
    let refused = settled(Session::new(own(WRONG)).apply(Action::Choose(symbolic(tuning))));
    assert!(refused.is_stale());
}

#[test]
fn curves_stay_in_the_field_and_rise_with_what_they_show() {
    let session = looking(model("simplified_controller"), symbolic(Tuning::default()), "mutual_exclusion");
    let found = session.iterations().unwrap();
    let (left, right, top, bottom) = field();
    for measure in Measure::ALL {
        for step in 0..=found.steps() {
            let shapes = shapes(found, measure, step);
            assert_eq!(shapes.at.is_some(), matches!(moment(found, step), Moment::Iteration(..)));
            for curve in &shapes.curves {
                assert_eq!(curve.points.len(), found.summary.iterations.len());
                assert!((top..=bottom + 4.0).contains(&curve.letter_at.1), "{curve:?}");
                assert!(curve.points.windows(2).all(|two| two[0].0 < two[1].0));
                for &(x, y) in &curve.points {
                    assert!((left..=right).contains(&x) && (top..=bottom).contains(&y), "{x} {y}");
                }
                if let (Some(at), Moment::Iteration(number, _)) = (shapes.at, moment(found, step)) {
                    assert!((curve.points[number as usize - 1].0 - at).abs() < 1e-9);
                    assert!(!curve.now.is_empty());
                }
            }
        }
    }
    let shapes = shapes(found, Measure::States, 1);
    let at = |words: &str| shapes.up.iter().find(|tick| tick.words == words).unwrap().at;
    let covered = shapes.curves.iter().find(|curve| curve.name == "covered").unwrap();
    let last = covered.points.last().unwrap().1;
    // 20 states in the end.
    let share = (at("10") - last) / (at("10") - at("100"));
    assert!((share - 2f64.log10()).abs() < 1e-6, "{share}");
}

#[test]
fn rows_of_bars_have_one_for_each_iteration() {
    let tuning = Tuning { under: Some(3), ..Tuning::default() };
    let session = looking(model("simplified_controller"), symbolic(tuning), "mutual_exclusion");
    let found = session.iterations().unwrap();
    let rows = rows(found);
    for row in &rows {
        assert_eq!(row.bars.len(), found.summary.iterations.len());
        assert!(row.bars.iter().all(|bar| (0.0..=1.0).contains(bar)));
    }
    for (bar, i) in
        rows.iter().find(|row| row.name == "added").unwrap().bars.iter().zip(&found.summary.iterations)
    {
        assert_eq!(*bar > 0.0, i.added != Natural::zero());
    }
    assert!(rows.iter().all(|row| row.bars.iter().any(|&bar| bar > 0.0)), "{rows:?}");
}

/// The player, and what is looked at, follow the search that is shown.
#[test]
fn the_session_plays_iterations() {
    let session = looking(model("simplified_controller"), symbolic(Tuning::default()), "mutual_exclusion");
    let found = session.iterations().unwrap().clone();
    assert_eq!((session.play.player.step, session.play.player.len), (0, found.steps()));
    assert!(session.film().is_none(), "the search on the fly is not what decided");
    assert_eq!(session.diagram(), Some(Set::Representatives));
    let session = session.apply(Action::Play(Play::Seek(3))).apply(Action::Diagram(Set::Frontier));
    assert_eq!((session.play.player.step, session.diagram()), (3, Some(Set::Frontier)));
    // A graph in its place, and the other engine with its own film.
    let session = session.apply(Action::View(crate::engine::GraphKind::States));
    assert_eq!(session.diagram(), None);
    let numbers =
        session.found.info.as_ref().unwrap().properties.iter().position(|p| p.name == "always_idle_again");
    let (liveness, invariant) = (numbers.unwrap() as u32, session.property.unwrap());
    let anew =
        || Session::new(model("simplified_controller")).apply(Action::Choose(symbolic(Tuning::default())));
    let there_and_back =
        [Action::Property(invariant), Action::Property(liveness), Action::Property(invariant)];
    let session = settled_after(anew(), there_and_back);
    assert_eq!(session.play.player.len, found.steps(), "an answer that is known is played at once");
    let other = settled_after(anew(), [Action::Property(liveness)]);
    assert!(other.iterations().is_some(), "liveness is searched symbolically too");
    let fly = settled_after(anew(), [Action::Property(liveness), Action::Choose(Choices::default())]);
    assert!(fly.film().is_some() && fly.diagram().is_none());
    assert_eq!(fly.play.player.len, fly.film().unwrap().log.len());
}
