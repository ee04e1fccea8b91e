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

impl Term {
    /// Adds the powers of its primes, each `times` times.
    fn factorise(self, times: i64, powers: &mut BTreeMap<u32, i64>) {
        if times == 0 {
            return;
        }
        match self {
            Term::Integer(mut n) => {
                let mut prime = 2;
                while prime <= n / prime {
                    while n.is_multiple_of(prime) {
                        *powers.entry(prime).or_default() += times;
                        n /= prime;
                    }
                    prime += 1;
                }
                if n > 1 {
                    *powers.entry(n).or_default() += times;
                }
            }
            Term::Factorial(n) => {
                // Legendre: a prime p is in n! as often as n/p + n/p² + … says.
                let mut composite = alloc::vec![false; n as usize + 1];
                for prime in 2..=n {
                    if composite[prime as usize] {
                        continue;
                    }
                    for multiple in (u64::from(prime) * 2..=u64::from(n)).step_by(prime as usize) {
                        composite[multiple as usize] = true;
                    }
                    let mut left = n / prime;
                    while left > 0 {
                        *powers.entry(prime).or_default() += times * i64::from(left);
                        left /= prime;
                    }
                }
            }
        }
    }
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

    /// The order divided by that of a subgroup, in decimal digits: the index of the subgroup. None where there would be more
    /// than `max` digits, the quotient is no integer, or a factorial above 10,000! would have to be taken apart.
    ///
    /// ```
    /// use orbitscope_core::group::Order;
    /// let (all, some) = (Order::one().times_factorial(99), Order::one().times_factorial(97).times(2));
    /// assert_eq!(all.over(&some, 10).as_deref(), Some("4851"));
    /// ```
    pub fn over(&self, subgroup: &Order, max: usize) -> Option<String> {
        let mut powers: BTreeMap<u32, i64> = BTreeMap::new();
        for (order, sign) in [(self, 1), (subgroup, -1)] {
            for (&term, &times) in &order.terms {
                // Common factors cancel before anything is taken apart: a factorial has many primes.
                let (other, by) = if sign > 0 { (subgroup, times) } else { (self, times) };
                let common = other.terms.get(&term).map_or(0, |&other| other.min(by));
                if matches!(term, Term::Factorial(n) if n > 10_000 && times > common) {
                    return None;
                }
                term.factorise(sign * i64::from(times - common), &mut powers);
            }
        }
        let mut product = Natural::one();
        for (prime, power) in powers {
            for _ in 0..u32::try_from(power).ok()? {
                product.multiply(prime);
                if product.more_digits_than(max) {
                    return None;
                }
            }
        }
        Some(product.to_string()).filter(|digits| digits.len() <= max)
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
