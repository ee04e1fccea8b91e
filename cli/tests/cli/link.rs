//! `orbitscope link`

use crate::support::{Folder, Transcript};
use orbitscope_core::exercise::Packed;
use orbitscope_core::explore::Limits;
use orbitscope_core::link::Link;

const MODEL: &str = "param n = 2 in 1..9\nprocess p[n] { var x: bool = false action go: not x -> x := true }\n\
                     ltl live: forall q in p: F q.x\n";

#[test]
fn a_link_holds_the_model() {
    let folder = Folder::with(&[("a.orb", MODEL)]);
    let printed = folder.run(&["link", "a.orb", "--set", "n=3", "-p", "live"], "");
    assert_eq!(printed.status.code(), Some(0));
    let address = String::from_utf8(printed.stdout).unwrap();
    let (page, fragment) = address.trim_end().split_once('#').unwrap();
    assert_eq!(page, "http://127.0.0.1:8080/");
    let expected = Link {
        text: MODEL.into(),
        settings: vec![("n".into(), 3)],
        property: Some("live".into()),
        ..Link::default()
    };
    assert_eq!(Link::decode(fragment), Ok(expected));
}

#[test]
fn links_as_text() {
    let folder = Folder::with(&[("a.orb", MODEL), ("wrong.orb", "shared x bool = true\n")]);
    Transcript::default()
        .run(&folder, &["link", "a.orb", "--page", "https://example.org/orbitscope/"])
        .run(&folder, &["link", "a.orb", "-p", "lve"])
        .run(&folder, &["link", "a.orb", "--set", "n=10"])
        .run(&folder, &["link", "wrong.orb"])
        .run(&folder, &["link", "nowhere.orb"])
        .check("link");
}

/// Each lab as a link: the start opens, and a student gets the task, not what is for teachers.
#[test]
fn an_exercise_is_linked_with_what_a_student_reads() {
    let folder = Folder::new();
    for lab in crate::grade::labs() {
        let path = |name: &str| lab.join(name).to_string_lossy().into_owned();
        let printed = folder.run(&["link", &lab.to_string_lossy()], "");
        assert_eq!(printed.status.code(), Some(0), "{}", String::from_utf8_lossy(&printed.stderr));
        let address = String::from_utf8(printed.stdout).unwrap();
        let (_, fragment) = address.trim_end().split_once('#').unwrap();
        let start = std::fs::read_to_string(path("start.orb")).unwrap();
        assert_eq!(Link::decode(fragment), Ok(Link { text: start, ..Link::default() }));
        let text = orbitscope_core::link::exercise(fragment).unwrap().unwrap();
        let Packed { format, exercise } = serde_json::from_str(&text).unwrap();
        assert_eq!((format, exercise.flaw()), (1, None));
        assert!(exercise.task.starts_with("# Lab ") && !exercise.notice.is_empty(), "{}", exercise.task);
        assert!(!text.contains("For teachers"), "{text}");
        // The page asks the same as `grade`.
        let solution = std::fs::read_to_string(path("solution.orb")).unwrap();
        let first = exercise.mark(&exercise.checks[0], &solution, Limits::default(), || true);
        assert_eq!((exercise.objection(&solution), first), (None, Ok(())), "{}", lab.display());
    }
}

#[test]
fn exercises_that_cannot_be_linked_are_told() {
    let folder = Folder::new();
    for name in ["empty", "damaged"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    folder.write("damaged/exercise.json", b"{");
    Transcript::default()
        .run(&folder, &["link", "empty"])
        .run(&folder, &["link", "damaged"])
        .run(&folder, &["link", "damaged", "--set", "n=2"])
        .check("link_exercise");
}
