//! Naive checkers over the interpreter's graph, by the textbook and without symmetry: for linear time a tableau whose
//! states guess what will hold, and fair strongly connected components; for branching time fixed points.
//!
//! A position of a run is a state together with the step that leaves it, so that `executed` has a meaning there. A state
//! without steps is left by a step of nobody to itself.

mod atoms;
mod components;
mod paths;
mod run;

use super::Verdict;
use super::oracle::{Bound, Graph, Oracle, Scope};
use super::tableau::Ltl;
use components::components;
use orbitscope_core::syntax::ast::{
    AutomatonState, BinaryOp, Binder, ExprId, ExprKind, Fairness, Fixpoint, ItemKind, Logic, PathQuantifier,
    Quantifier, TemporalBinaryOp, TemporalOp,
};
use paths::{action_of, alive, other};
pub(crate) use run::Run;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

type Process = (u32, i64);

/// Which fairness is assumed: the model's own, or one for all processes.
pub(crate) type Assumed = Option<Fairness>;

pub(super) struct Position {
    pub(super) state: usize,
    pub(super) executed: Option<Process>,
    /// The action that is executed.
    action: String,
    to: usize,
}

pub(crate) struct Checker<'a> {
    pub(super) oracle: &'a Oracle<'a>,
    pub(super) graph: &'a Graph,
    pub(super) positions: Vec<Position>,
    /// For each state the positions that leave it.
    leaving: Vec<Vec<usize>>,
    pub(super) enabled: Vec<Vec<Process>>,
    /// For each state the actions that processes can execute.
    pub(super) offered: Vec<Vec<(Process, String)>>,
    /// The states from which an infinite path leads: all, unless deadlocks are dropped.
    alive: Vec<bool>,
    /// The value of an expression that has none; without one there is no such expression.
    pub(crate) faulty: Option<bool>,
    /// Whether [`faulty`](Self::faulty) was asked for.
    pub(crate) replaced: Cell<bool>,
    /// Which paths formulas of branching time speak of: those that are fair in this way, or all.
    pub(crate) fair_paths: Option<Assumed>,
    /// A tableau with more nodes is not made.
    pub(crate) most_nodes: usize,
    /// From where a fair path starts, in each way to be fair.
    fair_from: RefCell<Vec<(Assumed, Rc<[bool]>)>>,
    /// Where expressions of branching time are true.
    known: RefCell<HashMap<(ExprId, String), Vec<bool>>>,
}

/// The variables of the fixed points around a formula, with their values.
type Around<'a> = Vec<(&'a str, Vec<bool>)>;

/// The tableau is that many times doubled at most.
const MAX_GUESSES: usize = 8;

/// A graph in which a fair cycle is looked for.
struct Product {
    starts: Vec<usize>,
    /// Lists of nodes, and for each node the number of the list that follows it: many nodes share one.
    lists: Vec<Vec<usize>>,
    followed_by: Vec<usize>,
    /// The position that each node is at.
    position: Vec<usize>,
    /// For each node and each acceptance set whether the node is in it.
    accepting: Vec<Vec<bool>>,
}

impl Product {
    fn len(&self) -> usize {
        self.followed_by.len()
    }

    fn next(&self, node: usize) -> &[usize] {
        &self.lists[self.followed_by[node]]
    }
}

impl<'a> Checker<'a> {
    pub(crate) fn new(oracle: &'a Oracle<'a>, graph: &'a Graph) -> Checker<'a> {
        let repeats: Vec<bool> = (0..graph.states.len()).map(|state| graph.is_deadlock(state)).collect();
        Checker::with(oracle, graph, alive(graph, &repeats))
    }

    /// Only infinite paths count: a state without steps does not repeat, and what leads nowhere else is not entered.
    pub(crate) fn dropping_deadlocks(oracle: &'a Oracle<'a>, graph: &'a Graph) -> Checker<'a> {
        let alive = alive(graph, &vec![false; graph.states.len()]);
        Checker::with(oracle, graph, alive)
    }

    fn with(oracle: &'a Oracle<'a>, graph: &'a Graph, alive: Vec<bool>) -> Checker<'a> {
        let (mut positions, mut leaving, mut enabled) = (Vec::new(), Vec::new(), Vec::new());
        let mut offered: Vec<Vec<(Process, String)>> = Vec::new();
        for (state, steps) in graph.steps.iter().enumerate() {
            let first = positions.len();
            for (process, label, to) in steps.iter().filter(|(_, _, to)| alive[*to]) {
                let action = action_of(label);
                positions.push(Position { state, executed: Some(*process), action, to: *to });
            }
            if steps.is_empty() && alive[state] {
                positions.push(Position { state, executed: None, action: String::new(), to: state });
            }
            offered.push(steps.iter().map(|(process, label, _)| (*process, action_of(label))).collect());
            leaving.push((first..positions.len()).collect());
            let mut able: Vec<Process> = steps.iter().map(|(p, _, _)| *p).collect();
            able.dedup();
            enabled.push(able);
        }
        Checker {
            oracle,
            graph,
            positions,
            leaving,
            enabled,
            offered,
            alive,
            faulty: None,
            replaced: Cell::new(false),
            fair_paths: None,
            most_nodes: usize::MAX,
            fair_from: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// The item of a property.
    pub(super) fn item(&self, property: &str) -> &'a ItemKind {
        let mut items = self.oracle.file.items.iter().map(|item| &item.kind).filter(|kind| {
            use ItemKind as I;
            matches!(kind, I::Property { .. } | I::Automaton { .. } | I::DeadlockFree(_))
                && kind.name().is_some_and(|n| n.name == property)
        });
        items.next().unwrap_or_else(|| panic!("there is no property `{property}`"))
    }

    /// The verdict on a property of the model.
    pub(crate) fn check(&self, property: &str, assumed: Assumed) -> Verdict {
        self.try_check(property, assumed).expect("few temporal operators, for the naive tableau")
    }

    /// The verdict on a property of the model; none where it has too many temporal operators.
    pub(crate) fn try_check(&self, property: &str, assumed: Assumed) -> Option<Verdict> {
        let scope = Scope::default();
        let holds = match self.item(property) {
            ItemKind::Property { logic: Logic::Invariant, formula, .. } => {
                (0..self.graph.states.len()).all(|state| self.atom(*formula, &scope, state, None))
            }
            ItemKind::Property { logic: Logic::Cover, formula, .. } => {
                (0..self.graph.states.len()).any(|state| self.atom(*formula, &scope, state, None))
            }
            ItemKind::DeadlockFree(_) => {
                (0..self.graph.states.len()).all(|state| !self.graph.is_deadlock(state))
            }
            ItemKind::Property { logic: Logic::Ltl, formula, .. } => {
                self.ltl_holds(*formula, &scope, assumed)?
            }
            ItemKind::Property { logic: Logic::Ctl | Logic::Mu, formula, .. } => {
                let holds = self.branching(*formula, &scope, &mut Vec::new());
                self.graph.initial.iter().all(|&state| holds[state])
            }
            ItemKind::Automaton { params, states, .. } => self
                .scopes(params, &scope)
                .iter()
                .all(|scope| !self.fair_cycle(&self.automaton_product(states, scope), assumed)),
            _ => unreachable!("only properties were looked for"),
        };
        Some(Verdict::of(holds))
    }

    /// Whether a state is what a property of states looks for: a violation, or what is to be covered.
    pub(crate) fn shows(&self, property: &str, state: usize) -> bool {
        match self.item(property) {
            ItemKind::Property { logic: Logic::Invariant, formula, .. } => {
                !self.atom(*formula, &Scope::default(), state, None)
            }
            ItemKind::Property { logic: Logic::Cover, formula, .. } => {
                self.atom(*formula, &Scope::default(), state, None)
            }
            ItemKind::DeadlockFree(_) => self.graph.is_deadlock(state),
            _ => true,
        }
    }

    pub(super) fn scopes(&self, binders: &'a [Binder], scope: &Scope<'a>) -> Vec<Scope<'a>> {
        let mut scopes = vec![scope.clone()];
        for binder in binders {
            let domain = self.oracle.elements(&binder.domain);
            scopes = scopes
                .iter()
                .flat_map(|scope| {
                    domain.iter().map(|value| {
                        let mut inner = scope.clone();
                        inner.bindings.push((&binder.name.name, Bound::Value(*value)));
                        inner
                    })
                })
                .collect();
        }
        scopes
    }

    pub(super) fn is_temporal(&self, expr: ExprId) -> bool {
        match &self.oracle.file.exprs[expr].kind {
            ExprKind::Temporal(..)
            | ExprKind::TemporalBinary(..)
            | ExprKind::Branching(..)
            | ExprKind::BranchingBinary(..)
            | ExprKind::Fixpoint(..) => true,
            ExprKind::Not(a) | ExprKind::Quantified(_, _, a) => self.is_temporal(*a),
            ExprKind::And(list) | ExprKind::Or(list) => list.iter().any(|e| self.is_temporal(*e)),
            ExprKind::Binary(_, a, b) => self.is_temporal(*a) || self.is_temporal(*b),
            ExprKind::If(a, b, c) => [a, b, c].into_iter().any(|e| self.is_temporal(*e)),
            _ => false,
        }
    }

    /// A leading `forall` is checked one choice at a time: a conjunction of many would need too many guesses.
    fn ltl_holds(&self, formula: ExprId, scope: &Scope<'a>, assumed: Assumed) -> Option<bool> {
        if let ExprKind::Quantified(Quantifier::Forall, binders, body) = &self.oracle.file.exprs[formula].kind
            && self.is_temporal(*body)
        {
            let scopes = self.scopes(binders, scope);
            let verdicts: Option<Vec<bool>> =
                scopes.iter().map(|scope| self.ltl_holds(*body, scope, assumed)).collect();
            return Some(verdicts?.into_iter().all(|holds| holds));
        }
        let wrong = self.ltl(formula, scope).not();
        let guesses = wrong.guesses();
        let fits = guesses <= MAX_GUESSES && self.positions.len() << guesses <= self.most_nodes;
        fits.then(|| !self.fair_cycle(&self.tableau_product(&wrong), assumed))
    }

    pub(super) fn ltl(&self, expr: ExprId, scope: &Scope<'a>) -> Ltl {
        if !self.is_temporal(expr) {
            return Ltl::Atom(self.values(expr, scope));
        }
        let always = || Ltl::And(Vec::new());
        let part = |e: &ExprId| self.ltl(*e, scope);
        match &self.oracle.file.exprs[expr].kind {
            ExprKind::Not(a) => part(a).not(),
            ExprKind::And(list) => Ltl::And(list.iter().map(part).collect()),
            ExprKind::Or(list) => Ltl::or(list.iter().map(part).collect()),
            ExprKind::Binary(BinaryOp::Implies, a, b) => Ltl::or(vec![part(a).not(), part(b)]),
            ExprKind::Binary(op @ (BinaryOp::Iff | BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let both = Ltl::And(vec![part(a), part(b)]);
                let neither = Ltl::And(vec![part(a).not(), part(b).not()]);
                let same = Ltl::or(vec![both, neither]);
                if *op == BinaryOp::Ne { same.not() } else { same }
            }
            ExprKind::If(c, a, b) => {
                let otherwise = Ltl::And(vec![part(c).not(), part(b)]);
                Ltl::or(vec![Ltl::And(vec![part(c), part(a)]), otherwise])
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                let parts = self.scopes(binders, scope).iter().map(|s| self.ltl(*body, s)).collect();
                if *quantifier == Quantifier::Forall { Ltl::And(parts) } else { Ltl::or(parts) }
            }
            ExprKind::Temporal(TemporalOp::Next, a) => Ltl::Next(Box::new(part(a))),
            ExprKind::Temporal(TemporalOp::Finally, a) => always().until(part(a)),
            ExprKind::Temporal(TemporalOp::Globally, a) => always().until(part(a).not()).not(),
            ExprKind::TemporalBinary(op, a, b) => match op {
                TemporalBinaryOp::Until => part(a).until(part(b)),
                // a R b: b until a and b, or b for ever.
                TemporalBinaryOp::Release => part(a).not().until(part(b).not()).not(),
                // a W b: b releases a or b.
                TemporalBinaryOp::WeakUntil => {
                    part(b).not().until(Ltl::And(vec![part(a).not(), part(b).not()])).not()
                }
                TemporalBinaryOp::StrongRelease => part(b).until(Ltl::And(vec![part(a), part(b)])),
            },
            other => panic!("{other:?} is not of linear time"),
        }
    }

    fn tableau_product(&self, formula: &Ltl) -> Product {
        let guesses = formula.guesses();
        let count = 1usize << guesses;
        let nodes = self.positions.len() * count;
        let (mut accepting, mut promised, mut start) = (Vec::new(), Vec::new(), Vec::new());
        for node in 0..nodes {
            let (mut kept, mut due, mut bit) = (0, Vec::new(), 0);
            let guess = (node % count) as u32;
            start.push(formula.truth(node / count, guess, &mut bit, &mut kept, &mut due));
            accepting.push(due);
            promised.push(kept);
        }
        // From a state with a guess on to the nodes that promise it.
        let mut lists = vec![Vec::new(); self.leaving.len() * count];
        for (state, leaving) in self.leaving.iter().enumerate() {
            for node in leaving.iter().flat_map(|p| (p * count)..(p + 1) * count) {
                lists[state * count + promised[node] as usize].push(node);
            }
        }
        let first = self.graph.initial.iter().flat_map(|&s| &self.leaving[s]);
        let starts = first.flat_map(|p| (p * count)..(p + 1) * count).filter(|&node| start[node]).collect();
        Product {
            starts,
            lists,
            followed_by: (0..nodes)
                .map(|node| self.positions[node / count].to * count + node % count)
                .collect(),
            position: (0..nodes).map(|node| node / count).collect(),
            accepting,
        }
    }

    fn automaton_product(&self, states: &[AutomatonState], scope: &Scope<'a>) -> Product {
        let count = states.len();
        let target = |name: &str| states.iter().position(|s| s.name.name == name).expect("a known state");
        let nodes = self.positions.len() * count;
        let next = (0..nodes).map(|node| {
            let position = &self.positions[node / count];
            let moves = states[node % count].moves.iter();
            let taken =
                moves.filter(|(guard, _)| self.atom(*guard, scope, position.state, position.executed));
            let targets: Vec<usize> = taken.map(|(_, name)| target(&name.name)).collect();
            let after = self.leaving[position.to].iter();
            after.flat_map(|p| targets.iter().map(move |q| p * count + q)).collect()
        });
        let first = self.graph.initial.iter().flat_map(|&s| &self.leaving[s]);
        let starts =
            first.flat_map(|p| (0..count).filter(|&q| states[q].initial).map(move |q| p * count + q));
        Product {
            starts: starts.collect(),
            lists: next.collect(),
            followed_by: (0..nodes).collect(),
            position: (0..nodes).map(|node| node / count).collect(),
            accepting: (0..nodes).map(|node| vec![states[node % count].accepting]).collect(),
        }
    }

    /// Whether a fair run of the product visits every acceptance set again and again.
    fn fair_cycle(&self, product: &Product, assumed: Assumed) -> bool {
        let mut reached = vec![false; product.len()];
        let mut stack = product.starts.clone();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                stack.extend(product.next(node));
            }
        }
        let mut parts: Vec<Vec<usize>> = vec![(0..reached.len()).filter(|&n| reached[n]).collect()];
        let processes = self.oracle.processes();
        while let Some(part) = parts.pop() {
            'components: for component in components(product, &part) {
                let sets = product.accepting[component[0]].len();
                if !(0..sets).all(|set| component.iter().any(|&n| product.accepting[n][set])) {
                    continue;
                }
                let at = |n: usize| &self.positions[product.position[n]];
                for &process in &processes {
                    let able = |n: &usize| self.enabled[at(*n).state].contains(&process);
                    if component.iter().any(|&n| at(n).executed == Some(process)) {
                        continue;
                    }
                    match assumed.unwrap_or_else(|| self.oracle.fairness(process)) {
                        Fairness::Weak if component.iter().all(able) => continue 'components,
                        Fairness::Strong if component.iter().any(able) => {
                            // A strongly fair process that can move here never does: a fair run stays where it cannot.
                            parts.push(component.iter().copied().filter(|n| !able(n)).collect());
                            continue 'components;
                        }
                        Fairness::None | Fairness::Weak | Fairness::Strong => {}
                    }
                }
                let actions = if assumed.is_none() { self.oracle.fair_actions() } else { Vec::new() };
                for (process, action, fairness) in actions {
                    let able = |n: &usize| {
                        let offered = self.offered[at(*n).state].iter();
                        offered.into_iter().any(|(p, a)| *p == process && a == action)
                    };
                    let done = |n: &usize| at(*n).executed == Some(process) && at(*n).action == action;
                    if component.iter().any(done) {
                        continue;
                    }
                    match fairness {
                        Fairness::Weak if component.iter().all(able) => continue 'components,
                        Fairness::Strong if component.iter().any(able) => {
                            parts.push(component.iter().copied().filter(|n| !able(n)).collect());
                            continue 'components;
                        }
                        Fairness::None | Fairness::Weak | Fairness::Strong => {}
                    }
                }
                return true;
            }
        }
        false
    }

    /// The states in which a formula of branching time holds, with the values of the fixed points around it.
    fn branching(&self, expr: ExprId, scope: &Scope<'a>, around: &mut Around<'a>) -> Vec<bool> {
        let count = self.graph.states.len();
        if let ExprKind::Name(name) = &self.oracle.file.exprs[expr].kind
            && let Some((_, value)) = around.iter().rev().find(|(n, _)| n == name)
        {
            return value.clone();
        }
        if !self.is_temporal(expr) && !self.mentions(expr, around) {
            let key = (expr, format!("{:?}", scope.bindings));
            if let Some(known) = self.known.borrow().get(&key) {
                return known.clone();
            }
            let found: Vec<bool> = (0..count).map(|state| self.atom(expr, scope, state, None)).collect();
            self.known.borrow_mut().insert(key, found.clone());
            return found;
        }
        if let ExprKind::Fixpoint(kind, name, body) = &self.oracle.file.exprs[expr].kind {
            let mut value = vec![*kind == Fixpoint::Greatest; count];
            loop {
                around.push((&name.name, value.clone()));
                let next = self.branching(*body, scope, around);
                around.pop();
                if next == value {
                    return value;
                }
                value = next;
            }
        }
        let around = RefCell::new(around);
        let part = |e: &ExprId| self.branching(*e, scope, &mut around.borrow_mut());
        let zip = |a: Vec<bool>, b: Vec<bool>, f: fn(bool, bool) -> bool| -> Vec<bool> {
            a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
        };
        let not = |a: Vec<bool>| -> Vec<bool> { a.into_iter().map(|x| !x).collect() };
        let all =
            |list: Vec<Vec<bool>>| list.into_iter().fold(vec![true; count], |a, b| zip(a, b, |a, b| a && b));
        let some =
            |list: Vec<Vec<bool>>| list.into_iter().fold(vec![false; count], |a, b| zip(a, b, |a, b| a || b));
        let always = vec![true; count];
        match &self.oracle.file.exprs[expr].kind {
            ExprKind::Not(a) => not(part(a)),
            ExprKind::And(list) => all(list.iter().map(part).collect()),
            ExprKind::Or(list) => some(list.iter().map(part).collect()),
            ExprKind::Binary(BinaryOp::Implies, a, b) => zip(part(a), part(b), |a, b| !a || b),
            ExprKind::Binary(BinaryOp::Iff | BinaryOp::Eq, a, b) => zip(part(a), part(b), |a, b| a == b),
            ExprKind::Binary(BinaryOp::Ne, a, b) => zip(part(a), part(b), |a, b| a != b),
            ExprKind::If(c, a, b) => {
                let (c, a, b) = (part(c), part(a), part(b));
                (0..count).map(|s| if c[s] { a[s] } else { b[s] }).collect()
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                let parts = self
                    .scopes(binders, scope)
                    .iter()
                    .map(|s| self.branching(*body, s, &mut around.borrow_mut()))
                    .collect();
                if *quantifier == Quantifier::Forall { all(parts) } else { some(parts) }
            }
            ExprKind::Branching(path, op, a) => match op {
                TemporalOp::Next => self.next(*path, part(a)),
                TemporalOp::Finally => self.until(*path, &always, &part(a)),
                TemporalOp::Globally => not(self.until(other(*path), &always, &not(part(a)))),
            },
            ExprKind::BranchingBinary(path, op, a, b) => {
                let (a, b) = (part(a), part(b));
                match op {
                    TemporalBinaryOp::Until => self.until(*path, &a, &b),
                    TemporalBinaryOp::Release => not(self.until(other(*path), &not(a), &not(b))),
                    TemporalBinaryOp::WeakUntil => {
                        let neither = zip(not(a), not(b.clone()), |a, b| a && b);
                        not(self.until(other(*path), &not(b), &neither))
                    }
                    TemporalBinaryOp::StrongRelease => {
                        let both = zip(a, b.clone(), |a, b| a && b);
                        self.until(*path, &b, &both)
                    }
                }
            }
            other => panic!("{other:?} is not of branching time"),
        }
    }

    /// Whether the variable of a fixed point stands in an expression without temporal operators.
    fn mentions(&self, expr: ExprId, around: &Around<'a>) -> bool {
        let inside = |e: &ExprId| self.mentions(*e, around);
        match &self.oracle.file.exprs[expr].kind {
            ExprKind::Name(name) => around.iter().any(|(n, _)| n == name),
            ExprKind::Not(a) | ExprKind::Quantified(_, _, a) => inside(a),
            ExprKind::And(list) | ExprKind::Or(list) => list.iter().any(inside),
            ExprKind::Binary(_, a, b) => inside(a) || inside(b),
            ExprKind::If(a, b, c) => inside(a) || inside(b) || inside(c),
            _ => false,
        }
    }

    /// The states from which a fair path leads through states of a set only.
    fn fair_along(&self, inside: &[bool], assumed: Assumed) -> Vec<bool> {
        let within = |p: &usize| inside[self.positions[*p].state];
        let next = |p: usize| -> Vec<usize> {
            let after = self.leaving[self.positions[p].to].iter().copied();
            after.filter(|p| within(p)).collect()
        };
        let mut product = Product {
            starts: Vec::new(),
            lists: (0..self.positions.len()).map(next).collect(),
            followed_by: (0..self.positions.len()).collect(),
            position: (0..self.positions.len()).collect(),
            accepting: vec![Vec::new(); self.positions.len()],
        };
        // Where there is such a path, there is one from all that lead there; where there is none, neither from what is
        // reached.
        let mut found: Vec<Option<bool>> = inside.iter().map(|inside| (!inside).then_some(false)).collect();
        for state in 0..found.len() {
            if found[state].is_some() {
                continue;
            }
            product.starts = self.leaving[state].iter().copied().filter(|p| within(p)).collect();
            let fair = self.fair_cycle(&product, assumed);
            found[state] = Some(fair);
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for position in &self.positions {
                    let (from, to) =
                        if fair { (position.to, position.state) } else { (position.state, position.to) };
                    if found[from] == Some(fair) && found[to].is_none() && inside[from] {
                        found[to] = Some(fair);
                        changed = true;
                    }
                }
            }
        }
        found.into_iter().map(|found| found == Some(true)).collect()
    }

    /// The states from which a fair path starts.
    fn fair_from(&self, assumed: Assumed) -> Rc<[bool]> {
        let known =
            self.fair_from.borrow().iter().find(|known| known.0 == assumed).map(|known| known.1.clone());
        known.unwrap_or_else(|| {
            let found: Rc<[bool]> = self.fair_along(&vec![true; self.graph.states.len()], assumed).into();
            self.fair_from.borrow_mut().push((assumed, found.clone()));
            found
        })
    }

    fn next(&self, path: PathQuantifier, mut a: Vec<bool>) -> Vec<bool> {
        let Some(assumed) = self.fair_paths else { return self.before(path, &a) };
        let all = path == PathQuantifier::All;
        let fair = self.fair_from(assumed);
        a.iter_mut().zip(&fair[..]).for_each(|(a, fair)| *a = (*a != all) && *fair);
        self.before(PathQuantifier::Some, &a).into_iter().map(|x| x != all).collect()
    }

    fn until(&self, path: PathQuantifier, a: &[bool], b: &[bool]) -> Vec<bool> {
        let Some(assumed) = self.fair_paths else { return self.reach(path, a, b) };
        let count = a.len();
        let fair = self.fair_from(assumed);
        if path == PathQuantifier::Some {
            let end: Vec<bool> = (0..count).map(|s| b[s] && fair[s]).collect();
            return self.reach(path, a, &end);
        }
        let without: Vec<bool> = b.iter().map(|b| !b).collect();
        let wrong: Vec<bool> = (0..count).map(|s| !a[s] && !b[s] && fair[s]).collect();
        let breaks = self.reach(PathQuantifier::Some, &without, &wrong);
        let never = self.fair_along(&without, assumed);
        (0..count).map(|s| !breaks[s] && !never[s]).collect()
    }

    fn before(&self, path: PathQuantifier, target: &[bool]) -> Vec<bool> {
        let mut next = self.leaving.iter().map(|list| list.iter().map(|&p| target[self.positions[p].to]));
        match path {
            PathQuantifier::All => next.by_ref().map(|mut list| list.all(|x| x)).collect(),
            PathQuantifier::Some => next.by_ref().map(|mut list| list.any(|x| x)).collect(),
        }
    }

    fn reach(&self, path: PathQuantifier, a: &[bool], b: &[bool]) -> Vec<bool> {
        // Where no path starts, all of them come there, and none does.
        let all = path == PathQuantifier::All;
        let mut holds: Vec<bool> = (0..b.len()).map(|s| if self.alive[s] { b[s] } else { all }).collect();
        loop {
            let before = self.before(path, &holds);
            let grown: Vec<bool> = (0..holds.len()).map(|s| holds[s] || (a[s] && before[s])).collect();
            if grown == holds {
                return holds;
            }
            holds = grown;
        }
    }
}
