//! A system written in Rust instead of the modelling language. The quotient and the fair search run on this code.
//!
//! `cargo run -p orbitscope-core --example system_in_rust`

use orbitscope_core::Model;
use orbitscope_core::system::{Action, Family, Next, Proposition, System};

/// A server and its clients: the resource controller of `core/models/resource_controller.orb`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Controller {
    pub(crate) clients: u32,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Turn {
    Clients,
    Server,
}

/// What a client does: it is idle, it requests, or it is critical.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Client {
    I,
    R,
    C,
}

/// A client moves on its turn, then it is the server's.
fn client(from: Client, to: Client) -> impl Fn(Turn, Client) -> Option<Next<Controller>> {
    move |turn, me| (turn == Turn::Clients && me == from).then(|| Next::new().me(to).shared(Turn::Server))
}

impl System for Controller {
    type Shared = Turn;
    type Local = Client;

    fn shared_values(&self) -> Vec<Turn> {
        vec![Turn::Clients, Turn::Server]
    }

    fn local_values(&self) -> Vec<Client> {
        vec![Client::I, Client::R, Client::C]
    }

    fn initial(&self) -> Turn {
        Turn::Clients
    }

    fn families(&self) -> Vec<Family<Client>> {
        vec![Family::single("server", Client::I), Family::new("client", self.clients, Client::I)]
    }

    fn actions(&self) -> Vec<Action<Self>> {
        vec![
            Action::with_partner("grant", "server", "client", |_, here, partner| {
                let free = here.count("client", |c| *c == Client::C) == 0;
                (*here.shared() == Turn::Server && *partner == Client::R && free)
                    .then(|| Next::new().partner(Client::C).shared(Turn::Clients))
            }),
            Action::new("skip", "server", |_, here| {
                (*here.shared() == Turn::Server).then(|| Next::new().shared(Turn::Clients))
            }),
            Action::new("request", "client", |_, here| {
                client(Client::I, Client::R)(*here.shared(), *here.me())
            }),
            Action::new("withdraw", "client", |_, here| {
                client(Client::R, Client::I)(*here.shared(), *here.me())
            }),
            Action::new("release", "client", |_, here| {
                client(Client::C, Client::I)(*here.shared(), *here.me())
            }),
        ]
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        vec![
            Proposition::local("requests", |c| *c == Client::R),
            Proposition::local("critical", |c| *c == Client::C),
        ]
    }

    fn properties(&self) -> String {
        "invariant mutual_exclusion: count(c in client: critical(c)) <= 1
         ltl eventually_access: forall c in client: G (requests(c) => F critical(c))
         ctl can_always_request: AG forall c in client: EF requests(c)"
            .into()
    }
}

fn main() -> Result<(), orbitscope_core::Error> {
    let model = Model::of(Controller { clients: 3 })?;
    for (name, answer) in model.check_all() {
        match answer {
            Ok(answer) => println!("{answer}"),
            Err(error) => println!("{name}: {error}"),
        }
    }
    // Processes are counted, so that many of them are no harder than few.
    let many = Model::of(Controller { clients: 2_000 })?;
    let answer = many.check("mutual_exclusion")?;
    println!("2000 clients: {} states of the quotient", answer.report().stats.aqs_states.unwrap_or(0));
    Ok(())
}
