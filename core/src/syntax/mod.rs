//! From text to tree: the surface of the modelling language.
//!
//! The parser never fails: it returns a tree and what is wrong with it.
//!
//! # Invariants
//!
//! After an error the parser stays silent until it can start anew, and a broken item still declares its name. The
//! formatter never prints the tree: it changes the white space between the same tokens and comments, so it cannot change a
//! model. Expressions nest at most [`MAX_DEPTH`](crate::limits::MAX_DEPTH) deep; every recursion over a tree relies on that.

pub mod ast;
mod format;
mod lexer;
mod parser;
mod statement;
mod token;

pub use format::format;
pub use lexer::lex;
pub use parser::{Parsed, parse};
pub use token::{Keyword, Lexed, Punct, Token, TokenKind, Trivia};
