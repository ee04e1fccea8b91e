//! The generator: declarations first, then actions whose expressions use what is declared.

use super::super::random::Random;
use super::{Definition, Domain, Knobs, Spec};

/// A program for a seed. Blocks that say too much at once, with loops in loops, are refused: then the program has none.
pub(crate) fn generate(seed: u64, knobs: &Knobs) -> Spec {
    let spec = generated(seed, knobs);
    if knobs.blocks + knobs.code == 0 {
        return spec;
    }
    let parsed = orbitscope_core::syntax::parse(&spec.to_string());
    let refused =
        orbitscope_core::program::build(&parsed.file, &orbitscope_core::program::Settings::default());
    let too_large =
        |all: Vec<orbitscope_core::text::Diagnostic>| all.iter().any(|d| d.message.contains("too large"));
    if parsed.diagnostics.is_empty() && refused.err().is_some_and(too_large) {
        return generated(seed, &Knobs { blocks: 0, code: 0, ..knobs.clone() });
    }
    spec
}

fn generated(seed: u64, knobs: &Knobs) -> Spec {
    let mut generator = Generator::new(seed, knobs, Spec::default());
    generator.declare();
    generator.define();
    generator.routines();
    for family in 0..generator.spec.families.len() {
        // The larger of two draws: most families have several actions.
        let most = knobs.actions as i64;
        let count = generator.random.between(1, most).max(generator.random.between(1, most));
        for index in 0..count {
            let name = format!("a{index}");
            let block = knobs.blocks > 0 && generator.random.chance(knobs.blocks);
            let action =
                if block { generator.block_action(family, name) } else { generator.action(family, name) };
            generator.spec.families[family].actions.push(action);
        }
    }
    for family in 0..generator.spec.families.len() {
        if knobs.code > 0 && generator.random.chance(knobs.code) {
            let code = generator.code(family);
            if !code.is_empty() && generator.random.coin() {
                generator.spec.families[family].actions.clear();
            }
            generator.spec.families[family].code = code;
        }
    }
    generator.hints();
    generator.properties();
    generator.inits();
    generator.spec
}

pub(super) struct Generator<'k> {
    pub(super) random: Random,
    pub(super) knobs: &'k Knobs,
    pub(super) spec: Spec,
    /// The product of the sizes of all variables so far.
    pub(super) space: u64,
    fresh: usize,
    /// Whether an index is being made: those inside of it are simple, so that it ends.
    pub(super) indexing: bool,
}

/// The names that an expression may use.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) own: Option<usize>,
    pub(super) bound: Vec<(String, Domain)>,
}

impl Scope {
    /// The bound names that no inner one hides.
    pub(super) fn visible(&self) -> impl Iterator<Item = &(String, Domain)> {
        let hidden = |at: usize, name: &String| self.bound[at + 1..].iter().any(|(inner, _)| inner == name);
        self.bound
            .iter()
            .enumerate()
            .filter(move |(at, (name, _))| !hidden(*at, name))
            .map(|(_, bound)| bound)
    }

    pub(super) fn hides(&self, name: &str) -> bool {
        self.bound.iter().any(|(bound, _)| bound == name)
    }
}

/// Bound names as they are written, what they see, and how many choices there are.
pub(super) struct Binders {
    pub(super) text: String,
    pub(super) scope: Scope,
    pub(super) choices: i64,
}

impl<'k> Generator<'k> {
    pub(super) fn new(seed: u64, knobs: &'k Knobs, spec: Spec) -> Self {
        Generator { random: Random::new(seed), knobs, spec, space: 1, fresh: 0, indexing: false }
    }

    pub(super) fn any_domain(&mut self) -> Domain {
        if self.random.chance(75) {
            Domain::Family(self.random.below(self.spec.families.len()))
        } else {
            let low = self.random.between(-1, 1);
            Domain::Range(low, low + self.random.between(0, 2))
        }
    }

    pub(super) fn size_of(&self, domain: &Domain) -> u32 {
        match domain {
            Domain::Family(family) => self.spec.families[*family].count() as u32,
            Domain::Range(low, high) => (high - low + 1) as u32,
        }
    }

    /// A name for something that is bound: a new one, or one that hides another.
    pub(super) fn name(&mut self) -> String {
        if self.random.chance(self.knobs.odd / 2) {
            return (*self.random.pick(&["v0", "v1", "s0", "s1", "b1", "size_of_f0"])).to_string();
        }
        self.fresh += 1;
        format!("b{}", self.fresh)
    }

    /// One or two names for a quantifier.
    pub(super) fn binders(&mut self, scope: &Scope) -> Binders {
        let mut binders = Binders { text: String::new(), scope: scope.clone(), choices: 1 };
        let count = if self.random.chance(self.knobs.pairs) { 2 } else { 1 };
        for i in 0..count {
            let mut name = self.name();
            // The names of one quantifier differ.
            while i > 0 && binders.scope.bound.last().is_some_and(|(first, _)| *first == name) {
                name = self.name();
            }
            let empty = self.random.chance(self.knobs.tiny / 8);
            let domain = if empty { Domain::Range(1, 0) } else { self.any_domain() };
            let comma = if i > 0 { ", " } else { "" };
            binders.text.extend([comma, &name, " in ", &self.spec.domain(&domain)]);
            binders.choices *= i64::from(self.size_of(&domain));
            binders.scope.bound.push((name, domain));
        }
        binders
    }

    /// One of several ways to write the same.
    pub(super) fn spelt(&mut self, usual: &'static str, others: &[&'static str]) -> &'static str {
        if self.random.chance(self.knobs.odd) { self.random.pick::<&str>(others) } else { usual }
    }

    fn define(&mut self) {
        for i in 0..self.random.below(self.knobs.definitions + 1) {
            let own = self.random.chance(self.knobs.odd).then(|| self.random.below(self.spec.families.len()));
            let mut params = Vec::new();
            if self.random.chance(50) {
                params.push(Domain::Family(self.random.below(self.spec.families.len())));
                if self.random.chance(self.knobs.pairs) {
                    params.push(self.any_domain());
                }
            }
            let names = ["x", "y"].iter().map(ToString::to_string);
            let bound = names.zip(params.iter().cloned()).collect();
            let body = self.truth(&Scope { own, bound }, 2);
            // A definition may use the ones before it.
            self.spec.definitions.push(Definition { name: format!("d{i}"), own, params, body });
        }
    }

    fn hints(&mut self) {
        while self.spec.hints.len() < 2 && self.random.chance(self.knobs.hints) {
            let hint = self.truth(&Scope::default(), 1);
            self.spec.hints.push(hint);
        }
    }

    fn properties(&mut self) {
        for i in 0..self.random.below(self.knobs.properties + 1) {
            let family = self.random.below(self.spec.families.len());
            let quantified = self.random.chance(60);
            let bound = if quantified { vec![("c".to_string(), Domain::Family(family))] } else { Vec::new() };
            let scope = Scope { own: None, bound };
            let front = if quantified {
                format!("forall c in {}: ", self.spec.families[family].name)
            } else {
                String::new()
            };
            let (a, b) = (self.truth(&scope, 1), self.truth(&scope, 1));
            let (keyword, formula) = match self.random.below(9) {
                0 | 1 => ("invariant", a),
                8 => ("cover", a),
                2 => ("ltl", format!("G ({a} => F {b})")),
                3 => ("ltl", format!("G F {a}")),
                4 => ("ltl", format!("F G {a}")),
                5 => ("ltl", format!("{a} U {b} or G F {b}")),
                6 => ("ctl", format!("AG ({a} => EF {b})")),
                _ => ("ctl", format!("AF {a} or EG {b}")),
            };
            self.spec.properties.push((keyword, format!("q{i}"), format!("{front}{formula}")));
        }
    }
}
