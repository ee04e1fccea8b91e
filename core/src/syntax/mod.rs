//! From text to tree: the surface of the modelling language.
//!
//! The parser never fails: it returns a tree and what is wrong with it.

pub mod ast;
mod format;
mod function;
mod lexer;
mod parser;
mod token;

pub use format::format;
pub use function::{Arity, Function, Place, Takes};
pub use lexer::lex;
pub use parser::{MAX_DEPTH, Parsed, parse};
pub use token::{Keyword, Lexed, Punct, Token, TokenKind, Trivia};
