//! The picture of BENCHMARKS.md: seconds against processes, both logarithmic.

use super::jobs::{Results, Table};
use std::fmt::Write;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 48.0;
const TOP: f64 = 20.0;
const RIGHT: f64 = 290.0;
/// The decades that are drawn: processes, and seconds.
const X: (f64, f64) = (0.9, 6.2);
const Y: (f64, f64) = (-4.5, 2.0);

fn x(processes: f64) -> f64 {
    LEFT + (processes.log10() - X.0) / (X.1 - X.0) * (WIDTH - LEFT - RIGHT)
}

fn y(seconds: f64) -> f64 {
    let decade = seconds.max(1e-6).log10().clamp(Y.0, Y.1);
    HEIGHT - BOTTOM - (decade - Y.0) / (Y.1 - Y.0) * (HEIGHT - BOTTOM - TOP)
}

/// Draws all tables in one picture.
pub(crate) fn draw(results: &Results) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    );
    for decade in 1..=6 {
        let at = x(10f64.powi(decade));
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {TOP}V{:.1}\" stroke=\"#e3e3e3\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\" fill=\"#444\">10{}</text>",
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 18.0,
            superscript(decade),
        );
    }
    for decade in -4..=2 {
        let at = y(10f64.powi(decade));
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{:.1}\" stroke=\"#e3e3e3\"/><text x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"end\" fill=\"#444\">10{} s</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            superscript(decade),
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444\">processes</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 10.0
    );
    let series: [(&str, &Table, &str, &str); 11] = [
        ("Orbitscope, mutual exclusion", &results.quotient, "Orbitscope", "#0b6e4f"),
        ("Orbitscope, violated, weak fairness", &results.violated, "Orbitscope", "#1f5fa8"),
        ("Orbitscope, holding, weak fairness", &results.holding, "Orbitscope", "#7a3ea1"),
        ("Orbitscope, violated, strong fairness", &results.strong, "Orbitscope", "#b0305c"),
        ("Orbitscope, no symmetry", &results.unreduced, "Orbitscope", "#555555"),
        ("Stateright, mutual exclusion", &results.quotient, "Stateright", "#d98200"),
        ("Rumur, mutual exclusion", &results.quotient, "Rumur", "#3f8fa8"),
        ("TLC, violated, weak fairness", &results.violated, "TLC", "#e0559a"),
        ("TLC, holding, weak fairness", &results.holding, "TLC", "#9a8fd0"),
        ("Spin, violated, weak fairness", &results.violated, "Spin", "#c23b22"),
        ("Spin, holding, weak fairness", &results.holding, "Spin", "#8c6d1f"),
    ];
    for (number, (name, table, tool, colour)) in series.into_iter().enumerate() {
        line(&mut svg, table, tool, colour, name, number);
    }
    svg + "</svg>\n"
}

fn line(svg: &mut String, table: &Table, tool: &str, colour: &str, name: &str, number: usize) {
    let points: Vec<(f64, f64)> = (table.sizes(tool).into_iter())
        .filter_map(|n| {
            let figure = table.of(tool, n)?;
            Some((x(f64::from(n)), y(figure.search())))
        })
        .collect();
    if points.is_empty() {
        return;
    }
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    let dash = if tool == "Orbitscope" { "" } else { " stroke-dasharray=\"5 3\"" };
    let _ = writeln!(
        svg,
        "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>",
        path.join("L")
    );
    for (x, y) in &points {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
    let (left, at) = (WIDTH - RIGHT + 14.0, TOP + 14.0 + 20.0 * number as f64);
    let middle = at - 4.0;
    let _ = writeln!(
        svg,
        "<path d=\"M{left:.1} {middle:.1}h18\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>\
         <circle cx=\"{:.1}\" cy=\"{middle:.1}\" r=\"3\" fill=\"{colour}\"/>\
         <text x=\"{:.1}\" y=\"{at:.1}\" fill=\"#222\">{name}</text>",
        left + 9.0,
        left + 24.0
    );
}

fn superscript(number: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => char::from_u32('⁰' as u32 + c.to_digit(10).unwrap_or(0)).unwrap_or(c),
    };
    number.to_string().chars().map(digit).collect()
}
