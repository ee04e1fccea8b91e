//! Orbitscope for scripts: each question is a text with what is [asked](Asked) of it, each answer is plain data.
//!
//! The packages for JavaScript and Python are thin shells around this crate, so that both give the same answers under the same
//! names. Whatever is wrong is a [`Wrong`]: its kind for programs, its message for people, and the places in the text.

mod asked;
mod event;
mod told;
mod wrong;

pub use asked::Asked;
pub use event::Event;
pub use told::{Answer, Description, FamilyTold, Group, Parameter, PropertyTold, Reason};
pub use wrong::{Problem, Wrong};

use orbitscope_core::draw;
use orbitscope_core::link::Link;
use orbitscope_core::{GraphOf, Model, Session};

/// A graph has at most this many nodes where nothing else is asked.
const NODES: u32 = 2_000;

/// A text as a model, with its parameters set.
pub fn model(text: &str, asked: &Asked) -> Result<Model, Wrong> {
    let mut model = wrong::of(text, Model::parse(text))?;
    for (name, value) in &asked.set {
        model = wrong::of(text, model.set(name, *value))?;
    }
    Ok(model.with(asked.options()?))
}

/// The parameters, families and properties of a model.
pub fn describe(text: &str, asked: &Asked) -> Result<Description, Wrong> {
    Ok(Description::new(&model(text, asked)?))
}

/// The symmetry of a model, and what limits it.
pub fn symmetry(text: &str, asked: &Asked) -> Result<Group, Wrong> {
    Ok(Group::new(&model(text, asked)?))
}

/// A graph of a model, in one of the forms `dot`, `svg` and `json`.
pub fn graph(text: &str, asked: &Asked, form: &str) -> Result<String, Wrong> {
    let write: fn(&draw::Graph) -> String = match form {
        "dot" => draw::dot,
        "svg" => draw::svg,
        "json" => draw::json,
        other => return Err(wrong::unknown("form", other, &["json", "dot", "svg"])),
    };
    let model = model(text, asked)?;
    let property = || asked.property.as_deref().ok_or_else(|| Wrong::usage("this graph needs a property"));
    let of = match asked.of.as_deref().unwrap_or("quotient") {
        "states" => GraphOf::States,
        "quotient" => GraphOf::Quotient,
        "tracked" => GraphOf::Tracked(property()?),
        "product" => GraphOf::Product(property()?),
        other => return Err(wrong::unknown("graph", other, &["states", "quotient", "tracked", "product"])),
    };
    let graph = wrong::of(text, model.graph(of, asked.nodes.unwrap_or(NODES)))?;
    Ok(write(&graph))
}

/// The part of an address after `#` that opens the model in the page, to be checked in the same way.
pub fn link(text: &str, asked: &Asked) -> Result<String, Wrong> {
    let fragment = wrong::of(text, model(text, asked)?.link(asked.property.as_deref()))?;
    // A link that is too long for the page is refused here, not there.
    let link = Link::decode(&fragment).map_err(|error| Wrong::of(&error))?;
    Ok(Link { options: asked.choices(), ..link }.encode())
}

/// The text in standard form.
pub fn format(text: &str) -> Result<String, Wrong> {
    orbitscope_core::syntax::format(text).map_err(|problems| Wrong::of_text(text, problems))
}

/// The properties that are asked about: one, or all.
pub fn properties(model: &Model, asked: &Asked) -> Vec<String> {
    match &asked.property {
        Some(name) => vec![name.clone()],
        None => model.properties().map(str::to_owned).collect(),
    }
}

/// Starts the check of a property.
pub fn start<'m>(model: &'m Model, property: &str) -> Result<Session<'m>, Wrong> {
    wrong::of(model.text(), model.start(property))
}

/// The answer of a check that came to its end, or was stopped.
pub fn answer(model: &Model, session: Session<'_>) -> Answer {
    Answer::new(model, &session.finish())
}
