//! A formula as parts, each of which is checked on a quotient of its own.
//!
//! After Emerson & Sistla, "Symmetry and model checking". The group of a part is G ∩ Auto(f): the permutations that leave
//! its largest propositional subformulas as they are, with the processes that it names, or that its names stand for, held
//! still by tracking them (Gyuris & Sistla, section 3.1). A quantifier over processes is a part with one more tracked
//! process: `exists c: f(c)` holds in (s, l⃗) where f holds in (s, l⃗ c) for some c, and one c of each orbit of the
//! permutations that fix s and l⃗ is enough. So nothing is written out, wherever the quantifier stands.

use super::normal::{FixId, Normal, NormalId, Normals, Path, ProcessQuantifier};
use crate::define_id;
use crate::group::Process;
use crate::ids::{Id, IdVec};
use crate::product::FairnessOf;
use crate::program::{Domain, FamilyId, Program, PropertyId, PropertyKind, Reg, TermId, TermKind};
use crate::property::{Atom, AtomValue, PropertyError, make_atom};
use crate::symmetry::{ProgramSymmetry, PropertyTerm};
use crate::syntax::ast::{Fixpoint, Logic};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

define_id!(
    /// A part of a formula.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    PartId
);
define_id!(
    /// A subformula of a part.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    SubId
);

/// A subformula; those that it is made of have smaller numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sub {
    /// True, or false.
    Const(bool),
    /// The expression with this number.
    Atom(u32),
    /// The truth of another part.
    Link(Link),
    /// Negation.
    Not(SubId),
    /// Conjunction.
    And(Vec<SubId>),
    /// Disjunction.
    Or(Vec<SubId>),
    /// `AX f` or `EX f`.
    Next(Path, SubId),
    /// `A[f U g]` or `E[f U g]`.
    Until(Path, SubId, SubId),
    /// `EG f` along a fair path.
    FairGlobally(SubId),
    /// `mu X. f` or `nu X. f`.
    Fixpoint(Fixpoint, FixId, SubId),
    /// The variable of a fixed point, of this part or of one that uses it.
    Variable(FixId),
}

impl Sub {
    /// The subformulas that it is made of.
    pub fn operands(&self) -> Vec<SubId> {
        match self {
            Sub::Const(_) | Sub::Atom(_) | Sub::Link(_) | Sub::Variable(_) => Vec::new(),
            Sub::Not(a) | Sub::Next(_, a) | Sub::FairGlobally(a) | Sub::Fixpoint(_, _, a) => alloc::vec![*a],
            Sub::And(list) | Sub::Or(list) => list.clone(),
            Sub::Until(_, a, b) => alloc::vec![*a, *b],
        }
    }
}

/// A use of another part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// The part.
    pub part: PartId,
    /// For each process that it tracks, the number of the one here; none for the one that the quantifier binds.
    pub sources: Vec<Option<u32>>,
    /// The quantifier in front of it.
    pub over: Option<(ProcessQuantifier, FamilyId)>,
}

/// A part: a formula that is checked on one quotient.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its subformulas, in an order in which they can be evaluated; the last is the whole.
    pub subs: IdVec<SubId, Sub>,
    /// The names that it uses and others bind, with the families of the processes that they stand for.
    pub names: Vec<(String, FamilyId)>,
    /// The processes that it names. The tracked ones are those that the names stand for, and behind them these.
    pub fixed: Vec<Process>,
    /// The expressions.
    pub atoms: Vec<Atom>,
    /// The part of G that leaves its expressions, and those of the parts in it, as they are.
    pub symmetry: ProgramSymmetry,
    /// Whether it has temporal operators; if not, only the states that it is asked about are of interest.
    pub temporal: bool,
    /// Whether an expression asks which processes are enabled.
    pub asks_enabled: bool,
    /// The variables of fixed points of other parts that stand in it.
    pub variables: Vec<Outer>,
}

/// A variable of a fixed point of another part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outer {
    /// The fixed point.
    pub fix: FixId,
    /// Its part.
    pub home: PartId,
    /// For each process that that part tracks, the number of the one here.
    pub places: Vec<u32>,
}

impl Part {
    /// The whole.
    pub fn top(&self) -> SubId {
        SubId::from_index(self.subs.len() - 1)
    }

    /// How many processes it tracks.
    pub fn tracks(&self) -> usize {
        self.names.len() + self.fixed.len()
    }
}

/// A fixed point of a formula.
#[derive(Clone, Debug)]
pub struct FixpointOf {
    /// The name of its variable.
    pub name: String,
    /// The least, or the greatest.
    pub kind: Fixpoint,
    /// The part that it stands in.
    pub home: PartId,
    /// The formula of which it is the fixed point.
    pub body: SubId,
}

/// A `ctl` or `mu` property, taken apart.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its parts: each after those that it uses, the whole last.
    pub parts: IdVec<PartId, Part>,
    /// Its fixed points; those of a `mu` property only.
    pub fixpoints: IdVec<FixId, FixpointOf>,
    /// Whether it is a `mu` property.
    pub mu: bool,
    /// The fairness of the paths that its path quantifiers speak of; none where they speak of all.
    pub fairness: Option<FairnessOf>,
}

impl Formula {
    /// Takes a `ctl` or `mu` property apart.
    ///
    /// ```
    /// use orbitscope_core::{ctl::Formula, program, symmetry, syntax::parse};
    /// let parsed = parse("process p[5] { var x: bool = false action flip: true -> x := not x }
    ///     ctl f: AG (EF p[0].x and EF p[1].x and forall q in p: EF q.x)");
    /// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
    /// let id = program.property("f").unwrap();
    /// let formula = Formula::new(&program, id, &symmetry::detect(&program)).unwrap();
    /// // AG EF p[0].x, AG EF p[1].x, AG EF q.x, and their conjunction.
    /// assert_eq!(formula.parts.len(), 4);
    /// ```
    pub fn new(
        program: &Program,
        id: PropertyId,
        symmetry: &ProgramSymmetry,
    ) -> Result<Formula, PropertyError> {
        Formula::on_paths(program, id, symmetry, None)
    }

    /// The same with path quantifiers over fair paths only. A `mu` property has none: nothing changes for it.
    pub fn on_paths(
        program: &Program,
        id: PropertyId,
        symmetry: &ProgramSymmetry,
        fairness: Option<FairnessOf>,
    ) -> Result<Formula, PropertyError> {
        let property = &program.properties[id];
        let PropertyKind::Formula(logic @ (Logic::Ctl | Logic::Mu), formula) = property.kind else {
            return Err(PropertyError::Logic(property.span));
        };
        let mut normals = Normals::new(program, id);
        let whole = normals.of(formula, true).ok_or(PropertyError::TooLarge(property.span))?;
        let mut builder = Builder {
            program,
            property: id,
            symmetry,
            fair: fairness.is_some() && logic == Logic::Ctl,
            normals,
            parts: IdVec::new(),
            tracked: IdVec::new(),
            ids: BTreeMap::new(),
            homes: BTreeMap::new(),
        };
        let temporal = builder.normals.is_temporal(whole);
        builder.part(whole, temporal);
        builder.variables();
        let fixpoints = (builder.normals.fixpoints.iter_enumerated()).map(|(fix, bound)| {
            // A fixed point that a constant around it folded away has no home, and nobody asks for it.
            let (home, kind, body) =
                builder.homes.get(&fix).copied().unwrap_or((PartId(0), Fixpoint::Least, SubId(0)));
            FixpointOf { name: bound.name.clone(), kind, home, body }
        });
        let fixpoints = fixpoints.collect();
        let mu = logic == Logic::Mu;
        Ok(Formula { parts: builder.parts, fixpoints, mu, fairness: fairness.filter(|_| !mu) })
    }

    /// The whole.
    pub fn top(&self) -> PartId {
        PartId::from_index(self.parts.len() - 1)
    }
}

struct Builder<'p> {
    program: &'p Program,
    property: PropertyId,
    symmetry: &'p ProgramSymmetry,
    /// Whether path quantifiers range over fair paths only.
    fair: bool,
    normals: Normals<'p>,
    parts: IdVec<PartId, Part>,
    /// The names and processes that each part tracks.
    tracked: IdVec<PartId, (Vec<Reg>, Vec<Process>)>,
    ids: BTreeMap<(NormalId, bool), PartId>,
    homes: BTreeMap<FixId, (PartId, Fixpoint, SubId)>,
}

/// A part under construction.
struct Draft {
    root: NormalId,
    temporal: bool,
    fixpoints: Vec<(FixId, Fixpoint, SubId)>,
    names: Vec<Reg>,
    fixed: Vec<Process>,
    subs: IdVec<SubId, Sub>,
    ids: BTreeMap<Sub, SubId>,
    made: BTreeMap<NormalId, SubId>,
    atoms: Vec<(TermId, Vec<(Reg, i64)>)>,
}

impl Draft {
    fn intern(&mut self, sub: Sub) -> SubId {
        if let Some(&id) = self.ids.get(&sub) {
            return id;
        }
        let id = self.subs.push(sub.clone());
        self.ids.insert(sub, id);
        id
    }

    fn not(&mut self, id: SubId) -> SubId {
        match self.subs[id] {
            Sub::Not(inner) => inner,
            Sub::Const(value) => self.intern(Sub::Const(!value)),
            _ => self.intern(Sub::Not(id)),
        }
    }

    /// That a fair path starts here.
    fn fair(&mut self) -> SubId {
        let always = self.intern(Sub::Const(true));
        self.intern(Sub::FairGlobally(always))
    }

    fn fair_next(&mut self, path: Path, a: SubId) -> SubId {
        let fair = self.fair();
        let a = if path == Path::All { self.not(a) } else { a };
        let both = self.intern(Sub::And(alloc::vec![a, fair]));
        let next = self.intern(Sub::Next(Path::Some, both));
        if path == Path::All { self.not(next) } else { next }
    }

    fn fair_until(&mut self, path: Path, a: SubId, b: SubId) -> SubId {
        let fair = self.fair();
        if path == Path::Some {
            let end = self.intern(Sub::And(alloc::vec![b, fair]));
            return self.intern(Sub::Until(Path::Some, a, end));
        }
        let never = self.not(b);
        let for_ever = self.intern(Sub::FairGlobally(never));
        let fine = self.not(for_ever);
        if self.subs[a] == Sub::Const(true) {
            return fine;
        }
        let broken = self.not(a);
        let end = self.intern(Sub::And(alloc::vec![broken, never, fair]));
        let breaks = self.intern(Sub::Until(Path::Some, never, end));
        let unbroken = self.not(breaks);
        self.intern(Sub::And(alloc::vec![fine, unbroken]))
    }
}

impl Builder<'_> {
    /// The part of a formula. It recurses as deep as the formula is nested, which the parser bounds.
    fn part(&mut self, id: NormalId, temporal: bool) -> PartId {
        if let Some(&part) = self.ids.get(&(id, temporal)) {
            return part;
        }
        let names = self.normals.names(id).clone();
        let mut draft = Draft {
            root: id,
            temporal,
            fixpoints: Vec::new(),
            names: names.free,
            fixed: names.named,
            subs: IdVec::new(),
            ids: BTreeMap::new(),
            made: BTreeMap::new(),
            atoms: Vec::new(),
        };
        let top = self.sub(&mut draft, id);
        // The last subformula is the whole; it is, unless it was met before inside of itself.
        if top.index() + 1 != draft.subs.len() {
            let whole = draft.subs[top].clone();
            draft.subs.push(whole);
        }
        let tracked = (draft.names.clone(), draft.fixed.clone());
        let fixpoints = core::mem::take(&mut draft.fixpoints);
        let part = self.finish(draft, id);
        let part = self.parts.push(part);
        self.tracked.push(tracked);
        self.homes.extend(fixpoints.into_iter().map(|(fix, kind, body)| (fix, (part, kind, body))));
        self.ids.insert((id, temporal), part);
        part
    }

    /// Where each part finds the variables of the fixed points around it. A part in which a variable stands tracks all
    /// that the fixed point does, and its group is the same.
    fn variables(&mut self) {
        for id in self.parts.ids() {
            let mut variables = Vec::new();
            for sub in &self.parts[id].subs {
                let Sub::Variable(fix) = sub else { continue };
                let Some(&(home, ..)) = self.homes.get(fix) else { continue };
                if home == id {
                    continue;
                }
                let ((own_names, own_fixed), (names, fixed)) = (&self.tracked[id], &self.tracked[home]);
                let bound = names.iter().filter_map(|reg| own_names.iter().position(|r| r == reg));
                let named = fixed.iter().filter_map(|p| own_fixed.iter().position(|q| q == p));
                let places = bound.chain(named.map(|place| own_names.len() + place));
                variables.push(Outer { fix: *fix, home, places: places.map(|place| place as u32).collect() });
            }
            self.parts[id].variables = variables;
        }
    }

    fn finish(&self, draft: Draft, id: NormalId) -> Part {
        let program = self.program;
        let property = &program.properties[self.property];
        let family = |reg: &Reg| self.normals.families[reg];
        let places: BTreeMap<Process, usize> =
            draft.fixed.iter().enumerate().map(|(place, &process)| (process, place)).collect();
        let atoms = draft.atoms.into_iter().map(|(term, numbers)| {
            let mut bound: Vec<(Reg, AtomValue)> =
                numbers.into_iter().map(|(reg, number)| (reg, AtomValue::Number(number))).collect();
            let mut regs = Vec::new();
            super::normal::free_registers(program, term, &mut regs);
            let tracked = draft.names.iter().enumerate().filter(|(_, reg)| regs.contains(reg));
            bound.extend(tracked.map(|(place, reg)| (*reg, AtomValue::Tracked(place))));
            make_atom(program, term, bound, property.regs, &places, draft.names.len())
        });
        let atoms: Vec<Atom> = atoms.collect();
        let terms: Vec<PropertyTerm> = (self.normals.atoms(id).into_iter())
            .map(|(term, numbers)| {
                let mut regs = Vec::new();
                super::normal::free_registers(program, term, &mut regs);
                let numbers = numbers.into_iter().map(|(reg, n)| (reg, Domain::Range(n, n)));
                let mut scope: BTreeMap<Reg, Domain> = numbers.collect();
                for reg in regs {
                    if let Some(&family) = self.normals.families.get(&reg) {
                        scope.entry(reg).or_insert(Domain::Family(family));
                    }
                }
                PropertyTerm { term, scope }
            })
            .collect();
        Part {
            subs: draft.subs,
            names: (draft.names.iter())
                .map(|reg| (property.names[reg.index()].clone(), family(reg)))
                .collect(),
            fixed: draft.fixed,
            asks_enabled: atoms.iter().any(|atom| asks_enabled(program, atom.term)),
            atoms,
            symmetry: self.symmetry.for_property(program, &terms),
            temporal: draft.temporal,
            variables: Vec::new(),
        }
    }

    fn sub(&mut self, draft: &mut Draft, id: NormalId) -> SubId {
        if let Some(&made) = draft.made.get(&id) {
            return made;
        }
        let made = match self.normals.node(id).clone() {
            Normal::Const(value) => draft.intern(Sub::Const(value)),
            Normal::Atom(term, numbers, positive) => {
                let key = (term, numbers);
                let number = draft.atoms.iter().position(|atom| *atom == key).unwrap_or_else(|| {
                    draft.atoms.push(key);
                    draft.atoms.len() - 1
                });
                let atom = draft.intern(Sub::Atom(number as u32));
                if positive { atom } else { draft.not(atom) }
            }
            Normal::And(list) => {
                let list = list.iter().map(|&part| self.sub(draft, part)).collect();
                draft.intern(Sub::And(list))
            }
            Normal::Or(list) => {
                let list = list.iter().map(|&part| self.sub(draft, part)).collect();
                draft.intern(Sub::Or(list))
            }
            Normal::Quantified(quantifier, reg, family, body) => {
                // Above all temporal operators, what the quantifier ranges over is taken apart further.
                let temporal = draft.temporal || self.normals.is_temporal(body);
                let part = self.part(body, temporal);
                self.link(draft, body, part, Some((quantifier, reg, family)))
            }
            Normal::Next(..) | Normal::Until(..) | Normal::Release(..) | Normal::Fixpoint(..)
                if !draft.temporal =>
            {
                let part = self.part(id, true);
                self.link(draft, id, part, None)
            }
            // A fixed point that rests on no other is a part of its own, with a group of its own. One that speaks of
            // less than what is around it is one too: parts inside of it must know all that its part tracks.
            Normal::Fixpoint(..) if id != draft.root && self.stands_alone(draft, id) => {
                let part = self.part(id, true);
                self.link(draft, id, part, None)
            }
            Normal::Fixpoint(kind, fix, a) => {
                let a = self.sub(draft, a);
                draft.fixpoints.push((fix, kind, a));
                draft.intern(Sub::Fixpoint(kind, fix, a))
            }
            Normal::Variable(fix) => draft.intern(Sub::Variable(fix)),
            Normal::Next(path, a) => {
                let a = self.sub(draft, a);
                if self.fair { draft.fair_next(path, a) } else { draft.intern(Sub::Next(path, a)) }
            }
            Normal::Until(path, a, b) => {
                let (a, b) = (self.sub(draft, a), self.sub(draft, b));
                if self.fair { draft.fair_until(path, a, b) } else { draft.intern(Sub::Until(path, a, b)) }
            }
            Normal::Release(path, a, b) => {
                let (a, b) = (self.sub(draft, a), self.sub(draft, b));
                let (a, b) = (draft.not(a), draft.not(b));
                let path = path.dual();
                let until = if self.fair {
                    draft.fair_until(path, a, b)
                } else {
                    draft.intern(Sub::Until(path, a, b))
                };
                draft.not(until)
            }
        };
        draft.made.insert(id, made);
        made
    }

    fn stands_alone(&self, draft: &Draft, fixpoint: NormalId) -> bool {
        let names = self.normals.names(fixpoint);
        names.free != draft.names
            || names.named != draft.fixed
            || self.normals.free_variables(fixpoint).is_empty()
    }

    fn link(
        &self,
        draft: &mut Draft,
        inner: NormalId,
        part: PartId,
        over: Option<(ProcessQuantifier, Reg, FamilyId)>,
    ) -> SubId {
        let names = self.normals.names(inner);
        let own = draft.names.len();
        let bound = names.free.iter().map(|reg| {
            let quantified = over.is_some_and(|(_, bound, _)| bound == *reg);
            if quantified { None } else { draft.names.iter().position(|r| r == reg).map(|at| at as u32) }
        });
        let fixed = names
            .named
            .iter()
            .map(|process| draft.fixed.iter().position(|p| p == process).map(|place| (own + place) as u32));
        let sources = bound.chain(fixed).collect();
        let over = over.map(|(quantifier, _, family)| (quantifier, family));
        draft.intern(Sub::Link(Link { part, sources, over }))
    }
}

fn asks_enabled(program: &Program, term: TermId) -> bool {
    let kind = &program.terms[term].kind;
    matches!(kind, TermKind::Enabled(_)) || kind.children().into_iter().any(|t| asks_enabled(program, t))
}
