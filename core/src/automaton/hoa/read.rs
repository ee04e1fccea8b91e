//! The reader.

use super::error::{HoaError, HoaErrorKind as Kind, Span};
use super::lexer::{Lexer, Token};
use crate::automaton::{AutomatonState, Bdd, Label, Manager, Marks, Tgba, TgbaError, Transition};
use crate::bdd::Variable;
use crate::ids::IdVec;
use crate::limits::{MAX_HOA_LABEL_NODES, MAX_HOA_STATES, MAX_PROPOSITIONS};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

/// An atomic proposition of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// The text between the quotes: for us an expression of the model.
    pub name: String,
    /// Where it stands, with the quotes.
    pub span: Span,
}

/// An automaton read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hoa {
    /// The automaton's name.
    pub name: Option<String>,
    /// The atomic propositions: the first is [`Ap`] 0, and so on.
    pub propositions: Vec<Proposition>,
    /// The states' names.
    pub state_names: IdVec<AutomatonState, Option<String>>,
    /// The automaton.
    pub automaton: Tgba,
}

/// Reads one automaton.
///
/// ```
/// use orbitscope_core::automaton::hoa::{read, HoaErrorKind};
/// let text = r#"HOA: v1 States: 1 Start: 0 AP: 1 "p" Acceptance: 1 Inf(0)
/// --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--"#;
/// let hoa = read(text).unwrap();
/// assert_eq!(hoa.propositions[0].name, "p");
/// assert_eq!(hoa.automaton.transition_count(), 2);
///
/// let text = text.replace("Inf(0)", "Fin(0)");
/// let error = read(&text).unwrap_err();
/// assert_eq!(&text[error.span.start as usize..error.span.end as usize], "Fin");
/// assert!(matches!(error.kind, HoaErrorKind::Acceptance(_)));
/// ```
pub fn read(text: &str) -> Result<Hoa, HoaError> {
    if u32::try_from(text.len()).is_err() {
        return Err(HoaError { kind: Kind::TooLong, span: 0..0 });
    }
    let mut lexer = Lexer::new(text);
    let (token, span) = lexer.next()?;
    let bdds = Manager::new(MAX_HOA_LABEL_NODES);
    let mut reader = Reader { lexer, token, span, bdds, header: Header::default() };
    reader.header()?;
    reader.body()
}

#[derive(Default)]
pub(super) struct Header {
    states: Option<(u32, Span)>,
    start: Vec<(u32, Span)>,
    propositions: Option<Vec<Proposition>>,
    // In the order of definition.
    pub(super) aliases: Vec<(String, Bdd)>,
    // Propositions that aliases use, which may be declared later.
    used: Vec<(u32, Span)>,
    pub(super) acceptance: Option<Acceptance>,
    name: Option<String>,
    tool: bool,
    acceptance_name: bool,
}

pub(super) struct Acceptance {
    pub(super) count: u32,
    // The sets that must be visited infinitely often, in ascending order; the mark of each is its position here.
    pub(super) infinite: Vec<u32>,
    pub(super) span: Span,
}

pub(super) struct Reader<'a> {
    lexer: Lexer<'a>,
    pub(super) token: Token,
    pub(super) span: Span,
    pub(super) bdds: Manager,
    pub(super) header: Header,
}

pub(super) fn error<T>(kind: Kind, span: &Span) -> Result<T, HoaError> {
    Err(HoaError { kind, span: span.clone() })
}

impl Reader<'_> {
    pub(super) fn advance(&mut self) -> Result<(Token, Span), HoaError> {
        let (token, span) = self.lexer.next()?;
        Ok((mem::replace(&mut self.token, token), mem::replace(&mut self.span, span)))
    }

    pub(super) fn expected<T>(&self, what: &'static str) -> Result<T, HoaError> {
        error(Kind::Expected(what), &self.span)
    }

    pub(super) fn eat(&mut self, sign: char) -> Result<bool, HoaError> {
        let found = self.token == Token::Sign(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn number(&mut self, what: &'static str) -> Result<(u32, Span), HoaError> {
        match self.token {
            Token::Number(n) => Ok((n, self.advance()?.1)),
            _ => self.expected(what),
        }
    }

    fn text(&mut self, what: &'static str) -> Result<(String, Span), HoaError> {
        match &mut self.token {
            Token::Text(text) => Ok((mem::take(text), self.advance()?.1)),
            _ => self.expected(what),
        }
    }

    // One state; a conjunction of states is universal branching.
    fn state(&mut self) -> Result<(u32, Span), HoaError> {
        let (q, span) = self.number("a state's number")?;
        if self.token == Token::Sign('&') {
            return error(Kind::UniversalBranching, &(span.start..self.span.end));
        }
        Ok((q, span))
    }

    fn header(&mut self) -> Result<(), HoaError> {
        if self.token != Token::Header("HOA".into()) {
            return error(Kind::MissingHeader("HOA"), &self.span);
        }
        self.advance()?;
        match &self.token {
            Token::Identifier(v) if v == "v1" => drop(self.advance()?),
            Token::Identifier(v) => return error(Kind::Version(v.clone()), &self.span),
            _ => return self.expected("the format's version"),
        }
        while let Token::Header(name) = &mut self.token {
            let name = mem::take(name);
            let (_, span) = self.advance()?;
            self.header_item(name, &span)?;
        }
        if self.token != Token::Section("BODY") {
            return self.expected("a header or --BODY--");
        }
        if self.header.acceptance.is_none() {
            return error(Kind::MissingHeader("Acceptance"), &self.span);
        }
        let count = self.proposition_count();
        if let Some((number, span)) = self.header.used.iter().find(|(n, _)| *n >= count) {
            return error(Kind::UnknownProposition { number: *number, count }, span);
        }
        if let Some((count, _)) = self.header.states
            && let Some((number, span)) = self.header.start.iter().find(|(q, _)| *q >= count)
        {
            return error(Kind::UnknownState { number: *number, count }, span);
        }
        if self.header.start.is_empty() {
            return error(Kind::Automaton(TgbaError::NoInitialState), &self.span);
        }
        self.advance()?;
        Ok(())
    }

    fn header_item(&mut self, name: String, span: &Span) -> Result<(), HoaError> {
        let duplicate = match name.as_str() {
            "HOA" => true,
            "States" => self.header.states.is_some(),
            "AP" => self.header.propositions.is_some(),
            "Acceptance" => self.header.acceptance.is_some(),
            "name" => self.header.name.is_some(),
            "tool" => mem::replace(&mut self.header.tool, true),
            "acc-name" => mem::replace(&mut self.header.acceptance_name, true),
            _ => false,
        };
        if duplicate {
            return error(Kind::DuplicateHeader(name), span);
        }
        match name.as_str() {
            "States" => {
                let (count, span) = self.number("the number of states")?;
                if count > MAX_HOA_STATES {
                    return error(Kind::TooManyStates(MAX_HOA_STATES), &span);
                }
                self.header.states = Some((count, span));
            }
            "Start" => {
                let start = self.state()?;
                self.header.start.push(start);
            }
            "AP" => self.propositions()?,
            "Alias" => {
                let Token::Alias(alias) = &mut self.token else {
                    return self.expected("an alias such as @a");
                };
                let alias = mem::take(alias);
                let (_, span) = self.advance()?;
                if self.header.aliases.iter().any(|(a, _)| *a == alias) {
                    return error(Kind::DuplicateAlias(alias), &span);
                }
                let mut used = Vec::new();
                let letters = self.label_expression(&mut used)?;
                self.header.used.append(&mut used);
                self.header.aliases.push((alias, letters));
            }
            "Acceptance" => self.acceptance()?,
            "name" => self.header.name = Some(self.text("the automaton's name in quotes")?.0),
            "tool" | "acc-name" | "properties" => self.skip_values()?,
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                return error(Kind::UnknownHeader(name), span);
            }
            _ => self.skip_values()?,
        }
        Ok(())
    }

    fn skip_values(&mut self) -> Result<(), HoaError> {
        while matches!(self.token, Token::Identifier(_) | Token::Number(_) | Token::Text(_)) {
            self.advance()?;
        }
        Ok(())
    }

    fn propositions(&mut self) -> Result<(), HoaError> {
        let (announced, span) = self.number("the number of atomic propositions")?;
        if announced as usize > MAX_PROPOSITIONS {
            return error(Kind::Automaton(TgbaError::TooManyPropositions(announced as usize)), &span);
        }
        let mut all: Vec<Proposition> = Vec::new();
        while let Token::Text(_) = self.token {
            let (name, span) = self.text("an atomic proposition")?;
            if all.iter().any(|p| p.name == name) {
                return error(Kind::DuplicateProposition(name), &span);
            }
            all.push(Proposition { name, span });
        }
        let given = all.len() as u32;
        if given != announced {
            return error(Kind::PropositionCount { announced, given }, &span);
        }
        self.header.propositions = Some(all);
        Ok(())
    }

    fn proposition_count(&self) -> u32 {
        self.header.propositions.as_ref().map_or(0, |all| all.len() as u32)
    }

    fn label(&mut self) -> Result<Option<Bdd>, HoaError> {
        if !self.eat('[')? {
            return Ok(None);
        }
        let mut used = Vec::new();
        let letters = self.label_expression(&mut used)?;
        let count = self.proposition_count();
        if let Some((number, span)) = used.iter().find(|(n, _)| *n >= count) {
            return error(Kind::UnknownProposition { number: *number, count }, span);
        }
        if !self.eat(']')? {
            return self.expected("] after the label");
        }
        Ok(Some(letters))
    }

    fn marks(&mut self) -> Result<Marks, HoaError> {
        let mut marks = Marks::EMPTY;
        if self.eat('{')? {
            while let Token::Number(number) = self.token {
                let (_, span) = self.advance()?;
                if let Some(acceptance) = &self.header.acceptance {
                    let count = acceptance.count;
                    if number >= count {
                        return error(Kind::UnknownSet { number, count }, &span);
                    }
                    if let Ok(mark) = acceptance.infinite.binary_search(&number) {
                        marks = marks.union(Marks::of([mark as u32]));
                    }
                }
            }
            if !self.eat('}')? {
                return self.expected("} after the acceptance sets");
            }
        }
        Ok(marks)
    }

    fn body(&mut self) -> Result<Hoa, HoaError> {
        let declared = self.header.states.as_ref().map(|(count, _)| *count);
        let mut states = States { declared, edges: Vec::new(), names: Vec::new(), seen: Vec::new() };
        if let Some(count) = declared {
            states.reach(count);
        }
        for (q, span) in self.header.start.clone() {
            states.check(q, &span)?;
        }
        while self.token == Token::Header("State".into()) {
            self.advance()?;
            self.state_item(&mut states)?;
        }
        match self.token {
            Token::Section("END") => {}
            _ => return self.expected("State:, an edge or --END--"),
        }
        self.advance()?;
        if self.token != Token::End {
            return error(Kind::TrailingInput, &self.span);
        }
        let acceptance = self.header.acceptance.take();
        let (sets, place) = acceptance.map_or((0, 0..0), |a| (a.infinite.len() as u32, a.span));
        let initial = self.header.start.iter().map(|(q, _)| AutomatonState(*q));
        let automaton = Tgba::new(initial, sets, states.edges);
        Ok(Hoa {
            name: self.header.name.take(),
            propositions: self.header.propositions.take().unwrap_or_default(),
            state_names: states.names.into(),
            automaton: automaton.map_err(|e| HoaError { kind: Kind::Automaton(e), span: place })?,
        })
    }

    fn state_item(&mut self, states: &mut States) -> Result<(), HoaError> {
        let state_label = self.label()?;
        let (q, span) = self.number("a state's number")?;
        states.check(q, &span)?;
        if mem::replace(&mut states.seen[q as usize], true) {
            return error(Kind::DuplicateState(q), &span);
        }
        if let Token::Text(_) = self.token {
            states.names[q as usize] = Some(self.text("a name")?.0);
        }
        let state_marks = self.marks()?;
        let mut edges: Vec<(Option<Bdd>, Marks, u32)> = Vec::new();
        while matches!(self.token, Token::Sign('[') | Token::Number(_)) {
            let place = self.span.clone();
            let label = self.label()?;
            let mixed = edges.last().is_some_and(|(previous, ..)| previous.is_some() != label.is_some());
            if mixed || (state_label.is_some() && label.is_some()) {
                return error(Kind::MixedLabels(q), &place);
            }
            let (target, span) = self.state()?;
            states.check(target, &span)?;
            edges.push((label, state_marks.union(self.marks()?), target));
        }
        let aps = self.proposition_count();
        let implicit = state_label.is_none() && edges.first().is_some_and(|(label, ..)| label.is_none());
        // More than 2^32 edges are not in a text.
        let (needed, given) = (1u64 << aps.min(63), edges.len() as u64);
        if implicit && needed != given {
            return error(Kind::ImplicitEdges { state: q, needed, given }, &span);
        }
        for (number, (label, marks, target)) in edges.into_iter().enumerate() {
            let letters = match label.or_else(|| state_label.clone()) {
                Some(letters) => letters,
                None => self.letter(number as u64, aps),
            };
            let label = self.bdds.label(&letters);
            if self.bdds.overflowed() {
                return error(Kind::LabelTooLarge, &span);
            }
            states.add(q, Transition { target: AutomatonState(target), marks, label });
        }
        Ok(())
    }

    // The letter that an implicit label is: bit i says whether proposition i holds.
    fn letter(&mut self, number: u64, aps: u32) -> Bdd {
        self.bdds.cube((0..aps).map(|i| (Variable(i), number >> i & 1 == 1)))
    }
}

struct States {
    declared: Option<u32>,
    edges: Vec<Vec<Transition>>,
    names: Vec<Option<String>>,
    seen: Vec<bool>,
}

impl States {
    fn reach(&mut self, count: u32) {
        let count = self.edges.len().max(count as usize);
        self.edges.resize_with(count, Vec::new);
        self.names.resize(count, None);
        self.seen.resize(count, false);
    }

    // Without a header `States:` every number that occurs is a state.
    fn check(&mut self, number: u32, span: &Span) -> Result<(), HoaError> {
        match self.declared {
            Some(count) if number >= count => error(Kind::UnknownState { number, count }, span),
            None if number >= MAX_HOA_STATES => error(Kind::TooManyStates(MAX_HOA_STATES), span),
            _ => {
                self.reach(number + 1);
                Ok(())
            }
        }
    }

    fn add(&mut self, q: u32, transition: Transition) {
        if transition.label != Label::never() {
            self.edges[q as usize].push(transition);
        }
    }
}
