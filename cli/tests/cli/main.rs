//! The built program, run as a user runs it.

mod bad_input;
mod check;
#[cfg(unix)]
mod ci;
mod doors;
mod editor;
mod fmt;
mod grade;
mod graph;
mod guide;
mod junit;
mod link;
mod lsp;
mod lsp_murphi;
mod murphi;
mod outcomes;
mod prove;
mod quotient;
mod replay;
mod report;
mod schema;
mod serve;
mod shell;
mod states;
mod support;
