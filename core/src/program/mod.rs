//! The program: a model with its parameters fixed, checked, and compiled into a form that executes fast.
//!
//! # Invariants
//!
//! - `build` checks everything about a model that can be known without running it.
//! - Terms form a graph with shared parts, but the compiler writes each use out. `Term::size` is the written-out size, and
//!   the sum of the sizes is bounded.
//! - Folding never removes a fault: `1 / 0` stays. A guard's parts are tested as early as their names are bound, but a
//!   part that may fault keeps its place among the others, so the order of the text decides which fault is met.
//! - An atom of a formula that may fault becomes `reached and atom`, where `reached` says that nothing before it has decided
//!   (`build::reached`). No engine has to know about the order.
//! - A state is a row of slots: shared ones first, then family by family. Packed, a slot has as many bits as its type
//!   needs and crosses no word. A slot's value is always in its type's range: every write is checked first.
//! - Steps come in the fixed order process, action, parameters.
//! - Code is generic in how a state is stored ([`View`]): the same compiled guard runs on a plain row and on a
//!   representative that counts processes instead of listing them.
//! - An [`Assignment`] is made for every choice of its names `over`, where `when` holds, by the statement `turn`. Assignments of
//!   one statement must agree about a place, of several the last one counts, and all of them read the old state.
//! - An assignment for all processes of a family goes by [`View::stretch`]: neighbours that are alike are assigned to together,
//!   if the bound process itself is the place. The executing process and the arguments are in no longer stretch.

mod assumption;
mod behaviour;
mod build;
mod code;
mod compile;
mod effect;
mod flat;
mod initial;
mod kept;
mod layout;
mod machine;
mod patched;
mod shape;
mod show;
mod show_shape;
mod show_term;
mod term;
mod types;

pub use assumption::Assumption;
pub use behaviour::Behaviour;
pub use build::{Settings, build};
pub(crate) use code::arithmetic;
pub use code::{Fault, FaultKind, LocalPlace, View};
use compile::may_fault;
pub use compile::{CompiledAction, Predicate, Scratch, StaticTerm};
pub use flat::Flat;
pub use initial::{InitialStates, InitialWalk};
pub use layout::{Layout, PackedState, Packing, Record, Slot};
pub(crate) use layout::{append, domain_size};
pub use machine::{Enumeration, Machine, StepFault, Stepper, Successor, Write, WriteTarget};
pub(crate) use patched::Patched;
pub use shape::{DeclId, Declared, Leaf, Shape, ShapeId, Shapes, Variant};
pub use show::{ShowState, ShowValue};
#[cfg(feature = "serde")]
pub(crate) use show_shape::{Held, Parts};
pub use term::{
    ArithmeticOp, Comparison, Direction, Domain, FixpointVar, Formula, FormulaId, FormulaKind, Misuse, Reg,
    Term, TermId, TermKind,
};
pub use types::{EnumId, FamilyId, Type, ValueType};

use crate::define_id;
use crate::group::Process;
use crate::ids::{Id, IdVec};
use crate::syntax::ast::{Fairness, Logic};
use crate::text::Span;
use alloc::string::String;
use alloc::vec::Vec;

define_id!(
    /// A declared variable, shared or local.
    VarId
);
define_id!(
    /// A declared action.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    ActionId
);
define_id!(
    /// A property to check.
    PropertyId
);

/// A model with its parameters fixed.
#[derive(Clone, Debug)]
pub struct Program {
    /// The parameters with their values.
    pub params: Vec<Param>,
    /// The enumerations; each is a list of literals.
    pub enums: IdVec<EnumId, Vec<String>>,
    /// The process families in the order of the text.
    pub families: IdVec<FamilyId, Family>,
    /// The variables: shared ones first, then those of each family.
    pub vars: IdVec<VarId, Var>,
    /// The types of the declared variables.
    pub shapes: Shapes,
    /// The variables as they were declared, in the order of `vars`.
    pub declared: IdVec<DeclId, Declared>,
    /// The blocks that make initial states, in the order of the text.
    pub starts: Vec<Start>,
    /// The actions in the order of the text.
    pub actions: IdVec<ActionId, Action>,
    /// All expressions, typed and resolved.
    pub terms: IdVec<TermId, Term>,
    /// All temporal formulas.
    pub formulas: IdVec<FormulaId, Formula>,
    /// The properties in the order of the text.
    pub properties: IdVec<PropertyId, Property>,
    /// The `symmetry` item.
    pub symmetry: Symmetry,
    /// The `hint` items in the order of the text: conditions, and where they stand.
    pub hints: Vec<(TermId, Span)>,
    /// The assumption about all states that are looked at.
    pub assumption: Option<Assumption>,
    /// Where each variable lies in a state.
    pub layout: Layout,
    /// The executable form of the actions.
    pub compiled: IdVec<ActionId, CompiledAction>,
    /// The initial states.
    pub initial: InitialStates,
}

/// A parameter of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// The value in force.
    pub value: i64,
    /// The value that the text gives.
    pub default: i64,
    /// The allowed values, if the text limits them.
    pub range: Option<(i64, i64)>,
    /// Where it is declared.
    pub span: Span,
}

/// A family of equal processes, or a single process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// How many processes it has.
    pub size: u32,
    /// Whether it was declared without a size.
    pub single: bool,
    /// Whether `next` and `prev` are defined on it.
    pub ring: bool,
    /// Whether it is a `scalarset`: values, not processes that do something.
    pub scalarset: bool,
    /// Its first process.
    pub first: Process,
    /// Its variables.
    pub vars: Vec<VarId>,
    /// Its actions.
    pub actions: Vec<ActionId>,
    /// Which fairness its processes get.
    pub fairness: Fairness,
}

/// A variable; with indices it is a table of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The family it is local to; a shared one has none.
    pub owner: Option<FamilyId>,
    /// The domains of its indices.
    pub index: Vec<Domain>,
    /// Its values.
    pub ty: ValueType,
    /// Its initial value, with the registers of `self` and the indices; none means every value.
    pub init: Option<TermId>,
    /// The registers that `init` uses: `self` where the variable is local, then the indices.
    pub init_regs: Vec<Reg>,
}

/// A block that makes initial states out of the declared initial values, one for each choice of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// Where its word stands.
    pub span: Span,
    /// Its parameters.
    pub params: Vec<(Reg, Domain)>,
    /// Their names.
    pub names: Vec<String>,
    /// Which choices make a state; all, where there is none.
    pub guard: Option<TermId>,
    /// The assignments; every right-hand side is evaluated in the declared initial values.
    pub assignments: Vec<Assignment>,
    /// One more than the highest register used.
    pub regs: u32,
    /// Loops over a family whose turns concern each other.
    pub written_out: Vec<(FamilyId, Span)>,
}

/// An action of a family's processes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// The family it belongs to.
    pub family: FamilyId,
    /// Its parameters. `self` is register 0, these are the registers that follow.
    pub params: Vec<ActionParam>,
    /// Which fairness each process's choice of it gets, beside that of the process.
    pub fairness: Fairness,
    /// Where it is enabled.
    pub guard: TermId,
    /// The assignments; every right-hand side is evaluated in the old state.
    pub assignments: Vec<Assignment>,
    /// One more than the highest register used.
    pub regs: u32,
    /// Loops over a family whose turns concern each other: they are written out, in the order of the processes.
    pub written_out: Vec<(FamilyId, Span)>,
    /// How its arguments are shown, where they are not its parameters one by one.
    pub shown: Option<Vec<Shown>>,
}

/// An argument of an action, as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The parameter with this position, as a value of a type.
    Param(u32, Type),
    /// Something fixed.
    Fixed(String),
    /// A record of a type with its fields.
    Record(String, Vec<(String, Shown)>),
}

/// A parameter of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionParam {
    /// Its name.
    pub name: String,
    /// Its domain.
    pub domain: Domain,
}

/// `target := value`; the target is a [`TermKind::Shared`] or [`TermKind::Local`] term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// It is made for every choice of these names.
    pub over: Vec<(Reg, Domain)>,
    /// It is made only where this holds; everywhere, where there is none.
    pub when: Option<TermId>,
    /// The statement that it is. Those of one statement must agree on what they assign to one place; of several
    /// statements the last one counts.
    pub turn: u32,
    /// The variable assigned, with its indices.
    pub target: TermId,
    /// The new value.
    pub value: TermId,
}

impl Assignment {
    /// All its expressions.
    pub fn terms(&self) -> impl Iterator<Item = TermId> {
        [self.target, self.value].into_iter().chain(self.when)
    }
}

/// A property to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// The formula or automaton.
    pub kind: PropertyKind,
    /// One more than the highest register used.
    pub regs: u32,
    /// The names that it binds, by register.
    pub names: Vec<String>,
    /// The variables of its fixed points.
    pub fixpoints: IdVec<FixpointVar, String>,
}

/// The body of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// A formula in one of the logics. That of a `cover` is the negation of what the text says: an invariant that is to be
    /// violated.
    Formula(Logic, FormulaId),
    /// No reachable state is a deadlock.
    DeadlockFree,
    /// A Büchi automaton of the wrong computations.
    Automaton(Automaton),
}

/// The logic that a property is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyLogic {
    /// `invariant`
    Invariant,
    /// `cover`
    Cover,
    /// `deadlock free`
    Deadlock,
    /// `ltl`
    Ltl,
    /// `ctl`
    Ctl,
    /// `mu`
    Mu,
    /// `automaton`
    Automaton,
}

impl PropertyLogic {
    /// The word that starts such a property.
    pub const fn word(self) -> &'static str {
        match self {
            PropertyLogic::Invariant => "invariant",
            PropertyLogic::Cover => "cover",
            PropertyLogic::Deadlock => "deadlock",
            PropertyLogic::Ltl => "ltl",
            PropertyLogic::Ctl => "ctl",
            PropertyLogic::Mu => "mu",
            PropertyLogic::Automaton => "automaton",
        }
    }

    /// Whether it speaks of branching time.
    pub const fn is_branching(self) -> bool {
        matches!(self, PropertyLogic::Ctl | PropertyLogic::Mu)
    }

    /// Whether it is answered by looking at every state: it speaks of no computation.
    pub const fn is_of_states(self) -> bool {
        matches!(self, PropertyLogic::Invariant | PropertyLogic::Cover | PropertyLogic::Deadlock)
    }
}

impl Property {
    /// The logic that it is written in.
    pub fn logic(&self) -> PropertyLogic {
        match self.kind {
            PropertyKind::Formula(Logic::Invariant, _) => PropertyLogic::Invariant,
            PropertyKind::Formula(Logic::Cover, _) => PropertyLogic::Cover,
            PropertyKind::DeadlockFree => PropertyLogic::Deadlock,
            PropertyKind::Formula(Logic::Ltl, _) => PropertyLogic::Ltl,
            PropertyKind::Formula(Logic::Ctl, _) => PropertyLogic::Ctl,
            PropertyKind::Formula(Logic::Mu, _) => PropertyLogic::Mu,
            PropertyKind::Automaton(_) => PropertyLogic::Automaton,
        }
    }
}

/// A hand-written Büchi automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The processes it speaks of, registers 0 and up; the property is about all choices of them.
    pub params: Vec<ActionParam>,
    /// Its states.
    pub states: Vec<AutomatonState>,
}

/// A state of a hand-written automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomatonState {
    /// Its name.
    pub name: String,
    /// Whether a run may start here.
    pub initial: bool,
    /// Whether it is accepting.
    pub accepting: bool,
    /// Its moves: guard and position of the target.
    pub moves: Vec<(TermId, u32)>,
}

/// The text's word on symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// Find it.
    Auto,
    /// Use none, as the item at this place says.
    None(Span),
    /// Use the group generated by these; each is a list of cycles.
    Generators(Vec<(Vec<Vec<Process>>, Span)>),
}

impl Program {
    /// Whether a term, or one that it is made of, is of a kind.
    pub(crate) fn mentions(&self, term: TermId, what: &impl Fn(&TermKind) -> bool) -> bool {
        let kind = &self.terms[term].kind;
        what(kind) || kind.children().into_iter().any(|term| self.mentions(term, what))
    }

    /// The number of processes of all families.
    pub fn process_count(&self) -> u32 {
        self.families.iter().map(|f| f.size).sum()
    }

    /// The process at `index` of a family.
    pub fn process(&self, family: FamilyId, index: u32) -> Process {
        Process(self.families[family].first.0 + index)
    }

    /// The family of a process and its number there.
    pub fn locate(&self, process: Process) -> (FamilyId, u32) {
        let after = self.families.as_slice().partition_point(|f| f.first <= process);
        // Empty families start where the next one does: the last family that starts here is the one with members.
        let family = FamilyId::from_index(after - 1);
        (family, process.0 - self.families[family].first.0)
    }

    /// The process as a model writes it: `client[3]`, or `server` where there is only one.
    pub fn process_name(&self, process: Process) -> String {
        let (family, index) = self.locate(process);
        let family = &self.families[family];
        if family.single { family.name.clone() } else { alloc::format!("{}[{index}]", family.name) }
    }

    /// The expression that a property of states asks for in every state; that of a `cover` is to fail in some.
    pub fn state_term(&self, id: PropertyId) -> Option<TermId> {
        let PropertyKind::Formula(Logic::Invariant | Logic::Cover, formula) = self.properties[id].kind else {
            return None;
        };
        match self.formulas[formula].kind {
            FormulaKind::Atom(term) => Some(term),
            _ => None,
        }
    }

    /// Whether an action is to be fair by itself.
    pub fn is_fair_action(&self, action: ActionId) -> bool {
        self.actions[action].fairness != Fairness::None
    }

    /// The actions that the text wants to be fair by themselves, each with every process of its family.
    pub fn fair_choices(&self) -> impl Iterator<Item = (Process, ActionId)> + '_ {
        let fair = self.actions.iter_enumerated().filter(|(id, _)| self.is_fair_action(*id));
        fair.flat_map(|(id, action)| {
            let family = &self.families[action.family];
            (family.first.0..family.first.0 + family.size).map(move |process| (Process(process), id))
        })
    }

    /// The variable that a slot belongs to.
    pub fn var_of(&self, slot: Slot) -> VarId {
        self.layout.var_at(&self.families, slot.0)
    }

    /// The property called `name`.
    pub fn property(&self, name: &str) -> Option<PropertyId> {
        self.properties.iter_enumerated().find(|(_, p)| p.name == name).map(|(id, _)| id)
    }
}
