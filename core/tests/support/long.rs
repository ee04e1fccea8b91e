//! Parts of long runs: a range of seeds, on two threads. What the parts went through is added up outside, over days and sessions.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The seeds of a part, `from..to`, from the environment variable `ORBITSCOPE_PART`.
fn seeds() -> Range<u64> {
    let text = std::env::var("ORBITSCOPE_PART").expect("ORBITSCOPE_PART has the seeds, from..to");
    let (from, to) = text.split_once("..").expect("from..to");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// Goes through the seeds of the part and gives what the two threads counted. The range is the same whichever thread takes a seed.
pub(crate) fn part<T: Send>(
    empty: impl Fn() -> T + Sync,
    ask: impl Fn(u64, &mut T) + Sync,
    add: impl Fn(&mut T, &T),
) -> T {
    let Range { start, end } = seeds();
    let next = AtomicU64::new(start);
    let work = || {
        let mut counted = empty();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return counted;
            }
            ask(seed, &mut counted);
        }
    };
    let mut all = empty();
    std::thread::scope(|scope| {
        for thread in [(); 2].map(|()| scope.spawn(work)) {
            add(&mut all, &thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    all
}
