//! The one way from the page to the checker.
//!
//! [`protocol`] is what is asked and answered, [`serve`] answers, in slices, whoever is at the other end of a [`Port`]. In
//! the browser that is a worker; the tests ask natively.

mod branching;
mod choices;
mod condition;
mod desk;
mod document;
mod every;
pub mod exercise;
mod film;
#[cfg(test)]
pub(crate) mod fixture;
mod inspect;
mod model;
mod orbit;
mod picture;
mod problem;
pub mod protocol;
mod record;
pub mod run;
mod stage;
mod steps;
mod symbolic;
mod verdict;
mod walk;
pub mod words;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod walk_tests;

pub use branching::{Below, Branching, ClaimId, MAX_STEPS, Part, Piece, Play as Playable, Subformula};
pub use choices::Choices;
pub use condition::Watched;
pub use desk::{Port, serve};
pub use document::Document;
pub use every::{Every, MOST_DRAWN, Story};
pub use film::Film;
pub use inspect::{Inspected, Row as InspectedRow, Spot, Value as InspectedValue};
pub use model::{CheckedModel, Logic, ModelInfo, ParamInfo, PropertyInfo, Question, SymmetryInfo};
pub use orbit::Orbit;
pub use orbitscope_core::check::{Engine, Order, Progress, Question as Task, SO_FAR, Stats};
pub use orbitscope_core::ctl::{Algorithm, Effort, PartId};
// Each key waits for the editor: the language service answers on the page itself.
pub use orbitscope_core::language;
pub use orbitscope_core::models::elsewhere;
pub use orbitscope_core::models::{Group, Model};
pub use orbitscope_core::product::{Deadlock, FairnessChoice};
pub use orbitscope_core::quotient::Prune;
// Texts that are made of what the page has already.
pub use orbitscope_core::draw::{dot, json, svg_of};
pub use orbitscope_core::export::file_name;
pub use orbitscope_core::link;
pub use orbitscope_core::symbolic::{CtlModel, Generators};
pub use orbitscope_core::syntax::ast::Fairness;
pub use picture::{Drawing, GraphKind, LIMITS, MOST_TIMES};
pub use problem::{Place, Problem};
pub use record::Record;
pub use stage::{Cast, Move as CastMove};
pub use steps::{Kind, Offered};
pub use symbolic::{Iterations, MOST_ITERATIONS, MOST_NODES, Tuning};
pub use verdict::{Checked, Surveyed, Verdict, Why};
pub use walk::{Go, MAX_STEPS as MAX_WALK, Start, Walk, Walked};

/// All models of the gallery, in groups.
pub fn groups() -> &'static [Group] {
    orbitscope_core::models::GROUPS
}

/// Models whose texts came after the page itself.
static LOADED: std::sync::Mutex<Vec<Model>> = std::sync::Mutex::new(Vec::new());

/// Remembers a model whose text was loaded.
pub fn remember(model: Model) {
    if let Ok(mut loaded) = LOADED.lock()
        && !loaded.contains(&model)
    {
        loaded.push(model);
    }
}

/// The model of the gallery with this text, with the text.
pub fn with_text(source: &str) -> Option<Model> {
    let found =
        groups().iter().flat_map(|group| group.models).find(|model| model.has_text(source)).copied()?;
    if !found.source.is_empty() {
        return Some(found);
    }
    let loaded = LOADED.lock().ok()?.iter().find(|model| model.name == found.name).copied();
    loaded.or_else(|| {
        let model = Model { source: source.to_owned().leak(), ..found };
        remember(model);
        Some(model)
    })
}

/// The first group; its first model is shown at the start.
pub fn models() -> &'static [Model] {
    orbitscope_core::models::ALL
}
