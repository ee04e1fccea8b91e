//! The models that come with the tool: they build with many parameters, the interpreter agrees with the compiled machine
//! on them, the noted verdicts are right, and the counts are those that others have published.

use crate::support::compare::compare;
use crate::support::oracle::{Graph, Oracle};
use crate::support::temporal::Checker;
use crate::support::{MODEL_SIZES, Params, Verdict, built, noted_verdicts, parsed};
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::models::{self, Model};
use orbitscope_core::program::Program;
use orbitscope_core::syntax::ast::Fairness;

fn model(name: &str) -> &'static Model {
    models::find(name).unwrap_or_else(|| panic!("there is no model `{name}`"))
}

/// States, edges and deadlocks of the whole graph.
fn counts(program: &Program) -> (u32, u64, usize) {
    let mut exploration = Exploration::new(program, Limits::default(), &[]);
    assert_eq!(exploration.run(), &StopReason::Complete);
    (exploration.states().len(), exploration.edge_count(), exploration.deadlocks().len())
}

fn model_counts(name: &str, params: &[(&str, i64)]) -> (u32, u64, usize) {
    counts(&built(name, model(name).source, params))
}

#[test]
fn every_model_is_tried_with_several_parameters() {
    let tried: Vec<&str> = MODEL_SIZES.iter().map(|(name, _)| *name).collect();
    for model in models::ALL {
        assert!(tried.contains(&model.name), "`{}` is not tried", model.name);
        assert!(model.source.starts_with("// "), "`{}` does not say what it shows", model.name);
    }
}

#[test]
fn the_machine_does_what_the_interpreter_does_on_the_models() {
    for (name, sizes) in MODEL_SIZES {
        let defaults: &[Params] = &[&[]];
        for params in defaults.iter().chain(*sizes) {
            // The interpreter takes its time with 5,632 states of nine clients.
            if *name == "resource_controller" && params.is_empty() {
                continue;
            }
            let source = model(name).source;
            let (file, program) = (parsed(name, source), built(name, source, params));
            if let Err(difference) = compare(&file, &program, params) {
                panic!("{name} {params:?}: {difference}");
            }
        }
    }
}

#[test]
fn the_noted_verdicts_on_invariants_are_right() {
    for model in models::ALL {
        let program = built(model.name, model.source, &[]);
        let ids: Vec<_> = program.properties.ids().collect();
        let mut exploration = Exploration::new(&program, Limits::default(), &ids);
        exploration.run();
        let violated: Vec<&str> =
            exploration.violations().iter().map(|v| program.properties[v.property].name.as_str()).collect();
        let file = parsed(model.name, model.source);
        for (property, noted) in noted_verdicts(model.source) {
            let invariant = file.items.iter().any(|item| {
                matches!(&item.kind, orbitscope_core::syntax::ast::ItemKind::Property {
                    logic: orbitscope_core::syntax::ast::Logic::Invariant, name, ..
                } if name.name == property)
            });
            if invariant {
                let found = Verdict::of(!violated.contains(&property.as_str()));
                assert_eq!(found, noted, "{}: {property}", model.name);
            }
        }
    }
}

/// Explores a model with the interpreter and checks with the naive checkers.
fn naive<T>(name: &str, params: &[(&str, i64)], ask: impl FnOnce(&Checker<'_>, &Graph) -> T) -> T {
    let file = parsed(name, model(name).source);
    let oracle = Oracle::new(&file, params);
    let graph = oracle.explore(100_000).expect("a small model");
    ask(&Checker::new(&oracle, &graph), &graph)
}

#[test]
fn the_noted_verdicts_on_all_properties_are_right() {
    for model in models::ALL {
        naive(model.name, &[], |checker, _| {
            for (property, noted) in noted_verdicts(model.source) {
                assert_eq!(checker.check(&property, None), noted, "{}: {property}", model.name);
            }
        });
    }
}

/// The comments of the models say more than the verdict under the model's own fairness and parameters.
#[test]
fn what_else_the_comments_say_is_right() {
    use Fairness::{None as Unfair, Strong, Weak};
    use Verdict::{Holds, Violated};
    type Case = (&'static str, Params, &'static str, Option<Fairness>, Verdict);
    let cases: &[Case] = &[
        ("simplified_controller", &[], "always_idle_again", Some(Unfair), Violated),
        ("resource_controller", &[("clients", 2)], "eventually_access", Some(Strong), Violated),
        ("mutex_emerson_sistla", &[], "no_starvation", Some(Strong), Holds),
        ("mutex_emerson_sistla", &[], "strongly_fair", Some(Strong), Holds),
        ("peterson", &[], "no_starvation", Some(Unfair), Violated),
        ("token_ring", &[("stations", 3)], "token_returns", Some(Unfair), Violated),
        ("readers_writers", &[], "reader_gets_in", Some(Weak), Violated),
        ("readers_writers", &[], "writer_gets_in", Some(Strong), Violated),
        ("ethernet", &[("stations", 2)], "frame_is_sent", Some(Strong), Violated),
        ("ethernet", &[("stations", 2)], "somebody_sends", Some(Strong), Violated),
        ("futurebus", &[], "gets_the_bus", Some(Strong), Violated),
        ("arbiter", &[("requesters", 2)], "answered", None, Holds),
        ("arbiter", &[], "answered", Some(Strong), Violated),
        ("dining_philosophers", &[("philosophers", 3), ("patient", 0)], "no_deadlock", None, Holds),
        ("dining_philosophers", &[("philosophers", 3), ("patient", 0)], "can_eat_again", None, Holds),
        ("dining_philosophers", &[("philosophers", 3), ("patient", 0)], "somebody_eats", None, Violated),
        ("dining_philosophers", &[("philosophers", 3), ("patient", 0)], "no_starvation", None, Violated),
        ("two_phase_commit", &[], "decides", Some(Strong), Violated),
    ];
    for &(name, params, property, assumed, expected) in cases {
        let found = naive(name, params, |checker, _| checker.check(property, assumed));
        assert_eq!(found, expected, "{name} {params:?}: {property} with fairness {assumed:?}");
    }
}

#[test]
fn deadlocks_are_where_they_are_expected() {
    for model in models::ALL {
        let (_, _, deadlocks) = model_counts(model.name, &[]);
        let expected = match model.name {
            // Everybody has the left fork; everybody knows everything.
            "dining_philosophers" | "gossip" => 1,
            _ => 0,
        };
        assert_eq!(deadlocks, expected, "{}", model.name);
    }
    assert_eq!(model_counts("dining_philosophers", &[("patient", 0)]).2, 0);
}

/// Gyuris and Sistla, "On-the-fly model checking under fairness that exploits symmetry" (1999), section 2.5.
#[test]
fn simplified_controller_has_the_20_states_of_the_paper() {
    assert_eq!(model_counts("simplified_controller", &[]).0, 20);
    // All combinations of I, R and C with at most one C.
    for n in 1..=10u32 {
        let states = model_counts("simplified_controller", &[("clients", n as i64)]).0;
        assert_eq!(states, 2u32.pow(n) + n * 2u32.pow(n - 1));
    }
}

/// Measured with Spin 6.5.2 and TLC (15 clients) and with Spin and Stateright 0.31 (16 clients) on the same program.
#[test]
fn resource_controller_has_the_states_that_other_tools_count() {
    assert_eq!(model_counts("resource_controller", &[("clients", 15)]).0, 557_056);
    assert_eq!(model_counts("resource_controller", &[("clients", 16)]).0, 1_179_648);
    // Twice those of the simplified one: whose turn it is. A single client that is critical has moved last: 5, not 6.
    assert_eq!(model_counts("resource_controller", &[("clients", 1)]).0, 5);
    for n in 2..=9u32 {
        let states = model_counts("resource_controller", &[("clients", n as i64)]).0;
        assert_eq!(states, 2 * (2u32.pow(n) + n * 2u32.pow(n - 1)));
    }
}

/// Two-phase commit: 288 states and 1,146 generated ones, the initial one among them, with 3 resource managers are
/// TLC's counts in `specifications/transaction_commit/manifest.json` of github.com/tlaplus/Examples; 288 and 8,832 with
/// 3 and 5 are asserted in `examples/2pc.rs` of github.com/stateright/stateright; 50,816 with 6 stands in the comments
/// of Lamport's TwoPhase.tla.
#[test]
fn two_phase_commit_has_the_counts_of_tlc_and_stateright() {
    assert_eq!(model_counts("two_phase_commit", &[("managers", 3)]), (288, 1_146 - 1, 0));
    assert_eq!(model_counts("two_phase_commit", &[("managers", 5)]).0, 8_832);
    assert_eq!(model_counts("two_phase_commit", &[("managers", 6)]).0, 50_816);
}

/// Peterson's algorithm: 42 states and 77 generated ones, the initial one among them, are TLC's counts in
/// `specifications/locks_auxiliary_vars/manifest.json` of github.com/tlaplus/Examples. There the turn starts with one
/// process, here with any: the other start is reachable there too.
#[test]
fn peterson_has_the_counts_of_tlc() {
    assert_eq!(model_counts("peterson", &[]), (42, 77 - 1, 0));
}

/// Heljanko's report draws the reachability graph: its 16 arcs are two `idle`, six `try`, four `go critical` and four
/// `non critical`.
#[test]
fn mutex_heljanko_has_the_arcs_of_the_report() {
    let program = built("mutex_heljanko", model("mutex_heljanko").source, &[]);
    let mut exploration = Exploration::new(&program, Limits::default(), &[]).keeping_edges();
    exploration.run();
    let arcs =
        |name: &str| exploration.edges().iter().filter(|e| program.actions[e.action].name == name).count();
    assert_eq!([arcs("idle"), arcs("try"), arcs("go_critical"), arcs("leave")], [2, 6, 4, 4]);
    assert_eq!(exploration.edge_count(), 16);
}

/// Models that are only here for their published counts.
#[test]
fn other_models_have_the_counts_of_other_tools() {
    let count = |source: &str, params: &[(&str, i64)]| counts(&built("counted", source, params));

    // TLC on Lamport's DieHard: "97 states generated, 16 distinct states found".
    assert_eq!(count(include_str!("data/counts/die_hard.orb"), &[]), (16, 97 - 1, 0));

    // TLC on TCommit of Gray and Lamport, 3 resource managers: 34 distinct, 94 generated
    // (specifications/transaction_commit/manifest.json of github.com/tlaplus/Examples).
    let commit = include_str!("data/counts/transaction_commit.orb");
    assert_eq!(count(commit, &[]), (34, 94 - 1, 2));

    // TLC on Lock: 12 distinct, 21 generated (specifications/locks_auxiliary_vars/manifest.json there).
    assert_eq!(count(include_str!("data/counts/lock.orb"), &[]), (12, 21 - 1, 0));

    // TLC on EWD840: 302 distinct, and 1,566 in EWD840_json (specifications/ewd840/manifest.json there); these are the
    // counts of rings of 3 and of 4 nodes.
    let ewd840 = include_str!("data/counts/ewd840.orb");
    assert_eq!(count(ewd840, &[("n", 3)]).0, 302);
    assert_eq!(count(ewd840, &[("n", 4)]).0, 1_566);

    // Stateright's documentation of its example `increment` lists the 13 states of two threads.
    assert_eq!(count(include_str!("data/counts/increment.orb"), &[]).0, 13);
}

#[test]
fn invariants_of_the_counted_models() {
    let violated = |source: &str| {
        let program = built("counted", source, &[]);
        let ids: Vec<_> = program.properties.ids().collect();
        let mut exploration = Exploration::new(&program, Limits::default(), &ids);
        exploration.run();
        let violations = exploration.violations().to_vec();
        violations.first().map(|v| exploration.path_to(v.state).steps.len())
    };
    // The shortest way to four gallons takes six steps.
    assert_eq!(violated(include_str!("data/counts/die_hard.orb")), Some(6));
    assert_eq!(violated(include_str!("data/counts/transaction_commit.orb")), None);
    assert_eq!(violated(include_str!("data/counts/lock.orb")), None);
    assert_eq!(violated(include_str!("data/counts/ewd840.orb")), None);
    // Both threads read before one writes.
    assert_eq!(violated(include_str!("data/counts/increment.orb")), Some(4));
}
