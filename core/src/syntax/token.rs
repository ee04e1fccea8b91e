//! Tokens: what the lexer hands to the parser and to the formatter.

use crate::text::{Diagnostic, Span};
use alloc::vec::Vec;

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind of token.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// The kinds of token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name that is no keyword.
    Name,
    /// A natural number; its value is read by the parser.
    Int,
    /// A reserved word.
    Keyword(Keyword),
    /// Punctuation or an operator.
    Punct(Punct),
    /// Characters that belong to no token; the lexer has said so, the parser need not.
    Unknown,
    /// The end of the text.
    End,
}

/// A comment, with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trivia {
    /// Where it is, with its marks.
    pub span: Span,
    /// Whether it ends with its line (`//`).
    pub line: bool,
}

/// A text cut into tokens.
#[derive(Clone, Debug)]
pub struct Lexed {
    /// The tokens; the last one is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// The comments in order.
    pub comments: Vec<Trivia>,
    /// Characters that start no token, comments that do not end.
    pub diagnostics: Vec<Diagnostic>,
}

macro_rules! keywords {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The reserved words.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Keyword {
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        impl Keyword {
            /// All reserved words.
            pub const ALL: &[Keyword] = &[$(Keyword::$name,)*];

            /// The word itself.
            pub const fn text(self) -> &'static str {
                match self { $(Keyword::$name => $text,)* }
            }

            /// The reserved word that `text` is.
            pub fn from_text(text: &str) -> Option<Keyword> {
                match text { $($text => Some(Keyword::$name),)* _ => None }
            }
        }
    };
}

keywords! {
    Param = "param",
    // Reserved only where a name and `=` follow: see `lexer::contextual`.
    Type = "type",
    Shared = "shared",
    Process = "process",
    // Reserved only where a name and `[` follow: see `lexer::contextual`.
    Scalarset = "scalarset",
    Var = "var",
    Action = "action",
    Define = "define",
    Fairness = "fairness",
    Symmetry = "symmetry",
    Invariant = "invariant",
    Ltl = "ltl",
    Ctl = "ctl",
    // Reserved only where an item may start: see `lexer::contextual`.
    Cover = "cover",
    Deadlock = "deadlock",
    Assume = "assume",
    // Reserved only where it starts a property: see `lexer::contextual`.
    Mu = "mu",
    Automaton = "automaton",
    In = "in",
    And = "and",
    Or = "or",
    Not = "not",
    Forall = "forall",
    Exists = "exists",
    Count = "count",
    If = "if",
    Then = "then",
    Else = "else",
    True = "true",
    False = "false",
    SelfId = "self",
    None = "none",
    Any = "any",
    Bool = "bool",
}

impl Keyword {
    /// Whether the word starts an item of the file.
    pub fn starts_item(self) -> bool {
        use Keyword as K;
        matches!(
            self,
            K::Param
                | K::Type
                | K::Shared
                | K::Process
                | K::Scalarset
                | K::Define
                | K::Fairness
                | K::Symmetry
                | K::Invariant
                | K::Ltl
                | K::Ctl
                | K::Cover
                | K::Deadlock
                | K::Assume
                | K::Mu
                | K::Automaton
        )
    }

    /// Whether the word starts a property in a temporal logic.
    pub fn is_logic(self) -> bool {
        matches!(self, Keyword::Ltl | Keyword::Ctl | Keyword::Mu)
    }

    /// Whether the word is reserved only where it has its meaning, and a name elsewhere.
    pub fn is_contextual(self) -> bool {
        use Keyword as K;
        matches!(self, K::Mu | K::Type | K::Scalarset | K::Cover | K::Deadlock | K::Assume)
    }

    /// Whether the word starts a part of a process.
    pub fn starts_member(self) -> bool {
        matches!(self, Keyword::Var | Keyword::Action)
    }
}

macro_rules! puncts {
    ($($name:ident = $text:literal,)*) => {
        /// Punctuation and operators.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Punct {
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        impl Punct {
            /// The mark itself.
            pub const fn text(self) -> &'static str {
                match self { $(Punct::$name => $text,)* }
            }

            /// All marks, longer ones before their beginnings, otherwise frequent ones first.
            pub(super) const ALL: &[Punct] = &[$(Punct::$name,)*];
        }
    };
}

puncts! {
    ParenOpen = "(",
    ParenClose = ")",
    Comma = ",",
    BraceOpen = "{",
    BraceClose = "}",
    Box = "[]",
    BracketOpen = "[",
    BracketClose = "]",
    DotDot = "..",
    Dot = ".",
    Assign = ":=",
    Colon = ":",
    Semicolon = ";",
    EqEq = "==",
    Implies = "=>",
    Eq = "=",
    Arrow = "->",
    Minus = "-",
    Plus = "+",
    Iff = "<=>",
    LessEq = "<=",
    Diamond = "<>",
    Less = "<",
    GreaterEq = ">=",
    Greater = ">",
    NotEq = "!=",
    Bang = "!",
    AndAnd = "&&",
    OrOr = "||",
    Bar = "|",
    Question = "?",
    Star = "*",
    Slash = "/",
    Percent = "%",
}
