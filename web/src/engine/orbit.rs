//! The states that a node of a quotient stands for.

use super::choices::Choices;
use super::film::Studio;
use super::model::CheckedModel;
use super::picture::{GraphKind, LIMITS};
use orbitscope_core::draw::short_states;
use orbitscope_core::explore::{Exploration, Limits, StateId};
use orbitscope_core::group::Group;
use orbitscope_core::product::NodeId;
use orbitscope_core::program::Program;
use orbitscope_core::quotient::{Aqs, AqsId, AqsiId, EdgeStorage};
use orbitscope_core::symmetry::state_structure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// The most states of an orbit that are listed.
const MAX_STATES: usize = 60;

/// The states that a node stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orbit {
    /// The graph and the node.
    pub of: (GraphKind, u32),
    /// The first states, each as the lines of a node; the representative is the first.
    pub states: Vec<Vec<String>>,
    /// Whether these are all.
    pub complete: bool,
}

/// The orbit of a node of a graph; none where a node stands for itself alone, or there is no such node.
pub(super) fn orbit<'m>(
    model: &'m CheckedModel,
    studio: &mut Studio<'m>,
    of: GraphKind,
    node: u32,
    choices: Choices,
) -> Option<Orbit> {
    let group = match studio.obligation() {
        Some(obligation) => obligation.symmetry.group.clone(),
        None => choices.symmetry_of(model).group.clone(),
    };
    if !of.has_orbits() || matches!(of, GraphKind::Part(_)) {
        return None;
    }
    let values = values(model, studio, of, node, choices)?;
    let (states, complete) = images(&model.program, &group, values);
    Some(Orbit { of: (of, node), states, complete })
}

/// The values of the state that a node of a graph is, or of its representative; none where there is no such node.
pub(super) fn values<'m>(
    model: &'m CheckedModel,
    studio: &mut Studio<'m>,
    of: GraphKind,
    node: u32,
    choices: Choices,
) -> Option<Vec<i32>> {
    values_of(model, studio, of, node..node.saturating_add(1), choices)?.pop()
}

/// The values of the states of several nodes; none where one of them is no node.
pub(super) fn values_of<'m>(
    model: &'m CheckedModel,
    studio: &mut Studio<'m>,
    of: GraphKind,
    nodes: Range<u32>,
    choices: Choices,
) -> Option<Vec<Vec<i32>>> {
    let program = &model.program;
    match (of, studio.obligation().is_some()) {
        (GraphKind::Threaded | GraphKind::Part(_), _) => None,
        (GraphKind::States, _) => {
            // Numbered as they are drawn.
            let limits = Limits { states: nodes.end, ..LIMITS };
            let mut exploration = Exploration::new(program, limits, &[]);
            exploration.run();
            let known = nodes.end <= exploration.states().len();
            known.then(|| nodes.map(|node| exploration.values(StateId(node))).collect())
        }
        (_, true) => {
            let product = studio.product()?;
            let value = |node: u32| {
                let place = match of {
                    GraphKind::Product => (node < product.len()).then(|| product.node(NodeId(node)).0)?,
                    _ => AqsiId(node),
                };
                let aqsi = product.aqsi();
                let state = match of {
                    GraphKind::Aqs => AqsId(node),
                    _ => (place.0 < aqsi.len()).then(|| aqsi.node(place).0)?,
                };
                let known = state.0 < aqsi.aqs().len();
                known.then(|| aqsi.aqs().flat(state))
            };
            nodes.map(value).collect()
        }
        (_, false) => {
            let symmetry = choices.symmetry_of(model);
            let mut aqs = Aqs::new(program, &symmetry, choices.prune, EdgeStorage::Stored, 100_000);
            let mut next = AqsId(0);
            // The states are numbered as they are drawn.
            while nodes.end > aqs.len() && next.0 < aqs.len() {
                aqs.edges(next).ok()?;
                next = AqsId(next.0 + 1);
            }
            let known = nodes.end <= aqs.len();
            known.then(|| nodes.map(|node| aqs.flat(AqsId(node))).collect())
        }
    }
}

/// The first images of a state under a group.
pub(super) fn images(program: &Program, group: &Group, values: Vec<i32>) -> (Vec<Vec<String>>, bool) {
    let structure = state_structure(program);
    let mut seen: BTreeSet<Vec<i32>> = BTreeSet::from([values.clone()]);
    let mut found = vec![values];
    let mut next = 0;
    let mut complete = true;
    while next < found.len() && complete {
        for generator in group.generators() {
            let image = structure.apply(&generator, &found[next]);
            if seen.contains(&image) {
                continue;
            }
            if found.len() >= MAX_STATES {
                complete = false;
                break;
            }
            seen.insert(image.clone());
            found.push(image);
        }
        next += 1;
    }
    (short_states(program, found.iter().map(Vec::as_slice)), complete)
}
