//! Names that mean something else in the other language get another one.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};

/// The names that are taken.
#[derive(Clone, Debug)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

/// A name as other languages can have it: the parts of a record or bag are called `net.count`, `owner?` and so on.
pub(super) fn identifier(name: &str) -> String {
    let given = name.replace('?', "_given");
    given.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

impl Names {
    /// All names are free but these.
    pub(super) fn new(reserved: &[&str]) -> Names {
        let words = reserved.iter().flat_map(|line| line.split_whitespace());
        Names { taken: words.map(ToString::to_string).collect() }
    }

    /// The name, with underscores behind it until it is free.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// A name that is free, without taking it: for what is bound in one place only.
    pub(super) fn free(&self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        while self.taken.contains(&name) {
            name.push('_');
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_once() {
        let mut names = Names::new(&["do od", "if"]);
        assert_eq!(names.fresh("x"), "x");
        assert_eq!(names.fresh("od"), "od_");
        assert_eq!(names.fresh("od"), "od__");
        assert_eq!(names.fresh("x"), "x_");
    }
}
