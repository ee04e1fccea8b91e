//! The library: algorithms as they were published, in groups.

use super::{ALL, Model, fingerprint, text};

/// Models that belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Its name.
    pub title: &'static str,
    /// The idea that its models share.
    pub about: &'static str,
    /// The models, in the order in which they teach best.
    pub models: &'static [Model],
}

macro_rules! groups {
    ($($title:literal, $about:literal { $($name:literal, $shown:literal, $summary:literal;)* })*) => {
        /// All models in groups; the first has those of [`ALL`].
        pub const GROUPS: &[Group] = &[
            Group { title: "First models", about: "One thing each", models: ALL },
            $(Group { title: $title, about: $about, models: &[$(Model {
                name: $name,
                title: $shown,
                summary: $summary,
                source: text!(concat!("library/", $name), later),
                fingerprint: Some(fingerprint(text!(concat!("library/", $name)))),
            },)*] },)*
        ];
    };
}

groups! {
    "Locks", "Mutual exclusion, each printed as its authors printed it" {
        "ticket_lock", "Ticket lock",
            "Draw a ticket and wait until it is served: fair to all, and code of four lines.";
        "mcs_lock", "MCS queue lock",
            "Threads that wait form a list and spin on flags of their own: 1,285 states up to symmetry with three.";
        "clh_lock", "CLH queue lock",
            "Threads pass cells on to each other: a table over data that differ only in being different.";
        "peterson_n", "Peterson's algorithm for n",
            "Climb n - 1 floors and let the last one wait: 172 states up to symmetry with three, 163,298 with seven.";
        "dekker", "Dekker's algorithm",
            "The first one for two processes: a loop inside a step shows what giving way costs.";
        "lamport_fast", "Lamport's fast mutual exclusion",
            "Who is alone enters in seven steps; who is not may starve. A set says whose flag is still to be waited for.";
        "szymanski", "Szymanski's algorithm",
            "A waiting room with two doors. Its order by numbers leaves no symmetry, and the tool says which line costs it.";
        "bakery_black_white", "Black-White Bakery",
            "Lamport's bakery with tickets that stay small, since they have two colours.";
    }
    "Threads that wait for each other", "Buffers, barriers and forks" {
        "bounded_buffer", "Bounded buffer",
            "Wait and notify: three threads for one place fall asleep together. Try places = 2.";
        "barrier", "Barrier",
            "A barrier that can be used again at once, since each round has another sense.";
        "rw_upgrade", "Reader–writer lock with upgrade",
            "Two readers that both want to write wait for each other. Try polite = 1.";
        "sleeping_barber", "Sleeping barber",
            "The barber never oversleeps, and yet a customer may wait for ever.";
        "dining_ordered", "Ordered dining philosophers",
            "One who takes the forks the other way round ends the deadlock, and breaks the ring's symmetry.";
    }
    "Caches", "Coherence, from a bus to messages" {
        "mesi_bus", "MESI on a bus",
            "A write clears all other caches in one block: four local states, counted for any number of caches.";
        "moesi_bus", "MOESI on a bus",
            "An owner gives others what it has not yet written back.";
        "german", "German's protocol",
            "A home grants copies over channels of one message: an exclusive copy is alone, and a client may starve.";
        "german_data", "German's protocol with data",
            "The same with data that differ only in being different: every copy is what was stored last.";
        "futurebus_bulk", "Futurebus without a phase",
            "What every cache has to do is cleared at once, so that no bit of the bus is needed.";
    }
    "Agreement", "Elections, commits and consensus" {
        "raft_election", "Raft: election of one term",
            "Votes in a network without order: never two leaders, and a split vote leaves none.";
        "raft_terms", "Raft: elections of several terms",
            "Newer terms overrule older ones; in each there is one leader at most.";
        "paxos", "Paxos",
            "Single-decree Paxos with sets of messages as records: two majorities meet, so one value is chosen.";
        "three_phase_commit", "Three-phase commit",
            "Participants that are prepared can decide without the coordinator: nobody blocks.";
        "ben_or", "Ben-Or's agreement",
            "Randomised agreement whose coins are choices: agreement and validity hold whatever they show.";
        "leader_lease", "Leader lease",
            "A margin as large as the clocks' drift keeps leaders apart. Try margin = 0.";
    }
    "Rings and lines", "Messages in order" {
        "chang_roberts", "Chang–Roberts election",
            "Only the largest number comes round the ring.";
        "peterson_ring", "Peterson's ring election",
            "Phases that at least halve the candidates, with messages in one direction.";
        "itai_rodeh", "Itai–Rodeh election",
            "An anonymous ring draws names until one is alone: rotations are the symmetry, and luck decides.";
        "alternating_bit", "Alternating bit",
            "One bit tells a new frame from a repeated one; fairness of single actions brings everything over.";
        "sliding_window", "Sliding window",
            "Go-back-n: numbers must be more than the window has places. Try numbers = 2.";
    }
}
