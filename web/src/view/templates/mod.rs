//! Models to start one's own from.

/// A model to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its name in the list.
    pub name: &'static str,
    /// A line about it.
    pub about: &'static str,
    /// The text.
    pub text: &'static str,
}

/// All of them.
pub const TEMPLATES: [Template; 4] = [
    Template {
        name: "Processes",
        about: "A family of equal processes that start and finish",
        text: include_str!("processes.orb"),
    },
    Template { name: "Lock", about: "A shared variable says who is inside", text: include_str!("lock.orb") },
    Template {
        name: "Ring",
        about: "A token goes from neighbour to neighbour",
        text: include_str!("ring.orb"),
    },
    Template {
        name: "Messages",
        about: "Clients ask, and a server answers",
        text: include_str!("messages.orb"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Verdict;
    use crate::session::bench::settled;
    use crate::session::{Action, NEW, Session, text_alone};
    use orbitscope_core::syntax::format;

    #[test]
    fn a_new_model_has_no_error_and_every_property_an_answer() {
        for template in TEMPLATES {
            let opening = text_alone(template.text.into(), NEW);
            let start = Session::new(crate::engine::models()[0]).apply(Action::Open(Box::new(opening)));
            let session = settled(start);
            assert!(session.found.problems.is_empty(), "{}: {:?}", template.name, session.found.problems);
            assert!(session.found.faults.is_empty(), "{}", template.name);
            assert!(!session.found.checked.is_empty(), "{}", template.name);
            for checked in session.found.checked.values() {
                assert_ne!(checked.verdict, Verdict::Unknown, "{}", template.name);
            }
            assert_eq!(format(template.text).as_deref(), Ok(template.text), "{}", template.name);
            assert_eq!(session.model, NEW);
        }
    }
}
