//! One vocabulary for what goes wrong: a program tells a wrong model from a limit from a bug without reading messages.

use super::order::{files, root};
use orbitscope_core::check::{Engine, Options, Unknown};
use orbitscope_core::explore::Limits;
use orbitscope_core::group::{GroupError, Perm, PermError, Process};
use orbitscope_core::link::{Link, LinkError};
use orbitscope_core::product::ProductFault;
use orbitscope_core::program::{Settings, build};
use orbitscope_core::property::build_with_hoa;
use orbitscope_core::quotient::{AqsiId, CrowdFault};
use orbitscope_core::search::LassoFault;
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::parse;
use orbitscope_core::{Classified, ErrorKind, Limit, Model};
use std::collections::BTreeSet;
use std::fs;

const CLIENTS: &str = "param n = 3 in 1..1000
process p[n] { var x: 0..9 = 0 action up: x < 9 -> x := x + 1 action over: x == 9 -> x := 0 }
invariant low: forall q in p: q.x < 10
ltl again: forall q in p: G F q.x == 0
ltl wrong: G F 10 / p[0].x > 0
mu reach: mu X. p[0].x == 9 or <> X
";

fn kind(error: &dyn Classified) -> ErrorKind {
    assert!(!error.to_string().is_empty(), "{error:?} has no message");
    error.kind()
}

/// The kind of why there is no answer.
fn unanswered(model: &Model, property: &str) -> ErrorKind {
    match model.check(property) {
        Err(error) => kind(&error),
        Ok(answer) => kind(answer.unknown().unwrap_or_else(|| panic!("{property} is answered: {answer}"))),
    }
}

#[test]
fn a_wrong_model_a_limit_and_a_bug_are_told_apart() {
    let refused = |text: &str| kind(&Model::parse(text).unwrap_err());
    assert_eq!(refused("process p {"), ErrorKind::Model);
    assert_eq!(refused("process p { var x: bool = 3 }"), ErrorKind::Model);
    assert_eq!(refused("process p { var x: bool = false } symmetry generators (p p)"), ErrorKind::Model);
    let large = "define a(x) = x + x + x + x + x + x + x + x\ndefine b(x) = a(a(a(a(x))))\n\
        define c(x) = b(b(b(b(x))))\nshared n: 0..9 = 0\ninvariant i: c(n) == 0";
    assert_eq!(refused(large), ErrorKind::Limit);
    let blocks = format!("{{ {}skip{} }}", "if true { ".repeat(51), " }".repeat(51));
    let deep = [
        format!("invariant i: {}true{}", "(".repeat(201), ")".repeat(201)),
        format!("shared x: {}bool = false", "set of ".repeat(201)),
        format!("process p {{ action a: true {blocks} }}"),
        "shared x[0..1, 0..1, 0..1, 0..1, 0..1]: bool = false".into(),
        "type r = record { x[0..1, 0..1, 0..1, 0..1, 0..1]: bool }".into(),
        "shared b: bag[2] of 0..70000 = {}".into(),
    ];
    for text in &deep {
        assert_eq!(refused(text), ErrorKind::Limit, "{text}");
    }
    // A wrong model stays a wrong one, however large it is.
    assert_eq!(refused(&format!("{}\nshared y: bool = 3 4", deep[0])), ErrorKind::Model);

    let model = Model::parse(CLIENTS).unwrap();
    assert_eq!(kind(&model.clone().set("n", 0).unwrap_err()), ErrorKind::Model);
    assert_eq!(kind(&model.clone().set("m", 1).unwrap_err()), ErrorKind::Model);
    assert_eq!(unanswered(&model, "lo"), ErrorKind::Model);
    assert_eq!(unanswered(&model, "wrong"), ErrorKind::Fault);

    let few = Options { limits: Limits { states: 5, ..Limits::default() }, ..Options::default() };
    assert_eq!(unanswered(&model.clone().with(few), "low"), ErrorKind::Limit);
    assert_eq!(unanswered(&model.clone().with(few), "again"), ErrorKind::Limit);
    let symbolic = Options { engine: Engine::Symbolic, ..Options::default() };
    assert_eq!(unanswered(&model.clone().with(symbolic), "reach"), ErrorKind::Refusal);
    assert_eq!(unanswered(&model.clone().with(symbolic), "reach"), ErrorKind::Refusal);

    let stopped = model.start("again").unwrap().finish();
    assert_eq!(kind(stopped.unknown().unwrap()), ErrorKind::Stopped);
    assert_eq!(kind(&Unknown::Internal(LassoFault::Open)), ErrorKind::Internal);
}

#[test]
fn the_expert_layer_has_the_same_kinds() {
    for damaged in ["", "nonsense", "1.!!!", "2.AAAA"] {
        assert_eq!(kind(&Link::decode(damaged).unwrap_err()), ErrorKind::Model, "{damaged}");
    }
    assert_eq!(kind(&LinkError::TooLarge), ErrorKind::Limit);
    assert_eq!(kind(&Link::decode(&"1".repeat(2 << 20)).unwrap_err()), ErrorKind::Limit);

    let twice = Perm::from_cycles(&[[Process(0), Process(0)]]).unwrap_err();
    assert_eq!((twice, kind(&twice)), (PermError::Repeated(Process(0)), ErrorKind::Model));
    assert_eq!(kind(&GroupError::OutOfRange(Process(9))), ErrorKind::Model);
    assert_eq!(kind(&GroupError::Effort), ErrorKind::Limit);

    let hoa = |text: &str| kind(&build_with_hoa(CLIENTS, &Settings::default(), text).unwrap_err());
    assert_eq!(hoa("HOA: v2"), ErrorKind::Model);
    let claim = |text: &str| {
        let program = build(&parse(text).file, &Settings::default()).unwrap();
        kind(&choose(&program, Choice::Model).unwrap_err())
    };
    let two = "process p[2] { var x: bool = false action go: self == p[0] and not x -> x := true }";
    assert_eq!(claim(&format!("{two} symmetry generators {{ (p[0] p[1]) }}")), ErrorKind::Model);

    assert_eq!(kind(&ProductFault::Full(AqsiId(0))), ErrorKind::Limit);
    assert_eq!(kind(&CrowdFault::Irregular), ErrorKind::Refusal);
    assert_eq!(kind(&Limit::Bytes), ErrorKind::Limit);
}

/// The names of the types in `impl WHAT for NAME`.
fn implementors(text: &str, what: &str) -> Vec<String> {
    let head = format!("impl {what} for ");
    let after = text.lines().filter_map(|line| line.strip_prefix(head.as_str()));
    after.map(|rest| rest.split([' ', '<']).next().unwrap_or_default().to_string()).collect()
}

/// Each public type that is named like an error is one, and each error says its kind.
#[test]
fn every_error_type_has_a_message_and_a_kind() {
    let mut sources = Vec::new();
    files(&root().join("src"), &mut sources);
    let (mut errors, mut classified, mut named) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for source in sources {
        let text = fs::read_to_string(&source).unwrap();
        errors.extend(implementors(&text, "core::error::Error"));
        classified.extend(implementors(&text, "Classified"));
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "))
            else {
                continue;
            };
            let name = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let ends = ["Error", "Errors", "Fault", "Refusal", "Unsupported", "Unknown", "Limit"];
            if ends.iter().any(|end| name.ends_with(end)) {
                named.insert(name.to_string());
            }
        }
    }
    assert_eq!(errors, classified, "left: errors, right: those with a kind");
    let silent: Vec<_> = named.difference(&errors).collect();
    assert!(silent.is_empty(), "these have no message: {silent:?}");
    assert!(errors.len() > 20, "{errors:?}");
}
