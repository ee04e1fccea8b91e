//! Each rule of the simplification: that it is applied, and that both sides mean the same.

use crate::support::formulas::{all_words, parse, show};
use crate::support::random::Random;
use orbitscope_core::automaton::Ap;
use orbitscope_core::ltl::{Arena, simplify};

const RULES: &str = "
    !(p U (q and X p))              = !p R (!q or X !p)
    !(p W q)                        = !p M !q
    F F p                           = F p
    G F G p                         = F G p
    F G F p                         = G F p
    X G F p                         = G F p
    X F G p                         = F G p
    F X p                           = X F p
    G X p                           = X G p
    F (p U q)                       = F q
    F (p M q)                       = F (p and q)
    F (p W q)                       = F (q or G p)
    F (p R q)                       = F ((p and q) or G q)
    F (p or F q)                    = F (p or q)
    F (p and G F q)                 = F p and G F q
    G (p R q)                       = G q
    G (p W q)                       = G (p or q)
    G (p U q)                       = G F q and G (p or q)
    G (p M q)                       = G F p and G q
    G (p and G q)                   = G (p and q)
    G (p or G F q)                  = G p or G F q
    p U F q                         = F q
    p U (p and q)                   = p U (p and q)
    p U (p or q)                    = p or q
    !p U p                          = F p
    X p U X q                       = X (p U q)
    p U (p U q)                     = p U q
    (p U q) U p                     = q U p
    (p or q) U p                    = q U p
    (!q and p) U q                  = p U q
    G p U q                         = q or (F q and G p)
    p U (q or F r)                  = F r or (p U q)
    p U (q and G F r)               = (p U q) and G F r
    p W F q                         = F q or G p
    G p W q                         = q or G p
    p W (q or p)                    = q or p
    !p W p                          = true
    X p W X q                       = X (p W q)
    p W (p W q)                     = p W q
    (p or q) W p                    = q W p
    (!q and p) W q                  = p W q
    p W (q or G F r)                = G F r or (p W q)
    p R G q                         = G q
    p R (p and q)                   = p and q
    p R !p                          = G !p
    X p R X q                       = X (p R q)
    (p and q) R p                   = q R p
    (!q or p) R q                   = p R q
    p R (p R q)                     = p R q
    F p R q                         = q and (F p or G q)
    p R (q and G r)                 = G r and (p R q)
    p R (q or G F r)                = G F r or (p R q)
    p M (p and q)                   = p and q
    p M !p                          = false
    X p M X q                       = X (p M q)
    F p M q                         = q and F p
    p M G q                         = F p and G q
    p M (p M q)                     = p M q
    (p and q) M p                   = q M p
    (!q or p) M q                   = p M q
    p M (q and G F r)               = G F r and (p M q)
    X p and X q                     = X (p and q)
    G p and G q                     = G (p and q)
    F p or F q                      = F (p or q)
    F p or G F q                    = F (p or G F q)
    F G p and F G q                 = F G (p and q)
    G F p or G F q                  = G F (p or q)
    p and F p                       = p
    p or F p                        = F p
    G p and (q R !p)                = false
    G p or F !p                     = true
    p and (!p or X q)               = p and X q
    p or (!p and X q)               = p or X q
    (p U r) and (q U r)             = (p and q) U r
    (p U r) and (q W r)             = (p and q) U r
    (p W r) and (q W r)             = (p and q) W r
    (r R p) and (r R q)             = r R (p and q)
    (r M p) and (r M q)             = r M (p and q)
    (r M p) and (r R q)             = r M (p and q)
    (p W q) and F q                 = p U q
    (p R q) and F p                 = p M q
    p and X G p                     = G p
    (r U p) or (r U q)              = r U (p or q)
    (r W p) or (r W q)              = r W (p or q)
    (r W p) or (r U q)              = r W (p or q)
    (p R r) or (q R r)              = (p or q) R r
    (p R r) or (q M r)              = (p or q) R r
    (p M r) or (q M r)              = (p or q) M r
    (p U q) or G p                  = p W q
    (p M q) or G q                  = p R q
    p or X F p                      = F p
";

#[test]
fn every_rule_is_applied_and_right() {
    let words = all_words(2, 1, 2);
    for line in RULES.lines().filter(|l| !l.trim().is_empty()) {
        let (before, after) = line.split_once('=').unwrap();
        let (mut arena, mut names) = (Arena::new(), vec!["p".into(), "q".into(), "r".into()]);
        let f = parse(&mut arena, &mut names, before);
        let expected = parse(&mut arena, &mut names, after);
        let simple = simplify(&mut arena, f);
        assert_eq!(show(&arena, simple), show(&arena, expected), "{line}");
        assert_eq!(simplify(&mut arena, simple), simple, "{line} is simplified further");
        let mut random = Random::new(9);
        let more: Vec<_> = (0..2000).map(|_| random.word(3, 5)).collect();
        for word in words.iter().chain(&more) {
            assert_eq!(arena.holds_on(f, word), arena.holds_on(simple, word), "{line} on {word:?}");
        }
    }
}

// A chain of a hundred thousand operands is no danger to the stack, and its translation ends.
#[test]
fn large_formulas_are_simplified() {
    let mut arena = Arena::new();
    let mut f = arena.ap(Ap(0));
    for i in 0..100_000 {
        let p = arena.ap(Ap(i % 7));
        let next = arena.next(f);
        f = if i % 2 == 0 { arena.and([p, next]) } else { arena.or([p, next]) };
    }
    let not = arena.not(f);
    let simple = simplify(&mut arena, not);
    assert!(arena.subformulas(simple).len() > 100_000);
    assert!(arena.print(simple, |ap| ap.0).to_string().ends_with('…'));
    let too_large = orbitscope_core::ltl::translate(&arena, f, &orbitscope_core::ltl::Limits::default());
    assert_eq!(too_large, Err(orbitscope_core::ltl::TranslateError::Formulas(10_000)));
}
