//! One abstraction to try: the claims that a property is made of, the sizes that a system stands for, and its search.

use super::film::Shot;
use super::fragment::Needs;
use super::parts::{Population, Stuck};
use super::procedure::{Inquiry, Prover};
use super::report::Reason;
use super::rules::Rules;
use super::search::{Claim, Demand, Demands, Found, Search, Subject};
use super::system::Abstraction;
use crate::group::Process;
use crate::product::{Deadlock, FairnessChoice};
use crate::program::{FamilyId, PropertyId, PropertyLogic};
use crate::property::{Obligation, invariant_obligation, obligations};
use crate::quotient::Crowd;
use crate::syntax::ast::Fairness;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// An abstraction to try.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// From these values of the parameters on.
    pub(super) from: Vec<i64>,
    /// How much further than needed is counted.
    pub(super) finer: u32,
    /// How many more processes are tracked than needed.
    pub(super) more_tracked: usize,
    /// Whether, with several parameters, instances with a small value of one and large values of another are looked at too.
    pub(super) strips: bool,
}

impl Attempt {
    /// Nobody is tracked whom the property does not speak of.
    pub(super) fn new(from: Vec<i64>, finer: u32) -> Attempt {
        Attempt { from, finer, more_tracked: 0, strips: true }
    }
}

/// A claim with what it speaks of.
struct Asked {
    claim: Claim,
    subjects: Vec<Subject>,
    /// The families of the tracked processes, by their number among the open ones.
    tracked: Vec<usize>,
    /// How many of these the property itself tracks.
    own: usize,
}

/// Whether an abstract system stands for some instances.
enum Covered {
    /// It does, with these sizes.
    By(Vec<Population>),
    /// None of these instances has the processes that the claim speaks of.
    Nothing,
    /// It does not.
    Not,
}

impl<'p> Inquiry<'p, '_> {
    /// The abstract system of an exact size: the quotient of that instance.
    pub(super) fn exactly(
        &mut self,
        id: Option<PropertyId>,
        needs: &Needs,
        values: &[i64],
    ) -> Result<Found, Reason> {
        let row: Vec<Option<i64>> = values.iter().copied().map(Some).collect();
        let attempt = Attempt::new(values.to_vec(), 0);
        for claim in self.claims(id, 0)? {
            if let Covered::By(populations) = self.populations(&claim, &row, &attempt, needs) {
                match self.search(claim, &populations)? {
                    Found::Proved(_) => {}
                    left => return Ok(left),
                }
            }
        }
        Ok(Found::Proved(Rules::default()))
    }

    /// Looks at all instances from some values on at once. Where there are several parameters, and these are not the least ones, each
    /// combination of *is i* and *is at least* is looked at, unless the attempt leaves these strips out.
    pub(super) fn abstractly(
        &mut self,
        id: Option<PropertyId>,
        needs: &Needs,
        attempt: &Attempt,
    ) -> Result<Found, Reason> {
        let params = &self.proof.params;
        let choices: Vec<Vec<Option<i64>>> = params
            .iter()
            .zip(&attempt.from)
            .map(|(param, &from)| {
                let exact = if params.len() > 1 && attempt.strips { param.least..from } else { from..from };
                exact.map(Some).chain([None]).collect()
            })
            .collect();
        let mut combinations: Vec<Vec<Option<i64>>> = alloc::vec![Vec::new()];
        for own in &choices {
            combinations = combinations
                .iter()
                .flat_map(|row| own.iter().map(move |c| row.iter().copied().chain([*c]).collect()))
                .collect();
        }
        combinations.retain(|row| row.iter().any(Option::is_none));
        let mut rules = Rules::default();
        if let Some(films) = &mut self.films {
            films.clear();
        }
        (self.proof.states, self.proof.edges) = (0, 0);
        for claim in self.claims(id, attempt.more_tracked)? {
            for row in &combinations {
                let populations = match self.populations(&claim, row, attempt, needs) {
                    Covered::By(populations) => populations,
                    Covered::Nothing => continue,
                    // With one more tracked process these instances would be left out.
                    Covered::Not => return Ok(Found::Stuck(Stuck::Roots)),
                };
                let asked = Asked {
                    claim: claim.claim.clone(),
                    subjects: claim.subjects.clone(),
                    tracked: claim.tracked.clone(),
                    own: claim.own,
                };
                match self.search(asked, &populations)? {
                    Found::Proved(more) => rules = rules.and(more),
                    left => return Ok(left),
                }
            }
        }
        Ok(Found::Proved(rules))
    }

    /// The sizes that an abstract system stands for.
    fn populations(&self, claim: &Asked, row: &[Option<i64>], attempt: &Attempt, needs: &Needs) -> Covered {
        let mut all = Vec::new();
        for (number, family) in self.prover.opened.families.iter().enumerate() {
            let count = |tracked: &[usize]| tracked.iter().filter(|f| **f == number).count() as u32;
            let (own, tracked) = (count(&claim.tracked[..claim.own]), count(&claim.tracked));
            let value = row[family.param];
            let least = family.size(value.unwrap_or(attempt.from[family.param]));
            if value.is_some() && least < own {
                return Covered::Nothing;
            }
            if tracked > own && least < tracked {
                return Covered::Not;
            }
            all.push(match value {
                Some(_) => Population::Exactly(least),
                None => Population::AtLeast {
                    least: least.max(tracked),
                    threshold: needs.threshold(number) + attempt.finer,
                },
            });
        }
        Covered::By(all)
    }

    /// The claims that a property is made of, one for each way to choose the processes that it speaks of.
    fn claims(&self, id: Option<PropertyId>, more_tracked: usize) -> Result<Vec<Asked>, Reason> {
        let Prover { roomy, symmetry, options, opened, small, .. } = self.prover;
        let logic = id.map(|id| small.properties[id].logic());
        let found: Vec<(Obligation, bool)> = match id.filter(|_| logic != Some(PropertyLogic::Deadlock)) {
            None => {
                return Ok(alloc::vec![Asked {
                    claim: Claim::NoDeadlock,
                    subjects: Vec::new(),
                    tracked: alloc::vec![0; more_tracked],
                    own: 0,
                }]);
            }
            Some(id) if matches!(logic, Some(PropertyLogic::Invariant | PropertyLogic::Cover)) => {
                let one = invariant_obligation(roomy, id, symmetry);
                alloc::vec![(one.map_err(|error| Reason::Property(error.to_string()))?, true)]
            }
            Some(id) => {
                let all = obligations(roomy, id, symmetry, &options.translation);
                let all = all.map_err(|error| Reason::Property(error.to_string()))?;
                all.into_iter().map(|one| (one, false)).collect()
            }
        };
        let number = |process: Process| {
            let (family, _) = roomy.locate(process);
            opened.families.iter().position(|open| open.family == family)
        };
        Ok(found
            .into_iter()
            .map(|(obligation, invariant)| {
                let mut seen: Vec<Process> = Vec::new();
                let mut tracked: Vec<usize> = Vec::new();
                let mut subjects = Vec::new();
                for &process in &obligation.tracked {
                    subjects.push(match number(process) {
                        None => Subject::Closed(process),
                        Some(family) => {
                            let known = seen.iter().position(|p| *p == process);
                            Subject::Tracked(known.unwrap_or_else(|| {
                                seen.push(process);
                                tracked.push(family);
                                seen.len() - 1
                            }))
                        }
                    });
                }
                let own = tracked.len();
                let family = tracked.first().copied().unwrap_or(0);
                tracked.extend(core::iter::repeat_n(family, more_tracked));
                // Of a cover the proposition is that what it asks for is not there.
                let claim = if invariant {
                    Claim::Always(obligation.atoms[0].clone())
                } else {
                    Claim::Never(obligation.automaton.clone(), obligation.atoms.clone())
                };
                Asked { claim, subjects, tracked, own }
            })
            .collect())
    }

    fn search(&mut self, asked: Asked, populations: &[Population]) -> Result<Found, Reason> {
        let prover: &'p Prover = self.prover;
        let Prover { roomy, symmetry, options, opened, effort, .. } = prover;
        let families: Vec<FamilyId> = opened.families.iter().map(|f| f.family).collect();
        let Ok(crowd) = Crowd::new(roomy, symmetry, &families) else {
            return Ok(Found::Stuck(Stuck::Roots));
        };
        let repeats = options.deadlock == Deadlock::Stutter;
        let system =
            Abstraction::new(crowd, populations, &asked.tracked, repeats, effort.states, effort.spare);
        let system = match system {
            Ok(system) => system,
            Err(stuck) => return Ok(Found::Stuck(stuck)),
        };
        let demands = |family: FamilyId| self.demands(family);
        let counted: Vec<Vec<Demand>> = families.iter().map(|&family| demands(family)).collect();
        let tracked_ones = asked.tracked.iter().map(|&number| counted[number].clone());
        let closed = system.told().flatten().map(|process| demands(roomy.locate(process).0));
        let told: Vec<Vec<Demand>> = tracked_ones.chain(closed).collect();
        let demands = Demands { counted, told };
        let tracked = asked.tracked.len();
        let tracked_families = asked.tracked.clone();
        let mut search =
            Search::new(system, asked.claim, asked.subjects, demands, effort.rules, effort.nodes);
        if self.films.is_some() {
            search = search.recorded();
        }
        let driven = self.drive.drive(&mut search);
        self.proof.thresholds = populations.iter().map(|p| p.threshold()).collect();
        self.proof.tracked = tracked;
        self.proof.states = self.proof.states.max(search.system().len());
        self.proof.edges = self.proof.edges.max(search.system().edge_count());
        if let ControlFlow::Break(halt) = driven {
            return Err(Reason::Halted(halt));
        }
        let found = search.found().cloned().unwrap_or(Found::Stuck(Stuck::Nodes));
        if let Some(films) = &mut self.films
            && let (Some(record), system) = search.into_record()
        {
            let thresholds = self.proof.thresholds.clone();
            films.push(Shot { record, found: found.clone(), thresholds, system, tracked: tracked_families });
        }
        Ok(found)
    }

    /// The fairness asked of each process of a family. Where it is chosen for all, no action is fair by itself.
    fn demands(&self, family: FamilyId) -> Vec<Demand> {
        let program = &self.prover.roomy;
        let mut asked = Vec::new();
        let mut ask = |fairness: Fairness, action| {
            if fairness != Fairness::None {
                asked.push(Demand { strong: fairness == Fairness::Strong, action });
            }
        };
        match self.prover.options.fairness {
            FairnessChoice::All(fairness) => ask(fairness, None),
            FairnessChoice::Model => {
                ask(program.families[family].fairness, None);
                for (id, action) in program.actions.iter_enumerated().filter(|(_, a)| a.family == family) {
                    ask(action.fairness, Some(id));
                }
            }
        }
        asked
    }
}
