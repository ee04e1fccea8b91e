//! Known verdicts: the resource controllers of Gyuris & Sistla, and every built-in model's notes.

use crate::support::{Verdict, built, noted_verdicts};
use orbitscope_core::group::Process;
use orbitscope_core::ltl::Limits;
use orbitscope_core::models;
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, ProcessSet, Product};
use orbitscope_core::program::{ActionId, Program, PropertyId, PropertyKind};
use orbitscope_core::property::{Obligation, obligations};
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::{LassoFault, Ledger, Outcome, Search, lasso_of, replay, threaded};
use orbitscope_core::symmetry::detect;
use orbitscope_core::syntax::ast::{Fairness, Logic};

fn obligations_of(program: &Program, property: PropertyId) -> Vec<Obligation> {
    obligations(program, property, &detect(program), &Limits::default()).expect("the formula is small")
}

fn controller(clients: i64) -> Program {
    let model = models::find("resource_controller").expect("it is built in");
    built(model.name, model.source, &[("clients", clients)])
}

/// Section 5, table 1: the property is violated, and the nodes visited do not grow with the number of clients.
#[test]
fn liveness_of_the_resource_controller() {
    // Strong fairness is tested on complete components: with many clients that is a long test of one thing.
    for (fairness, sizes) in [(Fairness::Weak, &[9, 49, 99][..]), (Fairness::Strong, &[3, 9])] {
        let mut visited = Vec::new();
        for &clients in sizes {
            let program = controller(clients);
            let property = program.property("eventually_access").expect("it has the property");
            let [obligation] = &obligations_of(&program, property)[..] else {
                panic!("the clients are one orbit")
            };
            let of = FairnessOf::new(&program, FairnessChoice::All(fairness));
            let product = Product::new(&program, obligation, Prune::Full, Deadlock::Stutter);
            let mut search = Search::new(product, of.clone(), u32::MAX);
            let Outcome::Violated(component) = search.run().clone() else { panic!("it is violated") };
            visited.push(search.visited());
            let lasso = lasso_of(search.product_mut(), &component, &of).expect("the model has no faults");
            let ledger =
                replay(&program, obligation, &of, Deadlock::Stutter, &lasso).expect("the run replays");
            assert_eq!(ledger.len(), clients as usize + 1);
        }
        if fairness == Fairness::Weak {
            assert!(visited.iter().all(|&v| v == visited[0] && v < 40), "{visited:?}");
        }
    }
}

/// Section 2.5: "client 1 never gets to critical" has a product of 42 nodes by the older method, and of 26.
#[test]
fn product_of_the_simplified_controller() {
    let source = "process client[3] { var st: {I, R, C} = I
        action request: st == I -> st := R
        action withdraw: st == R -> st := I
        action grant: st == R and not exists d in client: d.st == C -> st := C
        action release: st == C -> st := I }
      automaton reaches(c in client) { initial a { true -> a c.st == C -> b } accepting b { true -> b } }";
    let program = built("simplified", source, &[]);
    let property = program.property("reaches").expect("it has the property");
    let [obligation] = &obligations_of(&program, property)[..] else { panic!("the clients are one orbit") };
    let mut product = Product::new(&program, obligation, Prune::Full, Deadlock::Stutter);
    let mut next = 0;
    while next < product.len() {
        product.edges(orbitscope_core::product::NodeId(next)).expect("no faults");
        next += 1;
    }
    assert_eq!(product.len(), 26);
    let of = FairnessOf::new(&program, FairnessChoice::Model);
    let older = threaded(&program, obligation, &of, Deadlock::Stutter, u32::MAX);
    assert_eq!((older.nodes, older.violated), (42, Some(true)));
}

/// A state without steps repeats by a step that no process executes, with every process disabled; or has no edge.
#[test]
fn a_deadlock_repeats_by_itself() {
    let source = "process p[3] { var x: bool = false action go: x -> x := false }
      automaton every { initial accepting a { true -> a } }";
    let program = built("deadlock", source, &[]);
    let property = program.property("every").expect("it has the property");
    let obligation = &obligations_of(&program, property)[0];
    let mut product = Product::new(&program, obligation, Prune::Full, Deadlock::Stutter);
    let (root, _) = product.roots()[0].clone();
    let edges = product.edges(root).expect("no faults");
    let [edge] = &edges[..] else { panic!("{edges:?}") };
    assert_eq!((edge.step, edge.process, edge.target), (None, None, root));
    assert!(edge.perm.is_identity());
    assert_eq!(product.place(root).expect("no faults").enabled, ProcessSet::default());
    let mut product = Product::new(&program, obligation, Prune::Full, Deadlock::Drop);
    assert!(product.edges(root).expect("no faults").is_empty());
}

#[test]
fn verdicts_noted_in_the_models() {
    let mut seen = 0;
    for model in models::ALL {
        let program = built(model.name, model.source, &[]);
        for (name, expected) in noted_verdicts(model.source) {
            let property = program.property(&name).expect("the note names a property");
            if matches!(
                program.properties[property].kind,
                PropertyKind::Formula(Logic::Invariant | Logic::Ctl | Logic::Mu, _)
            ) {
                continue;
            }
            let of = FairnessOf::new(&program, FairnessChoice::Model);
            let holds = obligations_of(&program, property).iter().all(|obligation| {
                crate::support::agree::on_the_fly(
                    &program,
                    obligation,
                    &of,
                    Prune::Full,
                    Deadlock::Stutter,
                    64 << 20,
                )
                .unwrap_or_else(|e| panic!("{} {name}: {e}", model.name))
            });
            assert_eq!(holds, expected == Verdict::Holds, "{} {name}", model.name);
            seen += 1;
        }
    }
    assert!(seen >= 15, "only {seen} properties");
}

/// Each clause of the replay rejects a run that breaks it.
#[test]
fn broken_runs_are_rejected() {
    let program = controller(3);
    let property = program.property("eventually_access").expect("it has the property");
    let obligation = &obligations_of(&program, property)[0];
    let of = FairnessOf::new(&program, FairnessChoice::Model);
    let product = Product::new(&program, obligation, Prune::Full, Deadlock::Stutter);
    let mut search = Search::new(product, of.clone(), u32::MAX);
    let Outcome::Violated(component) = search.run().clone() else { panic!("it is violated") };
    let lasso = lasso_of(search.product_mut(), &component, &of).expect("no faults");
    let check = |lasso: &_| replay(&program, obligation, &of, Deadlock::Stutter, lasso);
    assert!(check(&lasso).is_ok());

    let mut broken = lasso.clone();
    broken.start[0] = 1 - broken.start[0];
    assert_eq!(check(&broken), Err(LassoFault::NotInitial));

    let mut broken = lasso.clone();
    broken.cycle[0].changes[0].1 += 1;
    assert!(matches!(check(&broken), Err(LassoFault::NoStep(_))));

    // A process, an action or an argument that there is not is no step, and no panic.
    let acting = lasso.stem.iter().position(|step| step.action.is_some()).expect("somebody moves");
    let mut broken = lasso.clone();
    broken.stem[acting].process = Some(Process(1000));
    assert_eq!(check(&broken), Err(LassoFault::NoStep(acting)));
    let mut broken = lasso.clone();
    broken.stem[acting].action = Some((ActionId(99), Vec::new()));
    assert_eq!(check(&broken), Err(LassoFault::NoStep(acting)));
    let mut broken = lasso.clone();
    if let Some((_, arguments)) = &mut broken.stem[acting].action {
        arguments.push(77);
    }
    assert_eq!(check(&broken), Err(LassoFault::NoStep(acting)));
    let mut broken = lasso.clone();
    broken.stem[acting].changes.pop();
    assert_eq!(check(&broken), Err(LassoFault::NoStep(acting)));

    let mut broken = lasso.clone();
    broken.cycle.pop();
    assert_eq!(check(&broken), Err(LassoFault::Open));

    let other = Obligation {
        formula: obligation.formula.as_ref().map(|(arena, _)| (arena.clone(), arena.tt())),
        ..obligation.clone()
    };
    assert_eq!(replay(&program, &other, &of, Deadlock::Stutter, &lasso), Err(LassoFault::Right));

    // Client 2 waits for ever in a loop in which only clients 0 and 1 move and the server skips; nobody is unfairly
    // treated there, since the turn disables everyone again and again: without the turn's bit somebody is.
    let source = "process p[2] { var x: bool = false action go: true -> x := not x }
      ltl q: forall c in p: F c.x";
    let program = built("unfair", source, &[]);
    let property = program.property("q").expect("it has the property");
    let obligation = &obligations_of(&program, property)[0];
    let none = FairnessOf::new(&program, FairnessChoice::All(Fairness::None));
    let weak = FairnessOf::new(&program, FairnessChoice::All(Fairness::Weak));
    let product = Product::new(&program, obligation, Prune::Full, Deadlock::Stutter);
    let mut search = Search::new(product, none.clone(), u32::MAX);
    let Outcome::Violated(component) = search.run().clone() else {
        panic!("without fairness it is violated")
    };
    let lasso = lasso_of(search.product_mut(), &component, &none).expect("no faults");
    assert!(replay(&program, obligation, &none, Deadlock::Stutter, &lasso).is_ok());
    assert_eq!(
        replay(&program, obligation, &weak, Deadlock::Stutter, &lasso),
        Err(LassoFault::Unfair(obligation.tracked[0]))
    );
}

/// A million clients: the answer, the run and its replay in the size of what happens.
#[test]
fn a_million_clients() {
    let program = controller(1_000_000);
    let property = program.property("eventually_access").expect("it has the property");
    let obligation = &obligations_of(&program, property)[0];
    for fairness in [Fairness::Weak, Fairness::None] {
        let of = FairnessOf::new(&program, FairnessChoice::All(fairness));
        let product = Product::new(&program, obligation, Prune::Full, Deadlock::Stutter);
        let mut search = Search::new(product, of.clone(), u32::MAX);
        let Outcome::Violated(component) = search.run().clone() else { panic!("it is violated") };
        assert!(search.visited() < 100, "{} nodes", search.visited());
        assert!(search.bytes() < 100_000, "{} bytes", search.bytes());
        let lasso = lasso_of(search.product_mut(), &component, &of).expect("no faults");
        let steps = lasso.stem.iter().chain(&lasso.cycle);
        let changes: usize = steps.map(|step| step.changes.len()).sum();
        assert!(changes < 100, "{changes} changes");
        let ledger = replay(&program, obligation, &of, Deadlock::Stutter, &lasso).expect("it replays");
        assert_eq!(ledger.len(), 1_000_001);
    }
}

/// A run in which each of two thousand processes has to move is as long as that, and closes.
#[test]
fn everybody_moves() {
    let model = models::find("simplified_controller").expect("it is built in");
    let program = built(model.name, model.source, &[("clients", 2000)]);
    let property = program.property("eventually_access").expect("it has the property");
    let obligation = &obligations_of(&program, property)[0];
    let of = FairnessOf::new(&program, FairnessChoice::All(Fairness::Strong));
    let product = Product::new(&program, obligation, Prune::Full, Deadlock::Stutter);
    let mut search = Search::new(product, of.clone(), u32::MAX);
    let Outcome::Violated(component) = search.run().clone() else { panic!("it is violated") };
    let lasso = lasso_of(search.product_mut(), &component, &of).expect("no faults");
    let ledger = replay(&program, obligation, &of, Deadlock::Stutter, &lasso).expect("it replays");
    assert!(ledger.iter().all(|entry| matches!(entry, Ledger::Executes(_))));
    assert_eq!(lasso.cycle.len(), 4000);
}
