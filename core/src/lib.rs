//! Model checking of programs with many identical processes.
//!
//! Identical processes can be swapped without changing a program's behaviour, so states that differ only in which process
//! is which are treated as one. For safety many tools do that. This crate also does it for *liveness under fairness*
//! ("every request is answered, if every process gets its turn"), where treating states as one usually gives wrong
//! answers: it follows the processes through the quotient with the algorithm of Gyuris and Sistla.
//!
//! # From text to lasso
//!
//! A [`Model`] is read from text in a small language of processes, guarded actions and properties. Here a server serves
//! one client at a time, and may prefer some of them:
//!
//! ```
//! use orbitscope_core::Model;
//!
//! let model = Model::parse("
//!     param clients = 3 in 1..1000
//!     shared served: client? = none
//!     process server {
//!         action serve(c in client): served == none and c.waits -> served := c
//!     }
//!     process client[clients] {
//!         var waits: bool = false
//!         action ask:   not waits -> waits := true
//!         action leave: served == self -> served := none, waits := false
//!     }
//!     invariant one_at_a_time: count(c in client: served == c) <= 1
//!     ltl answered: forall c in client: G (c.waits => F not c.waits)
//! ")?;
//! # assert_eq!(model.properties().count(), 2);
//! # Ok::<(), orbitscope_core::Error>(())
//! ```
//!
//! Parameters are set before questions are asked. The clients are interchangeable, so their symmetry group has 2! elements:
//!
//! ```
//! # use orbitscope_core::Model;
//! # let model = Model::parse("
//! #     param clients = 3 in 1..1000
//! #     shared served: client? = none
//! #     process server { action serve(c in client): served == none and c.waits -> served := c }
//! #     process client[clients] {
//! #         var waits: bool = false
//! #         action ask: not waits -> waits := true
//! #         action leave: served == self -> served := none, waits := false
//! #     }
//! #     invariant one_at_a_time: count(c in client: served == c) <= 1
//! #     ltl answered: forall c in client: G (c.waits => F not c.waits)
//! # ")?;
//! let model = model.set("clients", 2)?;
//! assert_eq!(model.symmetry().group.order().to_string(), "2");
//! assert!(model.check("one_at_a_time")?.holds());
//!
//! let answer = model.check("answered")?;
//! assert!(answer.is_violated());
//! let lasso = answer.lasso().expect("a violated property of linear time has a run");
//! println!("{}", answer.run_text());    // the steps, the last ones repeated for ever
//! println!("{}", answer.ledger_text()); // why the run is fair to every process
//! assert!(!lasso.cycle.is_empty());
//! # Ok::<(), orbitscope_core::Error>(())
//! ```
//!
//! The lasso is in the program's own process numbers. It was replayed, step by step, by code that shares nothing with the
//! search; a run that does not replay is never reported.
//!
//! # The front door
//!
//! | to | use |
//! | --- | --- |
//! | read a model, set a parameter | [`Model::parse`], [`Model::set`] |
//! | write the system in Rust instead | [`System`], [`Model::of_system`] |
//! | choose engine, fairness and limits | [`Model::with`] with [`check::Options`] |
//! | check one property, or all | [`Model::check`], [`Model::check_all`]; the result is an [`Answer`] |
//! | step a check, watch it, stop it | [`Model::start`]; the result is a [`Session`] |
//! | draw states, quotient or product | [`Model::graph`], then [`draw::dot`] or [`draw::svg`] |
//! | go on in Spin or TLC, or on the page | [`Model::export`], [`Model::link`] |
//! | tell a wrong model from a limit from a bug | [`Error::kind`], [`check::Unknown::kind`]: an [`ErrorKind`] |
//!
//! `core/examples/` has a program for each of these.
//!
//! # The expert layer
//!
//! Everything else is what the front door is built of, in the order of the data: [`syntax`] → [`program`] → [`symmetry`] →
//! [`quotient`] → [`product`] → [`search`] → [`check`]. Use it to build an engine of your own, or a front end: the command
//! line and the page drive a [`check::Plan`]. These modules change more often than the front door does.
//!
//! The crate is `no_std` with `alloc`. It has no clock, no threads and no input or output: budgets are passed in, and
//! everything that takes long is [stepped](check::Stepping) from outside, by several threads where a [`crew::Crew`] has them.
//!
//! # Features
//!
//! - `serde`: the log of a search, graphs and reports can be written and read.
//! - `petgraph`: graphs as `petgraph` graphs, see `draw::Graph::to_petgraph`.
//! - `small`: less code instead of more speed, and the texts of the first models alone.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "strain")]
extern crate std;

pub mod automaton;
pub mod bdd;
mod cache;
pub mod check;
pub mod crew;
pub mod ctl;
pub mod draw;
pub mod error;
pub mod every;
pub mod exercise;
pub mod explore;
pub mod export;
mod facade;
pub mod functions;
pub mod group;
pub mod ids;
#[cfg(feature = "serde")]
pub mod json;
pub mod language;
pub mod limits;
pub mod link;
pub mod ltl;
pub mod models;
pub mod natural;
mod numbers;
pub mod product;
pub mod program;
pub mod property;
pub mod quotient;
pub mod replay;
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

pub use error::{Classified, ErrorKind, Limit, ModelError};
pub use facade::{Answer, Error, Fact, GraphOf, Language, Model, Move, Others, Session, System};
