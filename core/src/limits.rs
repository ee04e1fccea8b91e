//! The bounds that more than one module needs. What a user sets is in [`explore::Limits`](crate::explore::Limits); what
//! only one module needs stands in that module.

/// A quotient or a product takes in at most this many initial states.
pub const MAX_ROOTS: u32 = 1_000_000;

/// Where nothing asks for all states, deadlocks are looked for in this many: enough for most models, and soon done.
pub const DEADLOCKS_ALONE: u32 = 200_000;

/// Where the last invariant was found violated, the pass goes on for deadlocks up to this many states. It is larger
/// than [`DEADLOCKS_ALONE`] because the states have been asked for.
pub const DEADLOCKS_AFTER_INVARIANTS: u32 = 1_000_000;

/// A set or bag has a number for each value that can be in it: the values may be so many.
pub const MAX_BAG_VALUES: u64 = 1 << 16;

/// Each value in a set or bag that may be `none`, or of one of several families, makes a table of its own, and so does each
/// combination of them.
pub const MAX_VARIANTS: u64 = 64;
