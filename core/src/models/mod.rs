//! The models that come with the tool: each shows one thing, and says in a comment beside each property whether it holds
//! and why.

pub mod elsewhere;

/// A model that comes with the tool.
///
/// ```
/// use orbitscope_core::{models, program, syntax::parse};
/// let model = models::find("token_ring").unwrap();
/// let parsed = parse(model.source);
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// assert_eq!(program.process_count(), 5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Model {
    /// The name, as it stands in links and on the command line; the file's name without its ending.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The point of the model, in one sentence.
    pub summary: &'static str,
    /// The text.
    pub source: &'static str,
}

/// The model called `name`.
pub fn find(name: &str) -> Option<&'static Model> {
    ALL.iter().find(|model| model.name == name)
}

macro_rules! models {
    ($($name:literal, $title:literal, $summary:literal;)*) => {
        /// All models, in the order in which they teach best.
        pub const ALL: &[Model] = &[$(Model {
            name: $name,
            title: $title,
            summary: $summary,
            source: include_str!(concat!("../../models/", $name, ".orb")),
        },)*];
    };
}

models! {
    "simplified_controller", "Simplified resource controller",
        "Clients share one resource: 20 states, 7 up to symmetry, and the smallest model on which fairness matters.";
    "resource_controller", "Resource controller",
        "A server and its clients take turns, so weak fairness asks nothing and a request may stay unanswered.";
    "one_requests_first", "Wrong elsewhere: one requests first",
        "Two properties that TLC's symmetry answers wrongly, one missed and one false alarm; here with a run that proves it.";
    "idle_in_between", "Wrong elsewhere: idle in between",
        "A property that holds for a plain reason, and that TLC's symmetry reports as violated: it mixes up two clients.";
    "mutex_emerson_sistla", "Mutual exclusion of n processes",
        "Safe, but a process may starve: weak fairness is not enough and strong fairness is.";
    "mutex_heljanko", "Mutual exclusion of two processes",
        "Nine states and eight properties of branching time: what must happen, what can, and what never does.";
    "peterson", "Peterson's algorithm",
        "Two processes, two flags and a turn: nobody waits for ever, and weak fairness is all it takes.";
    "token_ring", "Token ring",
        "A token goes round a ring from any start: the symmetry is the rotations, not all permutations.";
    "dining_philosophers", "Dining philosophers",
        "Everybody takes the left fork first: a deadlock, or starvation where forks are put back.";
    "readers_writers", "Readers and writers",
        "Two families of processes: readers together keep every writer out, whatever fairness is assumed.";
    "ethernet", "Ethernet",
        "Stations that start together collide, and nothing but luck ends it: liveness fails under every fairness.";
    "arbiter", "Arbiter",
        "Avoiding the one served last is fair to two requesters and lets the third of three starve.";
    "two_phase_commit", "Two-phase commit",
        "Resource managers and a transaction manager agree to commit or abort: 288 states with three of them.";
    "futurebus", "Futurebus cache coherence",
        "Caches watch one bus: at most one exclusive copy, and no modified copy is lost.";
    "gossip", "Gossip",
        "A table of who knows what grows to the end: a program that terminates without any fairness.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for model in ALL {
            assert_eq!(find(model.name), Some(model));
        }
        assert_eq!(find("no_such_model"), None);
    }
}
