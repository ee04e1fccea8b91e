//! Claims of symmetry: what is refused and how it is shown, and what limits the symmetry that is found.

use crate::support::golden;
use orbitscope_core::program::{Settings, build};
use orbitscope_core::symmetry::{Choice, choose, describe};
use orbitscope_core::syntax::parse;
use orbitscope_core::text::{Diagnostic, LineIndex};
use std::fmt::Write;

/// The diagnostics of a model, or its group with the reasons for it.
fn answer(source: &str) -> String {
    let lines = LineIndex::new(source);
    let render = |diagnostics: &[Diagnostic]| {
        diagnostics.iter().fold(String::new(), |mut text, diagnostic| {
            writeln!(text, "{}", diagnostic.render("model.orb", &lines)).expect("a string can be written");
            text
        })
    };
    let parsed = parse(source);
    if !parsed.diagnostics.is_empty() {
        return render(&parsed.diagnostics);
    }
    let program = match build(&parsed.file, &Settings::default()) {
        Ok(program) => program,
        Err(diagnostics) => return render(&diagnostics),
    };
    match choose(&program, Choice::Model) {
        Err(refused) => render(&[refused.diagnostic(&program)]),
        Ok(symmetry) => {
            let mut text = format!("order {}\n", symmetry.group.order());
            for (family, words) in program.families.iter().zip(&describe(&program, &symmetry.group)) {
                writeln!(text, "{}: {words}", family.name).expect("a string can be written");
            }
            let reasons: Vec<Diagnostic> =
                symmetry.reasons.iter().map(|r| Diagnostic::new(r.span, r.message.as_str())).collect();
            text + &render(&reasons)
        }
    }
}

#[test]
fn claims() {
    let count = golden::check("symmetry/claims.txt", answer);
    assert!(count >= 12, "only {count} cases");
}

#[test]
fn reasons() {
    let count = golden::check("symmetry/reasons.txt", answer);
    assert!(count >= 10, "only {count} cases");
}
