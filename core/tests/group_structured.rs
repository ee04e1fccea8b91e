//! Groups that answer by formula against their stabiliser chains, products, orders and large degrees.

use crate::support::group::{dense, perm, points};
use crate::support::random::Random;
use orbitscope_core::group::{Chain, Factor, Group, GroupError, Order, Perm, PointSet, Process, Ring};
use std::collections::BTreeSet;

fn set(list: &[u32]) -> PointSet {
    list.iter().copied().map(Process).collect()
}

fn ring(list: &[u32]) -> Ring {
    Ring::new(points(list)).unwrap()
}

/// The same group as one chain of all its generators.
fn as_chain(group: &Group) -> Group {
    let chain = Chain::generated(&group.generators().collect::<Vec<_>>(), Chain::EFFORT).unwrap();
    Group::new(group.degree(), [Factor::General(chain)]).unwrap()
}

fn elements(group: &Group) -> BTreeSet<Perm> {
    group.elements(u128::MAX).collect()
}

fn check_same(group: &Group, random: &mut Random) {
    let (chain, n) = (as_chain(group), group.degree());
    assert_eq!(group.order().to_string(), chain.order().to_string());
    let all = elements(group);
    assert_eq!(all, elements(&chain));
    assert_eq!(group.elements(u128::MAX).count(), all.len());
    assert!(group.element(0).unwrap().is_identity());
    assert_eq!(group.orbits(), chain.orbits());
    for len in 0..=3 {
        for _ in 0..20 {
            let (a, b) = (random.points(n, len), random.points(n, len));
            assert_eq!(elements(&group.stabiliser(&a)), elements(&chain.stabiliser(&a)), "{a:?}");
            let image = |g: &Perm| a.iter().map(|&p| g.apply(p)).collect::<Vec<_>>();
            let found = group.transporter(&a, &b);
            assert_eq!(found.is_some(), chain.transporter(&a, &b).is_some(), "{a:?} {b:?}");
            assert!(found.is_none_or(|g| all.contains(&g) && image(&g) == b));
            let least = group.to_least_image(&a);
            assert!(all.contains(&least));
            assert_eq!(Some(image(&least)), all.iter().map(image).min());
        }
    }
    for _ in 0..200 {
        let swaps = random.number(4);
        let near = perm(&random.images(n, swaps));
        assert_eq!(group.contains(&near), all.contains(&near), "{near}");
    }
    assert!(all.iter().all(|g| group.contains(g) && chain.contains(g)));
}

#[test]
fn one_factor_against_its_chain() {
    let lists: [&[u32]; 7] =
        [&[], &[3], &[1, 4], &[0, 1, 2], &[5, 0, 3, 1], &[6, 2, 4, 0, 5], &[0, 5, 1, 4, 2, 3]];
    for (k, list) in lists.into_iter().enumerate() {
        let factors =
            [Factor::Symmetric(set(list)), Factor::Cyclic(ring(list)), Factor::Dihedral(ring(list))];
        let n = list.len() as u32;
        let orders = [(1..=n).product(), n.max(1), if n > 2 { 2 * n } else { n.max(1) }];
        for (factor, order) in factors.into_iter().zip(orders) {
            let group = Group::new(7, [factor]).unwrap();
            assert_eq!(group.order().to_u128(), Some(order.into()));
            check_same(&group, &mut Random::new(k as u64));
        }
    }
}

#[test]
fn products_against_their_chains() {
    let square = Chain::generated(
        &[perm(&[0, 1, 2, 3, 4, 5, 7, 8, 9, 6]), Perm::transposition(Process(6), Process(8))],
        Chain::EFFORT,
    );
    let group = Group::new(
        11,
        [
            Factor::Symmetric(set(&[0, 3, 4])),
            Factor::Dihedral(ring(&[1, 5, 2])),
            Factor::General(square.unwrap()),
            Factor::Symmetric(set(&[10])),
        ],
    )
    .unwrap();
    assert_eq!(group.factors().len(), 3, "a factor on one point is left out");
    assert_eq!(group.order().to_u128(), Some(6 * 6 * 8));
    assert_eq!(group.orbits().to_string(), "{0 3 4}{1 2 5}{6 7 8 9}{10}");
    check_same(&group, &mut Random::new(1));
    let rings = Group::new(7, [Factor::Cyclic(ring(&[6, 0, 2])), Factor::Cyclic(ring(&[1, 3, 5, 4]))]);
    check_same(&rings.unwrap(), &mut Random::new(2));
}

#[test]
fn bad_factors_are_refused() {
    let overlapping = [Factor::Symmetric(set(&[0, 1])), Factor::Cyclic(ring(&[2, 3, 1]))];
    assert_eq!(Group::new(4, overlapping).err(), Some(GroupError::Repeated(Process(1))));
    let outside = [Factor::Symmetric(PointSet::range(2..6))];
    assert_eq!(Group::new(5, outside).err(), Some(GroupError::OutOfRange(Process(5))));
    assert_eq!(Ring::new(points(&[1, 2, 1])).err(), Some(GroupError::Repeated(Process(1))));
    let moves = [Perm::transposition(Process(0), Process(9))];
    assert_eq!(Group::generated(9, &moves, Chain::EFFORT).err(), Some(GroupError::OutOfRange(Process(9))));
    assert!(Group::generated(0, &[], Chain::EFFORT).unwrap().is_trivial());
    assert!(Group::generated(3, &[Perm::identity()], Chain::EFFORT).unwrap().is_trivial());
}

#[test]
fn generators_are_split_and_symmetric_groups_recognised() {
    let cycle = |list: &[u32]| Perm::from_cycles(&[points(list)]).unwrap();
    let group = Group::generated(
        200,
        &[
            cycle(&(0..100).collect::<Vec<_>>()),
            cycle(&[3, 4]),
            cycle(&[110, 111, 112]),
            cycle(&[120, 121]),
            cycle(&[121, 122]),
        ],
        Chain::EFFORT,
    )
    .unwrap();
    let symmetric: Vec<_> = group.factors().iter().map(|f| matches!(f, Factor::Symmetric(_))).collect();
    assert_eq!(symmetric, [true, false, true]);
    // Factors come by their smallest points.
    let nested = Group::generated(9, &[cycle(&[3, 4]), cycle(&[0, 8, 7])], Chain::EFFORT).unwrap();
    assert_eq!(nested.factors()[0].points(), &set(&[0, 7, 8]));
    let chain = Chain::generated(&[cycle(&[3, 4]), cycle(&[0, 8, 7])], Chain::EFFORT).unwrap();
    assert_eq!(chain.orbits(), [set(&[0, 7, 8]), set(&[3, 4])]);
    assert_eq!((chain.element(5).is_some(), chain.element(6)), (true, None));
    // (0 2) and the rotation of a square leave the diagonals blocks: no symmetric group.
    let square = Group::generated(4, &[cycle(&[0, 1, 2, 3]), cycle(&[0, 2])], Chain::EFFORT).unwrap();
    assert_eq!(square.order().to_u128(), Some(8));
}

/// The permutation of pairs that moves both members as `images` says.
fn on_both(images: &[u32]) -> Perm {
    let n = images.len() as u32;
    perm(&images.iter().copied().chain(images.iter().map(|i| i + n)).collect::<Vec<_>>())
}

#[test]
fn chains_of_larger_groups_have_the_known_orders() {
    // The symmetric group on 40 clients and their 40 servers at once.
    let n = 40;
    let mut swap: Vec<u32> = (0..n).collect();
    let rotation = on_both(&swap.iter().map(|i| (i + 1) % n).collect::<Vec<_>>());
    swap.swap(0, 1);
    let both = Group::generated(2 * n, &[rotation, on_both(&swap)], Chain::EFFORT).unwrap();
    assert_eq!(both.order().to_string(), Order::one().times_factorial(n).to_string());
    let mates = both.stabiliser(&[Process(7)]);
    assert!(mates.orbits().members(Process(47)).len() == 1, "a client's server stays with it");
    assert_eq!(mates.orbits().len(), 4);

    // Automorphisms of the d-cube: d! arrangements of the axes times 2^d reflections.
    for d in 1..=8u32 {
        let vertices = 1 << d;
        let flip = |k: u32| perm(&(0..vertices).map(|v| v ^ (1 << k)).collect::<Vec<_>>());
        let swap = |k: u32| {
            let swapped = |v: u32| {
                let (a, b) = (v >> k & 1, v >> (k + 1) & 1);
                v & !(3 << k) | b << k | a << (k + 1)
            };
            perm(&(0..vertices).map(swapped).collect::<Vec<_>>())
        };
        let generators: Vec<Perm> = (0..d).map(flip).chain((0..d - 1).map(swap)).collect();
        let cube = Group::generated(vertices, &generators, Chain::EFFORT).unwrap();
        assert_eq!(cube.order().to_u128(), Some((1..=u128::from(d)).product::<u128>() << d));
        // The stabiliser of a vertex arranges the axes: its orbits are the distances.
        assert_eq!(cube.stabiliser(&[Process(0)]).orbits().len(), d + 1);
    }
}

#[test]
fn mathieu_group() {
    // M11 in its action on 11 points (Conway et al., ATLAS of Finite Groups): sharply 4-transitive.
    let a = Perm::from_cycles(&[points(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])]).unwrap();
    let b = Perm::from_cycles(&[points(&[2, 6, 10, 7]), points(&[3, 9, 4, 5])]).unwrap();
    let group = Group::generated(11, &[a, b], Chain::EFFORT).unwrap();
    assert_eq!(group.order().to_u128(), Some(7920));
    let goal = points(&[10, 3, 0, 7]);
    let g = group.transporter(&points(&[1, 2, 3, 4]), &goal).unwrap();
    assert!(group.contains(&g));
    assert_eq!(dense(&g, 11)[1..5], [10, 3, 0, 7]);
    assert!(group.stabiliser(&goal).is_trivial());
    assert_eq!(group.stabiliser(&goal[..3]).order().to_u128(), Some(8));
    assert!(!group.contains(&Perm::transposition(Process(0), Process(1))));
}

#[test]
fn effort_is_limited() {
    let rotation: Vec<u32> = (0..20).map(|i| (i + 1) % 20).collect();
    let mut swap: Vec<u32> = (0..20).collect();
    swap.swap(0, 1);
    let generators = [on_both(&rotation), on_both(&swap)];
    assert_eq!(Group::generated(40, &generators, 10_000).err(), Some(GroupError::Effort));
    assert!(Group::generated(40, &generators, Chain::EFFORT).is_ok());
}

#[test]
fn a_million_clients() {
    let n = 1_000_000;
    let group = Group::new(n + 1, [Factor::Symmetric(PointSet::range(1..n + 1))]).unwrap();
    assert_eq!(group.order().to_string(), "1000000!");
    assert_eq!(group.generators().nth(999_998).unwrap().to_string(), "(999999 1000000)");
    assert_eq!(group.generators().count(), 999_999);
    assert_eq!(group.orbits().len(), 2);
    let fixed = group.stabiliser(&points(&[0, 5, 9, 5]));
    assert_eq!(fixed.orbits().len(), 4);
    assert_eq!(fixed.order().to_string(), "999998!");
    assert_eq!(fixed.transporter(&points(&[5, 6]), &points(&[5, 9])), None);
    let moved = group.transporter(&points(&[5, 6, 7]), &points(&[6, 7, 900_000])).unwrap();
    assert_eq!(moved.to_string(), "(5 6 7 900000)");
    assert_eq!(group.to_least_image(&points(&[0, 70, 3, 70])).to_string(), "(1 70)(2 3)");
    assert_eq!(group.element(1).unwrap().to_string(), "(999999 1000000)");
    assert_eq!(group.elements(1000).collect::<BTreeSet<_>>().len(), 1000);
    assert!(group.element(u128::MAX).is_some());
    let ring = Group::new(n, [Factor::Dihedral(Ring::new((0..n).map(Process)).unwrap())]).unwrap();
    assert_eq!(ring.order().to_string(), "2000000");
    assert_eq!(ring.stabiliser(&[Process(3)]).order().to_string(), "2");
    assert!(!ring.contains(&Perm::transposition(Process(0), Process(1))));
}

#[test]
fn orders_print_exactly() {
    let factorial = |n| Order::one().times_factorial(n).to_string();
    assert_eq!(factorial(0), "1");
    assert_eq!(factorial(13), "6227020800");
    assert_eq!(
        factorial(100),
        "93326215443944152681699238856266700490715968264381621468592963895217599993229915\
         608941463976156518286253697920827223758251185210916864000000000000000000000000"
    );
    // 449! has 998 digits and 450! has 1001.
    assert_eq!(factorial(449).len(), 998);
    assert_eq!(factorial(450), "450!");
    assert_eq!(Order::one().times_factorial(450).times(12).times_factorial(450).to_string(), "450!^2 * 12");
    assert_eq!(Order::one().times_factorial(5).times(6).decimal(3), Some("720".to_owned()));
    assert_eq!(Order::one().times_factorial(7).times(2).decimal(4), None);
    assert_eq!(Order::one().times_factorial(34).to_u128(), Some((1..=34).product()));
    assert_eq!(Order::one().times_factorial(35).to_u128(), None);
    // Limbs in the middle that need leading zeros: 10^18.
    let power = (0..18).fold(Order::one(), |o, _| o.times(10));
    assert_eq!(power.to_string(), "1000000000000000000");
}

/// Against all elements of the coset: it is one of them, and where every factor is symmetric none moves fewer points.
#[test]
fn the_shortest_of_a_coset() {
    let mut random = Random::new(7);
    let symmetric =
        |lists: &[&[u32]]| Group::new(7, lists.iter().map(|list| Factor::Symmetric(set(list)))).unwrap();
    let ring_and_two = [Factor::Cyclic(ring(&[0, 2, 4])), Factor::Symmetric(set(&[1, 3]))];
    let groups = [
        (true, symmetric(&[&[0, 1, 2, 3, 4]])),
        (true, symmetric(&[&[0, 3, 5], &[1, 2], &[4, 6]])),
        (true, symmetric(&[])),
        (false, Group::new(7, ring_and_two).unwrap()),
    ];
    for (exact, group) in groups {
        for swaps in 0..8 {
            for _ in 0..20 {
                let g = perm(&random.images(7, swaps));
                let coset: Vec<Perm> = group.elements(u128::MAX).map(|h| g.compose(&h)).collect();
                let short = group.shortest_of_coset(&g);
                assert!(coset.contains(&short), "{g} {short}");
                let fewest = coset.iter().map(|c| c.support().len()).min();
                assert!(short.support().len() <= g.support().len());
                assert!(!exact || Some(short.support().len()) == fewest, "{g} {short}");
                assert!((0..7).map(Process).all(|p| g.origin(g.apply(p)) == p));
            }
        }
    }
}
