//! Rows of words as keys of large tables: states of programs and of quotients, nodes of products.

/// The hash of a row. It multiplies and folds words of 64 bits, so that both halves depend on all bits: tables take the lower
/// half on machines of 32 bits, WebAssembly among them, where hashes made of machine words fall on each other. Products
/// of 128 bits would mix better, but are slow there.
pub(crate) fn hash(row: impl IntoIterator<Item = u64>) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = a.wrapping_mul(b);
        product ^ product >> 32
    };
    let mixed = row
        .into_iter()
        .fold(0x2d35_8dcc_aa6c_78a5, |hash: u64, word| fold(hash ^ word, 0x8bb8_4b93_962e_acc9));
    fold(mixed, 0x9e37_79b9_7f4a_7c15)
}

/// Whether two rows are the same. They are short: comparing memory is a call, and in WebAssembly a slow one.
pub(crate) fn same(a: &[u64], b: &[u64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// The finaliser of splitmix64.
pub(crate) fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;

    /// The lower half alone tells rows apart that differ in few bits, as states do: about as well as chance.
    #[test]
    fn halves_of_hashes_rarely_fall_together() {
        const COUNT: u64 = 1 << 16;
        for (one, two) in [(0, 0), (3, 20), (24, 40), (32, 0)] {
            let row = |n: u64| [(n & 0xff) << one, (n >> 8) << two, 1];
            for half in [|hash: u64| hash as u32, |hash: u64| (hash >> 32) as u32] {
                let mut found: BTreeMap<u32, u32> = BTreeMap::new();
                let mut places = alloc::vec![0u32; COUNT as usize];
                for n in 0..COUNT {
                    let half = half(hash(row(n)));
                    *found.entry(half).or_default() += 1;
                    places[half as usize % COUNT as usize] += 1;
                }
                // By chance there is half a pair, and no place of a full table has more than nine or so.
                assert!(found.len() as u64 > COUNT - 8, "{} of {COUNT}", found.len());
                assert!(places.iter().all(|&n| n < 16), "{:?}", places.iter().max());
            }
        }
        assert!(same(&[1, 2], &[1, 2]) && !same(&[1, 2], &[1, 3]) && !same(&[1], &[1, 2]));
    }
}
