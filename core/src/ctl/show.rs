//! Formulas and their parts in words.

use super::evidence::Claim;
use super::normal::{Path, ProcessQuantifier};
use super::part::{Formula, Link, PartId, Sub, SubId};
use crate::program::{Program, TermKind};
use crate::property::{Atom, AtomValue};
use crate::syntax::ast::Fixpoint;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Formula {
    /// A subformula of a part as a model would write it, with these words for the processes that the part tracks.
    pub fn show(&self, program: &Program, part: PartId, sub: SubId, tracked: &[String]) -> String {
        Printer { formula: self, program }.sub(part, sub, tracked, true).text
    }

    /// The subformula of a claim in words, with its processes.
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

/// Words, and whether they must stand in parentheses inside of others.
struct Words {
    text: String,
    loose: bool,
}

impl Words {
    fn tight(text: String) -> Words {
        Words { text, loose: false }
    }

    fn wrapped(self) -> String {
        if self.loose { format!("({})", self.text) } else { self.text }
    }
}

impl Printer<'_> {
    /// It recurses as deep as the formula is nested, which the parser bounds.
    fn sub(&self, id: PartId, sub: SubId, tracked: &[String], positive: bool) -> Words {
        let part = &self.formula.parts[id];
        let inner = |sub: SubId, positive: bool| self.sub(id, sub, tracked, positive);
        match &part.subs[sub] {
            Sub::Const(value) => Words::tight((*value == positive).to_string()),
            Sub::Atom(number) => self.atom(&part.atoms[*number as usize], tracked, positive),
            Sub::Link(link) => self.link(link, tracked, positive),
            Sub::Not(a) => inner(*a, !positive),
            // That all paths are fair ones is said once, with the verdict.
            Sub::And(list)
                if self.formula.fairness.is_some() && list.iter().any(|&a| self.is_fair(id, a)) =>
            {
                let rest: Vec<SubId> = list.iter().copied().filter(|&a| !self.is_fair(id, a)).collect();
                if let [one] = rest.as_slice() {
                    return inner(*one, positive);
                }
                let words: Vec<String> = rest.iter().map(|&a| inner(a, positive).wrapped()).collect();
                Words { text: words.join(if positive { " and " } else { " or " }), loose: true }
            }
            Sub::And(list) | Sub::Or(list) => {
                let and = matches!(part.subs[sub], Sub::And(_)) == positive;
                // `a => b` is kept as `not a or b`, in any order.
                let premise = list.iter().find(|&&a| !and && negates(&part.subs[a], positive));
                let text = if let (Some(&a), 2) = (premise, list.len()) {
                    let b = if list[0] == a { list[1] } else { list[0] };
                    format!("{} => {}", inner(a, !positive).wrapped(), inner(b, positive).wrapped())
                } else {
                    let words = list.iter().map(|&a| inner(a, positive).wrapped());
                    words.collect::<Vec<_>>().join(if and { " and " } else { " or " })
                };
                Words { text, loose: true }
            }
            Sub::Next(path, a) if self.formula.mu => {
                let sign = if (*path == Path::All) == positive { "[]" } else { "<>" };
                Words::tight(format!("{sign} {}", inner(*a, positive).wrapped()))
            }
            Sub::FairGlobally(a) => {
                let sign = if positive { "EG" } else { "AF" };
                Words::tight(format!("{sign} {}", inner(*a, positive).wrapped()))
            }
            Sub::Fixpoint(kind, fix, a) => {
                let word = if (*kind == Fixpoint::Least) == positive { "mu" } else { "nu" };
                let name = &self.formula.fixpoints[*fix].name;
                Words { text: format!("{word} {name}. {}", inner(*a, positive).text), loose: true }
            }
            Sub::Variable(fix) => Words::tight(self.formula.fixpoints[*fix].name.clone()),
            Sub::Next(path, a) => {
                Words::tight(format!("{}X {}", letter(*path, positive), inner(*a, positive).wrapped()))
            }
            Sub::Until(path, f, g) => {
                let letter = letter(*path, positive);
                let always = matches!(part.subs[*f], Sub::Const(true));
                let (f, g) = (inner(*f, positive).wrapped(), inner(*g, positive).wrapped());
                Words::tight(match (always, positive) {
                    (true, true) => format!("{letter}F {g}"),
                    (true, false) => format!("{letter}G {g}"),
                    (false, true) => format!("{letter}[{f} U {g}]"),
                    (false, false) => format!("{letter}[{f} R {g}]"),
                })
            }
        }
    }

    /// Whether a subformula only says that a fair path starts here.
    fn is_fair(&self, id: PartId, sub: SubId) -> bool {
        let subs = &self.formula.parts[id].subs;
        matches!(subs[sub], Sub::FairGlobally(a) if subs[a] == Sub::Const(true))
    }

    fn atom(&self, atom: &Atom, tracked: &[String], positive: bool) -> Words {
        let text = self.program.show_term(atom.term, |reg| {
            let (_, value) = atom.bound.iter().find(|(bound, _)| *bound == reg)?;
            Some(match *value {
                AtomValue::Tracked(k) => tracked[k].clone(),
                AtomValue::Number(number) => number.to_string(),
            })
        });
        let loose = match self.program.terms[atom.term].kind {
            TermKind::And(_) | TermKind::Or(_) | TermKind::If(..) => true,
            TermKind::Quantified(quantifier, ..) => !quantifier.is_number(),
            _ => false,
        };
        let words = Words { text, loose };
        if positive { words } else { Words::tight(format!("not {}", words.wrapped())) }
    }

    fn link(&self, link: &Link, tracked: &[String], positive: bool) -> Words {
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
        let text = format!("{word} {name} in {}: {}", self.program.families[family].name, body.text);
        Words { text, loose: true }
    }
}

fn letter(path: Path, positive: bool) -> char {
    if (path == Path::All) == positive { 'A' } else { 'E' }
}

/// Whether a subformula is printed with `not` in front.
fn negates(sub: &Sub, positive: bool) -> bool {
    match sub {
        Sub::Not(_) => positive,
        Sub::Atom(_) => !positive,
        _ => false,
    }
}
