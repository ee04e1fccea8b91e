//! How many random cases went through each construct of the language, each way of an engine and each threshold. A test that
//! counts fails where something was never met, so that no generator passes over it in silence.

pub(crate) mod engines;
mod required;
mod syntax;
mod types;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// The cases that were met, and how often.
#[derive(Clone, Default)]
pub(crate) struct Reached(BTreeMap<String, u64>);

impl Reached {
    /// Counts what is in a model, each thing once.
    pub(crate) fn model(&mut self, source: &str) {
        for name in syntax::constructs(source) {
            self.note(name);
        }
    }

    pub(crate) fn note(&mut self, name: impl Into<String>) {
        *self.0.entry(name.into()).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: &Reached) {
        for (name, count) in &other.0 {
            *self.0.entry(name.clone()).or_default() += count;
        }
    }

    /// Of a list what was never met.
    pub(crate) fn missing<S: AsRef<str>>(&self, all: impl IntoIterator<Item = S>) -> Vec<String> {
        let names = all.into_iter().map(|name| name.as_ref().to_string());
        names.filter(|name| !self.0.contains_key(name)).collect()
    }

    /// Prints what was never met, with the count 0, as it prints the rest.
    pub(crate) fn print_missing(&self, all: &[String]) {
        for name in self.missing(all) {
            println!("{:>9}  {name}", 0);
        }
    }

    /// Fails where a statement was never met.
    pub(crate) fn expect_statements(&self) {
        let missing = self.missing(required::STATEMENTS);
        assert!(missing.is_empty(), "{self}no random case has: {missing:#?}");
        self.expect_listed();
    }

    /// Fails where something of compound types was never met.
    pub(crate) fn expect_compound(&self) {
        let missing = self.missing(required::COMPOUND);
        assert!(missing.is_empty(), "{self}no random case has: {missing:#?}");
    }

    /// Fails where an operator was never met in one of some places.
    pub(crate) fn expect_places(&self, places: &[&str]) {
        let within = |name: &String| {
            let compound = required::COMPOUND.contains(&name.as_str());
            !compound && places.iter().any(|place| name.ends_with(&format!(" in {place}")))
        };
        let missing = self.missing(required::required().iter().filter(|name| within(name)));
        assert!(missing.is_empty(), "no random case has: {missing:#?}");
        self.expect_listed();
    }

    /// Fails where a construct was met that the list does not have: nobody would notice if it were met no more.
    pub(crate) fn expect_listed(&self) {
        let required = required::required();
        // Ways of engines have a colon.
        let constructs = self.0.keys().filter(|name| !name.contains(": "));
        let unknown: Vec<&String> = constructs.filter(|n| !required::is_known(n, &required)).collect();
        assert!(unknown.is_empty(), "not in the list: {unknown:?}");
    }
}

impl Display for Reached {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (name, count) in &self.0 {
            writeln!(f, "{count:>9}  {name}")?;
        }
        Ok(())
    }
}

/// Everything of the language that a long run has to meet.
pub(crate) fn language() -> impl Iterator<Item = String> {
    required::required().into_iter()
}

/// A new construct has to be listed, so that its absence is noticed.
#[test]
fn all_constructs_are_listed() {
    let mut reached = Reached::default();
    for model in orbitscope_core::models::ALL {
        reached.model(model.source);
    }
    reached.expect_listed();
}
