//! Why a formula holds or does not hold in a state: paths, and claims about the states on them, each of which can be opened
//! in turn (Heljanko 1997, sections 2.3 and 4).
//!
//! Everything is said in the program's own process numbers: a walk keeps, with its vertex (s, l⃗), the permutation σ for
//! which σ·s is the program's state and σ takes l⃗ to the processes that are meant. A loop of the quotient need not be
//! one of the program: the walk goes on until a state of the program comes back.

use super::bitmap::Bitmap;
use super::fair::fair_run;
use super::graph::Vertex;
use super::normal::{Path, ProcessQuantifier};
use super::part::{Link, PartId, Sub, SubId};
use super::run::{CtlCheck, Outcome};
use super::space::{Place, members, sources};
use crate::group::Process;
use crate::ids::Id;
use crate::limits::{MAX_MEMBERS, MAX_WALK};
use crate::search::{LassoStep, is_claimed, step_between, turned_arguments};
use crate::strain::{size, took};
use crate::symmetry::{Structure, state_structure};
use alloc::collections::{BTreeMap, VecDeque};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// That a subformula holds in a state, or does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The part.
    pub part: PartId,
    /// The subformula of the part.
    pub sub: SubId,
    /// The processes that the part tracks.
    pub tracked: Vec<Process>,
    /// The state.
    pub values: Vec<i32>,
    /// Whether the subformula holds there.
    pub holds: bool,
}

/// The facts that a claim rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The claim.
    pub claim: Claim,
    /// Why it is so.
    pub because: Because,
}

/// Why a claim is so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Because {
    /// The state itself shows it.
    Fact,
    /// It follows from these claims about the same state.
    Claims(Vec<Claim>),
    /// This process shows it.
    Choice(Process, Claim),
    /// Every process of the family shows it.
    Every(Vec<Claim>),
    /// A path from the state shows it, with claims about its states, which are numbered from 0.
    Walk {
        /// The steps.
        steps: Vec<LassoStep>,
        /// The state to which the last one leads back; none where the path need not go on.
        back: Option<u32>,
        /// The claims, each with the number of its state.
        claims: Vec<(u32, Claim)>,
    },
    /// It is about all paths, or all of very many processes: no single one shows it.
    Universal,
    /// The path that shows it is too long.
    TooLong,
}

/// Evidence, with what its claims rest on opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The evidence.
    pub evidence: Evidence,
    /// The claims that are opened, with the number of the state on the walk that they are about.
    pub below: Vec<(u32, Tree)>,
}

impl CtlCheck<'_> {
    /// The claim that the answer is: that the formula does not hold in some initial state, or that it does in the first.
    pub fn claim(&mut self) -> Option<Claim> {
        let holds = match self.outcome()? {
            Outcome::Holds => true,
            Outcome::Violated => false,
            _ => return None,
        };
        let part = self.formula.top();
        let root = if holds { self.spaces[part].roots().into_iter().next() } else { self.wrong_root() };
        let root = root?;
        let structure = state_structure(self.program);
        Some(Claim {
            part,
            sub: self.formula.parts[part].top(),
            tracked: self.formula.parts[part].fixed.clone(),
            values: self.values(part, &structure, &root),
            holds,
        })
    }

    /// The evidence for the answer, opened along what is worth looking at: at the end of each path, and in each choice.
    pub fn tree(&mut self) -> Option<Tree> {
        let claim = self.claim()?;
        self.open(&claim)
    }

    /// It recurses as deep as the formula is nested, which the parser bounds.
    fn open(&mut self, claim: &Claim) -> Option<Tree> {
        let evidence = self.explain(claim)?;
        let wanted: Vec<(u32, Claim)> = match &evidence.because {
            Because::Claims(claims) => claims.iter().map(|claim| (0, claim.clone())).collect(),
            Because::Choice(_, claim) => alloc::vec![(0, claim.clone())],
            Because::Walk { steps, back, claims } => {
                let end = back.unwrap_or(steps.len() as u32);
                claims.iter().filter(|(at, _)| *at == end).cloned().collect()
            }
            _ => Vec::new(),
        };
        let mut below = Vec::new();
        for (at, claim) in wanted {
            below.push((at, self.open(&claim)?));
        }
        Some(Tree { evidence, below })
    }

    /// Explains a claim by facts it rests on; none where it is not true.
    pub fn explain(&mut self, claim: &Claim) -> Option<Evidence> {
        let Claim { part, sub, holds, .. } = *claim;
        let place = self.spaces[part].place(&claim.values, &claim.tracked)?;
        if self.value(part, sub, place.vertex) != holds {
            return None;
        }
        let about = |sub: SubId, holds: bool| Claim { sub, holds, ..claim.clone() };
        let because = match self.formula.parts[part].subs[sub].clone() {
            Sub::Const(_) | Sub::Atom(_) => Because::Fact,
            Sub::Not(a) => Because::Claims(alloc::vec![about(a, !holds)]),
            Sub::And(list) | Sub::Or(list) => {
                let and = matches!(self.formula.parts[part].subs[sub], Sub::And(_));
                let wanted: Vec<SubId> = if and == holds {
                    list
                } else {
                    let found = list.into_iter().find(|&a| self.value(part, a, place.vertex) == holds);
                    found.into_iter().collect()
                };
                Because::Claims(wanted.into_iter().map(|a| about(a, holds)).collect())
            }
            Sub::Link(link) => self.explain_link(claim, &link)?,
            Sub::Next(path, a) if (path == Path::Some) == holds => {
                let mut walk = self.walk(part, place);
                let successors = self.spaces[part].graph().successors(walk.place.vertex).to_vec();
                let target = successors.into_iter().find(|&v| self.value(part, a, v) == holds)?;
                self.take(&mut walk, target)?;
                let claims = alloc::vec![(1, walk.claim(claim, 1, a, holds))];
                Because::Walk { steps: walk.steps, back: None, claims }
            }
            Sub::Until(Path::Some, f, g) if holds => self.witness(claim, f, g, place)?,
            Sub::Until(Path::All, f, g) if !holds => self.counterexample(claim, f, g, place)?,
            Sub::FairGlobally(f) if holds => self.fair_witness(claim, f, place)?,
            Sub::Next(..) | Sub::Until(..) | Sub::FairGlobally(_) | Sub::Fixpoint(..) | Sub::Variable(_) => {
                Because::Universal
            }
        };
        Some(Evidence { claim: claim.clone(), because })
    }

    fn explain_link(&mut self, claim: &Claim, link: &Link) -> Option<Because> {
        let sub = self.formula.parts[link.part].top();
        let tracked = sources(link, &claim.tracked);
        let with = |process: Option<Process>| Claim {
            part: link.part,
            sub,
            tracked: tracked.iter().filter_map(|&p| p.or(process)).collect(),
            values: claim.values.clone(),
            holds: claim.holds,
        };
        let Some((quantifier, family)) = link.over else {
            return Some(Because::Claims(alloc::vec![with(None)]));
        };
        if (quantifier == ProcessQuantifier::Exists) == claim.holds {
            let found = self.spaces[link.part].instances(&claim.values, &tracked, link);
            let known = self.spaces[link.part].graph().len();
            let (process, _) = found.into_iter().find(|(_, place)| {
                place.vertex.0 < known && self.value(link.part, sub, place.vertex) == claim.holds
            })?;
            let process = process?;
            return Some(Because::Choice(process, with(Some(process))));
        }
        if self.program.families[family].size > size("ctl: members that are shown", MAX_MEMBERS, 1) {
            took("ctl: too many members to show");
            return Some(Because::Universal);
        }
        let every = members(self.program, family).map(|p| with(Some(Process(p))));
        Some(Because::Every(every.collect()))
    }

    /// A shortest path through f to g.
    fn witness(&mut self, claim: &Claim, f: SubId, g: SubId, place: Place) -> Option<Because> {
        let part = claim.part;
        let route = self.route(
            part,
            place.vertex,
            |check, v| check.value(part, g, v),
            |check, v| check.value(part, f, v),
        )?;
        let mut walk = self.walk(part, place);
        for target in route {
            self.take(&mut walk, target)?;
        }
        let end = walk.steps.len() as u32;
        let mut claims: Vec<(u32, Claim)> = (0..end).map(|at| (at, walk.claim(claim, at, f, true))).collect();
        claims.push((end, walk.claim(claim, end, g, true)));
        Some(Because::Walk { steps: walk.steps, back: None, claims })
    }

    /// A fair run through f.
    fn fair_witness(&mut self, claim: &Claim, f: SubId, place: Place) -> Option<Because> {
        let (part, whole) = (claim.part, claim.sub);
        let fairness = self.formula.fairness.clone()?;
        let mut inside = Bitmap::default();
        for vertex in self.spaces[part].graph().vertices() {
            // From where no fair run leads on, none does.
            let value = self.value(part, whole, vertex);
            inside.push(value);
        }
        let mut walk = self.walk(part, place.clone());
        let (stem, mut cycle) = fair_run(&mut self.spaces[part], &inside, place, &fairness)?.written_out();
        let back = stem.len() as u32;
        walk.steps = stem;
        walk.steps.append(&mut cycle);
        let end = walk.steps.len() as u32;
        if walk.steps.len() > size("ctl: the longest walk", MAX_WALK, 2) {
            took("ctl: a walk that is too long");
            return Some(Because::TooLong);
        }
        let claims = (0..end).map(|at| (at, walk.claim(claim, at, f, true))).collect();
        Some(Because::Walk { steps: walk.steps, back: Some(back), claims })
    }

    /// A shortest path without g to a state without f; or a loop without g.
    fn counterexample(&mut self, claim: &Claim, f: SubId, g: SubId, place: Place) -> Option<Because> {
        let (part, whole) = (claim.part, claim.sub);
        let route = self.route(
            part,
            place.vertex,
            |check, v| !check.value(part, g, v) && !check.value(part, f, v),
            |check, v| !check.value(part, g, v),
        );
        let mut walk = self.walk(part, place);
        let mut back = None;
        if let Some(route) = &route {
            for &target in route {
                self.take(&mut walk, target)?;
            }
        } else {
            let mut seen: BTreeMap<Vec<i32>, u32> = BTreeMap::new();
            while back.is_none() {
                if walk.steps.len() > size("ctl: the longest walk", MAX_WALK, 2) {
                    took("ctl: a walk that is too long");
                    return Some(Because::TooLong);
                }
                let at = walk.steps.len() as u32;
                seen.insert(walk.values(at).to_vec(), at);
                let successors = self.spaces[part].graph().successors(walk.place.vertex).to_vec();
                let wrong: Vec<Vertex> =
                    successors.into_iter().filter(|&v| !self.value(part, whole, v)).collect();
                back = self.step_back(&mut walk, &wrong, &seen);
                if back.is_none() {
                    self.take(&mut walk, *wrong.first()?)?;
                }
            }
        }
        let end = walk.steps.len() as u32;
        let last = if back.is_some() { end } else { end + 1 };
        let mut claims: Vec<(u32, Claim)> =
            (0..last).map(|at| (at, walk.claim(claim, at, g, false))).collect();
        if back.is_none() {
            claims.push((end, walk.claim(claim, end, f, false)));
        }
        Some(Because::Walk { steps: walk.steps, back, claims })
    }

    /// A step to a state that the walk has been in, if one of the successors is one: where it leads back to.
    fn step_back(
        &mut self,
        walk: &mut Walk,
        successors: &[Vertex],
        seen: &BTreeMap<Vec<i32>, u32>,
    ) -> Option<u32> {
        for &target in successors {
            let mut longer = walk.clone_end();
            self.take(&mut longer, target)?;
            let step = longer.steps.pop()?;
            if let Some(&at) = seen.get(&step.values) {
                walk.steps.push(step);
                return Some(at);
            }
        }
        None
    }

    /// A shortest route from a vertex to a goal, through vertices that are fine: the vertices after the first.
    fn route(
        &mut self,
        part: PartId,
        from: Vertex,
        mut goal: impl FnMut(&mut Self, Vertex) -> bool,
        mut fine: impl FnMut(&mut Self, Vertex) -> bool,
    ) -> Option<Vec<Vertex>> {
        let mut parents: BTreeMap<Vertex, Vertex> = BTreeMap::new();
        parents.insert(from, from);
        let mut queue = VecDeque::from([from]);
        while let Some(vertex) = queue.pop_front() {
            if goal(self, vertex) {
                let mut route = Vec::new();
                let mut at = vertex;
                while at != from {
                    route.push(at);
                    at = parents[&at];
                }
                route.reverse();
                return Some(route);
            }
            if !fine(self, vertex) {
                continue;
            }
            for &next in self.spaces[part].graph().successors(vertex) {
                parents.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    vertex
                });
            }
        }
        None
    }

    fn walk(&self, part: PartId, place: Place) -> Walk {
        let structure = Rc::new(state_structure(self.program));
        let start = self.values(part, &structure, &place);
        Walk { part, structure, start, place, steps: Vec::new() }
    }

    /// One step of a walk, to a successor of its vertex.
    fn take(&mut self, walk: &mut Walk, target: Vertex) -> Option<()> {
        let edges = self.spaces[walk.part].edges(walk.place.vertex).ok()?;
        let Some(edge) = edges.iter().find(|edge| edge.target.0 == target.0) else {
            // A state without steps repeats.
            let values = walk.values(walk.steps.len() as u32).to_vec();
            walk.steps.push(LassoStep { process: None, action: None, values });
            return (target == walk.place.vertex).then_some(());
        };
        let perm = &walk.place.perm;
        let process = perm.apply(edge.process);
        let arguments = turned_arguments(self.program, perm, edge.action, &edge.arguments);
        let mut action = Some((edge.action, arguments));
        walk.place = Place { vertex: target, perm: perm.compose(&edge.perm) };
        let values = self.values(walk.part, &walk.structure, &walk.place);
        if is_claimed(self.program) {
            let before = walk.values(walk.steps.len() as u32);
            action = step_between(self.program, process, Some(edge.action), before, &values).or(action);
        }
        walk.steps.push(LassoStep { process: Some(process), action, values });
        Some(())
    }

    fn values(&self, part: PartId, structure: &Structure, place: &Place) -> Vec<i32> {
        let aqsi = self.spaces[part].aqsi();
        let (state, _) = aqsi.node(crate::quotient::AqsiId::from_index(place.vertex.index()));
        structure.apply(&place.perm, &aqsi.aqs().flat(state))
    }
}

/// A walk in the program along a path of the quotient.
struct Walk {
    part: PartId,
    structure: Rc<Structure>,
    start: Vec<i32>,
    place: Place,
    steps: Vec<LassoStep>,
}

impl Walk {
    fn values(&self, at: u32) -> &[i32] {
        match at.checked_sub(1) {
            None => &self.start,
            Some(step) => &self.steps[step as usize].values,
        }
    }

    fn claim(&self, whole: &Claim, at: u32, sub: SubId, holds: bool) -> Claim {
        Claim { sub, holds, values: self.values(at).to_vec(), ..whole.clone() }
    }

    /// A walk that starts where this one is.
    fn clone_end(&self) -> Walk {
        Walk {
            part: self.part,
            structure: self.structure.clone(),
            start: self.values(self.steps.len() as u32).to_vec(),
            place: self.place.clone(),
            steps: Vec::new(),
        }
    }
}
