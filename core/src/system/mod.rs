//! Systems written in Rust instead of the modelling language.
//!
//! Implement [`System`] for a type of your own and give it to [`Model::of`](crate::Model::of): the quotient, the fair
//! on-the-fly search and the replay then run on your code. Local values, shared values and steps are Rust; properties are
//! written in the language, with names for the sets of values that you list in [`System::propositions`].
//!
//! **Why it is symmetric.** A step sees the shared value, its own local value, that of one partner, and *how many*
//! processes of a family satisfy a test. It never sees a process's number. So whatever the code does, exchanging processes
//! of one family does not change the behaviour, and every family gets its full symmetric group. Processes are counted, not
//! listed: a million of them take as much room as their different local values.
//!
//! **Costs and limits.**
//! - All values are listed before the search. A value is a number inside, so a large product of fields is better split
//!   between shared and local values than listed whole.
//! - Each step goes through a function pointer and a search in a table of values: expect a step to take a few times as long
//!   as one of the language.
//! - Values hold no process identities. A system whose processes refer to each other (rings, pointers) has to be written
//!   in the language.
//! - The symbolic engine and the exports read expressions. They refuse a system that has none.

mod here;
mod translate;

pub use here::{Here, Next};
pub(crate) use translate::translate;

use crate::syntax::ast::Fairness;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

/// A program of families of identical processes.
///
/// ```
/// use orbitscope_core::system::{Action, Family, Next, Proposition, System};
/// use orbitscope_core::Model;
///
/// /// Any process may take the one lock and give it back.
/// struct Lock { processes: u32 }
///
/// impl System for Lock {
///     type Shared = ();
///     type Local = bool;
///     fn shared_values(&self) -> Vec<()> { vec![()] }
///     fn local_values(&self) -> Vec<bool> { vec![false, true] }
///     fn initial(&self) {}
///     fn families(&self) -> Vec<Family<bool>> { vec![Family::new("p", self.processes, false)] }
///     fn actions(&self) -> Vec<Action<Self>> {
///         vec![
///             Action::new("take", "p", |_, here| {
///                 (!here.me() && here.count("p", |holds| *holds) == 0).then(|| Next::new().me(true))
///             }),
///             Action::new("give", "p", |_, here| here.me().then(|| Next::new().me(false))),
///         ]
///     }
///     fn propositions(&self) -> Vec<Proposition<Self>> { vec![Proposition::local("holds", |holds| *holds)] }
///     fn properties(&self) -> String {
///         "invariant one: count(q in p: holds(q)) <= 1
///          ltl served: forall q in p: G F holds(q)".into()
///     }
/// }
///
/// let model = Model::of(Lock { processes: 1000 }).unwrap();
/// assert!(model.check("one").unwrap().holds());
/// assert!(model.check("served").unwrap().is_violated());
/// ```
pub trait System: Send + Sync + Sized + 'static {
    /// The value that all processes share; `()` where there is none.
    type Shared: Clone + Ord + Debug + Send + Sync;
    /// The value that each process has for itself.
    type Local: Clone + Ord + Debug + Send + Sync;

    /// All shared values that there may ever be.
    fn shared_values(&self) -> Vec<Self::Shared>;

    /// All local values that there may ever be, of all families.
    fn local_values(&self) -> Vec<Self::Local>;

    /// The shared value at the start.
    fn initial(&self) -> Self::Shared;

    /// The families of processes.
    fn families(&self) -> Vec<Family<Self::Local>>;

    /// The actions, in the order in which the steps of a process are listed.
    fn actions(&self) -> Vec<Action<Self>>;

    /// Sets of values that properties can name.
    fn propositions(&self) -> Vec<Proposition<Self>> {
        Vec::new()
    }

    /// The properties, in the modelling language.
    fn properties(&self) -> String {
        String::new()
    }
}

/// Identical processes.
#[derive(Clone, Debug)]
pub struct Family<L> {
    name: String,
    size: Option<u32>,
    initial: L,
    fairness: Fairness,
}

impl<L> Family<L> {
    /// A family of so many processes, weakly fair, which start with this value.
    pub fn new(name: &str, size: u32, initial: L) -> Family<L> {
        Family { name: name.into(), size: Some(size), initial, fairness: Fairness::Weak }
    }

    /// One process, which properties name without a number.
    pub fn single(name: &str, initial: L) -> Family<L> {
        Family { size: None, ..Family::new(name, 1, initial) }
    }

    /// The same with another fairness.
    #[must_use]
    pub fn fair(self, fairness: Fairness) -> Family<L> {
        Family { fairness, ..self }
    }
}

/// A step that a process takes by itself, if it returns one.
pub type Step<S> = fn(&S, &Here<'_, S>) -> Option<Next<S>>;
/// A step that a process takes with a partner, whose local value comes last.
pub type PairStep<S> = fn(&S, &Here<'_, S>, &<S as System>::Local) -> Option<Next<S>>;

/// A kind of step of a family's processes.
#[derive(Clone, Debug)]
pub struct Action<S: System> {
    name: String,
    family: String,
    partner: Option<String>,
    choices: u32,
    body: Body<S>,
}

#[derive(Clone, Debug)]
enum Body<S: System> {
    Alone(Step<S>),
    Pair(PairStep<S>),
}

impl<S: System> Action<S> {
    /// An action that changes the shared value and the process's own one.
    pub fn new(name: &str, family: &str, step: Step<S>) -> Action<S> {
        let body = Body::Alone(step);
        Action { name: name.into(), family: family.into(), partner: None, choices: 0, body }
    }

    /// An action that also changes another process, a partner from this family. It is tried with each partner.
    pub fn with_partner(name: &str, family: &str, partner: &str, step: PairStep<S>) -> Action<S> {
        let body = Body::Pair(step);
        Action { name: name.into(), family: family.into(), partner: Some(partner.into()), choices: 0, body }
    }

    /// Tries the action once for each number below this; [`Here::choice`] is the number.
    #[must_use]
    pub fn choosing(self, choices: u32) -> Action<S> {
        Action { choices, ..self }
    }
}

/// A set of values with a name.
#[derive(Clone, Debug)]
pub struct Proposition<S: System> {
    name: String,
    test: Test<S>,
}

#[derive(Clone, Debug)]
enum Test<S: System> {
    Shared(fn(&S::Shared) -> bool),
    Local(fn(&S::Local) -> bool),
}

impl<S: System> Proposition<S> {
    /// A statement about the shared value; properties write it `name`.
    pub fn shared(name: &str, test: fn(&S::Shared) -> bool) -> Proposition<S> {
        Proposition { name: name.into(), test: Test::Shared(test) }
    }

    /// A statement about a process's value; properties write it `name(p)`.
    pub fn local(name: &str, test: fn(&S::Local) -> bool) -> Proposition<S> {
        Proposition { name: name.into(), test: Test::Local(test) }
    }
}
