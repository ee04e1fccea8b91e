//! Which permutations of processes leave a program as it is.

mod colours;
mod constraints;
mod detect;
mod labelling;
mod ring;
mod structure;

pub use constraints::Reason;
pub use detect::{ProgramSymmetry, detect};
pub use labelling::{Labelling, canonical};
pub use structure::{Axis, Entry, Structure, Table, state_structure, variable_table};
