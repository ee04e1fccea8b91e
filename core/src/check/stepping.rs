//! One way to drive everything that takes long.

use super::{Progress, Stats};
use crate::crew::Crew;

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
    /// How many states are waiting that a crew can look at at the same time; 0 where each step needs the one before.
    fn waiting(&self) -> u32 {
        0
    }
    /// Does about this many steps with a crew; says whether there is more to do. Where the work stands then does not depend on the crew.
    fn round(&mut self, _crew: &dyn Crew, _steps: u32) -> bool {
        self.step()
    }
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
            fn waiting(&self) -> u32 {
                super::$work::waiting(self)
            }
            fn round(&mut self, crew: &dyn Crew, steps: u32) -> bool {
                super::$work::round(self, crew, steps)
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
