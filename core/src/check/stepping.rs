//! One way to drive everything that takes long.

use super::{Progress, Stats};

/// Work that is done in small steps, so that whoever has a clock can show how far it is and stop it at any time.
///
/// ```
/// use orbitscope_core::check::Stepping;
/// /// Works for a while; says whether it came to its end.
/// fn drive(work: &mut impl Stepping, steps: u32) -> bool {
///     (0..steps).any(|_| !work.step())
/// }
/// ```
pub trait Stepping {
    /// Does a step; says whether there is more to do.
    fn step(&mut self) -> bool;
    /// How far it is.
    fn progress(&self) -> Progress;
    /// The counts so far, where it counts.
    fn stats(&self) -> Stats {
        Stats::default()
    }
    /// Which part of a symbolic search the next step belongs to.
    fn phase(&self) -> Option<crate::symbolic::Phase> {
        None
    }
    /// Nobody waits any longer: says whether a few more steps show a violation that is in hand.
    fn hurry(&mut self) -> bool {
        false
    }
}

macro_rules! stepping {
    ($($work:ident),*) => {$(
        impl Stepping for super::$work<'_> {
            fn step(&mut self) -> bool {
                super::$work::step(self)
            }
            fn progress(&self) -> Progress {
                super::$work::progress(self)
            }
            fn stats(&self) -> Stats {
                super::$work::stats(self)
            }
            fn phase(&self) -> Option<crate::symbolic::Phase> {
                super::$work::phase(self)
            }
            fn hurry(&mut self) -> bool {
                super::$work::hurry(self)
            }
        }
    )*};
}

stepping!(Check, Survey);
