//! How long a proof for every size takes: the built-in models, and growth with the threshold, the local states and the tracked
//! processes. Prints a table; asserts nothing.

use orbitscope_core::check::Options;
use orbitscope_core::every::{Conclusion, Effort, Prover, Reason, RunToEnd};
use orbitscope_core::models;
use orbitscope_core::program::Settings;
use orbitscope_core::syntax::parse;
use std::fmt::Write as _;
use std::time::Instant;

/// Milliseconds that this thread has worked, where the system tells; otherwise milliseconds.
fn worked(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64() * 1e3, |nanoseconds| nanoseconds / 1e6)
}

/// The processor, where the system tells its name.
fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told.lines().find(|line| line.starts_with("model name"));
    let name =
        name.and_then(|line| line.split_once(": ")).map_or("a processor without a name", |(_, name)| name);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{name}, {threads} threads of it; one is used")
}

fn main() {
    println!("{}; seconds and milliseconds that the thread worked\n", processor());
    println!(
        "| model | holds for every n | violated | unknown | outside | seconds | longest |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    );
    let mut sums = [0; 4];
    for model in models::GROUPS.iter().flat_map(|group| group.models) {
        let Some(row) = row(model.source) else { continue };
        for (sum, own) in sums.iter_mut().zip(row.counts) {
            *sum += own;
        }
        let [holds, violated, unknown, outside] = row.counts;
        println!(
            "| `{}` | {holds} | {violated} | {unknown} | {outside} | {:.2} | {} |",
            model.name,
            row.time / 1e3,
            row.longest.1
        );
    }
    let [holds, violated, unknown, outside] = sums;
    println!("| all of these | {holds} | {violated} | {unknown} | {outside} | | |\n");
    growth();
}

struct Row {
    /// How many properties hold, are violated, are not known, and cannot be asked about; deadlock freedom is one of them.
    counts: [usize; 4],
    time: f64,
    longest: (f64, String),
}

/// The answers about a model; none where it has no family whose size can be left open.
fn row(source: &str) -> Option<Row> {
    let file = parse(source).file;
    let prover = Prover::new(&file, &Settings::default(), &[], Options::default(), Effort::default()).ok()?;
    let mut row = Row { counts: [0; 4], time: 0.0, longest: (0.0, String::new()) };
    for name in prover.properties().map(Some).chain([None]) {
        let start = Instant::now();
        let before = worked(start);
        let proof = prover.prove(name, &mut RunToEnd);
        let time = worked(start) - before;
        row.time += time;
        let kind = match &proof.conclusion {
            Conclusion::Holds { .. } => 0,
            Conclusion::Violated { .. } => 1,
            Conclusion::Unknown(Reason::Outside(_)) => 3,
            Conclusion::Unknown(_) => 2,
        };
        row.counts[kind] += 1;
        if time > row.longest.0 {
            row.longest = (time, name.unwrap_or("deadlocks").to_owned());
        }
    }
    Some(row)
}

/// Processes that go round through some rooms: every census is reached.
fn growth() {
    println!(
        "| local states | T | tracked | states | edges | ms | µs a state |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    for rooms in 2..=6u32 {
        let names: Vec<String> = (0..rooms).map(|room| format!("r{room}")).collect();
        let mut text = format!("param n = 3\nprocess c[n] {{\n  var st: {{{}}} = r0\n", names.join(", "));
        for room in 0..rooms {
            let _ = writeln!(text, "  action a{room}: st == r{room} -> st := r{}", (room + 1) % rooms);
        }
        text += "}\nltl nobody: G F exists d in c: d.st == r0\nltl one: forall d in c: G F d.st == r0\nltl two: forall d in c, e in c: G F (d.st == r0 or e.st == r0)";
        let file = parse(&text).file;
        let prover = Prover::new(&file, &Settings::default(), &[], Options::default(), Effort::default());
        let Ok(prover) = prover else { continue };
        for finer in 0..=2u32 {
            for (tracked, name) in ["nobody", "one", "two"].iter().enumerate() {
                if (finer + 3).pow(rooms) * rooms.pow(tracked as u32) > 40_000 {
                    continue;
                }
                let start = Instant::now();
                let before = worked(start);
                let (proof, _) = prover.attempt(Some(name), &[1], finer, &mut RunToEnd);
                let time = worked(start) - before;
                println!(
                    "| {rooms} | {} | {tracked} | {} | {} | {:.1} | {:.1} |",
                    finer + 1,
                    proof.states,
                    proof.edges,
                    time,
                    time * 1e3 / proof.states.max(1) as f64
                );
            }
        }
    }
}
