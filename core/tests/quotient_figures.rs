//! The published figures of Gyuris & Sistla, section 2.5 and table 1, and those of two examples that come with Murphi.

use orbitscope_core::explore::{Exploration, Limits};
use orbitscope_core::group::Process;
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::quotient::{Aqs, Aqsi, EdgeStorage, Prune};
use orbitscope_core::symmetry::detect;
use orbitscope_core::syntax::parse;

fn program(source: &str, clients: i64) -> Program {
    with_param(source, "clients", clients)
}

fn with_param(source: &str, name: &str, value: i64) -> Program {
    let parsed = parse(source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let settings = Settings { params: vec![(name.into(), value)], ..Settings::default() };
    build(&parsed.file, &settings).expect("the model is right")
}

fn counts(program: &Program, prune: Prune) -> (u32, u64) {
    let mut aqs = Aqs::new(program, &detect(program), prune, EdgeStorage::Stored, 1000);
    aqs.build(u32::MAX);
    (aqs.len(), aqs.edge_count())
}

const SIMPLIFIED: &str = include_str!("../models/simplified_controller.orb");
const CONTROLLER: &str = include_str!("../models/resource_controller.orb");

#[test]
fn simplified_controller() {
    let program = program(SIMPLIFIED, 3);
    let mut plain = Exploration::new(&program, Limits::default(), &[]);
    plain.run();
    assert_eq!(plain.states().len(), 20);
    assert_eq!(counts(&program, Prune::None), (7, 27));
    assert_eq!(counts(&program, Prune::Process), (7, 16));
    let aqs = Aqs::new(&program, &detect(&program), Prune::Full, EdgeStorage::Stored, 1000);
    let mut aqsi = Aqsi::new(aqs, &[Process(1)]);
    assert_eq!(aqsi.build(1000), Ok(true));
    assert_eq!(aqsi.len(), 13);
}

#[test]
fn resource_controller() {
    for n in [10u64, 50, 100] {
        let program = program(CONTROLLER, n as i64 - 1);
        let states = 4 * n as u32 - 2;
        assert_eq!(counts(&program, Prune::None), (states, n * (5 * n - 3) / 2), "n = {n}");
        assert_eq!(counts(&program, Prune::Process), (states, n * n / 2 + 13 * n / 2 - 8), "n = {n}");
        assert_eq!(counts(&program, Prune::Full), (states, 8 * n - 9), "n = {n}");
    }
}

/// Chains of stored processes, and processes that a table with numbers for indices holds: the states up to symmetry, and all
/// of them where they are few, that `mcslock1` and `n_peterson` are documented with.
#[test]
fn stored_processes() {
    let mcs_lock = include_str!("../benches/models/mcs_lock.orb");
    let peterson = include_str!("../benches/models/peterson_n.orb");
    let published = [
        (mcs_lock, "threads", 2, 81, Some(159)),
        (mcs_lock, "threads", 3, 1_285, Some(7_597)),
        (mcs_lock, "threads", 4, 23_636, None),
        (peterson, "n", 3, 172, Some(882)),
        (peterson, "n", 5, 6_770, None),
        (peterson, "n", 6, 35_159, None),
    ];
    for (source, name, value, states, all) in published {
        let program = with_param(source, name, value);
        assert_eq!(counts(&program, Prune::Full).0, states, "{name} = {value}");
        if let Some(all) = all {
            let mut plain = Exploration::new(&program, Limits::default(), &[]);
            plain.run();
            assert_eq!(plain.states().len(), all, "{name} = {value}");
        }
    }
}
