//! Some of the models again, written in plain Rust: successors of plain structs, counted by a plain search. The counts
//! must be those of the models' texts.

use crate::support::built;
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::models;
use std::collections::HashSet;
use std::hash::Hash;

/// States, edges and deadlocks of what the successor function reaches.
fn search<S: Clone + Eq + Hash>(
    starts: impl IntoIterator<Item = S>,
    successors: impl Fn(&S) -> Vec<S>,
) -> (u32, u64, usize) {
    let mut seen: HashSet<S> = starts.into_iter().collect();
    let mut open: Vec<S> = seen.iter().cloned().collect();
    let (mut edges, mut deadlocks) = (0, 0);
    while let Some(state) = open.pop() {
        let next = successors(&state);
        edges += next.len() as u64;
        deadlocks += usize::from(next.is_empty());
        for state in next {
            if seen.insert(state.clone()) {
                open.push(state);
            }
        }
    }
    (seen.len() as u32, edges, deadlocks)
}

fn by_engine(name: &str, params: &[(&str, i64)]) -> (u32, u64, usize) {
    let source = models::find(name).map(|m| m.source).unwrap_or_default();
    let program = built(name, source, params);
    let mut exploration = Exploration::new(&program, Limits::default(), &[]);
    assert_eq!(exploration.run(), &StopReason::Complete);
    (exploration.states().len(), exploration.edge_count(), exploration.deadlocks().len())
}

#[test]
fn resource_controller() {
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    enum Client {
        Idle,
        Requests,
        Critical,
    }
    use Client::{Critical, Idle, Requests};
    for n in 1..=8 {
        let counts = search([(vec![Idle; n], false)], |(clients, servers_turn)| {
            let mut next = Vec::new();
            if *servers_turn {
                next.push((clients.clone(), false));
                for i in 0..n {
                    if clients[i] == Requests && !clients.contains(&Critical) {
                        let mut granted = clients.clone();
                        granted[i] = Critical;
                        next.push((granted, false));
                    }
                }
            } else {
                for i in 0..n {
                    let mut moved = clients.clone();
                    moved[i] = if clients[i] == Idle { Requests } else { Idle };
                    next.push((moved, true));
                }
            }
            next
        });
        assert_eq!(by_engine("resource_controller", &[("clients", n as i64)]), counts, "{n} clients");
    }
}

#[test]
fn dining_philosophers() {
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    enum Philosopher {
        Thinks,
        Hungry,
        HasLeft,
        Eats,
    }
    use Philosopher::{Eats, HasLeft, Hungry, Thinks};
    // Who has which forks says where the forks are: no need to store them.
    let fork_is_free = |all: &[Philosopher], i: usize| {
        let left_of_it = all[(i + all.len() - 1) % all.len()];
        !matches!(all[i], HasLeft | Eats) && left_of_it != Eats
    };
    for patient in [true, false] {
        for n in 2..=6 {
            let counts = search([vec![Thinks; n]], |all| {
                let moves = |i: usize| match all[i] {
                    Thinks => Some(Hungry),
                    Hungry => fork_is_free(all, i).then_some(HasLeft),
                    HasLeft if fork_is_free(all, (i + 1) % n) => Some(Eats),
                    HasLeft => (!patient).then_some(Hungry),
                    Eats => Some(Thinks),
                };
                let step = |i: usize| {
                    let mut next = all.clone();
                    next[i] = moves(i)?;
                    Some(next)
                };
                (0..n).filter_map(step).collect()
            });
            let params = [("philosophers", n as i64), ("patient", i64::from(patient))];
            assert_eq!(by_engine("dining_philosophers", &params), counts, "{params:?}");
        }
    }
}

#[test]
fn ethernet() {
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    enum Station {
        Quiet,
        Ready,
        Starting,
        Sending,
        Waiting,
    }
    use Station::{Quiet, Ready, Sending, Starting, Waiting};
    for n in 2..=5 {
        let counts = search([(vec![Quiet; n], false)], |(all, jam)| {
            let carrier = all.contains(&Sending);
            let starting = all.iter().filter(|s| **s == Starting).count();
            let step = |i: usize| {
                let (to, jam) = match all[i] {
                    Quiet | Waiting => (Ready, *jam),
                    Ready if carrier || *jam => return None,
                    Ready => (Starting, *jam),
                    Starting if *jam || starting > 1 => (Waiting, starting > 1),
                    Starting => (Sending, *jam),
                    Sending => (Quiet, *jam),
                };
                let mut next = all.clone();
                next[i] = to;
                Some((next, jam))
            };
            (0..n).filter_map(step).collect()
        });
        assert_eq!(by_engine("ethernet", &[("stations", n as i64)]), counts, "{n} stations");
    }
}

#[test]
fn arbiter() {
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct State {
        asks: Vec<bool>,
        owner: Option<usize>,
        last: Option<usize>,
    }
    for n in 1..=5 {
        let start = State { asks: vec![false; n], owner: None, last: None };
        let counts = search([start], |s| {
            let mut next = Vec::new();
            for i in 0..n {
                // The owner puts its request down, the others put theirs up.
                if s.asks[i] == (s.owner == Some(i)) {
                    let mut moved = s.clone();
                    moved.asks[i] = !s.asks[i];
                    next.push(moved);
                }
            }
            match s.owner {
                Some(owner) if !s.asks[owner] => next.push(State { owner: None, ..s.clone() }),
                Some(_) => {}
                None => {
                    let asking: Vec<usize> = (0..n).filter(|&i| s.asks[i]).collect();
                    let allowed = asking.iter().filter(|&&i| asking.len() == 1 || s.last != Some(i));
                    next.extend(allowed.map(|&i| State { owner: Some(i), last: Some(i), ..s.clone() }));
                }
            }
            next
        });
        assert_eq!(by_engine("arbiter", &[("requesters", n as i64)]), counts, "{n} requesters");
    }
}

#[test]
fn token_ring() {
    for n in 1..=6 {
        // 0 is idle, 1 waits, 2 works.
        let starts = (0..n).map(|holder| (vec![0u8; n], holder));
        let counts = search(starts, |(all, holder)| {
            let mut next = Vec::new();
            let mut put = |i: usize, to: u8, holder: usize| {
                let mut moved = all.clone();
                moved[i] = to;
                next.push((moved, holder));
            };
            let after = if *holder + 1 == n { 0 } else { *holder + 1 };
            for (i, station) in all.iter().enumerate() {
                match station {
                    0 => {
                        put(i, 1, *holder);
                        put(i, 0, if i == *holder { after } else { *holder });
                    }
                    1 if i == *holder => put(i, 2, *holder),
                    2 => put(i, 0, after),
                    _ => {}
                }
            }
            next
        });
        assert_eq!(by_engine("token_ring", &[("stations", n as i64)]), counts, "{n} stations");
    }
}

#[test]
fn gossip() {
    for n in 1..=4usize {
        // The table of who knows which secret, as bits.
        let start = (0..n).fold(0u32, |bits, i| bits | 1 << (i * n + i));
        let counts = search([start], |&table| {
            let knows = |who: usize, secret: usize| table >> (who * n + secret) & 1 == 1;
            let mut next = Vec::new();
            for who in 0..n {
                for to in 0..n {
                    for secret in 0..n {
                        if knows(who, secret) && !knows(to, secret) {
                            next.push(table | 1 << (to * n + secret));
                        }
                    }
                }
            }
            next
        });
        assert_eq!(counts.0, 1 << (n * (n - 1)));
        assert_eq!(by_engine("gossip", &[("n", n as i64)]), counts, "{n} people");
    }
}
