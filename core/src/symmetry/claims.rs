//! Claimed generators: used only when each is shown to be an automorphism.
//!
//! A generator in the group that the text proves is taken at once. For any other the reachable states are gone through:
//! π is an automorphism of them if it keeps the initial states and takes every step s —i→ t to a step
//! π·s —π(i)→ π·t. Since π has finite order, that every step has an image implies that every step is one.

use super::constraints::Reason;
use super::detect::{Effort, ProgramSymmetry, detect};
use super::structure::{Structure, state_structure};
use crate::error::{Classified, ErrorKind};
use crate::explore::{Exploration, Limits, StateId, StopReason};
use crate::group::{Group, Perm, PermError, Process};
use crate::limits::{MAX_CLAIM_BYTES, MAX_CLAIM_STATES, MAX_GROUP_EFFORT};
use crate::program::{ActionId, Machine, Program, Scratch, Symmetry};
use crate::text::{Diagnostic, Span};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;

/// Which symmetry is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// As the text says, and found from it where it says nothing.
    #[default]
    Model,
    /// Found from the text, whatever it claims.
    Auto,
    /// None.
    None,
}

/// Why a claimed generator is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimError {
    /// The generator's place.
    pub span: Span,
    /// The generator.
    pub perm: Perm,
    /// The reason why it is none.
    pub because: NotSymmetric,
}

/// The reasons why a permutation is no automorphism.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotSymmetric {
    /// A process stands in it twice.
    NoPermutation(Process),
    /// It moves the initial state: the values of the initial state and of its image.
    Initial(Vec<i32>, Vec<i32>),
    /// A step of this reachable state has no image.
    Step {
        /// The values of the state.
        state: Vec<i32>,
        /// The process that executes.
        process: Process,
        /// The action.
        action: ActionId,
        /// Its arguments.
        arguments: Vec<i64>,
    },
    /// It could not be shown within this many states, nor refuted.
    Undecided(u32),
    /// The group that the generators make is too hard to handle.
    TooLarge,
}

impl fmt::Display for ClaimError {
    /// The refusal by the numbers of the processes; [`diagnostic`](ClaimError::diagnostic) says it with their names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claim = self.perm.display(|p| p.0.to_string());
        match &self.because {
            NotSymmetric::NoPermutation(p) => write!(f, "process {} stands twice in one generator", p.0),
            NotSymmetric::Initial(..) => write!(f, "{claim} is no symmetry: it moves the initial states"),
            NotSymmetric::Step { .. } => write!(f, "{claim} is no symmetry: a step has no image"),
            NotSymmetric::Undecided(states) => {
                write!(f, "whether {claim} is a symmetry is not seen in {states} states")
            }
            NotSymmetric::TooLarge => {
                f.write_str("the group that these generators make is too large to work with")
            }
        }
    }
}

impl core::error::Error for ClaimError {}

impl Classified for ClaimError {
    fn kind(&self) -> ErrorKind {
        match self.because {
            NotSymmetric::NoPermutation(_) | NotSymmetric::Initial(..) | NotSymmetric::Step { .. } => {
                ErrorKind::Model
            }
            NotSymmetric::Undecided(_) | NotSymmetric::TooLarge => ErrorKind::Limit,
        }
    }
}

/// The longest piece of a state that a message shows, in characters.
const SHOWN: usize = 400;

impl ClaimError {
    /// The refusal in words, at the generator's place and at that of the action that shows it.
    pub fn diagnostic(&self, program: &Program) -> Diagnostic {
        let claim = self.perm.display(|p| program.process_name(p));
        let show = |values: &[i32]| {
            let shown = program.show_state(values).to_string();
            match shown.char_indices().nth(SHOWN) {
                Some((end, _)) => format!("`{}…`", &shown[..end]),
                None => format!("`{shown}`"),
            }
        };
        match &self.because {
            NotSymmetric::NoPermutation(process) => {
                let name = program.process_name(*process);
                Diagnostic::new(self.span, format!("`{name}` stands twice in one generator"))
            }
            NotSymmetric::Initial(state, image) => {
                let (state, image) = (show(state), show(image));
                let words = format!(
                    "`{claim}` is no symmetry: it takes the initial state {state} to {image}, which is not initial"
                );
                Diagnostic::new(self.span, words)
            }
            NotSymmetric::Step { state, process, action, arguments } => {
                let step = program.show_step(*process, *action, arguments);
                let image = state_structure(program).apply(&self.perm, state);
                let other = program.process_name(self.perm.apply(*process));
                let words = format!(
                    "`{claim}` is no symmetry: the state {} has the step `{step}`, but in {} nothing that `{other}` does is its image",
                    show(state),
                    show(&image)
                );
                let name = &program.actions[*action].name;
                let span = program.actions[*action].span;
                Diagnostic::new(self.span, words).with_note(span, format!("the action `{name}` shows it"))
            }
            NotSymmetric::Undecided(states) => Diagnostic::too_large(
                self.span,
                format!(
                    "whether `{claim}` is a symmetry cannot be seen from the text, and {states} states were not enough to tell"
                ),
            ),
            NotSymmetric::TooLarge => Diagnostic::too_large(
                self.span,
                "the group that these generators make is too large to work with",
            ),
        }
    }
}

const LIMITS: Limits = Limits::new(MAX_CLAIM_STATES, MAX_CLAIM_BYTES);

/// The symmetry to use for a program.
pub fn choose(program: &Program, choice: Choice) -> Result<ProgramSymmetry, ClaimError> {
    let none = |span: Span| {
        let message = "the model says `symmetry none`".into();
        let reasons =
            if span == Span::default() { Vec::new() } else { alloc::vec![Reason { span, message }] };
        let group = Group::trivial(program.process_count());
        Ok(ProgramSymmetry {
            group,
            reasons,
            complete: true,
            effort: Effort::default(),
            textual: true,
            fixed: None,
        })
    };
    match (choice, &program.symmetry) {
        (Choice::None, _) => none(Span::default()),
        (Choice::Auto, _) | (Choice::Model, Symmetry::Auto) => Ok(detect(program)),
        (Choice::Model, Symmetry::None(span)) => none(*span),
        (Choice::Model, Symmetry::Generators(claims)) => claimed(program, claims),
    }
}

fn claimed(program: &Program, claims: &[(Vec<Vec<Process>>, Span)]) -> Result<ProgramSymmetry, ClaimError> {
    let known = detect(program).group;
    let mut checker: Option<Checker<'_>> = None;
    let mut generators = Vec::new();
    let mut textual = true;
    for (cycles, span) in claims {
        let refuse = |perm: Perm, because| ClaimError { span: *span, perm, because };
        let perm = Perm::from_cycles(cycles).map_err(|error| {
            let (PermError::Repeated(process) | PermError::NoImage(process)) = error;
            refuse(Perm::identity(), NotSymmetric::NoPermutation(process))
        })?;
        if !known.contains(&perm) {
            textual = false;
            let checker = checker.get_or_insert_with(|| Checker::new(program));
            checker.check(&perm).map_err(|because| refuse(perm.clone(), because))?;
        }
        generators.push(perm);
    }
    let group =
        Group::generated(program.process_count(), &generators, MAX_GROUP_EFFORT).map_err(|_| ClaimError {
            span: claims.first().map_or(Span::default(), |(_, span)| *span),
            perm: Perm::identity(),
            because: NotSymmetric::TooLarge,
        })?;
    let effort = Effort::default();
    Ok(ProgramSymmetry { group, reasons: Vec::new(), complete: true, effort, textual, fixed: None })
}

struct Checker<'p> {
    structure: Structure,
    states: Exploration<'p>,
    complete: bool,
    machine: Machine<'p>,
}

impl<'p> Checker<'p> {
    fn new(program: &'p Program) -> Self {
        let mut states = Exploration::new(program, LIMITS, &[]);
        let complete = *states.run() == StopReason::Complete;
        Checker { structure: state_structure(program), states, complete, machine: Machine::new(program) }
    }

    fn check(&mut self, perm: &Perm) -> Result<(), NotSymmetric> {
        let program = self.states.program();
        let initial = &program.initial;
        for number in 0..initial.start_count() {
            // A variable that may start with any value does so in all its entries.
            let (values, _) = initial.start(number);
            let image = self.structure.apply(perm, &values);
            if !initial.contains(&image) {
                return Err(NotSymmetric::Initial(values, image));
            }
        }
        for number in 0..self.states.states().len() {
            self.check_state(perm, StateId(number))?;
        }
        self.check_assumed(perm)?;
        if self.complete { Ok(()) } else { Err(NotSymmetric::Undecided(self.states.states().len())) }
    }

    /// An assumption may take some of the initial states and not their images.
    fn check_assumed(&mut self, perm: &Perm) -> Result<(), NotSymmetric> {
        let program = self.states.program();
        if program.assumption.is_none() {
            return Ok(());
        }
        let numbers = (0..self.states.states().len()).map(StateId);
        for id in numbers.filter(|&id| self.states.is_initial(id)) {
            let state = self.states.values(id);
            let image = self.structure.apply(perm, &state);
            if !program.takes_initial(&image, &mut Scratch::default()) {
                return Err(NotSymmetric::Initial(state, image));
            }
        }
        Ok(())
    }

    fn check_state(&mut self, perm: &Perm, id: StateId) -> Result<(), NotSymmetric> {
        let state = self.states.values(id);
        let image = self.structure.apply(perm, &state);
        // A fault of the model is reported by whoever checks it; the steps before it are compared here.
        let mut reached: BTreeSet<(Process, Option<ActionId>, Vec<i32>)> = BTreeSet::new();
        // A step of an action that is to be fair by itself is taken to one of the same action, any other to any other.
        let program = self.states.program();
        let fair = |action: ActionId| program.is_fair_action(action).then_some(action);
        let _ = self.machine.steps(&image, &mut |step| {
            reached.insert((step.process, fair(step.action), step.apply(&image)));
            ControlFlow::Continue(())
        });
        let mut without = None;
        let _ = self.machine.steps(&state, &mut |step| {
            let there = self.structure.apply(perm, &step.apply(&state));
            let expected = (perm.apply(step.process), fair(step.action), there);
            if reached.contains(&expected) {
                return ControlFlow::Continue(());
            }
            without = Some((step.process, step.action, step.arguments.to_vec()));
            ControlFlow::Break(())
        });
        match without {
            Some((process, action, arguments)) => {
                Err(NotSymmetric::Step { state, process, action, arguments })
            }
            None => Ok(()),
        }
    }
}
