//! The symbolic engine's search, iteration by iteration: what is shown at step k is a function of the search and k.
//!
//! Step 0 is what there is before the first iteration, step k is the k-th iteration, and the last step is the end.

pub mod diagram;
mod facts;
mod line;
mod plot;
mod story;
#[cfg(test)]
mod tests;

pub use facts::{Fact, facts};
pub use line::{Row, rows};
pub use plot::{Curve, Measure, Shapes, shapes};
pub use story::{Verdict, narrate, tags, verdict};

use crate::engine::{Checked, Iterations, PropertyInfo};
use crate::session::{Session, Set};
use crate::view::text;
use orbitscope_core::bdd::BddGraph;
use orbitscope_core::natural::Natural;
use orbitscope_core::symbolic::{Diagrams, Iteration, Start};
use std::rc::Rc;

/// The kinds of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment<'a> {
    /// Before the first iteration; none where the search broke off before.
    Start(Option<&'a Start>),
    /// An iteration, counted from 1.
    Iteration(u32, &'a Iteration),
    /// The end.
    End,
}

/// The search at a step.
pub fn moment(found: &Iterations, step: u32) -> Moment<'_> {
    let Some(number) = step.checked_sub(1) else { return Moment::Start(found.start.as_ref()) };
    found.summary.iterations.get(number as usize).map_or(Moment::End, |i| Moment::Iteration(step, i))
}

/// The diagrams at a step; at the end those of the last iteration.
pub fn diagrams(found: &Iterations, step: u32) -> Option<&Diagrams> {
    match moment(found, step) {
        Moment::Iteration(number, _) => found.diagrams.get(number as usize - 1),
        Moment::End if !found.diagrams.is_empty() => found.diagrams.last(),
        Moment::Start(_) | Moment::End => found.start.as_ref().map(|start| &start.diagrams),
    }
}

/// The diagram of a set at a step.
pub fn diagram_of(found: &Iterations, step: u32, set: Set) -> Option<&BddGraph> {
    let diagrams = diagrams(found, step)?;
    Some(match set {
        Set::Frontier => &diagrams.frontier,
        Set::Under => &diagrams.under,
        Set::Representatives => &diagrams.representatives,
        Set::Covered => &diagrams.covered,
    })
}

/// The name of a set on the page, and what it is.
pub fn set_name(set: Set) -> (&'static str, &'static str) {
    match set {
        Set::Frontier => ("Frontier", "The states that the iteration starts from"),
        Set::Under => ("Expanded", "The states of the frontier whose successors are computed"),
        Set::Representatives => ("Representatives", "All representatives at the end of the iteration"),
        Set::Covered => ("Covered", "All states that are symmetric to a representative"),
    }
}

/// How many nodes a diagram has, drawn or not.
pub fn size(graph: &BddGraph) -> u32 {
    if graph.nodes.is_empty() { graph.left_out } else { graph.nodes.len() as u32 - 2 }
}

/// The size of the diagram in its tab; none where the engine is another one.
pub fn tab_size(session: &Session) -> Option<String> {
    let shown = session.diagram().unwrap_or(Set::Representatives);
    let graph = session.iterations().and_then(|found| diagram_of(found, session.play.player.step, shown));
    let size = graph.map_or_else(|| "–".to_owned(), |graph| text::count(size(graph).into()));
    session.choices.is_symbolic().then_some(size)
}

/// Why there are no iterations to look at.
pub fn why_no_iterations(property: &PropertyInfo, answer: Option<&Rc<Checked>>) -> String {
    match answer.and_then(|checked| checked.why.as_ref()) {
        Some(why) => format!("{} was not searched symbolically: {}.", property.name, why.words()),
        None if answer.is_some() => format!("{} needed no search.", property.name),
        None => format!("{} is being checked.", property.name),
    }
}

/// The logarithm to base ten, from 0 on, of numbers of any size.
fn log10(number: &Natural) -> f64 {
    let about = number.to_f64();
    if about.is_finite() { about.max(1.0).log10() } else { number.to_string().len() as f64 - 1.0 }
}
