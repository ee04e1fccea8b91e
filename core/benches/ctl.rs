//! The four algorithms on graphs of a million vertices: `cargo bench -p orbitscope-core --bench ctl`.
//!
//! Times are given as ratios to the global algorithm's in the same run, memory in bits for each state and subformula.

use orbitscope_core::ctl::{
    Bitmap, Effort, Fixpoint, GlobalSearch, Graph, Leaves, LocalCheck, Path, Sub, SubId, Vertex,
};
use orbitscope_core::ids::IdVec;
use std::time::Instant;

const VERTICES: u32 = 1_000_000;

/// A graph with so many edges from each vertex, most of them to near vertices as in a graph of states.
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

/// The expression holds in one of so many vertices.
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

fn timed(work: impl FnOnce() -> (bool, Effort)) -> (f64, bool, Effort) {
    let start = Instant::now();
    let (holds, effort) = work();
    (start.elapsed().as_secs_f64(), holds, effort)
}

fn main() {
    let subs = formula();
    let top = SubId(7);
    for (degree, every) in [(2, 1000), (8, 1000), (8, 2)] {
        let graph = graph(degree);
        let fixpoint = |mut fixpoint: Fixpoint| {
            while fixpoint.step(&graph, &subs) {}
            (fixpoint.rows()[top].get(Vertex(0)), fixpoint.effort())
        };
        let runs = [
            (
                "global",
                timed(|| {
                    let mut search = GlobalSearch::new(&graph, leaves(every));
                    while search.step(&graph, &subs).is_some() {}
                    (search.rows()[top].get(Vertex(0)), search.effort())
                }),
            ),
            ("naive", timed(|| fixpoint(Fixpoint::naive(leaves(every))))),
            ("emc", timed(|| fixpoint(Fixpoint::emc(leaves(every))))),
            (
                "local",
                timed(|| {
                    let mut check = LocalCheck::new(&graph, &subs, leaves(every));
                    (check.holds(&graph, &subs, top, Vertex(0)), check.effort())
                }),
            ),
        ];
        let (base, answer) = (runs[0].1.0, runs[0].1.1);
        println!("{VERTICES} vertices, {} edges, 1 in {every} with the expression:", graph.edge_count());
        for (name, (seconds, holds, effort)) in runs {
            assert_eq!(holds, answer, "{name} disagrees");
            let bits = effort.bytes as f64 * 8.0 / f64::from(VERTICES);
            println!(
                "  {name:<6}  {:>6.2} times the global algorithm ({seconds:.3} s), {:>9} visits, {:>9} edges, {bits:>5.1} bits a state, {:>4.1} a state and subformula",
                seconds / base,
                effort.visits,
                effort.edges,
                bits / subs.len() as f64
            );
        }
    }
}
