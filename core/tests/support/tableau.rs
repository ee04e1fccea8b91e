//! Formulas of linear time for a tableau whose states guess what will hold.

/// A formula with its quantifiers expanded; `G`, `W` and their kin are written with `U`.
#[derive(Clone)]
pub(super) enum Ltl {
    /// The value at each position.
    Atom(Vec<bool>),
    Not(Box<Ltl>),
    And(Vec<Ltl>),
    Next(Box<Ltl>),
    Until(Box<Ltl>, Box<Ltl>),
}

impl Ltl {
    pub(super) fn not(self) -> Ltl {
        Ltl::Not(Box::new(self))
    }
    pub(super) fn or(list: Vec<Ltl>) -> Ltl {
        Ltl::And(list.into_iter().map(Ltl::not).collect()).not()
    }
    pub(super) fn until(self, other: Ltl) -> Ltl {
        Ltl::Until(Box::new(self), Box::new(other))
    }

    /// How many truth values of the future a tableau state must guess.
    pub(super) fn guesses(&self) -> usize {
        match self {
            Ltl::Atom(_) => 0,
            Ltl::Not(a) => a.guesses(),
            Ltl::And(list) => list.iter().map(Ltl::guesses).sum(),
            Ltl::Next(a) => 1 + a.guesses(),
            Ltl::Until(a, b) => 1 + a.guesses() + b.guesses(),
        }
    }

    /// The truth at a position under the guesses, which are read from bit `next` on. `promised` collects for each guess
    /// what must be true one position later for the guess to be right, `due` for each `U` whether it owes nothing here.
    pub(super) fn truth(
        &self,
        at: usize,
        guess: u32,
        next: &mut usize,
        promised: &mut u32,
        due: &mut Vec<bool>,
    ) -> bool {
        match self {
            Ltl::Atom(values) => values[at],
            Ltl::Not(a) => !a.truth(at, guess, next, promised, due),
            Ltl::And(list) => {
                let mut all = true;
                for part in list {
                    // Every part is visited, so that the bits are the same at each position.
                    all &= part.truth(at, guess, next, promised, due);
                }
                all
            }
            Ltl::Next(a) => {
                let bit = *next;
                *next += 1;
                *promised |= u32::from(a.truth(at, guess, next, promised, due)) << bit;
                guess >> bit & 1 == 1
            }
            Ltl::Until(a, b) => {
                let bit = *next;
                *next += 1;
                let a = a.truth(at, guess, next, promised, due);
                let b = b.truth(at, guess, next, promised, due);
                let holds = b || (a && guess >> bit & 1 == 1);
                *promised |= u32::from(holds) << bit;
                due.push(!holds || b);
                holds
            }
        }
    }
}
