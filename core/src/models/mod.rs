//! The models that come with the tool: each shows one thing, and says in a comment beside each property whether it holds
//! and why.

pub mod elsewhere;
mod library;

pub use library::{GROUPS, Group};

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
    /// The text; of most models it is empty where the crate has its feature `small`.
    pub source: &'static str,
    /// Tells the text even where it is left out; none where the model stands for texts of others.
    pub fingerprint: Option<u64>,
}

impl Model {
    /// A model with its text.
    pub const fn new(
        name: &'static str,
        title: &'static str,
        summary: &'static str,
        source: &'static str,
    ) -> Model {
        Model { name, title, summary, source, fingerprint: Some(fingerprint(source)) }
    }

    /// A name for texts that come from elsewhere.
    pub const fn without_text(name: &'static str, title: &'static str, summary: &'static str) -> Model {
        Model { name, title, summary, source: "", fingerprint: None }
    }

    /// Whether `text` is this model's.
    pub fn has_text(&self, text: &str) -> bool {
        // A text that is here is compared itself, which is quicker.
        if self.source.is_empty() { self.fingerprint == Some(fingerprint(text)) } else { self.source == text }
    }
}

/// FNV-1a of 64 bits: no two of some dozens of texts have the same.
const fn fingerprint(text: &str) -> u64 {
    let (bytes, mut hash, mut at) = (text.as_bytes(), 0xcbf2_9ce4_8422_2325_u64, 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    hash
}

/// The model called `name`.
pub fn find(name: &str) -> Option<&'static Model> {
    GROUPS.iter().flat_map(|group| group.models).find(|model| model.name == name)
}

/// The text of a model in the folder of models. Of those that are chosen later a small program has none.
macro_rules! text {
    ($name:expr) => {
        include_str!(concat!("../../models/", $name, ".orb"))
    };
    ($name:expr, later) => {
        if cfg!(feature = "small") { "" } else { text!($name) }
    };
}
use text;

macro_rules! models {
    ($($name:literal, $title:literal, $summary:literal $(, $later:ident)?;)*) => {
        /// The first models, in the order in which they teach best. [`GROUPS`] has all others too.
        pub const ALL: &[Model] = &[$(Model {
            name: $name,
            title: $title,
            summary: $summary,
            source: text!($name $(, $later)?),
            fingerprint: Some(fingerprint(text!($name))),
        },)*];
    };
}

models! {
    "simplified_controller", "Simplified resource controller",
        "Clients share one resource: 20 states, 7 up to symmetry, and the smallest model on which fairness matters.";
    "resource_controller", "Resource controller",
        "A server and its clients take turns, so weak fairness asks nothing and a request may stay unanswered.", later;
    "one_requests_first", "Wrong elsewhere: one requests first",
        "Two properties that TLC's symmetry answers wrongly, one missed and one false alarm; here with a run that proves it.";
    "idle_in_between", "Wrong elsewhere: idle in between",
        "A property that holds for a plain reason, and that TLC's symmetry reports as violated: it mixes up two clients.";
    "mutex_emerson_sistla", "Mutual exclusion of n processes",
        "Safe, but a process may starve: weak fairness is not enough and strong fairness is.", later;
    "mutex_heljanko", "Mutual exclusion of two processes",
        "Nine states and eight properties of branching time: what must happen, what can, and what never does.", later;
    "peterson", "Peterson's algorithm",
        "Two processes, two flags and a turn: nobody waits for ever, and weak fairness is all it takes.", later;
    "token_ring", "Token ring",
        "A token goes round a ring from any start: the symmetry is the rotations, not all permutations.", later;
    "dining_philosophers", "Dining philosophers",
        "Everybody takes the left fork first: a deadlock, or starvation where forks are put back.", later;
    "readers_writers", "Readers and writers",
        "Two families of processes: readers together keep every writer out, whatever fairness is assumed.", later;
    "ethernet", "Ethernet",
        "Stations that start together collide, and nothing but luck ends it: liveness fails under every fairness.", later;
    "arbiter", "Arbiter",
        "Avoiding the one served last is fair to two requesters and lets the third of three starve.", later;
    "two_phase_commit", "Two-phase commit",
        "Resource managers and a transaction manager agree to commit or abort: 288 states with three of them.", later;
    "futurebus", "Futurebus cache coherence",
        "Caches watch one bus: at most one exclusive copy, and no modified copy is lost.", later;
    "gossip", "Gossip",
        "A table of who knows what grows to the end: a program that terminates without any fairness.", later;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for model in GROUPS.iter().flat_map(|group| group.models) {
            assert_eq!(find(model.name), Some(model));
            let same = GROUPS
                .iter()
                .flat_map(|group| group.models)
                .filter(|other| other.fingerprint == model.fingerprint);
            assert_eq!(same.count(), 1, "{}", model.name);
            let (left_out, edited) = (Model { source: "", ..*model }, [model.source, " "].concat());
            for model in [*model, left_out] {
                assert!(
                    model.has_text(find(model.name).unwrap().source)
                        && !model.has_text(&edited)
                        && !model.has_text("")
                );
            }
        }
        let other = Model::without_text("mine", "Mine", "");
        assert!(!other.has_text("process p { }"));
        assert_eq!(find("no_such_model"), None);
    }
}
