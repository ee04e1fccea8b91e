//! The engine, asked natively through a port whose clock advances as it is read.

use super::protocol::{Answer, FromWorker, Request, RequestId, ToWorker, decode, encode};
use super::*;
use orbitscope_core::draw::NodeId;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A port to a test. When the engine pauses for the n-th time, the n-th message of `later` comes in.
struct TestPort {
    inbox: RefCell<VecDeque<ToWorker>>,
    later: RefCell<VecDeque<ToWorker>>,
    said: Rc<RefCell<Vec<FromWorker>>>,
    clock: Cell<f64>,
}

impl Port for &TestPort {
    fn send(&self, message: FromWorker) {
        // Everything that is said goes over the wire.
        let message = decode(&encode(&message)).expect("what is written can be read");
        self.said.borrow_mut().push(message);
    }

    fn take(&self) -> Option<ToWorker> {
        self.inbox.borrow_mut().pop_front()
    }

    async fn wait(&self) {
        poll_fn(|_| Poll::<()>::Pending).await;
    }

    async fn pause(&self) {
        if let Some(message) = self.later.borrow_mut().pop_front() {
            self.inbox.borrow_mut().push_back(message);
        }
    }

    fn now(&self) -> f64 {
        self.clock.set(self.clock.get() + 1.0);
        self.clock.get()
    }
}

/// The worker's messages when these requests come at once, and those messages one at each pause.
fn talk(requests: Vec<Request>, later: Vec<ToWorker>) -> Vec<FromWorker> {
    let asked = (0..).zip(requests).map(|(id, request)| ToWorker::Ask(RequestId(id), request));
    let port = TestPort {
        inbox: RefCell::new(asked.collect()),
        later: RefCell::new(later.into()),
        said: Rc::default(),
        clock: Cell::new(0.0),
    };
    {
        let mut serving = pin!(serve(&port));
        // It waits for ever once nothing is left to do.
        assert!(serving.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    port.said.take()
}

pub(super) fn answers(requests: Vec<Request>) -> Vec<Answer> {
    let said = talk(requests, Vec::new());
    said.into_iter()
        .filter_map(|message| match message {
            FromWorker::Answer(_, answer) => Some(*answer),
            _ => None,
        })
        .collect()
}

pub(super) fn model(source: &str, settings: &[(&str, i64)]) -> Request {
    let settings = settings.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    Request::Model(Question { source: source.into(), settings })
}

pub(super) fn builtin(name: &str) -> Model {
    *models().iter().find(|model| model.name == name).unwrap()
}

fn film(property: u32, choices: Choices) -> Request {
    Request::Film { property, search: 0, choices }
}

fn problems_of(source: &str, settings: &[(&str, i64)]) -> Vec<Problem> {
    match answers(vec![model(source, settings)]).pop() {
        Some(Answer::Model(Err(problems))) => problems,
        other => panic!("{other:?}"),
    }
}

/// The figures of the paper: 20 states, 7 up to symmetry with 16 edges, 13 with one client tracked.
#[test]
fn the_first_model_has_the_published_sizes() {
    let choices = Choices::default();
    let mut requests = vec![model(models()[0].source, &[]), film(1, choices)];
    requests.extend(GraphKind::ALL.map(|of| Request::Picture { of, choices }));
    let sizes: Vec<(u32, u32, bool)> = answers(requests)
        .into_iter()
        .filter_map(|answer| match answer {
            Answer::Picture(Ok(Some(graph))) => Some((graph.size().0, graph.size().1, graph.is_complete())),
            _ => None,
        })
        .collect();
    assert_eq!(sizes.len(), 5);
    assert_eq!(sizes[..2], [(20, 72, true), (7, 16, true)]);
    assert_eq!((sizes[2].0, sizes[3].0), (13, 26));
}

/// Every property of every built-in model is answered as `Check` answers it natively, and the verdicts agree with the
/// film's last step wherever there is one.
#[test]
fn every_model_of_the_gallery_is_answered_and_filmed() {
    use orbitscope_core::search::Event;
    let choices = Choices::default();
    for builtin in models() {
        let Some(Answer::Model(Ok(info))) = answers(vec![model(builtin.source, &[])]).pop() else {
            panic!("{} is not a model", builtin.name);
        };
        for (number, property) in (0..).zip(&info.properties) {
            let requests = vec![
                model(builtin.source, &[]),
                Request::Check { property: number, choices, patience: None },
                film(number, choices),
            ];
            let name = format!("{}: {}", builtin.name, property.name);
            let mut found = answers(requests).into_iter().skip(1);
            let Some(Answer::Check(Some(checked))) = found.next() else { panic!("{name}") };
            assert_ne!(checked.verdict, Verdict::Unknown, "{name}: {:?}", checked.why);
            let Some(Answer::Film(Ok(film))) = found.next() else { panic!("{name}") };
            assert_eq!(film.is_some(), property.logic.has_search(), "{name}");
            let Some(film) = film.filter(|film| film.search == checked.search && !film.log.is_partial())
            else {
                continue;
            };
            let last = film.log.steps().last().map(|step| step.event);
            let ends = match checked.verdict {
                Verdict::Violated => matches!(last, Some(Event::Yes(_))),
                _ => last == Some(Event::No),
            };
            assert!(ends, "{name} is {:?}, but its film ends with {last:?}", checked.verdict);
        }
    }
}

#[test]
fn a_stopped_check_tells_what_it_has_found() {
    let source = builtin("resource_controller").source;
    let choices = Choices { engine: Engine::Explicit, ..Choices::default() };
    let requests =
        vec![model(source, &[("clients", 12)]), Request::Check { property: 1, choices, patience: None }];
    let said = talk(requests, vec![ToWorker::Stop(RequestId(1))]);
    let Some(FromWorker::Answer(RequestId(1), answer)) = said.last() else { panic!("{said:?}") };
    let Answer::Check(Some(checked)) = &**answer else { panic!("{answer:?}") };
    assert_eq!((checked.verdict, &checked.why), (Verdict::Unknown, &Some(Why::Stopped)));
    assert!(checked.stats.states.unwrap() > 0 && checked.is_partial());
}

#[test]
fn a_check_that_takes_too_long_is_stopped() {
    let source = builtin("resource_controller").source;
    let choices = Choices { engine: Engine::Explicit, ..Choices::default() };
    let check = Request::Check { property: 1, choices, patience: Some(200) };
    let Some(Answer::Check(Some(checked))) = answers(vec![model(source, &[("clients", 12)]), check]).pop()
    else {
        panic!("no answer")
    };
    assert!(checked.is_partial() && checked.stats.states.unwrap() > 0);
}

/// Whoever stops while a run is made keeps the violation, and does not wait for the run.
#[test]
fn a_stop_while_a_run_is_made_keeps_the_violation() {
    let source = "param far = 2000
        shared x: 0..1000000 = 0
        process p[3] { var here: bool = false
          action up: x < far -> x := x + 1
          action stay: x == far -> here := not here }
        ltl settles: forall q in p: F G q.here";
    // The clock of these tests counts how often it is looked at.
    let mut patience = 60;
    while patience < 600_000 {
        let check = Request::Check { property: 0, choices: Choices::default(), patience: Some(patience) };
        let Some(Answer::Check(Some(checked))) = answers(vec![model(source, &[]), check]).pop() else {
            panic!("no answer")
        };
        if checked.verdict == Verdict::Unknown {
            patience += patience / 4;
            continue;
        }
        assert_eq!(checked.verdict, Verdict::Violated);
        // Whoever stops gets a run that was near; where none was, the answer says why.
        assert!(checked.run.is_some() || checked.why == Some(Why::Stopped), "{:?}", checked.why);
        return;
    }
    panic!("no violation was found");
}

#[test]
fn a_stop_for_something_else_stops_nothing() {
    let source = builtin("resource_controller").source;
    let choices = Choices { engine: Engine::Explicit, ..Choices::default() };
    let requests =
        vec![model(source, &[("clients", 5)]), Request::Check { property: 1, choices, patience: None }];
    let said = talk(requests, vec![ToWorker::Stop(RequestId(0))]);
    let Some(FromWorker::Answer(_, answer)) = said.last() else { panic!("{said:?}") };
    assert!(
        matches!(&**answer, Answer::Check(Some(Checked { verdict: Verdict::Violated, .. }))),
        "{answer:?}"
    );
}

#[test]
fn another_model_makes_everything_before_it_void() {
    let source = builtin("resource_controller").source;
    let choices = Choices { engine: Engine::Explicit, ..Choices::default() };
    let requests = vec![
        model(source, &[("clients", 12)]),
        Request::Check { property: 1, choices, patience: None },
        Request::Survey { choices },
    ];
    let other = ToWorker::Ask(RequestId(9), model(source, &[("clients", 2)]));
    let said = talk(requests, vec![other]);
    let answered: Vec<RequestId> = said
        .iter()
        .filter_map(|message| match message {
            FromWorker::Answer(id, _) => Some(*id),
            _ => None,
        })
        .collect();
    assert_eq!(answered, [RequestId(0), RequestId(9)]);
    assert!(
        said.iter().any(|message| matches!(message, FromWorker::Progress(RequestId(1), ..)))
            || said.len() == 3
    );
}

#[test]
fn progress_is_told() {
    let source = builtin("resource_controller").source;
    let choices = Choices { engine: Engine::Explicit, ..Choices::default() };
    let requests =
        vec![model(source, &[("clients", 7)]), Request::Check { property: 1, choices, patience: None }];
    let told: Vec<u64> = talk(requests, Vec::new())
        .iter()
        .filter_map(|message| match message {
            FromWorker::Progress(_, progress, _) => Some(progress.nodes),
            _ => None,
        })
        .collect();
    assert!(told.len() > 2 && told.is_sorted() && told.last() > told.first(), "{told:?}");
}

#[test]
fn a_property_without_a_search_has_no_film_and_no_product() {
    let choices = Choices::default();
    let requests = vec![
        model(models()[0].source, &[]),
        film(0, choices),
        Request::Picture { of: GraphKind::Product, choices },
        Request::Picture { of: GraphKind::Aqs, choices },
    ];
    let found = answers(requests);
    assert_eq!(found[1], Answer::Film(Ok(None)));
    assert_eq!(found[2], Answer::Picture(Ok(None)));
    assert!(matches!(&found[3], Answer::Picture(Ok(Some(graph))) if graph.size().0 == 7));
}

#[test]
fn without_symmetry_the_quotient_is_the_program() {
    let choices = Choices { symmetry: false, ..Choices::default() };
    let requests = vec![
        model(models()[0].source, &[]),
        film(1, choices),
        Request::Picture { of: GraphKind::Aqs, choices },
        Request::Survey { choices },
    ];
    let found = answers(requests);
    assert!(matches!(&found[2], Answer::Picture(Ok(Some(graph))) if graph.size().0 == 20));
    assert!(matches!(&found[3], Answer::Survey(Surveyed { deadlocks: 0, why: None, .. })));
}

#[test]
fn an_orbit_has_its_states() {
    let choices = Choices::default();
    let orbit = |node| Request::Orbit { of: GraphKind::Aqs, node, choices };
    let mut requests = vec![model(models()[0].source, &[]), film(1, choices)];
    requests.extend((0..8).map(orbit));
    let orbits: Vec<Option<Orbit>> = answers(requests)
        .into_iter()
        .filter_map(|answer| match answer {
            Answer::Orbit(orbit) => Some(orbit),
            _ => None,
        })
        .collect();
    assert!(orbits[7].is_none());
    let states: usize = orbits[..7].iter().map(|orbit| orbit.as_ref().unwrap().states.len()).sum();
    assert_eq!(states, 20);
    assert_eq!(orbits[0].as_ref().unwrap().states, [["III"]]);
}

#[test]
fn a_deadlock_is_found_with_the_way_to_it() {
    let source = "process p { var x: bool = false action go: not x -> x := true }";
    let choices = Choices::default();
    let found = answers(vec![model(source, &[]), Request::Survey { choices }]);
    let Answer::Survey(surveyed) = &found[1] else { panic!("{found:?}") };
    assert_eq!((surveyed.deadlocks, surveyed.path.as_slice()), (1, ["p.go".to_owned()].as_slice()));
}

#[test]
fn branching_time_has_evidence() {
    let choices = Choices::default();
    let requests = vec![model(models()[0].source, &[]), Request::Branching { property: 5, choices }];
    let Some(Answer::Branching(Ok(Some(found)))) = answers(requests).pop() else { panic!("no answer") };
    assert!(found.pieces[0].1.words.contains("holds"), "{:?}", found.pieces);
}

#[test]
fn problems_have_their_place() {
    let errors = problems_of("param n = 3\nprocess p[m] { }\n", &[]);
    let place = Place { line: 2, column: 11, excerpt: "process p[m] { }".into(), length: 1 };
    assert_eq!(errors.len(), 1);
    assert!(errors[0].message.starts_with("there is no name called `m`"), "{}", errors[0].message);
    assert_eq!(errors[0].place, Some(place));
    assert!(problems_of("process p {\n  var x\n}\n", &[]).iter().all(|problem| problem.place.is_some()));
    let many = problems_of(&"param = 1\n".repeat(50), &[]);
    assert_eq!(many.last().unwrap(), &Problem::new("and 30 more"));
}

#[test]
fn an_error_while_running_names_step_state_and_path() {
    let source = "process p { var x: 0..2 = 0\n action up: true -> x := x + 1 }\n ltl l: F p.x == 9";
    let message =
        "value 3 outside the variable's range 0..2 while executing p.up, in the state p=2: after p.up, p.up";
    let choices = Choices::default();
    let requests = vec![
        model(source, &[]),
        film(0, choices),
        Request::Picture { of: GraphKind::States, choices },
        Request::Picture { of: GraphKind::Aqs, choices },
        Request::Check { property: 0, choices, patience: None },
    ];
    let found = answers(requests);
    for answer in [&found[2], &found[3]] {
        let Answer::Picture(Err(problem)) = answer else { panic!("{answer:?}") };
        assert_eq!(problem.message, message);
        assert_eq!(problem.place.as_ref().map(|place| (place.line, place.column)), Some((2, 26)));
    }
    let Answer::Check(Some(Checked { why: Some(Why::Fault(problem)), .. })) = &found[4] else {
        panic!("{found:?}")
    };
    assert_eq!(problem.message, message);
}

#[test]
fn parameters_are_checked_and_settings_of_others_are_passed_over() {
    let source = models()[0].source;
    let errors = problems_of(source, &[("clients", 0)]);
    assert_eq!(errors[0].message, "the parameter `clients` is 0, but must be in 1..1000000");
    assert!(matches!(answers(vec![model(source, &[("servers", 7)])])[0], Answer::Model(Ok(_))));
}

/// More processes than anybody can look at: a message or a part, and no state in full.
#[test]
fn huge_parameters_do_not_stop_the_page() {
    let choices = Choices::default();
    for builtin in models() {
        let Answer::Model(Ok(info)) = &answers(vec![model(builtin.source, &[])])[0] else { panic!() };
        for param in &info.params {
            let Some((_, most)) = param.range else { continue };
            for value in [1_000, most] {
                let settings = [(param.name.as_str(), value.min(most))];
                let requests = vec![
                    model(builtin.source, &settings),
                    Request::Picture { of: GraphKind::States, choices },
                ];
                let found = answers(requests);
                match found.as_slice() {
                    [Answer::Model(Err(errors))] => {
                        assert!(errors[0].message.contains("the limit"), "{errors:?}");
                    }
                    [_, Answer::Picture(Ok(Some(graph)))] => {
                        let lines =
                            graph.graph().nodes.iter().flat_map(|node| node.label.iter().chain(&node.short));
                        assert!(lines.into_iter().all(|line| line.chars().count() <= 401));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

/// A step never leads further than one column to the right, and every state but the first has a step into it from the
/// column to its left.
#[test]
fn depths_are_distances() {
    let choices = Choices::default();
    for builtin in models() {
        for of in [GraphKind::States, GraphKind::Aqs] {
            let found = answers(vec![model(builtin.source, &[]), Request::Picture { of, choices }]);
            let Answer::Picture(Ok(Some(graph))) = &found[1] else { panic!("{}", builtin.name) };
            let depth = |node: NodeId| graph.layered.nodes[node].cell.0;
            let graph = graph.graph();
            assert!(
                graph.edges.iter().all(|edge| depth(edge.to) <= depth(edge.from) + 1),
                "{}",
                builtin.name
            );
            let mut reached = BTreeMap::new();
            for edge in &graph.edges {
                let least = reached.entry(edge.to).or_insert(u32::MAX);
                *least = depth(edge.from).min(*least);
            }
            for node in graph.nodes.ids().filter(|&node| depth(node) > 0) {
                assert_eq!(reached.get(&node), Some(&(depth(node) - 1)), "{}: {node:?}", builtin.name);
            }
        }
    }
}
