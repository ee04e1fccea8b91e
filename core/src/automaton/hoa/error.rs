//! Errors of a text that should be an automaton.

use crate::automaton::TgbaError;
use crate::error::{Classified, ErrorKind};
use alloc::string::String;
use core::fmt;
use core::ops::Range;

/// The bytes of the text that a message is about.
pub type Span = Range<u32>;

/// An error and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// The kind of error.
    pub kind: HoaErrorKind,
    /// Where.
    pub span: Span,
}

/// The ways in which a text in the HOA format can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoaErrorKind {
    /// The text is longer than spans can tell.
    TooLong,
    /// A character that begins no token.
    UnexpectedCharacter(char),
    /// A string or comment that is not closed.
    Unclosed(&'static str),
    /// A number that is too large for anything it could count.
    NumberTooLarge,
    /// Something else was expected here.
    Expected(&'static str),
    /// A version other than v1.
    Version(String),
    /// A header that must be there is not.
    MissingHeader(&'static str),
    /// A header that may be given once is given again.
    DuplicateHeader(String),
    /// A header that is not known and may change the meaning.
    UnknownHeader(String),
    /// Fewer or more propositions than announced.
    PropositionCount {
        /// The number announced.
        announced: u32,
        /// The number given.
        given: u32,
    },
    /// The same proposition twice.
    DuplicateProposition(String),
    /// A proposition's number that is not below their count.
    UnknownProposition {
        /// The number.
        number: u32,
        /// How many there are.
        count: u32,
    },
    /// An alias that is not defined before it is used.
    UnknownAlias(String),
    /// The same alias twice.
    DuplicateAlias(String),
    /// An acceptance condition other than a conjunction of `Inf`.
    Acceptance(String),
    /// An acceptance set's number that is not below their count.
    UnknownSet {
        /// The number.
        number: u32,
        /// How many there are.
        count: u32,
    },
    /// A conjunction of states, where one state is supported.
    UniversalBranching,
    /// A state's number that is not below their count.
    UnknownState {
        /// The number.
        number: u32,
        /// How many there are.
        count: u32,
    },
    /// The same state twice.
    DuplicateState(u32),
    /// More states than are supported.
    TooManyStates(u32),
    /// Some edges of a state with a label and some without, or labels both on the state and on its edges.
    MixedLabels(u32),
    /// A state with implicit labels needs one edge for each letter.
    ImplicitEdges {
        /// The state.
        state: u32,
        /// How many edges it needs.
        needed: u64,
        /// How many it has.
        given: u64,
    },
    /// A label whose Boolean function is too large.
    LabelTooLarge,
    /// The parts do not make an automaton.
    Automaton(TgbaError),
    /// Something follows the automaton.
    TrailingInput,
}

impl fmt::Display for HoaErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use HoaErrorKind as K;
        match self {
            K::TooLong => write!(f, "the text is longer than 4 GiB"),
            K::UnexpectedCharacter(c) => write!(f, "unexpected character {c:?}"),
            K::Unclosed(what) => write!(f, "this {what} is not closed"),
            K::NumberTooLarge => write!(f, "this number is too large"),
            K::Expected(what) => write!(f, "expected {what}"),
            K::Version(v) => write!(f, "version {v} of the format is not supported, only v1 is"),
            K::MissingHeader(h) => write!(f, "the header {h}: is missing"),
            K::DuplicateHeader(h) => write!(f, "the header {h}: is given twice"),
            K::UnknownHeader(h) => write!(
                f,
                "the header {h}: is not supported, and by its capital letter it may change the automaton's meaning"
            ),
            K::PropositionCount { announced, given } => {
                write!(f, "{announced} atomic propositions are announced and {given} given")
            }
            K::DuplicateProposition(name) => write!(f, "the atomic proposition {name:?} is given twice"),
            K::UnknownProposition { number, count } => {
                write!(f, "there is no atomic proposition {number}: {count} are given, counted from 0")
            }
            K::UnknownAlias(name) => write!(f, "the alias @{name} is not defined before this place"),
            K::DuplicateAlias(name) => write!(f, "the alias @{name} is defined twice"),
            K::Acceptance(part) => write!(
                f,
                "the acceptance condition has {part}; supported are t (all), Inf(0) (Büchi) and conjunctions such as \
                 Inf(0)&Inf(1) (generalised Büchi)"
            ),
            K::UnknownSet { number, count } => {
                write!(f, "there is no acceptance set {number}: {count} are declared, counted from 0")
            }
            K::UniversalBranching => {
                write!(f, "a conjunction of states (universal branching) is not supported; give one state")
            }
            K::UnknownState { number, count } => {
                write!(f, "there is no state {number}: {count} are declared, counted from 0")
            }
            K::DuplicateState(q) => write!(f, "state {q} is given twice"),
            K::TooManyStates(limit) => write!(f, "more than {limit} states are not supported"),
            K::MixedLabels(q) => {
                write!(f, "state {q} mixes labels: they stand on the state, on all of its edges, or nowhere")
            }
            K::ImplicitEdges { state, needed, given } => write!(
                f,
                "state {state} has no labels and so needs {needed} edges, one for each combination of the atomic \
                 propositions; it has {given}"
            ),
            K::LabelTooLarge => write!(f, "this label is too large"),
            K::Automaton(error) => error.fmt(f),
            K::TrailingInput => write!(f, "only one automaton is expected"),
        }
    }
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl core::error::Error for HoaError {}

impl Classified for HoaError {
    fn kind(&self) -> ErrorKind {
        match &self.kind {
            HoaErrorKind::TooLong
            | HoaErrorKind::NumberTooLarge
            | HoaErrorKind::TooManyStates(_)
            | HoaErrorKind::LabelTooLarge => ErrorKind::Limit,
            HoaErrorKind::Automaton(error) => error.kind(),
            _ => ErrorKind::Model,
        }
    }
}
