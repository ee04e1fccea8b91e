//! The figures of the symbolic engine: its log, its diagrams, its paths; and the `hint` item.

use crate::support::built;
use orbitscope_core::bdd::{BddGraph, Manager, Variable};
use orbitscope_core::natural::Natural;
use orbitscope_core::symbolic::{
    Kind, Model, Question, Reach, ReachStop, SymbolicOptions, create_xi, orbit_to_xi,
};
use orbitscope_core::symmetry;
use orbitscope_core::syntax::{format, parse};

/// Three processes with a bit each that they set once: 8 states, 4 up to symmetry.
const BITS: &str = "process p[3] { var x: bool = false action go: not x -> x := true }";

fn searched(source: &str, options: SymbolicOptions) -> orbitscope_core::symbolic::Summary {
    let program = built("model", source, &[]);
    let model = Model::new(&program, 0, 1_000_000).expect("it fits");
    let generators: Vec<_> = symmetry::detect(&program).group.generators().collect();
    let mut reach = Reach::new(model, generators, &options, Question::default()).expect("it fits");
    assert_eq!(reach.run(), &ReachStop::Complete);
    reach.summary()
}

/// Of a whole frontier every state becomes a representative: orbits are found all at once.
#[test]
fn the_log_of_a_whole_search() {
    let summary = searched(BITS, SymbolicOptions::default());
    let rows: Vec<_> = summary
        .iterations
        .iter()
        .map(|i| {
            let count = |n: &Natural| n.to_u64().expect("few");
            (
                i.kind,
                count(&i.frontier),
                count(&i.under),
                count(&i.successors),
                count(&i.symmetric),
                count(&i.added),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            (Kind::Start, 1, 1, 3, 0, 3),
            (Kind::Forward, 3, 3, 3, 0, 3),
            (Kind::Forward, 3, 3, 1, 0, 1),
            (Kind::Forward, 1, 1, 0, 0, 0),
        ]
    );
    assert_eq!((summary.representatives, summary.covered), (Natural::from(8), Natural::from(8)));
    assert_eq!((summary.generators, summary.generators_left_out, summary.bits), (2, 0, 3));
}

/// Where one state is expanded at a time, states symmetric to what is known are removed.
#[test]
fn the_log_of_a_dense_search() {
    let summary = searched(BITS, SymbolicOptions { under: Some(1), ..SymbolicOptions::default() });
    let mut representatives = 1;
    let (mut removed, mut last) = (0, 0);
    for iteration in &summary.iterations {
        let count = |n: &Natural| n.to_u64().expect("few");
        let under = count(&iteration.under);
        assert!(0 < under && under <= count(&iteration.frontier), "some of the frontier is expanded");
        let parts = count(&iteration.known) + count(&iteration.symmetric) + count(&iteration.added);
        assert_eq!(count(&iteration.successors), parts);
        representatives += count(&iteration.added);
        assert_eq!(count(&iteration.representatives), representatives);
        removed += count(&iteration.symmetric);
        last = count(&iteration.covered);
    }
    assert_eq!((last, summary.covered.to_string()), (8, "8".to_string()));
    // The first step finds all three states of an orbit at once; of the next orbit two states are found from the first of
    // them, and the third is not looked for again.
    assert!(representatives < 8 && removed > 0, "{representatives} representatives, {removed} removed");
    assert!(
        summary.iterations.iter().any(|i| matches!(i.kind, Kind::TakenUp(0))),
        "states left aside are taken up"
    );
}

#[test]
fn a_cut_sigma_step_covers_less_and_loses_nothing() {
    let whole = SymbolicOptions { under: Some(1), ..SymbolicOptions::default() };
    let cut = searched(BITS, SymbolicOptions { sigma_limit: Some(0), ..whole });
    assert_eq!(cut.representatives.to_string(), "8", "without σ_Step every state is a representative");
    assert!(cut.iterations.iter().all(|i| i.sigma_rounds == 0));
    assert!(searched(BITS, whole).representatives.to_f64() < 8.0);
}

#[test]
fn a_model_with_more_than_ten_to_the_twelve_states() {
    let source = "param n = 40
        process p[n] { var st: {I, R, C} = I
            action request: st == I -> st := R
            action enter: st == R and not exists q in p: q.st == C -> st := C
            action release: st == C -> st := I }";
    let summary = searched(source, SymbolicOptions::default());
    // 2^40 + 40 * 2^39 = 21 * 2^40
    let mut expected = Natural::from(21);
    expected.double(40);
    assert_eq!(summary.covered, expected);
}

#[test]
fn a_diagram_as_a_graph() {
    let mut bdds = Manager::new(100);
    let (a, b) = (bdds.variable(Variable(0)), bdds.variable(Variable(2)));
    let both = bdds.and(&a, &b);
    let graph = BddGraph::new(&bdds, &both, 10, |v| format!("v{}", v.0));
    let shape: Vec<_> = graph.nodes.iter().map(|n| (n.label.as_str(), n.row, n.low, n.high)).collect();
    assert_eq!(shape, [("0", 2, 0, 0), ("1", 2, 1, 1), ("v0", 0, 0, 3), ("v2", 1, 0, 1)]);
    assert_eq!((graph.root, graph.left_out), (2, 0));
    let dot = graph.to_dot("a \"title\"");
    assert!(
        dot.starts_with("digraph \"a \\\"title\\\"\" {\n")
            && dot.contains("n2 -> n0 [style=dashed];\n  n2 -> n3;")
    );
    let none = BddGraph::new(&bdds, &both, 1, |v| format!("v{}", v.0));
    assert_eq!((none.nodes.len(), none.left_out), (0, 2));
}

/// The two ways to ξ give one relation, with the first state of each orbit as its representative.
#[test]
fn both_ways_to_the_relation_agree() {
    for n in 2..=4 {
        let source = "param n = 2 process p[n] { var x: 0..2 = any action go: x < 2 -> x := x + 1 }";
        let program = built("model", source, &[("n", n)]);
        let generators: Vec<_> = symmetry::detect(&program).group.generators().collect();
        let mut model = Model::new(&program, 0, 1_000_000).expect("it fits");
        let valid = model.valid().clone();
        let (xi, first) = orbit_to_xi(&mut model, &valid, &generators).expect("it fits");
        // As many orbits as multisets of n values out of three, and each state in one pair.
        let multisets = (n as u64 + 1) * (n as u64 + 2) / 2;
        assert_eq!(model.count(&first).to_u64(), Some(multisets));
        assert_eq!(create_xi(&mut model, &first, &generators).expect("it fits"), xi);
    }
}

/// `hint` starts an item, and is a name everywhere else.
#[test]
fn hints_are_items_and_names() {
    let source = "shared hint: bool = false\nprocess p { action go: not hint -> hint := true }\n\
        hint   not hint\nhint hint\ninvariant hint: hint or not hint\n";
    let program = built("model", source, &[]);
    assert_eq!(program.hints.len(), 2);
    let formatted = format(source).expect("it has no errors");
    assert!(formatted.contains("\nhint not hint\nhint hint\n"), "{formatted}");
    assert_eq!(format(&formatted).as_deref(), Ok(formatted.as_str()));
    let wrong = parse("shared x: bool = false\nhint\n");
    assert!(!wrong.diagnostics.is_empty());
    let options = SymbolicOptions { hints: true, ..SymbolicOptions::default() };
    let summary = searched(source, options);
    assert_eq!(summary.covered.to_string(), "2");
}
