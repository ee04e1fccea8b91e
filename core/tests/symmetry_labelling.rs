//! Canonical labelling and automorphisms of random small structures, against all permutations.

use crate::support::random::Random;
use orbitscope_core::group::{Group, Perm, Process};
use orbitscope_core::symmetry::{Axis, Structure, Table, canonical};
use std::collections::BTreeSet;

const EFFORT: u32 = 10_000;

/// A random structure with its values, and the classes within which points may move.
struct Case {
    structure: Structure,
    values: Vec<i32>,
    classes: Vec<Vec<Process>>,
}

fn case(random: &mut Random) -> Case {
    // One or two families.
    let mut families: Vec<(u32, u32)> = vec![(0, 2 + random.below(4) as u32)];
    if random.one_in(3) {
        families.push((families[0].1, 1 + random.below(3) as u32));
    }
    let (mut tables, mut values) = (Vec::new(), Vec::new());
    for _ in 0..=random.below(3) {
        let mut axes: Vec<Axis> = (0..random.below(4).min(2) + usize::from(random.one_in(4)))
            .map(|_| {
                let &(first, size) = random.pick(&families);
                if random.one_in(8) {
                    Axis { family: None, size: 2, stride: 0 }
                } else {
                    Axis { family: Some(Process(first)), size, stride: 0 }
                }
            })
            .collect();
        let mut stride = 1;
        for axis in axes.iter_mut().rev() {
            axis.stride = stride;
            stride *= axis.size;
        }
        let target = random.one_in(3).then(|| *random.pick(&families));
        let (table, table_first) = (axes, values.len() as u32);
        let kinds = 1 + random.below(3);
        for entry in 0..stride {
            // Values that follow a pattern have more symmetry than random ones.
            let patterned = random.chance(70);
            values.push(match target {
                Some((_, size)) if patterned => ((entry + 1) % size) as i32,
                Some((_, size)) => random.below(size as usize + 1) as i32 - 1,
                None if patterned => (entry % stride.isqrt().max(1)) as i32 % kinds as i32,
                None => random.below(kinds) as i32,
            });
        }
        tables.push(Table {
            first: table_first,
            axes: table,
            value: target.map(|(first, _)| Process(first)),
        });
    }
    // Some points may be held still, and a family may be cut into two classes.
    let mut classes = Vec::new();
    for (first, size) in families {
        let mut parts = [Vec::new(), Vec::new()];
        let (held, cut) = (random.one_in(4), random.one_in(4));
        for point in (first..first + size).map(Process) {
            if !(held && random.one_in(4)) {
                parts[usize::from(cut && random.one_in(2))].push(point);
            }
        }
        classes.extend(parts.into_iter().filter(|part| !part.is_empty()));
    }
    Case { structure: Structure::new(tables), values, classes }
}

/// All permutations that keep the classes.
fn within(classes: &[Vec<Process>]) -> Vec<Perm> {
    let mut all = vec![Perm::identity()];
    for class in classes {
        let mut arrangements: Vec<Vec<Process>> = vec![Vec::new()];
        for _ in class {
            arrangements = arrangements
                .into_iter()
                .flat_map(|a| {
                    let left: Vec<Process> = class.iter().copied().filter(|p| !a.contains(p)).collect();
                    left.into_iter().map(move |p| [a.clone(), vec![p]].concat())
                })
                .collect();
        }
        let own: Vec<Perm> = arrangements
            .into_iter()
            .map(|a| Perm::from_pairs(class.iter().copied().zip(a)).expect("a bijection"))
            .collect();
        all = all.iter().flat_map(|g| own.iter().map(move |h| g.compose(h))).collect();
    }
    all
}

#[test]
fn labelling_is_canonical_and_finds_all_automorphisms() {
    let (mut symmetric, mut rigid) = (0, 0);
    for seed in 0..3_000 {
        let mut random = Random::new(seed);
        let Case { structure, values, classes } = case(&mut random);
        let all = within(&classes);
        let found = canonical(&structure, &values, &classes, EFFORT);
        assert!(found.complete, "seed {seed}");
        assert_eq!(structure.apply(&found.perm, &values), found.image, "seed {seed}");
        assert!(all.contains(&found.perm), "seed {seed}: {:?} does not keep the classes", found.perm);
        let expected: BTreeSet<Perm> = all.iter().filter(|g| structure.fixes(g, &values)).cloned().collect();
        let group = Group::generated(16, &found.automorphisms, u64::MAX).expect("no limit");
        let order = group.order().to_u128().expect("a small group");
        let elements: BTreeSet<Perm> = group.elements(order).collect();
        assert_eq!(elements, expected, "seed {seed}");
        if expected.len() > 1 {
            symmetric += 1;
        } else {
            rigid += 1;
        }
        for _ in 0..5 {
            let perm = random.pick(&all);
            let moved = structure.apply(perm, &values);
            let image = canonical(&structure, &moved, &classes, EFFORT).image;
            assert_eq!(image, found.image, "seed {seed}: moved by {perm}");
        }
        // Structures that are not images of each other have different canonical ones.
        let mut other = values.clone();
        if let Some(value) = other.iter_mut().find(|v| **v > 0) {
            *value -= 1;
        }
        let same = all.iter().any(|g| structure.apply(g, &values) == other);
        let image = canonical(&structure, &other, &classes, EFFORT).image;
        assert_eq!(image == found.image, same, "seed {seed}");
    }
    println!("{symmetric} symmetric, {rigid} rigid");
    assert!(symmetric > 300 && rigid > 300, "{symmetric} symmetric, {rigid} rigid");
}

/// An effort that is too small gives a labelling all the same, and automorphisms that are some.
#[test]
fn a_limit_is_kept_and_said() {
    let mut limited = 0;
    for seed in 0..1_000 {
        let mut random = Random::new(seed);
        let Case { structure, values, classes } = case(&mut random);
        let found = canonical(&structure, &values, &classes, 1);
        limited += u32::from(!found.complete);
        assert_eq!(structure.apply(&found.perm, &values), found.image, "seed {seed}");
        assert!(found.automorphisms.iter().all(|g| structure.fixes(g, &values)), "seed {seed}");
    }
    assert!(limited > 10, "only {limited} searches were limited");
}
