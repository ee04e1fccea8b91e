//! Decision diagrams against truth tables, and against another library.

use crate::support::random::Random;
use biodivine_lib_bdd::{Bdd as Other, BddVariable, BddVariableSet};
use orbitscope_core::bdd::{Bdd, Budget, Collect, Manager, Substitution, Variable};
use orbitscope_core::strain;
use std::collections::BTreeSet;

/// Functions of six variables beside their truth tables: bit `v` of a table is the value at the point `v`.
const WIDTH: u32 = 6;

fn table_of(variable: u32) -> u64 {
    (0..1u64 << WIDTH).filter(|point| point >> variable & 1 == 1).fold(0, |table, point| table | 1 << point)
}

fn tabulated(bdds: &Manager, f: &Bdd) -> u64 {
    let at = |point: u64| bdds.eval(f, |Variable(v)| point >> v & 1 == 1);
    (0..1u64 << WIDTH).filter(|&point| at(point)).fold(0, |table, point| table | 1 << point)
}

fn quantified(table: u64, variable: u32) -> u64 {
    let at = |point: u64| table >> point & 1 == 1;
    let some = |point: &u64| at(*point) || at(point ^ (1 << variable));
    (0..1u64 << WIDTH).filter(some).fold(0, |table, point| table | 1 << point)
}

/// The table of f with g's in the place of its variables.
fn composed(table: u64, images: &[u64]) -> u64 {
    let moved =
        |point: u64| images.iter().enumerate().fold(0u64, |to, (v, image)| to | (image >> point & 1) << v);
    (0..1u64 << WIDTH).filter(|&p| table >> moved(p) & 1 == 1).fold(0, |table, point| table | 1 << point)
}

/// In both ways of collecting, with random operations on what is held and on what was just made.
#[test]
fn agree_with_truth_tables() {
    for (seed, collect) in [(1, Collect::WhenDue), (2, Collect::Always)] {
        random_operations(seed, Budget { nodes: 1 << 20, collect });
    }
}

/// With small tables and caches, and collecting now and then.
#[test]
fn small_sizes_agree_with_truth_tables() {
    let mut taken = BTreeSet::new();
    for seed in 0..12 {
        strain::begin(Some(seed));
        random_operations(seed, Budget { nodes: 1 << 20, collect: Collect::WhenDue });
        taken.extend(strain::end());
    }
    for way in ["bdd: collected", "bdd: more buckets", "bdd: a larger cache"] {
        assert!(taken.contains(way), "{way}: {taken:?}");
    }
}

fn random_operations(seed: u64, budget: Budget) {
    let mut random = Random::new(seed);
    let mut bdds = Manager::new(budget);
    let mut known: Vec<(Bdd, u64)> = vec![(Bdd::FALSE, 0), (Bdd::TRUE, u64::MAX)];
    for v in 0..WIDTH {
        known.push((bdds.variable(Variable(v)), table_of(v)));
    }
    let mut maps: Vec<(Substitution, Vec<u64>)> = Vec::new();
    for round in 0..6_000u32 {
        let any = |random: &mut Random| known[random.below(known.len())].clone();
        let ((f, tf), (g, tg), (h, th)) = (any(&mut random), any(&mut random), any(&mut random));
        let v = random.below(WIDTH as usize) as u32;
        let (made, expected) = match round % 10 {
            0 => (bdds.and(&f, &g), tf & tg),
            1 => (bdds.or(&f, &g), tf | tg),
            2 => (bdds.ite(&f, &g, &h), tf & tg | !tf & th),
            3 => (bdds.iff(&f, &g), !(tf ^ tg)),
            4 => (bdds.exists(&f, &[Variable(v)]), quantified(tf, v)),
            5 => {
                let cube = bdds.variables(&[Variable(v), Variable((v + 2) % WIDTH)]);
                (bdds.and_exists(&f, &g, &cube), quantified(quantified(tf & tg, v), (v + 2) % WIDTH))
            }
            6 => {
                let cube = bdds.variables(&[Variable(v)]);
                (bdds.forall_cube(&f, &cube), !quantified(!tf, v))
            }
            7 => {
                if maps.len() < 40 {
                    let images: Vec<(Bdd, u64)> = (0..WIDTH).map(|_| any(&mut random)).collect();
                    let by =
                        bdds.substitution((0..WIDTH).map(Variable).zip(images.iter().map(|i| i.0.clone())));
                    maps.push((by, images.iter().map(|i| i.1).collect()));
                }
                let (by, images) = &maps[random.below(maps.len())];
                (bdds.substitute(&f, by), composed(tf, images))
            }
            8 if !g.is_false() => {
                // Only where g is true it has to be f.
                let (wide, small) = (bdds.constrain(&f, &g), bdds.restrict(&f, &g));
                assert_eq!(tabulated(&bdds, &wide) & tg, tf & tg);
                assert_eq!(tabulated(&bdds, &small) & tg, tf & tg);
                assert!(bdds.support(&small).is_subset(&bdds.support(&f)), "restrict brings in no variables");
                {
                    let table = tabulated(&bdds, &wide);
                    (wide, table)
                }
            }
            _ => (bdds.minus(&f, &g), tf & !tg),
        };
        assert_eq!(tabulated(&bdds, &made), expected, "round {round}");
        let points = bdds.count(&made, &(0..WIDTH).map(Variable).collect::<Vec<_>>());
        assert_eq!(points.to_u64(), Some(u64::from(expected.count_ones())));
        match known.iter().find(|(_, table)| *table == expected) {
            Some((same, _)) => assert_eq!(*same, made, "equal functions are one node"),
            None => known.push((made, expected)),
        }
        if round % 500 == 499 {
            // Functions that are kept are as they were, and equal functions are the same nodes again.
            bdds.collect();
            for (f, table) in &known {
                assert_eq!(tabulated(&bdds, f), *table);
            }
        }
    }
    assert!(known.len() > 500 && bdds.collections() >= 12 && !bdds.overflowed());
}

#[test]
fn dense_subsets_are_small_and_not_empty() {
    let mut random = Random::new(2);
    let mut bdds = Manager::new(1 << 20);
    let mut cut = 0;
    for _ in 0..300 {
        let mut f = Bdd::FALSE;
        for _ in 0..=random.below(40) {
            let chosen = (0..12).filter_map(|v| match random.below(8) {
                0 | 1 => None,
                other => Some((Variable(v), other % 2 == 1)),
            });
            let point: Vec<(Variable, bool)> = chosen.collect();
            let cube = bdds.cube(point);
            f = bdds.or(&f, &cube);
        }
        let most = 12 + random.below(40) as u32;
        let subset = bdds.dense_subset(&f, most);
        assert!(bdds.implies(&subset, &f) && !subset.is_false());
        assert!(bdds.size([&subset]) <= most, "{} nodes of at most {most}", bdds.size([&subset]));
        cut += u32::from(subset != f);
    }
    assert!(cut > 100, "only {cut} of 300 were too large");
}

/// Random operations on twelve variables, by this package and by biodivine-lib-bdd.
#[test]
fn agree_with_another_library() {
    const VARIABLES: u16 = 12;
    let set = BddVariableSet::new_anonymous(VARIABLES);
    let variables: Vec<BddVariable> = set.variables();
    let mut random = Random::new(3);
    let mut bdds = Manager::new(1 << 22);
    let mut known: Vec<(Bdd, Other)> = vec![(Bdd::TRUE, set.mk_true())];
    for v in 0..VARIABLES {
        known.push((bdds.variable(Variable(v.into())), set.mk_var(variables[v as usize])));
    }
    let mut largest = 0;
    for round in 0..3_000 {
        let (f, g) = (known[random.below(known.len())].clone(), known[random.below(known.len())].clone());
        let chosen: Vec<usize> = (0..3).map(|_| random.below(VARIABLES.into())).collect();
        let cube: Vec<Variable> = chosen.iter().map(|&v| Variable(v as u32)).collect();
        let others: Vec<BddVariable> = chosen.iter().map(|&v| variables[v]).collect();
        let (ours, theirs) = match round % 7 {
            0 | 1 => (bdds.and(&f.0, &g.0), f.1.and(&g.1)),
            2 | 3 => (bdds.or(&f.0, &g.0), f.1.or(&g.1)),
            4 => (bdds.iff(&f.0, &g.0), f.1.iff(&g.1)),
            5 => (bdds.exists(&f.0, &cube), f.1.exists(&others)),
            _ => {
                let cube = bdds.variables(&cube);
                (bdds.and_exists(&f.0, &g.0, &cube), f.1.and(&g.1).exists(&others))
            }
        };
        let all: Vec<Variable> = (0..VARIABLES.into()).map(Variable).collect();
        assert_eq!(bdds.count(&ours, &all).to_string(), theirs.exact_cardinality().to_string());
        // They count the constants.
        let constants = if ours.is_constant() { theirs.size() as u32 } else { 2 };
        assert_eq!(bdds.size([&ours]) + constants, theirs.size() as u32, "round {round}");
        largest = largest.max(theirs.size());
        let place = random.below(200);
        if known.len() < 200 { known.push((ours, theirs)) } else { known[place] = (ours, theirs) }
    }
    assert!(largest > 50, "the largest has {largest} nodes");
}

/// The parity of the variables from `first` on: two nodes for each but the last one.
fn parity(bdds: &mut Manager, first: u32, last: u32) -> Bdd {
    let mut f = Bdd::FALSE;
    for v in (first..=last).rev() {
        let (with, without) = (bdds.literal(Variable(v), true), bdds.literal(Variable(v), false));
        f = bdds.ite(&f, &without, &with);
    }
    f
}

#[test]
fn a_full_table_says_so() {
    let mut bdds = Manager::new(40);
    parity(&mut bdds, 0, 39);
    assert!(bdds.overflowed());
    let mut bdds = Manager::new(100);
    bdds.literal(Variable(5000), true);
    assert!(bdds.overflowed());
}

/// As long as there is a handle there are its nodes; when the last one goes, they go.
#[test]
fn what_is_held_is_kept_and_nothing_else() {
    let mut bdds = Manager::new(1 << 20);
    let f = parity(&mut bdds, 0, 9);
    let (low, high) = bdds.branches(&f);
    let size = bdds.size([&f]);
    bdds.collect();
    assert_eq!(bdds.used(), size + 2, "all of f, and the constants");
    let again = f.clone();
    drop(f);
    bdds.collect();
    assert_eq!(bdds.used(), size + 2, "one handle is enough");
    drop(again);
    bdds.collect();
    let rest = bdds.size([&low, &high]);
    assert_eq!((bdds.used(), rest), (size + 1, size - 1), "all but the root");
    let by = bdds.monotone_renaming([(Variable(1), Variable(2))]);
    drop((low, high));
    bdds.collect();
    assert_eq!(bdds.used(), 3, "what a renaming needs");
    drop(by);
    bdds.collect();
    assert_eq!(bdds.used(), 2);
}

/// A table that is full of what nobody needs is not full.
#[test]
fn nodes_that_nobody_needs_do_not_count() {
    let mut bdds = Manager::new(64);
    let kept = parity(&mut bdds, 0, 7);
    let size = bdds.size([&kept]);
    for round in 0..100 {
        let other = parity(&mut bdds, round % 7 + 1, 20);
        assert_eq!(bdds.eval(&other, |v| v == Variable(20)), !bdds.overflowed(), "round {round}");
    }
    assert!(!bdds.overflowed() && bdds.collections() > 10, "{} collections", bdds.collections());
    assert_eq!((bdds.size([&kept]), parity(&mut bdds, 0, 7)), (size, kept));
    // One function that is too large for the table is.
    parity(&mut bdds, 0, 40);
    assert!(bdds.overflowed());
}

#[test]
#[should_panic(expected = "a function of another manager")]
fn functions_of_another_manager_are_refused() {
    let (mut bdds, mut others) = (Manager::new(100), Manager::new(100));
    let (a, b) = (bdds.variable(Variable(0)), others.variable(Variable(0)));
    assert_ne!(a, b, "the same node of another table");
    bdds.and(&a, &b);
}
