//! Types of expressions and of variables.

use crate::define_id;

define_id!(
    /// A process family.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    FamilyId
);
define_id!(
    /// An enumeration: a list of literals. Two enumerations with the same list are one.
    EnumId
);

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// Truth values, as 0 and 1.
    Bool,
    /// Numbers.
    Int,
    /// Literals, as positions in the enumeration's list.
    Enum(EnumId),
    /// Processes of a family, as numbers in it.
    Process {
        /// The family.
        family: FamilyId,
        /// Whether `none`, as -1, is a value.
        optional: bool,
    },
    /// `none` alone.
    None,
    /// The type of a wrong expression; the error has been reported.
    Error,
}

/// The type of a variable: a type and the range of values that encode it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueType {
    /// The type of an expression that reads it.
    pub ty: Type,
    /// The lowest value.
    pub low: i32,
    /// How many values there are, at least one and at most 2³².
    pub size: u64,
}

impl ValueType {
    /// Whether `value` is one of the type's values.
    pub fn contains(self, value: i64) -> bool {
        (self.low as i64..=self.high()).contains(&value)
    }

    /// How many bits tell its values apart.
    pub fn bits(self) -> u32 {
        u64::BITS - (self.size - 1).leading_zeros()
    }

    /// The highest value.
    pub fn high(self) -> i64 {
        self.low as i64 + self.size as i64 - 1
    }
}
