//! BENCHMARKS.md.

use super::BenchOptions;
use super::browser::InBrowser;
use super::jobs::{GeneralRow, PaperRow, Printed, Results, Table};
use super::peers::{Figure, Tools, machine};
use std::fmt::Write;

const OURS: &str = "Orbitscope";

/// Remarks that a person found by looking at profiles; they do not change from run to run.
const NOTES: &str = include_str!("notes.md");

/// The whole file.
pub(crate) fn markdown(tools: &Tools, results: &Results, options: BenchOptions) -> String {
    let mut text = String::from(
        "# Benchmarks\n\nWritten by `cargo xtask bench`; do not edit the tables by hand, but make them anew.\n\n",
    );
    let _ = writeln!(text, "- Machine: {}", machine());
    for line in tools.versions() {
        let _ = writeln!(text, "- {line}");
    }
    let rounds = if options.quick {
        "One round"
    } else {
        "Three rounds in which the tools take turns, the best of each"
    };
    let _ = writeln!(
        text,
        "- {rounds}. Seconds are processor time of the whole process, which other work on the machine disturbs least; \
         where *search* is written, the time that the tool gives for its search alone, if that is less. Memory is the most that the process had.\n\
         - n counts the server too where there is one, as in the paper of Gyuris and Sistla: clients = n − 1.\n"
    );
    text += "![Seconds against processes](docs/images/benchmarks.svg)\n\n";
    unreduced(&mut text, &results.unreduced);
    quotient(&mut text, &results.quotient);
    liveness(&mut text, results);
    general(&mut text, &results.general);
    grown(&mut text, &results.grown);
    browser(&mut text, &results.browser);
    paper(&mut text, &results.paper);
    for peer in ["Stateright", "Spin", "Rumur", "TLC"].into_iter().filter(|peer| !tools.has(peer)) {
        let _ = writeln!(text, "{peer} was not there when this was written: its rows are missing.\n");
    }
    text + NOTES
}

fn seconds(value: f64) -> String {
    match value {
        v if v < 0.001 => format!("{:.2} ms", v * 1e3),
        v if v < 0.1 => format!("{:.1} ms", v * 1e3),
        v => format!("{v:.2} s"),
    }
}

fn megabytes(figure: &Figure) -> String {
    figure.megabytes.map_or("–".into(), |mb| format!("{mb:.0} MB"))
}

fn count(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| {
        let digits = format!("{value:.0}");
        let mut grouped = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at) % 3 == 0 {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped
    })
}

/// The command of each tool, on its largest size.
fn commands(text: &mut String, table: &Table) {
    let mut told: Vec<&str> = Vec::new();
    for row in &table.rows {
        if told.contains(&row.tool) {
            continue;
        }
        told.push(row.tool);
        let size = table.sizes(row.tool).last().copied().unwrap_or(row.size);
        if let Some(figure) = table.of(row.tool, size) {
            let _ =
                writeln!(text, "- {}, n = {}: `{}`", row.tool, count(Some(f64::from(size))), figure.command);
        }
    }
    text.push('\n');
}

fn unreduced(text: &mut String, table: &Table) {
    text.push_str("## Every state, without symmetry: mutual exclusion of the resource controller\n\n");
    text.push_str("| n | tool | states | seconds | states a second | memory | against Orbitscope |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for row in &table.rows {
        let ours = table.of(OURS, row.size).map(|figure| row.figure.seconds / figure.seconds);
        let rate = row
            .figure
            .states
            .map_or("–".into(), |s| format!("{:.2} million", s / row.figure.seconds / 1e6));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {rate} | {} | {} |",
            row.size,
            row.tool,
            count(row.figure.states),
            seconds(row.figure.seconds),
            megabytes(&row.figure),
            ours.map_or("–".into(), |ratio| format!("{ratio:.1} times the time")),
        );
    }
    text.push('\n');
    commands(text, table);
}

/// The exponent with which time grows between two sizes.
fn exponent(table: &Table, tool: &str) -> String {
    let sizes: Vec<u32> = table.sizes(tool).into_iter().filter(|&n| n >= 100).collect();
    let time = |n: u32| table.of(tool, n).map(Figure::search);
    match (sizes.first(), sizes.last()) {
        (Some(&a), Some(&b)) if a < b => match (time(a), time(b)) {
            (Some(s), Some(t)) => {
                let power = (t / s).ln() / (f64::from(b) / f64::from(a)).ln();
                format!("From n = {a} to n = {b} the time of {tool}'s search grows like n^{power:.2}.")
            }
            _ => String::new(),
        },
        _ => String::new(),
    }
}

fn quotient(text: &mut String, table: &Table) {
    text.push_str("## With symmetry: mutual exclusion of the resource controller\n\n");
    text.push_str("| n | tool | states | edges | search | an edge | bytes a state | memory |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    let mut rows = table.rows.clone();
    rows.sort_by_key(|row| row.size);
    for row in &rows {
        let inner = row.figure.search();
        let edge = row.figure.edges.map_or("–".into(), |edges| format!("{:.0} ns", inner / edges * 1e9));
        let bytes = super::peers::number_of(&row.figure.text, "bytes_per_aqs_state");
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {edge} | {} | {} |",
            count(Some(f64::from(row.size))),
            row.tool,
            count(row.figure.states),
            count(row.figure.edges),
            seconds(inner),
            bytes.map_or("–".into(), |b| format!("{b:.0}")),
            megabytes(&row.figure),
        );
    }
    let per_edge = |n: u32| {
        let figure = table.of(OURS, n)?;
        Some(figure.search() / figure.edges?)
    };
    let _ = writeln!(text, "\n{} {}", exponent(table, OURS), exponent(table, "Stateright"));
    if let (Some(small), Some(large)) = (per_edge(1001), per_edge(100_001)) {
        let _ = writeln!(
            text,
            "From n = 1,001 to 100,001 the time an edge takes changes by a factor of {:.2}.",
            large / small
        );
    }
    let inner = |tool, n| table.of(tool, n).map(Figure::search);
    for peer in ["Stateright", "Rumur"] {
        for n in table.sizes(peer) {
            if let (Some(ours), Some(theirs)) = (inner(OURS, n), inner(peer, n)) {
                let _ =
                    writeln!(text, "At n = {n} {peer} takes {} times the time.", count(Some(theirs / ours)));
            }
        }
    }
    text.push('\n');
    commands(text, table);
    // The measured one is in the same language; this one is the faster of the two.
    let murphi = inner(OURS, 101)
        .map_or(String::new(), |ours| format!(" ({} times our time at n = 101)", count(Some(0.6 / ours))));
    let _ = writeln!(
        text,
        "Quoted, not measured here, since it cannot be installed: CMurphi 5 took 0.6 s at n = 101{murphi}, 8.6 s at n = 201 and 44 s at \
         n = 301 on a machine of this kind. TLC with `SYMMETRY Permutations` took 8.8 s at n = 8 and no answer in the limit at n = 9.\n"
    );
}

fn liveness(text: &mut String, results: &Results) {
    text.push_str("## Liveness under fairness\n\n`violated` comes with a run that has been replayed on plain states.\n\n");
    text.push_str("| what | n | tool | answer | states or nodes | search | seconds | memory |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    let tables = [
        ("controller, `G (R => F C)`, weak", &results.violated),
        ("simplified controller, `G F I`, weak", &results.holding),
        ("controller, `G (R => F C)`, strong", &results.strong),
    ];
    for (what, table) in tables {
        let mut rows = table.rows.clone();
        rows.sort_by_key(|row| (row.size, row.tool));
        for row in &rows {
            let _ = writeln!(
                text,
                "| {what} | {} | {} | {} | {} | {} | {} | {} |",
                count(Some(f64::from(row.size))),
                row.tool,
                row.figure.verdict,
                count(row.figure.states),
                seconds(row.figure.search()),
                seconds(row.figure.seconds),
                megabytes(&row.figure),
            );
        }
    }
    text.push('\n');
    for (what, table) in tables {
        let _ = writeln!(text, "- {what}: {}", exponent(table, OURS));
    }
    text.push('\n');
    for (_, table) in tables {
        commands(text, table);
    }
    text.push_str(
        "\nQuoted, not measured here: TLC on the controller's `G (R => F C)` without symmetry took 4.5 s at n = 100 (by luck of the \
         order) and 66 s at n = 200; on the simplified controller's `G F I` 36 s with 13 clients. With symmetry it gives wrong answers \
         (models `one_requests_first` and `idle_in_between`). Stateright and CMurphi have no liveness under fairness.\n\n",
    );
}

fn general(text: &mut String, rows: &[GeneralRow]) {
    text.push_str(
        "## Where processes are more than counted\n\nProcesses that stand in a ring, are stored in variables or index tables: states are brought into \
         canonical form by the group, not by counting. The same command with `--engine explicit --symmetry none` beside it; seconds are of the whole \
         process, with the look for deadlocks. Tracking one process of a ring leaves no symmetry among states: what is gained is that one process is checked instead of all, and an edge costs more.\n\n\
         | processes are | model | property | answer | nodes with symmetry | seconds | nodes without | seconds | without against with |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in rows {
        let nodes = |figure: &Figure| {
            count(super::peers::number_of(&figure.text, "product_states").or(figure.states))
        };
        let _ = writeln!(
            text,
            "| {} | {} {} | {} | {} | {} | {} | {} | {} | {:.1} times the time |",
            row.what,
            row.model,
            row.setting,
            row.property,
            row.with.verdict,
            nodes(&row.with),
            seconds(row.with.seconds),
            nodes(&row.without),
            seconds(row.without.seconds),
            row.without.seconds / row.with.seconds.max(0.01),
        );
    }
    text.push('\n');
}

fn grown(text: &mut String, benchmarks: &[Printed]) {
    if benchmarks.is_empty() {
        return;
    }
    text.push_str(
        "## An edge as programs grow\n\nThe core's own benchmarks, in processor time. In brackets behind an edge stands its ratio to the counted \
         controller's of the same run; where states are too many, a part of them is explored.\n\n",
    );
    for Printed { name, lines } in benchmarks {
        let _ = writeln!(text, "`cargo bench -p orbitscope-core --bench {name}`:\n\n```text\n{lines}\n```\n");
    }
}

fn browser(text: &mut String, found: &InBrowser) {
    if found.rows.is_empty() {
        return;
    }
    text.push_str(
        "## The same engine in the browser\n\nBy the clock: the search by the command line, the same search in the page's worker, and what a person waits \
         from the opening of the page, in a fresh profile with the site on the same machine, until the verdict is there. A search of less than \
         a tenth of a second runs in part before the browser has optimised the program.\n\n\
         | what | clients | answer | command line | page | ratio | opening to verdict |\n| --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in &found.rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.1} | {} |",
            row.what,
            count(Some(f64::from(row.clients))),
            row.verdict,
            seconds(row.native),
            seconds(row.page),
            row.page / row.native,
            seconds(row.opening),
        );
    }
    text.push_str("\nFrames while the search on the controller with 99 clients (398 states) is played, without a graphics processor:\n\n");
    for (speed, [frames, median, high, part]) in &found.frames {
        let _ = writeln!(
            text,
            "- at {speed} steps a second {frames:.0} frames, median {median:.1} ms, 95 % within {high:.1} ms, {:.1} % under 20 ms;",
            part * 100.0
        );
    }
    text.push('\n');
}

fn paper(text: &mut String, rows: &[PaperRow]) {
    text.push_str(
        "## The older method and the new one\n\nThe two tables of Gyuris and Sistla, section 5, with ours beside theirs: *older / new*, as \
         there. Their older method is that of Emerson and Sistla; ours are `--engine threaded` and the default. Their figures are of \
         a machine of 1999 and their liveness automaton is not printed, so that only the counts of the quotient can be compared; \
         with `--prune process`, which is their pruning, they are the same.\n\n",
    );
    for (title, property) in
        [("Table 1, liveness", "eventually_access"), ("Table 2, safety", "mutual_exclusion")]
    {
        let own: Vec<&PaperRow> = rows.iter().filter(|row| row.property == property).collect();
        let _ = writeln!(text, "### {title}: `{property}`\n");
        text.push_str("| |");
        for row in &own {
            let _ = write!(text, " n = {0}, theirs | n = {0}, ours |", row.size);
        }
        text.push_str("\n| --- |");
        text.push_str(&" --- | --- |".repeat(own.len()));
        text.push('\n');
        let find = |figure: &Figure, name: &str| super::peers::number_of(&figure.text, name);
        for (position, name) in LINES.iter().enumerate() {
            let _ = write!(text, "| {name} |");
            for (column, row) in own.iter().enumerate() {
                let theirs = theirs(property, position)[column];
                let ours = match position {
                    0 => pair(find(&row.older, "aqs_states"), find(&row.newer, "aqs_states")),
                    1 => format!("{} (full: {})", pair(row.kept[0], row.kept[1]), count(row.kept[2])),
                    2 => pair(find(&row.older, "product_states"), find(&row.newer, "product_states")),
                    3 => {
                        let kilobytes = |f: &Figure| find(f, "peak_bytes").map(|bytes| bytes / 1000.0);
                        pair(kilobytes(&row.older), kilobytes(&row.newer))
                    }
                    _ => {
                        let inner = |f: &Figure| seconds(f.search());
                        format!("{} / {}", inner(&row.older), inner(&row.newer))
                    }
                };
                let _ = write!(text, " {theirs} | {ours} |");
            }
            text.push('\n');
        }
        text.push('\n');
    }
}

const LINES: [&str; 5] = [
    "states of the quotient",
    "its edges",
    "product states explored",
    "memory, kbyte",
    "time, theirs in seconds",
];

fn pair(older: Option<f64>, newer: Option<f64>) -> String {
    format!("{} / {}", count(older), count(newer))
}

/// The figures of the paper: lines as in [`LINES`], for n = 10, 50 and 100.
fn theirs(property: &str, line: usize) -> [&'static str; 3] {
    let liveness = property == "eventually_access";
    match line {
        1 => ["235 / 107", "6175 / 1567", "24850 / 5642"],
        2 if liveness => ["385 / 91", "9943 / 91", "39893 / 91"],
        0 | 2 => ["38 / 38", "198 / 198", "398 / 398"],
        3 if liveness => ["31 / 13", "1219 / 216", "6878 / 830"],
        3 => ["11 / 10", "481 / 221", "2903 / 857"],
        _ if liveness => ["0 / 0", "37 / 6", "481 / 42"],
        _ => ["0 / 0", "18 / 6", "158 / 44"],
    }
}
