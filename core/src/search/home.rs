//! Closing the loop of a run: back to the very state where it began.
//!
//! The shortest way in the component to the first node is taken where it leads to the first state too: no way is shorter.
//! Otherwise a shortest way is looked for among concrete states. If none is found within the effort, the walk so far is
//! closed to its first node and repeated until its permutation is the identity.
//!
//! Where permutations move the automaton's states, the same state of the program at the same node is not yet where the
//! loop began: the automaton may be in another state there, and what it waits for need not come if the loop is closed.

use super::ground::Ground;
use super::lasso::{MAX_TURNS, Parents, Position, Walker, unwind};
use crate::explore::Patch;
use crate::group::{Perm, Process};
use crate::product::{NodeId, ProductEdge, ProductFault};
use crate::program::Domain;
use crate::sort::Sort as _;
use alloc::collections::btree_map::Entry;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

/// So many concrete states are looked at for a shorter way home, and so many values in which they differ from the first. The
/// tests of this module look at one, so that loops are closed by going round.
const HOME_EFFORT: usize = if cfg!(test) { 1 } else { 50_000 };
const HOME_VALUES: usize = 5_000_000;

/// So many times it is asked where a permutation takes the automaton's state, which may be long to find out.
const HOME_MAPS: usize = 500;

/// So many of the first processes of an orbit are tried in the place of one.
const FIRST_TURNS: usize = 16;

impl<'p, G: Ground<'p>> Walker<'_, 'p, G> {
    /// Closes the loop.
    pub(super) fn home(
        &mut self,
        start: &Position,
        mut at: Position,
        mut walk: Vec<ProductEdge>,
    ) -> Result<(), ProductFault> {
        let route = match self.straight_way(start, &at)? {
            Some(route) => Some(route),
            None => self.concrete_way(start, &at)?,
        };
        if let Some(route) = route {
            for edge in route {
                self.take(&mut at, &edge)?;
            }
            return Ok(());
        }
        // Where nothing was to be fetched there is no walk yet: any edge begins one.
        if let (true, Some(first)) = (walk.is_empty(), self.component.edges[&at.node].first()) {
            let first = first.clone();
            self.take(&mut at, &first)?;
            walk.push(first);
        }
        // Back to the first node, then the whole walk again and again until the state is the first one too.
        for edge in self.way(at.node, start.node) {
            self.take(&mut at, &edge)?;
            walk.push(edge);
        }
        while !self.is_home(start, &at) {
            for edge in &walk {
                self.take(&mut at, edge)?;
            }
            // With the first permutation the first state is back. If it is not, the walk is wrong: it does not replay.
            if at.perm == start.perm {
                break;
            }
        }
        Ok(())
    }

    /// A shortest way to the first node, if it leads to the first state; at least one step in all.
    fn straight_way(
        &mut self,
        start: &Position,
        at: &Position,
    ) -> Result<Option<Vec<ProductEdge>>, ProductFault> {
        let route = self.way(at.node, start.node);
        if route.is_empty() && self.steps.is_empty() {
            return Ok(None);
        }
        let mut end = at.clone();
        for edge in &route {
            self.follow(&mut end, edge)?;
        }
        Ok(self.is_home(start, &end).then_some(route))
    }

    /// Whether a walk is where the loop began: program, tracked processes and automaton are as they were.
    fn is_home(&mut self, start: &Position, at: &Position) -> bool {
        let back = at.node == start.node && at.patch.is_empty();
        back && self.product.same_automaton_state(at.node, &start.perm, &at.perm)
    }

    fn way(&self, from: NodeId, to: NodeId) -> Vec<ProductEdge> {
        let mut parents: Parents<NodeId> = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            if node == to {
                break;
            }
            for edge in &self.component.edges[&node] {
                parents.entry(edge.target).or_insert_with(|| {
                    queue.push_back(edge.target);
                    Some((node, edge.clone()))
                });
            }
        }
        unwind(&parents, to)
    }

    /// A shortest walk to the very state where the loop began, over concrete states; at least one step in all.
    fn concrete_way(
        &mut self,
        start: &Position,
        at: &Position,
    ) -> Result<Option<Vec<ProductEdge>>, ProductFault> {
        let mut seen = Seen::default();
        seen.insert(self.product, at);
        let mut visited: Vec<(Position, Option<(usize, ProductEdge)>)> = alloc::vec![(at.clone(), None)];
        let (mut next, mut values) = (0, 0);
        while next < visited.len()
            && visited.len() <= HOME_EFFORT
            && values <= HOME_VALUES
            && seen.maps <= HOME_MAPS
        {
            let here = visited[next].0.clone();
            for edge in self.component.edges[&here.node].clone() {
                for turn in self.turns(&here, &edge)? {
                    let mut there = here.clone();
                    self.follow(&mut there, &turn)?;
                    let done = self.is_home(start, &there);
                    if done || seen.insert(self.product, &there) {
                        values += there.patch.len();
                        visited.push((there, Some((next, turn))));
                    }
                    if done {
                        return Ok(Some(backwards(&visited)));
                    }
                }
            }
            next += 1;
        }
        Ok(None)
    }

    /// An edge together with some of those it stands for: it is turned so that another process of those alike executes or
    /// is named, one that is not yet as it was at first or one of the first few.
    fn turns(&mut self, at: &Position, edge: &ProductEdge) -> Result<Vec<ProductEdge>, ProductFault> {
        let mut turned = alloc::vec![edge.clone()];
        let Some(number) = edge.step else { return Ok(turned) };
        let program = self.product.program();
        let astray = at.patch.keys().filter_map(|&slot| program.owner_of(slot));
        let astray: Vec<Process> = astray.take(MAX_TURNS).map(|p| at.perm.origin(p)).collect();
        let (process, action, arguments) = self.product.step(at.node, number)?;
        let stabiliser = self.product.stabiliser(at.node)?;
        let params = program.actions[action].params.iter().zip(&arguments);
        let named = params.filter_map(|(param, &value)| match param.domain {
            Domain::Family(family) => Some(program.process(family, value as u32)),
            Domain::Range(..) => None,
        });
        for named in core::iter::once(process).chain(named) {
            let orbit = stabiliser.orbit_of(named);
            let mut others: Vec<Process> = orbit.iter().take(FIRST_TURNS).collect();
            others.extend(astray.iter().filter(|&&p| orbit.contains(p)));
            others.arrange();
            others.dedup();
            let others = others.into_iter().filter(|&other| other != named);
            turned.extend(
                others.filter_map(|other| Some(edge.turned(&stabiliser.transporter(&[named], &[other])?))),
            );
        }
        Ok(turned)
    }
}

/// Where walks have been: for each node and state of the program the permutations, one for each state of the automaton.
#[derive(Default)]
struct Seen {
    perms: BTreeMap<(NodeId, Patch), Vec<Perm>>,
    /// How many times the automaton's states were compared.
    maps: usize,
}

impl Seen {
    /// Whether this is somewhere else.
    fn insert<'p>(&mut self, product: &mut impl Ground<'p>, at: &Position) -> bool {
        let moves = product.moves_automaton();
        match self.perms.entry((at.node, at.patch.clone())) {
            Entry::Vacant(place) => {
                place.insert(if moves { alloc::vec![at.perm.clone()] } else { Vec::new() });
                true
            }
            Entry::Occupied(mut known) => {
                let new = moves
                    && known.get().iter().all(|perm| {
                        self.maps += 1;
                        !product.same_automaton_state(at.node, perm, &at.perm)
                    });
                if new {
                    known.get_mut().push(at.perm.clone());
                }
                new
            }
        }
    }
}

fn backwards(visited: &[(Position, Option<(usize, ProductEdge)>)]) -> Vec<ProductEdge> {
    let mut edges = Vec::new();
    let mut at = visited.len() - 1;
    while let Some((before, edge)) = &visited[at].1 {
        edges.push(edge.clone());
        at = *before;
    }
    edges.reverse();
    edges
}

#[cfg(test)]
mod tests {
    use crate::check::{Check, Counterexample, Options, Target, Verdict};
    use crate::product::FairnessChoice;
    use crate::program::{PropertyKind, Settings, build};
    use crate::symmetry::detect;
    use crate::syntax::ast::{Fairness, Logic};
    use crate::syntax::parse;

    /// Where no shorter way home is known, the walk is repeated until the very first state comes back; a check replays its
    /// run.
    #[test]
    fn a_loop_is_closed_by_going_round() {
        let ring = "shared holder: s = any
          process s[5] ring { action pass: holder == self -> holder := next(self) }
          ltl ends: F 0 > 1";
        let models = crate::models::ALL.iter().map(|model| model.source);
        let agree = [
            include_str!("../../tests/data/agree/back_with_another_memory.orb"),
            include_str!("../../tests/data/agree/loop_without_a_walk.orb"),
            include_str!("../../tests/data/agree/passed_by_a_server.orb"),
            include_str!("../../tests/data/agree/passed_by_its_holder.orb"),
        ];
        let (mut runs, mut longest) = (0, 0);
        for source in models.chain(agree).chain([ring]) {
            let program = build(&parse(source).file, &Settings::default()).expect("a model without errors");
            let symmetry = detect(&program);
            for (id, property) in program.properties.iter_enumerated() {
                if matches!(
                    property.kind,
                    PropertyKind::Formula(Logic::Invariant | Logic::Ctl | Logic::Mu, _)
                ) {
                    continue;
                }
                for fairness in [Fairness::Weak, Fairness::Strong, Fairness::None] {
                    let options = Options { fairness: FairnessChoice::All(fairness), ..Options::default() };
                    let check = Check::new(&program, &symmetry, Target::Property(id), options);
                    let report = check.expect("nothing is refused").run();
                    let unknown = matches!(report.verdict, Verdict::Unknown(_));
                    assert!(!unknown, "{}, {fairness:?}: {:?}", property.name, report.verdict);
                    if let Some(Counterexample::Lasso(lasso, _)) = report.counterexample {
                        runs += 1;
                        longest = longest.max(lasso.cycle.len());
                    }
                }
            }
        }
        assert!(runs > 50 && longest > 20, "{runs} runs, the longest loop has {longest} steps");
    }
}
