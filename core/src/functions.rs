//! The built-in functions of the modelling language: one table for the checker, for suggestions, for completion on the
//! page and for the reference, which a test compares with it.

/// A built-in function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    /// The number of a process in its family.
    Index,
    /// The next process of a ring.
    Next,
    /// The previous process of a ring.
    Prev,
    /// Whether a process has a step.
    Enabled,
    /// Whether a process executes the step that leaves the state.
    Executed,
    /// The least of some numbers.
    Min,
    /// The greatest of some numbers.
    Max,
    /// The distance of a number from 0.
    Abs,
    /// The sum over a domain.
    Sum,
    /// How many elements of a domain satisfy a condition, or how many a set or bag has.
    Count,
    /// The first value of a queue.
    Head,
    /// How many values a queue has.
    Length,
    /// Whether a bag or queue has room for one more value.
    Room,
}

/// The kinds of argument that a function takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// One process.
    Process,
    /// Numbers: exactly one, or else two or more.
    Numbers {
        /// Whether it is exactly one.
        one: bool,
    },
    /// A name that ranges over a domain, and an expression; the parser reads these.
    Domain,
    /// One bag or queue.
    Collection,
}

impl Function {
    /// All of them, in the order in which names are suggested.
    pub const ALL: [Function; 13] = [
        Function::Index,
        Function::Next,
        Function::Prev,
        Function::Enabled,
        Function::Executed,
        Function::Min,
        Function::Max,
        Function::Abs,
        Function::Sum,
        Function::Count,
        Function::Head,
        Function::Length,
        Function::Room,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Function::Index => "index",
            Function::Next => "next",
            Function::Prev => "prev",
            Function::Enabled => "enabled",
            Function::Executed => "executed",
            Function::Min => "min",
            Function::Max => "max",
            Function::Abs => "abs",
            Function::Sum => "sum",
            Function::Count => "count",
            Function::Head => "head",
            Function::Length => "length",
            Function::Room => "room",
        }
    }

    /// The function of this name.
    pub fn named(name: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|function| function.name() == name)
    }

    /// The arguments between its parentheses. `min` and `max` can range over a domain too.
    pub const fn takes(self) -> Takes {
        match self {
            Function::Index | Function::Next | Function::Prev | Function::Enabled | Function::Executed => {
                Takes::Process
            }
            Function::Min | Function::Max => Takes::Numbers { one: false },
            Function::Abs => Takes::Numbers { one: true },
            Function::Sum | Function::Count => Takes::Domain,
            Function::Head | Function::Length | Function::Room => Takes::Collection,
        }
    }

    /// Whether a model cannot define another function of this name. Names that came to the language later can be
    /// defined, so that models which did so stay as they are.
    pub const fn is_reserved(self) -> bool {
        matches!(self.takes(), Takes::Process)
    }
}
