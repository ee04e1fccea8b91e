//! The graph as it is seen now, for whoever takes it away.

use crate::engine::Drawing;
use crate::view::picture::export::Seen;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// The graph that was drawn last, with its layout and its marks. Nothing is rendered anew when it changes.
#[derive(Clone, Default)]
pub(in crate::app) struct Sight(Rc<RefCell<Option<Seen>>>);

impl PartialEq for Sight {
    fn eq(&self, other: &Sight) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Sight {
    /// This is seen now.
    pub(in crate::app) fn set(&self, seen: Seen) {
        *self.0.borrow_mut() = Some(seen);
    }

    /// A drawing as it is seen; where another one is on the screen, as it would be seen first.
    pub(in crate::app) fn of(&self, drawing: &Drawing) -> Seen {
        let seen = self.0.borrow().clone().filter(|seen| seen.picture.graph == *drawing.graph());
        seen.unwrap_or_else(|| {
            let lattice = drawing.lattice.as_ref().filter(|_| drawing.lattice_first);
            let picture = Rc::new(lattice.unwrap_or(&drawing.layered).clone());
            Seen { picture, ghosts: true, marks: None, found: None }
        })
    }
}

/// The one sight of a page.
#[hook]
pub(in crate::app) fn use_sight() -> Sight {
    (*use_memo((), |()| Sight::default())).clone()
}
