//! Every size at once: models of which the answers are known.

use orbitscope_core::check::Options;
use orbitscope_core::every::{Effort, Prover, RunToEnd};
use orbitscope_core::program::Settings;
use orbitscope_core::syntax::parse;

fn prover(text: &str, options: Options) -> Prover {
    let parsed = parse(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    Prover::new(&parsed.file, &Settings::default(), &[], options, Effort::default()).unwrap()
}

fn main() {
    for model in orbitscope_core::models::ALL {
        if !["mutex_emerson_sistla", "two_phase_commit"].contains(&model.name) {
            continue;
        }
        let parsed = parse(model.source);
        println!("== {}", model.name);
        match Prover::new(&parsed.file, &Settings::default(), &[], Options::default(), Effort::default()) {
            Err(d) => println!("   {}", d[0].message),
            Ok(p) => {
                for name in [None].into_iter().chain(p.properties().map(Some)) {
                    let t = std::time::Instant::now();
                    let proof = p.prove(name, &mut RunToEnd);
                    println!(
                        "   {:24} {} | T {:?} tracked {} {}/{} {:?} {} ms",
                        name.unwrap_or("deadlock"),
                        proof.words(),
                        proof.thresholds,
                        proof.tracked,
                        proof.states,
                        proof.edges,
                        proof.rule,
                        t.elapsed().as_millis()
                    );
                }
            }
        }
    }
    let _ = prover;
}
