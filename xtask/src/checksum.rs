//! FNV-1a: tells files of two builds apart. It is no protection against anybody.

/// 32 bits, as `static/sw.js` computes it.
pub(crate) fn fnv32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// 64 bits of several pieces, one after the other: what stands behind a file's name.
pub(crate) fn fnv64<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    pieces
        .into_iter()
        .flatten()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksums_are_the_published_ones() {
        // From the table of FNV test vectors by Landon Curt Noll.
        assert_eq!(fnv32(b""), 0x811c_9dc5);
        assert_eq!(fnv32(b"a"), 0xe40c_292c);
        assert_eq!(fnv32(b"foobar"), 0xbf9c_f968);
        assert_eq!(fnv64([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv64([&b"a"[..]]), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv64([&b"foo"[..], b"bar"]), 0x8594_4171_f739_67e8);
    }
}
