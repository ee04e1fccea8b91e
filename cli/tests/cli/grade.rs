//! Exercises and their marks. The guide's labs are marked too: a solution gets all points, a start does not.

use crate::support::{Folder, Transcript};
use std::path::{Path, PathBuf};

/// The folders of the guide's labs.
pub(crate) fn labs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/labs");
    let mut labs: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    labs.sort();
    labs
}

#[test]
fn solutions_of_the_labs_get_all_points_and_starts_do_not() {
    let folder = Folder::new();
    let labs = labs();
    assert_eq!(labs.len(), 8);
    for lab in labs {
        let path = |name: &str| lab.join(name).to_string_lossy().into_owned();
        let marks = |name: &str| {
            let output = folder.run(&["grade", &lab.to_string_lossy(), &path(name)], "");
            assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
            (output.status.code(), String::from_utf8(output.stdout).unwrap())
        };
        let (status, text) = marks("solution.orb");
        assert_eq!(status, Some(0), "{text}");
        let (status, text) = marks("start.orb");
        assert_eq!(status, Some(1), "{text}");
        assert!(text.contains("FAIL") && text.contains("hint: ") && !text.contains("has an error"), "{text}");
        // Students are asked for exactly that which is checked.
        let task = std::fs::read_to_string(path("task.md")).unwrap();
        if let Ok(properties) = std::fs::read_to_string(path("properties.orb")) {
            assert!(task.contains(&properties), "{}", lab.display());
        }
        assert!(task.contains("**What you should notice.**"), "{}", lab.display());
        for model in ["start.orb", "solution.orb"] {
            let output = folder.run(&["fmt", "--check", &path(model)], "");
            assert!(output.status.success(), "{} {model} is not formatted", lab.display());
        }
    }
}

const EXERCISE: &str = r#"{ "title": "A lamp", "start": "start.orb", "properties": "properties.orb",
  "checks": [
    { "property": "on", "verdict": "holds", "points": 2, "hint": "Switch it on." },
    { "property": "early", "verdict": "violated", "on": "start.orb" },
    { "order": "2" }
  ] }"#;
const START: &str = "process p[2] { var x: bool = false action go: x -> x := true }\ncover early: true\n";

fn lamp() -> Folder {
    let folder = Folder::with(&[]);
    std::fs::create_dir_all(folder.path().join("lamp/submissions")).unwrap();
    folder.write("lamp/exercise.json", EXERCISE.as_bytes());
    folder.write("lamp/start.orb", START.as_bytes());
    folder.write("lamp/properties.orb", b"cover on: exists q in p: q.x\n");
    let submit = |name: &str, text: &str| folder.write(&format!("lamp/submissions/{name}"), text.as_bytes());
    let solved = START.replace("go: x", "go: not x").replace("early: true", "early: p[0].x");
    submit("1-solved.orb", &solved);
    submit("2-start.orb", START);
    submit("3-error.orb", "process p[2] {");
    // A property of one's own that has the name of one that is asked.
    submit("4-own.orb", &format!("{START}cover on: true\n"));
    submit("5-assumed.orb", &format!("{solved}assume p[0].x or not p[1].x\n"));
    submit("6-renamed.orb", "process q[3] { var x: bool = false action go: not x -> x := true }\n");
    submit(
        "7-endless.orb",
        "shared n: 0..9999999 = 0\nprocess p[2] { var x: bool = false action go: n < 9999999 -> n := n + 1 }\ncover early: true",
    );
    folder
}

#[test]
fn submissions_are_marked() {
    let folder = lamp();
    Transcript::default()
        .run(&folder, &["grade", "lamp", "--max-states", "1000"])
        .run(&folder, &["grade", "lamp", "lamp/submissions/1-solved.orb", "--report", "csv=-"])
        .run(&folder, &["grade", "lamp", "nobody.orb"])
        .check("grade");
    folder.run(
        &[
            "grade",
            "lamp",
            "--max-states",
            "1000",
            "--report",
            "junit=marks.xml",
            "--report",
            "csv=marks.csv",
        ],
        "",
    );
    let xml = folder.read("marks.xml");
    crate::junit::follows_the_schema(&xml).unwrap();
    assert!(xml.contains("<testsuites name=\"A lamp\" tests=\"21\" failures=\""), "{xml}");
    assert_eq!(xml.matches("<testsuite ").count(), 7);
    assert_eq!(xml.matches("<failure").count(), xml.matches("</failure>").count());
    assert!(xml.contains("hint: Switch it on."), "{xml}");
    let csv = folder.read("marks.csv");
    assert_eq!(csv.lines().count(), 8);
    assert_eq!(csv.lines().nth(1), Some("\"1-solved.orb\",4,4,2,1,1"));
}

#[test]
fn wrong_exercises_are_told() {
    let folder = lamp();
    let mut transcript = Transcript::default();
    for (name, from, to) in [
        ("misspelt", "\"points\"", "\"point\""),
        ("unknown", "\"on\", \"verdict\"", "\"off\", \"verdict\""),
        ("mixed", "\"order\": \"2\"", "\"order\": \"2\", \"property\": \"on\""),
        ("lost", "\"properties.orb\"", "\"nowhere.orb\""),
    ] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
        for file in ["start.orb", "properties.orb"] {
            folder.write(&format!("{name}/{file}"), folder.read(&format!("lamp/{file}")).as_bytes());
        }
        folder.write(&format!("{name}/exercise.json"), EXERCISE.replace(from, to).as_bytes());
        transcript.run(&folder, &["grade", name, "lamp/start.orb"]);
    }
    folder.write("unknown/exercise.json", b"{");
    transcript
        .run(&folder, &["grade", "unknown"])
        .run(&folder, &["grade", "nowhere"])
        .run(&folder, &["grade", "lamp", "--report", "sarif=x"]);
    std::fs::remove_dir_all(folder.path().join("lamp/submissions")).unwrap();
    transcript.run(&folder, &["grade", "lamp"]).check("grade_bad");
}
