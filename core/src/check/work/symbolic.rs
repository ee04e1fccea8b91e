//! The symbolic search of a safety obligation: a finite run that violates it however it goes on.

use super::{About, Ended, Turn, Work};
use crate::check::report::Unknown;
use crate::check::symbolic;
use crate::product::Deadlock;
use crate::property::Obligation;
use crate::symbolic::{Reach, Safety, is_safety};

/// Whether finite runs decide an obligation: then representatives are enough.
pub(super) fn takes(about: &About<'_>, obligation: &Obligation) -> bool {
    is_safety(&obligation.automaton)
        && !obligation.atoms.iter().any(|atom| atom.on_edges)
        && about.options.deadlock == Deadlock::Stutter
        && about.program.assumption.is_none()
}

#[derive(Debug)]
pub(super) struct Symbolic<'p>(Safety<'p>);

impl<'p> Symbolic<'p> {
    pub(super) fn new(about: &About<'p>, obligation: &Obligation) -> Result<Self, Unknown> {
        let options = &about.options;
        Safety::new(about.program, obligation, &options.symbolic, options.nodes())
            .map(Symbolic)
            .map_err(symbolic::refused)
    }
}

impl<'p> Work<'p> for Symbolic<'p> {
    fn step(&mut self, about: &About<'p>) -> Turn<'p> {
        if self.0.reach.step() {
            return Turn::More;
        }
        Turn::Ended(match symbolic::after(&self.0, &about.options) {
            Ok(None) => Ended::Holds,
            Ok(Some(path)) => Ended::Prefix(path),
            Err(unknown) => Ended::Unknown(unknown),
        })
    }

    fn reach(&self) -> Option<&Reach<'p>> {
        Some(&self.0.reach)
    }
}
