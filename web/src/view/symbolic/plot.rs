//! How large the sets and their diagrams are, iteration by iteration, on a logarithmic scale.

use super::log10;
use crate::engine::Iterations;
use crate::view::plot::{Tick, field, letters};
use crate::view::text;
use orbitscope_core::natural::Natural;
use orbitscope_core::symbolic::Iteration;

/// A measure that can be plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The nodes of diagrams.
    Nodes,
    /// The states of the sets.
    States,
}

impl Measure {
    /// Both.
    pub const ALL: [Measure; 2] = [Measure::Nodes, Measure::States];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Nodes => "BDD nodes",
            Measure::States => "states",
        }
    }
}

/// The curve of one set.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The letter beside it.
    pub letter: &'static str,
    /// The set that the line is about.
    pub name: &'static str,
    /// Its points, one for each iteration.
    pub points: Vec<(f64, f64)>,
    /// Where its letter stands, beside its end and apart from the other letters.
    pub letter_at: (f64, f64),
    /// Its value at the iteration that is marked, in words; empty where none is.
    pub now: String,
}

/// The plot as shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Shapes {
    /// The marks on the horizontal scale.
    pub across: Vec<Tick>,
    /// The marks on the vertical scale.
    pub up: Vec<Tick>,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Where the iteration is that is looked at.
    pub at: Option<f64>,
}

type Of = fn(&Iteration) -> Natural;

const NODES: [(&str, &str, Of); 4] = [
    ("F", "frontier", |i| u64::from(i.frontier_nodes).into()),
    ("R", "representatives", |i| u64::from(i.representatives_nodes).into()),
    ("C", "covered", |i| u64::from(i.covered_nodes).into()),
    ("U", "all in use", |i| u64::from(i.nodes).into()),
];
const STATES: [(&str, &str, Of); 3] = [
    ("F", "frontier", |i| i.frontier.clone()),
    ("R", "representatives", |i| i.representatives.clone()),
    ("C", "covered", |i| i.covered.clone()),
];

/// The shapes of the plot, with an iteration marked.
pub fn shapes(found: &Iterations, measure: Measure, step: u32) -> Shapes {
    let iterations = &found.summary.iterations;
    let sets: &[(&str, &str, Of)] = match measure {
        Measure::Nodes => &NODES,
        Measure::States => &STATES,
    };
    let (left, right, top, bottom) = field();
    let count = iterations.len() as u32;
    // One iteration alone stands in the middle.
    let x = |number: u32| {
        let share = if count > 1 { f64::from(number - 1) / f64::from(count - 1) } else { 0.5 };
        left + share * (right - left)
    };
    let exponents: Vec<Vec<f64>> =
        sets.iter().map(|(.., of)| iterations.iter().map(|i| log10(&of(i))).collect()).collect();
    let most = exponents.iter().flatten().copied().fold(1.0, f64::max).ceil();
    let y = |exponent: f64| bottom - exponent / most * (bottom - top);
    let marked = step.checked_sub(1).and_then(|at| iterations.get(at as usize));
    let curves = sets.iter().zip(exponents).map(|(&(letter, name, of), exponents)| Curve {
        letter,
        name,
        points: (1..).zip(exponents).map(|(number, exponent)| (x(number), y(exponent))).collect(),
        letter_at: (0.0, 0.0),
        now: marked.map_or_else(String::new, |i| text::natural(&of(i))),
    });
    let mut curves: Vec<Curve> = curves.collect();
    let ends: Vec<(f64, f64)> =
        curves.iter().map(|curve| curve.points.last().copied().unwrap_or((right, bottom))).collect();
    for (curve, at) in curves.iter_mut().zip(letters(&ends)) {
        curve.letter_at = at;
    }
    // At most seven marks each way.
    let by = (most as usize).div_ceil(6);
    let up =
        (0..=most as usize).step_by(by).map(|power| Tick { at: y(power as f64), words: power_of_ten(power) });
    let every = count.div_ceil(7).max(1) as usize;
    let across = (1..=count).step_by(every).map(|number| Tick { at: x(number), words: number.to_string() });
    Shapes { across: across.collect(), up: up.collect(), curves, at: marked.map(|_| x(step)) }
}

fn power_of_ten(power: usize) -> String {
    match power {
        0..3 => 10u32.pow(power as u32).to_string(),
        3..6 => format!("{}k", 10u32.pow(power as u32 - 3)),
        _ => format!("10^{power}"),
    }
}
