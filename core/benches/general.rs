//! Measures the quotient where processes are stored, indexed twice or stand in a ring, so that counting them is not
//! enough: `cargo bench -p orbitscope-core --bench general`.
//!
//! Each row has the quotient, the quotient with one tracked process, and all states without symmetry, which is what
//! the reduction has to beat.

use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::group::Process;
use orbitscope_core::models;
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::quotient::{Aqs, Aqsi, EdgeStorage, Prune};
use orbitscope_core::symmetry::detect;
use orbitscope_core::syntax::parse;
use std::time::Instant;

const ROUNDS: u32 = 3;

/// A rumour on a torus of four by four: the group is found from the table of links.
const TORUS: &str = "process node[16] {
  var told: bool = false
  action start: not (exists o in node: o.told) -> told := true
  action hear: not told and (exists o in node: link[self, o] and o.told) -> told := true
  action forget: told and (exists o in node: link[self, o] and not o.told) -> told := false
}
shared link[a in node, b in node]: bool =
  (index(a) / 4 == index(b) / 4 and ((index(a) + 1) % 4 == index(b) % 4 or (index(b) + 1) % 4 == index(a) % 4))
  or (index(a) % 4 == index(b) % 4 and ((index(a) / 4 + 1) % 4 == index(b) / 4 or (index(b) / 4 + 1) % 4 == index(a) / 4))
";

/// Each process may point at another one.
const POINTERS: &str = "param n = 7
process p[n] {
  var to: p? = none
  action point(q in p): to == none and q != self and q.to != self -> to := q
  action drop: to != none -> to := none
}
";

fn program(source: &str, param: Option<(&str, i64)>) -> Program {
    let params = param.into_iter().map(|(name, value)| (name.into(), value)).collect();
    build(&parse(source).file, &Settings { params, ..Settings::default() }).expect("the model is right")
}

/// The milliseconds of the fastest round, and what it gave.
fn best<T>(mut round: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let start = Instant::now();
        let result = round();
        (start.elapsed().as_secs_f64() * 1e3, result)
    };
    let first = timed();
    (1..ROUNDS).map(|_| timed()).fold(first, |a, b| if b.0 < a.0 { b } else { a })
}

fn main() {
    let model = |name: &str| models::find(name).expect("the model is built in").source;
    let runs = [
        ("ring: dining philosophers, 9", model("dining_philosophers"), Some(("philosophers", 9))),
        ("ring: token ring, 14", model("token_ring"), Some(("stations", 14))),
        ("two indices: gossip, 4", model("gossip"), Some(("n", 4))),
        ("stored processes: arbiter, 7", model("arbiter"), Some(("requesters", 7))),
        ("stored processes: pointers, 5", POINTERS, Some(("n", 5))),
        ("stored processes: pointers, 8", POINTERS, Some(("n", 8))),
        ("stored processes: MCS lock, 4", include_str!("models/mcs_lock.orb"), Some(("threads", 4))),
        ("a table of links: torus, 4 by 4", TORUS, None),
    ];
    for (name, source, param) in runs {
        measure(name, &program(source, param));
    }
}

fn measure(name: &str, program: &Program) {
    let symmetry = detect(program);
    let aqs = || Aqs::new(program, &symmetry, Prune::Full, EdgeStorage::Stored, u32::MAX);
    let (quotient, (states, edges, searched)) = best(|| {
        let mut aqs = aqs();
        assert_eq!(aqs.build(1_000_000), StopReason::Complete);
        (aqs.len(), aqs.edge_count(), aqs.searched())
    });
    let (tracked, nodes) = best(|| {
        let mut aqsi = Aqsi::new(aqs(), &[Process(0)]);
        assert_eq!(aqsi.build(1_000_000), Ok(true));
        aqsi.len()
    });
    let limits = Limits { states: 1_000_000, ..Limits::default() };
    let (plain, (all, complete)) = best(|| {
        let mut exploration = Exploration::new(program, limits, &[]);
        let complete = *exploration.run() == StopReason::Complete;
        (exploration.states().len(), complete)
    });
    println!(
        "{name:<32} |G| = {:<6} {states:>6} states {edges:>7} edges {quotient:>8.1} ms {:>6.2} µs an edge, {:>4.1} % \
         searched; tracked {nodes:>7} {tracked:>8.1} ms; without {}{all:>8} {plain:>8.1} ms",
        symmetry.group.order().to_string(),
        quotient * 1e3 / edges as f64,
        searched as f64 * 100.0 / edges as f64,
        if complete { "" } else { ">" },
    );
}
