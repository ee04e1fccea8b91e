//! The bounds of the crate, all of them, with their reasons. Beyond one of them input is refused with a message, or something is
//! not shown; nothing hangs and nothing runs out of memory.
//!
//! Three kinds of numbers stand elsewhere. Bounds that a user sets are options with defaults:
//! [`explore::Limits`](crate::explore::Limits), [`ltl::Limits`](crate::ltl::Limits), [`every::Effort`](crate::every::Effort). Sizes at
//! which code only changes its way, such as how much a cache keeps, stand beside that code, and tests make them small
//! (`strain`). How much of a long text is printed is the business of whoever prints it.

// --- The text ---

/// Expressions and types nest at most this deep. Every later pass may recurse over an expression because of this bound.
pub const MAX_DEPTH: u32 = 200;

/// Blocks of statements nest at most this deep, for the same reason.
pub const MAX_BLOCKS: u32 = 50;

/// A variable has at most this many indices: a table of five would be larger than any state should be.
pub const MAX_INDICES: usize = 4;

/// At most this many errors are reported: a file of another language must not flood the terminal.
pub const MAX_DIAGNOSTICS: usize = 100;

// --- The program ---

/// Definitions, quantifiers over numbers and loops are written out. A program has at most this many operators and operands then:
/// about 100 MB.
pub const MAX_TERMS: usize = 1_000_000;

/// Written out, expressions nest at most this deep; compiling and evaluating recurse over them.
pub const MAX_TERM_DEPTH: u32 = 400;

/// A state has at most this many values: compiled, each takes some thirty bytes.
pub const MAX_SLOTS: u32 = 1 << 26;

/// At most this many rounds of a `while` are executed in one step; one more is a fault. Each round is written out.
pub const MAX_ROUNDS: u32 = 64;

/// A `for` that has to be written out has at most this many turns.
pub const MAX_TURNS: u64 = 4096;

/// From one label of code to the next there are at most this many ways, each of which is an action.
pub const MAX_WAYS: usize = 1000;

/// `init` makes at most this many initial states.
pub const MAX_STARTS: u64 = 1 << 20;

/// Together they make at most this many assignments: more take seconds before anything is checked.
pub const MAX_START_WRITES: u64 = 1 << 24;

/// A set or bag has a number for each value that can be in it. There are at most this many such values.
pub const MAX_BAG_VALUES: u64 = 1 << 16;

/// Each value in a set or bag that may be `none`, or of one of several families, makes a table of its own, and so does each
/// combination of them. There are at most this many tables.
pub const MAX_VARIANTS: u64 = 64;

// --- Symmetry ---

/// Whether a claimed generator is a symmetry is looked for in at most this many states, and in this many bytes.
pub const MAX_CLAIM_STATES: u32 = 200_000;

/// See [`MAX_CLAIM_STATES`].
pub const MAX_CLAIM_BYTES: u64 = 1 << 30;

/// Building the stabiliser chain of a group takes at most this many elementary steps: a second or two.
pub const MAX_GROUP_EFFORT: u64 = 100_000_000;

/// A table of a constraint with more entries is not made; the families it speaks of are then taken to have no symmetry.
pub const MAX_CONSTRAINT_TABLE: u64 = 1 << 21;

/// The neighbourhood of a larger ring is not written out: beside other constraints it then keeps its direction.
pub const MAX_NEIGHBOURHOOD: u32 = 1000;

// --- Properties and automata ---

/// A formula has at most this many parts once its quantifiers are written out.
pub const MAX_PARTS: usize = 100_000;

/// At most this many choices of the names that a property quantifies over in front are checked one by one.
pub const MAX_INSTANCES: usize = 100_000;

/// An automaton has at most this many atomic propositions. This bounds the depth of the recursion over its labels.
pub const MAX_PROPOSITIONS: usize = 1024;

/// The label of one edge is written as at most this many cubes.
pub const MAX_CUBES: usize = 1 << 13;

/// The labels of a formula's automaton have at most this many nodes, of about 100 bytes.
pub const MAX_LABEL_NODES: u32 = 1 << 19;

/// An automaton from a file has at most this many states: more than any search could use. Without a bound a single number in the
/// file could ask for all memory.
pub const MAX_HOA_STATES: u32 = 1 << 20;

/// Its labels have at most this many nodes of decision diagrams.
pub const MAX_HOA_LABEL_NODES: u32 = 1 << 18;

/// Automata with more states are not compared up to isomorphism; they are then taken to have no symmetry.
pub const MAX_COMPARED_STATES: usize = 1000;

/// The comparison makes at most this many nodes of decision diagrams.
pub const MAX_COMPARED_NODES: u32 = 10_000_000;

/// A formula is printed up to this many subformulas: sharing can make it exponentially larger in print than in memory.
pub const MAX_PRINTED_FORMULAS: usize = 1 << 16;

// --- Searches ---

/// A quotient or a product takes in at most this many initial states.
pub const MAX_ROOTS: u32 = 1_000_000;

/// Where nothing asks for all states, deadlocks are looked for in this many: enough for most models, and soon done.
pub const DEADLOCKS_ALONE: u32 = 200_000;

/// Where the last invariant was found violated, the pass goes on for deadlocks up to this many states. It is larger
/// than [`DEADLOCKS_ALONE`] because the states have been asked for.
pub const DEADLOCKS_AFTER_INVARIANTS: u32 = 1_000_000;

/// Evidence of branching time that is a walk of more steps is not shown.
pub const MAX_WALK: usize = 100_000;

/// Evidence for a quantifier over more processes is not shown process by process.
pub const MAX_MEMBERS: u32 = 256;

// --- The symbolic engine ---

/// A manager of decision diagrams has at most this many variables. This bounds the depth of every recursion over a diagram.
pub const MAX_BDD_VARIABLES: u32 = 2048;

/// A variable with more values is not encoded: expressions are taken apart by value.
pub const MAX_SYMBOLIC_VALUES: u32 = 4096;

/// An expression has at most this many different values.
pub const MAX_SYMBOLIC_CASES: usize = 1 << 14;

/// The processes and arguments of all actions make at most this many steps, each with a diagram of its own.
pub const MAX_SYMBOLIC_STEPS: u64 = 500_000;

/// Quantifiers inside a `ctl` formula are written out into at most this many parts, each with a diagram of its own.
pub const MAX_SYMBOLIC_PARTS: u32 = 20_000;

/// The labels of an automaton that runs along have at most this many nodes.
pub const MAX_SAFETY_LABEL_NODES: u32 = 1 << 20;

// --- Exports and links ---

/// At most this many characters are exported: no other tool would read a longer file.
pub const MAX_EXPORT: usize = 4 << 20;

/// At most this many initial states of `init` are written out.
pub const MAX_EXPORTED_STARTS: usize = 1000;

/// Spin has at most this many processes.
pub const SPIN_PROCESSES: u32 = 255;

/// The loops of a Promela model have at most this many options in all: Spin takes long over more.
pub const MAX_PROMELA_OPTIONS: u64 = 20_000;

/// A never claim has at most this many states.
pub const MAX_CLAIM_AUTOMATON: usize = 5_000;

/// A never claim has at most this many characters: Spin takes long over more.
pub const MAX_CLAIM_TEXT: usize = 256 << 10;

/// At most this many processes are strongly fair in a never claim, which has a state for each set of them.
pub const MAX_CLAIM_STRONG: usize = 6;

/// One proposition of a never claim asks of at most this many processes whether they execute.
pub const MAX_CLAIM_ASKED: usize = 6;

/// The longest link that is read, in characters.
pub const MAX_LINK_LENGTH: usize = 1 << 20;

/// A link unfolds to at most this many bytes. A short link can claim to hold gigabytes.
pub const MAX_LINK_CONTENT: usize = 4 << 20;

/// A name in a link has at most this many bytes; names in a model are as long as its writer likes, within reason.
pub const MAX_LINK_WORD: usize = 1_000;

// --- Pictures ---

/// A family with more local states has no axes, so that its graph is not drawn as a lattice.
pub const MAX_AXIS_STATES: usize = 8;

/// Edges are routed through at most this many ranks that they only pass; others go straight to their ends. A graph of that
/// size is no figure to read, and must not take long.
pub const MAX_ROUTED_RANKS: usize = 20_000;
