//! A system written in Rust: a ticket lock, and what fairness makes of it.
//!
//! `cargo run -p orbitscope-core --example ticket_lock`

use orbitscope_core::{Fact, GraphOf, Model, Move, Others, System};

/// A process draws a ticket, waits until it is served, and lets the next one in. With `barging`, a process that finds
/// the lock free may also walk in without a ticket.
struct TicketLock {
    processes: u32,
    barging: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Local {
    Idle,
    Waiting(u32),
    Critical(u32),
    Barged,
}

/// The next ticket to draw, and the one that is served.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Desk {
    next: u32,
    serving: u32,
}

impl System for TicketLock {
    type Local = Local;
    type Shared = Desk;

    fn processes(&self) -> u32 {
        self.processes
    }

    fn locals(&self) -> Vec<Local> {
        let mut all = vec![Local::Idle, Local::Barged];
        all.extend((0..self.processes).flat_map(|n| [Local::Waiting(n), Local::Critical(n)]));
        all
    }

    fn shareds(&self) -> Vec<Desk> {
        let n = self.processes;
        (0..n * n).map(|k| Desk { next: k / n, serving: k % n }).collect()
    }

    fn initial(&self) -> (Local, Desk) {
        (Local::Idle, Desk { next: 0, serving: 0 })
    }

    fn actions(&self) -> Vec<&'static str> {
        vec!["draw", "enter", "leave", "barge"]
    }

    fn steps(&self, own: &Local, desk: &Desk, others: &Others<'_, Local>) -> Vec<Move<Local, Desk>> {
        let after = |ticket: u32| (ticket + 1) % self.processes;
        let inside = |local: &Local| matches!(local, Local::Critical(_) | Local::Barged);
        let free = !others.any(inside);
        match *own {
            Local::Idle => {
                let drawn = Desk { next: after(desk.next), ..*desk };
                let mut steps = vec![Move::new("draw", Local::Waiting(desk.next), drawn)];
                if self.barging && free {
                    steps.push(Move::new("barge", Local::Barged, *desk));
                }
                steps
            }
            Local::Waiting(ticket) if ticket == desk.serving && free => {
                vec![Move::new("enter", Local::Critical(ticket), *desk)]
            }
            Local::Waiting(_) => Vec::new(),
            Local::Critical(ticket) => {
                vec![Move::new("leave", Local::Idle, Desk { serving: after(ticket), ..*desk })]
            }
            Local::Barged => vec![Move::new("leave", Local::Idle, *desk)],
        }
    }

    fn facts(&self) -> Vec<Fact<Local>> {
        vec![
            ("waiting", |local| matches!(local, Local::Waiting(_))),
            ("inside", |local| matches!(local, Local::Critical(_) | Local::Barged)),
        ]
    }

    fn properties(&self) -> String {
        "invariant alone: count(q in p: inside(q)) <= 1
         ltl served: forall q in p: G (waiting(q) => F inside(q))"
            .into()
    }
}

fn main() -> Result<(), orbitscope_core::Error> {
    for barging in [false, true] {
        let model = Model::of_system(TicketLock { processes: 4, barging })?;
        let states = model.graph(GraphOf::States, 100_000)?.nodes.len();
        let quotient = model.graph(GraphOf::Quotient, 100_000)?.nodes.len();
        println!("barging: {barging}; {states} states, {quotient} of the quotient");
        for (_, answer) in model.check_all() {
            println!("{}", answer?);
        }
    }
    Ok(())
}
