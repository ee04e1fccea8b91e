//! `check` end to end: the verdicts noted in the models by all three engines, the published figures, limits and faults.

use crate::support::{Verdict as Noted, built, noted_verdicts};
use orbitscope_core::Limit;
use orbitscope_core::check::{
    Check, CheckError, Counterexample, Engine, Faulty, Options, Refusal, Report, RunNote, Survey, Target,
    Unknown, Verdict,
};
use orbitscope_core::explore::Limits;
use orbitscope_core::models;
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf};
use orbitscope_core::program::{Program, PropertyKind, Settings};
use orbitscope_core::property::{build_with_hoa, obligations};
use orbitscope_core::quotient::{EdgeStorage, Prune};
use orbitscope_core::search::ThreadedSearch;
use orbitscope_core::symmetry::{Choice, choose, detect};
use orbitscope_core::syntax::ast::{Fairness, Logic};

const ENGINES: [Engine; 3] = [Engine::Onthefly, Engine::Threaded, Engine::Explicit];

fn check(program: &Program, name: &str, options: Options) -> Report {
    let target = Target::Property(program.property(name).expect("it has the property"));
    let symmetry = choose(program, Choice::Model).expect("no claim is wrong");
    Check::new(program, &symmetry, target, options).expect("it can be checked").run()
}

fn word(report: &Report) -> &'static str {
    match report.verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(_) => "unknown",
    }
}

fn controller(clients: i64) -> Program {
    let model = models::find("resource_controller").expect("it is built in");
    built(model.name, model.source, &[("clients", clients)])
}

/// How edges are held changes what a search costs, not what it finds.
#[test]
fn edges_held_in_three_ways() {
    let (mut temporal, mut recomputed_more, mut ahead_more) = (0, 0, 0);
    for model in models::ALL {
        let program = built(model.name, model.source, &[]);
        for property in &program.properties {
            let ask = |edges| check(&program, &property.name, Options { edges, ..Options::default() });
            let [stored, recomputed, ahead] =
                [EdgeStorage::Stored, EdgeStorage::Recomputed, EdgeStorage::Ahead].map(ask);
            for other in [&recomputed, &ahead] {
                assert_eq!(word(other), word(&stored), "{} {}", model.name, property.name);
                let run = |report: &Report| format!("{:?}", report.counterexample);
                assert_eq!(run(other), run(&stored), "{} {}", model.name, property.name);
                assert_eq!(other.stats.product_states, stored.stats.product_states);
            }
            let Some(made) = stored.stats.edge_expansions else { continue };
            temporal += 1;
            assert_eq!(recomputed.stats.edge_bytes, Some(0));
            assert!(ahead.stats.edge_bytes >= stored.stats.edge_bytes);
            recomputed_more += u32::from(recomputed.stats.edge_expansions > Some(made));
            ahead_more += u32::from(ahead.stats.edge_expansions > Some(made));
        }
    }
    assert!(
        temporal > 10 && recomputed_more > 10 && ahead_more > 2,
        "{temporal} {recomputed_more} {ahead_more}"
    );
    let threaded = Options { engine: Engine::Threaded, edges: EdgeStorage::Ahead, ..Options::default() };
    assert_eq!(threaded.edge_storage(), Err(Refusal::Edges(Engine::Threaded)));
    let limits = Limits { states: 5, ..Limits::default() };
    let report = check(
        &controller(4),
        "eventually_access",
        Options { edges: EdgeStorage::Ahead, limits, ..Options::default() },
    );
    assert!(matches!(report.verdict, Verdict::Unknown(Unknown::Limit(Limit::States))), "{report:?}");
}

/// No search goes beyond its limits within one expansion: here one state has 200 successors.
#[test]
fn limits_hold_within_one_expansion() {
    let each = |n| format!("process p{n} {{ var x: bool = false action go: not x -> x := true }}\n");
    let text = (0..200).map(each).collect::<String>()
        + "ltl l: G (not p0.x or true)\nctl c: AG (p0.x or true)\ninvariant i: not p0.x or p1.x or true\n";
    let program = built("families", &text, &[]);
    for engine in ENGINES {
        for name in ["l", "c", "i"] {
            if (engine, name) == (Engine::Threaded, "c") {
                continue;
            }
            let few = Options {
                engine,
                limits: Limits { states: 10, bytes: 1 << 30, ..Limits::default() },
                ..Options::default()
            };
            let report = check(&program, name, few);
            assert!(
                matches!(report.verdict, Verdict::Unknown(Unknown::Limit(Limit::States))),
                "{engine:?} {name}"
            );
            assert!(report.stats.product_states.or(report.stats.states) <= Some(10), "{engine:?} {name}");
        }
    }
    // A state takes more than a kilobyte: of 200 successors the memory has room for a few.
    for (name, engine) in [("l", Engine::Onthefly), ("c", Engine::Onthefly), ("i", Engine::Onthefly)] {
        let small = Options {
            engine,
            limits: Limits { states: 1_000_000, bytes: 40_000, ..Limits::default() },
            ..Options::default()
        };
        let report = check(&program, name, small);
        assert!(
            matches!(report.verdict, Verdict::Unknown(Unknown::Limit(Limit::Bytes))),
            "{name}: {report:?}"
        );
        assert!(report.stats.peak_bytes < 200_000, "{name}: {}", report.stats.peak_bytes);
    }
}

/// Every noted verdict, by every engine that checks the logic; a violation comes with what shows it, and that was replayed.
#[test]
fn verdicts_noted_in_the_models() {
    let mut seen = 0;
    for model in models::ALL {
        // The older method takes its time with nine clients.
        let params: &[(&str, i64)] =
            if model.name == "resource_controller" { &[("clients", 4)] } else { &[] };
        let program = built(model.name, model.source, params);
        for (name, noted) in noted_verdicts(model.source) {
            let property = program.property(&name).expect("the note names a property");
            let kind = &program.properties[property].kind;
            let branching = matches!(kind, PropertyKind::Formula(Logic::Ctl | Logic::Mu, _));
            for engine in ENGINES {
                if branching && engine == Engine::Threaded {
                    continue;
                }
                let report = check(&program, &name, Options { engine, ..Options::default() });
                let expected = if noted == Noted::Holds { "holds" } else { "violated" };
                assert_eq!(word(&report), expected, "{} {name} by {engine:?}: {report:?}", model.name);
                if branching {
                    let found = report.branching.expect("there is more to say");
                    // No single path shows a fixed point.
                    assert_eq!(found.tree.is_none(), found.formula.mu, "{} {name}", model.name);
                } else {
                    let shown = report.counterexample.is_some();
                    assert_eq!(shown, expected == "violated", "{} {name}", model.name);
                }
                seen += 1;
            }
        }
    }
    assert!(seen >= 75, "only {seen} answers");
}

/// Gyuris & Sistla, section 5: the number of visited nodes does not grow with the number of clients.
#[test]
fn liveness_of_the_resource_controller() {
    for fairness in [Fairness::Weak, Fairness::Strong] {
        let mut visited = Vec::new();
        for clients in [9, 49, 99] {
            let options = Options { fairness: FairnessChoice::All(fairness), ..Options::default() };
            let report = check(&controller(clients), "eventually_access", options);
            assert_eq!(word(&report), "violated", "{fairness:?} {clients}: {report:?}");
            let Some(Counterexample::Lasso(lasso, ledger)) = &report.counterexample else {
                panic!("a lasso shows it")
            };
            assert_eq!(ledger.len() as i64, clients + 1);
            assert!(!lasso.cycle.is_empty());
            let instance = report.instance.expect("a client is chosen");
            assert_eq!((instance.words.as_str(), instance.alike), ("c = client[0]", clients as u64));
            visited.push(report.stats.product_states);
        }
        let expected = if fairness == Fairness::Weak { 20 } else { 32 };
        assert_eq!(visited, [Some(expected); 3], "{fairness:?}");
    }
}

#[test]
fn mutual_exclusion_of_the_resource_controller() {
    for (clients, states, kept) in [(9, 38, 71), (49, 198, 391), (99, 398, 791)] {
        let n = clients as u64 + 1;
        let (all, by_process) = (n * (5 * n - 3) / 2, n * (n + 13) / 2 - 8);
        let report = check(&controller(clients), "mutual_exclusion", Options::default());
        assert_eq!(word(&report), "holds");
        let stats = report.stats;
        assert_eq!((stats.product_states, stats.aqs_states), (Some(states), Some(states)));
        assert_eq!(stats.aqs_edges, Some(kept));
        assert_eq!(stats.aqs_edges_pruned, Some(all - kept));
        let process = Options { prune: Some(Prune::Process), ..Options::default() };
        let stats = check(&controller(clients), "mutual_exclusion", process).stats;
        assert_eq!(stats.aqs_edges, Some(by_process));
        assert_eq!(stats.aqs_edges_pruned, Some(all - by_process));
    }
}

/// The product that the older method builds for the same property grows with the square of n.
#[test]
fn the_older_methods_product_grows_with_the_square() {
    let nodes: Vec<u32> = [9, 19, 39, 79]
        .map(|clients| {
            let program = controller(clients);
            let property = program.property("eventually_access").expect("it has the property");
            let found = obligations(&program, property, &detect(&program), &Options::default().translation);
            let fairness = FairnessOf::new(&program, FairnessChoice::Model);
            let obligation = &found.expect("the formula is small")[0];
            let mut search = ThreadedSearch::new(&program, obligation, fairness, Deadlock::Stutter, u32::MAX);
            while !search.is_built() {
                assert!(search.step());
            }
            search.len()
        })
        .into();
    // Twice the clients, 4.36, 4.17 and 4.08 times the nodes; the on-the-fly search visits 20 at every size.
    assert_eq!(nodes, [675, 2_945, 12_285, 50_165]);
    let report = check(
        &controller(9),
        "eventually_access",
        Options { engine: Engine::Threaded, ..Options::default() },
    );
    assert_eq!((word(&report), report.stats.product_states), ("violated", Some(nodes[0].into())));
}

/// A shortest path is as long on the quotient as without symmetry, also where fixed processes are named.
#[test]
fn invariants_get_shortest_paths() {
    let source = "process p[6] { var x: 0..3 = 0
        action up(q in p): x < 3 and q.x == 0 -> x := x + 1 }
      invariant two: count(q in p: q.x > 0) <= 2
      invariant one: p[3].x < 2
      invariant both: p[1].x + p[4].x < 4
      invariant fine: forall q in p: q.x <= 3";
    let program = built("paths", source, &[]);
    for (name, length) in [("two", Some(3)), ("one", Some(2)), ("both", Some(4)), ("fine", None)] {
        for engine in ENGINES {
            let report = check(&program, name, Options { engine, ..Options::default() });
            let path = report.counterexample.map(|found| match found {
                Counterexample::Path(path) => path.steps.len(),
                Counterexample::Lasso(..) => panic!("an invariant has a path"),
            });
            assert_eq!(path, length, "{name} by {engine:?}");
        }
    }
}

#[test]
fn limits_stop_every_engine() {
    let program = controller(6);
    for engine in ENGINES {
        for name in ["eventually_access", "mutual_exclusion"] {
            let limits = Limits { states: 5, ..Limits::default() };
            let report = check(&program, name, Options { engine, limits, ..Options::default() });
            assert!(
                matches!(report.verdict, Verdict::Unknown(Unknown::Limit(Limit::States))),
                "{name} by {engine:?}: {report:?}"
            );
            let limits = Limits { bytes: 1 << 10, ..Limits::default() };
            let fairness = FairnessChoice::All(Fairness::Strong);
            let report = check(&program, name, Options { engine, limits, fairness, ..Options::default() });
            assert!(
                matches!(report.verdict, Verdict::Unknown(Unknown::Limit(Limit::Bytes))),
                "{name} by {engine:?}: {report:?}"
            );
        }
    }
}

/// Whoever stops a check gets what is known by then.
#[test]
fn a_check_can_be_stopped() {
    let program = controller(9);
    let symmetry = detect(&program);
    for name in ["eventually_access", "mutual_exclusion"] {
        let target = Target::Property(program.property(name).expect("it has the property"));
        let mut check =
            Check::new(&program, &symmetry, target, Options::default()).expect("it can be checked");
        for _ in 0..8 {
            assert!(check.step());
        }
        let progress = check.progress();
        assert!(progress.nodes > 1 && progress.bytes > 0, "{progress:?}");
        let report = check.stop();
        assert!(matches!(report.verdict, Verdict::Unknown(Unknown::Stopped)));
        assert!(report.stats.product_states > Some(1));
        assert!(!check.step());
    }
}

/// A check that is stopped after this many steps of the making of its run; none where the run was made before.
fn stopped_in_the_making(program: &Program, name: &str, options: Options, steps: u64) -> Option<Report> {
    let target = Target::Property(program.property(name).expect("it has the property"));
    let symmetry = choose(program, Choice::Model).expect("no claim is wrong");
    let mut check = Check::new(program, &symmetry, target, options).expect("it can be checked");
    let mut before = 0;
    while check.progress().making < steps {
        if !check.step() {
            return None;
        }
        let making = check.progress().making;
        assert!(making >= before, "{making} after {before}");
        before = making;
    }
    Some(check.stop())
}

/// Whoever stops the making of a run keeps the violation, and gets a run that replays if one is near.
#[test]
fn the_making_of_a_run_can_be_stopped() {
    let far = "shared x: 0..6000 = 0
      process p[3] { var here: bool = false
        action up: x < 6000 -> x := x + 1
        action stay: x == 6000 -> here := not here }
      invariant low: x < 6000
      ltl stays_low: G x < 6000
      ltl settles: forall q in p: F G q.here";
    let far = built("far", far, &[]);
    let near = |name: &str, params: &[(&str, i64)]| {
        built(name, models::find(name).expect("it is built in").source, params)
    };
    let cases = [
        (&far, "low"),
        (&far, "stays_low"),
        (&far, "settles"),
        (&near("dining_philosophers", &[("philosophers", 7), ("patient", 0)]), "no_starvation"),
        (&near("dining_philosophers", &[("philosophers", 6)]), "somebody_eats"),
        (&near("resource_controller", &[("clients", 5)]), "eventually_access"),
    ];
    let (mut missing, mut longer, mut shortest) = (0, 0, 0);
    for (program, name) in cases {
        for engine in ENGINES {
            for steps in [1, 2, 3, 7, 15, 40, 80, 150, 300, 2_500, 9_000] {
                let options = Options { engine, ..Options::default() };
                let Some(report) = stopped_in_the_making(program, name, options, steps) else { continue };
                assert_eq!(word(&report), "violated", "{name} by {engine:?} after {steps} steps");
                match (&report.run_note, &report.counterexample) {
                    (Some(RunNote::Missing(Unknown::Stopped)), None) => missing += 1,
                    (Some(RunNote::Longer), Some(_)) => longer += 1,
                    (None, Some(_)) => shortest += 1,
                    other => panic!("{name} by {engine:?} after {steps} steps: {other:?}"),
                }
                assert!(report.stats.peak_bytes > 0);
            }
        }
    }
    println!("{missing} without a run, {longer} with a longer one, {shortest} with a shortest one");
    assert!(missing > 10 && longer > 10 && shortest > 4, "{missing} {longer} {shortest}");
}

/// Whoever hurries a run gets one that replays within few steps, and what only makes a run shorter costs less than the search.
#[test]
fn a_run_can_be_hurried() {
    let philosophers = |count, patient| {
        let model = models::find("dining_philosophers").expect("it is built in");
        built(model.name, model.source, &[("philosophers", count), ("patient", patient)])
    };
    let mut longer = 0;
    for (count, patient) in [(8, 1), (9, 0), (10, 1)] {
        let program = philosophers(count, patient);
        let symmetry = detect(&program);
        let target = Target::Property(program.property("no_starvation").expect("it has the property"));
        for after in [1, 10, 100, 1_000, 10_000, u64::MAX] {
            let mut check =
                Check::new(&program, &symmetry, target, Options::default()).expect("it can be checked");
            while check.progress().making < after && check.step() {}
            let hurried = check.progress().making;
            assert!(check.report().is_some() || check.hurry(), "a violation is in hand");
            while check.step() {}
            let (steps, report) = (check.progress().making, check.stop());
            assert!(matches!(report.verdict, Verdict::Violated), "{count} after {after}");
            let Some(Counterexample::Lasso(lasso, _)) = &report.counterexample else {
                panic!("it has a run")
            };
            let nodes = report.stats.product_states.expect("it was searched on the fly");
            if matches!(report.run_note, Some(RunNote::Longer)) {
                longer += 1;
            }
            // A few nodes of the component are looked at for each process, and each step is walked, tested and replayed.
            let walked = 4 * (lasso.stem.len() + lasso.cycle.len()) as u64;
            let most = if after == u64::MAX { 60_000 + 4 * nodes } else { 30_000 + 2 * nodes };
            assert!(steps - hurried.min(steps) <= most + walked, "{count} after {after}: {steps} of {nodes}");
            println!("{count} {patient} after {after}: {hurried}, {steps} steps, {nodes} nodes, {walked}");
        }
    }
    assert!(longer > 3, "{longer} runs were hurried");
}

/// An invariant's path is made also where nobody waits for deadlocks.
#[test]
fn answers_come_before_deadlocks() {
    let source = "shared x: 0..500 = 0
      process p[3] { action up: x < 500 -> x := x + 1 }
      invariant low: x < 9";
    let program = built("up", source, &[]);
    let id = program.property("low").expect("it has the invariant");
    let symmetry = detect(&program);
    let mut survey = Survey::new(&program, &symmetry, &[id], &Options::default()).expect("it can be checked");
    survey = survey.answering_only();
    survey.run();
    let report = survey.report(id);
    let Some(Counterexample::Path(path)) = report.counterexample else { panic!("there is a path") };
    assert_eq!((path.steps.len(), survey.deadlock_count(), survey.is_complete()), (9, 0, false));
    assert!(survey.progress().nodes < 20, "{:?}", survey.progress());
    survey.go_on();
    survey.run();
    assert_eq!((survey.deadlock_count(), survey.is_complete()), (1, true));
    assert_eq!(survey.deadlock_path().map(|path| path.steps.len()), Some(500));
    // Whoever hurries a pass gets the path to what it has found, and no more states.
    let mut survey = Survey::new(&program, &symmetry, &[id], &Options::default()).expect("it can be checked");
    while survey.progress().nodes < 30 {
        assert!(survey.step());
    }
    assert!(survey.hurry());
    survey.run();
    let report = survey.report(id);
    assert!(matches!(report.counterexample, Some(Counterexample::Path(_))) && !survey.is_complete());
    assert!(survey.progress().nodes <= 31 && survey.unknown().is_some());
}

/// A run that takes more memory than there is gives way: the violation stays.
#[test]
fn the_making_of_a_run_gives_way_to_memory() {
    let source = "shared x: 0..20000 = 0
      process p[3] { var here: bool = false
        action up: x < 20000 -> x := x + 1
        action stay: x == 20000 -> here := not here }
      ltl settles: forall q in p: F G q.here";
    let program = built("far", source, &[]);
    let limits = Limits { cache: 10_000, ..Limits::default() };
    let whole = check(&program, "settles", Options { limits, ..Options::default() });
    assert!(whole.run_note.is_none() && whole.counterexample.is_some());
    let mut missing = 0;
    for part in [16, 8, 4, 3, 2, 1] {
        let peak = whole.stats.peak_bytes;
        let limits = Limits { bytes: peak + peak / part, ..limits };
        let report = check(&program, "settles", Options { limits, ..Options::default() });
        match (&report.verdict, &report.run_note, &report.counterexample) {
            (Verdict::Violated, Some(RunNote::Missing(Unknown::Limit(Limit::Bytes))), None) => missing += 1,
            // The search itself takes more for a while than it says in the end.
            (Verdict::Unknown(Unknown::Limit(Limit::Bytes)), None, None)
            | (Verdict::Violated, None | Some(RunNote::Longer), Some(_)) => {}
            other => panic!("with {} bytes: {other:?}", limits.bytes),
        }
    }
    assert!(missing > 0, "no limit left room for the search and none for its run");
}

/// A fault is reported with a shortest path, whether it is in a step or in the property.
#[test]
fn faults_have_a_place_and_a_path() {
    let steps = "shared n: 0..3 = 0
      process p[3] { var x: 0..5 = 0 action up: x < 2 -> x := x + 1, n := n + 1 }
      ltl live: forall q in p: G F q.x == 0";
    let property = "process p[3] { var x: 0..5 = 0 action up: x < 2 -> x := x + 1 }
      ltl live: forall q in p: G 6 / (2 - q.x) > 0
      invariant safe: forall q in p: 6 / (2 - q.x) > 0";
    for (source, name, length) in [(steps, "live", 3), (property, "live", 2), (property, "safe", 2)] {
        let program = built("faults", source, &[]);
        for engine in ENGINES {
            let report = check(&program, name, Options { engine, ..Options::default() });
            let Verdict::Unknown(Unknown::Fault(fault)) = &report.verdict else {
                panic!("{name} by {engine:?}: {report:?}")
            };
            assert_eq!(matches!(fault.what, Faulty::Step(_)), source == steps, "{name} by {engine:?}");
            let path = fault.path.as_ref().expect("there is a path");
            assert_eq!(path.steps.len(), length, "{name} by {engine:?}");
        }
    }
}

#[test]
fn engines_refuse_what_they_cannot_honour() {
    let program = controller(2);
    let target = Target::Property(program.property("eventually_access").expect("it has the property"));
    for engine in [Engine::Threaded, Engine::Explicit] {
        let options = Options { engine, prune: Some(Prune::Full), ..Options::default() };
        let refused = Check::new(&program, &detect(&program), target, options).err();
        assert_eq!(refused, Some(CheckError::Refused(Refusal::Prune(engine))));
        let options = Options { engine, prune: Some(Prune::None), ..Options::default() };
        assert!(Check::new(&program, &detect(&program), target, options).is_ok());
    }
    let ctl = Target::Property(program.property("can_always_request").expect("it has the property"));
    let options = Options { engine: Engine::Threaded, ..Options::default() };
    let refused = Check::new(&program, &detect(&program), ctl, options).err();
    assert_eq!(refused, Some(CheckError::Refused(Refusal::Branching(Engine::Threaded))));
}

/// An automaton from a file says the same as the property that it was made from.
#[test]
fn automata_from_files() {
    let model = models::find("simplified_controller").expect("it is built in");
    let text = "HOA: v1 name: \"waits for ever\" States: 2 Start: 0 Acceptance: 1 Inf(0)
      AP: 2 \"client[1].st == R\" \"client[1].st == C\"
      --BODY-- State: 0 [t] 0 [0 & !1] 1 State: 1 [!1] 1 {0} --END--";
    let settings = Settings::default();
    let (program, automaton) = build_with_hoa(model.source, &settings, text).expect("all is well");
    let symmetry = detect(&program);
    for engine in ENGINES {
        for (fairness, expected) in
            [(Fairness::Weak, "violated"), (Fairness::Strong, "violated"), (Fairness::None, "violated")]
        {
            let options = Options { engine, fairness: FairnessChoice::All(fairness), ..Options::default() };
            let mut check = Check::new(&program, &symmetry, Target::Automaton(&automaton), options)
                .expect("it can be checked");
            let report = check.run();
            assert_eq!(word(&report), expected, "{fairness:?} by {engine:?}");
            assert_eq!(report.instance.expect("one search").tracked.len(), 1);
        }
    }
}

/// One pass decides all invariants that tell nothing apart.
#[test]
fn a_survey_decides_many_invariants() {
    let program = built(
        "survey",
        "process p[4] { var x: bool = false action go: not x -> x := true }
         invariant a: count(q in p: q.x) <= 4
         invariant b: count(q in p: q.x) <= 2
         invariant c: not p[2].x",
        &[],
    );
    let symmetry = detect(&program);
    let ids: Vec<_> = ["a", "b", "c"].map(|name| program.property(name).expect("it is there")).into();
    let takes = |id| Survey::takes(&program, &symmetry, id, Engine::Onthefly).expect("an invariant");
    assert_eq!([takes(ids[0]), takes(ids[1]), takes(ids[2])], [true, true, false]);
    let mut survey =
        Survey::new(&program, &symmetry, &ids[..2], &Options::default()).expect("nothing to refuse");
    survey.run();
    assert_eq!((word(&survey.report(ids[0])), word(&survey.report(ids[1]))), ("holds", "violated"));
    assert_eq!(survey.deadlock_count(), 1);
    assert_eq!(survey.deadlock_path().map(|path| path.steps.len()), Some(4));
}

/// Forty steps down there is a loop, or an error; within forty steps there are 2³⁰ · 40 states. The search is there at once, and so
/// must be what shows it.
#[test]
fn what_is_found_deep_is_shown_without_looking_at_everything() {
    let deep = |last: &str, other: &str| {
        let source = format!(
            "symmetry none
             process c {{
               var d: 0..40 = 0
               action inc: d < 40 -> d := d + 1
               action last: d == 40 -> d := {last}
             }}
             process b[30] {{
               var x: bool = false
               action flip: true -> x := not x
               {other}
             }}
             ltl leaves: G (c.d == 40 => F c.d < 40)"
        );
        let program = built("deep", &source, &[]);
        let fairness = FairnessChoice::All(Fairness::None);
        check(&program, "leaves", Options { fairness, ..Options::default() })
    };
    // An error near the start, where the search has not been, does not matter.
    for other in ["", "action bad: count(o in b: o.x) == 3 -> x := 1 / 0 == 1"] {
        let report = deep("40", other);
        assert!(matches!(report.verdict, Verdict::Violated), "{report:?}");
        let Some(Counterexample::Lasso(lasso, _)) = report.counterexample else { panic!("there is a run") };
        // The automaton is in its loop once it has read that d is 40.
        assert_eq!((lasso.stem.len(), lasso.cycle.len()), (41, 1));
    }
    let report = deep("d + 1", "");
    let Verdict::Unknown(Unknown::Fault(fault)) = report.verdict else { panic!("{:?}", report.verdict) };
    assert_eq!(fault.path.as_ref().map(|path| path.steps.len()), Some(40));
}
