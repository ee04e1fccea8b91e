//! The plot of what each method needs against a parameter, on logarithmic scales, as shapes.

use super::compare::size;
use super::text;
use crate::engine::Checked;
use crate::session::{Cell, Method, Plot};
use std::collections::BTreeSet;

/// The picture's size, in units of its own.
pub const SIZE: (f64, f64) = (320.0, 230.0);
/// The space for the scales: left, right, top, bottom.
const MARGIN: (f64, f64, f64, f64) = (46.0, 12.0, 10.0, 26.0);

/// The height of a letter, and how far to the right of a point it stands.
pub const LETTER: f64 = 9.5;
const BESIDE: f64 = 4.0;

/// A measure that can be plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// How many states.
    States,
    /// How many edges.
    Edges,
    /// How long.
    Time,
    /// How much memory.
    Memory,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 4] = [Measure::States, Measure::Edges, Measure::Time, Measure::Memory];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Measure::States => "states",
            Measure::Edges => "edges",
            Measure::Time => "time",
            Measure::Memory => "memory",
        }
    }

    fn of(self, checked: &Checked) -> f64 {
        let (states, edges) = size(checked);
        match self {
            Measure::States => states as f64,
            Measure::Edges => edges as f64,
            Measure::Time => checked.time.max(1.0),
            Measure::Memory => checked.stats.peak_bytes as f64,
        }
    }

    fn words(self, value: f64) -> String {
        match self {
            Measure::States | Measure::Edges => short(value),
            Measure::Time => text::time(value),
            Measure::Memory => text::bytes(value as u64),
        }
    }
}

/// A count in few characters: `500`, `20k`, `3M`.
fn short(value: f64) -> String {
    match value {
        v if v < 1e3 => format!("{v:.0}"),
        v if v < 1e6 => format!("{:.0}k", v / 1e3),
        v => format!("{:.0}M", v / 1e6),
    }
}

/// A point of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// Where.
    pub y: f64,
    /// The point in words.
    pub words: String,
    /// Whether the method gave up there: the true value is higher.
    pub partial: bool,
}

/// The points of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The method.
    pub method: Method,
    /// Its points, from left to right.
    pub points: Vec<Point>,
    /// Where its letter stands.
    pub letter_at: (f64, f64),
}

/// A mark on a scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where on its scale.
    pub at: f64,
    /// The text.
    pub words: String,
}

/// The plot as shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Shapes {
    /// The marks on the horizontal scale.
    pub across: Vec<Tick>,
    /// The marks on the vertical scale.
    pub up: Vec<Tick>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// The left, right, top and bottom of the field.
pub fn field() -> (f64, f64, f64, f64) {
    (MARGIN.0, SIZE.0 - MARGIN.1, MARGIN.2, SIZE.1 - MARGIN.3)
}

/// The shapes of a plot of this measure.
pub fn shapes(plot: &Plot, measure: Measure) -> Shapes {
    let done = |cell: &Cell| match cell {
        // A method that gave up before it counted anything has no place on the scale.
        Cell::Done(checked) if checked.is_partial() => {
            Some(measure.of(checked)).filter(|&value| value >= 1.0)
        }
        Cell::Done(checked) if checked.searches > 0 => Some(measure.of(checked).max(1.0)),
        _ => None,
    };
    let values: Vec<f64> = plot.cells.values().filter_map(done).collect();
    let most = values.iter().copied().fold(10.0, f64::max).log10();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min).min(10f64.powf(most)).log10().floor();
    let most = most.ceil().max(least + 1.0);
    let (left, right, top, bottom) = field();
    let y = |value: f64| bottom - (value.log10() - least) / (most - least) * (bottom - top);
    let first = plot.values.first().copied().unwrap_or(1).max(1) as f64;
    let last = (plot.values.last().copied().unwrap_or(2) as f64).max(first * 2.0);
    let x = |value: i64| left + ((value.max(1) as f64) / first).ln() / (last / first).ln() * (right - left);
    let methods: BTreeSet<Method> = plot.cells.keys().map(|&(_, method)| method).collect();
    let lines = methods.into_iter().map(|method| {
        let points = plot.values.iter().filter_map(|&value| {
            let cell = plot.cells.get(&(value, method))?;
            let Cell::Done(checked) = cell else { return None };
            let height = done(cell)?;
            let more = if checked.is_partial() { " so far, then it gave up" } else { "" };
            let words = format!(
                "{}, {} = {value}: {} {}{more}",
                method.name(),
                plot.param,
                measure.words(height),
                measure.name()
            );
            Some(Point { x: x(value), y: y(height), words, partial: checked.is_partial() })
        });
        Line { method, points: points.collect(), letter_at: (0.0, 0.0) }
    });
    let mut lines: Vec<Line> = lines.filter(|line| !line.points.is_empty()).collect();
    let ends: Vec<(f64, f64)> =
        lines.iter().filter_map(|line| line.points.last()).map(|end| (end.x, end.y)).collect();
    for (line, at) in lines.iter_mut().zip(letters(&ends)) {
        line.letter_at = at;
    }
    // Numbers that would stand on each other are left out.
    let mut across: Vec<Tick> = Vec::new();
    for &value in &plot.values {
        let at = x(value);
        if across.last().is_none_or(|tick| at - tick.at >= 18.0) {
            across.push(Tick { at, words: value.to_string() });
        }
    }
    let up = (least as i32..=most as i32).map(|power| {
        let value = 10f64.powi(power);
        Tick { at: y(value), words: measure.words(value) }
    });
    Shapes { across, up: up.collect(), lines }
}

/// Where the letters of curves stand that end at these points: beside the end, above one another where they would touch,
/// and lower by as much as they would stand out of the field.
pub fn letters(ends: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|&a, &b| ends[b].1.total_cmp(&ends[a].1));
    let mut places = ends.to_vec();
    for (number, &at) in order.iter().enumerate() {
        let x = ends[at].0 + BESIDE;
        let near =
            order[..number].iter().map(|&lower| places[lower]).filter(|near| (near.0 - x).abs() < LETTER);
        let y = near.map(|near| near.1 - LETTER).fold(ends[at].1 + LETTER / 3.0, f64::min);
        places[at] = (x, y);
    }
    let top = field().2 + LETTER / 3.0;
    if let Some(&highest) = places.iter().min_by(|a, b| a.1.total_cmp(&b.1)).filter(|at| at.1 < top) {
        for place in places.iter_mut().filter(|place| (place.0 - highest.0).abs() < LETTER) {
            place.1 += top - highest.1;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Progress, Verdict};
    use std::rc::Rc;

    fn plot(counts: &[(i64, Method, u64, bool)]) -> Plot {
        let cell = |nodes, partial: bool| {
            let progress = Progress { nodes, edges: 2 * nodes, bytes: 100 * nodes, ..Progress::default() };
            let part = Checked::stopped_at(progress, nodes as f64);
            let why = part.why.clone().filter(|_| partial);
            Cell::Done(Rc::new(Checked { verdict: Verdict::Holds, why, searches: 1, ..part }))
        };
        let mut values: Vec<i64> = counts.iter().map(|count| count.0).collect();
        values.sort_unstable();
        values.dedup();
        let cells =
            counts.iter().map(|&(value, method, nodes, partial)| ((value, method), cell(nodes, partial)));
        Plot { param: "n".into(), values, cells: cells.collect() }
    }

    #[test]
    fn higher_is_more_and_right_is_larger_and_all_is_in_the_field() {
        let plot = plot(&[
            (2, Method::Full, 7, false),
            (8, Method::Full, 70, false),
            (99, Method::Full, 398, false),
            (2, Method::Explicit, 9, false),
            (8, Method::Explicit, 1_000_000, true),
        ]);
        let (left, right, top, bottom) = field();
        for measure in Measure::ALL {
            let shapes = shapes(&plot, measure);
            assert_eq!(shapes.lines.len(), 2);
            for line in &shapes.lines {
                assert!(line.points.windows(2).all(|two| two[0].x < two[1].x && two[0].y > two[1].y));
                for point in &line.points {
                    assert!(
                        (left..=right).contains(&point.x) && (top..=bottom).contains(&point.y),
                        "{point:?}"
                    );
                }
            }
            let partial: Vec<bool> = shapes.lines[1].points.iter().map(|point| point.partial).collect();
            assert_eq!(partial, [false, true]);
            assert!(shapes.up.windows(2).all(|two| two[0].at > two[1].at));
        }
    }

    #[test]
    fn a_power_of_ten_stands_on_its_mark() {
        let plot = plot(&[(1, Method::Full, 10, false), (2, Method::Full, 1000, false)]);
        let shapes = shapes(&plot, Measure::States);
        let at = |words: &str| shapes.up.iter().find(|tick| tick.words == words).unwrap().at;
        let heights: Vec<f64> = shapes.lines[0].points.iter().map(|point| point.y).collect();
        assert!((heights[0] - at("10")).abs() < 1e-6 && (heights[1] - at("1k")).abs() < 1e-6);
        assert_eq!(shapes.lines[0].points[1].words, "full pruning, n = 2: 1k states");
    }

    #[test]
    fn letters_of_curves_that_end_together_do_not_touch() {
        let methods = [Method::Full, Method::Process, Method::Unpruned, Method::Threaded, Method::Explicit];
        // They end at the top of the field.
        let shapes = shapes(&plot(&methods.map(|method| (5, method, 100, false))), Measure::States);
        assert_eq!(shapes.lines.len(), methods.len());
        for (number, line) in shapes.lines.iter().enumerate() {
            assert!(line.letter_at.1 > field().2, "{line:?}");
            for other in &shapes.lines[..number] {
                assert!((line.letter_at.1 - other.letter_at.1).abs() > LETTER - 1e-6, "{line:?} {other:?}");
            }
        }
        // Lines that end elsewhere keep their letters where they are.
        let (alone, end) = (letters(&[(50.0, 80.0), (90.0, 80.0)]), 80.0 + LETTER / 3.0);
        assert!(alone.iter().all(|at| (at.1 - end).abs() < 1e-6), "{alone:?}");
    }

    #[test]
    fn nothing_is_plotted_of_nothing() {
        let shapes = shapes(&plot(&[]), Measure::Time);
        assert!(shapes.lines.is_empty() && shapes.across.is_empty());
    }
}
