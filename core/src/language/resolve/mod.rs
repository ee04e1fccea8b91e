//! Which declaration each name of a tree means.
//!
//! Names mean what the checker takes them for: bound names first, then the variables of the process, then what the file
//! declares, then literals. A definition or routine is checked where it is used, so its names mean the variables of whoever
//! uses it, and its arguments are of the types that are given to it: the tree is walked again until nothing more is found out.

mod expr;
mod items;
mod statement;

use super::symbol::{Occurrence, Symbol, SymbolId, SymbolKind};
use super::ty::Ty;
use crate::ids::IdVec;
use crate::sort::Sort as _;
use crate::syntax::ast::{ExprId, File, Ident, RoutineDecl};
use crate::syntax::{Token, TokenKind};
use crate::text::Span;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

/// The names of a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub symbols: IdVec<SymbolId, Symbol>,
    /// Where names stand, in the order of the text.
    pub uses: Vec<Occurrence>,
    /// Names that mean nothing.
    pub unresolved: Vec<Span>,
    /// Names that are declared although they are taken.
    pub clashes: Vec<Span>,
    /// The types of the expressions that are in use, as far as they are known.
    pub types: BTreeMap<ExprId, Ty>,
    /// The type that an expression which starts here should have.
    pub expected: BTreeMap<u32, Ty>,
    /// Blocks of statements, and whether they are code with labels.
    pub blocks: Vec<(Span, bool)>,
}

/// The tree is walked this many times at most: as often as definitions may stand in each other in a model that people read.
const ROUNDS: usize = 12;

pub(super) fn resolve(file: &File, tokens: &[Token]) -> Names {
    let mut resolver = Resolver {
        file,
        tokens,
        names: Names::default(),
        globals: BTreeMap::new(),
        properties: BTreeMap::new(),
        literals: BTreeMap::new(),
        members: BTreeMap::new(),
        callables: BTreeMap::new(),
        places: BTreeMap::new(),
        users: BTreeMap::new(),
        owners: vec![None],
        bound: Vec::new(),
        doubtful: BTreeSet::new(),
        changed: false,
    };
    for _ in 0..ROUNDS {
        resolver.changed = false;
        resolver.round();
        if !resolver.changed {
            break;
        }
    }
    let mut names = resolver.names;
    names.uses.arrange_by_key(|use_| use_.span.start);
    // An effect that pops a queue has its target twice in the tree.
    names.uses.dedup_by(|a, b| a.span == b.span);
    names.unresolved.arrange();
    names.unresolved.dedup();
    names
}

/// The members of a family that names can mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Space {
    Variable,
    Action,
    Label,
    State,
}

/// A definition or routine, which takes arguments.
#[derive(Clone, Copy)]
enum Callable<'t> {
    Definition(&'t [Ident]),
    Routine(&'t RoutineDecl),
}

struct Resolver<'t> {
    file: &'t File,
    tokens: &'t [Token],
    names: Names,
    globals: BTreeMap<&'t str, SymbolId>,
    properties: BTreeMap<&'t str, SymbolId>,
    literals: BTreeMap<&'t str, SymbolId>,
    members: BTreeMap<(SymbolId, Space, &'t str), SymbolId>,
    callables: BTreeMap<SymbolId, Callable<'t>>,
    /// The symbol that is declared at a place.
    places: BTreeMap<u32, SymbolId>,
    /// The families that use a definition or routine; none stands for properties.
    users: BTreeMap<SymbolId, BTreeSet<Option<SymbolId>>>,
    /// Whose variables are meant here. Nobody uses a definition for which this is empty.
    owners: Vec<Option<SymbolId>>,
    bound: Vec<SymbolId>,
    /// Values that `let` names before a part of code with labels: whoever comes from such a label does not know them.
    doubtful: BTreeSet<SymbolId>,
    /// Whether this round has found out something new.
    changed: bool,
}

impl<'t> Resolver<'t> {
    fn round(&mut self) {
        let names = &mut self.names;
        names.uses.clear();
        names.unresolved.clear();
        names.clashes.clear();
        names.types.clear();
        names.expected.clear();
        names.blocks.clear();
        self.globals.clear();
        self.properties.clear();
        self.members.clear();
        self.doubtful.clear();
        let file = self.file;
        for item in &file.items {
            self.enter(item);
        }
        self.literal_clashes();
        for item in &file.items {
            self.item(item);
        }
    }

    /// The symbol that is declared at a place; made in the first round.
    fn symbol(&mut self, name: &Ident, kind: SymbolKind, whole: Span) -> SymbolId {
        if let Some(&known) = self.places.get(&name.span.start) {
            return known;
        }
        let id = self.names.symbols.push(Symbol {
            name: name.name.clone(),
            kind,
            place: Some(name.span),
            whole,
            owner: None,
            ty: Ty::Unknown,
            visible: None,
        });
        self.places.insert(name.span.start, id);
        id
    }

    /// A name where it is declared.
    fn declare(&mut self, name: &'t Ident, kind: SymbolKind, whole: Span) -> SymbolId {
        let id = self.symbol(name, kind, whole);
        self.mark(name.span, vec![id], true);
        id
    }

    /// A name that the language declares.
    fn implied(&mut self, name: &'t Ident, kind: SymbolKind, whole: Span) -> SymbolId {
        let known =
            self.names.symbols.iter_enumerated().find(|(_, symbol)| {
                symbol.place.is_none() && symbol.name == name.name && symbol.whole == whole
            });
        if let Some((known, _)) = known {
            return known;
        }
        let name = name.name.clone();
        let (owner, ty) = (None, Ty::Unknown);
        self.names.symbols.push(Symbol { name, kind, place: None, whole, owner, ty, visible: None })
    }

    fn mark(&mut self, span: Span, symbols: Vec<SymbolId>, declares: bool) {
        if let Some(span) = self.word(span) {
            self.names.uses.push(Occurrence { span, symbols, declares });
        }
    }

    /// The name in a span, to which parentheses may belong.
    fn word(&self, span: Span) -> Option<Span> {
        let first = self.tokens.partition_point(|token| token.span.start < span.start);
        let name = self.tokens[first..].iter().find(|token| token.kind == TokenKind::Name)?;
        (name.span.end <= span.end).then_some(name.span)
    }

    /// A name where it is used; it may mean nothing.
    fn refer(&mut self, span: Span, symbols: Vec<SymbolId>) {
        if symbols.is_empty() {
            let word = self.word(span);
            self.names.unresolved.extend(word);
        } else {
            self.mark(span, symbols, false);
        }
    }

    /// A literal: equal names are one symbol, wherever they stand.
    fn literal(&mut self, name: &'t Ident, whole: Span) -> SymbolId {
        if let Some(&known) = self.literals.get(name.name.as_str()) {
            return known;
        }
        let id = self.names.symbols.push(Symbol {
            name: name.name.clone(),
            kind: SymbolKind::Literal,
            place: Some(name.span),
            whole,
            owner: None,
            ty: Ty::Unknown,
            visible: None,
        });
        self.literals.insert(&name.name, id);
        id
    }

    fn set_type(&mut self, id: SymbolId, ty: Ty) {
        if self.names.symbols[id].ty != ty {
            self.names.symbols[id].ty = ty;
            self.changed = true;
        }
    }

    fn set_type_of(&mut self, id: Option<SymbolId>, ty: &Ty) {
        if let Some(id) = id {
            self.set_type(id, ty.clone());
        }
    }

    /// Binds a name up to the end of a span.
    fn bind(&mut self, name: &'t Ident, kind: SymbolKind, ty: Ty, whole: Span, end: u32) -> SymbolId {
        let id = self.declare(name, kind, whole);
        self.set_type(id, ty);
        self.names.symbols[id].visible = Some(Span::new(name.span.end, end.max(name.span.end)));
        self.bound.push(id);
        id
    }

    fn find_bound(&self, name: &str) -> Option<SymbolId> {
        self.bound.iter().rev().copied().find(|&id| self.names.symbols[id].name == name)
    }

    /// The declarations that a name in an expression means.
    fn lookup(&self, name: &str, expected: &Ty) -> Vec<SymbolId> {
        let mut found = Vec::new();
        for &id in self.bound.iter().rev().filter(|&&id| self.names.symbols[id].name == name) {
            found.push(id);
            if !self.doubtful.contains(&id) {
                return found;
            }
        }
        let mut take = |id: Option<SymbolId>| {
            if let Some(id) = id
                && !found.contains(&id)
            {
                found.push(id);
            }
        };
        let local = |family: SymbolId| self.members.get(&(family, Space::Variable, name)).copied();
        for owner in &self.owners {
            take(owner.and_then(local).or_else(|| self.global(name, expected)));
        }
        if self.owners.is_empty() {
            // Nobody says whose variables these are: all that have the name are candidates.
            let own =
                self.members.iter().filter(|((_, space, n), _)| *space == Space::Variable && *n == name);
            own.for_each(|(_, &id)| take(Some(id)));
            if found.is_empty() {
                found.extend(self.global(name, expected));
            }
        }
        found.arrange();
        found
    }

    /// A name of the file, or a literal. One that is a family's and a literal's is the literal where one is expected.
    fn global(&self, name: &str, expected: &Ty) -> Option<SymbolId> {
        let literal = self.literals.get(name).copied();
        let Some(&global) = self.globals.get(name) else { return literal };
        match (literal, expected.present()) {
            (Some(literal), Ty::Enum(literals))
                if self.names.symbols[global].kind == SymbolKind::Family && literals.contains(&literal) =>
            {
                Some(literal)
            }
            _ => Some(global),
        }
    }

    /// A definition or routine is used here.
    fn used(&mut self, id: SymbolId) {
        if self.callables.contains_key(&id) {
            let users = self.users.entry(id).or_default();
            for owner in &self.owners {
                self.changed |= users.insert(*owner);
            }
        }
    }
}
