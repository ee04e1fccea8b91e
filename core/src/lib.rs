//! Orbitscope's engine: a modelling language for programs of identical processes, their symmetry,
//! and model checking of liveness under fairness on the quotient.
//!
//! The crate has no clock, no threads and no input or output; budgets are passed in.
#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", feature = "strain"))]
extern crate std;

pub mod automaton;
pub mod bdd;
mod cache;
pub mod check;
pub mod ctl;
pub mod draw;
pub mod explore;
pub mod export;
pub mod group;
pub mod ids;
#[cfg(feature = "serde")]
pub mod json;
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
#[cfg(feature = "strain")]
pub mod strain;
#[cfg(not(feature = "strain"))]
mod strain;
pub mod symbolic;
pub mod symmetry;
pub mod syntax;
pub mod text;
