//! An exercise: a folder with `exercise.json`, the model that students start from, and the properties that are asked of it.

use crate::failure::Failure;
use crate::model::Source;
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::syntax::ast::{Fairness, ItemKind};
use orbitscope_core::syntax::parse;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file that makes a folder an exercise.
const DESCRIPTION: &str = "exercise.json";

/// The content of `exercise.json`; the guide's chapter on courses explains each member.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    title: String,
    start: String,
    #[serde(default)]
    properties: Option<String>,
    #[serde(default)]
    allow: Vec<Kind>,
    checks: Vec<Demand>,
}

/// The kinds of item that change what a verdict means: a submission has them only where it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Assume,
    Fairness,
    Symmetry,
}

/// One thing that is asked of a submission.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Demand {
    /// The property: one of the exercise's, or with `on` one that the submission has to have.
    #[serde(default)]
    property: Option<String>,
    #[serde(default)]
    verdict: Option<Expected>,
    /// In the place of a property and its verdict: how many elements the symmetry group has.
    #[serde(default)]
    order: Option<String>,
    /// A model of the exercise, about which the submission's property is asked.
    #[serde(default)]
    pub on: Option<String>,
    #[serde(default)]
    pub set: BTreeMap<String, i64>,
    #[serde(default)]
    pub fairness: Notion,
    #[serde(default = "one")]
    pub points: u32,
    #[serde(default)]
    pub hint: String,
}

/// The question of a demand.
pub(super) enum Ask<'a> {
    Verdict(&'a str, Expected),
    Order(&'a str),
}

impl Demand {
    /// The question; none where the description mixes both kinds, or has neither.
    fn try_ask(&self) -> Option<Ask<'_>> {
        match (&self.property, self.verdict, &self.order) {
            (Some(property), Some(verdict), None) => Some(Ask::Verdict(property, verdict)),
            (None, None, Some(order)) if self.on.is_none() => Some(Ask::Order(order)),
            _ => None,
        }
    }

    /// The question.
    ///
    /// # Panics
    /// If the exercise was not read by [`Exercise::read`], which refuses what asks nothing.
    pub(super) fn ask(&self) -> Ask<'_> {
        self.try_ask().expect("every demand of an exercise asks something")
    }
}

fn one() -> u32 {
    1
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Expected {
    Holds,
    Violated,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Notion {
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

/// An exercise with the texts of its files.
#[derive(Debug)]
pub(super) struct Exercise {
    pub title: String,
    pub folder: PathBuf,
    /// The properties that are asked about, as text.
    pub properties: String,
    /// The models by their names, without their properties.
    pub models: BTreeMap<String, String>,
    pub checks: Vec<Demand>,
    allow: Vec<Kind>,
    /// The items of the start that a submission may have too, in standard spelling.
    given: Vec<String>,
}

impl Exercise {
    pub(super) fn read(folder: &str) -> Result<Exercise, Failure> {
        let folder = PathBuf::from(folder);
        let text = |name: &str| Source::read(&folder.join(name).to_string_lossy()).map(|source| source.text);
        let file = folder.join(DESCRIPTION);
        let wrong = |words: String| Failure::Input(format!("{}: {words}", file.display()));
        let said: Description =
            serde_json::from_str(&text(DESCRIPTION)?).map_err(|error| wrong(error.to_string()))?;
        let properties = said.properties.as_deref().map(text).transpose()?.unwrap_or_default();
        let start = text(&said.start)?;
        let mut models = BTreeMap::new();
        for name in said.checks.iter().filter_map(|check| check.on.as_ref()) {
            models.insert(name.clone(), Parts::of(&text(name)?).model);
        }
        let own = Parts::of(&properties).names;
        for (number, check) in said.checks.iter().enumerate() {
            let place = number + 1;
            match check.try_ask() {
                None => {
                    let words = "has either `property` and `verdict`, or `order`";
                    return Err(wrong(format!("check {place} of the list {words}")));
                }
                Some(Ask::Verdict(name, _)) if check.on.is_none() && !own.iter().any(|own| own == name) => {
                    return Err(wrong(format!(
                        "check {place}: `{name}` is none of the exercise's properties"
                    )));
                }
                Some(_) => {}
            }
        }
        if said.checks.is_empty() {
            return Err(wrong("nothing is asked: `checks` is empty".into()));
        }
        let given = Parts::of(&start).special.into_iter().map(|(_, text)| text).collect();
        let Description { title, allow, checks, .. } = said;
        Ok(Exercise { title, folder, properties, models, checks, allow, given })
    }

    /// The submissions that lie in the exercise's folder, in the order of their names.
    pub(super) fn submissions(&self) -> Result<Vec<String>, Failure> {
        let folder = self.folder.join("submissions");
        let none = || {
            let words = "there is nothing to mark: name files, or put them into";
            Failure::Input(format!("orbitscope: {words} {}", folder.display()))
        };
        let entries = folder.read_dir().map_err(|_| none())?;
        let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let models = files.filter(|file: &PathBuf| file.extension().is_some_and(|end| end == "orb"));
        let mut names: Vec<String> = models.map(|file| file.to_string_lossy().into_owned()).collect();
        names.sort();
        if names.is_empty() { Err(none()) } else { Ok(names) }
    }

    /// The items of a submission that it may not have, as they are written.
    pub(super) fn forbidden(&self, parts: &Parts) -> Vec<String> {
        let special = parts.special.iter();
        let own = special.filter(|(kind, text)| !self.allow.contains(kind) && !self.given.contains(text));
        own.map(|(_, text)| text.clone()).collect()
    }
}

/// A text taken apart into the model and the properties.
#[derive(Debug)]
pub(super) struct Parts {
    /// The text with its properties blanked out: all else stays at its place.
    pub model: String,
    /// The properties alone, each by its name.
    pub properties: BTreeMap<String, String>,
    /// The names of the properties in their order.
    pub names: Vec<String>,
    /// The items that change what a verdict means, with single spaces.
    special: Vec<(Kind, String)>,
}

impl Parts {
    pub(super) fn of(text: &str) -> Parts {
        let mut parts = Parts {
            model: text.to_owned(),
            properties: BTreeMap::new(),
            names: Vec::new(),
            special: Vec::new(),
        };
        for item in parse(text).file.items {
            let written = item.span.text(text);
            let mut special = |kind| {
                let words: Vec<&str> = written.split_whitespace().collect();
                parts.special.push((kind, words.join(" ")));
            };
            let name = match item.kind {
                ItemKind::Assume(_) => {
                    special(Kind::Assume);
                    continue;
                }
                ItemKind::Fairness { .. } => {
                    special(Kind::Fairness);
                    continue;
                }
                ItemKind::Symmetry(_) => {
                    special(Kind::Symmetry);
                    continue;
                }
                ItemKind::Property { name, .. }
                | ItemKind::DeadlockFree(name)
                | ItemKind::Automaton { name, .. } => name.name,
                _ => continue,
            };
            let blank: String = written.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
            // As many bytes as before, so that later places stay where they are.
            let filled = format!("{blank}{}", " ".repeat(written.len() - blank.len()));
            parts.model.replace_range(item.span.start as usize..item.span.end as usize, &filled);
            parts.properties.insert(name.clone(), written.to_owned());
            parts.names.push(name);
        }
        parts
    }
}

/// The name of a file without its folders.
pub(super) fn base_name(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
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
        assert_eq!(parts.special, [(Kind::Assume, "assume x == x".to_owned())]);
    }
}
