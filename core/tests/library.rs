//! The library of published algorithms: the machine does what the interpreter does, the noted verdicts are right, all engines agree, and
//! the counts that others published come out.

use crate::support::compare::compare;
use crate::support::engines::{Asked, Tally, compare_all};
use crate::support::oracle::{Graph, Oracle};
use crate::support::temporal::Checker;
use crate::support::{Params, Verdict, built, noted_verdicts, parsed};
use orbitscope_core::Model;
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::models::{self, GROUPS};
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use orbitscope_core::symmetry;

fn library() -> impl Iterator<Item = &'static models::Model> {
    GROUPS[1..].iter().flat_map(|group| group.models)
}

fn source(name: &str) -> &'static str {
    models::find(name).unwrap_or_else(|| panic!("there is no model `{name}`")).source
}

/// Answers that the parameters change, as the models' texts say: model, parameters, property, verdict.
const OTHERWISE: &[(&str, Params, &str, Verdict)] = &[
    ("bounded_buffer", &[("places", 2)], "somebody_is_awake", Verdict::Holds),
    ("bounded_buffer", &[("places", 2)], "can_be_emptied", Verdict::Holds),
    ("rw_upgrade", &[("polite", 1)], "one_upgrade", Verdict::Holds),
    ("rw_upgrade", &[("polite", 1)], "can_write", Verdict::Holds),
    ("leader_lease", &[("margin", 0)], "one_leader", Verdict::Violated),
    ("sliding_window", &[("numbers", 2)], "assert_deliver_1", Verdict::Violated),
    ("sliding_window", &[], "assert_deliver_1", Verdict::Holds),
    ("alternating_bit", &[], "assert_deliver_1", Verdict::Holds),
];

fn model(name: &str, params: Params) -> Model {
    let parsed = Model::parse(source(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    params.iter().fold(parsed, |model, (param, value)| model.set(param, *value).expect("a parameter"))
}

fn verdict(model: &Model, property: &str) -> Verdict {
    let answer = model.check(property).unwrap_or_else(|error| panic!("{property}: {error}"));
    assert!(answer.unknown().is_none(), "{property} is unknown");
    Verdict::of(answer.holds())
}

#[test]
fn the_noted_verdicts_are_right() {
    for published in library() {
        assert!(published.source.starts_with("// "), "`{}` names no source", published.name);
        let model = model(published.name, &[]);
        for (property, noted) in noted_verdicts(published.source) {
            assert_eq!(verdict(&model, &property), noted, "{}: {property}", published.name);
        }
    }
    for &(name, params, property, expected) in OTHERWISE {
        assert_eq!(verdict(&model(name, params), property), expected, "{name} {params:?}: {property}");
    }
}

#[test]
fn the_interpreter_agrees_where_it_can() {
    let mut compared = 0;
    for published in library() {
        let (file, program) =
            (parsed(published.name, published.source), built(published.name, published.source, &[]));
        let oracle = Oracle::new(&file, &[]);
        let Some(graph) = oracle.explore(1_000) else { continue };
        compare(&file, &program, &[]).unwrap_or_else(|difference| panic!("{}: {difference}", published.name));
        judge(&oracle, &graph, published);
        compared += 1;
    }
    assert!(compared >= 15, "only {compared} models are small");
}

fn judge(oracle: &Oracle<'_>, graph: &Graph, published: &models::Model) {
    let checker = Checker::new(oracle, graph);
    for (property, noted) in noted_verdicts(published.source) {
        assert_eq!(checker.check(&property, None), noted, "{}: {property}", published.name);
    }
}

#[test]
fn all_engines_agree_on_the_library() {
    let (mut tally, mut asked) = (Tally::default(), 0);
    for (seed, published) in (0..).zip(library()) {
        let name = published.name;
        let (file, program) = (parsed(name, published.source), built(name, published.source, &[]));
        let few = Limits { states: 150, ..Limits::default() };
        if Exploration::new(&program, few, &[]).run() != &StopReason::Complete {
            continue;
        }
        compare_all(published.source, &file, &program, seed, Asked::All, &mut tally)
            .unwrap_or_else(|difference| panic!("{name}: {difference}"));
        asked += 1;
    }
    assert!(asked >= 9, "only {asked} models are small");
}

/// The states up to symmetry, and all of them where they are few, with which `n_peterson` and `mcslock1` of Murphi are documented.
#[test]
fn locks_have_their_published_counts() {
    let published = [
        ("peterson_n", "n", 3, 172, Some(882)),
        ("peterson_n", "n", 5, 6_770, None),
        ("mcs_lock", "threads", 2, 81, None),
        ("mcs_lock", "threads", 3, 1_285, Some(7_597)),
    ];
    for (name, param, value, up_to_symmetry, all) in published {
        let program = built(name, source(name), &[(param, value)]);
        let symmetry = symmetry::detect(&program);
        let mut aqs = Aqs::new(&program, &symmetry, Prune::Full, EdgeStorage::Stored, 1000);
        aqs.build(u32::MAX);
        assert_eq!(aqs.len(), up_to_symmetry, "{name} {param} = {value}");
        if let Some(all) = all {
            let mut plain = Exploration::new(&program, Limits::default(), &[]);
            assert_eq!(plain.run(), &StopReason::Complete);
            assert_eq!(plain.states().len(), all, "{name} {param} = {value}");
        }
    }
}
