//! The iterations as bars on the line of time.

use super::log10;
use crate::engine::Iterations;
use orbitscope_core::natural::Natural;
use orbitscope_core::symbolic::{Iteration, Kind};

/// A row of bars, one for each iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the count.
    pub name: &'static str,
    /// Its meaning, in one line.
    pub help: &'static str,
    /// Its height in pixels.
    pub tall: f64,
    /// How high each bar is, from 0 to 1, on a logarithmic scale that all rows share; 0 is nothing at all.
    pub bars: Vec<f64>,
}

/// The rows of the line.
pub fn rows(found: &Iterations) -> Vec<Row> {
    let iterations = &found.summary.iterations;
    let most =
        iterations.iter().flat_map(|i| [&i.frontier, &i.added, &i.symmetric]).map(log10).fold(1.0, f64::max);
    // One state is a bar that can be seen.
    let height =
        |n: &Natural| if *n == Natural::zero() { 0.0 } else { (0.2 + 0.8 * log10(n) / most).min(1.0) };
    let is = |yes: bool| f64::from(u8::from(yes));
    let row = |name, help, tall, bar: &dyn Fn(&Iteration) -> f64| Row {
        name,
        help,
        tall,
        bars: iterations.iter().map(bar).collect(),
    };
    vec![
        row("frontier", "how many states an iteration starts from", 26.0, &|i| height(&i.frontier)),
        row("added", "how many became representatives", 22.0, &|i| height(&i.added)),
        row("symmetric", "how many were removed as symmetric", 22.0, &|i| height(&i.symmetric)),
        row("left aside", "a hint or the under-approximation left a part for later", 11.0, &|i| {
            is(i.under != i.frontier)
        }),
        row("taken up", "the frontier was empty, and what was left aside is taken up", 11.0, &|i| {
            is(matches!(i.kind, Kind::TakenUp(_)))
        }),
    ]
}
