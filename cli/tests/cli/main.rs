//! The built program, run as a user runs it.

mod bad_input;
mod check;
mod fmt;
mod graph;
mod guide;
mod link;
mod lsp;
mod outcomes;
mod quotient;
mod replay;
mod report;
mod schema;
mod shell;
mod states;
mod support;
