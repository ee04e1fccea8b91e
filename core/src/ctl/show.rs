//! Formulas and their parts in words.

use super::evidence::Claim;
use super::normal::{Path, ProcessQuantifier};
use super::part::{Formula, Link, PartId, Sub, SubId};
use crate::program::Program;
use crate::property::AtomValue;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Formula {
    /// A subformula of a part as a model would write it, with these words for the processes that the part tracks.
    pub fn show(&self, program: &Program, part: PartId, sub: SubId, tracked: &[String]) -> String {
        Printer { formula: self, program }.sub(part, sub, tracked, true)
    }

    /// What a claim is about, in words: the subformula with its processes.
    pub fn show_claim(&self, program: &Program, claim: &Claim) -> String {
        let names: Vec<String> = claim.tracked.iter().map(|&p| program.process_name(p)).collect();
        self.show(program, claim.part, claim.sub, &names)
    }

    /// A part in words, with its own names.
    pub fn show_part(&self, program: &Program, part: PartId) -> String {
        self.show(program, part, self.parts[part].top(), &self.tracked_words(program, part))
    }

    /// Words for the processes that a part tracks: the names that stand for them, or the processes themselves.
    pub fn tracked_words(&self, program: &Program, part: PartId) -> Vec<String> {
        let part = &self.parts[part];
        let fixed = part.fixed.iter().map(|&process| program.process_name(process));
        part.names.iter().map(|(name, _)| name.clone()).chain(fixed).collect()
    }
}

struct Printer<'a> {
    formula: &'a Formula,
    program: &'a Program,
}

impl Printer<'_> {
    /// It recurses as deep as the formula is nested, which the parser bounds.
    fn sub(&self, id: PartId, sub: SubId, tracked: &[String], positive: bool) -> String {
        let part = &self.formula.parts[id];
        let inner = |sub: SubId, positive: bool| self.sub(id, sub, tracked, positive);
        match &part.subs[sub] {
            Sub::Const(value) => (*value == positive).to_string(),
            Sub::Atom(number) => {
                let atom = &part.atoms[*number as usize];
                let words = self.program.show_term(atom.term, |reg| {
                    let (_, value) = atom.bound.iter().find(|(bound, _)| *bound == reg)?;
                    Some(match *value {
                        AtomValue::Tracked(k) => tracked[k].clone(),
                        AtomValue::Number(number) => number.to_string(),
                    })
                });
                if positive { words } else { format!("not {}", wrapped(words)) }
            }
            Sub::Link(link) => self.link(link, tracked, positive),
            Sub::Not(a) => inner(*a, !positive),
            Sub::And(list) | Sub::Or(list) => {
                let and = matches!(part.subs[sub], Sub::And(_)) == positive;
                let words: Vec<String> = list.iter().map(|&a| wrapped(inner(a, positive))).collect();
                words.join(if and { " and " } else { " or " })
            }
            Sub::Next(path, a) => format!("{}X {}", letter(*path, positive), wrapped(inner(*a, positive))),
            Sub::Until(path, f, g) => {
                let letter = letter(*path, positive);
                let always = matches!(part.subs[*f], Sub::Const(true));
                let (f, g) = (inner(*f, positive), inner(*g, positive));
                match (always, positive) {
                    (true, true) => format!("{letter}F {}", wrapped(g)),
                    (true, false) => format!("{letter}G {}", wrapped(g)),
                    (false, true) => format!("{letter}[{} U {}]", wrapped(f), wrapped(g)),
                    (false, false) => format!("{letter}[{} R {}]", wrapped(f), wrapped(g)),
                }
            }
        }
    }

    fn link(&self, link: &Link, tracked: &[String], positive: bool) -> String {
        let inner = &self.formula.parts[link.part];
        let place = link.sources.iter().position(Option::is_none);
        let name = place.and_then(|place| inner.names.get(place)).map_or("", |(name, _)| name);
        let words: Vec<String> = (link.sources.iter())
            .map(|source| source.map_or_else(|| name.to_string(), |place| tracked[place as usize].clone()))
            .collect();
        let body = self.sub(link.part, inner.top(), &words, positive);
        let Some((quantifier, family)) = link.over else { return body };
        let forall = (quantifier == ProcessQuantifier::Forall) == positive;
        let word = if forall { "forall" } else { "exists" };
        format!("{word} {name} in {}: {body}", self.program.families[family].name)
    }
}

fn letter(path: Path, positive: bool) -> char {
    if (path == Path::All) == positive { 'A' } else { 'E' }
}

/// In parentheses, unless it is one word.
fn wrapped(words: String) -> String {
    let plain = !words.contains(' ') || words.ends_with(']') && words[1..].starts_with('[');
    if plain { words } else { format!("({words})") }
}
