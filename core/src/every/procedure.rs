//! The procedure: small instances one by one, then all of them at once, then finer abstractions.

use super::effort::{Drive, Effort};
use super::fragment::{Needs, of_program, of_property};
use super::open::{Opened, grid, open};
use super::parts::{Population, Stuck};
use super::report::{Checked, Conclusion, Proof, Reason, word};
use super::search::{Claim, Found, Rule, Search, Subject};
use super::system::Abstraction;
use crate::check::{
    Check, CheckError, Counterexample, Halt, Options, Report, Survey, Target, Unknown, Verdict,
};
use crate::group::Process;
use crate::product::{Deadlock, FairnessChoice};
use crate::program::{FamilyId, Program, PropertyId, PropertyLogic, Settings};
use crate::property::{Obligation, invariant_obligation, obligations};
use crate::quotient::Crowd;
use crate::symmetry::{self, ProgramSymmetry};
use crate::syntax::ast::{Fairness, File};
use crate::text::Diagnostic;
use alloc::boxed::Box;
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
}

/// Answers about every size of a model's open families.
///
/// ```
/// use orbitscope_core::every::{Effort, Prover, RunToEnd};
/// use orbitscope_core::{check::Options, program::Settings, syntax::parse};
/// let parsed = parse("param n = 3
///     process p[n] { var x: bool = false
///       action on: not x and not exists q in p: q.x -> x := true
///       action off: x -> x := false }
///     invariant one: count(q in p: q.x) <= 1");
/// let prover =
///     Prover::new(&parsed.file, &Settings::default(), &[], Options::default(), Effort::default()).unwrap();
/// let proof = prover.prove(Some("one"), &mut RunToEnd);
/// assert_eq!(proof.words(), "holds for every n >= 1");
/// ```
#[derive(Debug)]
pub struct Prover {
    pub(super) opened: Opened,
    small: Program,
    pub(super) roomy: Program,
    pub(super) symmetry: ProgramSymmetry,
    needs: Needs,
    options: Options,
    pub(super) effort: Effort,
}

impl Prover {
    /// Leaves the named parameters of a model open, or all that give sizes and are not set. What cannot be said about every size is an
    /// error at its place.
    pub fn new(
        file: &File,
        settings: &Settings,
        names: &[alloc::string::String],
        options: Options,
        effort: Effort,
    ) -> Result<Prover, Vec<Diagnostic>> {
        let opened = open(file, settings, names)?;
        let small = opened.small()?;
        let found = symmetry::detect(&small);
        let needs =
            of_program(&small, &found, &opened).map_err(|outside| alloc::vec![outside.diagnostic()])?;
        let families: Vec<FamilyId> = opened.families.iter().map(|f| f.family).collect();
        // A model that is not counted may be very large with room for a crowd.
        let refuse = |family: FamilyId, program: &Program| {
            let family = &program.families[family];
            let message =
                alloc::format!("what a state says of a process of `{}` is not said of it alone", family.name);
            alloc::vec![Diagnostic::new(family.span, message)]
        };
        Crowd::new(&small, &found, &families).map_err(|family| refuse(family, &small))?;
        let roomy = opened.roomy()?;
        let symmetry = symmetry::detect(&roomy);
        let crowd = Crowd::new(&roomy, &symmetry, &families).map_err(|family| refuse(family, &roomy))?;
        if let Some(slot) = crowd.starts_anywhere() {
            let var = &roomy.vars[roomy.var_of(slot)];
            let message = "this may hold any process of a family whose size is left open at the start; let it start with `none`";
            return Err(alloc::vec![Diagnostic::new(var.span, message)]);
        }
        Ok(Prover { opened, small, roomy, symmetry, needs, options, effort })
    }

    /// The model with its open parameters.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The names of the properties, in the order of the text.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.small.properties.iter().map(|property| property.name.as_str())
    }

    /// Answers about a property, or about deadlocks where none is named. A name that the model does not have is an unknown property.
    pub fn prove(&self, property: Option<&str>, drive: &mut dyn Drive) -> Proof {
        let mut proof = self.prove_nothing(property);
        let conclusion = Inquiry { prover: self, drive, proof: &mut proof }.conclude(property);
        proof.conclusion = conclusion.unwrap_or_else(Conclusion::Unknown);
        proof
    }

    /// Looks at the abstract system alone: with every parameter from these values on, counting further than needed.
    pub fn attempt(
        &self,
        property: Option<&str>,
        from: &[i64],
        finer: u32,
        drive: &mut dyn Drive,
    ) -> (Proof, Option<Found>) {
        let mut proof = self.prove_nothing(property);
        let mut inquiry = Inquiry { prover: self, drive, proof: &mut proof };
        let found = inquiry.needs(property).and_then(|(id, needs)| {
            let attempt = Attempt { from: from.to_vec(), finer, more_tracked: 0 };
            inquiry.abstractly(id, &needs, &attempt)
        });
        (proof, found.ok())
    }

    /// The abstract system of an exact size: the quotient of that instance.
    pub fn exactly(&self, property: Option<&str>, values: &[i64], drive: &mut dyn Drive) -> Option<Found> {
        let mut proof = self.prove_nothing(property);
        let mut inquiry = Inquiry { prover: self, drive, proof: &mut proof };
        let (id, needs) = inquiry.needs(property).ok()?;
        let row: Vec<Option<i64>> = values.iter().copied().map(Some).collect();
        let attempt = Attempt { from: values.to_vec(), finer: 0, more_tracked: 0 };
        for claim in inquiry.claims(id, 0).ok()? {
            if let Covered::By(populations) = inquiry.populations(&claim, &row, &attempt, &needs) {
                match inquiry.search(claim, &populations).ok()? {
                    Found::Proved(_) => {}
                    left => return Some(left),
                }
            }
        }
        Some(Found::Proved(Rule::Simulation))
    }

    fn prove_nothing(&self, property: Option<&str>) -> Proof {
        Proof {
            property: property.map(ToString::to_string),
            covers: property
                .and_then(|name| self.small.property(name))
                .is_some_and(|id| self.small.properties[id].logic() == PropertyLogic::Cover),
            params: self.opened.params.clone(),
            conclusion: Conclusion::Unknown(Reason::Halted(Halt::Request)),
            thresholds: Vec::new(),
            tracked: 0,
            states: 0,
            edges: 0,
            rule: None,
            checked: Vec::new(),
            instance: None,
        }
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

/// One question under way.
pub(super) struct Inquiry<'a> {
    pub(super) prover: &'a Prover,
    drive: &'a mut dyn Drive,
    pub(super) proof: &'a mut Proof,
}

impl Inquiry<'_> {
    /// The property and what it needs.
    fn needs(&self, property: Option<&str>) -> Result<(Option<PropertyId>, Needs), Reason> {
        let Prover { small, opened, needs, options, .. } = self.prover;
        let by_the_model = options.fairness == FairnessChoice::Model;
        let Some(name) = property else { return Ok((None, needs.clone())) };
        let Some(id) = small.property(name) else {
            return Err(Reason::Property(alloc::format!("there is no property called `{name}`")));
        };
        let needs = of_property(small, opened, needs, id, by_the_model).map_err(Reason::Outside)?;
        Ok((Some(id), needs))
    }

    fn conclude(&mut self, property: Option<&str>) -> Result<Conclusion, Reason> {
        let (id, needs) = self.needs(property)?;
        let small = self.prover.effort.small;
        if self.proof.covers {
            return self.cover(id, &needs);
        }
        if let Some(violated) = self.one_by_one(id, &self.cells(small, 0))? {
            let then = self.holds_after(id, &needs, &violated);
            return Ok(Conclusion::Violated { at: violated, then: then?, never: false });
        }
        let least: Vec<i64> = self.proof.params.iter().map(|p| p.least).collect();
        let first = Attempt { from: least.clone(), finer: 0, more_tracked: 0 };
        let left = match self.abstractly(id, &needs, &first)? {
            Found::Proved(rule) => return Ok(self.holds(rule, least)),
            left => left,
        };
        if let Found::Left { size, .. } = &left {
            let further = (i64::from(*size)).clamp(small, 3 * small) + 2;
            let cells = self.cells(further, small);
            match self.one_by_one(id, &cells) {
                Ok(Some(at)) => return Ok(Conclusion::Violated { at, then: None, never: false }),
                // An instance that is too large to be checked is no reason to give up.
                Ok(None) | Err(Reason::Instance(..)) => {}
                Err(reason) => return Err(reason),
            }
        }
        if self.prover.effort.refine && matches!(left, Found::Left { .. }) {
            for attempt in self.refinements(&least) {
                if !self.smaller_hold(&attempt.from) {
                    continue;
                }
                if let Found::Proved(rule) = self.abstractly(id, &needs, &attempt)? {
                    return Ok(self.holds(rule, attempt.from));
                }
            }
        }
        Err(match left {
            Found::Left { words, states, .. } => Reason::Spurious { words, states },
            Found::Stuck(stuck) => Reason::Stuck(stuck),
            Found::Fault(fault) => Reason::Fault(fault.kind.to_string()),
            Found::Proved(_) => Reason::Stuck(Stuck::States),
        })
    }

    fn holds(&mut self, rule: Rule, from: Vec<i64>) -> Conclusion {
        self.proof.rule = Some(rule);
        Conclusion::Holds { from }
    }

    /// Of a single parameter: whether the property holds from some value on, although it is violated for smaller ones.
    fn holds_after(
        &mut self,
        id: Option<PropertyId>,
        needs: &Needs,
        violated: &[i64],
    ) -> Result<Option<i64>, Reason> {
        let ([first], &[param]) = (violated, &self.proof.params.iter().collect::<Vec<_>>()[..]) else {
            return Ok(None);
        };
        let (first, most) = (*first, self.prover.effort.small.min(param.most.unwrap_or(i64::MAX)));
        let mut last = first;
        for value in first + 1..=most {
            match self.instance(id, &[value], false) {
                Ok(true) => {}
                Ok(false) => last = value,
                Err(Reason::Instance(..)) => return Ok(None),
                Err(reason) => return Err(reason),
            }
        }
        if last >= most {
            return Ok(None);
        }
        let attempt = Attempt { from: alloc::vec![last + 1], finer: 0, more_tracked: 0 };
        let found = self.abstractly(id, needs, &attempt)?;
        if let Found::Proved(rule) = found {
            self.proof.rule = Some(rule);
            return Ok(Some(last + 1));
        }
        Ok(None)
    }

    /// Finer abstractions, in the order in which they are tried.
    fn refinements(&self, least: &[i64]) -> Vec<Attempt> {
        let finer = |finer| Attempt { from: least.to_vec(), finer, more_tracked: 0 };
        let beyond: Vec<i64> =
            self.proof.params.iter().map(|p| p.least.max(self.prover.effort.small + 1)).collect();
        let later = |finer, more_tracked| Attempt { from: beyond.clone(), finer, more_tracked };
        let mut second = least.to_vec();
        if let Some(first) = second.first_mut() {
            *first = (*first).max(2);
        }
        alloc::vec![
            finer(1),
            finer(2),
            later(0, 0),
            Attempt { from: second, finer: 0, more_tracked: 1 },
            later(1, 1)
        ]
    }

    /// Whether every instance below these values was checked, and holds.
    fn smaller_hold(&self, from: &[i64]) -> bool {
        let most = from.iter().copied().max().unwrap_or(0) - 1;
        let params = &self.proof.params;
        let below = grid(&params.iter().map(|p| p.least).collect::<Vec<_>>(), &alloc::vec![most; from.len()]);
        // Where one parameter is large and another small, the abstract system counts the small one exactly.
        let small = |values: &Vec<i64>| values.iter().zip(from).all(|(value, from)| value < from);
        below.iter().filter(|values| small(values)).all(|values| {
            let beyond = params.iter().zip(values).any(|(p, value)| p.most.is_some_and(|most| *value > most));
            beyond || self.proof.checked.iter().any(|c| c.values == *values && c.verdict == "holds")
        })
    }

    /// The instances up to some value of each parameter, but not those up to another, the smallest first.
    pub(super) fn cells(&self, upto: i64, but: i64) -> Vec<Vec<i64>> {
        let params = &self.proof.params;
        let low: Vec<i64> = params.iter().map(|p| p.least).collect();
        let high: Vec<i64> =
            params.iter().map(|p| p.most.map_or(upto, |most| most.min(upto)).max(p.least)).collect();
        let mut cells = grid(&low, &high);
        cells.retain(|values| values.iter().zip(&low).any(|(&value, &low)| value > but.max(low - 1)));
        cells.truncate(100);
        cells
    }

    /// Checks instances until one is violated; its values.
    fn one_by_one(&mut self, id: Option<PropertyId>, cells: &[Vec<i64>]) -> Result<Option<Vec<i64>>, Reason> {
        for values in cells {
            if !self.instance(id, values, true)? {
                return Ok(Some(values.clone()));
            }
        }
        Ok(None)
    }

    /// Checks an instance; says whether the property holds. A violation is kept with its run where that is asked for.
    fn instance(&mut self, id: Option<PropertyId>, values: &[i64], keep: bool) -> Result<bool, Reason> {
        let Some((program, report)) = self.report(id, values)? else { return Ok(true) };
        let holds = matches!(report.verdict, Verdict::Holds);
        if keep && !holds {
            self.proof.instance = Some(Box::new((program, report)));
        }
        Ok(holds)
    }

    /// The report on an instance; none where there is no such instance.
    pub(super) fn report(
        &mut self,
        id: Option<PropertyId>,
        values: &[i64],
    ) -> Result<Option<(Program, Report)>, Reason> {
        let Ok(program) = self.prover.opened.instance(values) else { return Ok(None) };
        let symmetry = symmetry::detect(&program);
        let mut options = self.prover.options;
        options.limits.states = options.limits.states.min(self.prover.effort.instance);
        let report = match id {
            Some(id) => {
                let check = Check::new(&program, &symmetry, Target::Property(id), options);
                let mut check = check.map_err(|error| match error {
                    CheckError::Property(error) => Reason::Property(error.to_string()),
                    CheckError::Refused(refusal) => Reason::Property(refusal.to_string()),
                })?;
                if let ControlFlow::Break(halt) = self.drive.drive(&mut check) {
                    return Err(Reason::Halted(halt));
                }
                check.stop()
            }
            None => self.deadlocks(&program, &symmetry, &options)?,
        };
        self.proof.checked.push(Checked { values: values.to_vec(), verdict: word(&report.verdict) });
        match &report.verdict {
            Verdict::Unknown(unknown) => Err(Reason::Instance(values.to_vec(), Box::new(unknown.clone()))),
            _ => Ok(Some((program, report))),
        }
    }

    fn deadlocks(
        &mut self,
        program: &Program,
        symmetry: &ProgramSymmetry,
        options: &Options,
    ) -> Result<Report, Reason> {
        let survey = Survey::new(program, symmetry, &[], options);
        let mut survey = survey.map_err(|refusal| Reason::Property(refusal.to_string()))?;
        if let ControlFlow::Break(halt) = self.drive.drive(&mut survey) {
            return Err(Reason::Halted(halt));
        }
        let verdict = if survey.deadlock_count() > 0 {
            Verdict::Violated
        } else if survey.is_complete() {
            Verdict::Holds
        } else {
            Verdict::Unknown(survey.unknown().unwrap_or(Unknown::Stopped))
        };
        Ok(Report {
            verdict,
            engine: options.engine,
            searches: 1,
            expanded: 0,
            symmetric: false,
            instance: None,
            stats: survey.stats(),
            counterexample: survey.deadlock_path().map(Counterexample::Path),
            run_note: None,
            branching: None,
            symbolic: None,
        })
    }

    /// Looks at all instances from some values on at once. Where there are several parameters, and these are not the least ones, each
    /// combination of *is i* and *is at least* is looked at.
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
                let exact = if params.len() > 1 { param.least..from } else { from..from };
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
        let mut strongest = Rule::Simulation;
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
                    Found::Proved(rule) => strongest = strongest.max(rule),
                    left => return Ok(left),
                }
            }
        }
        Ok(Found::Proved(strongest))
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
        let Prover { roomy, symmetry, options, opened, effort, .. } = self.prover;
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
        let fairness = |family: FamilyId| match options.fairness {
            FairnessChoice::Model => roomy.families[family].fairness,
            FairnessChoice::All(fairness) => fairness,
        };
        let open: Vec<Fairness> = families.iter().map(|&family| fairness(family)).collect();
        let told: Vec<Fairness> = asked
            .tracked
            .iter()
            .map(|&number| open[number])
            .chain(system.told().flatten().map(|process| fairness(roomy.locate(process).0)))
            .collect();
        let tracked = asked.tracked.len();
        let mut search =
            Search::new(system, asked.claim, asked.subjects, (open, told), effort.rules, effort.nodes);
        let driven = self.drive.drive(&mut search);
        self.proof.thresholds = populations.iter().map(|p| p.threshold()).collect();
        self.proof.tracked = tracked;
        self.proof.states = self.proof.states.max(search.system().len());
        self.proof.edges = self.proof.edges.max(search.system().edge_count());
        match driven {
            ControlFlow::Break(halt) => Err(Reason::Halted(halt)),
            ControlFlow::Continue(()) => Ok(search.found().cloned().unwrap_or(Found::Stuck(Stuck::States))),
        }
    }
}
