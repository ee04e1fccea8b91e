//! The searches that a property asks for: automata with the processes they track, one for each orbit of choices.

use super::expand::{Expanded, Expansion, Literal};
use super::meaning::Meaning;
use super::symmetric::SymmetricAutomaton;
use crate::automaton::{Ap, AutomatonState, Label, Tgba, TgbaError};
use crate::error::{Classified, ErrorKind, kind_of};
use crate::group::{Group, Process};
use crate::ids::Id;
use crate::limits::MAX_INSTANCES;
use crate::ltl::{Arena, FormulaId as LtlId, Limits, TranslateError, translate};
use crate::program::{
    Automaton, Domain, FamilyId, Fault, FormulaId, FormulaKind, Predicate, Program, PropertyId, PropertyKind,
    Reg, Scratch, TermId, TermKind, View,
};
use crate::sort::Sort as _;
use crate::strain::{size, took};
use crate::symmetry::{ProgramSymmetry, PropertyTerm};
use crate::syntax::ast::{Logic, Quantifier};
use crate::text::{Diagnostic, Span};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

fn most_instances() -> usize {
    size("property: choices", MAX_INSTANCES, 3)
}

/// Why a property cannot be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyError {
    /// Its automaton would be too large.
    Translate(Span, TranslateError),
    /// Its quantifiers have more than [`MAX_INSTANCES`] choices.
    TooManyInstances(Span),
    /// Its automaton, written by hand, has more propositions than are supported.
    Automaton(Span, TgbaError),
    /// It is of a logic that this engine does not check.
    Logic(Span),
    /// It has too many parts once its quantifiers over numbers are written out.
    TooLarge(Span),
}

impl PropertyError {
    /// The error in words, at its place.
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            PropertyError::Translate(span, error) => Diagnostic::too_large(*span, error.to_string()),
            PropertyError::TooManyInstances(span) => Diagnostic::too_large(
                *span,
                format!("the quantifiers of this property have more than {MAX_INSTANCES} choices to check"),
            ),
            PropertyError::Automaton(span, error) => Diagnostic::too_large(*span, error.to_string()),
            PropertyError::TooLarge(span) => {
                Diagnostic::too_large(*span, "this property is too large once it is written out")
            }
            PropertyError::Logic(span) => {
                Diagnostic::new(*span, "properties of this logic are not checked by this engine")
            }
        }
    }
}

impl core::fmt::Display for PropertyError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.diagnostic().message)
    }
}

impl core::error::Error for PropertyError {}

impl Classified for PropertyError {
    fn kind(&self) -> ErrorKind {
        kind_of(&[self.diagnostic()])
    }
}

/// The value that an atom's register is bound to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AtomValue {
    /// The tracked process with this number.
    Tracked(usize),
    /// A number.
    Number(i64),
}

/// An atomic proposition: an expression of a state, about tracked processes.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The expression.
    pub term: TermId,
    /// The values of its registers.
    pub bound: Vec<(Reg, AtomValue)>,
    /// Whether it asks which process executes: then it depends on the edge too.
    pub on_edges: bool,
    predicate: Predicate,
}

impl Atom {
    /// Whether it holds where the tracked processes are `tracked`.
    pub fn holds<V: View>(
        &self,
        program: &Program,
        view: &V,
        scratch: &mut Scratch,
        tracked: &[Process],
    ) -> Result<bool, Fault> {
        let bound: Vec<(Reg, i64)> = self
            .bound
            .iter()
            .map(|&(reg, value)| match value {
                AtomValue::Tracked(k) => (reg, process_value(program, tracked[k])),
                AtomValue::Number(number) => (reg, number),
            })
            .collect();
        self.predicate.holds_with(view, scratch, &bound)
    }

    /// Whether it asks which processes are enabled.
    pub fn asks_enabled(&self, program: &Program) -> bool {
        program.mentions(self.term, &|kind| matches!(kind, TermKind::Enabled(_)))
    }
}

/// A process as a value: its number in its family.
pub fn process_value(program: &Program, process: Process) -> i64 {
    program.locate(process).1 as i64
}

/// Names, and what each stands for.
pub type Names = Rc<[(String, AtomValue)]>;

/// One search: the program violates the property if a fair computation of it is accepted by the automaton.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// Accepts the wrong computations.
    pub automaton: Rc<Tgba>,
    /// The atomic propositions, by number.
    pub atoms: Rc<[Atom]>,
    /// For each of them what it says, and whether it says that or the opposite.
    pub meanings: Rc<[(Meaning, bool)]>,
    /// The processes that the atoms speak of.
    pub tracked: Vec<Process>,
    /// How many of them are chosen by the property's quantifiers in front.
    pub chosen: usize,
    /// The names that are bound in front, and what each stands for in this choice.
    pub names: Names,
    /// How many times the bodies of quantifiers inside the property were written out, one for each element.
    pub expanded: usize,
    /// The families over which they range.
    pub written_out: Vec<FamilyId>,
    /// The action of permutations on the automaton, where it has one and is to be used.
    pub symmetric: Option<Rc<SymmetricAutomaton>>,
    /// How many choices this one stands for.
    pub orbit: u64,
    /// The property itself as a formula over the atoms, where it is one: for checking a counterexample directly.
    pub formula: Option<(Rc<Arena>, LtlId)>,
    /// The part of G that leaves the atoms as they are.
    pub symmetry: Rc<ProgramSymmetry>,
}

impl Obligation {
    /// Lets permutations act on the automaton's states, if it is symmetric, instead of tracking every process of the
    /// families that quantifiers inside the property range over.
    pub fn use_symmetry_of_automaton(&mut self, program: &Program) {
        if !self.written_out.is_empty() {
            let families = self.written_out.clone();
            self.symmetric = SymmetricAutomaton::new(program, self, &families).map(Rc::new);
        }
    }

    /// The choice in words, such as `c = client[0]`; empty where nothing is chosen.
    pub fn instance(&self, program: &Program) -> String {
        let names = self.names.iter().map(|(name, value)| match *value {
            AtomValue::Tracked(k) => format!("{name} = {}", program.process_name(self.tracked[k])),
            AtomValue::Number(number) => format!("{name} = {number}"),
        });
        names.collect::<Vec<_>>().join(", ")
    }

    /// An atomic proposition as an expression of the model, with the chosen processes in the place of the names.
    pub fn show_atom(&self, program: &Program, atom: &Atom) -> String {
        program.show_term(atom.term, |reg| {
            let (_, value) = atom.bound.iter().find(|(bound, _)| *bound == reg)?;
            Some(match *value {
                AtomValue::Tracked(k) => program.process_name(self.tracked[k]),
                AtomValue::Number(number) => number.to_string(),
            })
        })
    }
}

/// The searches that an `ltl` property or an automaton asks for. Quantifiers in front are checked once for each orbit.
pub fn obligations(
    program: &Program,
    id: PropertyId,
    symmetry: &ProgramSymmetry,
    limits: &Limits,
) -> Result<Vec<Obligation>, PropertyError> {
    let property = &program.properties[id];
    let (leading, body) = match &property.kind {
        PropertyKind::Formula(Logic::Ltl, formula) => strip(program, *formula),
        PropertyKind::Automaton(automaton) => {
            let leading =
                automaton.params.iter().enumerate().map(|(i, p)| (Reg(i as u32), p.domain)).collect();
            (leading, Body::Automaton(automaton))
        }
        PropertyKind::Formula(..) | PropertyKind::DeadlockFree => {
            return Err(PropertyError::Logic(property.span));
        }
    };
    let mut found = Vec::new();
    for numbers in number_choices(&leading).ok_or(PropertyError::TooManyInstances(property.span))? {
        let mut expansion = Expansion::new(program, property.regs);
        for (i, (reg, _)) in leading.iter().enumerate() {
            expansion.bind(*reg, numbers[i]);
        }
        let named = leading.iter().zip(&numbers);
        let names =
            named.map(|((reg, _), value)| (property.names[reg.index()].clone(), *value)).collect::<Names>();
        found.extend(instances(program, id, symmetry, limits, (&leading, &names), &body, expansion)?);
        if found.len() > most_instances() {
            took("property: too many choices of names");
            return Err(PropertyError::TooManyInstances(property.span));
        }
    }
    Ok(found)
}

enum Body<'a> {
    Formula(FormulaId),
    Automaton(&'a Automaton),
}

/// The `forall`s in front of a formula: a computation satisfies it if it does so for every choice, so that choices can
/// be checked one by one. (For `exists` in front that is not so: different computations may need different processes.)
fn strip(program: &Program, mut formula: FormulaId) -> (Vec<(Reg, Domain)>, Body<'_>) {
    let mut leading = Vec::new();
    while let FormulaKind::Quantified(Quantifier::Forall, reg, domain, body) = program.formulas[formula].kind
    {
        leading.push((reg, domain));
        formula = body;
    }
    (leading, Body::Formula(formula))
}

/// All choices of the leading names that are numbers; processes get their place among the tracked ones.
fn number_choices(leading: &[(Reg, Domain)]) -> Option<Vec<Vec<AtomValue>>> {
    let mut choices: Vec<Vec<AtomValue>> = alloc::vec![Vec::new()];
    let mut tracked = 0;
    for (_, domain) in leading {
        match domain {
            Domain::Family(_) => {
                for choice in &mut choices {
                    choice.push(AtomValue::Tracked(tracked));
                }
                tracked += 1;
            }
            Domain::Range(low, high) => {
                let count = usize::try_from((high - low + 1).max(0)).ok()?;
                if choices.len().checked_mul(count)? > most_instances() {
                    took("property: too many choices of numbers");
                    return None;
                }
                choices = choices
                    .iter()
                    .flat_map(|choice| {
                        (*low..=*high).map(|n| {
                            let mut longer = choice.clone();
                            longer.push(AtomValue::Number(n));
                            longer
                        })
                    })
                    .collect();
            }
        }
    }
    Some(choices)
}

fn instances(
    program: &Program,
    id: PropertyId,
    symmetry: &ProgramSymmetry,
    limits: &Limits,
    (leading, names): (&[(Reg, Domain)], &Names),
    body: &Body<'_>,
    mut expansion: Expansion<'_>,
) -> Result<Vec<Obligation>, PropertyError> {
    let span = program.properties[id].span;
    let families: Vec<_> = leading
        .iter()
        .filter_map(|(_, domain)| match domain {
            Domain::Family(family) => Some(*family),
            Domain::Range(..) => None,
        })
        .collect();
    expansion.chosen = families.len();
    let (automaton, formula) = match body {
        Body::Formula(formula) => {
            let mut arena = Arena::new();
            let right =
                expansion.formula(&mut arena, *formula).ok_or(PropertyError::TooManyInstances(span))?;
            let wrong = arena.not(right);
            let automaton =
                translate(&arena, wrong, limits).map_err(|error| PropertyError::Translate(span, error))?;
            (automaton, Some((Rc::new(arena), right)))
        }
        Body::Automaton(automaton) => {
            let automaton = hand_written(automaton, &mut expansion);
            (automaton.map_err(|error| PropertyError::Automaton(span, error))?, None)
        }
    };
    let (expanded, written_out) = (expansion.expanded, core::mem::take(&mut expansion.written_out));
    let Expanded { atoms, meanings, fixed, terms } = expansion.finish(leading);
    let meanings: Rc<[(Meaning, bool)]> = meanings.into();
    let symmetry = Rc::new(symmetry.for_property(program, &terms));
    // Choices that a permutation takes to each other, without moving the processes the property names, are alike.
    let choosing = symmetry.group.stabiliser(&fixed);
    let domains: Vec<_> = families
        .iter()
        .map(|&f| {
            let family = &program.families[f];
            (family.first.0, family.first.0 + family.size)
        })
        .collect();
    let choices = orbits_of_choices(&choosing, &domains).ok_or(PropertyError::TooManyInstances(span))?;
    let (automaton, atoms): (Rc<Tgba>, Rc<[Atom]>) = (Rc::new(automaton), atoms.into());
    Ok(choices
        .into_iter()
        .map(|(mut tracked, orbit)| {
            let chosen = tracked.len();
            tracked.extend_from_slice(&fixed);
            Obligation {
                automaton: automaton.clone(),
                atoms: atoms.clone(),
                meanings: meanings.clone(),
                tracked,
                chosen,
                names: names.clone(),
                expanded,
                written_out: written_out.clone(),
                symmetric: None,
                orbit,
                formula: formula.clone(),
                symmetry: symmetry.clone(),
            }
        })
        .collect())
}

/// One choice of processes from these ranges for each orbit under the group, and the size of the orbit.
pub(crate) fn orbits_of_choices(group: &Group, domains: &[(u32, u32)]) -> Option<Vec<(Vec<Process>, u64)>> {
    let mut choices: Vec<(Vec<Process>, u64)> = alloc::vec![(Vec::new(), 1)];
    for &(first, end) in domains {
        let mut longer = Vec::new();
        for (choice, size) in choices {
            let orbits = group.stabiliser(&choice).orbits();
            for name in orbits.names().filter(|p| (first..end).contains(&p.0)) {
                let mut with = choice.clone();
                with.push(name);
                longer.push((with, size.saturating_mul(orbits.members(name).len() as u64)));
                if longer.len() > most_instances() {
                    took("property: too many choices of processes");
                    return None;
                }
            }
        }
        choices = longer;
    }
    Some(choices)
}

fn hand_written(automaton: &Automaton, expansion: &mut Expansion<'_>) -> Result<Tgba, TgbaError> {
    let initial: Vec<AutomatonState> = (0u32..)
        .zip(&automaton.states)
        .filter(|(_, state)| state.initial)
        .map(|(i, _)| AutomatonState(i))
        .collect();
    let accepting: Vec<bool> = automaton.states.iter().map(|state| state.accepting).collect();
    let mut moves: Vec<(AutomatonState, Label, AutomatonState)> = Vec::new();
    for (from, state) in (0u32..).zip(&automaton.states) {
        for &(guard, to) in &state.moves {
            let label = match expansion.literal(guard) {
                Literal::Fixed(true) => Label::always(),
                Literal::Fixed(false) => Label::never(),
                Literal::Open(ap, sign) => Label::literal(ap, sign),
            };
            moves.push((AutomatonState(from), label, AutomatonState(to)));
        }
    }
    Tgba::from_accepting_states(initial, &accepting, moves)
}

/// A property of states as an obligation: its only atom must hold in every state, and that there is no deadlock has none. Its
/// automaton is not used.
pub fn invariant_obligation(
    program: &Program,
    id: PropertyId,
    symmetry: &ProgramSymmetry,
) -> Result<Obligation, PropertyError> {
    let property = &program.properties[id];
    let atom = program.state_term(id);
    if atom.is_none() && property.kind != PropertyKind::DeadlockFree {
        return Err(PropertyError::Logic(property.span));
    }
    let mut expansion = Expansion::new(program, property.regs);
    if let Some(atom) = atom {
        expansion.proposition(atom);
    }
    let trivial =
        Tgba::from_accepting_states([AutomatonState(0)], &[false], []).expect("one state, no moves");
    Ok(Obligation::single(Rc::new(trivial), expansion.finish(&[]), program, symmetry))
}

impl Obligation {
    /// The obligation of a property that has no names in front and no formula.
    pub(super) fn single(
        automaton: Rc<Tgba>,
        Expanded { atoms, meanings, fixed, terms }: Expanded,
        program: &Program,
        symmetry: &ProgramSymmetry,
    ) -> Obligation {
        Obligation {
            automaton,
            atoms: atoms.into(),
            meanings: meanings.into(),
            tracked: fixed,
            chosen: 0,
            names: Rc::from([]),
            expanded: 0,
            written_out: Vec::new(),
            symmetric: None,
            orbit: 1,
            formula: None,
            symmetry: Rc::new(symmetry.for_property(program, &terms)),
        }
    }
}

/// Makes an atom, with registers beyond its own for the fixed processes that it names.
pub(crate) fn make_atom(
    program: &Program,
    term: TermId,
    mut bound: Vec<(Reg, AtomValue)>,
    first_free: u32,
    fixed: &BTreeMap<Process, usize>,
    chosen: usize,
) -> Atom {
    let named = named_processes(program, term);
    let stand_ins: Vec<(Process, Reg)> =
        (first_free..).zip(&named).map(|(reg, &process)| (process, Reg(reg))).collect();
    bound.extend(stand_ins.iter().map(|(p, reg)| (*reg, AtomValue::Tracked(chosen + fixed[p]))));
    let predicate = Predicate::with_stand_ins(program, term, first_free, &stand_ins);
    let on_edges = program.mentions(term, &|kind| matches!(kind, TermKind::Executed(_)));
    Atom { term, bound, on_edges, predicate }
}

/// The fixed processes of families with more than one member that a term names.
pub(crate) fn named_processes(program: &Program, term: TermId) -> Vec<Process> {
    let mut named = Vec::new();
    collect_named(program, term, &mut named);
    named.arrange();
    named.dedup();
    named
}

fn collect_named(program: &Program, term: TermId, named: &mut Vec<Process>) {
    use crate::program::Type;
    let node = &program.terms[term];
    if let (TermKind::Const(value), Type::Process { family, .. }) = (&node.kind, node.ty)
        && let Ok(number) = u32::try_from(*value)
        && program.families[family].size > 1
    {
        named.push(program.process(family, number));
    }
    for child in node.kind.children() {
        collect_named(program, child, named);
    }
}

/// The scope of an atom, for finding out what it tells apart.
pub(super) fn scope_of(
    program: &Program,
    bound: &[(Reg, AtomValue)],
    domains: &BTreeMap<Reg, Domain>,
    term: TermId,
) -> PropertyTerm {
    debug_assert!(term.0 < program.terms.len() as u32);
    let scope = bound
        .iter()
        .map(|(reg, value)| {
            let domain = match value {
                AtomValue::Number(n) => Domain::Range(*n, *n),
                AtomValue::Tracked(_) => domains[reg],
            };
            (*reg, domain)
        })
        .collect();
    PropertyTerm { term, scope }
}

/// The number of an atomic proposition.
pub(super) fn ap(index: usize) -> Ap {
    Ap(index as u32)
}
