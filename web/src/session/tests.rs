use super::*;
use crate::engine::protocol::{Answer, FromWorker};
use crate::engine::{
    Engine, Fairness, FairnessChoice, Logic, ModelInfo, Problem, PropertyInfo, Surveyed, SymmetryInfo,
    Verdict, Why,
};
use orbitscope_core::draw::Graph;

const MODEL: Model = Model::new("m", "M", "", "one");

fn info(names: &[(&str, Logic)]) -> ModelInfo {
    ModelInfo {
        params: Vec::new(),
        processes: 1,
        properties: names
            .iter()
            .map(|&(name, logic)| PropertyInfo { name: name.into(), logic, text: String::new(), line: 1 })
            .collect(),
        symmetry: SymmetryInfo {
            order: "1".into(),
            trivial: true,
            families: Vec::new(),
            reasons: Vec::new(),
            complete: true,
        },
        casts: Vec::new(),
        strips: Vec::new(),
    }
}

const TWO: [(&str, Logic); 2] = [("safe", Logic::Invariant), ("live", Logic::Ltl)];

fn film() -> Film {
    Film {
        log: orbitscope_core::search::log::Log::default(),
        search: 0,
        searches: 1,
        words: crate::engine::words::Words::default(),
        run: None,
    }
}

fn checked(verdict: Verdict, why: Option<Why>) -> Checked {
    Checked { verdict, why, ..Checked::stopped_at(Progress::default(), 1.0) }
}

fn problem() -> Problem {
    Problem::new("no")
}

/// A worker that answers at once, and what it was asked.
#[derive(Default)]
struct Worker {
    asked: Vec<Request>,
    next_id: u32,
}

impl Worker {
    /// Asks what the session wants next, without answering it.
    fn ask(&mut self, session: &Session) -> Session {
        let Next::Ask(request) = session.next() else { panic!("{:?}", session.next()) };
        self.asked.push(request.clone());
        self.next_id += 1;
        session.apply(Action::Line(Which::Front, Happened::Asked(RequestId(self.next_id), request)))
    }

    fn answer(&self, session: &Session, answer: Answer) -> Session {
        session.apply(Action::Line(
            Which::Front,
            Happened::Heard(FromWorker::Answer(RequestId(self.next_id), Box::new(answer))),
        ))
    }

    /// A session whose second property is being checked.
    fn until_second_check(&mut self) -> Session {
        let mut session = Session::new(MODEL);
        let long = Request::Check { property: 1, choices: Choices::default(), patience: None };
        while session.line.asked.as_ref().is_none_or(|asked| asked.request != long) {
            if let Some(asked) = session.line.asked.clone() {
                // It is not answered at once.
                let partial = || Answer::Check(Some(checked(Verdict::Unknown, Some(Why::Stopped))));
                let is_check = matches!(asked.request, Request::Check { property: 1, .. });
                let answer = if is_check { partial() } else { usual(&asked.request) };
                session = self.answer(&session, answer);
            }
            session = self.ask(&session);
        }
        session
    }

    /// Answers everything until nothing is wanted.
    fn settle(&mut self, mut session: Session) -> Session {
        for _ in 0..100 {
            match session.next() {
                Next::Nothing => return session,
                Next::Stop(_) => session = session.apply(Action::Line(Which::Front, Happened::Stopping)),
                Next::Ask(request) => {
                    session = self.ask(&session);
                    session = self.answer(&session, usual(&request));
                }
            }
        }
        panic!("it never settles: {:?}", self.asked);
    }
}

fn usual(request: &Request) -> Answer {
    match request {
        Request::Model(question) if question.source.contains('{') => Answer::Model(Err(vec![problem()])),
        Request::Model(_) => Answer::Model(Ok(info(&TWO))),
        Request::Film { property, .. } => Answer::Film(Ok((*property == 1).then(film))),
        Request::Picture { .. } | Request::Larger { .. } => {
            Answer::Picture(Ok(Some(Drawing::new(Graph::new("")))))
        }
        Request::Check { .. } => Answer::Check(Some(checked(Verdict::Holds, None))),
        Request::Survey { .. } => Answer::Survey(Surveyed {
            deadlocks: 0,
            why: None,
            path: Vec::new(),
            run: None,
            covered: None,
            stats: crate::engine::Stats::default(),
            time: 0.0,
        }),
        Request::Orbit { .. } => Answer::Orbit(None),
        Request::Branching { .. } => Answer::Branching(Ok(None)),
        Request::Explain { .. } => Answer::Explain(None),
        Request::Walk { .. } => Answer::Walk(Err("no walk".into())),
        Request::Inspect { .. } => Answer::Inspect(Err("nothing".into())),
        Request::Find { .. } => Answer::Find(Ok(Vec::new())),
        Request::Document { .. } => Answer::Document(Ok(String::new())),
        Request::Every { .. } => Answer::Every(Err("no size is left open".into())),
    }
}

fn settled() -> (Worker, Session) {
    let mut worker = Worker::default();
    let session = worker.settle(Session::new(MODEL));
    (worker, session)
}

#[test]
fn the_first_things_first() {
    let (worker, session) = settled();
    let kinds: Vec<String> = worker
        .asked
        .iter()
        .map(|request| match request {
            Request::Model(_) => "model".into(),
            Request::Film { property, .. } => format!("film {property}"),
            Request::Picture { of, .. } | Request::Larger { of, .. } => of.name().into(),
            Request::Check { property, .. } => format!("check {property}"),
            Request::Survey { .. } => "survey".into(),
            Request::Orbit { .. } => "orbit".into(),
            Request::Branching { property, .. } => format!("look into {property}"),
            Request::Explain { .. } => "explain".into(),
            Request::Walk { .. } => "walk".into(),
            Request::Inspect { .. } | Request::Find { .. } => "look".into(),
            Request::Document { .. } => "document".into(),
            Request::Every { property, .. } => format!("every {property}"),
        })
        .collect();
    // The first property with a search is looked at; its verdict and what is shown come before what may be looked at later.
    let expected =
        ["model", "check 1", "film 1", "AQS", "survey", "check 0", "States", "AQSI", "Product", "Threaded"];
    assert_eq!(kinds, expected);
    assert_eq!(session.found.checked.len(), 2);
    assert_eq!(session.property, Some(1));
}

#[test]
fn the_last_good_model_stays_while_the_text_has_problems() {
    let (mut worker, good) = settled();
    let bad = worker.settle(good.apply(Action::Edit("{".into())));
    assert_eq!(
        (&bad.found.info, &bad.found.checked, bad.film()),
        (&good.found.info, &good.found.checked, good.film())
    );
    assert!(bad.picture(GraphKind::Aqs).is_some());
    assert!(bad.is_stale() && !good.is_stale());
    let before = worker.asked.len();
    let better = worker.settle(bad.apply(Action::Edit("three".into())));
    assert!(!better.is_stale() && better.found.checked.len() == 2);
    assert_eq!(worker.asked.len() - before, 10);
}

#[test]
fn an_answer_about_an_older_text_is_dropped() {
    let (mut worker, session) = settled();
    let first = worker.ask(&session.apply(Action::Edit("two".into())));
    let second = first.apply(Action::Edit("three".into()));
    // It does not wait for the answer to the first.
    assert!(matches!(second.next(), Next::Ask(Request::Model(question)) if *question.source == *"three"));
    let late = worker.answer(&second, Answer::Model(Err(vec![problem()])));
    assert!(late.is_pending() && !late.is_stale());
    assert_eq!(late.found.checked, session.found.checked);
}

#[test]
fn an_answer_under_older_choices_is_dropped_and_the_work_stopped() {
    let mut worker = Worker::default();
    let mut session = Session::new(MODEL);
    while !matches!(session.line.asked, Some(Asked { request: Request::Check { .. }, .. })) {
        if let Some(asked) = session.line.asked.clone() {
            session = worker.answer(&session, usual(&asked.request));
        }
        session = worker.ask(&session);
    }
    let choices = Choices { engine: Engine::Explicit, ..Choices::default() };
    let changed = session.apply(Action::Choose(choices));
    assert_eq!(changed.next(), Next::Stop(RequestId(worker.next_id)));
    let stopping = changed.apply(Action::Line(Which::Front, Happened::Stopping));
    assert_eq!(stopping.next(), Next::Nothing);
    let late = worker.answer(&stopping, Answer::Check(Some(checked(Verdict::Unknown, Some(Why::Stopped)))));
    assert!(late.found.checked.is_empty());
    let settled = worker.settle(late);
    assert_eq!(settled.found.checked.len(), 2);
    assert!(worker.asked.iter().rev().take(9).all(|request| !matches!(request, Request::Model(_))));
}

/// A session whose worker checks a property that is not looked at.
fn checking_another(worker: &mut Worker) -> Session {
    let mut session = Session::new(MODEL);
    while !matches!(session.line.asked, Some(Asked { request: Request::Check { property: 0, .. }, .. })) {
        if let Some(asked) = session.line.asked.clone() {
            session = worker.answer(&session, usual(&asked.request));
        }
        session = worker.ask(&session);
    }
    session
}

#[test]
fn what_a_person_waits_for_comes_before_what_is_checked_in_advance() {
    let mut worker = Worker::default();
    let session = checking_another(&mut worker);
    assert_eq!(session.next(), Next::Nothing);
    let walking = session.apply(Action::Side(Side::Explore));
    assert_eq!(walking.next(), Next::Stop(RequestId(worker.next_id)));
    let stopping = walking.apply(Action::Line(Which::Front, Happened::Stopping));
    let free = worker.answer(&stopping, Answer::Check(Some(checked(Verdict::Unknown, Some(Why::Stopped)))));
    assert!(!free.found.checked.contains_key(&0), "it was interrupted, and that is no answer");
    assert!(matches!(free.next(), Next::Ask(Request::Walk { .. })), "{:?}", free.next());
    // An answer that came whole in spite of it is one.
    let whole = worker.answer(&stopping, Answer::Check(Some(checked(Verdict::Holds, None))));
    assert!(whole.found.checked.contains_key(&0));
}

#[test]
fn the_property_that_is_clicked_is_checked_next() {
    let mut worker = Worker::default();
    let session = checking_another(&mut worker);
    let mut early = session.clone();
    early.found_mut().checked.remove(&1);
    assert_eq!(early.next(), Next::Stop(RequestId(worker.next_id)));
}

#[test]
fn verdicts_are_old_at_once_and_gone_with_their_model() {
    let (_, session) = settled();
    assert!(!session.is_old());
    assert!(session.apply(Action::Edit("two".into())).is_old());
    let other = Model::new("n", "N", "", "other");
    let picked = session.apply(Action::Pick(other));
    assert!(
        picked.found.checked.is_empty()
            && picked.found.info.is_none()
            && picked.picture(GraphKind::Aqs).is_none()
    );
    let opened = session.apply(Action::Open(Box::new(text_alone("other".into(), OWN))));
    assert!(
        opened.found.checked.is_empty() && opened.found.info.is_none() && opened.found.surveyed.is_none()
    );
}

#[test]
fn a_stop_ends_what_is_under_way_and_keeps_what_was_found() {
    let mut worker = Worker::default();
    let session = worker.until_second_check();
    let stopped = session.apply(Action::Stop);
    assert!(matches!(stopped.next(), Next::Stop(_)));
    let partial = Answer::Check(Some(checked(Verdict::Unknown, Some(Why::Stopped))));
    let stopped =
        worker.settle(worker.answer(&stopped.apply(Action::Line(Which::Front, Happened::Stopping)), partial));
    // Pictures are still drawn, but nothing more is checked.
    assert_eq!(stopped.found.checked.len(), 1);
    assert!(stopped.found.checked[&1].is_partial() && stopped.found.surveyed.is_none());
    assert!(stopped.picture(GraphKind::Threaded).is_some());
    let again = worker.settle(stopped.apply(Action::Again));
    assert_eq!(again.found.checked.len(), 2);
    assert!(!again.found.checked[&1].is_partial() && again.found.surveyed.is_some());
}

#[test]
fn a_worker_that_was_ended_leaves_what_it_had_told() {
    let mut worker = Worker::default();
    let session = worker.until_second_check();
    let progress = Progress { nodes: 17, ..Progress::default() };
    let told = session.apply(Action::Line(
        Which::Front,
        Happened::Heard(FromWorker::Progress(RequestId(worker.next_id), progress, 5.0)),
    ));
    let lost = told
        .apply(Action::Stop)
        .apply(Action::Line(Which::Front, Happened::Stopping))
        .apply(Action::Line(Which::Front, Happened::Silent));
    assert_eq!(lost.found.checked[&1].stats.product_states, Some(17));
    assert!(lost.found.checked[&1].is_partial());
    // The new worker gets the model, and is asked nothing else until one wants it.
    let before = worker.asked.len();
    let idle = worker.settle(lost);
    assert_eq!(worker.asked.len() - before, 1);
    assert!(idle.line.notice.is_some() && idle.film().is_some() && idle.found.checked[&1].is_partial());
    let again = worker.settle(idle.apply(Action::Again));
    assert_eq!(again.found.checked[&1].verdict, Verdict::Holds);
}

#[test]
fn a_model_that_breaks_the_worker_is_not_tried_again_and_again() {
    let mut worker = Worker::default();
    let session = worker.ask(&Session::new(MODEL)).apply(Action::Line(Which::Front, Happened::Broken));
    assert_eq!(session.next(), Next::Nothing);
    assert!(session.is_stale());
    assert!(matches!(session.apply(Action::Edit("two".into())).next(), Next::Ask(Request::Model(_))));
}

#[test]
fn the_film_is_of_the_search_that_the_verdict_rests_on() {
    let mut worker = Worker::default();
    let mut session = Session::new(MODEL);
    while session.answer().is_none() {
        session = worker.ask(&session);
        let answer = match &session.line.asked.as_ref().unwrap().request {
            Request::Check { property: 1, .. } => {
                Answer::Check(Some(Checked { search: 2, ..checked(Verdict::Violated, None) }))
            }
            other => usual(other),
        };
        session = worker.answer(&session, answer);
    }
    assert!(matches!(session.next(), Next::Ask(Request::Film { property: 1, search: 2, .. })));
}

#[test]
fn another_property_has_another_film_and_the_same_verdicts() {
    let (mut worker, session) = settled();
    let before = worker.asked.len();
    let other = worker.settle(session.apply(Action::Property(0)));
    assert_eq!(other.found.checked, session.found.checked);
    assert!(other.film().is_none());
    assert!(
        worker.asked[before..].iter().all(|r| matches!(r, Request::Film { .. } | Request::Picture { .. }))
    );
}

#[test]
fn a_selection_lasts_as_long_as_its_graph() {
    use orbitscope_core::draw::{Node, NodeId};
    let (mut worker, session) = settled();
    let item = Some(Item::Node(GraphKind::Aqs, NodeId(0)));
    let chosen = session.apply(Action::Select(item)).apply(Action::Hover(item));
    // Other choices: everything is drawn anew.
    let prune = Choices { symmetry: false, ..Choices::default() };
    assert_eq!(worker.settle(chosen.apply(Action::Choose(prune))).pointer.selected, None);
    // The same graph again.
    let mut drawn = chosen.clone();
    drawn.scene_mut().basis += 1;
    assert_eq!(worker.settle(drawn.clone()).pointer.selected, item);
    let mut other = Graph::new("");
    other.nodes.push(Node::new("a"));
    let other = Drawing::new(other);
    let drawn = worker.ask(&drawn);
    let drawn = worker.answer(&drawn, Answer::Picture(Ok(Some(other))));
    assert_eq!((drawn.pointer.selected, drawn.pointer.hovered), (None, None));
}

#[test]
fn picking_a_model_starts_over() {
    let (mut worker, session) = settled();
    let other = Model::new("o", "O", "", "other");
    let picked = session.apply(Action::Set("n".into(), 4)).apply(Action::Pick(other));
    assert_eq!(picked.question, Session::new(other).question);
    assert!(picked.is_pending() && !picked.is_edited());
    let before = worker.asked.len();
    assert!(!worker.settle(picked).is_pending());
    assert!(worker.asked.len() > before);
    // The same one again asks nothing.
    assert_eq!(session.apply(Action::Pick(MODEL)).next(), Next::Nothing);
}

#[test]
fn an_edit_asks_anew_and_keeps_the_parameters() {
    let session = Session::new(MODEL).apply(Action::Set("n".into(), 4)).apply(Action::Edit("two".into()));
    assert_eq!(&*session.question.source, "two");
    assert_eq!(session.question.settings["n"], 4);
    assert!(session.is_edited());
    assert!(!session.apply(Action::Edit("one".into())).is_edited());
}

#[test]
fn an_orbit_is_asked_for_when_it_is_looked_at() {
    let (mut worker, session) = settled();
    let looking = session.apply(Action::Unfold(Some((GraphKind::Aqs, 3))));
    assert!(matches!(looking.next(), Next::Ask(Request::Orbit { node: 3, .. })));
    assert_eq!(worker.settle(looking).next(), Next::Nothing);
}

#[test]
fn what_was_there_before_something_else_was_opened_is_known() {
    let typed = Session::new(MODEL).apply(Action::Edit("mine".into()));
    assert_eq!(typed.kept.left, None);
    let opened = typed.apply(Action::Open(Box::new(text_alone("theirs".into(), OPENED))));
    let left = opened.kept.left.as_ref().unwrap();
    assert_eq!(
        (&*left.question.source, left.kept.touched, left.kept.epoch),
        ("mine", typed.kept.touched, typed.kept.epoch)
    );
    // Not for ever one more in the other.
    let again = opened.apply(Action::Open(Box::new(text_alone("third".into(), OPENED))));
    let left = again.kept.left.as_ref().unwrap();
    assert_eq!((&*left.question.source, &left.kept.left), ("theirs", &None));
}

#[test]
fn an_engine_that_cannot_be_loaded_is_not_asked_for_ever() {
    let mut worker = Worker::default();
    let asked = worker.ask(&Session::new(MODEL));
    let missing = asked.apply(Action::Line(Which::Front, Happened::Missing));
    assert!(missing.line.notice.is_some());
    assert_eq!(missing.next(), Next::Nothing);
    assert_eq!(missing.apply(Action::Edit("two".into())).next(), Next::Nothing);
    assert!(matches!(missing.apply(Action::Again).next(), Next::Ask(Request::Model(_))));
}

#[test]
fn a_graph_that_is_drawn_in_part_grows_and_nothing_jumps() {
    let model = *crate::engine::models().iter().find(|model| model.name == "resource_controller").unwrap();
    let session = Session::new(model).apply(Action::Set("clients".into(), 700));
    let small = bench::settled(session.clone());
    let before = small.picture(GraphKind::Aqs).unwrap().clone();
    assert_eq!((before.size().0, before.is_complete()), (2_000, false));
    let large = bench::settled_after(session, [Action::Enlarge(GraphKind::Aqs)]);
    let after = large.picture(GraphKind::Aqs).unwrap();
    assert_eq!((after.size().0, after.is_complete()), (2_802, true));
    for (id, node) in before.layered.nodes.iter_enumerated() {
        assert_eq!(node.area, after.layered.nodes[id].area, "{id:?}");
    }
    // There is no more to draw.
    assert!(small.can_enlarge(GraphKind::Aqs) && !large.can_enlarge(GraphKind::Aqs));
    assert_eq!(large.apply(Action::Enlarge(GraphKind::Aqs)).next(), Next::Nothing);
}

#[test]
fn every_size_is_asked_for_by_whoever_looks_at_it() {
    let (mut worker, session) = settled();
    let every = |worker: &Worker| {
        let asked = worker.asked.iter().filter_map(|request| match request {
            Request::Every { property, .. } => Some(*property),
            _ => None,
        });
        asked.collect::<Vec<_>>()
    };
    assert!(every(&worker).is_empty());
    let session = worker.settle(session.apply(Action::Side(Side::Every)));
    assert_eq!(every(&worker), [1, 0], "the property that is looked at first");
    assert!(session.known_everywhere(1).is_some_and(Result::is_err));
    // Another step, another property: what is known stays known.
    let session = session.apply(Action::Every(EveryAct::Step(3))).apply(Action::Property(0));
    assert_eq!(session.everywhere.step, usize::MAX);
    let session = worker.settle(session);
    assert_eq!(every(&worker).len(), 2);
    let choices = Choices { fairness: FairnessChoice::All(Fairness::Strong), ..session.choices };
    let _ = worker.settle(session.apply(Action::Choose(choices)));
    assert_eq!(every(&worker).len(), 4, "with other fairness both are asked again");
}

#[test]
fn a_check_that_is_passed_over_keeps_what_it_found_and_the_next_begins() {
    let mut worker = Worker::default();
    let session = checking_another(&mut worker).apply(Action::Skip);
    assert_eq!(session.next(), Next::Stop(RequestId(worker.next_id)));
    let session = session.apply(Action::Line(Which::Front, Happened::Stopping));
    assert_eq!(session.next(), Next::Nothing);
    let session = worker.answer(&session, Answer::Check(Some(checked(Verdict::Unknown, Some(Why::Stopped)))));
    assert!(session.found.checked[&0].is_partial() && !session.line.halted);
    let session = worker.settle(session);
    assert_eq!(session.found.checked[&0].verdict, Verdict::Unknown, "it is not asked again by itself");
}

#[test]
fn each_property_may_be_given_a_time() {
    let mut worker = Worker::default();
    let session = Session::new(MODEL).apply(Action::Patience(Some(2_000)));
    worker.settle(session);
    let patience = |request: &Request| match request {
        Request::Check { patience, .. } => Some(*patience),
        _ => None,
    };
    let given: Vec<Option<u32>> = worker.asked.iter().filter_map(patience).collect();
    assert_eq!(given, [Some(next::AT_ONCE), Some(2_000)]);
}

#[test]
fn what_is_answered_at_once_comes_before_the_pictures_and_what_is_not_behind_them() {
    let mut worker = Worker::default();
    let asked =
        |worker: &Worker| worker.asked.iter().map(|r| format!("{r:?}")[..5].to_owned()).collect::<Vec<_>>();
    worker.settle(Session::new(MODEL));
    assert_eq!(asked(&worker)[..3], ["Model", "Check", "Film "]);
    // It takes longer: what was found by then is no answer, and the film comes first.
    let mut worker = Worker::default();
    let mut session = worker.ask(&Session::new(MODEL));
    session = worker.answer(&session, Answer::Model(Ok(info(&TWO))));
    session = worker.ask(&session);
    session = worker.answer(&session, Answer::Check(Some(checked(Verdict::Unknown, Some(Why::Stopped)))));
    assert!(session.found.checked.is_empty());
    let Next::Ask(Request::Film { .. }) = session.next() else { panic!("{:?}", session.next()) };
    let session = worker.settle(session);
    assert_eq!(session.found.checked.len(), 2);
    let last = worker.asked.iter().rfind(|request| matches!(request, Request::Check { property: 1, .. }));
    assert!(matches!(last, Some(Request::Check { patience: None, .. })), "{last:?}");
}
