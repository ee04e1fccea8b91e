//! Create_ξ (Fig. 4): the relation of representatives to the states that are symmetric to them; and for comparison the way over the
//! whole orbit relation.

use super::Unsupported;
use super::encoding::{Bit, Encoding, Side};
use super::generators::action;
use super::model::Model;
use crate::bdd::{Bdd, Substitution};
use crate::group::Perm;
use alloc::vec::Vec;

/// The pairs (r, s) of a representative and a state symmetric to it: the representative in the variables of a state, the other one in
/// those of the next state.
///
/// Line 6 of the figure needs no third copy of the variables: applying σ to the second component is a substitution.
pub fn create_xi(
    model: &mut Model<'_>,
    representatives: &Bdd,
    generators: &[Perm],
) -> Result<Bdd, Unsupported> {
    let actions = next_actions(model, generators);
    let same = identity(model);
    let start = model.bdds.and(&same, representatives);
    close(model, start, &actions)
}

/// Orbit_To_ξ, the way before this paper's: the whole orbit relation of a set of states that is closed under the symmetries, and of each
/// orbit the first state in the order of the bits as its representative. Returns the relation ξ and the representatives.
pub fn orbit_to_xi(
    model: &mut Model<'_>,
    states: &Bdd,
    generators: &[Perm],
) -> Result<(Bdd, Bdd), Unsupported> {
    let actions = next_actions(model, generators);
    let same = identity(model);
    let start = model.bdds.and(&same, states);
    let orbits = close(model, start, &actions)?;
    let before = precedes(model);
    let variables = model.encoding().variables(Side::Next);
    let bdds = &mut model.bdds;
    let cube = bdds.variables(&variables);
    let later = bdds.and_exists(&orbits, &before, &cube);
    let first = bdds.minus(states, &later);
    let xi = bdds.and(&orbits, &first);
    if bdds.overflowed() { Err(Unsupported::Nodes(bdds.limit())) } else { Ok((xi, first)) }
}

/// The pairs of a state and another one that precedes it in the order of the bits.
fn precedes(model: &mut Model<'_>) -> Bdd {
    let mut less = Bdd::FALSE;
    for bit in (0..model.encoding().bits()).rev() {
        let now = model.bdds.variable(Encoding::variable(Bit(bit), Side::Current));
        let next = model.bdds.variable(Encoding::variable(Bit(bit), Side::Next));
        let not_next = model.bdds.not(&next);
        let rest_low = model.bdds.and(&not_next, &less);
        let when_high = model.bdds.ite(&next, &less, &Bdd::TRUE);
        less = model.bdds.ite(&now, &when_high, &rest_low);
    }
    less
}

fn next_actions(model: &mut Model<'_>, generators: &[Perm]) -> Vec<Substitution> {
    let (program, encoding) = (model.program(), model.encoding().clone());
    generators.iter().map(|perm| action(program, &encoding, &mut model.bdds, perm, Side::Next)).collect()
}

/// The pairs of equal states.
fn identity(model: &mut Model<'_>) -> Bdd {
    let bits = model.encoding().bits();
    let mut same = Bdd::TRUE;
    for bit in (0..bits).rev() {
        let now = model.bdds.variable(Encoding::variable(Bit(bit), Side::Current));
        let next = model.bdds.variable(Encoding::variable(Bit(bit), Side::Next));
        let equal = model.bdds.iff(&now, &next);
        same = model.bdds.and(&equal, &same);
    }
    same
}

fn close(model: &mut Model<'_>, start: Bdd, actions: &[Substitution]) -> Result<Bdd, Unsupported> {
    let bdds = &mut model.bdds;
    let mut relation = start;
    loop {
        let before = relation.clone();
        for by in actions {
            let more = bdds.substitute(&relation, by);
            relation = bdds.or(&relation, &more);
            if bdds.overflowed() {
                return Err(Unsupported::Nodes(bdds.limit()));
            }
        }
        if relation == before {
            return Ok(relation);
        }
    }
}
