//! Symmetries as substitutions: what a permutation of processes does to a set of states.
//!
//! The state π·s has π(s(v)) at π(v). A set A becomes {π·s | s ∈ A}, whose function is A with the value at π(v), taken back by
//! π, in the place of v.

use super::encoding::{Encoding, Side};
use super::model::Model;
use super::{Generators, Unsupported};
use crate::bdd::{Bdd, Manager, Substitution, Variable};
use crate::group::{Perm, Process};
use crate::program::{Program, Slot, Symmetry};
use crate::symmetry::state_structure;
use alloc::vec::Vec;

/// The generators that a model claims, taken as they are.
pub fn unchecked_generators(program: &Program) -> Result<Vec<Perm>, Unsupported> {
    let Symmetry::Generators(claims) = &program.symmetry else { return Err(Unsupported::NoClaims) };
    let mut generators = Vec::new();
    for (cycles, _) in claims {
        let perm = Perm::from_cycles(cycles).map_err(|_| Unsupported::NoPermutation)?;
        let same_family = |(p, q): &(Process, Process)| program.locate(*p).0 == program.locate(*q).0;
        if !perm.moves().iter().all(same_family) {
            return Err(Unsupported::NoPermutation);
        }
        generators.push(perm);
    }
    Ok(generators)
}

/// The generators to use: those given, or those that the model claims.
pub(super) fn chosen(
    program: &Program,
    proven: impl IntoIterator<Item = Perm>,
    which: Generators,
) -> Result<Vec<Perm>, Unsupported> {
    match which {
        Generators::Proven => Ok(proven.into_iter().collect()),
        Generators::Unchecked => unchecked_generators(program),
    }
}

/// The substitution that takes a set of states, or of next states, to its image under a permutation.
pub(super) fn action(
    program: &Program,
    encoding: &Encoding,
    bdds: &mut Manager,
    perm: &Perm,
    side: Side,
) -> Substitution {
    let structure = state_structure(program);
    let back = perm.inverse();
    let mut images: Vec<(Variable, Bdd)> = Vec::new();
    for entry in structure.entries() {
        let (from, to) = (Slot(entry.slot), Slot(structure.image_slot(entry, perm)));
        let family = structure.table(entry).value;
        // Values that are processes go along, unless the permutation leaves their family alone.
        let members = family.map(|first| (first, encoding.field(to).size));
        let moved =
            members.filter(|(first, size)| back.support().any(|p| (first.0..first.0 + size).contains(&p.0)));
        if from == to && moved.is_none() {
            continue;
        }
        let (source, target) = (&encoding.field(from).bits, &encoding.field(to).bits);
        let Some((first, _)) = moved else {
            for (&bit, &image) in source.iter().zip(target) {
                let image = bdds.variable(Encoding::variable(image, side));
                images.push((Encoding::variable(bit, side), image));
            }
            continue;
        };
        let field = encoding.field(to);
        let width = target.len();
        let mut functions = alloc::vec![Bdd::FALSE; width];
        for code in 0..1u32 << width {
            let value = field.low as i64 + code as i64;
            // Codes that are no process stay as they are.
            let is_process = value >= 0 && code < field.size;
            let before = if is_process {
                let process = back.apply(Process(first.0 + value as u32));
                (process.0 as i64 - first.0 as i64 - field.low as i64) as u32
            } else {
                code
            };
            let at = Encoding::code(bdds, target, code, side);
            for (place, function) in functions.iter_mut().enumerate() {
                if before >> (width - 1 - place) & 1 == 1 {
                    *function = bdds.or(function, &at);
                }
            }
        }
        for (&bit, function) in source.iter().zip(functions) {
            images.push((Encoding::variable(bit, side), function));
        }
    }
    bdds.substitution(images)
}

/// The actions of those permutations that leave every one of these sets as it is (Lemma 2: they generate an invariance
/// group, if all of them are symmetries).
pub(super) fn invariance(
    model: &mut Model<'_>,
    generators: &[Perm],
    atoms: &[Bdd],
) -> Vec<(Perm, Substitution)> {
    let mut kept = Vec::new();
    for perm in generators.iter().filter(|perm| !perm.is_identity()) {
        let (program, encoding) = (model.program(), model.encoding().clone());
        let by = action(program, &encoding, &mut model.bdds, perm, Side::Current);
        if atoms.iter().all(|atom| model.bdds.substitute(atom, &by) == *atom) {
            kept.push((perm.clone(), by));
        }
    }
    kept
}
