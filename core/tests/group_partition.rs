//! Partitions and point sets against brute force.

use crate::support::group::{all_images, perm};
use crate::support::random::Random;
use orbitscope_core::group::{GroupError, Partition, Perm, PointSet, Process};
use std::collections::BTreeSet;

/// The name of each point's class.
type Names = Vec<u32>;

/// All partitions of 0..n, by restricted growth: each point joins a class before it or starts one.
fn all_partitions(n: u32) -> Vec<Names> {
    let mut all = vec![Names::new()];
    for point in 0..n {
        all = all
            .iter()
            .flat_map(|head| {
                let mut names: BTreeSet<u32> = head.iter().copied().collect();
                names.insert(point);
                names.into_iter().map(|name| [head.as_slice(), &[name]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

fn partition(names: &Names) -> Partition {
    let classes: BTreeSet<u32> = names.iter().copied().collect();
    let members = |c: &u32| (0..names.len()).filter(|&i| names[i] == *c).map(|i| Process(i as u32)).collect();
    Partition::from_classes(names.len() as u32, classes.iter().map(members).collect::<Vec<PointSet>>())
        .expect("the classes are disjoint")
}

fn names(partition: &Partition) -> Names {
    (0..partition.degree()).map(|i| partition.class_of(Process(i)).0).collect()
}

/// The equivalence closure of a relation, by Warshall's algorithm.
fn closed(n: usize, related: impl Fn(usize, usize) -> bool) -> Names {
    let mut table: Vec<Vec<bool>> =
        (0..n).map(|i| (0..n).map(|j| i == j || related(i, j) || related(j, i)).collect()).collect();
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                table[i][j] |= table[i][k] && table[k][j];
            }
        }
    }
    table.iter().map(|row| row.iter().position(|&r| r).unwrap() as u32).collect()
}

fn check_one(a: &Names) {
    let p = partition(a);
    assert_eq!(names(&p), *a);
    let distinct: BTreeSet<u32> = a.iter().copied().collect();
    assert_eq!(p.len() as usize, distinct.len());
    assert_eq!(p.is_empty(), a.is_empty());
    assert!(p.names().map(|p| p.0).eq(distinct.iter().copied()));
    let classes: Vec<PointSet> = p.classes().collect();
    assert!(classes.iter().map(|c| c.first().unwrap().0).eq(distinct));
    for class in &classes {
        let name = class.first().unwrap();
        let members = (0..a.len()).filter(|&i| a[i] == name.0);
        assert!(class.iter().map(|p| p.0 as usize).eq(members));
        assert!(class.iter().all(|point| p.members(point) == *class));
    }
    assert!(p.nontrivial_classes().eq(classes.iter().filter(|c| c.len() > 1).cloned()));
}

fn check_pair(a: &Names, b: &Names) {
    let n = a.len();
    let (p, q) = (partition(a), partition(b));
    let join = closed(n, |i, j| a[i] == a[j] || b[i] == b[j]);
    assert_eq!(names(&p.join(&q)), join, "{p} {q}");
    assert_eq!(p.join(&q), partition(&join), "one form for each partition");
    let mut joined = p.clone();
    joined.join_in(q.clone());
    assert_eq!(joined, p.join(&q), "{p} {q}");
    let refines = (0..n).all(|i| (0..n).all(|j| a[i] != a[j] || b[i] == b[j]));
    assert_eq!(p.refines(&q), refines, "{p} {q}");
    assert_eq!(p == q, a == b);
}

fn check_perm(a: &Names, images: &[u32]) {
    let n = a.len();
    let (p, g) = (partition(a), perm(images));
    let orbits = closed(n, |i, j| images[i] as usize == j);
    assert_eq!(Partition::orbits_of(n as u32, &g), partition(&orbits));
    let mut joined = p.clone();
    joined.join_orbits_of(&g);
    assert_eq!(joined, partition(&closed(n, |i, j| a[i] == a[j] || orbits[i] == orbits[j])), "{p} {g}");
    let back = |i: usize| images.iter().position(|&x| x as usize == i).unwrap();
    assert_eq!(p.image(&g), partition(&closed(n, |i, j| a[back(i)] == a[back(j)])), "{p} {g}");
}

#[test]
fn there_are_bell_many() {
    let counts: Vec<usize> = (0..=6).map(|n| all_partitions(n).len()).collect();
    assert_eq!(counts, [1, 1, 2, 5, 15, 52, 203]);
}

#[test]
fn all_partitions_and_pairs_up_to_five_points() {
    for n in 0..=5 {
        let all = all_partitions(n);
        for a in &all {
            check_one(a);
            for b in &all {
                check_pair(a, b);
            }
        }
    }
}

#[test]
fn all_partitions_and_permutations_up_to_five_points() {
    for n in 0..=5 {
        let permutations = all_images(n);
        for a in all_partitions(n) {
            for g in &permutations {
                check_perm(&a, g);
            }
        }
    }
}

#[test]
fn all_unions_up_to_five_points() {
    for n in 1..=5u32 {
        for a in all_partitions(n) {
            for (x, y) in (0..n).flat_map(|x| (0..n).map(move |y| (x, y))) {
                let mut p = partition(&a);
                p.union(Process(x), Process(y));
                let pair = [x as usize, y as usize];
                let union = closed(n as usize, |i, j| a[i] == a[j] || [i, j] == pair);
                assert_eq!(p, partition(&union));
                assert!(p.same_class(Process(x), Process(y)));
            }
        }
    }
}

#[test]
fn random_larger_ones() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let n = 1 + random.number(40);
        let mut random_names = || {
            let (classes, block) = (1 + random.number(n), 1 + random.number(6));
            let colours: Vec<u32> = (0..n).map(|_| random.number(classes)).collect();
            // Neighbours share a colour, so that runs are longer than one.
            closed(n as usize, |i, j| colours[i / block as usize] == colours[j / block as usize])
        };
        let (a, b) = (random_names(), random_names());
        let swaps = random.number(n);
        let g = random.images(n, swaps);
        println!("seed {seed}: {a:?} {b:?} {g:?}");
        check_one(&a);
        check_pair(&a, &b);
        check_pair(&a, &names(&partition(&a).join(&partition(&b))));
        check_perm(&a, &g);
    }
}

#[test]
fn a_million_points_take_no_memory() {
    let n = 1_000_000;
    let half = |r| Partition::from_classes(n, [PointSet::range(r)]).unwrap();
    let mut p = half(0..500_000).join(&half(500_000..n));
    assert_eq!(p.len(), 2);
    p = p.image(&Perm::transposition(Process(0), Process(999_999)));
    assert_eq!(p.members(Process(0)).ranges().len(), 2);
    assert_eq!(p.class_of(Process(999_999)), Process(1));
    p.union(Process(3), Process(600_000));
    assert_eq!(p, half(0..n));
    assert!(Partition::discrete(n).refines(&p));
    assert_eq!(Partition::discrete(n).len(), n);
}

#[test]
fn bad_classes_are_refused() {
    let classes = |degree, c: &[&[u32]]| {
        Partition::from_classes(degree, c.iter().map(|c| c.iter().copied().map(Process).collect()))
    };
    assert_eq!(classes(4, &[&[0, 1], &[1, 2]]), Err(GroupError::Repeated(Process(1))));
    assert_eq!(classes(4, &[&[0, 4]]), Err(GroupError::OutOfRange(Process(4))));
    assert_eq!(classes(4, &[&[2], &[], &[0, 3]]).unwrap().to_string(), "{0 3}{1}{2}");
    assert_eq!(classes(0, &[]).unwrap().to_string(), "");
}

#[test]
fn point_sets_are_sets() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let n = 1 + random.number(30);
        let mut list = |len| (0..random.number(len)).map(|_| Process(random.number(n))).collect::<Vec<_>>();
        let (all, removed) = (list(40), list(10));
        println!("seed {seed}: {all:?} {removed:?}");
        let naive: BTreeSet<Process> = all.iter().copied().collect();
        let set: PointSet = all.into_iter().collect();
        assert!(set.iter().eq(naive.iter().copied()));
        assert_eq!(set.len() as usize, naive.len());
        assert_eq!(set.is_empty(), naive.is_empty());
        assert_eq!((set.first(), set.last()), (naive.first().copied(), naive.last().copied()));
        for p in (0..n + 2).map(Process) {
            assert_eq!(set.contains(p), naive.contains(&p));
            assert_eq!(set.position(p).map(|k| k as usize), naive.iter().position(|&q| q == p));
            assert_eq!(set.nth(p.0), naive.iter().nth(p.0 as usize).copied());
        }
        let rest = naive.iter().copied().filter(|p| !removed.contains(p));
        assert_eq!(set.without(&removed), rest.collect::<PointSet>());
        let gaps = set.ranges().zip(set.ranges().skip(1)).all(|(a, b)| a.end < b.start);
        assert!(gaps, "intervals are maximal");
    }
}
