//! Linear temporal logic over abstract atomic propositions, and its translation to automata.
//!
//! ```
//! use orbitscope_core::ltl::{translate, Ap, Arena, Limits};
//! let mut arena = Arena::new();
//! let (request, grant) = (arena.ap(Ap(0)), arena.ap(Ap(1)));
//! let eventually = arena.eventually(grant);
//! let response = arena.implies(request, eventually);
//! let property = arena.always(response);
//! // A checker looks for a run that violates the property.
//! let wrong = arena.not(property);
//! let automaton = translate(&arena, wrong, &Limits::default()).unwrap();
//! assert_eq!(automaton.state_count(), 2);
//! ```

mod connective;
mod formula;
mod gba;
mod implication;
mod nnf;
mod print;
mod rewrite;
mod semantics;
mod simplify;
mod translate;
mod vwaa;

pub use crate::automaton::Ap;
pub use formula::{Arena, Formula, FormulaId};
pub use print::Printed;
pub use simplify::simplify;
pub use translate::{Limits, Options, TranslateError, translate, translate_with};
