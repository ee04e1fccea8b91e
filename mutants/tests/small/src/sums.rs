//! Sums and bounds.

/// The smaller one.
pub fn smaller(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

/// Counts down, one by one.
pub fn count(mut n: u32) -> u32 {
    let mut steps = 0;
    while n > 0 {
        n -= 1;
        steps += 1;
    }
    steps
}

/// Nobody calls it.
pub fn lonely(a: bool) -> bool {
    !a
}

/// The first of the even numbers, from behind.
pub fn even_from_behind(list: &[u32]) -> Option<u32> {
    list.iter().rev().copied().find(|n| n % 2 == 0)
}

/// A constant is no place for a switch.
pub const LIMIT: u32 = 10 + 1;

/// Whether the text says yes; its lifetime makes one mutant not compile.
pub fn longer<'a>(a: &'a str, b: &'a str) -> &'a str {
    let first;
    if a.len() >= b.len() {
        first = a;
    } else {
        first = b;
    }
    first
}

#[cfg(test)]
mod tests {
    #[test]
    fn not_mutated() {
        assert!(1 < 2);
    }
}
