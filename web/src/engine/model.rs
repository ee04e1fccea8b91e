//! A model without errors, and what the page tells of it.

use super::problem::{Problem, problem, problems};
use super::stage::{Cast, casts};
use orbitscope_core::draw::{Glyphs, StripName};
use orbitscope_core::program::{self, Program, PropertyId, PropertyKind, Settings};
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose, describe};
use orbitscope_core::syntax::{self, ast::ItemKind, ast::Logic as Language};
use orbitscope_core::text::{Diagnostic, LineIndex};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many variables a state may have: with more of them reading the model alone could take seconds.
const MAX_SLOTS: u32 = 1 << 21;
/// How many of these a state may have whatever they are: with tables over processes, finding the symmetry takes longer.
const MAX_ENTRIES: u32 = 1 << 14;
/// With more of them, a process may have so many of its own.
const MAX_LOCAL: u32 = 64;

/// The text and the parameters of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The text of the model.
    pub source: Rc<str>,
    /// The parameters that differ from the model's own values.
    pub settings: BTreeMap<String, i64>,
}

/// A parameter of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParamInfo {
    /// Its name in the model.
    pub name: String,
    /// The value that was used.
    pub value: i64,
    /// The least and the greatest allowed value, if the model limits it.
    pub range: Option<(i64, i64)>,
}

/// The logic of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Logic {
    /// True in every state.
    Invariant,
    /// Linear time.
    Ltl,
    /// Branching time.
    Ctl,
    /// The mu-calculus.
    Mu,
    /// An automaton of wrong computations.
    Automaton,
    /// True in some state.
    Cover,
    /// No state without a step.
    Deadlock,
}

impl Logic {
    /// The keyword of the language.
    pub fn name(self) -> &'static str {
        match self {
            Logic::Invariant => "invariant",
            Logic::Cover => "cover",
            Logic::Deadlock => "deadlock",
            Logic::Ltl => "ltl",
            Logic::Ctl => "ctl",
            Logic::Mu => "mu",
            Logic::Automaton => "automaton",
        }
    }

    /// Whether it is decided by the search that the page can play.
    pub fn has_search(self) -> bool {
        matches!(self, Logic::Ltl | Logic::Automaton)
    }

    /// Whether it is answered by looking at every state.
    pub fn is_of_states(self) -> bool {
        matches!(self, Logic::Invariant | Logic::Cover | Logic::Deadlock)
    }
}

/// A property of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyInfo {
    /// Its name.
    pub name: String,
    /// Its logic.
    pub logic: Logic,
    /// The property as the model writes it.
    pub text: String,
    /// The line where it stands, from 1.
    pub line: u32,
}

/// The symmetry of a model, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymmetryInfo {
    /// How many permutations there are.
    pub order: String,
    /// Whether only the identity is one.
    pub trivial: bool,
    /// The action of the permutations on each family: its name and the words.
    pub families: Vec<(String, String)>,
    /// The places in the text that keep them from being more.
    pub reasons: Vec<Problem>,
    /// Whether the search for more was complete.
    pub complete: bool,
}

/// The facts about a model that the page tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// The parameters, with the values used.
    pub params: Vec<ParamInfo>,
    /// How many processes there are.
    pub processes: u32,
    /// The properties, in the order of the text.
    pub properties: Vec<PropertyInfo>,
    /// The symmetry.
    pub symmetry: SymmetryInfo,
    /// The families that can be put on a stage.
    pub casts: Vec<Cast>,
    /// The meaning of a glyph's strips.
    pub strips: Vec<StripName>,
}

/// A model without errors in its text and its parameters.
#[derive(Debug)]
pub struct CheckedModel {
    pub(super) source: Rc<str>,
    pub(super) program: Program,
    /// The symmetry that the text has.
    pub(super) symmetry: ProgramSymmetry,
    properties: Vec<PropertyInfo>,
}

impl CheckedModel {
    /// Checks a model. Settings of parameters that the text does not have are passed over: a text that is being edited
    /// has them again in a moment.
    pub fn new(question: &Question) -> Result<CheckedModel, Vec<Problem>> {
        let source = &question.source;
        let parsed = syntax::parse(source);
        let program =
            CheckedModel::built(&parsed, question).map_err(|diagnostics| problems(source, &diagnostics))?;
        let layout = &program.layout;
        let local = layout.records.iter().map(|record| record.stride).max().unwrap_or(0);
        if layout.slots > MAX_ENTRIES && (local > MAX_LOCAL || layout.shared > MAX_ENTRIES) {
            let message = format!(
                "a state has {} entries of tables, and {MAX_ENTRIES} are the limit on the page; the command line takes more",
                layout.slots
            );
            return Err(vec![Problem::new(message)]);
        }
        let symmetry = choose(&program, Choice::Model)
            .map_err(|refused| problems(source, &[refused.diagnostic(&program)]))?;
        let lines = LineIndex::new(source);
        let texts: BTreeMap<u32, &str> = (parsed.file.items.iter())
            .filter(|item| {
                use ItemKind as I;
                matches!(item.kind, I::Property { .. } | I::Automaton { .. } | I::DeadlockFree(_))
            })
            .filter_map(|item| {
                let text = source.get(item.span.start as usize..item.span.end as usize)?;
                Some((item.kind.name()?.span.start, text))
            })
            .collect();
        let assuming =
            program.assumed_words().map_or_else(String::new, |words| format!(" — assuming {words}"));
        let property = |property: &program::Property| {
            let logic = match property.kind {
                PropertyKind::Formula(Language::Invariant, _) => Logic::Invariant,
                PropertyKind::Formula(Language::Cover, _) => Logic::Cover,
                PropertyKind::DeadlockFree => Logic::Deadlock,
                PropertyKind::Formula(Language::Ltl, _) => Logic::Ltl,
                PropertyKind::Formula(Language::Ctl, _) => Logic::Ctl,
                PropertyKind::Formula(Language::Mu, _) => Logic::Mu,
                PropertyKind::Automaton(_) => Logic::Automaton,
            };
            let text = texts.get(&property.span.start).copied().unwrap_or_default();
            PropertyInfo {
                name: property.name.clone(),
                logic,
                text: format!("{}{assuming}", said(text, logic)),
                line: lines.position(property.span.start).line,
            }
        };
        let properties = program.properties.iter().map(property).collect();
        Ok(CheckedModel { source: source.clone(), program, symmetry, properties })
    }

    /// The program of a text alone, or what is wrong with it.
    pub(super) fn build(question: &Question) -> Result<Program, Vec<Diagnostic>> {
        CheckedModel::built(&syntax::parse(&question.source), question)
    }

    fn built(parsed: &syntax::Parsed, question: &Question) -> Result<Program, Vec<Diagnostic>> {
        if !parsed.diagnostics.is_empty() {
            return Err(parsed.diagnostics.clone());
        }
        let declared = parsed.file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Param { name, .. } => Some(name.name.as_str()),
            _ => None,
        });
        let params =
            declared.filter_map(|name| Some((name.to_owned(), *question.settings.get(name)?))).collect();
        program::build(&parsed.file, &Settings { params, max_slots: MAX_SLOTS })
    }

    /// The facts about it that the page tells.
    pub fn info(&self) -> ModelInfo {
        let CheckedModel { source, program, symmetry, .. } = self;
        let lines = LineIndex::new(source);
        let words = describe(program, &symmetry.group);
        let families = program.families.iter().zip(&words);
        ModelInfo {
            params: (program.params.iter())
                .map(|p| ParamInfo { name: p.name.clone(), value: p.value, range: p.range })
                .collect(),
            processes: program.process_count(),
            properties: self.properties.clone(),
            symmetry: SymmetryInfo {
                order: symmetry.group.order().to_string(),
                trivial: symmetry.group.is_trivial(),
                families: families.map(|(family, words)| (family.name.clone(), words.clone())).collect(),
                reasons: (symmetry.reasons.iter())
                    .map(|r| problem(&lines, &Diagnostic::new(r.span, r.message.as_str())))
                    .collect(),
                complete: symmetry.complete,
            },
            casts: casts(program),
            strips: Glyphs::new(program).names(false),
        }
    }

    /// A property by its number.
    pub(super) fn property(&self, number: u32) -> Option<(PropertyId, &PropertyInfo)> {
        let info = self.properties.get(number as usize)?;
        Some((PropertyId(number), info))
    }

    /// Errors with their places in this model's text.
    pub(super) fn problem(&self, diagnostic: &Diagnostic) -> Problem {
        problem(&LineIndex::new(&self.source), diagnostic)
    }
}

/// A property on one line: of `ltl name: formula` the formula, of an automaton the whole.
fn said(text: &str, logic: Logic) -> String {
    let formula = match logic {
        Logic::Automaton => text,
        _ => text.split_once(':').map_or(text, |(_, formula)| formula),
    };
    formula.split_whitespace().collect::<Vec<_>>().join(" ")
}
