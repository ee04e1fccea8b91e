//! Systems written in Rust instead of in the modelling language.

use super::{Error, Model};
use crate::check::Options;
use crate::error::ModelError;
use crate::program::{
    ActionId, Behaviour, Comparison, FamilyId, LocalPlace, Settings, View, build as build_program,
};
use crate::syntax::{Keyword, parse};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::{Debug, Write};

/// A program of identical processes, written in Rust.
///
/// Each process has a local value, and all share one value. A step of a process may read its own value, the shared one,
/// and *how many* of the others have which value; it changes its own value and the shared one. Processes have no
/// numbers in this interface, so that every permutation of them is a symmetry: no claim can be wrong.
///
/// [`Model::of_system`] makes a [`Model`] of it. The family is called `p`, its variable `at`, the shared variable
/// `common`; [`properties`](System::properties) are written in the modelling language and can use the
/// [`facts`](System::facts). The quotient, the on-the-fly search, the older and the plain method, branching time and
/// every replay run the Rust code. The symbolic engine, the exports and links need a text and refuse.
///
/// The interface is smaller than the language: there is one family, one initial state, and no value names a process. A lock
/// that keeps a queue of processes is written in the modelling language.
///
/// ```
/// use orbitscope_core::{Fact, Model, Move, Others, System};
/// /// Processes take a semaphore and give it back.
/// struct Semaphore { processes: u32, permits: u32 }
/// impl System for Semaphore {
///     type Local = bool;
///     type Shared = u32;
///     fn processes(&self) -> u32 { self.processes }
///     fn locals(&self) -> Vec<bool> { vec![false, true] }
///     fn shareds(&self) -> Vec<u32> { (0..=self.permits).collect() }
///     fn initial(&self) -> (bool, u32) { (false, self.permits) }
///     fn actions(&self) -> Vec<&'static str> { vec!["take", "give"] }
///     fn steps(&self, inside: &bool, free: &u32, _: &Others<'_, bool>) -> Vec<Move<bool, u32>> {
///         match (inside, free) {
///             (false, 0) => vec![],
///             (false, _) => vec![Move::new("take", true, free - 1)],
///             (true, _) => vec![Move::new("give", false, free + 1)],
///         }
///     }
///     fn facts(&self) -> Vec<Fact<bool>> { vec![("inside", |&inside| inside)] }
///     fn properties(&self) -> String {
///         "invariant few: count(q in p: inside(q)) <= 2
///          ltl served: forall q in p: G F inside(q)".into()
///     }
/// }
/// let model = Model::of_system(Semaphore { processes: 5, permits: 2 })?;
/// assert!(model.check("few")?.holds());
/// // Weak fairness lets others go first for ever; the run shows it.
/// assert!(model.check("served")?.is_violated());
/// # Ok::<(), orbitscope_core::Error>(())
/// ```
pub trait System: Send + Sync + 'static {
    /// The value of a process.
    type Local: Clone + Ord + Debug + Send + Sync;
    /// The value that all processes share.
    type Shared: Clone + Ord + Debug + Send + Sync;

    /// How many processes there are.
    fn processes(&self) -> u32;
    /// Every value that a process may have.
    fn locals(&self) -> Vec<Self::Local>;
    /// Every value that may be shared.
    fn shareds(&self) -> Vec<Self::Shared>;
    /// The value of every process at the start, and the shared one.
    fn initial(&self) -> (Self::Local, Self::Shared);
    /// The names of the actions.
    fn actions(&self) -> Vec<&'static str>;
    /// The steps of a process. A step to a value that is not listed is an error of the system, and reported as one.
    fn steps(
        &self,
        own: &Self::Local,
        shared: &Self::Shared,
        others: &Others<'_, Self::Local>,
    ) -> Vec<Move<Self::Local, Self::Shared>>;

    /// How many steps a process may have at once under one action; more are reported as an error of the system.
    fn choices(&self) -> u32 {
        1
    }

    /// Names for sets of local values. Properties can use each as a function of a process.
    fn facts(&self) -> Vec<Fact<Self::Local>> {
        Vec::new()
    }

    /// Names for sets of shared values. Properties can use each as a constant.
    fn shared_facts(&self) -> Vec<Fact<Self::Shared>> {
        Vec::new()
    }

    /// Properties in the modelling language, and `fairness` where it is not weak.
    fn properties(&self) -> String {
        String::new()
    }
}

/// A name for a set of values.
pub type Fact<V> = (&'static str, fn(&V) -> bool);

/// A step of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move<L, S> {
    /// The name of its action.
    pub action: &'static str,
    /// The new value of the process.
    pub local: L,
    /// The new shared value.
    pub shared: S,
}

impl<L, S> Move<L, S> {
    /// A step.
    pub fn new(action: &'static str, local: L, shared: S) -> Self {
        Move { action, local, shared }
    }
}

/// The other processes, as a process sees them: how many have which value.
#[derive(Debug)]
pub struct Others<'a, L> {
    locals: &'a [L],
    counts: Vec<u32>,
}

impl<L> Others<'_, L> {
    /// How many of the others have a value like this.
    pub fn count(&self, mut like: impl FnMut(&L) -> bool) -> u32 {
        self.iter().filter(|(local, _)| like(local)).map(|(_, count)| count).sum()
    }

    /// Whether some other has a value like this.
    pub fn any(&self, mut like: impl FnMut(&L) -> bool) -> bool {
        self.iter().any(|(local, _)| like(local))
    }

    /// The values that others have, in the order of the list, and how many have each.
    pub fn iter(&self) -> impl Iterator<Item = (&L, u32)> {
        self.locals.iter().zip(self.counts.iter().copied()).filter(|(_, count)| *count > 0)
    }
}

/// A system with its values numbered.
struct Numbered<Y: System> {
    system: Y,
    locals: Vec<Y::Local>,
    shareds: Vec<Y::Shared>,
    local_numbers: BTreeMap<Y::Local, i64>,
    shared_numbers: BTreeMap<Y::Shared, i64>,
    actions: Vec<&'static str>,
    size: u32,
    place: LocalPlace,
}

impl<Y: System> Behaviour for Numbered<Y> {
    fn outcomes(&self, view: &dyn View, process: u32, action: ActionId) -> Vec<Vec<i64>> {
        let own = view.local(self.place, process);
        let tally = |value: i64| view.tally(self.place, self.size, Comparison::Eq, value);
        let mut counts: Vec<u32> = (0..self.locals.len() as i64).map(|value| tally(value) as u32).collect();
        counts[own as usize] -= 1;
        let others = Others { locals: &self.locals, counts };
        let (own, shared) = (&self.locals[own as usize], &self.shareds[view.shared(0) as usize]);
        let steps = self.system.steps(own, shared, &others);
        let wanted = self.actions[action.0 as usize];
        // A value that is not listed gets a number outside of the variable's range, which is reported with the step.
        let known = |number: Option<&i64>| number.copied().unwrap_or(-1);
        steps
            .iter()
            .filter(|step| step.action == wanted)
            .map(|step| {
                let local = known(self.local_numbers.get(&step.local));
                alloc::vec![local, known(self.shared_numbers.get(&step.shared))]
            })
            .collect()
    }
}

/// Makes names of the language of values, each once.
struct Names(BTreeSet<String>);

impl Names {
    fn name(&mut self, value: &impl Debug) -> String {
        let mut name = String::new();
        for c in format!("{value:?}").chars() {
            match c {
                c if c.is_ascii_alphanumeric() => name.push(c),
                _ if name.is_empty() || name.ends_with('_') => {}
                _ => name.push('_'),
            }
        }
        let name = name.trim_end_matches('_');
        let first = if name.starts_with(|c: char| c.is_ascii_alphabetic()) { "" } else { "v" };
        let mut name = format!("{first}{name}");
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

impl Model {
    /// A model of a system that is written in Rust.
    pub fn of_system<Y: System>(system: Y) -> Result<Model, Error> {
        let (locals, shareds) = (system.locals(), system.shareds());
        let local_numbers: BTreeMap<Y::Local, i64> = locals.iter().cloned().zip(0..).collect();
        let shared_numbers: BTreeMap<Y::Shared, i64> = shareds.iter().cloned().zip(0..).collect();
        let (local, shared) = system.initial();
        let wrong = |message: &str| {
            let diagnostic = crate::text::Diagnostic::new(crate::text::Span::default(), message.to_string());
            Error::from(ModelError::new("", alloc::vec![diagnostic]))
        };
        if local_numbers.len() != locals.len() || shared_numbers.len() != shareds.len() {
            return Err(wrong("a value is listed twice in `locals` or `shareds`"));
        }
        let start = local_numbers.get(&local).zip(shared_numbers.get(&shared));
        let Some((&local, &shared)) = start else {
            return Err(wrong("`initial` has a value that `locals` or `shareds` does not list"));
        };
        let text = text_of(&system, &locals, &shareds, (local as usize, shared as usize));
        let parsed = parse(&text);
        let refused = |diagnostics| Error::from(ModelError::new(text.clone(), diagnostics));
        if !parsed.diagnostics.is_empty() {
            return Err(refused(parsed.diagnostics));
        }
        let program = build_program(&parsed.file, &Settings::default()).map_err(refused)?;
        let family = FamilyId(0);
        let var = program.families[family].vars[0];
        let first = program.layout.local(family, 0, var).0;
        let numbered = Numbered {
            actions: system.actions(),
            size: system.processes(),
            system,
            locals,
            shareds,
            local_numbers,
            shared_numbers,
            place: LocalPlace { family, first, stride: 1, offset: 0 },
        };
        let behaviour: Arc<dyn Behaviour> = Arc::new(numbered);
        let program = program.behaving(&behaviour);
        Model::with_symmetry(text, Vec::new(), program, Options::default())
    }
}

/// The declarations of a system: what there is, without what happens.
fn text_of<Y: System>(
    system: &Y,
    locals: &[Y::Local],
    shareds: &[Y::Shared],
    (local, shared): (usize, usize),
) -> String {
    let (facts, shared_facts) = (system.facts(), system.shared_facts());
    let own = ["p", "at", "common", "choice", "q"].into_iter();
    let used = own.chain(system.actions()).chain(Keyword::ALL.iter().map(|keyword| keyword.text()));
    let used =
        used.chain(facts.iter().map(|(name, _)| *name)).chain(shared_facts.iter().map(|(name, _)| *name));
    let mut names = Names(used.map(String::from).collect());
    let locals: Vec<(&Y::Local, String)> = locals.iter().map(|value| (value, names.name(value))).collect();
    let shareds: Vec<(&Y::Shared, String)> = shareds.iter().map(|value| (value, names.name(value))).collect();
    let list = |names: Vec<&str>| names.join(", ");
    let parameter = match system.choices() {
        0 | 1 => String::new(),
        n => format!("(choice in 0..{})", n - 1),
    };
    let actions = system.actions().into_iter();
    let actions: Vec<String> = actions
        .map(|action| format!("  action {action}{parameter}: true -> at := at, common := common\n"))
        .collect();
    let mut text = format!(
        "shared common: {{{}}} = {}\nprocess p[{}] {{\n  var at: {{{}}} = {}\n{}}}\n",
        list(shareds.iter().map(|(_, name)| name.as_str()).collect()),
        shareds[shared].1,
        system.processes(),
        list(locals.iter().map(|(_, name)| name.as_str()).collect()),
        locals[local].1,
        actions.concat(),
    );
    for (fact, holds) in facts {
        let like = locals.iter().filter(|(value, _)| holds(value)).map(|(_, name)| name);
        let _ = writeln!(text, "define {fact}(q) = {}", any_of("q.at", like));
    }
    for (fact, holds) in shared_facts {
        let like = shareds.iter().filter(|(value, _)| holds(value)).map(|(_, name)| name);
        let _ = writeln!(text, "define {fact} = {}", any_of("common", like));
    }
    text + &system.properties() + "\n"
}

/// That a value has one of these names.
fn any_of<'a>(value: &str, names: impl Iterator<Item = &'a String>) -> String {
    let cases: Vec<String> = names.map(|name| format!("{value} == {name}")).collect();
    disjunction(&cases)
}

/// A disjunction, split in halves: an expression nests only so deep.
fn disjunction(cases: &[String]) -> String {
    match cases {
        [] => "false".into(),
        [one] => format!("({one})"),
        _ => {
            let (first, rest) = cases.split_at(cases.len() / 2);
            format!("({} or {})", disjunction(first), disjunction(rest))
        }
    }
}
