//! The jobs that are measured.

use super::BenchOptions;
use super::browser::{self, InBrowser};
use super::peers::{Claim, Figure, Tools, number_of};
use crate::process::{cargo, output};

/// A row of a table: one tool on one size.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) tool: &'static str,
    /// n, which counts the server too where there is one.
    pub(crate) size: u32,
    pub(crate) figure: Figure,
}

/// One subject with all its rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
}

/// A row of the paper's tables: what the older method and the new one give.
#[derive(Clone, Debug)]
pub(crate) struct PaperRow {
    pub(crate) property: &'static str,
    pub(crate) size: u32,
    pub(crate) older: Figure,
    pub(crate) newer: Figure,
    /// Edges of the quotient that the paper's pruning keeps, and those of ours.
    pub(crate) kept: [Option<f64>; 3],
}

/// A program whose processes are more than counted, with its symmetry and without.
#[derive(Clone, Debug)]
pub(crate) struct GeneralRow {
    pub(crate) what: &'static str,
    pub(crate) model: &'static str,
    pub(crate) setting: &'static str,
    pub(crate) property: &'static str,
    pub(crate) with: Figure,
    pub(crate) without: Figure,
}

/// The kind of structure, the model, its parameter, the property.
const GENERAL: [(&str, &str, &str, &str); 8] = [
    ("a ring", "dining_philosophers", "philosophers=10", "neighbours_do_not_eat"),
    ("a ring, one of it tracked", "dining_philosophers", "philosophers=9", "meals_end"),
    ("a ring, one of it tracked", "token_ring", "stations=13", "token_returns"),
    ("stored", "arbiter", "requesters=14", "somebody_is_served"),
    ("stored, one of them tracked", "arbiter", "requesters=14", "request_stays"),
    ("stored, one of them tracked", "futurebus", "caches=8", "written_back"),
    ("an index", "two_phase_commit", "managers=7", "abort_reaches_all"),
    ("two indices", "gossip", "n=5", "all_know_in_the_end"),
];

/// Everything that was measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    pub(crate) unreduced: Table,
    pub(crate) quotient: Table,
    pub(crate) violated: Table,
    pub(crate) holding: Table,
    pub(crate) strong: Table,
    pub(crate) general: Vec<GeneralRow>,
    pub(crate) paper: Vec<PaperRow>,
    pub(crate) browser: InBrowser,
    /// The output of the core's own benchmarks about an edge as programs grow.
    pub(crate) grown: Vec<Printed>,
}

/// The lines that a benchmark of the core has printed.
#[derive(Clone, Debug)]
pub(crate) struct Printed {
    pub(crate) name: &'static str,
    pub(crate) lines: String,
}

impl Table {
    fn add(&mut self, tool: &'static str, size: u32, figure: Option<Figure>) {
        let Some(figure) = figure else { return };
        let inner = figure.inner.map_or(String::new(), |s| format!(", {s:.4} s inside"));
        println!("  {tool:<10} n={size:<8} {:>8.3} s{inner}  {}", figure.seconds, figure.verdict);
        let known = self.rows.iter_mut().find(|row| row.tool == tool && row.size == size);
        match known {
            None => self.rows.push(Row { tool, size, figure }),
            Some(row) => {
                let best = |a: f64, b: f64| a.min(b);
                row.figure.inner = row.figure.inner.zip(figure.inner).map(|(a, b)| best(a, b));
                row.figure.seconds = best(row.figure.seconds, figure.seconds);
            }
        }
    }

    /// The figure of a tool on a size.
    pub(crate) fn of(&self, tool: &str, size: u32) -> Option<&Figure> {
        self.rows.iter().find(|row| row.tool == tool && row.size == size).map(|row| &row.figure)
    }

    /// The sizes of a tool, ascending.
    pub(crate) fn sizes(&self, tool: &str) -> Vec<u32> {
        let mut sizes: Vec<u32> =
            self.rows.iter().filter(|row| row.tool == tool).map(|row| row.size).collect();
        sizes.sort_unstable();
        sizes
    }
}

const OURS: &str = "Orbitscope";

/// Measures everything.
pub(crate) fn run_all(tools: &Tools, options: BenchOptions) -> Result<Results, String> {
    let rounds = if options.quick { 1 } else { 3 };
    let mut results = Results::default();
    println!("\nUnreduced exploration, mutual exclusion of the controller");
    let explicit = ["--engine", "explicit"];
    let sizes: &[u32] = if options.quick { &[14] } else { &[14, 17] };
    for _ in 0..rounds {
        for &n in sizes {
            let table = &mut results.unreduced;
            table.add(OURS, n, tools.ours("resource_controller", n - 1, "mutual_exclusion", &explicit));
            table.add("Stateright", n, tools.stateright(n - 1, false));
            table.add("Spin", n, tools.spin(Claim::Safety, n - 1));
        }
    }
    let n = if options.quick { 9 } else { 13 };
    results.unreduced.add("TLC", n, tools.tlc("resource_controller", n - 1, "mutual_exclusion"));
    println!("\nWith symmetry, mutual exclusion of the controller");
    let peers: &[u32] = if options.quick { &[101, 301] } else { &[101, 301, 1001] };
    for _ in 0..rounds {
        for n in [101, 301, 1001, 10_001, 100_001] {
            let table = &mut results.quotient;
            table.add(OURS, n, tools.ours("resource_controller", n - 1, "mutual_exclusion", &[]));
            if peers.contains(&n) {
                table.add("Stateright", n, tools.stateright(n - 1, true));
            }
            if n == 101 {
                table.add("Rumur", n, tools.rumur(n - 1));
            }
        }
    }
    println!("\nLiveness under weak fairness, violated: G (R => F C) of the controller");
    let few = ["--max-states", "1000"];
    for _ in 0..rounds {
        for n in [15, 1001, 10_001, 100_001, 1_000_001] {
            let ours = tools.ours("resource_controller", n - 1, "eventually_access", &few);
            results.violated.add(OURS, n, ours);
        }
    }
    let sizes: &[u32] = if options.quick { &[11] } else { &[13, 14, 15] };
    for &n in sizes {
        results.violated.add("Spin", n, tools.spin(Claim::Access, n - 1));
    }
    results.violated.add("TLC", 9, tools.tlc("resource_controller", 8, "eventually_access"));
    println!("\nLiveness under weak fairness, holding: G F I of the simplified controller");
    for _ in 0..rounds {
        for m in [12, 100, 1000, 10_000] {
            let ours = tools.ours("simplified_controller", m, "always_idle_again", &[]);
            results.holding.add(OURS, m, ours);
        }
    }
    let sizes: &[u32] = if options.quick { &[9] } else { &[11, 12, 13] };
    for &m in sizes {
        results.holding.add("Spin", m, tools.spin(Claim::Idle, m));
    }
    let m = if options.quick { 6 } else { 10 };
    results.holding.add("TLC", m, tools.tlc("simplified_controller", m, "always_idle_again"));
    println!("\nStrong fairness, violated: G (R => F C) of the controller");
    for n in [101, 1001, 10_001] {
        let more = ["--fairness", "strong", "--max-states", "1000"];
        results.strong.add(OURS, n, tools.ours("resource_controller", n - 1, "eventually_access", &more));
    }
    println!("\nWhere processes are more than counted, with symmetry and without");
    let general = if options.quick { &GENERAL[3..5] } else { &GENERAL[..] };
    for &(what, model, setting, property) in general {
        let run = |more: &[&str]| tools.ours_with(model, setting, property, more);
        let without = ["--engine", "explicit", "--symmetry", "none"];
        let (with, without) = run(&[]).zip(run(&without)).ok_or("our own tool does not run")?;
        println!("  {model} {setting} {property}: {:.3} / {:.3} s", with.seconds, without.seconds);
        results.general.push(GeneralRow { what, model, setting, property, with, without });
    }
    println!("\nThe older method and the new one");
    for property in ["eventually_access", "mutual_exclusion"] {
        for n in [10, 50, 100] {
            let run = |more: &[&str]| {
                tools.ours("resource_controller", n - 1, property, more).ok_or("our own tool does not run")
            };
            let (older, newer) = (run(&["--engine", "threaded"])?, run(&[])?);
            let kept = ["none", "process", "full"].map(|prune| {
                let figure =
                    tools.ours("resource_controller", n - 1, "mutual_exclusion", &["--prune", prune]);
                number_of(&figure?.text, "aqs_edges")
            });
            println!("  {property} n={n}: {:.4} / {:.4} s", older.search(), newer.search());
            results.paper.push(PaperRow { property, size: n, older, newer, kept });
        }
    }
    results.browser = browser::run_all(tools, rounds)?;
    if !options.quick {
        results.grown = ["scale", "cliffs"].into_iter().map(printed).collect::<Result<_, _>>()?;
    }
    Ok(results)
}

fn printed(name: &'static str) -> Result<Printed, String> {
    println!("\nThe core's benchmark `{name}`");
    let lines = output(cargo().args(["bench", "--locked", "--package", "orbitscope-core", "--bench", name]))
        .ok_or_else(|| format!("the benchmark {name} failed"))?;
    println!("{lines}");
    Ok(Printed { name, lines })
}
