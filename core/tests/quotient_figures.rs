//! The published figures of Gyuris & Sistla, section 2.5 and table 1.

use orbitscope_core::explore::{Exploration, Limits};
use orbitscope_core::group::Process;
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::quotient::{Aqs, Aqsi, EdgeStorage, Prune};
use orbitscope_core::symmetry::detect;
use orbitscope_core::syntax::parse;

fn program(source: &str, clients: i64) -> Program {
    let parsed = parse(source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let settings = Settings { params: vec![("clients".into(), clients)], ..Settings::default() };
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
