//! The procedure: small instances one by one, then all of them at once, then finer abstractions.

use super::attempt::Attempt;
use super::effort::{Drive, Effort};
use super::film::{Film, Shot};
use super::fragment::{Needs, of_program, of_property};
use super::open::{Opened, grid, open};
use super::parts::Stuck;
use super::report::{Checked, Conclusion, Proof, Reason, word};
use super::rules::Rules;
use super::search::Found;
use crate::check::{
    Check, CheckError, Counterexample, Halt, Options, Report, Survey, Target, Unknown, Verdict,
};
use crate::error::{Classified as _, ErrorKind};
use crate::program::{FamilyId, Program, PropertyId, PropertyLogic, Settings};
use crate::quotient::Crowd;
use crate::symmetry::{self, ProgramSymmetry};
use crate::syntax::ast::File;
use crate::text::Diagnostic;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::ControlFlow;

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
    pub(super) small: Program,
    pub(super) roomy: Program,
    pub(super) symmetry: ProgramSymmetry,
    needs: Needs,
    pub(super) options: Options,
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
        // With more processes than the text says, the first state may be outside of what is assumed.
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
        let conclusion = Inquiry::new(self, drive, &mut proof).conclude(property);
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
        let mut inquiry = Inquiry::new(self, drive, &mut proof);
        let found = inquiry
            .needs(property)
            .and_then(|(id, needs)| inquiry.abstractly(id, &needs, &Attempt::new(from.to_vec(), finer)));
        (proof, found.ok())
    }

    /// The abstract system of an exact size: the quotient of that instance.
    pub fn exactly(&self, property: Option<&str>, values: &[i64], drive: &mut dyn Drive) -> Option<Found> {
        let mut proof = self.prove_nothing(property);
        let mut inquiry = Inquiry::new(self, drive, &mut proof);
        let (id, needs) = inquiry.needs(property).ok()?;
        inquiry.exactly(id, &needs, values).ok()
    }

    /// The answer about a property, with a record of the abstract search that it rests on, or of one that decides nothing.
    pub fn film(&self, property: Option<&str>, drive: &mut dyn Drive) -> (Proof, Option<Film>) {
        let mut proof = self.prove_nothing(property);
        let mut inquiry = Inquiry::new(self, drive, &mut proof);
        inquiry.films = Some(Vec::new());
        let conclusion = inquiry.conclude(property);
        let mut films = inquiry.films.take().unwrap_or_default();
        proof.conclusion = conclusion.unwrap_or_else(Conclusion::Unknown);
        if films.is_empty() {
            let mut other = self.prove_nothing(property);
            let mut inquiry = Inquiry::new(self, drive, &mut other);
            inquiry.films = Some(Vec::new());
            if let Ok((id, needs)) = inquiry.needs(property) {
                let least = self.opened.params.iter().map(|p| p.least).collect();
                // Its film has the answer.
                let _ = inquiry.abstractly(id, &needs, &Attempt::new(least, 0));
            }
            films = inquiry.films.take().unwrap_or_default();
        }
        let best = films.into_iter().max_by_key(Shot::weight);
        (proof, best.map(|shot| shot.develop(self)))
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
            assumed: self.small.assumed_words(),
            rules: None,
            checked: Vec::new(),
            instance: None,
        }
    }
}

/// One question under way.
pub(super) struct Inquiry<'p, 'a> {
    pub(super) prover: &'p Prover,
    pub(super) drive: &'a mut dyn Drive,
    pub(super) proof: &'a mut Proof,
    /// The films of the last abstract systems, where they are wanted.
    pub(super) films: Option<Vec<Shot<'p>>>,
}

impl<'p, 'a> Inquiry<'p, 'a> {
    fn new(prover: &'p Prover, drive: &'a mut dyn Drive, proof: &'a mut Proof) -> Self {
        Inquiry { prover, drive, proof, films: None }
    }

    /// The property and what it needs.
    fn needs(&self, property: Option<&str>) -> Result<(Option<PropertyId>, Needs), Reason> {
        let Prover { small, opened, needs, .. } = self.prover;
        let Some(name) = property else { return Ok((None, needs.clone())) };
        let Some(id) = small.property(name) else {
            return Err(Reason::Property(alloc::format!("there is no property called `{name}`")));
        };
        let needs = of_property(small, opened, needs, id).map_err(Reason::Outside)?;
        Ok((Some(id), needs))
    }

    fn conclude(&mut self, property: Option<&str>) -> Result<Conclusion, Reason> {
        let (id, needs) = self.needs(property)?;
        let small = self.prover.effort.small;
        if self.proof.covers {
            return self.cover(id, &needs);
        }
        let undecided = match self.one_by_one(id, &self.cells(small, 0)) {
            Ok(Some(at)) => {
                let then = self.holds_after(id, &needs, &at)?;
                return Ok(Conclusion::Violated { at, then, never: false });
            }
            Ok(None) => None,
            // All at once may be less than one of them.
            Err(reason @ Reason::Instance(..)) if reason.kind() == ErrorKind::Limit => Some(reason),
            Err(reason) => return Err(reason),
        };
        let least: Vec<i64> = self.proof.params.iter().map(|p| p.least).collect();
        let first = Attempt::new(least.clone(), 0);
        let left = match self.abstractly(id, &needs, &first)? {
            Found::Proved(rules) => return Ok(self.holds(rules, least)),
            left => left,
        };
        if let Found::Left { size, .. } = &left
            && undecided.is_none()
        {
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
                if let Found::Proved(rules) = self.abstractly(id, &needs, &attempt)? {
                    return Ok(self.holds(rules, attempt.from));
                }
            }
        }
        Err(match left {
            Found::Left { words, states, why, .. } => Reason::Spurious { words, states, why },
            Found::Stuck(stuck) => Reason::Stuck(stuck),
            Found::Fault(fault) => Reason::Fault(fault.kind.to_string()),
            Found::Proved(_) => Reason::Stuck(Stuck::States),
        })
    }

    fn holds(&mut self, rules: Rules, from: Vec<i64>) -> Conclusion {
        self.proof.rules = Some(rules);
        Conclusion::Holds { from }
    }

    /// Whether the property holds from some values on, although it is violated for smaller ones: of several parameters, from some value
    /// of one of them on, or of all.
    fn holds_after(
        &mut self,
        id: Option<PropertyId>,
        needs: &Needs,
        violated: &[i64],
    ) -> Result<Option<Vec<i64>>, Reason> {
        let params = self.proof.params.clone();
        let least: Vec<i64> = params.iter().map(|p| p.least).collect();
        let upto = if params.len() == 1 { self.prover.effort.small } else { self.prover.effort.small.min(4) };
        let mut bad = alloc::vec![violated.to_vec()];
        for values in self.cells(upto, 0) {
            if self.proof.checked.iter().any(|c| c.values == values) {
                continue;
            }
            match self.instance(id, &values, false) {
                Ok(true) => {}
                Ok(false) => bad.push(values),
                Err(Reason::Instance(..)) => return Ok(None),
                Err(reason) => return Err(reason),
            }
        }
        for from in starts(&bad, &least) {
            // Nothing was seen of what is to be proved.
            let seen =
                from.iter().zip(&params).all(|(from, p)| *from <= upto.min(p.most.unwrap_or(i64::MAX)));
            if !seen {
                continue;
            }
            let attempt = Attempt { strips: false, ..Attempt::new(from.clone(), 0) };
            if let Found::Proved(rules) = self.abstractly(id, needs, &attempt)? {
                self.proof.rules = Some(rules);
                return Ok(Some(from));
            }
        }
        Ok(None)
    }

    /// Finer abstractions, in the order in which they are tried.
    fn refinements(&self, least: &[i64]) -> Vec<Attempt> {
        let finer = |finer| Attempt::new(least.to_vec(), finer);
        let beyond: Vec<i64> =
            self.proof.params.iter().map(|p| p.least.max(self.prover.effort.small + 1)).collect();
        let later = |finer, more_tracked| Attempt { more_tracked, ..Attempt::new(beyond.clone(), finer) };
        let mut second = least.to_vec();
        if let Some(first) = second.first_mut() {
            *first = (*first).max(2);
        }
        alloc::vec![
            finer(1),
            finer(2),
            later(0, 0),
            Attempt { more_tracked: 1, ..Attempt::new(second, 0) },
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
}

/// The values from which on none of these violations is in the way, with as few parameters raised as can be: each of them alone, then all.
fn starts(bad: &[Vec<i64>], least: &[i64]) -> Vec<Vec<i64>> {
    let one = |number: usize| {
        let mut from = least.to_vec();
        from[number] = bad.iter().map(|values| values[number]).max().unwrap_or(0) + 1;
        from
    };
    let mut all: Vec<Vec<i64>> = (0..least.len()).map(one).collect();
    let lowest = |values: &Vec<i64>| values.iter().copied().min().unwrap_or(0);
    let highest = bad.iter().map(lowest).max().unwrap_or(0) + 1;
    all.push(least.iter().map(|&least| least.max(highest)).collect());
    all.dedup();
    all
}
