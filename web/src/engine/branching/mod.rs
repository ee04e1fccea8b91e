//! A `ctl` or `mu` property beside its verdict, as the page shows it: the tree of its subformulas with the states that
//! satisfy each, the graphs of its parts, the score from which Heljanko's search of each part is played, and the
//! evidence.

mod evidence;
#[cfg(test)]
mod tests;

pub use evidence::{Below, ClaimId, Piece};

use super::choices::{CHECK_LIMITS, Choices};
use super::model::{CheckedModel, Logic};
use super::orbit::{Orbit, images};
use super::picture::{Drawing, GraphKind, LIMITS};
use super::problem::Problem;
use orbitscope_core::check::{Engine, PartReport, Progress, Stepping};
use orbitscope_core::ctl::{
    Bitmap, Claim, CtlCheck, Outcome, PartId, Playback, Score, Settings, Sub, SubId, Vertex,
};
use orbitscope_core::draw;
use orbitscope_core::ids::IdVec;
use orbitscope_core::quotient::Prune;
use orbitscope_core::symmetry::{Choice, choose};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The most nodes of a formula's tree that are shown.
const MAX_NODES: u32 = 400;
/// The most steps of a search that are recorded.
pub const MAX_STEPS: u32 = 20_000;

/// A subformula in the tree of a formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subformula {
    /// The part whose states it is evaluated on.
    pub part: PartId,
    /// The `U` of that part that a search decides it by.
    pub until: Option<SubId>,
    /// How deep it stands; its children follow it, one deeper.
    pub depth: u32,
    /// The subformula in words.
    pub words: String,
    /// In how many states of the part it holds.
    pub count: u32,
    /// In which of those that are drawn.
    pub holds: Bitmap,
}

/// A part of a formula, which is checked on a quotient of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The part in words.
    pub words: String,
    /// The processes that differ from all others: names that stand for one, and processes that are named.
    pub told_apart: Vec<String>,
    /// How many permutations its group has.
    pub order: String,
    /// The action of the group on each family: its name and the words.
    pub group: Vec<(String, String)>,
    /// How many states it is checked on.
    pub states: u32,
    /// The edges between them.
    pub edges: u32,
    /// The score from which its search is played, or why there is none.
    pub play: Play,
    /// The words of its subformulas.
    pub subs: IdVec<SubId, String>,
}

/// Whether the search of a part can be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Play {
    /// It can.
    From {
        /// The input of the search.
        score: Rc<Score>,
        /// How many steps it has, as far as it is recorded.
        steps: u32,
        /// Whether these are all.
        whole: bool,
    },
    /// It has no `U`: nothing is searched.
    NothingSearched,
    /// Fixed points are evaluated in another way.
    Fixpoints,
    /// It has more states than are drawn.
    TooLarge,
}

/// The page's view of a `ctl` or `mu` property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branching {
    /// The formula as a tree, in the order in which it is printed.
    pub tree: Vec<Subformula>,
    /// Whether that is only the beginning of it.
    pub cut: bool,
    /// Its parts.
    pub parts: IdVec<PartId, Part>,
    /// Whether its path quantifiers speak of fair paths only.
    pub fair: bool,
    /// Whether it has fixed points, which no single path shows.
    pub mu: bool,
    /// The evidence that is worth a look, the whole first; the rest is asked for.
    pub pieces: Vec<(ClaimId, Piece)>,
}

/// Where a `ctl` or `mu` property is looked into; it keeps the last check.
#[derive(Debug, Default)]
pub(super) struct Lab<'m> {
    kept: Option<Kept<'m>>,
}

/// A check, and the claims that can be asked about.
#[derive(Debug)]
pub(super) struct Kept<'m> {
    check: CtlCheck<'m>,
    claims: IdVec<ClaimId, Claim>,
    settings: Settings,
}

impl<'m> Lab<'m> {
    /// Prepares the check of a property; false where it is none of branching time, or not checked state by state.
    pub(super) fn prepare(
        &mut self,
        model: &'m CheckedModel,
        property: u32,
        choices: Choices,
    ) -> Result<bool, Problem> {
        self.kept = None;
        let Some((id, info)) = model.property(property) else { return Ok(false) };
        let explicit = choices.engine == Engine::Explicit;
        if !info.logic.is_branching() || !(explicit || choices.engine == Engine::Onthefly) {
            return Ok(false);
        }
        let settings = Settings {
            deadlock: choices.deadlock,
            fair_paths: choices.fair_ctl.then_some(choices.fairness),
            prune: if choices.can_prune() { choices.prune } else { Prune::None },
            limits: CHECK_LIMITS,
            ..Settings::default()
        };
        // The plain method checks the program, which is its quotient by the trivial group.
        let plain = explicit.then(|| choose(&model.program, Choice::None).ok()).flatten();
        let symmetry = choices.symmetry_of(model);
        let check = CtlCheck::new(&model.program, id, plain.as_ref().unwrap_or(&symmetry), settings)
            .map_err(|error| model.problem(&error.diagnostic()))?;
        self.kept = Some(Kept { check, claims: IdVec::new(), settings });
        Ok(true)
    }

    /// The check to be run.
    pub(super) fn work(&mut self) -> Option<&mut Kept<'m>> {
        self.kept.as_mut()
    }

    /// The view of the property; none where the check did not come to an answer.
    pub(super) fn branching(&mut self, model: &CheckedModel) -> Option<Branching> {
        let Kept { check, .. } = self.kept.as_mut()?;
        if !matches!(check.outcome(), Some(Outcome::Holds | Outcome::Violated)) {
            return None;
        }
        let outline = check.formula().outline(&model.program, MAX_NODES + 1);
        let cut = outline.len() > MAX_NODES as usize;
        let mut tree = Vec::new();
        for node in outline.into_iter().take(MAX_NODES as usize) {
            let row = check.satisfying(node.part, node.sub)?;
            let mut holds = Bitmap::default();
            for vertex in (0..row.len().min(LIMITS.states)).map(Vertex) {
                holds.push(row.get(vertex));
            }
            let (part, until, depth, words) = (node.part, node.until, node.depth, node.words);
            tree.push(Subformula { part, until, depth, words, count: row.count(), holds });
        }
        let parts: Vec<PartId> = check.formula().parts.ids().collect();
        let parts = parts.into_iter().map(|id| part(model, check, id)).collect();
        let (fair, mu) = (check.formula().fairness.is_some(), check.formula().mu);
        let pieces = if mu { Vec::new() } else { self.first_pieces(model) };
        Some(Branching { tree, cut, parts, fair, mu, pieces })
    }

    /// The graph of a part.
    pub(super) fn drawing(&mut self, part: PartId) -> Option<Drawing> {
        let Kept { check, .. } = self.kept.as_mut()?;
        check.formula().parts.get(part)?;
        Some(Drawing::new(draw::part_graph(check, part, "", LIMITS.states)))
    }

    /// The states that a node of a part's graph stands for.
    pub(super) fn orbit(&self, model: &CheckedModel, part: PartId, node: u32) -> Option<Orbit> {
        let Kept { check, .. } = self.kept.as_ref()?;
        let group = check.formula().parts.get(part)?.symmetry.group.clone();
        let known = node < check.graph(part).len();
        let values = known.then(|| check.vertex_values(part, Vertex(node)))?;
        let (states, complete) = images(&model.program, &group, values);
        Some(Orbit { of: (GraphKind::Part(part), node), states, complete })
    }
}

fn part(model: &CheckedModel, check: &mut CtlCheck<'_>, id: PartId) -> Part {
    let report = PartReport::new(&model.program, check, id);
    let (states, edges) = (check.graph(id).len(), check.graph(id).edge_count());
    let formula = check.formula();
    let names = formula.tracked_words(&model.program, id);
    let subs = &formula.parts[id].subs;
    let searched = subs.iter().any(|sub| matches!(sub, Sub::Until(..)));
    let subs = subs.ids().map(|sub| formula.show(&model.program, id, sub, &names)).collect();
    let play = match (formula.mu, searched) {
        (true, _) => Play::Fixpoints,
        (false, false) => Play::NothingSearched,
        (false, true) if states > LIMITS.states => Play::TooLarge,
        (false, true) => check.score(id).map_or(Play::TooLarge, |score| {
            let playback = Playback::new(score.clone(), MAX_STEPS);
            let (steps, whole) = (playback.moves().len() as u32, playback.is_whole());
            Play::From { score: Rc::new(score), steps, whole }
        }),
    };
    let families = model.program.families.iter().map(|family| family.name.clone());
    Part {
        words: report.words,
        told_apart: report.told_apart,
        order: report.order,
        group: families.zip(report.group).collect(),
        states,
        edges,
        play,
        subs,
    }
}

impl Logic {
    /// Whether it speaks of branching time.
    pub fn is_branching(self) -> bool {
        matches!(self, Logic::Ctl | Logic::Mu)
    }
}

impl Stepping for Kept<'_> {
    fn step(&mut self) -> bool {
        self.check.step().is_some()
    }

    fn progress(&self) -> Progress {
        let graphs = || self.check.formula().parts.ids().map(|id| self.check.graph(id));
        Progress {
            search: 0,
            searches: 1,
            nodes: graphs().map(|graph| u64::from(graph.len())).sum(),
            edges: graphs().map(|graph| u64::from(graph.edge_count())).sum(),
            depth: self.check.search().map_or(0, |(_, search)| search.st().len() as u32),
            bytes: self.check.bytes(),
            making: 0,
        }
    }
}

impl Branching {
    /// The first node of the tree whose states are worth a look: the first that is evaluated on more than the initial ones.
    pub fn first(&self) -> u32 {
        let large = |node: &Subformula| self.parts[node.part].edges > 0;
        self.tree.iter().position(large).unwrap_or(0) as u32
    }
}
