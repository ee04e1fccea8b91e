//! A system written in Rust, with the same system in the language. The other one is an example of the crate.

use orbitscope_core::system::{Action, Family, Next, Proposition, System};

/// Processes of one family meet in pairs: the partner takes over a number that is chosen, plus one's own, while that is
/// small enough. A process may also reset itself; that is strongly fair.
pub(crate) struct Meeting {
    pub(crate) processes: u32,
}

/// The same in the language.
pub(crate) const MEETING: &str = "param n = 3 in 0..100
shared common: 0..0 = 0
process p[n] {
  var state: 0..3 = 0
  action meet(q in p, k in 0..1): q != self and state + k <= 3 and q.state < state + k -> q.state := state + k
  action reset: state == 3 -> state := 0
}
fairness p: strong
invariant few: count(q in p: q.state == 3) <= 2
ltl again: forall q in p: G F q.state == 0
ltl calm: F G forall q in p: q.state != 3";

impl System for Meeting {
    type Shared = ();
    type Local = u8;

    fn shared_values(&self) -> Vec<()> {
        vec![()]
    }

    fn local_values(&self) -> Vec<u8> {
        (0..=3).collect()
    }

    fn initial(&self) {}

    fn families(&self) -> Vec<Family<u8>> {
        vec![Family::new("p", self.processes, 0).fair(orbitscope_core::syntax::ast::Fairness::Strong)]
    }

    fn actions(&self) -> Vec<Action<Self>> {
        vec![
            Action::with_partner("meet", "p", "p", |_, here, partner| {
                let sum = here.me() + here.choice() as u8;
                (sum <= 3 && *partner < sum).then(|| Next::new().partner(sum))
            })
            .choosing(2),
            Action::new("reset", "p", |_, here| (*here.me() == 3).then(|| Next::new().me(0))),
        ]
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        vec![Proposition::local("full", |x| *x == 3), Proposition::local("zero", |x| *x == 0)]
    }

    fn properties(&self) -> String {
        "invariant few: count(q in p: full(q)) <= 2
         ltl again: forall q in p: G F zero(q)
         ltl calm: F G forall q in p: not full(q)"
            .into()
    }
}
