//! The pass that decides all invariants at once and finds deadlocks.

use super::{Known, Tally, Word, word};
use crate::support::Verdict as Expected;
use crate::support::temporal::Checker;
use orbitscope_core::check::{Engine, Options, Survey};
use orbitscope_core::explore::Limits;
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::program::PropertyId;

impl Known<'_> {
    /// Lets each engine pass over the states: they say the same of every invariant and of deadlocks, and so does the interpreter.
    pub(super) fn survey(&self, tally: &mut Tally) -> Result<(), String> {
        let sound = self.graph.filter(|graph| graph.wrong.iter().all(Vec::is_empty));
        let checker = sound.map(|graph| Checker::new(self.oracle, graph));
        let mut deadlocks = sound.map(|graph| (0..graph.steps.len()).any(|state| graph.is_deadlock(state)));
        for engine in [Engine::Onthefly, Engine::Explicit, Engine::Symbolic] {
            let symmetry = &self.symmetries[0];
            let limits = Limits { states: 30_000, ..Limits::default() };
            let options = Options { engine, limits, ..Options::default() };
            let taken = self.program.properties.iter_enumerated().filter_map(|(id, property)| {
                (property.logic().is_of_states()
                    && Survey::takes(self.program, symmetry, id, engine) == Ok(true))
                .then_some(id)
            });
            let taken: Vec<PropertyId> = taken.collect();
            let Ok(mut survey) = Survey::new(self.program, symmetry, &taken, &options) else { continue };
            survey.run();
            tally.reached.note(format!("survey: {}", engine.name()));
            for &id in &taken {
                let name = &self.program.properties[id].name;
                let expected =
                    checker.as_ref().and_then(|checker| self.expected(id, checker, FairnessChoice::Model));
                let said = word(&survey.report(id))?;
                let right = match expected {
                    Some(Expected::Holds) => said != Word::Violated,
                    Some(Expected::Violated) => said != Word::Holds,
                    None => true,
                };
                if !right {
                    return Err(format!("{said:?} of `{name}`, by a pass of {engine:?}"));
                }
            }
            if survey.is_complete() {
                tally.reached.note(format!("survey: {} of all states", engine.name()));
                let found = survey.deadlock_count() > 0;
                if *deadlocks.get_or_insert(found) != found {
                    return Err(format!("deadlocks: {found}, by a pass of {engine:?}"));
                }
            }
            if let (Some(checker), Some(numbers), Some(path)) =
                (&checker, &self.numbers, survey.deadlock_path())
            {
                let (start, steps) = self.path_in_numbers(&path, numbers)?;
                checker.graph.walk(start, &steps)?;
                let end = steps.last().map_or(start, |step| step.2);
                if sound.is_some_and(|graph| !graph.is_deadlock(end)) {
                    return Err(format!("a deadlock that is none, by a pass of {engine:?}"));
                }
                tally.reached.note("survey: a path to a deadlock");
            }
        }
        Ok(())
    }
}
