//! Automata from files in the HOA format, whose atomic propositions are expressions of the model.

use super::expand::{Expansion, Literal};
use super::meaning::Meaning;
use super::obligation::Obligation;
use crate::automaton::{Ap, Cube, Label, Tgba, Transition, hoa};
use crate::error::{Classified, ErrorKind, kind_of};
use crate::ids::Id as _;
use crate::program::{self, FormulaKind, Program, PropertyKind, Settings, TermId};
use crate::symmetry::ProgramSymmetry;
use crate::syntax::ast::ItemKind;
use crate::syntax::parse;
use crate::text::{Diagnostic, Span};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// An automaton of wrong computations from a file, with its propositions as expressions of a program.
#[derive(Clone, Debug)]
pub struct HoaProperty {
    /// The name that the file gives.
    pub name: Option<String>,
    automaton: Rc<Tgba>,
    atoms: Vec<TermId>,
    regs: u32,
}

/// The errors of a model or an automaton; places are in the text of the one or the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HoaErrors {
    /// Errors of the model.
    Model(Vec<Diagnostic>),
    /// Errors of the automaton's text.
    Automaton(Vec<Diagnostic>),
}

impl HoaErrors {
    fn diagnostics(&self) -> &[Diagnostic] {
        let (HoaErrors::Model(all) | HoaErrors::Automaton(all)) = self;
        all
    }
}

impl fmt::Display for HoaErrors {
    /// The messages, a line each. Whoever has the texts shows them with their places.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, diagnostic) in self.diagnostics().iter().enumerate() {
            f.write_str(if number > 0 { "\n" } else { "" })?;
            f.write_str(&diagnostic.message)?;
        }
        Ok(())
    }
}

impl core::error::Error for HoaErrors {}

impl Classified for HoaErrors {
    fn kind(&self) -> ErrorKind {
        kind_of(self.diagnostics())
    }
}

/// Checks and compiles a model together with an automaton in the HOA format.
///
/// ```
/// use orbitscope_core::{program::Settings, property::{HoaErrors, build_with_hoa}};
/// let model = "process p[3] { var x: bool = false action go: not x -> x := true }";
/// let automaton = r#"HOA: v1 States: 1 Start: 0 AP: 1 "p[0].x" Acceptance: 1 Inf(0)
/// --BODY-- State: 0 [!0] 0 {0} --END--"#;
/// let (program, _) = build_with_hoa(model, &Settings::default(), automaton).unwrap();
/// assert_eq!(program.process_count(), 3);
///
/// let automaton = automaton.replace("].x", "].y");
/// let error = build_with_hoa(model, &Settings::default(), &automaton).unwrap_err();
/// let HoaErrors::Automaton(diagnostics) = error else { panic!() };
/// assert_eq!(diagnostics[0].span.text(&automaton), "y");
/// ```
pub fn build_with_hoa(
    model: &str,
    settings: &Settings,
    automaton: &str,
) -> Result<(Program, HoaProperty), HoaErrors> {
    let parsed = parse(model);
    if !parsed.diagnostics.is_empty() {
        return Err(HoaErrors::Model(parsed.diagnostics));
    }
    // Its own errors come first: a proposition's error must not look like one of the automaton.
    let alone = program::build(&parsed.file, settings).map_err(HoaErrors::Model)?;
    let file = hoa::read(automaton).map_err(|error| {
        let span = Span::new(error.span.start, error.span.end);
        HoaErrors::Automaton(alloc::vec![Diagnostic::new(span, error.to_string())])
    })?;
    let mut text = String::from(model);
    let mut places = Vec::new();
    let mut wrong = Vec::new();
    for (number, proposition) in file.propositions.iter().enumerate() {
        // No property of a model has such a name, so that none is hidden.
        let mut name = format!("hoa_{number}");
        while alone.property(&name).is_some() {
            name.push('_');
        }
        let head = format!("\nltl {name}: ");
        let place = Place {
            name,
            start: (text.len() + head.len()) as u32,
            escaped: proposition.name.len() + 2 != (proposition.span.end - proposition.span.start) as usize,
            span: Span::new(proposition.span.start, proposition.span.end),
        };
        let one = format!("{head}{}\n", proposition.name);
        wrong.extend(what_is_wrong(&one, head.len() as u32, &place));
        text.push_str(&one);
        places.push(place);
    }
    if !wrong.is_empty() {
        return Err(HoaErrors::Automaton(wrong));
    }
    let mut program = program::build(&parse(&text).file, settings).map_err(|diagnostics| {
        HoaErrors::Automaton(diagnostics.into_iter().map(|d| in_automaton(d, &places)).collect())
    })?;
    let mut atoms = Vec::new();
    let mut regs = 0;
    for place in &places {
        // By its name: asserts of blocks are properties too, and come behind all others.
        let id = program.property(&place.name).expect("it was added");
        let property = &program.properties[id];
        regs = regs.max(property.regs);
        if let PropertyKind::Formula(_, formula) = property.kind
            && let FormulaKind::Atom(term) = program.formulas[formula].kind
        {
            atoms.push(term);
        } else {
            let words = "an atomic proposition speaks of one state: no temporal operator can stand in it";
            wrong.push(Diagnostic::new(place.span, words));
        }
    }
    if !wrong.is_empty() {
        return Err(HoaErrors::Automaton(wrong));
    }
    let added = |name: &str| places.iter().any(|place| place.name == name);
    program.properties = program.properties.iter().filter(|p| !added(&p.name)).cloned().collect();
    Ok((program, HoaProperty { name: file.name, automaton: Rc::new(file.automaton), atoms, regs }))
}

/// Where a proposition stands: in the text that is compiled, and in the automaton's.
struct Place {
    /// The proposition's name as a property.
    name: String,
    start: u32,
    /// Whether a character is written with a backslash: then places inside are not told.
    escaped: bool,
    span: Span,
}

impl Place {
    /// A span of the proposition, whose text begins at `start`, in the automaton's text.
    fn at(&self, span: Span, start: u32) -> Span {
        let first = self.span.start + 1;
        if self.escaped || span.start < start {
            return self.span;
        }
        let end = self.span.end - 1;
        let place = Span::new(first + span.start - start, first + span.end - start);
        if place.end > end { Span::new(place.start.min(end), end.max(place.start.min(end))) } else { place }
    }
}

/// The errors of a proposition by itself: it must be one expression, and nothing else.
fn what_is_wrong(text: &str, head: u32, place: &Place) -> Vec<Diagnostic> {
    let parsed = parse(text);
    if parsed.diagnostics.is_empty() && parsed.file.items.len() == 1 {
        return Vec::new();
    }
    if parsed.diagnostics.is_empty() {
        let second = parsed.file.items.iter().find(|item| !matches!(item.kind, ItemKind::Property { .. }));
        let span = second.or(parsed.file.items.get(1)).map_or(place.span, |item| place.at(item.span, head));
        return alloc::vec![Diagnostic::new(span, "an atomic proposition is one expression of the model")];
    }
    let moved =
        parsed.diagnostics.into_iter().map(|d| Diagnostic { span: place.at(d.span, head), note: None, ..d });
    moved.collect()
}

/// A message of the compiled text, in the automaton's.
fn in_automaton(diagnostic: Diagnostic, places: &[Place]) -> Diagnostic {
    let after = places.partition_point(|place| place.start <= diagnostic.span.start);
    let Some(place) = after.checked_sub(1).and_then(|at| places.get(at)) else { return diagnostic };
    Diagnostic { span: place.at(diagnostic.span, place.start), note: None, ..diagnostic }
}

/// The search that an automaton from a file asks for.
pub fn hoa_obligation(program: &Program, property: &HoaProperty, symmetry: &ProgramSymmetry) -> Obligation {
    let mut expansion = Expansion::new(program, property.regs);
    let literals: Vec<Literal> = property.atoms.iter().map(|&term| expansion.literal(term)).collect();
    let automaton = with_literals(&property.automaton, &literals);
    Obligation::single(automaton, expansion.finish(&[]), program, symmetry)
}

impl Obligation {
    /// The automaton with its propositions as expressions of the model, to be written to a file: each proposition once, also
    /// where two names stand for one process.
    pub fn written(&self, program: &Program) -> (Rc<Tgba>, Vec<String>) {
        let first = |number: usize| self.tracked.iter().position(|p| *p == self.tracked[number]);
        let only = |number: usize| {
            let (family, _) = program.locate(self.tracked[number]);
            (program.families[family].size == 1).then_some(family.0)
        };
        let mut known: BTreeMap<Option<Meaning>, (Ap, bool)> = BTreeMap::new();
        let (mut literals, mut texts) = (Vec::new(), Vec::new());
        for (atom, (meaning, sign)) in self.atoms.iter().zip(self.meanings.iter()) {
            let next = Ap(texts.len() as u32);
            let (ap, other) = *known.entry(meaning.with_only(only).turned(first)).or_insert((next, *sign));
            if ap == next {
                texts.push(self.show_atom(program, atom));
            }
            literals.push(Literal::Open(ap, *sign == other));
        }
        (with_literals(&self.automaton, &literals), texts)
    }
}

/// The automaton with these literals in the place of its propositions.
fn with_literals(automaton: &Rc<Tgba>, literals: &[Literal]) -> Rc<Tgba> {
    let same = (0..).zip(literals).all(|(number, literal)| *literal == Literal::Open(Ap(number), true));
    if same { automaton.clone() } else { Rc::new(relabelled(automaton, literals)) }
}

fn relabelled(automaton: &Tgba, literals: &[Literal]) -> Tgba {
    let cube = |cube: &Cube| {
        let mut kept = Vec::new();
        for (ap, positive) in cube.literals() {
            match literals[ap.index()] {
                Literal::Fixed(value) if value == positive => {}
                Literal::Fixed(_) => return None,
                Literal::Open(other, sign) => kept.push((other, sign == positive)),
            }
        }
        Cube::of(kept)
    };
    let moved = |t: &Transition| {
        let label = Label::of(t.label.cubes().iter().filter_map(cube));
        (!label.cubes().is_empty()).then(|| Transition { label, ..t.clone() })
    };
    let states = automaton.states().map(|q| automaton.transitions(q).iter().filter_map(moved).collect());
    Tgba::new(automaton.initial().iter().copied(), automaton.sets(), states.collect::<Vec<Vec<_>>>())
        .expect("the states and acceptance sets are the same")
}
