//! The marks of the search at the step where the player is.

use crate::engine::{Drawing, Film, GraphKind};
use crate::view::picture::marks::Marks;
use crate::view::picture::places::Places;
use orbitscope_core::search::log::Snapshot;
use std::rc::Rc;
use yew::prelude::*;

/// The marks of a graph; none before the first step, and where the search knows nothing of the graph.
#[hook]
pub(in crate::app) fn use_marks(
    film: Option<&Rc<Film>>,
    snapshot: Option<&Rc<Snapshot>>,
    drawing: &Rc<Drawing>,
    of: GraphKind,
) -> Option<Rc<Marks>> {
    let places = use_memo((film.cloned(), drawing.clone(), of), |(film, drawing, of)| {
        Some(Places::new(&film.as_ref()?.log, drawing.graph(), *of))
    });
    let marks = use_memo((places, snapshot.cloned()), |(places, snapshot)| {
        let (film, places) = (film?, places.as_ref().as_ref()?);
        let snapshot = snapshot.as_ref().filter(|snapshot| snapshot.step > 0)?;
        Some(Rc::new(Marks::new(&film.log, snapshot, places)))
    });
    (*marks).clone()
}
