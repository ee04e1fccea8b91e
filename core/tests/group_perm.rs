//! Permutations against full image lists.

use crate::support::group::{Images, all_images, compose, dense, inverse, perm, points};
use crate::support::random::Random;
use orbitscope_core::group::{Perm, PermError, Process};
use std::collections::HashSet;

/// Smallest power that is the identity, by trying.
fn brute_order(a: &Images) -> u128 {
    let mut power = a.clone();
    let mut order = 1;
    while !power.is_sorted() {
        power = compose(a, &power);
        order += 1;
    }
    order
}

fn check_pair(a: &Images, b: &Images) {
    let n = a.len() as u32;
    let (p, q) = (perm(a), perm(b));
    assert_eq!(dense(&p, n), *a);
    assert_eq!(dense(&p.compose(&q), n), compose(a, b));
    assert_eq!(p.compose(&q), perm(&compose(a, b)), "one form for each permutation");
    assert_eq!(p.inverse(), perm(&inverse(a)));
    assert_eq!(p.conjugate_by(&q), perm(&compose(&compose(b, a), &inverse(b))));
    assert_eq!(p.cmp(&q), a.cmp(b));
    assert_eq!(p == q, a == b);
}

#[test]
fn all_pairs_up_to_five_points() {
    for n in 0..=5 {
        let all = all_images(n);
        for a in &all {
            for b in &all {
                check_pair(a, b);
            }
        }
        assert_eq!(all.iter().map(|a| perm(a)).collect::<HashSet<_>>().len(), all.len());
    }
}

#[test]
fn single_permutations_up_to_six_points() {
    for a in (0..=6).flat_map(all_images) {
        let p = perm(&a);
        assert_eq!(p.order(), Some(brute_order(&a)), "{p}");
        assert_eq!(Perm::from_cycles(&p.cycles()), Ok(p.clone()));
        let moved: Vec<Process> = (0..a.len() as u32).filter(|&x| a[x as usize] != x).map(Process).collect();
        assert!(p.support().eq(moved.iter().copied()));
        assert_eq!(p.cycles().concat().len(), moved.len());
        assert!(p.cycles().iter().all(|c| c.len() > 1 && c.iter().min() == c.first()));
        assert!(p.cycles().is_sorted());
        assert_eq!(p.is_identity(), a.is_sorted());
        assert_eq!(p.apply(Process(1000)), Process(1000));
    }
}

#[test]
fn random_sparse_and_dense_pairs() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let n = 1 + random.number(80);
        let swaps = [0, 1, 2, 5, 200];
        let [a, b] = [(); 2].map(|()| {
            let many = swaps[random.number(5) as usize];
            random.images(n, many)
        });
        println!("seed {seed}: {a:?} {b:?}");
        check_pair(&a, &b);
        assert_eq!(Perm::from_pairs(perm(&a).moves().iter().rev().copied()), Ok(perm(&a)));
    }
}

#[test]
fn size_is_that_of_the_support() {
    let far = |p: u32| Process(4_000_000_000 + p);
    let p = Perm::from_cycles(&[[far(2), far(0), Process(1)]]).unwrap();
    let q = Perm::transposition(far(0), Process(7));
    assert_eq!(p.compose(&q).moves().len(), 4);
    assert!(p.compose(&p).compose(&p).is_identity());
    assert_eq!(Perm::transposition(far(3), far(3)), Perm::identity());
    assert_eq!(Perm::transposition(far(3), far(4)), Perm::transposition(far(4), far(3)));
}

#[test]
fn order_beyond_the_range_is_none() {
    // Disjoint cycles of the first 27 primes: the product of the first 26 fits into 128 bits, not of 27.
    let primes: Vec<u32> = (2..104).filter(|n| (2..*n).all(|d| n % d > 0)).collect();
    let cycles = |count: usize| {
        let mut next = 0;
        primes[..count]
            .iter()
            .map(|&p| {
                next += p;
                (next - p..next).map(Process).collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
    };
    let product = primes[..26].iter().map(|&p| u128::from(p)).product();
    assert_eq!(Perm::from_cycles(&cycles(26)).unwrap().order(), Some(product));
    assert_eq!(Perm::from_cycles(&cycles(27)).unwrap().order(), None);
}

#[test]
fn bad_input_is_refused() {
    let cycles = |c: &[&[u32]]| Perm::from_cycles(&c.iter().map(|c| points(c)).collect::<Vec<_>>());
    assert_eq!(cycles(&[&[0, 1], &[1, 2]]), Err(PermError::Repeated(Process(1))));
    assert_eq!(cycles(&[&[3, 4, 3]]), Err(PermError::Repeated(Process(3))));
    assert_eq!(cycles(&[&[5], &[5]]), Err(PermError::Repeated(Process(5))));
    assert_eq!(cycles(&[&[], &[2]]), Ok(Perm::identity()));
    assert_eq!(Perm::from_images(&points(&[0, 0])), Err(PermError::Repeated(Process(0))));
    assert_eq!(Perm::from_images(&points(&[1, 2])), Err(PermError::NoImage(Process(2))));
    let pairs = |p: &[(u32, u32)]| Perm::from_pairs(p.iter().map(|&(a, b)| (Process(a), Process(b))));
    assert_eq!(pairs(&[(0, 1), (0, 2)]), Err(PermError::Repeated(Process(0))));
    assert_eq!(pairs(&[(4, 9), (9, 2)]), Err(PermError::NoImage(Process(2))));
}

#[test]
fn every_list_of_images_is_judged() {
    for n in 0..=4u32 {
        let good = all_images(n);
        for code in 0..(n + 1).pow(n) {
            let list: Images = (0..n).map(|k| code / (n + 1).pow(k) % (n + 1)).collect();
            assert_eq!(Perm::from_images(&points(&list)).is_ok(), good.contains(&list), "{list:?}");
        }
    }
}

#[test]
fn cycle_notation() {
    let p = Perm::from_cycles(&[points(&[4, 3]), points(&[2, 0, 1])]).unwrap();
    assert_eq!(p.to_string(), "(0 1 2)(3 4)");
    assert_eq!(Perm::identity().to_string(), "()");
    let name = |p: Process| if p.0 == 0 { "server".to_owned() } else { format!("client[{}]", p.0 - 1) };
    assert_eq!(p.display(name).to_string(), "(server client[0] client[1])(client[2] client[3])");
}
