//! `orbitscope link`

use crate::support::{Folder, Transcript};
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
