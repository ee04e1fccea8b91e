//! Searches of the built-in models, for tests.

use crate::engine::words::Words;
use orbitscope_core::check::{Check, Counterexample, Options, Target};
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, Product};
use orbitscope_core::program::{self, Program, PropertyKind, Settings};
use orbitscope_core::property::{Obligation, obligations};
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::Search;
use orbitscope_core::search::log::{Log, RecordLimits, Recorder};
use orbitscope_core::syntax::{ast::Logic, parse};
use orbitscope_core::{ltl, models, symmetry};

/// The most steps of a search that are recorded.
const STEPS: u32 = 3_000;

/// A recorded search with its words.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) log: Log,
    pub(crate) words: Words,
}

pub(crate) fn program(source: &str, settings: &[(&str, i64)]) -> Program {
    let params = settings.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    program::build(&parse(source).file, &Settings { params, ..Settings::default() }).unwrap()
}

/// All searches of a model for a property, or for all of them.
pub(crate) fn searches(
    source: &str,
    settings: &[(&str, i64)],
    property: Option<&str>,
    mut see: impl FnMut(&str, &Program, &Obligation, &mut Search<'_>, &Log),
) {
    let program = program(source, settings);
    let symmetry = symmetry::detect(&program);
    for (id, wanted) in program.properties.iter_enumerated() {
        let temporal =
            matches!(wanted.kind, PropertyKind::Formula(Logic::Ltl, _) | PropertyKind::Automaton(_));
        if !temporal || property.is_some_and(|name| name != wanted.name) {
            continue;
        }
        for obligation in obligations(&program, id, &symmetry, &ltl::Limits::default()).unwrap() {
            let product = Product::new(&program, &obligation, Prune::Full, Deadlock::Stutter);
            let fairness = FairnessOf::new(&program, FairnessChoice::Model);
            let mut search = Search::new(product, fairness, 100_000);
            let mut recorder = Recorder::new(&search, RecordLimits { steps: STEPS, ghosts: 64 });
            while recorder.log().len() < STEPS && recorder.step(&mut search).is_some() {}
            see(&wanted.name, &program, &obligation, &mut search, &recorder.finish());
        }
    }
}

pub(crate) fn cases_of(source: &str, settings: &[(&str, i64)], property: Option<&str>) -> Vec<Case> {
    let mut cases = Vec::new();
    searches(source, settings, property, |name, _, obligation, search, log| {
        let words = Words::new(source, name, obligation, search.product(), log);
        cases.push(Case { name: name.into(), log: log.clone(), words });
    });
    cases
}

/// The searches of all built-in models.
pub(crate) fn cases() -> Vec<Case> {
    let of = |model: &'static models::Model| {
        let cases = cases_of(model.source, &[], None);
        cases.into_iter().map(move |case| Case { name: format!("{} {}", model.name, case.name), ..case })
    };
    models::ALL.iter().flat_map(of).collect()
}

/// A search of the simplified controller, the first model, with three clients.
pub(crate) fn controller(property: &str) -> Case {
    cases_of(models::ALL[0].source, &[], Some(property)).remove(0)
}

/// The counterexamples of a program's properties.
pub(crate) fn counterexamples(program: &Program) -> Vec<(String, Counterexample)> {
    let symmetry = symmetry::detect(program);
    let of = |id| {
        let target = Target::Property(id);
        let report = Check::new(program, &symmetry, target, Options::default()).unwrap().run();
        Some((program.properties[id].name.clone(), report.counterexample?))
    };
    program.properties.ids().filter_map(of).collect()
}

/// The answer for every size to a property of a built-in model.
pub(crate) fn every(model: &str, property: &str) -> crate::engine::Every {
    let source = models::find(model).unwrap().source;
    let question =
        crate::engine::Question { source: source.into(), settings: std::collections::BTreeMap::new() };
    super::every::every(&question, property, crate::engine::Choices::default(), &|| 0.0).unwrap()
}
