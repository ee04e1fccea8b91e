//! The marks of the search at the step where the player is, and of a run whose state is selected.

use crate::engine::run::Run;
use crate::engine::{Drawing, Film, GraphKind};
use crate::view::picture::marks::Marks;
use crate::view::picture::places::{Places, of_labels};
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
    of_run: (Option<&Rc<Run>>, Option<u32>),
) -> Option<Rc<Marks>> {
    let (run, run_state) = of_run;
    let places = use_memo((film.cloned(), drawing.clone(), of), |(film, drawing, of)| {
        Some(Places::new(&film.as_ref()?.log, drawing.graph(), *of))
    });
    // The states know their nodes by what they say, and the others by what the search says of them.
    let on_states = use_memo((run.cloned(), drawing.clone(), of), |(run, drawing, of)| {
        let run = run.as_ref().filter(|run| *of == GraphKind::States && !run.labels.is_empty())?;
        Some(of_labels(drawing.graph(), &run.labels))
    });
    let at = (places, on_states, snapshot.cloned(), run_state);
    let marks = use_memo(at, |(places, on_states, snapshot, run_state)| {
        let snapshot = snapshot.as_ref().filter(|snapshot| snapshot.step > 0);
        let search = film.zip(places.as_ref().as_ref());
        let marks =
            search.zip(snapshot).map(|((film, places), snapshot)| Marks::new(&film.log, snapshot, places));
        let Some(state) = *run_state else { return marks.map(Rc::new) };
        let of_film = || {
            let (film, places) = search?;
            let run = film.run.as_ref()?;
            let dfnums: Vec<Option<u32>> = run.nodes.iter().map(|node| film.log.dfnum((*node)?)).collect();
            Some(places.along(drawing.graph(), &dfnums))
        };
        let Some(nodes) = (**on_states).clone().or_else(of_film) else { return marks.map(Rc::new) };
        let selected = nodes.get(state as usize).copied().flatten();
        let graph = drawing.graph();
        let marks = marks.unwrap_or_else(|| Marks::blank((graph.nodes.len(), graph.edges.len())));
        Some(Rc::new(marks.with_run(graph, &nodes, selected)))
    });
    (*marks).clone()
}
