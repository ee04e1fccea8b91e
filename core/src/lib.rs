//! Orbitscope's engine: a modelling language for programs of identical processes, their symmetry,
//! and model checking of liveness under fairness on the quotient.
//!
//! The crate has no clock, no threads and no input or output; budgets are passed in.
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod automaton;
pub mod bdd;
mod cache;
pub mod check;
pub mod ctl;
pub mod draw;
pub mod error;
pub mod explore;
pub mod export;
mod facade;
pub mod group;
pub mod ids;
#[cfg(feature = "serde")]
pub mod json;
pub mod limits;
pub mod link;
pub mod ltl;
pub mod models;
pub mod natural;
pub mod product;
pub mod program;
pub mod property;
pub mod quotient;
mod rows;
pub mod search;
mod sort;
pub mod symbolic;
pub mod symmetry;
pub mod syntax;
pub mod system;
pub mod text;

pub use error::{ErrorKind, Limit, ModelError};
pub use facade::{Answer, Error, GraphOf, Language, Model, Session};
