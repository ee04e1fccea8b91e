//! The marks of the search at the step where the player is, and of a run whose state is selected.

use crate::engine::{Drawing, Film, GraphKind};
use crate::view::picture::marks::Marks;
use crate::view::picture::places::Places;
use orbitscope_core::draw::NodeId;
use orbitscope_core::search::log::Snapshot;
use std::rc::Rc;
use yew::prelude::*;

/// The marks of a graph; none before the first step, and where the search knows nothing of the graph. With the number of a
/// run's state, the run of the film is marked too.
#[hook]
pub(in crate::app) fn use_marks(
    film: Option<&Rc<Film>>,
    snapshot: Option<&Rc<Snapshot>>,
    drawing: &Rc<Drawing>,
    of: GraphKind,
    run_state: Option<u32>,
) -> Option<Rc<Marks>> {
    let places = use_memo((film.cloned(), drawing.clone(), of), |(film, drawing, of)| {
        Some(Places::new(&film.as_ref()?.log, drawing.graph(), *of))
    });
    let marks = use_memo((places, snapshot.cloned(), run_state), |(places, snapshot, run_state)| {
        let (film, places) = (film?, places.as_ref().as_ref()?);
        let snapshot = snapshot.as_ref().filter(|snapshot| snapshot.step > 0);
        let marks = snapshot.map(|snapshot| Marks::new(&film.log, snapshot, places));
        let Some((state, run)) = run_state.zip(film.run.as_ref()) else { return marks.map(Rc::new) };
        let place = |node: &Option<_>| -> Option<NodeId> { places.node(film.log.dfnum((*node)?)?) };
        let nodes: Vec<Option<NodeId>> = run.nodes.iter().map(place).collect();
        let selected = nodes.get(state as usize).copied().flatten();
        let marks = marks.unwrap_or_else(|| Marks::blank(places.size()));
        Some(Rc::new(marks.with_run(drawing.graph(), &nodes, selected)))
    });
    (*marks).clone()
}
