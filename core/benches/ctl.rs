//! The four algorithms on graphs of a million states and more: `cargo bench -p orbitscope-core --bench ctl`.
//!
//! Times are given as ratios to the global algorithm's in the same run, memory in bits for each state, in the columns of
//! Heljanko's tables (1997, section 4.5), and for each state and subformula.

use orbitscope_core::ctl::{
    Algorithm, Bitmap, CtlCheck, Effort, Fixpoint, GlobalSearch, Graph, Leaves, LocalCheck, Outcome, Path,
    Settings, Sub, SubId, Vertex,
};
use orbitscope_core::ids::IdVec;
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::{program, syntax::parse};
use std::time::Instant;

const VERTICES: u32 = 1_000_000;

/// A graph with this many edges from each vertex, most of them to near vertices as in a graph of states.
fn graph(degree: u32) -> Graph {
    let mut seed = 1u64;
    let mut random = move |bound: u32| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % u64::from(bound)) as u32
    };
    let mut graph = Graph::default();
    for vertex in 0..VERTICES {
        let near = (1..degree).map(|_| (vertex + 1 + random(1000)) % VERTICES).collect::<Vec<_>>();
        graph.push(near.into_iter().chain([random(VERTICES)]).map(Vertex));
    }
    graph
}

/// The expression holds in one vertex of this many.
fn leaves(every: u32) -> Leaves {
    let mut row = Bitmap::filled(VERTICES, false);
    for vertex in (0..VERTICES).step_by(every as usize) {
        row.set(Vertex(vertex), true);
    }
    vec![(SubId(1), row)]
}

/// AG (atom => AF EF atom), as subformulas.
fn formula() -> IdVec<SubId, Sub> {
    let id = SubId;
    [
        Sub::Const(true),
        Sub::Atom(0),
        Sub::Until(Path::Some, id(0), id(1)),
        Sub::Until(Path::All, id(0), id(2)),
        Sub::Not(id(3)),
        Sub::And(vec![id(1), id(4)]),
        Sub::Until(Path::Some, id(0), id(5)),
        Sub::Not(id(6)),
    ]
    .into_iter()
    .collect()
}

struct Run {
    name: &'static str,
    seconds: f64,
    holds: bool,
    effort: Effort,
}

fn timed(name: &'static str, work: impl FnOnce() -> (bool, Effort)) -> Run {
    let start = Instant::now();
    let (holds, effort) = work();
    Run { name, seconds: start.elapsed().as_secs_f64(), holds, effort }
}

fn report(states: u32, edges: u32, subformulas: usize, graph_bytes: u64, what: &str, runs: &[Run]) {
    let bits = |bytes: u64| bytes as f64 * 8.0 / f64::from(states);
    println!(
        "\n{what}: {states} states, {edges} edges ({:.1} bits a state), {subformulas} subformulas",
        bits(graph_bytes)
    );
    println!(
        "| algorithm | time | visits | edges followed | bitmaps | numbers | stacks | predecessors | sum | a subformula |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let base = runs.iter().find(|run| run.name == "global").map_or(1.0, |run| run.seconds);
    for Run { name, seconds, holds, effort } in runs {
        assert_eq!(*holds, runs[0].holds, "{name} disagrees");
        let memory = effort.memory;
        println!(
            "| {name} | {:.2} ({seconds:.2} s) | {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
            seconds / base,
            effort.visits,
            effort.edges,
            bits(memory.bitmaps),
            bits(memory.numbers),
            bits(memory.stacks),
            bits(memory.predecessors),
            bits(memory.bytes()),
            bits(memory.bytes()) / subformulas as f64
        );
    }
}

/// A graph made up, with long paths and few edges or many.
fn made_up() {
    let subs = formula();
    let top = SubId(7);
    for (degree, every) in [(2, 1000), (8, 1000), (8, 2)] {
        let graph = graph(degree);
        let fixpoint = |mut fixpoint: Fixpoint| {
            while fixpoint.step(&graph, &subs) {}
            (fixpoint.rows()[top].get(Vertex(0)), fixpoint.effort())
        };
        let runs = [
            timed("naive", || fixpoint(Fixpoint::naive(leaves(every)))),
            timed("emc", || fixpoint(Fixpoint::emc(leaves(every)))),
            timed("local", || {
                let mut check = LocalCheck::new(&graph, &subs, leaves(every));
                (check.holds(&graph, &subs, top, Vertex(0)), check.effort())
            }),
            timed("global", || {
                let mut search = GlobalSearch::new(&graph, leaves(every));
                while search.step(&graph, &subs).is_some() {}
                (search.rows()[top].get(Vertex(0)), search.effort())
            }),
        ];
        let what = format!("made up, {degree} edges a state, 1 in {every} with the expression");
        report(graph.len(), graph.edge_count(), subs.len(), graph.bytes(), &what, &runs);
    }
}

/// The states of a program without symmetry: ten processes with four local states each.
const PROGRAM: &str = "process p[10] { var x: 0..3 = 0
    action up: x < 3 -> x := x + 1
    action back: x == 3 and exists q in p: q.x == 0 -> x := 0 }
  ctl live: AG (p[0].x == 1 => AF (p[0].x == 0 or EG p[1].x != 2))
  ctl reach: AG (EF p[0].x == 3 and EF p[1].x == 3)
  ctl first: EF p[0].x == 3";

fn of_a_program() {
    let parsed = parse(PROGRAM);
    let program = program::build(&parsed.file, &program::Settings::default()).expect("it is well formed");
    let symmetry = choose(&program, Choice::None).expect("nothing is claimed");
    for property in program.properties.ids() {
        let name = &program.properties[property].name;
        let mut built = CtlCheck::new(&program, property, &symmetry, Settings::default()).expect("a formula");
        let start = Instant::now();
        built.run();
        let whole = start.elapsed().as_secs_f64();
        let runs = Algorithm::ALL.map(|algorithm| {
            let mut check = built.relabelled(algorithm).expect("the graphs are complete");
            timed(algorithm.name(), || (matches!(check.run(), Outcome::Holds), check.effort()))
        });
        let (mut states, mut edges, mut bytes, mut subs) = (0, 0, 0, 0);
        for (id, part) in built.formula().parts.iter_enumerated().filter(|(_, part)| part.temporal) {
            states = states.max(built.graph(id).len());
            edges = edges.max(built.graph(id).edge_count());
            bytes = bytes.max(built.graph(id).bytes());
            subs = subs.max(part.subs.len());
        }
        let what = format!("`{name}` of a program, in all {whole:.1} s, the largest part");
        report(states, edges, subs, bytes, &what, &runs);
    }
}

fn main() {
    made_up();
    of_a_program();
}
