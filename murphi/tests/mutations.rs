//! Changed texts: whatever stands in a file, it is translated or refused, a translation is a text of the modelling language, and that
//! is a program or has messages; all of it soon.

use orbitscope_core::program::{Settings, build};
use orbitscope_core::syntax::parse;
use std::time::{Duration, Instant};

/// To a person, a text that takes longer seems to hang.
const SOON: Duration = Duration::from_secs(30);

const MODELS: [&str; 3] = [
    include_str!("../models/german.m"),
    include_str!("../models/mcs.m"),
    include_str!("../models/network.m"),
];

/// Pieces of texts that come to strange places.
const PIECES: [&str; 24] = [
    "end",
    ";",
    "begin",
    "(",
    ")",
    "[",
    "]",
    "undefine ",
    "clear ",
    "1",
    "c",
    "==>",
    ":=",
    "union {",
    "multiset [2] of ",
    "choose m: net do ",
    "alias a: ",
    "\"",
    "/*",
    "--",
    "forall i: cache do ",
    "0..",
    "isundefined(",
    "\u{e9}",
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }
}

fn changed(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let (at, length) = (random.below(chars.len()), 1 + random.below(12));
        let end = (at + length).min(chars.len());
        match random.below(4) {
            0 => {
                chars.drain(at..end);
            }
            1 => {
                let piece = PIECES[random.below(PIECES.len())];
                chars.splice(at..at, piece.chars());
            }
            2 => {
                let piece: Vec<char> = chars[at..end].to_vec();
                let to = random.below(chars.len());
                chars.splice(to..to, piece);
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                chars.splice(at..end, piece.chars());
            }
        }
        if chars.is_empty() {
            break;
        }
    }
    chars.into_iter().collect()
}

#[test]
fn changed_texts_are_translated_or_refused() {
    let cases: u64 =
        std::env::var("ORBITSCOPE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000);
    let first: u64 = std::env::var("ORBITSCOPE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let (mut translated, mut built, mut refused) = (0, 0, 0);
    let mut longest = (Duration::ZERO, 0);
    for seed in first..first + cases {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // The text behind `orbitscope:` is taken over as it is.
        let plain = MODELS[random.below(MODELS.len())].replace("-- orbitscope:", "--");
        let text = changed(&plain, &mut random);
        let start = Instant::now();
        match orbitscope_murphi::translate(&text) {
            Ok(translation) => {
                translated += 1;
                let parsed = parse(&translation.text);
                assert!(
                    parsed.diagnostics.is_empty(),
                    "seed {seed}: {:#?}\n{text}\n{}",
                    parsed.diagnostics,
                    translation.text
                );
                match build(&parsed.file, &Settings::default()) {
                    Ok(_) => built += 1,
                    Err(diagnostics) => {
                        let ours = diagnostics.iter().map(|d| translation.origins.diagnostic(d));
                        assert!(ours.clone().count() > 0, "seed {seed}");
                        for diagnostic in ours {
                            assert!(
                                diagnostic.span.end as usize <= text.len(),
                                "seed {seed}: {diagnostic:?}"
                            );
                        }
                    }
                }
            }
            Err(diagnostics) => {
                refused += 1;
                assert!(!diagnostics.is_empty(), "seed {seed}");
                assert!(diagnostics.iter().all(|d| d.span.end as usize <= text.len()), "seed {seed}");
            }
        }
        let taken = start.elapsed();
        longest = longest.max((taken, seed));
        assert!(taken < SOON, "seed {seed}: {taken:?}");
    }
    println!(
        "{translated} translated, {built} built, {refused} refused; the longest took {longest:?} (time, seed)"
    );
    assert!(cases < 1_000 || built > 50, "{built} built");
    assert!(cases < 1_000 || (translated > 50 && refused > 50), "{translated} translated, {refused} refused");
}

/// An editor asks while one types: no answer is out of place, and every use of a name is one of its declaration's.
#[test]
fn changed_texts_answer_an_editor() {
    use orbitscope_murphi::language::{Document, properties};
    let (mut names, mut asked) = (0, 0);
    for seed in 1..=600 {
        let mut random = Random(seed * 77_777 + 1);
        let text = changed(MODELS[random.below(MODELS.len())], &mut random);
        let document = Document::new(&text);
        for _ in 0..20 {
            // Also inside of characters and behind the end.
            let offset = random.below(text.len() + 9);
            drop(document.complete(offset));
            drop(document.hover(offset));
            let places = document.references(offset);
            asked += 1;
            names += usize::from(!places.is_empty());
            for place in &places {
                let [declared] = document.definition(place.start as usize)[..] else { panic!("seed {seed}") };
                assert!(places.contains(&declared), "seed {seed}: {place:?} of {declared:?}\n{text}");
                assert_eq!(place.text(&text), declared.text(&text), "seed {seed}");
            }
        }
        let inside =
            |span: orbitscope_core::text::Span| text.get(span.start as usize..span.end as usize).is_some();
        assert!(document.tokens().iter().all(|token| inside(token.span)), "seed {seed}");
        assert!(
            document.outline().iter().all(|entry| inside(entry.whole) && inside(entry.place)),
            "seed {seed}"
        );
        assert!(
            properties(&text).iter().all(|(name, span)| !name.is_empty() && inside(*span)),
            "seed {seed}"
        );
    }
    assert!(names > asked / 10, "{names} of {asked} offsets are at names");
}
