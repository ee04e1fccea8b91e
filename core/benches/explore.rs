//! States per second of the explicit engine on one core: `cargo bench -p orbitscope-core`.
//!
//! No timing harness: the runs are long against the clock, and the best of several is the one with the least noise.

use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::program::{Settings, build};
use orbitscope_core::{models, syntax::parse};
use std::time::{Duration, Instant};

/// A model, its parameter, and the number of its states as far as it is known by another way.
const RUNS: [(&str, &str, i64, Option<u32>); 4] = [
    // (2 + 13) · 2¹³ states without symmetry: at most one client is critical, the others idle or requesting, two turns.
    ("resource_controller", "clients", 13, Some(122_880)),
    ("resource_controller", "clients", 16, Some(1_179_648)),
    ("two_phase_commit", "managers", 8, None),
    ("dining_philosophers", "philosophers", 9, None),
];
const REPEATS: u32 = 5;

fn main() {
    for (name, param, value, expected) in RUNS {
        let model = models::find(name).expect("the model is built in");
        let settings = Settings { params: vec![(param.into(), value)], ..Settings::default() };
        let program = build(&parse(model.source).file, &settings).expect("the model is right");
        let (mut best, mut states, mut edges) = (Duration::MAX, 0, 0);
        for _ in 0..REPEATS {
            let start = Instant::now();
            let mut exploration = Exploration::new(&program, Limits::default(), &[]);
            assert_eq!(exploration.run(), &StopReason::Complete);
            best = best.min(start.elapsed());
            (states, edges) = (exploration.states().len(), exploration.edge_count());
        }
        assert!(expected.is_none_or(|expected| expected == states), "{name}: {states} states");
        let seconds = best.as_secs_f64();
        let rate = f64::from(states) / seconds / 1e6;
        println!(
            "{name:<20} {param}={value:<3} {states:>9} states {edges:>9} edges {:>8.1} ms {rate:>6.2} million states/s",
            seconds * 1e3
        );
    }
}
