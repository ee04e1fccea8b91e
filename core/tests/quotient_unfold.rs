//! The quotient of small programs, unfolded, against the programs themselves.

mod support;

use orbitscope_core::group::Process;
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::quotient::Prune;
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::parse;
use support::unfold;

fn program(source: &str, params: &[(&str, i64)]) -> Program {
    let parsed = parse(source);
    assert!(parsed.diagnostics.is_empty(), "{source}\n{:?}", parsed.diagnostics);
    let params = params.iter().map(|(name, value)| ((*name).to_string(), *value)).collect();
    build(&parsed.file, &Settings { params, ..Settings::default() })
        .unwrap_or_else(|e| panic!("{source}\n{e:?}"))
}

/// Unfolds under every pruning, with no, one and two tracked processes; gives the order of G.
fn unfolds(program: &Program, choice: Choice) -> Result<String, String> {
    let symmetry = choose(program, choice).map_err(|refused| format!("{refused:?}"))?;
    let order = symmetry.group.order().to_string();
    let Some(plain) = unfold::explore(program, 3_000) else { return Ok(order) };
    let Some(elements) = unfold::elements(&symmetry, 800) else { return Ok(order) };
    let last = program.process_count().saturating_sub(1);
    for prune in [Prune::None, Prune::Process, Prune::Full] {
        unfold::check(program, &symmetry, &plain, &elements, prune).map_err(|e| format!("{prune:?}: {e}"))?;
        for tracked in [vec![Process(last)], vec![Process(last), Process(0)]] {
            unfold::check_tracked(program, &symmetry, &plain, &elements, prune, &tracked)
                .map_err(|e| format!("{prune:?}, tracking {tracked:?}: {e}"))?;
        }
    }
    Ok(order)
}

#[test]
fn hand_written_programs() {
    let mut seen = 0;
    for (name, source) in support::read_models("symmetry") {
        // The first line says which order G has.
        let expected =
            source.lines().next().and_then(|l| l.strip_prefix("// order ")).expect("an order").to_string();
        let program = program(&source, &[]);
        assert_eq!(unfolds(&program, Choice::Model), Ok(expected), "{name}");
        assert_eq!(unfolds(&program, Choice::None), Ok("1".to_string()), "{name}");
        seen += 1;
    }
    assert!(seen >= 10, "only {seen} programs");
}
