//! Writes the switches into a file's text. No line is added or lost, so that places stay comparable with the original.

use crate::find::{Kind, Place};
use std::ops::Range;

/// A place whose changes have numbers.
#[derive(Debug)]
pub struct Site {
    pub place: Place,
    /// The number of its first change; the others follow.
    pub first: u32,
    /// Which of the changes are in the copy: those that compile.
    pub kept: Vec<bool>,
}

/// Where in the new text a site, or one of its changes, stands.
#[derive(Clone, Debug)]
pub struct Written {
    pub range: Range<usize>,
    pub site: usize,
    /// The change, or `None` for the whole site with the original in it.
    pub change: Option<usize>,
}

impl Site {
    fn is_kept(&self) -> bool {
        self.kept.contains(&true)
    }

    fn last(&self) -> u32 {
        self.first + self.place.changes.len() as u32 - 1
    }

    /// The numbers and texts of the changes that are in the copy.
    fn options(&self) -> impl Iterator<Item = (usize, u32, &str)> {
        let changes = self.place.changes.iter().enumerate();
        changes
            .filter(|(index, _)| self.kept[*index])
            .map(|(index, change)| (index, self.first + index as u32, change.text.as_str()))
    }
}

struct Writer<'a> {
    source: &'a str,
    sites: &'a [Site],
    out: String,
    written: Vec<Written>,
}

/// The text with a switch at every site that has a change left, and where each came to stand. The sites are in the order of
/// [`crate::find::places`].
pub fn write(source: &str, sites: &[Site]) -> (String, Vec<Written>) {
    let mut writer = Writer { source, sites, out: String::new(), written: Vec::new() };
    let mut next = 0;
    writer.copy(0..source.len(), &mut next);
    (writer.out, writer.written)
}

impl Writer<'_> {
    /// Copies a range with all the sites inside it.
    fn copy(&mut self, range: Range<usize>, next: &mut usize) {
        let mut at = range.start;
        while let Some(site) = self.sites.get(*next).filter(|site| site.place.range.start < range.end) {
            let index = *next;
            *next += 1;
            if !site.is_kept() {
                continue;
            }
            let inner = site.place.range.clone();
            self.out.push_str(&self.source[at..inner.start]);
            at = inner.end;
            self.site(index, inner, next);
        }
        self.out.push_str(&self.source[at..range.end]);
    }

    fn site(&mut self, index: usize, inner: Range<usize>, next: &mut usize) {
        let site = &self.sites[index];
        let start = self.out.len();
        match site.place.kind {
            Kind::Choose => {
                self.push(&format!("(match crate::mutants::at({}, {}) {{ ", site.first, site.last()));
                // The original comes first: it says what type the others must have.
                self.push("0 => ");
                self.copy(inner, next);
                self.push(", ");
                for (change, number, text) in site.options() {
                    self.change(index, change, &format!("{number} => {{ {text} }}"));
                    self.push(" ");
                }
                self.push("_ => crate::mutants::never() })");
            }
            Kind::Delete => {
                self.push(&format!("if crate::mutants::off({}) {{ ", site.first));
                self.copy(inner, next);
                self.push(" }");
            }
            Kind::Enter => {
                self.copy(inner, next);
                self.push(&format!(" let mutant = crate::mutants::at({}, {}); ", site.first, site.last()));
                for (change, number, text) in site.options() {
                    self.change(index, change, &format!("if mutant == {number} {{ return {text}; }}"));
                    self.push(" ");
                }
            }
        }
        self.written.push(Written { range: start..self.out.len(), site: index, change: None });
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn change(&mut self, site: usize, change: usize, text: &str) {
        let start = self.out.len();
        self.push(text);
        self.written.push(Written { range: start..self.out.len(), site, change: Some(change) });
    }
}

/// Chooses the piece to leave out after an error at `place` of the new text: the smallest one around it.
pub fn culprit<'a>(written: &'a [Written], place: &Range<usize>) -> Option<&'a Written> {
    let around =
        written.iter().filter(|piece| piece.range.start <= place.start && place.end <= piece.range.end);
    around.min_by_key(|piece| piece.range.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::places;

    fn sites(source: &str) -> Vec<Site> {
        let mut first = 1;
        let mut sites = Vec::new();
        for place in places(source).unwrap() {
            let kept = vec![true; place.changes.len()];
            sites.push(Site { place, first, kept });
            first = sites.last().unwrap().last() + 1;
        }
        sites
    }

    #[test]
    fn nested_switches_keep_the_lines() {
        let source = "fn f(a: i32,\n b: i32) -> bool {\n    a + 1 // one\n    < b\n}\n";
        let (text, written) = write(source, &sites(source));
        assert_eq!(text.lines().count(), source.lines().count());
        assert!(syn::parse_file(&text).is_ok(), "{text}");
        // The function, the comparison, the sum, the literal, with two changes of all but the sum.
        assert_eq!(written.iter().filter(|piece| piece.change.is_none()).count(), 4);
        assert_eq!(written.iter().filter(|piece| piece.change.is_some()).count(), 7);
        let place = text.find("a + 1 <= b").unwrap();
        let piece = culprit(&written, &(place..place + 1)).unwrap();
        assert_eq!(piece.change, Some(0));
        let place = text.find("// one").unwrap();
        assert_eq!(culprit(&written, &(place..place + 1)).unwrap().change, None);
    }

    #[test]
    fn nothing_is_written_where_nothing_is_kept() {
        let source = "fn f(mut a: i32) { a = 2; g(a); }";
        let mut sites = sites(source);
        for site in &mut sites {
            site.kept.fill(false);
        }
        assert_eq!(write(source, &sites).0, source);
    }
}
