//! Every group operation against brute force: all subgroups of S4 and random ones of S6, each as it is
//! recognised and as a plain stabiliser chain.

use crate::support::group::{Images, all_images, closure, dense, perm, sequences};
use crate::support::random::Random;
use orbitscope_core::group::{Chain, Factor, Group, Perm, PointSet, Process};
use std::collections::{BTreeMap, BTreeSet};

/// A group with all its elements.
struct Case {
    group: Group,
    n: u32,
    elements: BTreeSet<Images>,
}

fn cases(n: u32, generators: &[Images]) -> [Case; 2] {
    let perms: Vec<Perm> = generators.iter().map(|g| perm(g)).collect();
    let recognised = Group::generated(n, &perms, Chain::EFFORT).unwrap();
    let chain = Chain::generated(&perms, Chain::EFFORT).unwrap();
    let plain = Group::new(n, [Factor::General(chain)]).unwrap();
    [recognised, plain].map(|group| Case { group, n, elements: closure(n, generators) })
}

fn image(g: &Images, points: &[Process]) -> Vec<Process> {
    points.iter().map(|p| Process(g[p.0 as usize])).collect()
}

fn elements_of(group: &Group, n: u32) -> BTreeSet<Images> {
    group.elements(u128::MAX).map(|g| dense(&g, n)).collect()
}

impl Case {
    fn check(&self, everything: &[Images]) {
        let (group, n) = (&self.group, self.n);
        assert_eq!(group.degree(), n);
        assert_eq!(group.order().to_u128(), Some(self.elements.len() as u128));
        assert_eq!(group.order().to_string(), self.elements.len().to_string());
        assert_eq!(group.is_trivial(), self.elements.len() == 1);
        for g in everything {
            assert_eq!(group.contains(&perm(g)), self.elements.contains(g), "{}", perm(g));
        }
        let beyond = Perm::transposition(Process(0), Process(n));
        assert!(!group.contains(&beyond));
        self.check_elements();
        self.check_orbits();
    }

    fn check_elements(&self) {
        let (group, n) = (&self.group, self.n);
        let listed: Vec<Perm> = group.elements(u128::MAX).collect();
        assert_eq!(listed.len(), self.elements.len(), "each element comes once");
        assert!(listed[0].is_identity());
        assert_eq!(elements_of(group, n), self.elements);
        assert_eq!(group.elements(3).collect::<Vec<_>>(), listed[..listed.len().min(3)]);
        assert_eq!(group.element(self.elements.len() as u128), None);
        let generators: Vec<Images> = group.generators().map(|g| dense(&g, n)).collect();
        assert_eq!(closure(n, &generators), self.elements);
    }

    fn check_orbits(&self) {
        let orbits = self.group.orbits();
        for p in (0..self.n).map(Process) {
            let orbit: PointSet = self.elements.iter().map(|g| Process(g[p.0 as usize])).collect();
            assert_eq!(orbits.members(p), orbit);
            assert_eq!(self.group.orbit_of(p), orbit);
        }
    }

    fn check_stabiliser(&self, points: &[Process], everything: &[Images]) {
        let fixing = |g: &&Images| image(g, points) == points;
        let elements: BTreeSet<Images> = self.elements.iter().filter(fixing).cloned().collect();
        let group = self.group.stabiliser(points);
        assert_eq!(group.order().to_u128(), Some(elements.len() as u128), "{points:?}");
        let case = Case { group, n: self.n, elements };
        case.check(everything);
        let based = self.group.clone().with_base(points);
        for g in everything {
            assert_eq!(based.contains(&perm(g)), self.elements.contains(g), "{}", perm(g));
        }
        assert_eq!(elements_of(&based, self.n), self.elements);
        assert_eq!(elements_of(&based.stabiliser(points), self.n), case.elements);
        let singles = sequences(self.n, 1);
        case.check_sequences(&singles, &singles);
        if let &[a, b] = points {
            let pairs: Vec<_> =
                (0..self.n).flat_map(|x| [[a.0, x], [x, b.0]]).map(|p| p.map(Process).to_vec()).collect();
            let case = Case { group: based.clone(), n: self.n, elements: self.elements.clone() };
            case.check_sequences(&pairs, &pairs);
        }
        for factor in based.factors() {
            if let Factor::General(chain) = factor {
                let known = points.iter().copied().filter(|&p| chain.points().contains(p));
                assert!(chain.base().take(known.clone().count()).eq(known));
            }
        }
    }

    /// All transporters from and least images of the sequences, which are all of one length.
    fn check_sequences(&self, from: &[Vec<Process>], to: &[Vec<Process>]) {
        for a in from {
            let images: BTreeSet<Vec<Process>> = self.elements.iter().map(|g| image(g, a)).collect();
            let least = dense(&self.group.to_least_image(a), self.n);
            assert!(self.elements.contains(&least));
            assert_eq!(Some(&image(&least, a)), images.first());
            for b in to {
                let found = self.group.transporter(a, b);
                assert_eq!(found.is_some(), images.contains(b), "{a:?} {b:?}");
                if let Some(g) = found.map(|g| dense(&g, self.n)) {
                    assert!(self.elements.contains(&g));
                    assert_eq!(image(&g, a), *b);
                }
            }
        }
    }
}

/// The subgroups of S4, each with two generators: every one of them has such.
fn subgroups_of_s4() -> BTreeMap<BTreeSet<Images>, [Images; 2]> {
    let all = all_images(4);
    let pairs = all.iter().flat_map(|a| all.iter().map(move |b| [a.clone(), b.clone()]));
    pairs.map(|pair| (closure(4, &pair), pair)).collect()
}

#[test]
fn all_subgroups_of_s4() {
    let all = all_images(4);
    let subgroups = subgroups_of_s4();
    assert_eq!(subgroups.len(), 30);
    for pair in subgroups.values() {
        for case in cases(4, pair) {
            case.check(&all);
            for len in 0..=3 {
                for points in sequences(4, len) {
                    case.check_stabiliser(&points, &all);
                }
            }
            for len in 0..=2 {
                case.check_sequences(&sequences(4, len), &sequences(4, len));
            }
            case.check_sequences(&sequences(4, 4), &sequences(4, 4)[60..70]);
        }
    }
}

#[test]
fn every_pair_of_generators_in_s4_gives_its_group() {
    let all = all_images(4);
    for a in &all {
        for b in &all {
            for case in cases(4, &[a.clone(), b.clone()]) {
                case.check_elements();
            }
        }
    }
}

#[test]
fn random_subgroups_of_s6() {
    let all = all_images(6);
    let mut orders = BTreeSet::new();
    for seed in 0..150 {
        let mut random = Random::new(seed);
        // Few swaps make small groups, which a uniform choice would hardly ever give.
        let generators: Vec<Images> = (0..=random.number(3))
            .map(|_| {
                let swaps = 1 + random.number(4);
                random.images(6, swaps)
            })
            .collect();
        println!("seed {seed}: {generators:?}");
        for case in cases(6, &generators) {
            orders.insert(case.elements.len());
            case.check(&all);
            for len in 1..=3 {
                case.check_stabiliser(&random.points(6, len), &all);
                let from: Vec<_> = (0..6).map(|_| random.points(6, len)).collect();
                let to: Vec<_> = (0..30).map(|_| random.points(6, len)).collect();
                case.check_sequences(&from, &to);
                // Sequences that some element does reach.
                let g = case.group.element(case.elements.len() as u128 / 2).unwrap();
                let moved: Vec<_> = from.iter().map(|a| image(&dense(&g, 6), a)).collect();
                case.check_sequences(&from, &moved);
            }
        }
    }
    assert!(orders.len() > 12, "the random groups are too much alike: {orders:?}");
}

#[test]
fn sequences_of_different_lengths_have_no_transporter() {
    for case in cases(4, &[vec![1, 2, 3, 0]]) {
        assert_eq!(case.group.transporter(&[Process(0)], &[]), None);
        assert_eq!(case.group.transporter(&[], &[]), Some(Perm::identity()));
    }
}
