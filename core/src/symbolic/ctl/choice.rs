//! The processes that the names in front of a formula stand for.

use super::is_too_large;
use crate::group::{Group, Process};
use crate::program::{Domain, Program, Reg, domain_size};
use crate::property::{orbits_of_choices, process_value};
use alloc::vec::Vec;

/// One choice of what the names in front stand for.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) bound: Vec<(Reg, i64)>,
    pub(super) processes: Vec<Process>,
}

/// One choice of what the names in front stand for, for each orbit.
pub(super) fn choices(program: &Program, group: &Group, leading: &[(Reg, Domain)]) -> Option<Vec<Choice>> {
    let families: Vec<(u32, u32)> = leading
        .iter()
        .filter_map(|(_, domain)| match domain {
            Domain::Family(family) => {
                let family = &program.families[*family];
                Some((family.first.0, family.first.0 + family.size))
            }
            Domain::Range(..) => None,
        })
        .collect();
    let mut all = Vec::new();
    for (processes, _) in orbits_of_choices(group, &families)? {
        let mut partial: Vec<Vec<(Reg, i64)>> = alloc::vec![Vec::new()];
        let mut rest = processes.iter();
        for &(reg, domain) in leading {
            let values: Vec<i64> = match domain {
                Domain::Family(_) => rest.next().map(|&p| process_value(program, p)).into_iter().collect(),
                Domain::Range(low, high) => (low..=high).collect(),
            };
            let longer = |choice: &Vec<(Reg, i64)>| {
                values.iter().map(|&v| choice.iter().copied().chain([(reg, v)]).collect()).collect::<Vec<_>>()
            };
            partial = partial.iter().flat_map(longer).collect();
            if is_too_large(partial.len()) {
                return None;
            }
        }
        all.extend(partial.into_iter().map(|bound| Choice { bound, processes: processes.clone() }));
    }
    Some(all)
}

/// The elements of a domain.
pub(super) fn elements(program: &Program, domain: Domain) -> core::ops::Range<i64> {
    let low = match domain {
        Domain::Family(_) => 0,
        Domain::Range(low, _) => low,
    };
    low..low + domain_size(domain, &program.families) as i64
}
