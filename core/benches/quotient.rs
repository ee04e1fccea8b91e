//! Measures the quotient of the resource controller: `cargo bench -p orbitscope-core --bench quotient`.
//!
//! Time per edge and bytes per state must stay about the same as the number of clients grows.

use orbitscope_core::explore::StopReason;
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use orbitscope_core::symmetry::detect;
use orbitscope_core::syntax::parse;
use std::time::Instant;

const CONTROLLER: &str = include_str!("../models/resource_controller.orb");
/// Each measurement is the best of this many.
const ROUNDS: u32 = 3;

fn program(clients: i64) -> Program {
    let parsed = parse(CONTROLLER);
    build(&parsed.file, &Settings { params: vec![("clients".into(), clients)], ..Settings::default() })
        .expect("the model is right")
}

/// The seconds of the fastest round, and what it gave.
fn best<T>(mut round: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let start = Instant::now();
        let result = round();
        (start.elapsed().as_secs_f64(), result)
    };
    let first = timed();
    (1..ROUNDS).map(|_| timed()).fold(first, |a, b| if b.0 < a.0 { b } else { a })
}

fn quotient(clients: i64) {
    let program = program(clients);
    let symmetry = detect(&program);
    let (seconds, (states, edges, bytes)) = best(|| {
        let mut aqs = Aqs::new(&program, &symmetry, Prune::Full, EdgeStorage::Stored, 1);
        assert_eq!(aqs.build(u32::MAX), StopReason::Complete);
        (aqs.len(), aqs.edge_count(), aqs.bytes())
    });
    println!(
        "aqs, --prune full   {clients:>7} clients: {states:>7} states, {edges:>7} edges, {seconds:>7.3} s, \
         {:>5.0} ns an edge, {:>4} bytes a state",
        seconds * 1e9 / edges as f64,
        bytes / states as u64,
    );
}

fn main() {
    for clients in [1_000, 10_000, 100_000] {
        quotient(clients);
    }
}
