//! Natural numbers of any size: orders of groups, and numbers of states.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A natural number, in limbs of nine decimal digits, the least significant first.
///
/// ```
/// use orbitscope_core::natural::Natural;
/// let mut n = Natural::one();
/// n.double(70);
/// n.add(&Natural::from(1));
/// assert_eq!(n.to_string(), "1180591620717411303425");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Natural {
    limbs: Vec<u32>,
}

impl Natural {
    const LIMB: u64 = 1_000_000_000;

    /// Nothing.
    pub fn zero() -> Self {
        Natural { limbs: vec![0] }
    }

    /// One.
    pub fn one() -> Self {
        Natural { limbs: vec![1] }
    }

    /// Multiplies by a number.
    pub fn multiply(&mut self, n: u32) {
        let mut carry = 0;
        for limb in &mut self.limbs {
            let value = u64::from(*limb) * u64::from(n) + carry;
            *limb = (value % Self::LIMB) as u32;
            carry = value / Self::LIMB;
        }
        while carry > 0 {
            self.limbs.push((carry % Self::LIMB) as u32);
            carry /= Self::LIMB;
        }
        while self.limbs.len() > 1 && self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }

    /// Doubles it this many times.
    pub fn double(&mut self, mut times: u32) {
        while times > 0 {
            let now = times.min(29);
            self.multiply(1 << now);
            times -= now;
        }
    }

    /// Adds another number.
    pub fn add(&mut self, other: &Natural) {
        let mut carry = 0;
        let mut place = 0;
        while carry > 0 || place < other.limbs.len() {
            if place == self.limbs.len() {
                self.limbs.push(0);
            }
            let sum = u64::from(self.limbs[place])
                + u64::from(other.limbs.get(place).copied().unwrap_or(0))
                + carry;
            self.limbs[place] = (sum % Self::LIMB) as u32;
            carry = sum / Self::LIMB;
            place += 1;
        }
    }

    /// The difference; zero if the other number is larger.
    ///
    /// ```
    /// use orbitscope_core::natural::Natural;
    /// let many = Natural::from(1_000_000_000_000);
    /// assert_eq!(many.minus(&Natural::from(1)).to_string(), "999999999999");
    /// assert_eq!(Natural::one().minus(&many), Natural::zero());
    /// ```
    #[must_use]
    pub fn minus(&self, other: &Natural) -> Natural {
        let mut limbs = Vec::with_capacity(self.limbs.len());
        let mut borrow = 0;
        for place in 0..self.limbs.len().max(other.limbs.len()) {
            let limb = |of: &Natural| u64::from(of.limbs.get(place).copied().unwrap_or(0));
            let (own, less) = (limb(self), limb(other) + borrow);
            borrow = u64::from(own < less);
            limbs.push((own + borrow * Self::LIMB - less) as u32);
        }
        while limbs.len() > 1 && limbs.last() == Some(&0) {
            limbs.pop();
        }
        if borrow > 0 { Natural::zero() } else { Natural { limbs } }
    }

    /// As a machine integer, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.limbs
            .iter()
            .rev()
            .try_fold(0u64, |value, &limb| value.checked_mul(Self::LIMB)?.checked_add(u64::from(limb)))
    }

    /// About as large.
    pub fn to_f64(&self) -> f64 {
        self.limbs.iter().rev().fold(0.0, |value, &limb| value * Self::LIMB as f64 + f64::from(limb))
    }

    /// A cheap test that may miss by less than nine digits.
    pub(crate) fn more_digits_than(&self, max: usize) -> bool {
        (self.limbs.len() - 1) * 9 > max
    }
}

impl From<u64> for Natural {
    fn from(mut n: u64) -> Self {
        let mut limbs = vec![(n % Self::LIMB) as u32];
        n /= Self::LIMB;
        while n > 0 {
            limbs.push((n % Self::LIMB) as u32);
            n /= Self::LIMB;
        }
        Natural { limbs }
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut limbs = self.limbs.iter().rev();
        write!(f, "{}", limbs.next().unwrap_or(&0))?;
        limbs.try_for_each(|limb| write!(f, "{limb:09}"))
    }
}
