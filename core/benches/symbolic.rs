//! The three experiments of section 7 of S. Barner, O. Grumberg: Combining symmetry reduction and under-approximation for symbolic
//! model checking (CAV 2002), on models of our own, and a model with more than 10^12 states.
//!
//! Each line compares two ways in one run; what counts is the ratio. `docs/symbolic-measurements.md` has the figures of one run and what
//! they mean.

use orbitscope_core::models;
use orbitscope_core::product::Deadlock;
use orbitscope_core::program::{self, Program, Settings};
use orbitscope_core::property::obligations;
use orbitscope_core::symbolic::{
    CtlModel, CtlOutcome, CtlSearch, Found, Model, Order, Question, Reach, ReachStop, Safety,
    SymbolicOptions, create_xi, orbit_to_xi,
};
use orbitscope_core::symmetry::{self, Choice};
use orbitscope_core::syntax::parse;
use orbitscope_core::{ltl, symbolic};
use std::time::Instant;

const NODES: u32 = 12_000_000;

fn built(source: &str, params: &[(&str, i64)]) -> Program {
    let parsed = parse(source);
    assert!(parsed.diagnostics.is_empty(), "the model is right");
    let params = params.iter().map(|&(name, value)| (name.to_string(), value)).collect();
    program::build(&parsed.file, &Settings { params, ..Settings::default() }).expect("the model is right")
}

fn model(name: &str) -> &'static str {
    models::find(name).expect("a built-in model").source
}

fn only(filter: &str) -> bool {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    wanted.is_empty() || wanted.iter().any(|arg| filter.contains(arg.as_str()))
}

fn main() {
    if only("futurebus") {
        futurebus();
    }
    if only("arbiter") {
        arbiter();
    }
    if only("generators") {
        generators();
    }
    if only("large") {
        large();
    }
}

/// Figure 5: a liveness property by fixed points on all states, and on representatives alone (Live_Rep).
fn futurebus() {
    println!(
        "Figure 5: Live_Rep on the Futurebus-like model; each cache sooner or later gets a copy (violated)"
    );
    println!(
        "caches  bits | classic: s, peak nodes, relation | Live_Rep: s, peak nodes, relation, representatives of states, found | ratios"
    );
    let property = "\nctl gets_a_copy: AG forall c in cache: command == read_shared and master != c => AF c.line != invalid\n";
    for caches in 2..=7 {
        let source = format!("{}{property}", model("futurebus"));
        let program = built(&source, &[("caches", caches)]);
        let run = |options: SymbolicOptions| {
            let symmetry = symmetry::detect(&program);
            let id = program.property("gets_a_copy").expect("it is there");
            let started = Instant::now();
            let mut search = CtlSearch::new(&program, &symmetry, id, &options, Deadlock::Stutter, NODES)
                .expect("there are few choices");
            let outcome = search.run().clone();
            let time = started.elapsed().as_secs_f64();
            (outcome, time, search.summary())
        };
        let (classic, t0, s0) = run(SymbolicOptions { nodes: NODES, ..SymbolicOptions::default() });
        let live = SymbolicOptions {
            nodes: NODES,
            ctl: CtlModel::Restricted,
            under: Some(UNDER),
            ..SymbolicOptions::default()
        };
        let (ours, t1, s1) = run(live);
        let (Some(s0), Some(s1)) = (s0, s1) else { return println!("{caches}: {classic:?} / {ours:?}") };
        println!(
            "{caches:6}  {:4} | {t0:.3} {} {} | {t1:.3} {} {} {} of {} {} | time {:.2}, nodes {:.2}, relation {:.2}",
            s0.bits,
            s0.peak_nodes,
            s0.relation_nodes,
            s1.peak_nodes,
            s1.relation_nodes,
            s1.representatives,
            s1.covered,
            short(&ours),
            t1 / t0,
            f64::from(s1.peak_nodes) / f64::from(s0.peak_nodes),
            f64::from(s1.relation_nodes) / f64::from(s0.relation_nodes),
        );
        if t0.max(t1) > 60.0 {
            break;
        }
    }
}

/// Subsets of the frontier have at most this many nodes.
const UNDER: u32 = 120;

fn short(outcome: &CtlOutcome) -> &'static str {
    match outcome {
        CtlOutcome::Holds => "holds",
        CtlOutcome::Violated(_) => "violated",
        CtlOutcome::ExploredOnly => "not found",
        CtlOutcome::Mixed => "mixed",
        CtlOutcome::Stopped(_) | CtlOutcome::Unsupported(_) => "given up",
        CtlOutcome::Undefined(..) => "error",
    }
}

/// Figure 6: safety properties with automata that run along: without symmetry, with hints, and with both.
fn arbiter() {
    println!("\nFigure 6: Hints_Sym on the arbiter");
    println!(
        "requesters status  bits | on the fly: s, peak nodes | with hints | Hints_Sym | ratios to the first"
    );
    let more = "
hint count(r in requester: r.req) <= 2
hint count(r in requester: r.req) <= 5
// violated: all may ask at once
ltl somebody_is_quiet: G exists r in requester: not r.req
";
    let source = format!("{}{more}", model("arbiter"));
    for requesters in [6, 8, 10, 12, 14, 16] {
        let program = built(&source, &[("requesters", requesters)]);
        let symmetry = symmetry::detect(&program);
        let none = symmetry::choose(&program, Choice::None).expect("nothing is claimed");
        for name in ["request_stays", "somebody_is_quiet"] {
            let id = program.property(name).expect("it is there");
            let run = |symmetric: bool, hints: bool, sigma_limit: Option<u32>| {
                let symmetry = if symmetric { &symmetry } else { &none };
                let options =
                    SymbolicOptions { hints, sigma_limit, nodes: NODES, ..SymbolicOptions::default() };
                let all = obligations(&program, id, symmetry, &ltl::Limits::default()).expect("it is small");
                let started = Instant::now();
                let (mut peak, mut bits, mut found) = (0, 0, false);
                // Without symmetry there are as many choices as requesters; one is enough to compare.
                let mut search = Safety::new(&program, &all[0], &options, NODES).expect("it fits");
                search.reach.run();
                found |= matches!(search.reach.found().first(), Some(Some(Found::Bad(_))));
                let summary = search.reach.summary();
                peak = peak.max(summary.peak_nodes);
                bits = bits.max(summary.bits);
                (started.elapsed().as_secs_f64(), peak, bits, found)
            };
            let plain = run(false, false, None);
            let hints = run(false, true, None);
            let both = run(true, true, Some(1));
            let status = if plain.3 { "failed" } else { "passed" };
            assert!(plain.3 == hints.3 && plain.3 == both.3, "all give one answer");
            println!(
                "{requesters:10} {status} {:4} | {:.3} {} | {:.3} {} | {:.3} {} | time {:.2} {:.2}, nodes {:.2} {:.2}",
                plain.2,
                plain.0,
                plain.1,
                hints.0,
                hints.1,
                both.0,
                both.1,
                hints.0 / plain.0,
                both.0 / plain.0,
                f64::from(hints.1) / f64::from(plain.1),
                f64::from(both.1) / f64::from(plain.1),
            );
        }
    }
}

/// Figure 7: the relation of representatives to states, over the whole orbit relation and directly.
fn generators() {
    println!(
        "\nFigure 7: Create_ξ and Orbit_To_ξ; processes of two bits, the first state of each orbit as its representative"
    );
    println!(
        "generators  variables | Orbit_To_ξ: s, peak nodes | Create_ξ: s, peak nodes | nodes of ξ | ratios"
    );
    let source = "param n = 3 process p[n] { var x: 0..3 = any action go: x < 3 -> x := x + 1 }";
    for n in 3..=8 {
        let program = built(source, &[("n", n)]);
        let symmetry = symmetry::detect(&program);
        let perms: Vec<_> = symmetry.group.generators().collect();
        let fresh = || Model::in_order(&program, Order::default(), 0, NODES).expect("it fits");
        let mut by_orbits = fresh();
        let valid = by_orbits.valid().clone();
        let started = Instant::now();
        let orbits = orbit_to_xi(&mut by_orbits, &valid, &perms);
        let t0 = started.elapsed().as_secs_f64();
        let peak0 = by_orbits.bdds.peak();
        // The same representatives for the other way, in a table of its own.
        let mut direct = fresh();
        let Ok((xi0, first)) = orbits else {
            println!("{:10}  {:9} | given up at {NODES} nodes after {t0:.1} s", perms.len(), 4 * n);
            break;
        };
        let points = by_orbits.bdds.size([&first]);
        let first = sorted(&mut direct, n as usize);
        let before = direct.bdds.peak();
        let started = Instant::now();
        let xi1 = create_xi(&mut direct, &first, &perms).expect("it fits");
        let t1 = started.elapsed().as_secs_f64();
        let peak1 = direct.bdds.peak();
        let (size0, size1) = (by_orbits.bdds.size([&xi0]), direct.bdds.size([&xi1]));
        assert_eq!((size0, points), (size1, direct.bdds.size([&first])), "both ways give one relation");
        assert!(before <= peak1);
        println!(
            "{:10}  {:9} | {t0:.3} {peak0} | {t1:.3} {peak1} | {size1} | time {:.2}, nodes {:.2}",
            perms.len(),
            4 * n,
            t1 / t0,
            f64::from(peak1) / f64::from(peak0),
        );
        if t0 > 120.0 {
            break;
        }
    }
}

/// The states in which the processes' values do not fall: the first of each orbit, since processes and bits are in order.
fn sorted(model: &mut Model<'_>, processes: usize) -> orbitscope_core::bdd::Bdd {
    use orbitscope_core::bdd::Bdd;
    use orbitscope_core::program::Slot;
    use orbitscope_core::symbolic::Side;
    let encoding = model.encoding().clone();
    let mut all = model.valid().clone();
    for p in 1..processes as u32 {
        let mut rising = Bdd::FALSE;
        for low in 0..4i64 {
            for high in low..4i64 {
                let a = encoding.equals(&mut model.bdds, Slot(p - 1), low, Side::Current);
                let b = encoding.equals(&mut model.bdds, Slot(p), high, Side::Current);
                let both = model.bdds.and(&a, &b);
                rising = model.bdds.or(&rising, &both);
            }
        }
        all = model.bdds.and(&all, &rising);
    }
    all
}

/// Invariants of models with very many states.
fn large() {
    println!("\nInvariants of models with more than 10^12 states");
    for (name, param, size, property) in [
        ("resource_controller", "clients", 40, "mutual_exclusion"),
        ("simplified_controller", "clients", 60, "mutual_exclusion"),
        ("arbiter", "requesters", 18, "owner_is_acknowledged"),
        ("ethernet", "stations", 20, "one_sender"),
        ("two_phase_commit", "managers", 20, "consistent"),
    ] {
        let program = built(model(name), &[(param, size)]);
        let Some(id) = program.property(property) else {
            println!("{name}: no property {property}");
            continue;
        };
        let started = Instant::now();
        let mut states = Model::new(&program, 0, NODES).expect("it fits");
        let term = program.state_term(id).expect("an invariant");
        let asked = vec![symbolic::violations(&mut states, term).expect("it fits")];
        let question = Question { asked, ..Question::default() };
        let options = SymbolicOptions { nodes: NODES, ..SymbolicOptions::default() };
        let generators = symmetry::detect(&program).group.generators().collect::<Vec<_>>();
        let mut reach = Reach::new(states, generators, &options, question).expect("it fits");
        let stop = match reach.run() {
            ReachStop::Complete => "holds",
            ReachStop::AllViolated => "violated",
            _ => "given up",
        };
        let summary = reach.summary();
        println!(
            "{name} {param}={size}: {property} {stop}, {} states ({:.1e}), {} iterations, peak {} nodes, {:.2} s",
            summary.covered,
            summary.covered.to_f64(),
            summary.iterations.len(),
            summary.peak_nodes,
            started.elapsed().as_secs_f64()
        );
    }
}
