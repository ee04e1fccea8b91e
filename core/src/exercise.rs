//! An exercise: what is asked of a submission, and how it is marked.
//!
//! The command line marks files with it, and the page shows an exercise that comes with a link. Both ask the same code, so that a
//! student and a teacher see the same marks.

use crate::check::Options;
use crate::explore::Limits;
use crate::product::FairnessChoice;
use crate::program::{Settings, build};
use crate::syntax::ast::{Fairness, ItemKind};
use crate::syntax::parse;
use crate::text::Diagnostic;
use crate::{Error, Model};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A submission that needs more states than this is not the small model that was asked for.
pub const STATES: u32 = 1_000_000;

/// The version of [`Packed`] that is written.
pub const FORMAT: u32 = 1;

/// An exercise as a link carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Packed {
    /// [`FORMAT`] of whoever wrote it.
    pub format: u32,
    /// The exercise.
    pub exercise: Exercise,
}

/// An exercise with the texts of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Exercise {
    /// Its name.
    pub title: String,
    /// The task of the student, in Markdown.
    #[cfg_attr(feature = "serde", serde(default))]
    pub task: String,
    /// The student should notice this; it is shown when everything is met.
    #[cfg_attr(feature = "serde", serde(default))]
    pub notice: String,
    /// The properties that are asked about, as text.
    #[cfg_attr(feature = "serde", serde(default))]
    pub properties: String,
    /// The models by their names, without their properties.
    #[cfg_attr(feature = "serde", serde(default))]
    pub models: BTreeMap<String, String>,
    /// The kinds of item that a submission may have beyond those that it starts with.
    #[cfg_attr(feature = "serde", serde(default))]
    pub allow: Vec<Kind>,
    /// The items of the start that change what a verdict means, with single spaces: a submission may have them too.
    #[cfg_attr(feature = "serde", serde(default))]
    pub given: Vec<String>,
    /// The question.
    pub checks: Vec<Demand>,
}

/// The kinds of item that change what a verdict means: a submission has them only where it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "lowercase"))]
pub enum Kind {
    /// `assume`
    Assume,
    /// `fairness`
    Fairness,
    /// `symmetry`
    Symmetry,
}

/// One thing that is asked of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Demand {
    /// The property: one of the exercise's, or with `on` one that the submission has to have.
    #[cfg_attr(feature = "serde", serde(default))]
    pub property: Option<String>,
    /// Its verdict.
    #[cfg_attr(feature = "serde", serde(default))]
    pub verdict: Option<Expected>,
    /// In the place of a property and its verdict: how many elements the symmetry group has.
    #[cfg_attr(feature = "serde", serde(default))]
    pub order: Option<String>,
    /// A model of the exercise, about which the submission's property is asked.
    #[cfg_attr(feature = "serde", serde(default))]
    pub on: Option<String>,
    /// Values of parameters.
    #[cfg_attr(feature = "serde", serde(default))]
    pub set: BTreeMap<String, i64>,
    /// The fairness of every process.
    #[cfg_attr(feature = "serde", serde(default))]
    pub fairness: Notion,
    /// Its points.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub points: u32,
    /// Words for who does not meet it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub hint: String,
    /// Whether the page keeps to itself what is asked.
    #[cfg_attr(feature = "serde", serde(default))]
    pub hidden: bool,
}

#[cfg(feature = "serde")]
fn one() -> u32 {
    1
}

/// The question of a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask<'a> {
    /// A property, and its verdict.
    Verdict(&'a str, Expected),
    /// How many elements the symmetry group has.
    Order(&'a str),
}

/// A verdict that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "lowercase"))]
#[allow(missing_docs, reason = "the names are the verdicts")]
pub enum Expected {
    Holds,
    Violated,
}

/// A notion of fairness, for every process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "lowercase"))]
#[allow(missing_docs, reason = "the names are the notions")]
pub enum Notion {
    #[default]
    Model,
    Weak,
    Strong,
    None,
}

impl From<Notion> for FairnessChoice {
    fn from(notion: Notion) -> FairnessChoice {
        match notion {
            Notion::Model => FairnessChoice::Model,
            Notion::Weak => FairnessChoice::All(Fairness::Weak),
            Notion::Strong => FairnessChoice::All(Fairness::Strong),
            Notion::None => FairnessChoice::All(Fairness::None),
        }
    }
}

impl Demand {
    /// The question; none where the description mixes both kinds, or has neither.
    pub fn ask(&self) -> Option<Ask<'_>> {
        match (&self.property, self.verdict, &self.order) {
            (Some(property), Some(verdict), None) => Some(Ask::Verdict(property, verdict)),
            (None, None, Some(order)) if self.on.is_none() => Some(Ask::Order(order)),
            _ => None,
        }
    }

    /// The demand in a few words.
    pub fn words(&self) -> String {
        let mut words = match self.ask() {
            Some(Ask::Verdict(property, Expected::Holds)) => format!("{property} holds"),
            Some(Ask::Verdict(property, Expected::Violated)) => format!("{property} is violated"),
            Some(Ask::Order(order)) => format!("the symmetry has order {order}"),
            None => "nothing".into(),
        };
        if let Some(model) = &self.on {
            words = format!("{words} on {model}");
        }
        words.push_str(match self.fairness {
            Notion::Model => "",
            Notion::Weak => " under weak fairness",
            Notion::Strong => " under strong fairness",
            Notion::None => " without fairness",
        });
        for (name, value) in &self.set {
            let _ = write!(words, " with {name}={value}");
        }
        words
    }
}

/// Why a submission cannot be asked about at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    /// It has an error.
    Wrong(Diagnostic),
    /// It has items that the exercise does not allow, as they are written.
    Forbidden(Vec<String>),
}

impl Exercise {
    /// The first thing that is wrong with the exercise itself.
    pub fn flaw(&self) -> Option<String> {
        if self.checks.is_empty() {
            return Some("nothing is asked: `checks` is empty".into());
        }
        let own = Parts::of(&self.properties).names;
        self.checks.iter().zip(1..).find_map(|(check, place)| match (check.ask(), &check.on) {
            (None, _) => {
                let words = "has either `property` and `verdict`, or `order`";
                Some(format!("check {place} of the list {words}"))
            }
            (Some(Ask::Verdict(name, _)), None) if !own.iter().any(|own| own == name) => {
                Some(format!("check {place}: `{name}` is none of the exercise's properties"))
            }
            (_, Some(model)) if !self.models.contains_key(model) => {
                Some(format!("check {place}: there is no model `{model}`"))
            }
            _ => None,
        })
    }

    /// Why a submission cannot be asked about; nothing where it can.
    pub fn objection(&self, text: &str) -> Option<Objection> {
        let parsed = parse(text);
        let mut problems = parsed.diagnostics;
        if problems.is_empty() {
            problems = build(&parsed.file, &Settings::default()).err().unwrap_or_default();
        }
        if let Some(first) = problems.into_iter().next() {
            return Some(Objection::Wrong(first));
        }
        let special = Parts::of(text).special.into_iter();
        let own = special.filter(|(kind, text)| !self.allow.contains(kind) && !self.given.contains(text));
        let forbidden: Vec<String> = own.map(|(_, text)| text).collect();
        (!forbidden.is_empty()).then_some(Objection::Forbidden(forbidden))
    }

    /// Whether a submission to which there is no [`objection`](Exercise::objection) meets a demand, or else why not. The check goes
    /// on as long as `goes_on` says so.
    pub fn mark(
        &self,
        demand: &Demand,
        text: &str,
        limits: Limits,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<(), String> {
        let parts = Parts::of(text);
        let options = Options { fairness: demand.fairness.into(), limits, ..Options::default() };
        let (name, verdict) = match demand.ask() {
            None => return Err("this exercise asks nothing here".into()),
            Some(Ask::Verdict(name, verdict)) => (name, verdict),
            Some(Ask::Order(expected)) => {
                let found = demand.model(&parts.model, options)?.symmetry().group.order().to_string();
                let words = || format!("the symmetry group has {found} elements, and should have {expected}");
                return if found == expected { Ok(()) } else { Err(words()) };
            }
        };
        let text = match &demand.on {
            None => format!("{}\n{}", parts.model, self.properties),
            Some(model) => {
                let own = parts.properties.get(name);
                let own = own.ok_or_else(|| format!("the submission has no property called `{name}`"))?;
                let model = self.models.get(model).ok_or_else(|| format!("there is no model `{model}`"))?;
                format!("{model}\n{own}\n")
            }
        };
        let model = demand.model(&text, options)?;
        let mut session = model.start(name).map_err(misfit)?;
        while session.step() && goes_on() {}
        let answer = session.finish();
        let found = match (answer.holds(), answer.is_violated()) {
            (true, _) => Expected::Holds,
            (_, true) => Expected::Violated,
            _ => return Err(answer.to_string().lines().next().unwrap_or_default().to_string()),
        };
        if found == verdict { Ok(()) } else { Err(unlike(found, &answer.run_text())) }
    }
}

impl Demand {
    fn model(&self, text: &str, options: Options) -> Result<Model, String> {
        let mut model = Model::parse(text).map_err(misfit)?.with(options);
        for (name, value) in &self.set {
            model = model.set(name, *value).map_err(misfit)?;
        }
        Ok(model)
    }
}

/// The texts were joined by us: what does not fit is told without the lines of the joined text.
fn misfit(error: Error) -> String {
    match error {
        Error::Model(error) => {
            let said: Vec<&str> =
                error.diagnostics().iter().map(|problem| problem.message.as_str()).collect();
            format!("this cannot be asked about the model: {}", said.join("; "))
        }
        other => other.to_string(),
    }
}

/// Words for a verdict that is not the expected one.
fn unlike(found: Expected, run: &str) -> String {
    match found {
        Expected::Holds => "it holds, and should be violated".into(),
        Expected::Violated if run.is_empty() => "it is violated, and should hold".into(),
        Expected::Violated => format!("it is violated, and should hold\n{run}"),
    }
}

/// A text taken apart into the model and the properties.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The text with its properties blanked out: all else stays at its place.
    pub model: String,
    /// The properties alone, each by its name.
    pub properties: BTreeMap<String, String>,
    /// The names of the properties in their order.
    pub names: Vec<String>,
    /// The items that change what a verdict means, with single spaces.
    pub special: Vec<(Kind, String)>,
}

impl Parts {
    /// Takes a text apart.
    pub fn of(text: &str) -> Parts {
        let mut parts =
            Parts { model: text.into(), properties: BTreeMap::new(), names: Vec::new(), special: Vec::new() };
        for item in parse(text).file.items {
            let written = item.span.text(text);
            let kind = match item.kind {
                ItemKind::Assume(_) => Kind::Assume,
                ItemKind::Fairness { .. } => Kind::Fairness,
                ItemKind::Symmetry(_) => Kind::Symmetry,
                ItemKind::Property { name, .. }
                | ItemKind::DeadlockFree(name)
                | ItemKind::Automaton { name, .. } => {
                    let blank: String = written.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
                    // As many bytes as before, so that later places stay where they are.
                    let filled = format!("{blank}{}", " ".repeat(written.len() - blank.len()));
                    parts.model.replace_range(item.span.start as usize..item.span.end as usize, &filled);
                    parts.properties.insert(name.name.clone(), written.into());
                    parts.names.push(name.name);
                    continue;
                }
                _ => continue,
            };
            let words: Vec<&str> = written.split_whitespace().collect();
            parts.special.push((kind, words.join(" ")));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart() {
        let text =
            "// é\nshared x: bool = false\ninvariant a: x or\n  not x\nassume   x == x\nltl b: F x // kept\n";
        let parts = Parts::of(text);
        assert_eq!(parts.names, ["a", "b"]);
        assert_eq!(parts.properties["a"], "invariant a: x or\n  not x");
        assert_eq!(parts.model.len(), text.len());
        assert_eq!(parts.model.lines().count(), text.lines().count());
        assert!(!parts.model.contains("invariant") && parts.model.contains("// kept"));
        assert_eq!(parts.special, [(Kind::Assume, "assume x == x".to_string())]);
    }
}
