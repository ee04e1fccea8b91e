//! Counts, times and sizes for people.

use std::time::Duration;

/// `1 state`, `2 states`, `3 properties`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "property") => format!("{count} properties"),
        (_, "process") => format!("{count} processes"),
        _ => format!("{count} {what}s"),
    }
}

pub(crate) fn time(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

pub(crate) fn bytes(bytes: u64) -> String {
    let kibibytes = bytes as f64 / 1024.0;
    match kibibytes {
        k if k < 1024.0 => format!("{k:.1} KiB"),
        k if k < 1024.0 * 1024.0 => format!("{:.1} MiB", k / 1024.0),
        k => format!("{:.1} GiB", k / 1024.0 / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_counts_in_words() {
        assert_eq!(bytes(512), "0.5 KiB");
        assert_eq!(bytes(3 << 20), "3.0 MiB");
        assert_eq!(bytes(5 << 29), "2.5 GiB");
        assert_eq!((counted(1, "state"), counted(0, "edge")), ("1 state".into(), "0 edges".into()));
        assert_eq!(time(Duration::from_millis(1234)), "1.23 s");
    }
}
