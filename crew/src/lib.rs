//! Threads for the passes of `orbitscope-core`, which has none.
//!
//! The core says which parts of a round can be done side by side ([`Job`]); here they are. A round takes milliseconds, and starting
//! threads for it takes some ten microseconds: no thread outlives its round, so that nothing has to be ended, and nothing is shared
//! but what the borrow checker allows.

use orbitscope_core::crew::{Crew, Job};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::{panic, thread};

/// A crew of as many threads, whoever asks among them.
///
/// ```
/// use orbitscope_core::check::{Engine, Options, Survey};
/// use orbitscope_core::{program, symmetry, syntax::parse};
/// use orbitscope_crew::Threads;
/// let parsed = parse("process p[12] { var x: bool = false action go: not x -> x := true }");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let options = Options { engine: Engine::Explicit, ..Options::default() };
/// let mut survey = Survey::new(&program, &symmetry::detect(&program), &[], &options).unwrap();
/// while survey.round(&Threads::all(), 1000) {}
/// assert_eq!(survey.stats().states, Some(4096));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads(NonZeroUsize);

/// A round is worth its threads where each of them finds this many states to look at.
const FEW: usize = 64;

impl Threads {
    /// Exactly `count` threads.
    pub fn new(count: NonZeroUsize) -> Threads {
        Threads(count)
    }

    /// As many threads as the machine, or what the process is allowed of it, can run at the same time.
    pub fn all() -> Threads {
        Threads(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// Whether a round is worth while when this many states are waiting.
    pub fn pay(&self, waiting: u32) -> bool {
        self.0.get() > 1 && waiting as usize >= FEW * self.0.get()
    }
}

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0.get()
    }

    /// # Panics
    /// Where a job does, once all others are done.
    fn work(&self, jobs: &mut [&mut dyn Job]) {
        let others = self.0.get().min(jobs.len()).saturating_sub(1);
        let left = Mutex::new(jobs.iter_mut());
        let take = || {
            // The lock is given back before the job is begun. Nobody panics who has it.
            let next = || left.lock().ok().and_then(|mut jobs| jobs.next());
            while let Some(job) = next() {
                job.work();
            }
        };
        thread::scope(|scope| {
            // Where the system has no thread left, whoever asks does more.
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, take).ok();
            let threads: Vec<_> = (0..others).filter_map(spawn).collect();
            take();
            for thread in threads {
                if let Err(what) = thread.join() {
                    // The caller panics with the thread's own message.
                    panic::resume_unwind(what);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Count<'a>(&'a Mutex<Vec<thread::ThreadId>>, u32);

    impl Job for Count<'_> {
        fn work(&mut self) {
            assert!(self.1 != 7, "job 7");
            self.1 += 100;
            self.0.lock().unwrap().push(thread::current().id());
        }
    }

    fn done(threads: usize, numbers: std::ops::Range<u32>) -> (Vec<u32>, usize) {
        let seen = Mutex::new(Vec::new());
        let mut jobs: Vec<Count<'_>> = numbers.map(|n| Count(&seen, n)).collect();
        let mut all: Vec<&mut dyn Job> = jobs.iter_mut().map(|job| job as &mut dyn Job).collect();
        Threads::new(NonZeroUsize::new(threads).unwrap()).work(&mut all);
        let numbers = jobs.iter().map(|job| job.1).collect();
        (numbers, seen.into_inner().unwrap().len())
    }

    #[test]
    fn each_job_is_done_once() {
        for threads in [1, 2, 3, 9] {
            for count in [0, 1, 2, 7] {
                assert_eq!(done(threads, 0..count), ((100..100 + count).collect(), count as usize));
            }
        }
    }

    #[test]
    fn a_panic_goes_on() {
        for threads in [1, 3] {
            let what = panic::catch_unwind(|| done(threads, 0..12)).unwrap_err();
            assert_eq!(what.downcast_ref::<&str>(), Some(&"job 7"));
        }
    }

    #[test]
    fn small_rounds_are_not_worth_their_threads() {
        let threads = |n| Threads::new(NonZeroUsize::new(n).unwrap());
        assert!(!threads(1).pay(u32::MAX) && !threads(2).pay(127) && threads(2).pay(128));
    }
}
