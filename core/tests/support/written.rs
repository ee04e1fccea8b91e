//! Automata of properties, written as HOA, read back, and checked as what was read.

use orbitscope_core::automaton::hoa;
use orbitscope_core::check::{Check, CheckError, Options, Target, Verdict};
use orbitscope_core::program::{Program, PropertyId, Settings};
use orbitscope_core::property::{build_with_hoa, obligations};
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose};

/// Whether variables are kept as the text declares them. Of records, sets, bags and queues propositions name the parts, which no text
/// can: what is written of them is not read back.
fn is_plain(program: &Program) -> bool {
    let pairs = program.vars.iter().zip(&program.declared);
    program.vars.len() == program.declared.len()
        && pairs.into_iter().all(|(var, declared)| var.index.len() == declared.index.len())
}

/// Writes the automata of a property, reads them back, and checks the model with what was read; gives the verdict of each, and none
/// where the property is too large, it or the claimed symmetry is refused, or the program is not plain.
pub(crate) fn written_and_read(
    source: &str,
    program: &Program,
    symmetry: &ProgramSymmetry,
    id: PropertyId,
    options: Options,
) -> Result<Vec<Verdict>, String> {
    if !is_plain(program) {
        return Ok(Vec::new());
    }
    let Ok(all) = obligations(program, id, symmetry, &options.translation) else { return Ok(Vec::new()) };
    let mut said = Vec::new();
    for obligation in &all {
        let (automaton, propositions) = obligation.written(program);
        let text = hoa::write(&automaton, "written", &propositions);
        let read = hoa::read(&text).map_err(|error| format!("{error}\n{text}"))?;
        // Where two names stand for one process labels are read as shorter ones that say the same; what is read stays so.
        let again = hoa::read(&hoa::write(&read.automaton, "read", &propositions));
        let same = again.is_ok_and(|again| again.automaton == read.automaton);
        let relabelled = propositions.len() < obligation.atoms.len();
        if !same || (!relabelled && read.automaton != *automaton) {
            return Err(format!("another automaton is read:\n{text}"));
        }
        let (program, automaton) = build_with_hoa(source, &Settings::default(), &text)
            .map_err(|errors| format!("{errors:?}\n{text}"))?;
        let Ok(symmetry) = choose(&program, Choice::Model) else { return Ok(Vec::new()) };
        match Check::new(&program, &symmetry, Target::Automaton(&automaton), options) {
            Ok(mut check) => said.push(check.run().verdict),
            Err(CheckError::Refused(_)) => return Ok(Vec::new()),
            Err(error) => return Err(format!("{error:?}\n{text}")),
        }
    }
    Ok(said)
}
