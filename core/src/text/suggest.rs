//! Which name a misspelt one was meant to be.

use alloc::vec::Vec;

/// The candidate nearest to `name`, if it is near enough to be what was meant.
///
/// The distance is that of Damerau and Levenshtein (restricted): insertions, deletions, substitutions and swaps of
/// neighbours. A third of the name may be wrong, at least one letter; a name of another case is near.
///
/// ```
/// use orbitscope_core::text::closest;
/// assert_eq!(closest("clinet", ["server", "client"]), Some("client"));
/// ```
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| {
            (if candidate.eq_ignore_ascii_case(name) { 0 } else { distance(name, candidate) }, candidate)
        })
        .filter(|&(d, candidate)| d <= limit && d < candidate.chars().count().max(name.chars().count()))
        .min()
        .map(|(_, candidate)| candidate)
}

fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i);
        for j in 1..=b.len() {
            let substitution = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitution.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = core::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_likely_name() {
        assert_eq!(closest("clinet", ["server", "client", "count"]), Some("client"));
        assert_eq!(closest("Turn", ["turn", "tun"]), Some("turn"));
        assert_eq!(closest("x", ["y", "zz"]), None);
        assert_eq!(closest("request", ["release"]), None);
    }
}
