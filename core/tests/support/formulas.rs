//! Random and exhaustive formulas, words and automata for the tests of logic and automata.

use super::random::Random;
use orbitscope_core::automaton::{Ap, LassoWord, Valuation};
use orbitscope_core::ltl::{Arena, FormulaId};

impl Random {
    /// A formula with about `size` operators over `aps` propositions.
    pub(crate) fn formula(&mut self, arena: &mut Arena, size: usize, aps: u32) -> FormulaId {
        if size == 0 {
            return match self.below(12) {
                0 => arena.tt(),
                1 => arena.ff(),
                _ => {
                    let ap = Ap(self.below(aps as usize) as u32);
                    let f = arena.ap(ap);
                    if self.coin() { arena.not(f) } else { f }
                }
            };
        }
        let operator = self.below(16);
        if operator < 6 {
            let f = self.formula(arena, size - 1, aps);
            return match operator {
                0 => arena.not(f),
                1 | 2 => arena.next(f),
                3 => arena.always(f),
                _ => arena.eventually(f),
            };
        }
        let left = self.below(size);
        let (f, g) = (self.formula(arena, left, aps), self.formula(arena, size - 1 - left, aps));
        match operator {
            6 | 7 => arena.and([f, g]),
            8 | 9 => arena.or([f, g]),
            10 => arena.implies(f, g),
            11 => arena.iff(f, g),
            12 => arena.until(f, g),
            13 => arena.release(f, g),
            14 => arena.weak_until(f, g),
            _ => arena.strong_release(f, g),
        }
    }

    pub(crate) fn letter(&mut self, aps: u32) -> Valuation {
        (0..aps).map(Ap).filter(|_| self.coin()).collect()
    }

    pub(crate) fn word(&mut self, aps: u32, longest: usize) -> LassoWord {
        let prefix = (0..self.below(longest)).map(|_| self.letter(aps)).collect();
        let cycle = (0..=self.below(longest)).map(|_| self.letter(aps)).collect();
        LassoWord::new(prefix, cycle)
    }
}

/// All words over `aps` propositions with a prefix of at most `prefix` and a cycle of at most `cycle` letters.
pub(crate) fn all_words(aps: u32, prefix: usize, cycle: usize) -> Vec<LassoWord> {
    let letters: Vec<Valuation> =
        (0..1u32 << aps).map(|bits| (0..aps).filter(|i| bits >> i & 1 == 1).map(Ap).collect()).collect();
    let sequences = |length: usize| -> Vec<Vec<Valuation>> {
        (0..length).fold(vec![Vec::new()], |all: Vec<Vec<Valuation>>, _| {
            let extend = |s: Vec<Valuation>| {
                letters.iter().map(move |l| s.iter().cloned().chain([l.clone()]).collect::<Vec<_>>())
            };
            all.into_iter().flat_map(extend).collect()
        })
    };
    let mut words = Vec::new();
    for p in (0..=prefix).flat_map(sequences) {
        for c in (1..=cycle).flat_map(sequences) {
            words.push(LassoWord::new(p.clone(), c));
        }
    }
    words
}

/// All formulas in negation normal form with exactly each number of operators up to `size`.
pub(crate) fn all_formulas(arena: &mut Arena, size: usize, aps: u32) -> Vec<FormulaId> {
    let mut by_size: Vec<Vec<FormulaId>> = vec![Vec::new()];
    for i in 0..aps {
        let f = arena.ap(Ap(i));
        by_size[0].extend([f, arena.not(f)]);
    }
    for n in 1..=size {
        let mut now = Vec::new();
        for &f in &by_size[n - 1] {
            now.extend([arena.next(f), arena.eventually(f), arena.always(f)]);
        }
        for left in 0..n {
            for &f in &by_size[left].clone() {
                for &g in &by_size[n - 1 - left].clone() {
                    now.extend([arena.and([f, g]), arena.or([f, g]), arena.until(f, g)]);
                    now.extend([arena.release(f, g), arena.weak_until(f, g), arena.strong_release(f, g)]);
                }
            }
        }
        now.sort_unstable();
        now.dedup();
        by_size.push(now);
    }
    let mut all: Vec<_> = by_size.concat();
    all.sort_unstable();
    all.dedup();
    all
}

pub(crate) fn show(arena: &Arena, f: FormulaId) -> String {
    arena.print(f, |ap| format!("p{}", ap.0)).to_string()
}

/// A formula in the syntax of the modelling language, with single words for propositions, numbered as they come.
pub(crate) fn parse(arena: &mut Arena, names: &mut Vec<String>, text: &str) -> FormulaId {
    let mut tokens: Vec<String> = Vec::new();
    for c in text.chars() {
        let joins = |last: &String| {
            let l = last.chars().next_back().unwrap();
            (c.is_alphanumeric() && l.is_alphanumeric()) || (c == '>' && (l == '-' || l == '<'))
        };
        match tokens.last_mut() {
            Some(last) if joins(last) => last.push(c),
            _ => tokens.push(c.to_string()),
        }
    }
    tokens.retain(|t| t.trim() != "");
    tokens.reverse();
    let mut parser = Parser { arena, names, tokens };
    let f = parser.implication();
    assert!(parser.tokens.is_empty(), "left over in {text}: {:?}", parser.tokens);
    f
}

// Tokens are in reverse order, the next one last.
struct Parser<'a> {
    arena: &'a mut Arena,
    names: &'a mut Vec<String>,
    tokens: Vec<String>,
}

impl Parser<'_> {
    fn eat(&mut self, token: &str) -> bool {
        let found = self.tokens.last().is_some_and(|t| t == token);
        if found {
            self.tokens.pop();
        }
        found
    }

    fn implication(&mut self) -> FormulaId {
        let f = self.disjunction();
        if self.eat("->") {
            let g = self.implication();
            return self.arena.implies(f, g);
        }
        if self.eat("<->") {
            let g = self.implication();
            return self.arena.iff(f, g);
        }
        f
    }

    fn disjunction(&mut self) -> FormulaId {
        let mut all = vec![self.conjunction()];
        while self.eat("or") {
            all.push(self.conjunction());
        }
        self.arena.or(all)
    }

    fn conjunction(&mut self) -> FormulaId {
        let mut all = vec![self.binary()];
        while self.eat("and") {
            all.push(self.binary());
        }
        self.arena.and(all)
    }

    fn binary(&mut self) -> FormulaId {
        let f = self.unary();
        let make = match self.tokens.last().map(String::as_str) {
            Some("U") => Arena::until,
            Some("R") => Arena::release,
            Some("W") => Arena::weak_until,
            Some("M") => Arena::strong_release,
            _ => return f,
        };
        self.tokens.pop();
        let g = self.binary();
        make(self.arena, f, g)
    }

    fn unary(&mut self) -> FormulaId {
        let token = self.tokens.pop().expect("a formula goes on");
        let make = match token.as_str() {
            "(" => {
                let f = self.implication();
                assert!(self.eat(")"), "a parenthesis is closed");
                return f;
            }
            "!" => Arena::not,
            "X" => Arena::next,
            "F" => Arena::eventually,
            "G" => Arena::always,
            "true" => return self.arena.tt(),
            "false" => return self.arena.ff(),
            name => {
                let known = self.names.iter().position(|n| n == name);
                let index = known.unwrap_or_else(|| {
                    self.names.push(name.to_string());
                    self.names.len() - 1
                });
                return self.arena.ap(Ap(index as u32));
            }
        };
        let f = self.unary();
        make(self.arena, f)
    }
}
