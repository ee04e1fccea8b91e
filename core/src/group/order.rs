//! Orders of groups: exact products too large for any machine integer.

use crate::natural::Natural;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use core::fmt;

/// The order of a group, as a product of factorials and integers.
///
/// It is printed as a decimal number of up to [`Order::PRINTED_DIGITS`] digits, and beyond as the product.
///
/// ```
/// use orbitscope_core::group::Order;
/// assert_eq!(Order::one().times_factorial(20).times(2).to_string(), "4865804016353280000");
/// assert_eq!(Order::one().times_factorial(1_000_000).times(2).to_string(), "1000000! * 2");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Terms greater than 1 with their multiplicities.
    terms: BTreeMap<Term, u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    Integer(u32),
    Factorial(u32),
}

impl Order {
    /// Orders of more digits are printed as a product.
    pub const PRINTED_DIGITS: usize = 1000;

    /// The order of the trivial group.
    pub fn one() -> Self {
        Order::default()
    }

    /// Multiplies by an integer greater than 0.
    #[must_use]
    pub fn times(self, n: u32) -> Self {
        self.with(Term::Integer(n), n)
    }

    /// Multiplies by n!.
    #[must_use]
    pub fn times_factorial(self, n: u32) -> Self {
        self.with(Term::Factorial(n), n)
    }

    fn with(mut self, term: Term, n: u32) -> Self {
        debug_assert!(term != Term::Integer(0));
        if n > 1 {
            *self.terms.entry(term).or_default() += 1;
        }
        self
    }

    /// The product of two orders.
    #[must_use]
    pub fn product(mut self, other: &Order) -> Self {
        for (&term, &times) in &other.terms {
            *self.terms.entry(term).or_default() += times;
        }
        self
    }

    /// The integers whose product the order is; lazy, as a factorial has many.
    fn integers(&self) -> impl Iterator<Item = u32> {
        self.terms.iter().flat_map(|(&term, &times)| {
            let range = match term {
                Term::Integer(n) => n..=n,
                Term::Factorial(n) => 2..=n,
            };
            (0..times).flat_map(move |_| range.clone())
        })
    }

    /// The order as a machine integer, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        self.integers().try_fold(1u128, |product, n| product.checked_mul(n.into()))
    }

    /// All decimal digits, if there are at most `max`.
    pub fn decimal(&self, max: usize) -> Option<String> {
        let mut product = Natural::one();
        for n in self.integers() {
            product.multiply(n);
            if product.more_digits_than(max) {
                return None;
            }
        }
        Some(product.to_string()).filter(|digits| digits.len() <= max)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(digits) = self.decimal(Self::PRINTED_DIGITS) {
            return f.write_str(&digits);
        }
        for (k, (term, &times)) in self.terms.iter().rev().enumerate() {
            f.write_str(if k == 0 { "" } else { " * " })?;
            match term {
                Term::Integer(n) => write!(f, "{n}")?,
                Term::Factorial(n) => write!(f, "{n}!")?,
            }
            if times > 1 {
                write!(f, "^{times}")?;
            }
        }
        Ok(())
    }
}
