//! Crews for rounds: one that takes its jobs in turns, and one with threads.

use orbitscope_core::crew::{Crew, Job};
use orbitscope_core::strain;
use std::thread;

/// One thread that does every job, the last one first: the ways that are taken are counted, and an order that does not matter shows.
pub(crate) struct Turns(pub(crate) usize);

impl Crew for Turns {
    fn size(&self) -> usize {
        self.0
    }

    fn work(&self, jobs: &mut [&mut dyn Job]) {
        for job in jobs.iter_mut().rev() {
            job.work();
        }
    }
}

/// A thread for each job, under strain as whoever asks is.
pub(crate) struct Threads(pub(crate) usize, pub(crate) Option<u64>);

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0
    }

    fn work(&self, jobs: &mut [&mut dyn Job]) {
        thread::scope(|scope| {
            for job in jobs {
                scope.spawn(|| {
                    strain::begin(self.1);
                    job.work();
                    strain::end();
                });
            }
        });
    }
}
