//! The graphs of a model.

use super::{Error, Model};
use crate::draw::{Graph, aqs_graph, aqsi_graph, product_graph, state_graph, threaded_graph};
use crate::error::{Limit, ModelError};
use crate::explore::{Exploration, StopReason};
use crate::limits::MAX_ROOTS;
use crate::product::{FairnessOf, Product, ProductFault};
use crate::program::{Fault, StepFault};
use crate::property::{Obligation, obligations};
use crate::quotient::{Aqs, Aqsi, EdgeStorage, tracked};
use crate::search::{ThreadedSearch, WholeOutcome};
use crate::text::Diagnostic;
use alloc::format;
use alloc::string::String;

/// A graph that can be drawn. Those of a property are of its first choice of processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphOf<'a> {
    /// The states of the program, without symmetry.
    States,
    /// The annotated quotient (AQS).
    Quotient,
    /// The quotient with the processes tracked that a property names (AQSI).
    Tracked(&'a str),
    /// The quotient times the automaton of a property.
    Product(&'a str),
    /// The graph of the older method, with every position of the tracked processes.
    Threaded(&'a str),
}

impl Model {
    /// A graph with at most this many nodes, ready for [`draw`](crate::draw): as Graphviz, JSON or SVG, or as a picture.
    /// Where it is larger, [`Graph::partial`] says so.
    ///
    /// ```
    /// use orbitscope_core::{GraphOf, Model, draw};
    /// let model = Model::parse("process p[4] { var x: bool = false action go: not x -> x := true }")?;
    /// assert_eq!(model.graph(GraphOf::States, 100)?.nodes.len(), 16);
    /// let quotient = model.graph(GraphOf::Quotient, 100)?;
    /// assert_eq!(quotient.nodes.len(), 5);
    /// assert!(draw::dot(&quotient).starts_with("digraph"));
    /// # Ok::<(), orbitscope_core::Error>(())
    /// ```
    pub fn graph(&self, of: GraphOf<'_>, nodes: u32) -> Result<Graph, Error> {
        let (program, prune) = (&self.program, self.options.pruning().map_err(Error::Refused)?);
        let quotient = || Aqs::new(program, &self.symmetry, prune, EdgeStorage::Stored, MAX_ROOTS);
        match of {
            GraphOf::States => {
                let limits = crate::explore::Limits { states: nodes, ..self.options.limits };
                let mut states = Exploration::new(program, limits, &[]).keeping_edges();
                match states.run() {
                    StopReason::Fault(_, fault) => Err(self.step_fault(fault)),
                    _ => Ok(state_graph(&states, "states")),
                }
            }
            GraphOf::Quotient => aqs_graph(&mut quotient(), "quotient", nodes, false)
                .map_err(|(_, fault)| self.step_fault(&fault)),
            GraphOf::Tracked(property) => {
                let tracked = tracked(program, self.property(property)?);
                aqsi_graph(&mut Aqsi::new(quotient(), &tracked), title("AQSI", property), nodes)
                    .map_err(|(_, fault)| self.step_fault(&fault))
            }
            GraphOf::Product(property) => {
                let obligation = self.first_obligation(property)?;
                let mut product = Product::new(program, &obligation, prune, self.options.deadlock);
                product_graph(&mut product, title("product", property), nodes).map_err(|fault| match fault {
                    ProductFault::Step(_, fault) => self.step_fault(&fault),
                    ProductFault::Atom(_, fault) => self.fault(&fault),
                    ProductFault::Automaton(_) => Error::Limit(Limit::Nodes),
                    ProductFault::Full(_) => Error::Limit(Limit::Bytes),
                })
            }
            GraphOf::Threaded(property) => {
                let obligation = self.first_obligation(property)?;
                let fairness = FairnessOf::new(program, self.options.fairness);
                let mut search =
                    ThreadedSearch::new(program, &obligation, fairness, self.options.deadlock, nodes);
                threaded_graph(&mut search, title("threaded", property), nodes).map_err(|outcome| {
                    match outcome {
                        WholeOutcome::StepFault(fault) => self.step_fault(fault),
                        WholeOutcome::AtomFault(fault) => self.fault(fault),
                        WholeOutcome::Limit(limit) => Error::Limit(*limit),
                        _ => Error::Limit(Limit::States),
                    }
                })
            }
        }
    }

    /// The first search of a property of linear time.
    fn first_obligation(&self, name: &str) -> Result<Obligation, Error> {
        let id = self.property(name)?;
        let wrong = |diagnostic| Error::from(ModelError::new(self.text.clone(), alloc::vec![diagnostic]));
        let found = obligations(&self.program, id, &self.symmetry, &self.options.translation)
            .map_err(|error| wrong(error.diagnostic()))?;
        let span = self.program.properties[id].span;
        found.into_iter().next().ok_or_else(|| {
            wrong(Diagnostic::new(span, format!("`{name}` has no automaton, so that it has no product")))
        })
    }

    fn step_fault(&self, fault: &StepFault) -> Error {
        let diagnostic = Diagnostic::new(fault.fault.span, self.program.show_fault(fault));
        ModelError::new(self.text.clone(), alloc::vec![diagnostic]).into()
    }

    fn fault(&self, fault: &Fault) -> Error {
        let diagnostic = Diagnostic::new(fault.span, format!("{} while evaluating a property", fault.kind));
        ModelError::new(self.text.clone(), alloc::vec![diagnostic]).into()
    }
}

fn title(graph: &str, property: &str) -> String {
    format!("{graph} of {property}")
}
