//! The messages about wrong models that parse, compared with a file that people read.

use crate::support::golden;
use orbitscope_core::program::{Settings, build};
use orbitscope_core::syntax::parse;

#[test]
fn semantic_errors() {
    let count = golden::check_diagnostics("semantic/errors.txt", |source| {
        let parsed = parse(source);
        assert!(parsed.diagnostics.is_empty(), "this does not parse: {:?}\n{source}", parsed.diagnostics);
        let settings = Settings { params: settings(source), ..Settings::default() };
        build(&parsed.file, &settings).err().unwrap_or_default()
    });
    assert!(count >= 80);
}

/// The settings in a first line `// --set NAME=INT --set NAME=INT`.
fn settings(source: &str) -> Vec<(String, i64)> {
    let Some(line) = source.lines().next().and_then(|line| line.strip_prefix("// --set ")) else {
        return Vec::new();
    };
    let one = |setting: &str| {
        let (name, value) = setting.split_once('=').expect("NAME=INT");
        (name.to_owned(), value.trim().parse().expect("a number"))
    };
    line.split("--set ").map(one).collect()
}
