//! Measures an edge as the number of processes grows, where processes are more than counted: held by variables, indices
//! of tables, chained to each other. `cargo bench -p orbitscope-core --bench scale`, with words that rows must contain.
//!
//! Each figure is the best of some rounds, and beside it is the ratio to the counted controller's in the same run.

use orbitscope_core::check::{Check, Options, Target, Verdict};
use orbitscope_core::explore::Limits;
use orbitscope_core::models;
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use orbitscope_core::symmetry::detect;
use orbitscope_core::syntax::parse;
use std::time::Instant;

const ROUNDS: u32 = 3;
/// At most this many states of a quotient are explored.
const STATES: u32 = 20_000;
const MCS_LOCK: &str = include_str!("models/mcs_lock.orb");
const PETERSON_N: &str = include_str!("models/peterson_n.orb");

fn program(source: &str, params: &[(&str, i64)]) -> Program {
    let params = params.iter().map(|&(name, value)| (name.into(), value)).collect();
    build(&parse(source).file, &Settings { params, ..Settings::default() }).expect("the model is right")
}

fn model(name: &str, params: &[(&str, i64)]) -> Program {
    program(models::find(name).expect("the model is built in").source, params)
}

/// The seconds of the fastest round, and what it gave.
fn best<T>(rounds: u32, mut round: impl FnMut() -> T) -> (f64, T) {
    let clock = Instant::now();
    // Processor time, where the system tells it: other work on the machine disturbs it least.
    let now = || {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let nanoseconds: Option<f64> = told.and_then(|told| told.split(' ').next()?.parse().ok());
        nanoseconds.map_or_else(|| clock.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
    };
    let mut timed = || {
        let start = now();
        let result = round();
        (now() - start, result)
    };
    let first = timed();
    (1..rounds).map(|_| timed()).fold(first, |a, b| if b.0 < a.0 { b } else { a })
}

/// Small quotients are made until they have this many edges together: clocks of processor time are coarse.
const EDGES: u64 = 100_000;

/// Nanoseconds an edge of the quotient, as far as `max` states go, with states and bytes a state.
fn quotient(program: &Program, max: u32, rounds: u32) -> (f64, u32, u64) {
    let symmetry = detect(program);
    let (seconds, (states, edges, bytes)) = best(rounds, || {
        let mut edges = 0;
        loop {
            let mut aqs = Aqs::new(program, &symmetry, Prune::Full, EdgeStorage::Recomputed, 1);
            aqs.build(max);
            edges += aqs.edge_count();
            if edges >= EDGES {
                return (aqs.len(), edges, aqs.bytes());
            }
        }
    });
    (seconds * 1e9 / edges as f64, states, bytes / u64::from(states))
}

/// Nanoseconds an edge of the product for a property that holds as far as it is searched, with nodes.
fn product(program: &Program, property: &str, max: u32, rounds: u32) -> (f64, u64) {
    let symmetry = detect(program);
    let id = program.property(property).expect("the property is there");
    let limits = Limits { states: max, ..Limits::default() };
    let (seconds, (nodes, edges)) = best(rounds, || {
        let options = Options { limits, ..Options::default() };
        let mut check = Check::new(program, &symmetry, Target::Property(id), options).expect("it can start");
        let report = check.run();
        assert!(!matches!(report.verdict, Verdict::Violated), "{property} is violated");
        let stats = report.stats;
        let nodes = stats.product_states.or(stats.aqs_states).unwrap_or(0);
        (nodes, stats.product_edges.or(stats.aqs_edges).unwrap_or(0))
    });
    (seconds * 1e9 / edges as f64, nodes)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |row: &str| words.iter().all(|word| row.contains(word.as_str()));
    let base = quotient(&model("resource_controller", &[("clients", 200)]), STATES, ROUNDS).0;
    println!("counted: resource_controller, 200 clients: {base:.0} ns an edge");
    let grown: [(&str, &[&str]); 5] = [
        ("resource_controller", &["clients"]),
        ("readers_writers", &["readers", "writers"]),
        ("arbiter", &["requesters"]),
        ("futurebus", &["caches"]),
        ("two_phase_commit", &["managers"]),
    ];
    for (name, params) in grown {
        for n in [10, 100, 1_000, 10_000] {
            if wanted(&format!("quotient {name} {n}")) {
                let values: Vec<(&str, i64)> = params.iter().map(|&param| (param, n)).collect();
                let (each, states, bytes) = quotient(&model(name, &values), STATES, ROUNDS);
                println!(
                    "quotient {name} {n}: {each:.0} ns an edge ({:.1}), {states} states, {bytes} bytes a state",
                    each / base
                );
            }
        }
    }
    for stations in [20, 40, 80, 160] {
        if wanted(&format!("product ethernet {stations}")) {
            let program = model("ethernet", &[("stations", stations)]);
            let (edge, ..) = quotient(&program, 100_000, ROUNDS);
            let (each, nodes) = product(&program, "frame_ends", 100_000, ROUNDS);
            println!(
                "product ethernet {stations} frame_ends: {each:.0} ns an edge ({:.1} of the quotient's {edge:.0}), \
                 {nodes} nodes",
                each / edge
            );
        }
    }
    let chains = [("mcs", MCS_LOCK, "threads", [4, 5]), ("peterson", PETERSON_N, "n", [6, 7])];
    for (name, source, param, sizes) in chains {
        for n in sizes {
            if wanted(&format!("safety {name} {n}")) {
                let program = program(source, &[(param, n)]);
                let (each, states, bytes) = quotient(&program, u32::MAX, 1);
                println!("safety {name} {n}: {each:.0} ns an edge, {states} states, {bytes} bytes a state");
            }
        }
    }
    for threads in [4, 5] {
        if wanted(&format!("product mcs {threads}")) {
            let program = program(MCS_LOCK, &[("threads", threads)]);
            let (each, nodes) = product(&program, "gets_in", u32::MAX, 1);
            println!("product mcs {threads} gets_in: {each:.0} ns an edge, {nodes} nodes");
        }
    }
}
