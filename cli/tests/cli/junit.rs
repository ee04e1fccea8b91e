//! Reports in JUnit's XML, held against what its strictest reader takes: `schemas/junit.txt`.

use crate::support::Folder;
use std::collections::BTreeMap;

/// Depth, name, attributes and text.
pub(crate) type Element = (usize, String, Vec<(String, String)>, String);

/// The elements of a document with their depth, attributes and text; whatever is not well formed is an error.
pub(crate) fn elements(xml: &str) -> Result<Vec<Element>, String> {
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").ok_or("no declaration")?;
    let (mut open, mut all): (Vec<usize>, Vec<Element>) = Default::default();
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        match open.last() {
            Some(&element) => all[element].3.push_str(&unescaped(text)?),
            None if text.trim().is_empty() => {}
            None => return Err(format!("text outside: {text}")),
        }
        let end = tag.find('>').ok_or("a tag without end")?;
        let inside = &tag[1..end];
        rest = &tag[end + 1..];
        if let Some(name) = inside.strip_prefix('/') {
            let element = open.pop().ok_or("nothing is open")?;
            if all[element].1 != name {
                return Err(format!("{name} ends {}", all[element].1));
            }
            continue;
        }
        let (inside, empty) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
        let (name, mut list) = inside.split_once(' ').unwrap_or((inside, ""));
        let mut attributes = Vec::new();
        while !list.trim().is_empty() {
            let (name, after) = list.trim_start().split_once("=\"").ok_or("an attribute without value")?;
            let (value, after) = after.split_once('"').ok_or("a value without end")?;
            attributes.push((name.to_owned(), unescaped(value)?));
            list = after;
        }
        all.push((open.len(), name.into(), attributes, String::new()));
        if !empty {
            open.push(all.len() - 1);
        }
    }
    if open.is_empty() { Ok(all) } else { Err("something is open at the end".into()) }
}

fn unescaped(text: &str) -> Result<String, String> {
    let known = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    let mut plain = text.to_owned();
    for (escaped, sign) in &known[..4] {
        plain = plain.replace(escaped, sign);
    }
    let ampersands = plain.matches('&').count();
    if ampersands != plain.matches(known[4].0).count() {
        return Err(format!("a bare ampersand: {text}"));
    }
    Ok(plain.replace("&amp;", "&"))
}

/// The children of an element, the attributes that it has, and those that it may have.
type Rule = [Vec<&'static str>; 3];

fn schema() -> BTreeMap<&'static str, Rule> {
    let lines = include_str!("../schemas/junit.txt").lines().filter(|line| !line.starts_with('#'));
    let rule = |line: &'static str| {
        let (name, rest) = line.split_once(':').unwrap();
        let mut parts = rest.split('|').map(|part| part.split_whitespace().collect());
        (name, std::array::from_fn(|_| parts.next().unwrap()))
    };
    lines.map(rule).collect()
}

/// Seconds: digits, in groups of three where there are commas, and a fraction.
fn is_time(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    whole.split(',').all(digits) && digits(fraction)
}

/// Holds a document against the schema.
pub(crate) fn follows_the_schema(xml: &str) -> Result<Vec<Element>, String> {
    let rules = schema();
    let all = elements(xml)?;
    let mut path: Vec<&str> = Vec::new();
    for (depth, name, attributes, text) in &all {
        path.truncate(*depth);
        let [children, has, may] = rules.get(name.as_str()).ok_or(format!("`{name}` is unknown"))?;
        let fits = match path.last() {
            None => name.starts_with("testsuite"),
            Some(parent) => rules[parent][0].contains(&name.as_str()),
        };
        if !fits {
            return Err(format!("`{name}` in {path:?}"));
        }
        if let Some(missing) = has.iter().find(|wanted| attributes.iter().all(|(own, _)| own != *wanted)) {
            return Err(format!("`{name}` has no {missing}"));
        }
        for (own, value) in attributes {
            if !has.contains(&own.as_str()) && !may.contains(&own.as_str()) {
                return Err(format!("`{name}` has {own}"));
            }
            if own == "time" && !is_time(value) {
                return Err(format!("{value} is no time"));
            }
        }
        if !text.trim().is_empty() && !children.contains(&"text") {
            return Err(format!("`{name}` has words: {text}"));
        }
        path.push(name);
    }
    if all.is_empty() { Err("there is nothing".into()) } else { Ok(all) }
}

const MODEL: &str = "process p[2] { var x: 0..3 = 0 action up: x < 3 -> x := x + 1 }\ninvariant low: forall q in p: q.x < 3\nltl ends: forall q in p: F q.x == 3\n";

fn written(more: &[&str]) -> String {
    let folder = Folder::with(&[("m.orb", MODEL)]);
    folder.run(&[&["check", "m.orb", "-q", "--report", "junit=out"], more].concat(), "");
    folder.read("out")
}

#[test]
fn reports_of_checks_follow_the_schema() {
    for more in [&[][..], &["--max-states", "2"]] {
        let text = written(more);
        let found = follows_the_schema(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let bad = found.iter().filter(|(_, name, ..)| name == "failure" || name == "error");
        // Whoever reads it finds the line.
        for (.., words) in bad {
            let line = words.lines().next().and_then(|line| line.strip_prefix("m.orb:"));
            let line: usize = line.unwrap_or_else(|| panic!("{words}")).parse().unwrap();
            assert!([2, 3].contains(&line), "{words}");
        }
    }
}

/// Whatever a report should not be is told, so that the test above can fail.
#[test]
fn the_schema_refuses_what_its_readers_refuse() {
    let text = written(&[]);
    for (from, to, words) in [
        ("<testsuites name", "<testsuites skipped=\"0\" name", "`testsuites` has skipped"),
        ("<testcase classname", "<testcase line=\"3\" classname", "`testcase` has line"),
        ("<testcase ", "<test ", "ends"),
        ("<failure type", "<failure kind", "`failure` has kind"),
        ("  <testsuite name=", "  <testsuite id=", "`testsuite` has no name"),
        (" time=\"", " time=\"soon", "is no time"),
        ("    <testcase", "words <testcase", "has words"),
        ("</failure>", "<property name=\"a\" value=\"b\"/></failure>", "`property` in"),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        let error = follows_the_schema(&changed).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}
