//! Whether speed lasts: `cargo bench -p orbitscope-core --bench cliffs`.
//!
//! Three tables, in which ratios count and not times: states a second along a long pass, with much and with little memory for what
//! could be found again; violations with their runs, from ring to larger ring; and an edge of a product against an edge of its
//! quotient.

use orbitscope_core::check::{Check, Counterexample, Options, Survey, Target, Verdict};
use orbitscope_core::explore::Limits;
use orbitscope_core::models;
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::symmetry::detect;
use orbitscope_core::syntax::parse;
use std::time::Instant;

/// Seconds that this thread has worked, where the system tells; otherwise seconds.
fn worked(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn program(model: &str, param: &str, value: i64) -> Program {
    let source = models::find(model).expect("the model is built in").source;
    let params = [(param.into(), value)].into_iter().collect();
    build(&parse(source).file, &Settings { params, ..Settings::default() }).expect("the model is right")
}

fn main() {
    let most = std::env::var("STATES").ok().and_then(|states| states.parse().ok()).unwrap_or(2_000_000);
    for cache in [64 << 20, 4 << 20] {
        along(most, cache);
    }
    for philosophers in 14..=20 {
        run(philosophers);
    }
    for stations in [20, 40, 80, 160] {
        edges(stations, 64 << 20);
        edges(stations, 1 << 20);
    }
}

/// States a second of a pass over the states of a ring, as it goes on.
fn along(most: u32, cache: u64) {
    let program = program("dining_philosophers", "philosophers", 14);
    let id = program.property("neighbours_do_not_eat").expect("it has the invariant");
    let limits = Limits { states: most, cache, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let mut survey = Survey::new(&program, &detect(&program), &[id], &options).expect("it can be checked");
    println!("14 philosophers, {} MiB to remember", cache >> 20);
    let (start, window) = (Instant::now(), 100_000);
    let (mut before, mut expanded, mut first) = (worked(start), 0u64, None);
    loop {
        let more = survey.step();
        expanded += 1;
        if expanded.is_multiple_of(window) || !more {
            let now = worked(start);
            let rate = (if more { window } else { expanded % window }) as f64 / (now - before);
            let ratio = rate / *first.get_or_insert(rate);
            println!("  {expanded:>9} states {rate:>9.0} a second, {ratio:.2} of the first");
            before = now;
        }
        if !more {
            return;
        }
    }
}

/// A violation on a ring, with its run.
fn run(philosophers: i64) {
    let program = program("dining_philosophers", "philosophers", philosophers);
    let target = Target::Property(program.property("no_starvation").expect("it has the property"));
    let mut check =
        Check::new(&program, &detect(&program), target, Options::default()).expect("it can be checked");
    let start = Instant::now();
    let (begin, mut found) = (worked(start), None);
    while check.step() {
        if found.is_none() && check.progress().making > 0 {
            found = Some(worked(start));
        }
    }
    let (end, steps) = (worked(start), check.progress().making);
    let report = check.stop();
    assert!(matches!(report.verdict, Verdict::Violated), "{:?}", report.verdict);
    let Some(Counterexample::Lasso(lasso, _)) = report.counterexample else { panic!("it has no run") };
    let found = found.unwrap_or(end);
    println!(
        "{philosophers} philosophers: violated after {:.2} s, its run of {} and {} steps after {:.2} s more, {steps} small steps",
        found - begin,
        lasso.stem.len(),
        lasso.cycle.len(),
        end - found,
    );
}

/// Microseconds for an edge of the quotient and for one of the product.
fn edges(stations: i64, cache: u64) {
    let program = program("ethernet", "stations", stations);
    let symmetry = detect(&program);
    let limits = Limits { states: 60_000, cache, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let start = Instant::now();
    let begin = worked(start);
    let mut survey = Survey::new(&program, &symmetry, &[], &options).expect("it can be checked");
    survey.run();
    let quotient = (worked(start) - begin) * 1e6 / survey.progress().edges as f64;
    let begin = worked(start);
    let target = Target::Property(program.property("frame_ends").expect("it has the property"));
    let mut check = Check::new(&program, &symmetry, target, options).expect("it can be checked");
    let report = check.run();
    let product = (worked(start) - begin) * 1e6 / report.stats.product_edges.unwrap_or(1) as f64;
    println!(
        "{stations} stations, {} MiB to remember: {quotient:.2} µs an edge of the quotient, {product:.2} µs one of the product, {:.1} times",
        cache >> 20,
        product / quotient,
    );
}
