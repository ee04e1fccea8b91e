//! An exercise: a folder with `exercise.json`, the model that students start from, and the properties that are asked of it.

use crate::failure::Failure;
use crate::model::Source;
use orbitscope_core::exercise::{Demand, Exercise, Kind, Parts};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file that makes a folder an exercise.
const DESCRIPTION: &str = "exercise.json";

/// Behind this a task says what a student should notice, which is no part of the question.
const NOTICE: &str = "**What you should notice.**";
/// A paragraph that begins with this is not for students.
const FOR_TEACHERS: &str = "For teachers:";

/// The content of `exercise.json`; the guide's chapter on courses explains each member.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    title: String,
    start: String,
    #[serde(default)]
    task: Option<String>,
    #[serde(default)]
    properties: Option<String>,
    #[serde(default)]
    allow: Vec<Kind>,
    checks: Vec<Demand>,
}

/// An exercise with its folder, and the model that students start from.
#[derive(Debug)]
pub(crate) struct Folder {
    pub exercise: Exercise,
    pub start: String,
    path: PathBuf,
}

impl Folder {
    pub(crate) fn read(folder: &str) -> Result<Folder, Failure> {
        let path = PathBuf::from(folder);
        let text = |name: &str| Source::read(&path.join(name).to_string_lossy()).map(|source| source.text);
        let file = path.join(DESCRIPTION);
        let wrong = |words: String| Failure::Input(format!("{}: {words}", file.display()));
        let said: Description =
            serde_json::from_str(&text(DESCRIPTION)?).map_err(|error| wrong(error.to_string()))?;
        let properties = said.properties.as_deref().map(text).transpose()?.unwrap_or_default();
        let start = text(&said.start)?;
        let task = said.task.as_deref().map(text).transpose()?.unwrap_or_default();
        let (task, notice) = for_students(&task);
        let mut models = BTreeMap::new();
        for name in said.checks.iter().filter_map(|check| check.on.as_ref()) {
            models.insert(name.clone(), Parts::of(&text(name)?).model);
        }
        let given = Parts::of(&start).special.into_iter().map(|(_, text)| text).collect();
        let Description { title, allow, checks, .. } = said;
        let exercise = Exercise { title, task, notice, properties, models, allow, given, checks };
        match exercise.flaw() {
            Some(words) => Err(wrong(words)),
            None => Ok(Folder { exercise, start, path }),
        }
    }

    /// The submissions that lie in the exercise's folder, in the order of their names.
    pub(super) fn submissions(&self) -> Result<Vec<String>, Failure> {
        let folder = self.path.join("submissions");
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
}

/// The parts of a task that a student reads: the question, and what there was to notice.
fn for_students(task: &str) -> (String, String) {
    let (question, notice) = task.split_once(NOTICE).unwrap_or((task, ""));
    let read = |text: &str| {
        let parts = text.split("\n\n").map(str::trim);
        let parts: Vec<&str> =
            parts.filter(|part| !part.is_empty() && !part.starts_with(FOR_TEACHERS)).collect();
        parts.join("\n\n")
    };
    (read(question), read(notice))
}

/// The name of a file without its folders.
pub(super) fn base_name(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_student_reads_the_question_first() {
        let task = "# A lamp\n\nSwitch it on.\n\n```\na\n```\n\nFor teachers: easy.\n\n**What you should notice.** Light.\n\nFor teachers: solution.orb.\n";
        assert_eq!(for_students(task), ("# A lamp\n\nSwitch it on.\n\n```\na\n```".into(), "Light.".into()));
        assert_eq!(for_students(""), (String::new(), String::new()));
    }
}
