//! Driving a plan: each piece of work under the clock, and guarded, so that a failure costs one answer only.

use crate::run::{self, Times};
use crate::{internal, interrupt};
use orbitscope_core::check::{Done, Plan, Step};

/// Does everything that the plan says.
pub(super) fn drive(plan: &mut Plan<'_, Times>) {
    loop {
        if interrupt::requested() {
            plan.stop();
        }
        let Some(step) = plan.next_step() else { return };
        match internal::guarded(|| work(plan, &step)) {
            Ok((done, times)) => plan.take(step, done, times),
            Err(what) => plan.take_broken(step, &what, Times::default()),
        }
        // What the pass refuses, the options ask of every property.
        if plan.pass().is_some_and(|pass| pass.refused.is_some()) {
            return;
        }
    }
}

fn work(plan: &Plan<'_, Times>, step: &Step) -> (Result<Done, Done>, Times) {
    match plan.start(step) {
        Err(done) => (Err(done), Times::default()),
        Ok(mut task) => {
            let (times, halt) = run::drive(&mut task);
            (Ok(task.finish(step, halt)), times)
        }
    }
}
