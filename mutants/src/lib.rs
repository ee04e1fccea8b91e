//! Mutation testing with one build.
//!
//! A mutant is the program with one small change: `<` for `<=`, a statement left out, a condition that always holds. A test
//! suite that is worth its name fails for each of them. Building the program once for each takes too long, so all of them are
//! built into one copy, each behind a switch that is read when the program starts (mutant schemata):
//!
//! 1. [`find`] walks the syntax trees and lists what can be changed; [`seeded`] adds mistakes by hand;
//! 2. [`edit`] writes the changes into the text, [`tree`] and [`project`] make the copy and build it, and leave out what does
//!    not compile;
//! 3. [`run`] notes which test reaches which place, then runs every mutant with the tests that reach it, the likely killers
//!    first;
//! 4. [`record`] keeps the verdicts, and knows the survivors that `docs/mutants.md` explains.
#![allow(missing_docs)]

pub mod edit;
pub mod find;
pub mod project;
pub mod record;
pub mod run;
pub mod seeded;
pub mod tree;
