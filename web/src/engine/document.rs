//! The documents that the engine writes for other programs: the automaton, the run, the model in other languages.

use super::choices::Choices;
use super::film::Studio;
use super::model::CheckedModel;
use orbitscope_core::automaton::hoa;
use orbitscope_core::check::{Counterexample, Report};
use orbitscope_core::export::{self, promela, tla};
use orbitscope_core::json::{Instance, Lasso, Ledgers, Steps, Whole};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Document {
    /// The automaton of the property's wrong runs, in the Hanoi format.
    Hoa,
    /// The run that violates the property, as JSON.
    Run,
    /// The model for Spin.
    Promela,
    /// The model for TLC.
    Tla,
}

/// The last answer to each property, with the choices that it was found under.
pub(super) type Reports = BTreeMap<u32, (Choices, Report)>;

/// A run and what it is of, as the command line tells it; `docs/schema/run.schema.json` describes it.
#[derive(Serialize)]
struct Told<'a> {
    property: &'a str,
    instance: Option<Instance<'a>>,
    path: Option<Steps<'a>>,
    lasso: Option<Lasso<'a>>,
    ledger: Option<Ledgers<'a>>,
}

/// Writes a document, or says why it cannot be written.
pub(super) fn document(
    model: &CheckedModel,
    studio: &Studio<'_>,
    reports: &Reports,
    what: Document,
    property: Option<u32>,
    choices: Choices,
    name: &str,
) -> Result<String, String> {
    match what {
        Document::Hoa if choices.is_symbolic() => {
            Err("the symbolic engine keeps no automaton to write; choose another engine first".into())
        }
        Document::Hoa => automaton(model, studio),
        Document::Run => run(model, reports, property, choices),
        Document::Promela | Document::Tla => {
            let symmetry = choices.symmetry_of(model);
            let request = export::Request {
                fairness: choices.fairness,
                ..export::Request::new(name, &model.program, &symmetry)
            };
            let text = if what == Document::Tla { tla(&request) } else { promela(&request) };
            text.map_err(|diagnostic| {
                let problem = model.problem(&diagnostic);
                let line = problem.place.map_or_else(String::new, |place| format!("line {}: ", place.line));
                format!("{line}{}", problem.message)
            })
        }
    }
}

fn automaton(model: &CheckedModel, studio: &Studio<'_>) -> Result<String, String> {
    let Some(obligation) = studio.obligation() else {
        return Err("this property has no automaton: only ltl properties and automata have one".into());
    };
    let instance = obligation.instance(&model.program);
    let title = match instance.as_str() {
        "" => studio.name().to_owned(),
        instance => format!("{}, {instance}", studio.name()),
    };
    let (automaton, propositions) = obligation.written(&model.program);
    Ok(hoa::write(&automaton, &title, &propositions))
}

fn run(
    model: &CheckedModel,
    reports: &Reports,
    property: Option<u32>,
    choices: Choices,
) -> Result<String, String> {
    let program = &model.program;
    let none = || "there is no run: the property is not known to be violated".to_owned();
    let number = property.ok_or_else(none)?;
    let (_, info) = model.property(number).ok_or_else(none)?;
    let (_, report) = reports.get(&number).filter(|(under, _)| *under == choices).ok_or_else(none)?;
    let whole = Whole::new(program, false);
    let (path, lasso, ledger) = match report.counterexample.as_ref().ok_or_else(none)? {
        Counterexample::Path(path) => (Some(Steps::of_path(program, path, whole)), None, None),
        Counterexample::Lasso(lasso, ledger) => {
            (None, Some(Lasso::new(program, lasso, whole)), Some(Ledgers::new(program, ledger, whole)))
        }
    };
    let instance = report.instance.as_ref().map(|instance| Instance::new(program, instance));
    let told = Told { property: &info.name, instance, path, lasso, ledger };
    serde_json::to_string_pretty(&told).map(|text| text + "\n").map_err(|error| error.to_string())
}
