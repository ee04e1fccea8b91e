//! Mutual exclusion of the resource controller of `core/models/resource_controller.orb` in Stateright.
//!
//! `orbitscope-bench-stateright CLIENTS plain|symmetry` prints the number of unique states, the number of successors and
//! the seconds that the search took, on one thread.

use stateright::{Checker, Model, Property, Representative};
use std::time::Instant;

/// A client: idle, requesting or critical.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Client {
    Idle,
    Requesting,
    Critical,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    servers_turn: bool,
    clients: Vec<Client>,
}

/// States that differ only in who is who are one: the clients are sorted.
impl Representative for State {
    fn representative(&self) -> Self {
        let mut sorted = self.clone();
        sorted.clients.sort_unstable();
        sorted
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Action {
    Grant(usize),
    Skip,
    Request(usize),
    Withdraw(usize),
    Release(usize),
}

struct Controller {
    clients: usize,
}

impl Model for Controller {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State { servers_turn: false, clients: vec![Client::Idle; self.clients] }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let clients = state.clients.iter().enumerate();
        if state.servers_turn {
            if !state.clients.contains(&Client::Critical) {
                let waiting = clients.filter(|(_, client)| **client == Client::Requesting);
                actions.extend(waiting.map(|(number, _)| Action::Grant(number)));
            }
            actions.push(Action::Skip);
        } else {
            actions.extend(clients.map(|(number, client)| match client {
                Client::Idle => Action::Request(number),
                Client::Requesting => Action::Withdraw(number),
                Client::Critical => Action::Release(number),
            }));
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        next.servers_turn = !state.servers_turn;
        match action {
            Action::Grant(number) => next.clients[number] = Client::Critical,
            Action::Skip => {}
            Action::Request(number) => next.clients[number] = Client::Requesting,
            Action::Withdraw(number) | Action::Release(number) => next.clients[number] = Client::Idle,
        }
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::<Self>::always("mutual exclusion", |_, state| {
            state.clients.iter().filter(|client| **client == Client::Critical).count() <= 1
        })]
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let clients: usize = args.next().and_then(|n| n.parse().ok()).expect("the number of clients");
    let symmetry = args.next().is_some_and(|word| word == "symmetry");
    let builder = Controller { clients }.checker().threads(1);
    let start = Instant::now();
    let (unique, all, holds) = if symmetry {
        let checker = builder.symmetry().spawn_dfs().join();
        (checker.unique_state_count(), checker.state_count(), checker.discoveries().is_empty())
    } else {
        let checker = builder.spawn_bfs().join();
        (checker.unique_state_count(), checker.state_count(), checker.discoveries().is_empty())
    };
    assert!(holds, "mutual exclusion holds");
    println!("{unique} {all} {:.6}", start.elapsed().as_secs_f64());
}
