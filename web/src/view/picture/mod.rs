//! Pictures of graphs on the page: what is drawn is [`orbitscope_core::draw::Picture`], made once by the worker; here is what
//! changes over it, the marks of a search and the part that is visible.

pub mod marks;
pub mod minimap;
pub mod places;
pub mod viewport;
pub mod walk;
pub mod zoom;

use orbitscope_core::draw::Picture;
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::rc::Rc;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Of {
    /// The program's states.
    States,
    /// The annotated quotient.
    Aqs,
    /// The quotient with tracked processes.
    Aqsi,
    /// The quotient times the automaton: what the search walks on.
    Product,
    /// The product that the older method builds.
    Threaded,
}

impl Of {
    /// All of them, from the largest idea to the smallest graph and back.
    pub const ALL: [Of; 5] = [Of::States, Of::Aqs, Of::Aqsi, Of::Product, Of::Threaded];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Of::States => "States",
            Of::Aqs => "AQS",
            Of::Aqsi => "AQSI",
            Of::Product => "Product",
            Of::Threaded => "Threaded",
        }
    }
}

/// A picture that is shared and never changes: equal only to itself, so that comparing is free.
#[derive(Clone, Debug)]
pub struct Drawn(Rc<Picture>);

impl Drawn {
    /// Shares a picture.
    pub fn new(picture: Picture) -> Drawn {
        Drawn(Rc::new(picture))
    }
}

impl PartialEq for Drawn {
    fn eq(&self, other: &Drawn) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Drawn {
    type Target = Picture;

    fn deref(&self) -> &Picture {
        &self.0
    }
}
