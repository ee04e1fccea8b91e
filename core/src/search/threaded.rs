//! The older method: Emerson & Sistla, as outlined by Gyuris & Sistla, section 2.4.
//!
//! The product B̄₀ of the k-threaded quotient and the automaton is built whole: its nodes are (s, l⃗, a) with every l⃗, not
//! one for each class of like ones, and every edge of the quotient is kept. Then each strongly connected component is
//! resolved into its threaded graph, whose nodes are (u, k) for every process k, and every component of that is tested.
//! Nothing of the on-the-fly search is used: no partitions, no permutations of whole components.

use crate::automaton::scc::components;
use crate::automaton::{Ap, AutomatonState, Marks, Valuation};
use crate::group::{Perm, Process};
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf};
use crate::program::{Flat, Program, Scratch};
use crate::property::Obligation;
use crate::quotient::{Aqs, AqsId, Aqsi, EdgeStorage, Prune};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// What the older method found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threaded {
    /// Whether a fair computation is accepted; none where the limit was reached or the model has an error.
    pub violated: Option<bool>,
    /// The nodes of B̄₀.
    pub nodes: u32,
    /// Its edges.
    pub edges: u64,
}

struct Edge {
    process: Option<Process>,
    perm: Perm,
    marks: Marks,
    target: u32,
}

type Node = (AqsId, Vec<Process>, AutomatonState);

/// Whether a program violates an obligation, by the older method.
pub fn threaded(
    program: &Program,
    obligation: &Obligation,
    fairness: &FairnessOf,
    deadlock: Deadlock,
    max_nodes: u32,
) -> Threaded {
    let aqs = Aqs::new(program, &obligation.symmetry, Prune::None, EdgeStorage::Stored, max_nodes);
    let mut aqsi = Aqsi::new(aqs, &obligation.tracked);
    let mut graph = Graph { program, nodes: Vec::new(), edges: Vec::new(), enabled: BTreeMap::new() };
    let complete = graph.build(&mut aqsi, obligation, deadlock, max_nodes);
    let (nodes, edges) = (graph.nodes.len() as u32, graph.edges.iter().map(|e| e.len() as u64).sum());
    let all = obligation.automaton.all_marks();
    let violated = complete.then(|| graph.has_fair((0..nodes).collect(), all, fairness));
    Threaded { violated, nodes, edges }
}

struct Graph<'p> {
    program: &'p Program,
    nodes: Vec<Node>,
    edges: Vec<Vec<Edge>>,
    /// For each quotient state which processes are enabled.
    enabled: BTreeMap<AqsId, Vec<bool>>,
}

impl Graph<'_> {
    /// Builds B̄₀; says whether all of it was built.
    fn build(
        &mut self,
        aqsi: &mut Aqsi<'_>,
        obligation: &Obligation,
        deadlock: Deadlock,
        max_nodes: u32,
    ) -> bool {
        let mut ids: BTreeMap<Node, u32> = BTreeMap::new();
        for (root, _) in aqsi.roots().to_vec() {
            let (state, tracked) = aqsi.node(root);
            for &q in obligation.automaton.initial() {
                self.id(&mut ids, (state, tracked.to_vec(), q));
            }
        }
        let mut scratch = Scratch::default();
        let mut next = 0;
        while next < self.nodes.len() {
            if self.nodes.len() > max_nodes as usize {
                return false;
            }
            let (state, tracked, q) = self.nodes[next].clone();
            let Ok(steps) = aqsi.aqs_mut().edges(state) else { return false };
            let enabled = self.enabled.entry(state).or_insert_with(|| {
                let mut enabled = alloc::vec![false; self.program.process_count() as usize];
                steps.iter().for_each(|step| enabled[step.process.index()] = true);
                enabled
            });
            let enabled = enabled.clone();
            let values = aqsi.aqs().flat(state);
            let mut moves: Vec<(Option<Process>, Perm, AqsId)> =
                steps.iter().map(|step| (Some(step.process), step.perm.clone(), step.target)).collect();
            if moves.is_empty() && deadlock == Deadlock::Stutter {
                moves.push((None, Perm::identity(), state));
            }
            let mut edges = Vec::new();
            for (process, perm, to) in moves {
                let view = Flat { values: &values, enabled: &enabled, executed: process };
                let mut letter = Valuation::default();
                for (number, atom) in obligation.atoms.iter().enumerate() {
                    let Ok(holds) = atom.holds(self.program, &view, &mut scratch, &tracked) else {
                        return false;
                    };
                    letter.set(Ap(number as u32), holds);
                }
                let back = perm.inverse();
                let there: Vec<Process> = tracked.iter().map(|&l| back.apply(l)).collect();
                for (marks, target) in obligation.automaton.successors(q, &letter) {
                    let target = self.id(&mut ids, (to, there.clone(), target));
                    edges.push(Edge { process, perm: perm.clone(), marks, target });
                }
            }
            self.edges.push(edges);
            next += 1;
        }
        true
    }

    fn id(&mut self, ids: &mut BTreeMap<Node, u32>, node: Node) -> u32 {
        let nodes = &mut self.nodes;
        *ids.entry(node).or_insert_with_key(|node| {
            nodes.push(node.clone());
            nodes.len() as u32 - 1
        })
    }

    /// Whether some part of these nodes is a fair and accepted component.
    fn has_fair(&self, nodes: Vec<u32>, all: Marks, fairness: &FairnessOf) -> bool {
        let mut pending = alloc::vec![nodes];
        while let Some(nodes) = pending.pop() {
            let place: BTreeMap<u32, u32> = (0u32..).zip(&nodes).map(|(i, &n)| (n, i)).collect();
            let found = components(nodes.len(), |n| {
                self.edges[nodes[n as usize] as usize].iter().filter_map(|e| place.get(&e.target).copied())
            });
            for part in found.members {
                let part: Vec<u32> = part.into_iter().map(|n| nodes[n as usize]).collect();
                let inside =
                    |n: u32| self.edges[n as usize].iter().filter(|e| part.binary_search(&e.target).is_ok());
                let edges = || part.iter().flat_map(|&n| inside(n));
                if edges().next().is_none() || edges().fold(Marks::EMPTY, |m, e| m.union(e.marks)) != all {
                    continue;
                }
                match self.resolve(&part, fairness) {
                    Some(rest) if rest.len() == part.len() => return true,
                    Some(rest) if !rest.is_empty() => pending.push(rest),
                    _ => {}
                }
            }
        }
        false
    }

    /// Tests the threaded graph of a component: all its nodes are given back if each of its components is fair, none if
    /// no part can be, and otherwise those nodes where no strongly fair process is enabled in vain.
    fn resolve(&self, part: &[u32], fairness: &FairnessOf) -> Option<Vec<u32>> {
        let processes = self.program.process_count();
        let place = |node: u32| part.binary_search(&node).ok();
        let thread = |at: usize, k: Process| at as u32 * processes + k.0;
        let edges_at = |n: u32| self.edges[part[n as usize] as usize].iter();
        let found = components(part.len() * processes as usize, |id| {
            let (at, k) = (id / processes, Process(id % processes));
            edges_at(at).filter_map(move |e| Some(thread(place(e.target)?, e.perm.inverse().apply(k))))
        });
        let mut vain = alloc::vec![false; part.len()];
        for members in &found.members {
            let of = |id: u32| (id / processes, Process(id % processes));
            let (_, first) = of(members[0]);
            if fairness.none.contains(first) {
                continue;
            }
            let executes = |&id: &u32| {
                let (at, k) = of(id);
                edges_at(at).any(|e| e.process == Some(k) && place(e.target).is_some())
            };
            let enabled = |&id: &u32| {
                let (at, k) = of(id);
                self.enabled[&self.nodes[part[at as usize] as usize].0][k.index()]
            };
            if members.iter().any(executes) {
                continue;
            }
            if fairness.strong.contains(first) {
                for id in members.iter().filter(|id| enabled(id)) {
                    vain[of(*id).0 as usize] = true;
                }
            } else if members.iter().all(enabled) {
                return None;
            }
        }
        Some(part.iter().zip(&vain).filter(|(_, vain)| !**vain).map(|(&node, _)| node).collect())
    }
}
