//! The abstract system: counters from 0 to a threshold and *many*, explored on demand.

mod see;

use super::parts::{Core, Edge, Expanded, Law, Local, Population, StateId, Stuck};
use crate::group::Process;
use crate::ids::{Id, IdVec};
use crate::program::{ActionId, FamilyId};
use crate::quotient::{Census, Crowd, CrowdFault, CrowdStep, Doer, MANY, Run};
use crate::sort::Sort as _;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The most initial states that are listed.
const MOST_ROOTS: usize = 20_000;

/// Everything of an abstract state but its counters: the values that are told apart, and the tracked processes' local states.
type Told = (Vec<i32>, Vec<(usize, u64)>);

/// The abstract system of a program with open families, under construction.
#[derive(Debug)]
pub struct Abstraction<'p> {
    crowd: Crowd<'p>,
    populations: Vec<Population>,
    /// The number that stands for *many*.
    many: Vec<u32>,
    /// How many tracked processes each family has.
    tracked: Vec<u32>,
    /// The number of the first closed told-apart process.
    closed: Vec<Process>,
    tracked_families: Vec<usize>,
    tracked_count: u32,
    /// Whether a state without steps repeats.
    repeats: bool,
    laws: Vec<Law>,
    ids: HashMap<Census, StateId, FxBuildHasher>,
    censuses: IdVec<StateId, Census>,
    cores: BTreeMap<Told, Core>,
    core_of: IdVec<StateId, Core>,
    locals: IdVec<Local, (usize, u64)>,
    local_ids: BTreeMap<(usize, u64), Local>,
    initial_locals: Vec<Local>,
    roots: Vec<StateId>,
    expanded: IdVec<StateId, Expanded>,
    max_states: usize,
    edge_count: u64,
}

impl<'p> Abstraction<'p> {
    /// The abstract system, with its initial states. `tracked` are the families of the tracked processes, by their number among
    /// the open ones; `spare` is added to what *many* is read as, which must not matter.
    pub fn new(
        crowd: Crowd<'p>,
        populations: &[Population],
        tracked: &[usize],
        repeats: bool,
        max_states: usize,
        spare: u32,
    ) -> Result<Self, Stuck> {
        let open: Vec<FamilyId> = crowd.families().collect();
        let program = crowd.program();
        let closed = (0..program.process_count()).map(Process);
        let closed = closed.filter(|&p| !open.contains(&program.locate(p).0)).collect();
        let mut counts = alloc::vec![0; open.len()];
        for &family in tracked {
            counts[family] += 1;
        }
        // Somebody stands by, whoever takes part: what becomes of bystanders is read off the step.
        let many = populations.iter().enumerate();
        let many = many.map(|(f, p)| p.threshold() + 1 + crowd.most_participants(f) + spare).collect();
        let mut system = Abstraction {
            many,
            populations: populations.to_vec(),
            tracked: counts,
            closed,
            tracked_families: tracked.to_vec(),
            tracked_count: tracked.len() as u32,
            repeats,
            laws: Vec::new(),
            ids: HashMap::default(),
            censuses: IdVec::new(),
            cores: BTreeMap::new(),
            core_of: IdVec::new(),
            locals: IdVec::new(),
            local_ids: BTreeMap::new(),
            initial_locals: Vec::new(),
            roots: Vec::new(),
            expanded: IdVec::new(),
            max_states,
            edge_count: 0,
            crowd,
        };
        system.enter_roots(tracked)?;
        Ok(system)
    }

    /// The crowd.
    pub fn crowd(&self) -> &Crowd<'p> {
        &self.crowd
    }

    /// How many states were found.
    pub fn len(&self) -> usize {
        self.censuses.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.censuses.is_empty()
    }

    /// How many edges were found.
    pub fn edge_count(&self) -> u64 {
        self.edge_count
    }

    /// The initial states.
    pub fn roots(&self) -> &[StateId] {
        &self.roots
    }

    /// The census of a state's processes.
    pub fn census(&self, id: StateId) -> &Census {
        &self.censuses[id]
    }

    /// The facts about an expanded state.
    pub fn at(&self, id: StateId) -> &Expanded {
        &self.expanded[id]
    }

    /// The kept values and tracked processes of a state, as a number.
    pub fn core(&self, id: StateId) -> Core {
        self.core_of[id]
    }

    /// The number of local states met so far.
    pub fn local_count(&self) -> usize {
        self.locals.len()
    }

    /// The open family of a local state.
    pub fn family_of(&self, local: Local) -> usize {
        self.locals[local].0
    }

    /// The local states of the start.
    pub fn initial_locals(&self) -> &[Local] {
        &self.initial_locals
    }

    /// The told-apart processes: first the tracked ones (none), then the closed ones.
    pub fn told(&self) -> impl Iterator<Item = Option<Process>> + '_ {
        (0..self.tracked_count).map(|_| None).chain(self.closed.iter().copied().map(Some))
    }

    /// A state with *many* as the least number that it stands for: how many processes that are.
    pub fn size_of(&self, id: StateId) -> u32 {
        let census = &self.censuses[id];
        let counted = census.runs.iter().zip(&self.populations).flat_map(|(runs, population)| {
            let most = population.threshold() + 1;
            runs.iter().map(move |run| run.count.min(most))
        });
        counted.sum::<u32>() + self.tracked_count
    }

    /// The counters of a state that are not 0.
    pub fn counters(&self, id: StateId) -> impl Iterator<Item = (Local, u32)> + '_ {
        let runs = self.censuses[id].runs.iter().enumerate();
        runs.flat_map(move |(family, runs)| {
            runs.iter().map(move |run| (self.local_ids[&(family, run.code)], run.count))
        })
    }

    fn local(&mut self, family: usize, code: u64) -> Local {
        if let Some(&known) = self.local_ids.get(&(family, code)) {
            return known;
        }
        let id = self.locals.push((family, code));
        self.local_ids.insert((family, code), id);
        id
    }

    fn enter_roots(&mut self, tracked: &[usize]) -> Result<(), Stuck> {
        let values = self.crowd.initial_values(MOST_ROOTS).ok_or(Stuck::Roots)?;
        let mut codes: Vec<Vec<u64>> = Vec::new();
        for family in 0..self.populations.len() {
            codes.push(self.crowd.initial_codes(family, MOST_ROOTS).ok_or(Stuck::Roots)?);
        }
        let mut told: Vec<Vec<(usize, u64)>> = alloc::vec![Vec::new()];
        for &family in tracked {
            let longer = |row: &Vec<(usize, u64)>| {
                let row = row.clone();
                let all = codes[family].iter();
                all.map(|&code| row.iter().copied().chain([(family, code)]).collect()).collect::<Vec<_>>()
            };
            told = told.iter().flat_map(longer).collect();
        }
        let mut crowds: Vec<Vec<Vec<Run>>> = alloc::vec![Vec::new()];
        for (family, codes) in codes.iter().enumerate() {
            let own = self.initial_runs(family, codes)?;
            crowds = crowds
                .iter()
                .flat_map(|row| {
                    own.iter().map(move |runs| row.iter().cloned().chain([runs.clone()]).collect())
                })
                .collect();
            if crowds.len().saturating_mul(told.len()).saturating_mul(values.len()) > MOST_ROOTS {
                return Err(Stuck::Roots);
            }
            for &code in codes {
                let local = self.local(family, code);
                self.initial_locals.push(local);
            }
        }
        for values in &values {
            for tracked in &told {
                for runs in &crowds {
                    let census =
                        Census { values: values.clone(), tracked: tracked.clone(), runs: runs.clone() };
                    let (state, told) =
                        self.crowd.arrange(&census, &self.many).ok_or(Stuck::Crowd(CrowdFault::Room))?;
                    if self.crowd.is_assumed(&state, &told)
                        && let Some(id) = self.enter(census)?
                    {
                        self.roots.push(id);
                    }
                }
            }
        }
        self.roots.arrange();
        self.roots.dedup();
        Ok(())
    }

    /// The counters over some local states that a family may start with.
    fn initial_runs(&self, family: usize, codes: &[u64]) -> Result<Vec<Vec<Run>>, Stuck> {
        let population = self.populations[family];
        let least = population.least().saturating_sub(self.tracked[family]);
        let exact = matches!(population, Population::Exactly(_));
        let top = population.threshold();
        let mut all: Vec<Vec<Run>> = alloc::vec![Vec::new()];
        for &code in codes.iter().rev() {
            let mut longer = Vec::new();
            for row in &all {
                let many = (!exact).then_some(MANY);
                for count in (0..=top).chain(many) {
                    let mut row = row.clone();
                    if count > 0 {
                        row.push(Run { code, count });
                    }
                    longer.push(row);
                }
            }
            if longer.len() > MOST_ROOTS {
                return Err(Stuck::Roots);
            }
            all = longer;
        }
        all.retain(|row| {
            let unbounded = row.iter().any(|run| run.count == MANY);
            let sum: u32 = if unbounded { 0 } else { row.iter().map(|run| run.count).sum() };
            if exact { sum == least } else { unbounded || sum >= least }
        });
        Ok(all)
    }

    /// The number of a state, unless a law says that no instance has it.
    fn enter(&mut self, census: Census) -> Result<Option<StateId>, Stuck> {
        if let Some(&known) = self.ids.get(&census) {
            return Ok(Some(known));
        }
        for (family, runs) in census.runs.iter().enumerate() {
            for run in runs {
                self.local(family, run.code);
            }
        }
        let key = (census.values.clone(), census.tracked.clone());
        let fresh = Core::from_index(self.cores.len());
        let core = *self.cores.entry(key).or_insert(fresh);
        if self.laws.iter().any(|law| self.breaks(law, core, &census)) {
            return Ok(None);
        }
        if self.censuses.len() >= self.max_states {
            return Err(Stuck::States);
        }
        let id = self.censuses.push(census.clone());
        self.core_of.push(core);
        self.ids.insert(census, id);
        Ok(Some(id))
    }

    /// Whether even the largest value that a law's sum may have is negative.
    fn breaks(&self, law: &Law, core: Core, census: &Census) -> bool {
        let Some(&offset) = law.offsets.get(&core) else { return false };
        let mut largest = offset;
        for (family, runs) in census.runs.iter().enumerate() {
            for run in runs {
                let local = self.local_ids[&(family, run.code)];
                let weight = law.weights.iter().find(|(l, _)| *l == local).map_or(0, |&(_, w)| w);
                if run.count == MANY && weight > 0 {
                    return false;
                }
                // The least that *many* is makes a negative weight's part largest.
                let count = run.count.min(self.populations[family].threshold() + 1);
                largest += weight * i64::from(count);
            }
        }
        largest < 0
    }

    /// Whether a law would take a state away.
    pub(super) fn removes(&self, law: &Law, id: StateId) -> bool {
        self.breaks(law, self.core_of[id], &self.censuses[id])
    }

    /// Starts anew with more laws; numbers of local states and cores stay.
    pub(super) fn restart(&mut self, laws: Vec<Law>) -> Result<(), Stuck> {
        self.laws.extend(laws);
        self.ids.clear();
        let tracked = self.tracked_families.clone();
        self.censuses = IdVec::new();
        self.core_of = IdVec::new();
        self.expanded = IdVec::new();
        self.roots.clear();
        self.initial_locals.clear();
        self.edge_count = 0;
        self.enter_roots(&tracked)
    }

    /// Expands the next state; says whether there was one.
    pub fn step(&mut self) -> Result<bool, Stuck> {
        if self.expanded.len() == self.censuses.len() {
            return Ok(false);
        }
        let id = StateId::from_index(self.expanded.len());
        let census = self.censuses[id].clone();
        let (state, tracked) =
            self.crowd.arrange(&census, &self.many).ok_or(Stuck::Crowd(CrowdFault::Room))?;
        let steps = self.crowd.steps(&state, &tracked).map_err(Stuck::Crowd)?;
        let dead = steps.is_empty() && !self.crowd.is_cut_off(&state, &tracked);
        let mut found = self.enabled_by(&steps);
        found.dead = dead;
        for step in steps {
            self.edges_of(&census, &step, &mut found.edges)?;
        }
        if found.dead && self.repeats {
            let standing: Vec<Local> = self.counters(id).map(|(local, _)| local).collect();
            found.edges.push(Edge {
                target: id,
                told: None,
                doer: None,
                action: None,
                moves: Vec::new(),
                carried: Vec::new(),
                may: sorted(standing.clone()),
                must: sorted(standing),
                carried_counts: Vec::new(),
            });
        }
        found.edges.arrange();
        found.edges.dedup();
        self.edge_count += found.edges.len() as u64;
        self.expanded.push(found);
        Ok(true)
    }

    /// Who can take these steps.
    fn enabled_by(&mut self, steps: &[CrowdStep]) -> Expanded {
        let mut found = Expanded::default();
        for step in steps {
            let fair = self.fair_action(step);
            let told = match step.doer {
                Doer::One(family, code) => {
                    let local = self.local(family, code);
                    found.enabled.push(local);
                    found.choices.extend(fair.map(|action| (local, action)));
                    continue;
                }
                Doer::Tracked(k) => k as u32,
                Doer::Closed(process) => self.closed_number(process),
            };
            found.told.push(told);
            found.told_choices.extend(fair.map(|action| (told, action)));
        }
        (found.enabled, found.told) = (unique(found.enabled), unique(found.told));
        (found.choices, found.told_choices) = (unique(found.choices), unique(found.told_choices));
        found
    }

    fn fair_action(&self, step: &CrowdStep) -> Option<ActionId> {
        self.crowd.program().is_fair_action(step.action).then_some(step.action)
    }

    fn closed_number(&self, process: Process) -> u32 {
        let at = self.closed.iter().position(|&p| p == process).unwrap_or(0);
        self.tracked_count + at as u32
    }

    /// The edges of one step: one for each combination of what the counters may be afterwards.
    fn edges_of(&mut self, census: &Census, step: &CrowdStep, edges: &mut Vec<Edge>) -> Result<(), Stuck> {
        let mut results: Vec<Vec<Counter>> = alloc::vec![Vec::new()];
        for (family, runs) in census.runs.iter().enumerate() {
            for run in runs {
                let all = self.results(family, *run, step);
                results = results
                    .iter()
                    .flat_map(|row| all.iter().map(move |c| row.iter().copied().chain([*c]).collect()))
                    .collect();
            }
        }
        for row in results {
            if self.is_smaller(&row) {
                continue;
            }
            let runs = self.after(census, step, &row);
            let next = Census { values: step.values.clone(), tracked: step.tracked.clone(), runs };
            let Some(target) = self.enter(next)? else { continue };
            let edge = self.edge(target, step, &row);
            edges.push(edge);
        }
        Ok(())
    }

    /// The values that a counter may have had, as far as its result tells.
    fn results(&self, family: usize, run: Run, step: &CrowdStep) -> Vec<Counter> {
        let own = || step.moves.iter().filter(|m| m.family == family);
        let departures = own().filter(|m| m.from == run.code).count() as u32;
        let arrivals = own().filter(|m| m.to == run.code).count() as u32;
        let counter =
            |least: u32, unbounded: bool| Counter { family, code: run.code, least, unbounded, departures };
        let threshold = self.populations[family].threshold();
        if run.count != MANY {
            return alloc::vec![counter(run.count, false)];
        }
        let carries = step.carried.iter().any(|c| c.0 == family);
        let loss = if carries { departures } else { departures.saturating_sub(arrivals) };
        let mut all: Vec<Counter> = (1..=loss).map(|more| counter(threshold + more, false)).collect();
        all.push(counter(threshold + 1 + loss, true));
        all
    }

    /// Whether only instances smaller than the least have these counters.
    fn is_smaller(&self, row: &[Counter]) -> bool {
        (0..self.populations.len()).any(|family| {
            let own = || row.iter().filter(|counter| counter.family == family);
            let least = self.populations[family].least().saturating_sub(self.tracked[family]);
            !own().any(|counter| counter.unbounded) && own().map(|counter| counter.least).sum::<u32>() < least
        })
    }

    /// The counters after a step.
    fn after(&self, census: &Census, step: &CrowdStep, row: &[Counter]) -> Vec<Vec<Run>> {
        let mut all = Vec::with_capacity(census.runs.len());
        for family in 0..census.runs.len() {
            // For each local state how many there are at least, and whether there may be more.
            let mut now: BTreeMap<u64, (u32, bool)> = BTreeMap::new();
            for counter in row.iter().filter(|counter| counter.family == family) {
                let carried = step.carried.iter().find(|c| (c.0, c.1) == (family, counter.code));
                let there = now.entry(carried.map_or(counter.code, |c| c.2)).or_default();
                there.0 += counter.stay();
                there.1 |= counter.unbounded;
            }
            for arrival in step.moves.iter().filter(|m| m.family == family) {
                now.entry(arrival.to).or_default().0 += 1;
            }
            let threshold = self.populations[family].threshold();
            let count = |(least, more): (u32, bool)| if more || least > threshold { MANY } else { least };
            let runs = now.into_iter().rev().filter(|(_, (least, more))| *least > 0 || *more);
            all.push(runs.map(|(code, counted)| Run { code, count: count(counted) }).collect());
        }
        all
    }

    fn edge(&mut self, target: StateId, step: &CrowdStep, row: &[Counter]) -> Edge {
        let told = match step.doer {
            Doer::One(..) => None,
            Doer::Tracked(k) => Some(k as u32),
            Doer::Closed(process) => Some(self.closed_number(process)),
        };
        let moves =
            step.moves.iter().map(|m| (self.local(m.family, m.from), self.local(m.family, m.to), m.acts));
        let moves = sorted(moves.collect());
        let carried: Vec<(Local, Local)> =
            step.carried.iter().map(|&(f, from, to)| (self.local(f, from), self.local(f, to))).collect();
        let (mut may, mut must) = (Vec::new(), Vec::new());
        for counter in row {
            let local = self.local(counter.family, counter.code);
            let stay = counter.stay();
            if stay >= 1 {
                must.push(local);
            }
            if stay >= 1 || counter.unbounded {
                may.push(local);
            }
        }
        let known = |&(family, from, _): &(usize, u64, u64)| {
            let counter = row.iter().find(|c| (c.family, c.code) == (family, from))?;
            (!counter.unbounded).then(|| counter.stay())
        };
        let carried_counts = step.carried.iter().map(known).collect();
        let doer = Some(step.doer);
        let (action, may, must) = (self.fair_action(step), sorted(may), sorted(must));
        Edge { target, told, doer, action, moves, carried, may, must, carried_counts }
    }
}

/// The value of a counter before a step.
#[derive(Clone, Copy, Debug)]
struct Counter {
    family: usize,
    code: u64,
    /// The least that it was.
    least: u32,
    /// Whether it may have been more.
    unbounded: bool,
    /// How many participants started there.
    departures: u32,
}

impl Counter {
    /// How many stand by, at least.
    fn stay(&self) -> u32 {
        self.least.saturating_sub(self.departures)
    }
}

fn unique<T: Ord>(list: Vec<T>) -> Vec<T> {
    let mut list = sorted(list);
    list.dedup();
    list
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.arrange();
    list
}
