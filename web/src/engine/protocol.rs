//! The messages between the page and its workers.
//!
//! A worker answers one request after the other. `Model` makes everything before it void; `Stop` ends the request that it
//! names, whose answer is then what was found so far.

use super::branching::{Branching, ClaimId, Piece};
use super::choices::Choices;
use super::document::Document;
use super::every::Every;
use super::film::Film;
use super::inspect::{Inspected, Spot};
use super::model::{ModelInfo, Question};
use super::orbit::Orbit;
use super::picture::{Drawing, GraphKind};
use super::problem::Problem;
use super::verdict::{Checked, Surveyed};
use super::walk::{Go, Walk, Walked};
use orbitscope_core::check::Progress;
use orbitscope_core::define_id;
use serde::{Deserialize, Serialize};

define_id!(
    /// A request; numbers are given in the order of asking.
    #[derive(Serialize, Deserialize)]
    RequestId
);

/// A question of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// From now on everything is about this model.
    Model(Question),
    /// The film of a property's search.
    Film {
        /// The property's number.
        property: u32,
        /// Which of its searches.
        search: u32,
        /// How.
        choices: Choices,
    },
    /// A graph; of the last film's search where it is one of a search.
    Picture {
        /// Which one.
        of: GraphKind,
        /// How.
        choices: Choices,
    },
    /// A graph that was drawn in part, with more nodes. What is drawn stays where it is.
    Larger {
        /// Which one.
        of: GraphKind,
        /// How.
        choices: Choices,
        /// How often as much again was asked for.
        times: u32,
    },
    /// Whether a property holds.
    Check {
        /// The property's number.
        property: u32,
        /// How.
        choices: Choices,
        /// After so many milliseconds it is stopped.
        patience: Option<u32>,
    },
    /// Deadlocks, and how many states there are.
    Survey {
        /// How.
        choices: Choices,
    },
    /// The states that a node of a graph stands for.
    Orbit {
        /// Which graph.
        of: GraphKind,
        /// The node's number.
        node: u32,
        /// How.
        choices: Choices,
    },
    /// Asks for the view of a `ctl` or `mu` property; graphs of its parts are of the last one asked for.
    Branching {
        /// The property's number.
        property: u32,
        /// How.
        choices: Choices,
    },
    /// Asks for the facts that a claim about the last such property rests on.
    Explain {
        /// The claim.
        claim: ClaimId,
        /// The property's number.
        property: u32,
        /// How.
        choices: Choices,
    },
    /// A walk by hand, and how it goes on.
    Walk {
        /// The walk.
        walk: Walk,
        /// How it goes on.
        go: Go,
        /// How.
        choices: Choices,
    },
    /// A state, looked at closely.
    Inspect {
        /// Which one.
        spot: Spot,
        /// The expressions that are watched.
        watches: Vec<String>,
        /// How.
        choices: Choices,
    },
    /// The nodes of a graph in whose states a condition holds.
    Find {
        /// Which graph.
        of: GraphKind,
        /// How many of its nodes are looked at.
        count: u32,
        /// The condition.
        words: String,
        /// How.
        choices: Choices,
    },
    /// A document for another program.
    Document {
        /// Which one.
        what: Document,
        /// The number of the property that it is about.
        property: Option<u32>,
        /// How.
        choices: Choices,
        /// The name of the model.
        name: String,
    },
    /// A property for every size.
    Every {
        /// The property's number.
        property: u32,
        /// How.
        choices: Choices,
    },
}

/// To a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToWorker {
    /// Something is asked.
    Ask(RequestId, Request),
    /// The answer shall come now, with what there is.
    Stop(RequestId),
}

/// An answer of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// The model, or what is wrong with it.
    Model(Result<ModelInfo, Vec<Problem>>),
    /// The film; none where the property has no search.
    Film(Result<Option<Film>, Problem>),
    /// The graph; none where it is one of a search and there is none.
    Picture(Result<Option<Drawing>, Problem>),
    /// The verdict; none where there is no such property.
    Check(Option<Checked>),
    /// The pass over the states.
    Survey(Surveyed),
    /// The states of a node.
    Orbit(Option<Orbit>),
    /// The view of a property of branching time; none where it is none, or has no answer.
    Branching(Result<Option<Box<Branching>>, Problem>),
    /// The facts that a claim rests on.
    Explain(Option<Piece>),
    /// The walk, or why there is none.
    Walk(Result<Box<Walked>, String>),
    /// The state, or why there is nothing to see of it.
    Inspect(Result<Box<Inspected>, String>),
    /// The nodes, or what is wrong with the condition.
    Find(Result<Vec<u32>, String>),
    /// The document, or why it cannot be written.
    Document(Result<String, String>),
    /// The answer for every size, or why there is none.
    Every(Result<Box<Every>, String>),
}

/// From a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    /// It can be asked.
    Ready,
    /// How far a request is, and for how many milliseconds it has been worked on.
    Progress(RequestId, Progress, f64),
    /// The answer to a request.
    Answer(RequestId, Box<Answer>),
}

/// A message as bytes. None of these types can fail to be written.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    postcard::to_allocvec(message).unwrap_or_default()
}

/// A message from bytes; none where they are not one.
pub fn decode<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}
