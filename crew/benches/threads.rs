//! One thread against several: `cargo bench -p orbitscope-crew`, with the number of threads in `ORBITSCOPE_THREADS` (2 where nothing
//! is said). Each line is a ratio from this run; the best of some repeats is the one with the least noise.

use orbitscope_core::check::{Engine, Options, Survey};
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::symmetry::detect;
use orbitscope_core::{models, syntax::parse};
use orbitscope_crew::Threads;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// A model, its parameters, the engine, and how often it is measured.
type Run = (&'static str, &'static [(&'static str, i64)], Engine, u32);

const RUNS: [Run; 6] = [
    ("resource_controller", &[("clients", 16)], Engine::Explicit, 3),
    ("resource_controller", &[("clients", 19)], Engine::Explicit, 2),
    ("dining_philosophers", &[("philosophers", 9)], Engine::Explicit, 3),
    ("dining_philosophers", &[("philosophers", 11)], Engine::Onthefly, 3),
    ("gossip", &[("n", 4)], Engine::Onthefly, 3),
    ("futurebus", &[("caches", 4)], Engine::Onthefly, 3),
];

fn program(name: &str, params: &[(&str, i64)]) -> Program {
    let model = models::find(name).expect("the model is built in");
    let params = params.iter().map(|&(name, value)| (name.into(), value)).collect();
    build(&parse(model.source).file, &Settings { params, ..Settings::default() }).expect("the model is right")
}

/// The best time of a pass over all states, and how many there are.
fn measured((name, params, engine, repeats): Run, threads: Threads) -> (Duration, u64) {
    let program = program(name, params);
    let symmetry = detect(&program);
    let options = Options { engine, ..Options::default() };
    let (mut best, mut states) = (Duration::MAX, 0);
    for _ in 0..repeats {
        let mut survey = Survey::new(&program, &symmetry, &[], &options).expect("nothing is refused");
        let start = Instant::now();
        while if threads.pay(survey.waiting()) { survey.round(&threads, 16_384) } else { survey.step() } {}
        best = best.min(start.elapsed());
        assert!(survey.is_complete(), "{name}: not all states");
        states = survey.progress().nodes;
    }
    (best, states)
}

fn main() {
    let count = std::env::var("ORBITSCOPE_THREADS").ok().and_then(|text| text.parse().ok());
    let count = count.unwrap_or(NonZeroUsize::new(2).expect("two"));
    for run in RUNS {
        let (one, states) = measured(run, Threads::new(NonZeroUsize::MIN));
        let (several, again) = measured(run, Threads::new(count));
        assert_eq!(states, again, "{}: the counts differ", run.0);
        let (one, several) = (one.as_secs_f64(), several.as_secs_f64());
        println!(
            "{:<20} {:<10} {:?} {states:>9} states  1 thread {:>8.1} ms  {count} threads {:>8.1} ms  ratio {:.2}",
            run.0,
            run.2.name(),
            run.1,
            one * 1e3,
            several * 1e3,
            one / several
        );
    }
}
