//! Work that several do at the same time. This crate has no threads: it says what can be done side by side, and whoever has threads
//! implements [`Crew`].

/// A piece of work that needs nothing of those that are done at the same time.
pub trait Job: Send {
    /// Does it.
    fn work(&mut self);
}

/// A group of workers that does several jobs at the same time.
///
/// ```
/// use orbitscope_core::crew::{Crew, Job};
/// struct Threads(usize);
/// impl Crew for Threads {
///     fn size(&self) -> usize {
///         self.0
///     }
///     fn work(&self, jobs: &mut [&mut dyn Job]) {
///         std::thread::scope(|scope| {
///             for job in jobs {
///                 scope.spawn(|| job.work());
///             }
///         });
///     }
/// }
/// ```
pub trait Crew {
    /// How many jobs it does at the same time.
    fn size(&self) -> usize;
    /// Does all of these, in any order, and returns when they are done.
    fn work(&self, jobs: &mut [&mut dyn Job]);
}
