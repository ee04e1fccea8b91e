//! Links come from anywhere: what was written is read again, and nothing else does harm.

use crate::support::random::Random;
use base64ct::{Base64UrlUnpadded, Encoding};
use miniz_oxide::deflate::compress_to_vec_zlib;
use orbitscope_core::limits::{MAX_LINK_CONTENT, MAX_LINK_LENGTH};
use orbitscope_core::link::{Link, LinkError};
use orbitscope_core::models;

fn example(random: &mut Random) -> Link {
    let mut link = Link { text: random.pick(models::ALL).source.into(), ..Link::default() };
    for number in 0..random.below(3) {
        link.settings.push((format!("n{number}"), random.between(-1_000, 1_000)));
    }
    for (name, values) in [("fairness", ["weak", "strong"]), ("prune", ["none", "process"])] {
        if random.chance(50) {
            link.options.insert(name.into(), (*random.pick(&values)).into());
        }
    }
    link.property = random.chance(50).then(|| "eventually_access".into());
    link.view = random.chance(50).then(|| "product".into());
    link.step = random.chance(50).then(|| random.bits() as u32);
    link.walk = random.chance(50).then(|| format!("0,-1,{}:7,0", random.below(9)));
    link
}

/// A link of version 1 around any bytes.
fn wrapped(content: &[u8]) -> String {
    format!("1.{}", Base64UrlUnpadded::encode_string(&compress_to_vec_zlib(content, 6)))
}

fn content_error(content: &str) -> String {
    match Link::decode(&wrapped(content.as_bytes())) {
        Err(LinkError::Content(what)) => what,
        other => panic!("{content:?} gives {other:?}"),
    }
}

#[test]
fn what_is_written_is_read_again() {
    let mut random = Random::new(1);
    for _ in 0..500 {
        let link = example(&mut random);
        let fragment = link.encode();
        assert!(fragment.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)), "{fragment}");
        assert_eq!(Link::decode(&fragment), Ok(link));
    }
}

#[test]
fn any_text_survives() {
    for text in ["", "\n", "\n\nset x=1\n", "// π ≤ ∞ 🎈\r\n", "</script><script>alert(1)</script>"] {
        let link = Link { text: text.into(), ..Link::default() };
        assert_eq!(Link::decode(&link.encode()), Ok(link));
    }
}

/// Links that were sent stay readable: this one was written when the format was fixed.
#[test]
fn the_first_version_is_read() {
    let fragment = "1.eNoNysENgCAMBdB7p_gTEMEzwxAthoOlaavG7fWdn3NA6kpqU9nihbfONDXGFPQ2TNi9etiUg-7BD_65X1uQBytyIdJm7YSgomAIckp5oQ99wB0x";
    let expected = Link {
        text: "param n = 2 in 1..10\n".into(),
        settings: vec![("n".into(), 3)],
        property: Some("safe".into()),
        options: [("fairness".into(), "strong".into())].into(),
        view: Some("product".into()),
        step: Some(12),
        walk: None,
    };
    assert_eq!(Link::decode(fragment), Ok(expected));
}

#[test]
fn damaged_links_are_refused() {
    let mut random = Random::new(2);
    let link = example(&mut random);
    let fragment = link.encode();
    for length in 0..fragment.len() {
        let error = Link::decode(&fragment[..length]).expect_err("a part of a link");
        let expected = if length < 2 { LinkError::NotALink } else { LinkError::Damaged };
        assert_eq!(error, expected, "{length} characters");
    }
}

#[test]
fn ten_thousand_mutated_links() {
    let mut random = Random::new(3);
    let (mut damaged, mut other) = (0, 0);
    for _ in 0..10_000 {
        let link = example(&mut random);
        let mut bytes = link.encode().into_bytes();
        for _ in 0..=random.below(4) {
            if bytes.is_empty() {
                break;
            }
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.below(128) as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, random.below(128) as u8),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let fragment = String::from_utf8(bytes).expect("the characters are ASCII");
        match Link::decode(&fragment) {
            // A change of what the checksum does not cover, such as white space around the link.
            Ok(read) => assert_eq!(read, link, "{fragment}"),
            Err(LinkError::Damaged) => damaged += 1,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                other += 1;
            }
        }
    }
    assert!(damaged > 5_000 && other > 10, "{damaged} damaged, {other} others");
}

#[test]
fn random_bytes_are_refused() {
    let mut random = Random::new(4);
    for _ in 0..10_000 {
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.bits() as u8).collect();
        assert!(Link::decode(&String::from_utf8_lossy(&bytes)).is_err());
        let inside = format!("1.{}", Base64UrlUnpadded::encode_string(&bytes));
        assert!(Link::decode(&inside).is_err());
        assert!(Link::decode(&wrapped(&bytes)).is_err() || bytes.starts_with(b"\n"));
    }
}

#[test]
fn sizes_are_bounded() {
    let long = format!("1.{}", "A".repeat(10 << 20));
    assert_eq!(Link::decode(&long), Err(LinkError::TooLong(long.len())));
    // Two kilobytes a megabyte: a short link that would fill the memory.
    let bomb = wrapped(&vec![b'\n'; 64 << 20]);
    assert!(bomb.len() < MAX_LINK_LENGTH, "{} characters", bomb.len());
    assert_eq!(Link::decode(&bomb), Err(LinkError::TooLarge));
    let largest = Link { text: "x".repeat(MAX_LINK_CONTENT - 1), ..Link::default() };
    assert_eq!(Link::decode(&largest.encode()), Ok(largest));
}

#[test]
fn versions() {
    let rest = &Link::default().encode()[2..];
    for (version, expected) in [
        // This version has an exercise behind the model.
        ("2", LinkError::Damaged),
        ("3", LinkError::Newer(3)),
        ("4000000000", LinkError::Newer(4_000_000_000)),
        ("99999999999", LinkError::NotALink),
        ("0", LinkError::NotALink),
        ("", LinkError::NotALink),
        ("+1", LinkError::NotALink),
        ("x", LinkError::NotALink),
    ] {
        assert_eq!(Link::decode(&format!("{version}.{rest}")), Err(expected), "{version}");
    }
    assert_eq!(Link::decode("model"), Err(LinkError::NotALink));
    assert!(LinkError::Newer(7).to_string().contains("format 7"));
}

/// The model is read whatever comes behind it, and the exercise is any text.
#[test]
fn an_exercise_comes_behind_the_model() {
    let mut random = Random::new(5);
    for exercise in ["", "{}", "// π ≤ ∞ 🎈\r\n"] {
        let link = example(&mut random);
        let fragment = link.encode_with(exercise);
        assert_eq!(fragment.split('.').nth(1), link.encode().split('.').nth(1), "the same as without it");
        assert_eq!(Link::decode(&fragment), Ok(link.clone()));
        assert_eq!(orbitscope_core::link::exercise(&fragment), Ok(Some(exercise.into())));
        assert_eq!(orbitscope_core::link::exercise(&link.encode()), Ok(None));
        let (model, behind) = fragment.rsplit_once('.').unwrap();
        for length in 0..behind.len() {
            let cut = format!("{model}.{}", &behind[..length]);
            assert_eq!(Link::decode(&cut), Ok(link.clone()));
            assert_eq!(orbitscope_core::link::exercise(&cut), Err(LinkError::Damaged), "{length} characters");
        }
    }
}

#[test]
fn contents_that_this_version_does_not_write() {
    assert_eq!(content_error("set n=3"), "it has no model");
    assert_eq!(content_error("set n=3\n"), "it has no model");
    assert_eq!(content_error("set n\n\n"), "`n` does not say a set");
    assert_eq!(content_error("set n=three\n\n"), "`n=three` does not say a set");
    assert_eq!(content_error("set n=9223372036854775808\n\n"), "`n=9223372036854775808` does not say a set");
    assert_eq!(content_error("step -1\n\n"), "`-1` does not say a step");
    assert_eq!(content_error("property <b>x</b>\n\n"), "`<b>x</b>` does not say a property");
    assert_eq!(content_error("colour red\n\n"), "`colour` is not known here; a newer page may know it");
    assert_eq!(Link::decode(&wrapped(b"\n\xff")), Err(LinkError::Damaged));
}
