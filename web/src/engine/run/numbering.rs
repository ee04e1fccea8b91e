//! A run in the numbers of the representatives: which one stands for each state, and how.

use orbitscope_core::group::{Perm, Process};
use orbitscope_core::product::{NodeId, Product};
use orbitscope_core::quotient::{AqsId, Aqsi, AqsiId};
use orbitscope_core::search::log::Log;

/// Finds the representatives of a run's states, and where the search is known, its nodes.
#[derive(Debug)]
pub struct Numbering<'a, 'p> {
    quotient: Quotient<'a, 'p>,
    tracked: Vec<Process>,
    /// For each column, the representative with the tracked processes in their places.
    places: Vec<AqsiId>,
    pub(super) states: Vec<AqsId>,
    /// For each column the values of the representative.
    pub(super) flats: Vec<Vec<i32>>,
    /// For each column the permutation that takes the representative to the program's state.
    pub(super) perms: Vec<Perm>,
    pub(super) nodes: Vec<Option<NodeId>>,
}

#[derive(Debug)]
enum Quotient<'a, 'p> {
    Product(&'a mut Product<'p>, &'a Log),
    Alone(&'a mut Aqsi<'p>),
}

impl<'a, 'p> Numbering<'a, 'p> {
    /// In the numbers of a search: its nodes are told too.
    pub fn of_search(product: &'a mut Product<'p>, log: &'a Log, tracked: &[Process]) -> Self {
        Self::new(Quotient::Product(product, log), tracked)
    }

    /// In the numbers of a quotient.
    pub fn of_quotient(quotient: &'a mut Aqsi<'p>, tracked: &[Process]) -> Self {
        Self::new(Quotient::Alone(quotient), tracked)
    }

    fn new(quotient: Quotient<'a, 'p>, tracked: &[Process]) -> Self {
        Numbering {
            quotient,
            tracked: tracked.to_vec(),
            places: Vec::new(),
            states: Vec::new(),
            flats: Vec::new(),
            perms: Vec::new(),
            nodes: Vec::new(),
        }
    }

    fn aqsi(&mut self) -> &mut Aqsi<'p> {
        match &mut self.quotient {
            Quotient::Product(product, _) => product.aqsi_mut(),
            Quotient::Alone(aqsi) => aqsi,
        }
    }

    /// Walks along the states of a run.
    pub(super) fn walk(
        &mut self,
        columns: impl Iterator<Item = Vec<i32>>,
        movers: &[Option<Process>],
        loop_start: Option<u32>,
    ) {
        for values in columns {
            let tracked = self.tracked.clone();
            let aqsi = self.aqsi();
            let (state, perm) = aqsi.aqs_mut().enter(&values);
            let back = perm.inverse();
            let local: Vec<Process> = tracked.iter().map(|&process| back.apply(process)).collect();
            let (place, rho) = aqsi.find_equiv(state, &local);
            let flat = aqsi.aqs().flat(state);
            self.places.push(place);
            self.states.push(state);
            self.flats.push(flat);
            self.perms.push(perm.compose(&rho));
        }
        let last = self.places.len().saturating_sub(1);
        self.nodes = vec![None; last + 1];
        let loop_start = loop_start.map_or(last, |start| start as usize);
        // A run is walked in the product by the search that found it: there is a way, but for a product that is not whole.
        if self.find_nodes(movers, loop_start).is_none() {
            self.nodes = vec![None; last + 1];
        }
    }

    /// The automaton has choices: a way through its states is looked for, to the fair component and then inside of it.
    fn find_nodes(&mut self, movers: &[Option<Process>], loop_start: usize) -> Option<()> {
        let Quotient::Product(product, log) = &mut self.quotient else { return Some(()) };
        let fair = log.fair_component();
        let in_loop = |column: usize, node: NodeId| column < loop_start || fair.contains(&node);
        let mut layers: Vec<Vec<(NodeId, usize)>> = Vec::new();
        let roots = product.roots().to_vec();
        let first = roots.iter().map(|(node, _)| *node);
        let place = self.places[0];
        layers.push(first.filter(|&n| product.node(n).0 == place && in_loop(0, n)).map(|n| (n, 0)).collect());
        for (column, mover) in movers.iter().enumerate() {
            let local = mover.map(|process| self.perms[column].inverse().apply(process));
            let mut next: Vec<(NodeId, usize)> = Vec::new();
            for (position, &(node, _)) in layers[column].iter().enumerate() {
                let orbits = product.place(node).ok()?.stabiliser.orbits();
                for edge in product.edges(node).ok()? {
                    let alike = match (edge.process, local) {
                        (Some(a), Some(b)) => orbits.same_class(a, b),
                        (None, None) => true,
                        _ => false,
                    };
                    let there = product.node(edge.target).0 == self.places[column + 1];
                    let known = next.iter().any(|&(n, _)| n == edge.target);
                    if alike && there && !known && in_loop(column + 1, edge.target) {
                        next.push((edge.target, position));
                    }
                }
            }
            layers.push(next);
        }
        // The loop should end at the node where it began; where several ways lead on, the first.
        let begins: Vec<NodeId> =
            layers.get(loop_start).into_iter().flatten().map(|&(node, _)| node).collect();
        let last = layers.last()?;
        let mut position = last.iter().position(|(node, _)| begins.contains(node)).unwrap_or(0);
        for (column, layer) in layers.iter().enumerate().rev() {
            let &(node, before) = layer.get(position)?;
            self.nodes[column] = Some(node);
            position = before;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::fixture;
    use crate::engine::protocol::{decode, encode};
    use crate::engine::run::{Numbering, Reason, Run, Source, Who};
    use orbitscope_core::check::Counterexample;
    use orbitscope_core::models;
    use orbitscope_core::property::invariant_obligation;
    use orbitscope_core::quotient::{Aqs, Aqsi, EdgeStorage, Prune};
    use orbitscope_core::search::{Outcome, lasso_of, replay};
    use orbitscope_core::{product::Deadlock, symmetry};

    /// Every run keeps these rules, whoever made it.
    fn sound(name: &str, run: &Run) {
        assert_eq!(run.nodes.len() as u32, run.columns(), "{name}");
        for (column, step) in (1..).zip(&run.steps) {
            assert_eq!(step.lane.is_some(), step.process.is_some() && run.hidden == 0, "{name}");
            let Some(lane) = step.lane else { continue };
            let Who::Processes(_, ranges) = &run.lanes[lane as usize].who else { panic!("{name}") };
            let process = step.process.unwrap();
            assert!(ranges.iter().any(|&(from, to)| (from..to).contains(&process)), "{name} {column}");
            assert!(step.line.is_some_and(|line| line > 0));
        }
        if let Some(start) = run.loop_start {
            for lane in &run.lanes {
                assert_eq!(lane.at(start), lane.at(run.columns() - 1), "{name}: the loop closes");
            }
            for account in &run.ledger {
                let lane = &run.lanes[account.lane as usize];
                let step = account.step.map(|step| &run.steps[step as usize]);
                assert!(account.step.is_none_or(|step| step >= start), "{name}: in the loop");
                if account.reason == Reason::Executes {
                    assert_eq!(step.unwrap().lane, Some(account.lane), "{name}: {}", lane.name);
                }
            }
        }
        if let Some(turned) = &run.representatives {
            assert_eq!(turned.states.len() as u32, run.columns());
            assert_eq!((turned.movers.len(), turned.turns.len()), (run.steps.len(), run.steps.len()));
        }
    }

    /// Every violated property of every model, in the numbers of its search: nodes are nodes of these states, the loop
    /// lies in the fair component, and each representative's local states are those of the program.
    #[test]
    fn runs_of_searches_are_found_in_the_product() {
        let mut found = 0;
        for model in models::ALL {
            fixture::searches(model.source, &[], None, |name, program, obligation, search, log| {
                let Some(Outcome::Violated(component)) = search.outcome().cloned() else { return };
                let fairness = search.fairness().clone();
                let lasso = lasso_of(search.product_mut(), &component, &fairness).unwrap();
                let ledger = replay(program, obligation, &fairness, Deadlock::Stutter, &lasso).unwrap();
                let product = search.product_mut();
                let mut numbering = Numbering::of_search(product, log, &obligation.tracked);
                let run =
                    Run::new(program, model.source, Source::Lasso(&lasso, &ledger), Some(&mut numbering));
                let places = numbering.places.clone();
                let name = format!("{} {name}", model.name);
                sound(&name, &run);
                let start = run.loop_start.unwrap() as usize;
                for (column, node) in run.nodes.iter().enumerate() {
                    let node = node.unwrap_or_else(|| panic!("{name}: column {column} has no node"));
                    assert_eq!(search.product().node(node).0, places[column]);
                    assert!(column < start || log.fair_component().contains(&node), "{name}");
                }
                let turned = run.representatives.as_ref().unwrap();
                for column in 0..run.columns() {
                    let sorted = |lanes: &[crate::engine::run::Lane]| {
                        let told = lanes.iter().filter(|lane| lane.who != Who::Shared);
                        let mut all: Vec<String> =
                            told.flat_map(|l| (0..l.count).map(|_| l.at(column).to_owned())).collect();
                        all.sort();
                        all
                    };
                    let names_processes = program.vars.iter().any(|v| {
                        !v.index.is_empty()
                            || matches!(v.ty.ty, orbitscope_core::program::Type::Process { .. })
                    });
                    if !names_processes {
                        assert_eq!(sorted(&run.lanes), sorted(&turned.lanes), "{name} {column}");
                    }
                }
                found += 1;
            });
        }
        assert!(found >= 10, "only {found} runs");
    }

    #[test]
    fn paths_have_lanes_too() {
        let source = "param n = 3\nprocess p[n] {\n  var x: bool = false\n  action go: not x -> x := true\n}\n\
                      invariant low: count(q in p: q.x) < 2\n";
        let program = fixture::program(source, &[]);
        let (name, run) = fixture::counterexamples(&program).remove(0);
        let Counterexample::Path(path) = run else { panic!("an invariant has a path") };
        let symmetry = symmetry::detect(&program);
        let obligation = invariant_obligation(&program, program.property(&name).unwrap(), &symmetry).unwrap();
        let aqs = Aqs::without_roots(&program, &obligation.symmetry, Prune::None, EdgeStorage::Recomputed);
        let mut aqsi = Aqsi::without_roots(aqs);
        let mut numbering = Numbering::of_quotient(&mut aqsi, &[]);
        let run = Run::new(&program, source, Source::Path(&path), Some(&mut numbering));
        sound("path", &run);
        assert_eq!((run.loop_start, run.steps.len()), (None, 2));
        assert_eq!(run.steps[0].line, Some(4));
        assert_eq!(run.summary(), "a path of 2 steps");
        let turned = run.representatives.unwrap();
        // The representative has the larger local states first.
        let last: Vec<&str> = turned.lanes.iter().map(|lane| lane.at(2)).collect();
        assert_eq!(last, ["true", "true", "false"]);
    }

    /// Of a hundred clients most do nothing: they share a lane. Where each of them moves, each has its own.
    #[test]
    fn many_like_processes_share_a_lane() {
        let controller = models::find("resource_controller").unwrap().source;
        for (source, property, lanes) in
            [(controller, "eventually_access", 2..9), (models::ALL[0].source, "two_at_work", 99..100)]
        {
            let program = fixture::program(source, &[("clients", 99)]);
            let all = fixture::counterexamples(&program);
            let (_, run) = all.iter().find(|(name, _)| name == property).unwrap();
            let Counterexample::Lasso(lasso, ledger) = run else { panic!("a loop") };
            let run = Run::new(&program, source, Source::Lasso(lasso, ledger), None);
            sound(property, &run);
            let processes: Vec<u32> = run.lanes.iter().map(|lane| lane.count).filter(|&n| n > 0).collect();
            assert_eq!(processes.iter().sum::<u32>() + run.hidden, program.process_count());
            assert!(lanes.contains(&processes.len()), "{} lanes", processes.len());
            let bytes = encode(&run);
            assert_eq!(decode::<Run>(&bytes), Some(run));
        }
    }
}
