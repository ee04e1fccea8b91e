//! Exports for other tools, as golden files, and models that cannot be exported.

use crate::support::{Params, built, data};
use orbitscope_core::export::{Request, promela, tla};
use orbitscope_core::models;
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::Fairness;

/// A model whose names mean something elsewhere, with all kinds of values.
const ODD: &str = include_str!("data/export/odd.orb");

/// A count over several names, also where a part of it does not depend on the state.
const PAIRS: &str = include_str!("data/export/count_of_pairs.orb");

/// Blocks of `init`, with values that stay open.
const INITIAL: &str = include_str!("data/export/initial.orb");

const CASES: &[(&str, Params)] = &[
    ("resource_controller", &[("clients", 2)]),
    ("token_ring", &[("stations", 3)]),
    ("odd", &[]),
    ("count_of_pairs", &[]),
    ("initial", &[]),
];

#[test]
fn golden() {
    for &(name, params) in CASES {
        let own = match name {
            "odd" => ODD,
            "initial" => INITIAL,
            _ => PAIRS,
        };
        let source = models::find(name).map_or(own, |model| model.source);
        let program = built(name, source, params);
        let symmetry = choose(&program, Choice::Model).expect("no claim is wrong");
        let request = Request::new(name, &program, &symmetry);
        for (ending, text) in [("pml", promela(&request)), ("tla", tla(&request))] {
            let text = text.unwrap_or_else(|error| panic!("{name}.{ending}: {}", error.message));
            let file = data(&format!("export/{name}.{ending}"));
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                std::fs::write(&file, &text).expect("the golden file can be written");
            }
            let expected = std::fs::read_to_string(&file).expect("the golden file is there");
            assert!(text == expected, "{name}.{ending} has changed; UPDATE_GOLDEN=1 rewrites it:\n{text}");
        }
    }
}

/// Why a property, or the whole model, cannot be written.
#[test]
fn refusals() {
    let program = built("odd", ODD, &[]);
    let symmetry = choose(&program, Choice::Model).expect("no claim is wrong");
    let asked = |name: &str| Request {
        property: Some(program.property(name).expect("it has the property")),
        ..Request::new("odd", &program, &symmetry)
    };
    for (name, spin, tlc) in [
        ("can", Some("no CTL"), Some("no CTL")),
        ("wrong", None, Some("no automata")),
        ("soon", None, Some("no `X`")),
        ("again", None, Some("cannot ask which process executes")),
        ("small", None, None),
    ] {
        for (words, written) in [(spin, promela(&asked(name))), (tlc, tla(&asked(name)))] {
            match (words, written) {
                (None, Ok(_)) => {}
                (Some(words), Err(error)) => {
                    assert!(error.message.contains(words), "{name}: {}", error.message);
                }
                (words, written) => panic!("{name}: expected {words:?}, found {written:?}"),
            }
        }
    }
    let large = |source: &str, words: &str| {
        let program = built("large", source, &[]);
        let symmetry = choose(&program, Choice::None).expect("nothing is claimed");
        let error = promela(&Request::new("large", &program, &symmetry)).expect_err("it is too large");
        assert!(error.message.contains(words), "{}", error.message);
    };
    large("process p[300] { var x: bool = false action go: true -> x := true }", "at most 255 processes");
    large("process p[200] { var x: bool = false action go(a in p, b in p): a != b -> x := true }", "MiB");
    let deep = "process p[200] { var x: bool = false
        action go: forall a in p, b in p, c in p, d in p: a.x => b.x or c.x or d.x -> x := true }";
    large(deep, "MiB");
    let strong = built(
        "strong",
        "process p[9] { var x: bool = false action go: true -> x := not x } ltl a: G F p[0].x",
        &[],
    );
    let symmetry = choose(&strong, Choice::None).expect("nothing is claimed");
    let request = Request {
        fairness: FairnessChoice::All(Fairness::Strong),
        property: strong.property("a"),
        ..Request::new("strong", &strong, &symmetry)
    };
    let error = promela(&request).expect_err("too many processes are strongly fair");
    assert!(error.message.contains("strong fairness of more than 6"), "{}", error.message);
}
