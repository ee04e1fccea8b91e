//! Additions to any program: an assumption about its states, and the fairness of single actions.

use super::generate::{Generator, Scope};
use super::{Knobs, Spec};

/// The program with an assumption, or with the fairness of some actions, or both, or neither.
pub(crate) fn dressed(spec: Spec, seed: u64, knobs: &Knobs) -> Spec {
    let mut generator = Generator::new(seed ^ 0x6472_6573, knobs, spec);
    if generator.random.chance(22) {
        // Two ways to be inside: one alone leaves little of most programs.
        let (a, b) = (generator.truth(&Scope::default(), 1), generator.truth(&Scope::default(), 1));
        let inside = format!("({a} or {b})");
        let outside = format!("not {inside}");
        // The initial state is in one of the two.
        let assumed = [inside, outside].into_iter().find(|assumed| {
            generator.spec.assumed = vec![assumed.clone()];
            generator.spec.builds()
        });
        generator.spec.assumed = assumed.into_iter().collect();
        if generator.random.one_in(4) && !generator.spec.assumed.is_empty() {
            let more = generator.truth(&Scope::default(), 1);
            generator.spec.assumed.push(more);
            if !generator.spec.builds() {
                generator.spec.assumed.pop();
            }
        }
    }
    if generator.random.chance(45) {
        let Generator { spec, random, .. } = &mut generator;
        for action in spec.families.iter_mut().flat_map(|family| &mut family.actions) {
            action.fairness = random.chance(40).then(|| *random.pick(&["weak", "strong", "strong", "none"]));
        }
    }
    generator.spec
}
