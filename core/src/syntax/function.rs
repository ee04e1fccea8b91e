//! The built-in functions, in one table: the checker, the printer of terms, completion and the reference of the
//! language all read it. A new function is a line here; the compiler then names every `match` that has to know it.

/// The number of arguments that a function takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// This many.
    Exactly(usize),
    /// This many or more.
    AtLeast(usize),
}

impl Arity {
    /// Whether so many arguments may be given.
    pub fn admits(self, arguments: usize) -> bool {
        match self {
            Arity::Exactly(n) => arguments == n,
            Arity::AtLeast(n) => arguments >= n,
        }
    }
}

/// What the arguments of a function are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Processes of any family.
    Processes,
    /// Processes of a ring.
    RingProcesses,
}

/// Where a function can stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In every expression.
    Everywhere,
    /// In properties about states and their steps: `ltl`, `ctl`, `mu` and `automaton`.
    Temporal,
    /// In properties about computations: `ltl` and `automaton`.
    Linear,
}

macro_rules! functions {
    ($($name:ident = $text:literal, $arity:expr, $takes:ident, $place:ident, $usage:literal, $value:literal;)*) => {
        /// The built-in functions. Their names are not reserved: only a definition cannot have one of them.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Function {
            $(#[doc = concat!("`", $usage, "`: ", $value)] $name,)*
        }

        impl Function {
            /// All of them, in the order of the reference.
            pub const ALL: &[Function] = &[$(Function::$name,)*];

            /// The name in a model.
            pub const fn text(self) -> &'static str {
                match self { $(Function::$name => $text,)* }
            }

            /// The function of this name.
            pub fn from_text(text: &str) -> Option<Function> {
                match text { $($text => Some(Function::$name),)* _ => None }
            }

            /// The number of arguments.
            pub const fn arity(self) -> Arity {
                match self { $(Function::$name => $arity,)* }
            }

            /// What its arguments are.
            pub const fn takes(self) -> Takes {
                match self { $(Function::$name => Takes::$takes,)* }
            }

            /// Where it can stand.
            pub const fn place(self) -> Place {
                match self { $(Function::$name => Place::$place,)* }
            }

            /// How it is written, with names for its arguments.
            pub const fn usage(self) -> &'static str {
                match self { $(Function::$name => $usage,)* }
            }

            /// Its value, in the words of the reference.
            pub const fn value(self) -> &'static str {
                match self { $(Function::$name => $value,)* }
            }
        }
    };
}

functions! {
    Index = "index", Arity::Exactly(1), Processes, Everywhere,
        "index(p)", "the number of a process in its family, from 0";
    Next = "next", Arity::Exactly(1), RingProcesses, Everywhere,
        "next(p)", "the neighbour after `p` in a `ring`; the first process comes after the last";
    Prev = "prev", Arity::Exactly(1), RingProcesses, Everywhere,
        "prev(p)", "the neighbour before `p` in a `ring`";
    Enabled = "enabled", Arity::Exactly(1), Processes, Temporal,
        "enabled(p)", "whether `p` has a step; in `ltl`, `ctl`, `mu` and `automaton` only";
    Executed = "executed", Arity::Exactly(1), Processes, Linear,
        "executed(p)", "whether `p` executes the step that *leaves* this state; in `ltl` and `automaton` only";
}
