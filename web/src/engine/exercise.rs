//! An exercise that came with a link, for `static/exercise.js`: what a student sees of it, and whether a text meets it.
//!
//! Both answers are JSON. The page's own program knows nothing of exercises, so that it stays small.

use orbitscope_core::exercise::{Exercise, FORMAT, Objection, Packed, STATES};
use orbitscope_core::explore::Limits;
use orbitscope_core::link;
use orbitscope_core::text::LineIndex;
use serde::Deserialize;
use serde_json::json;

/// The parts that every format has.
#[derive(Deserialize)]
struct Head {
    format: u32,
}

fn read(fragment: &str) -> Result<Exercise, String> {
    let wrong = |error: serde_json::Error| format!("it is damaged ({error}); ask for the link again");
    let text = link::exercise(fragment).map_err(|error| error.to_string())?;
    let text = text.ok_or("the link has none")?;
    let Head { format } = serde_json::from_str(&text).map_err(wrong)?;
    if format > FORMAT {
        return Err(format!(
            "it has format {format}, and the newest one known here is {FORMAT}: reload the page, or open the link where it was made"
        ));
    }
    let Packed { exercise, .. } = serde_json::from_str(&text).map_err(wrong)?;
    match exercise.flaw() {
        Some(words) => Err(words),
        None => Ok(exercise),
    }
}

/// The exercise of a link as a student sees it, or `error`.
pub fn told(fragment: &str) -> String {
    match read(fragment) {
        Err(error) => json!({ "error": error }),
        Ok(exercise) => {
            let checks = exercise.checks.iter().map(|check| {
                let words = if check.hidden { "a hidden check".to_owned() } else { check.words() };
                json!({ "words": words, "points": check.points, "hint": check.hint })
            });
            let checks: Vec<_> = checks.collect();
            let Exercise { title, task, notice, .. } = &exercise;
            json!({ "title": title, "task": task, "notice": notice, "checks": checks })
        }
    }
    .to_string()
}

/// Whether a text meets the demand with this number, and why not.
pub fn marked(fragment: &str, text: &str, number: usize) -> String {
    let why = match read(fragment) {
        Err(error) => Some(error),
        Ok(exercise) => mark(&exercise, text, number).err(),
    };
    json!({ "met": why.is_none(), "why": why.unwrap_or_default() }).to_string()
}

fn mark(exercise: &Exercise, text: &str, number: usize) -> Result<(), String> {
    let demand = exercise.checks.get(number).ok_or("the exercise has no such check")?;
    match exercise.objection(text) {
        Some(Objection::Wrong(first)) => {
            let line = LineIndex::new(text).position(first.span.start).line;
            return Err(format!("the model has an error in line {line}: {}", first.message));
        }
        Some(Objection::Forbidden(items)) => {
            return Err(format!("this exercise is to be solved without `{}`", items.join("`, `")));
        }
        None => {}
    }
    let limits = Limits { states: STATES, ..Limits::default() };
    let done = exercise.mark(demand, text, limits, || true);
    // A run would tell what is asked.
    if demand.hidden { done.map_err(|_| String::new()) } else { done }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbitscope_core::link::Link;
    use serde_json::Value;

    const START: &str = "process p[2] { var x: bool = false action go: x -> x := true }\n";

    fn linked(exercise: &str) -> String {
        Link { text: START.into(), ..Link::default() }.encode_with(exercise)
    }

    fn lamp() -> String {
        linked(&json!({ "format": 1, "exercise": {
            "title": "A lamp", "task": "Switch it on.", "properties": "cover on: exists q in p: q.x\ncover off: exists q in p: not q.x\n",
            "checks": [
                { "property": "on", "verdict": "holds", "hint": "Change the guard.", "points": 2 },
                { "property": "on", "verdict": "holds", "hidden": true },
                { "order": "2" },
            ],
        } }).to_string())
    }

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    fn marks(text: &str) -> Vec<(bool, String)> {
        let fragment = lamp();
        let marks = (0..3).map(|number| {
            let marks = json(&marked(&fragment, text, number));
            (marks["met"].as_bool().unwrap(), marks["why"].as_str().unwrap().to_owned())
        });
        marks.collect()
    }

    #[test]
    fn a_student_sees_what_is_asked_and_not_what_is_hidden() {
        let told = json(&told(&lamp()));
        assert_eq!((&told["title"], &told["task"]), (&json!("A lamp"), &json!("Switch it on.")));
        let words: Vec<&Value> =
            told["checks"].as_array().unwrap().iter().map(|check| &check["words"]).collect();
        assert_eq!(words, ["on holds", "a hidden check", "the symmetry has order 2"]);
        assert_eq!((&told["checks"][0]["points"], &told["checks"][1]["points"]), (&json!(2), &json!(1)));
    }

    #[test]
    fn a_text_is_marked_as_the_command_line_marks_it() {
        let [on, hidden, order] = &marks(START)[..] else { panic!() };
        assert!(!on.0 && !on.1.is_empty(), "{on:?}");
        assert_eq!(*hidden, (false, String::new()));
        assert_eq!(*order, (true, String::new()));
        let solved = START.replace("go: x", "go: not x");
        assert!(marks(&solved).iter().all(|(met, _)| *met));
        let wrong = &marks("process p[2] {\n  var x: bol = false\n}")[0];
        assert!(wrong.1.starts_with("the model has an error in line 2: "), "{}", wrong.1);
        let forbidden = &marks(&format!("{solved}assume p[0].x or not p[0].x\n"))[0];
        assert!(forbidden.1.contains("without `assume"), "{}", forbidden.1);
        assert!(!json(&marked(&lamp(), START, 9))["met"].as_bool().unwrap());
    }

    /// The model opens all the same; the words say what is wrong with the exercise.
    #[test]
    fn what_cannot_be_read_is_told() {
        let error = |fragment: &str| json(&told(fragment))["error"].as_str().unwrap().to_owned();
        assert!(error(&linked("{")).contains("damaged"));
        assert!(error(&linked("{\"format\":1}")).contains("damaged"));
        assert!(error(&linked("{\"format\":7,\"riddle\":1}")).contains("format 7"));
        assert!(error(&Link::default().encode()).contains("has none"));
        let fragment = lamp();
        assert!(error(&fragment[..fragment.len() - 9]).contains("damaged"));
        let empty = json!({ "format": 1, "exercise": { "title": "x", "checks": [] } }).to_string();
        assert!(error(&linked(&empty)).contains("nothing is asked"));
        assert_eq!(Link::decode(&fragment[..fragment.len() - 9]).unwrap().text, START);
    }
}
