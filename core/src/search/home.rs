//! Closing the loop of a run: back to the very state where it began.
//!
//! The shortest way in the component to the first node is taken where it leads to the first state too: no way is shorter.
//! Otherwise a shortest way is looked for among concrete states. If none is found within the effort, or nobody waits for it, the
//! walk so far is closed to its first node and repeated until its permutation is the identity.
//!
//! Where permutations move the automaton's states, the same state of the program at the same node is not yet where the
//! loop began: the automaton may be in another state there, and what it waits for need not come if the loop is closed.

use super::component::Component;
use super::ground::Ground;
use super::lasso::{Position, Walker};
use super::route::{Found, Leg, NodeRoute, most_turns};
use crate::explore::Patch;
use crate::group::{Perm, Process};
use crate::product::{NodeId, ProductEdge, ProductFault};
use crate::program::Domain;
use crate::sort::Sort as _;
use crate::strain::{size, took};
use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::vec::{self, Vec};
use core::task::Poll;

/// The concrete states that are looked at for a shorter way home may differ from the first in this many values.
const HOME_VALUES: usize = 5_000_000;

/// It is asked this many times where a permutation takes the automaton's state, which may be long to find out.
const HOME_MAPS: usize = 500;

/// This many of the first processes of an orbit are tried in the place of one.
const FIRST_TURNS: usize = 16;

/// The way home of a walk, and how far it is known.
#[derive(Clone, Debug, Default)]
pub(super) enum Home {
    /// The loop is closed.
    #[default]
    Closed,
    /// A shortest way to the first node is looked for.
    Straight(NodeRoute),
    /// It is followed, from the walk's end to this position, to see whether it leads to the first state.
    Test(Vec<Leg>, usize, Position),
    /// A shortest way is looked for among concrete states.
    Concrete(Concrete),
    /// The way that was found is taken.
    Take(vec::IntoIter<Leg>),
    /// A way to the first node is looked for, whatever the state there.
    Back(NodeRoute),
    /// It is taken, and becomes part of the walk.
    TakeBack(vec::IntoIter<Leg>),
    /// The whole walk is taken again, from the edge with this number on.
    Round(usize),
}

impl Home {
    pub(super) fn new(walker: &Walker<'_>, component: &Component) -> Home {
        Home::Straight(NodeRoute::new(component, walker.at.node))
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Home::Closed | Home::Round(_) => 0,
            Home::Straight(route) | Home::Back(route) => route.len(),
            Home::Test(route, ..) => route.len(),
            Home::Concrete(concrete) => 2 * concrete.visited.len(),
            Home::Take(rest) | Home::TakeBack(rest) => rest.len(),
        }
    }

    /// Looks for no shorter way among concrete states any more; says whether it did.
    pub(super) fn hurry(&mut self) -> bool {
        match self {
            Home::Concrete(concrete) => {
                let more = concrete.effort > 0;
                concrete.effort = 0;
                more
            }
            _ => false,
        }
    }

    /// Does a small step; says whether the loop is closed.
    pub(super) fn step<'p, G: Ground<'p>>(
        &mut self,
        walker: &mut Walker<'p>,
        ground: &mut G,
        component: &Component,
    ) -> Result<bool, ProductFault> {
        match self {
            Home::Closed => return Ok(true),
            Home::Straight(route) => {
                if let Some(found) = way(route, walker, component) {
                    // A loop has a step at least.
                    *self = if found.is_empty() && walker.steps.is_empty() {
                        Home::Concrete(Concrete::new(ground, walker))
                    } else {
                        Home::Test(found, 0, walker.at.clone())
                    };
                }
            }
            Home::Test(route, next, end) => {
                if let Some(leg) = route.get(*next) {
                    let edge = leg.clone().edge(ground)?;
                    walker.follow(ground, end, &edge)?;
                    *next += 1;
                } else if is_home(ground, &walker.entry, end) {
                    *self = Home::Take(core::mem::take(route).into_iter());
                } else {
                    *self = Home::Concrete(Concrete::new(ground, walker));
                }
            }
            Home::Concrete(concrete) => match concrete.step(walker, ground, component)? {
                Poll::Pending => {}
                Poll::Ready(Some(route)) => *self = Home::Take(route.into_iter()),
                Poll::Ready(None) => {
                    // Where nothing was to be fetched there is no walk yet: any edge begins one.
                    if walker.walk.is_empty()
                        && let Some(first) = component.edges(ground, walker.at.node)?.into_iter().next()
                    {
                        walker.take(ground, &first)?;
                        walker.walk.push(first);
                    }
                    *self = Home::Back(NodeRoute::new(component, walker.at.node));
                }
            },
            Home::Take(rest) => match rest.next() {
                Some(leg) => {
                    let edge = leg.edge(ground)?;
                    walker.take(ground, &edge)?;
                }
                None => *self = Home::Closed,
            },
            Home::Back(route) => {
                if let Some(found) = way(route, walker, component) {
                    *self = Home::TakeBack(found.into_iter());
                }
            }
            Home::TakeBack(rest) => match rest.next() {
                Some(leg) => {
                    let edge = leg.edge(ground)?;
                    walker.take(ground, &edge)?;
                    walker.walk.push(edge);
                }
                None if is_home(ground, &walker.entry, &walker.at) => *self = Home::Closed,
                None => *self = Home::Round(0),
            },
            Home::Round(next) => {
                if let Some(edge) = walker.walk.get(*next).cloned() {
                    walker.take(ground, &edge)?;
                    *next += 1;
                } else if is_home(ground, &walker.entry, &walker.at) || walker.at.perm == walker.entry.perm {
                    // With the first permutation the first state is back. If it is not, the walk is wrong: it does not replay.
                    *self = Home::Closed;
                } else {
                    *next = 0;
                }
            }
        }
        Ok(false)
    }
}

/// Whether a walk is where the loop began: program, tracked processes and automaton are as they were.
fn is_home<'p>(ground: &mut impl Ground<'p>, entry: &Position, at: &Position) -> bool {
    let back = at.node == entry.node && at.patch.is_empty();
    back && ground.same_automaton_state(at.node, &entry.perm, &at.perm)
}

/// Where walks have been: for each node and state of the program the permutations, one for each state of the automaton.
#[derive(Clone, Debug, Default)]
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

/// A step of the search for a shortest way to where the loop began; a component has one always.
fn way(route: &mut NodeRoute, walker: &Walker<'_>, component: &Component) -> Option<Vec<Leg>> {
    let goal = walker.entry.node;
    match route.step(component, |node| node == goal, |_| false) {
        Poll::Pending => None,
        Poll::Ready(found) => Some(found.unwrap_or_default()),
    }
}

/// A position that a search among concrete states has come to, and from which one before it, by which edge.
type Visited = (Position, Option<(usize, ProductEdge)>);

/// The search for a shortest walk to the very state where the loop began, over concrete states; at least one step in all.
#[derive(Clone, Debug)]
pub(super) struct Concrete {
    seen: Seen,
    visited: Vec<Visited>,
    next: usize,
    values: usize,
    effort: usize,
}

impl Concrete {
    fn new<'p>(ground: &mut impl Ground<'p>, walker: &Walker<'p>) -> Concrete {
        let mut seen = Seen::default();
        seen.insert(ground, &walker.at);
        // The tests of this module look at one state, so that loops are closed by going round.
        let usual = if cfg!(test) { 1 } else { walker.home_effort };
        let effort = size("search: states on the way home", usual, 1);
        Concrete { seen, visited: alloc::vec![(walker.at.clone(), None)], next: 0, values: 0, effort }
    }

    /// Whether it has looked at as much as it may.
    fn is_over(&self) -> bool {
        let states = self.visited.len() > self.effort;
        let values = self.values > size("search: values on the way home", HOME_VALUES, 0);
        let maps = self.seen.maps > size("search: maps on the way home", HOME_MAPS, 0);
        if states {
            took("search: too many states on the way home");
        } else if values {
            took("search: too many values on the way home");
        } else if maps {
            took("search: too many maps on the way home");
        }
        states || values || maps
    }

    /// Looks at the steps of one state.
    fn step<'p, G: Ground<'p>>(
        &mut self,
        walker: &mut Walker<'p>,
        ground: &mut G,
        component: &Component,
    ) -> Result<Found, ProductFault> {
        let within = !self.is_over();
        let Some((here, _)) = self.visited.get(self.next).filter(|_| within) else {
            return Ok(Poll::Ready(None));
        };
        let here = here.clone();
        for edge in component.edges(ground, here.node)? {
            for turn in turns(ground, &here, &edge)? {
                let mut there = here.clone();
                walker.follow(ground, &mut there, &turn)?;
                let done = is_home(ground, &walker.entry, &there);
                if done || self.seen.insert(ground, &there) {
                    self.values += there.patch.len();
                    self.visited.push((there, Some((self.next, turn))));
                }
                if done {
                    return Ok(Poll::Ready(Some(backwards(&self.visited))));
                }
            }
        }
        self.next += 1;
        Ok(Poll::Pending)
    }
}

/// An edge together with some of those it stands for: it is turned so that another process of those alike executes or
/// is named, one that is not yet as it was at first or one of the first few.
fn turns<'p, G: Ground<'p>>(
    ground: &mut G,
    at: &Position,
    edge: &ProductEdge,
) -> Result<Vec<ProductEdge>, ProductFault> {
    let mut turned = alloc::vec![edge.clone()];
    let Some(number) = edge.step else { return Ok(turned) };
    let program = ground.program();
    let astray = at.patch.keys().filter_map(|&slot| program.owner_of(slot));
    let astray: Vec<Process> = astray.take(most_turns()).map(|p| at.perm.origin(p)).collect();
    let (process, action, arguments) = ground.step(at.node, number)?;
    let stabiliser = ground.stabiliser(at.node)?;
    let params = program.actions[action].params.iter().zip(&arguments);
    let named = params.filter_map(|(param, &value)| match param.domain {
        Domain::Family(family) => Some(program.process(family, value as u32)),
        Domain::Range(..) => None,
    });
    for named in core::iter::once(process).chain(named) {
        let orbit = stabiliser.orbit_of(named);
        let first = size("search: first turns", FIRST_TURNS, 1);
        if orbit.len() as usize > first {
            took("search: not all turns are tried");
        }
        let mut others: Vec<Process> = orbit.iter().take(first).collect();
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

fn backwards(visited: &[Visited]) -> Vec<Leg> {
    let mut legs = Vec::new();
    let mut at = visited.len() - 1;
    while let Some((before, edge)) = &visited[at].1 {
        legs.push(Leg::Made(edge.clone()));
        at = *before;
    }
    legs.reverse();
    legs
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
