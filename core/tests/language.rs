//! The language service: what names mean, renaming, completion, and that no half-written text is too strange for it.

use crate::support::programs::{Knobs, add_mixed, generate, typed};
use crate::support::{cases, read_models};
use orbitscope_core::explore::{Exploration, Limits};
use orbitscope_core::functions::Function;
use orbitscope_core::language::{Document, Paint, SymbolKind, WORDS, Word};
use orbitscope_core::models;
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::syntax::{Keyword, parse};
use orbitscope_core::text::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Names that a tag follows (`x'1`): equal tags are one declaration.
const TAGGED: &str = "\
param n'1 = 3 in 1..9
type phase'2 = {idle'3, busy'4}
type message'5 = record { kind'6: phase'2, from'7: client'8, x'9: bool }
type table'71 = record { cells'72[0..n'1]: bool, x'74: bool }
shared grid'73: table'71 = table'71(cells'72: false, x'74: true)
scalarset data'10[2]
shared x'11: 0..n'1 = 0
shared turn'12: {client'13, server'14} = client'13
shared net'15: bag[2] of message'5 = {}
shared seen'16: set of client'8 = {}
shared who'17[a'18 in client'8, 0..1]: client'8? = a'18
shared q'19: queue[2] of message'5 = {}
process server'20 { var x'21: 0..n'1 = 0 action x'22: x'21 < n'1 -> x'21 := x'21 + 1, turn'12 := server'14 }
process client'8[n'1] ring {
  var st'23: phase'2 = idle'3
  var buffer'24: message'5? = none
  action send'25(m'26 in net'15, c'27 in client'8): m'26.kind'6 == idle'3 and c'27.st'23 == busy'4 and next(self).st'23 == idle'3
    -> remove m'26 from net'15, st'23 := m'26.kind'6, forall d'28 in client'8, k'29 in 0..n'1: who'17[d'28, 0] := c'27
  action put'30: true -> push(q'19, message'5(kind'6: busy'4, from'7: self, x'9: false)), buffer'24 := head(q'19)
  action drop'31(s'32 in seen'16): waits'33(s'32) and both'34 -> add message'5(from'7: s'32, kind'6: s'32.st'23, x'9: true) to net'15
  action work'35: st'23 == busy'4 {
    let k'36 = count(d'37 in client'8: d'37.st'23 == busy'4)
    if k'36 > x'11 { set_to'38(x'11, k'36) } else { x'11 := larger'39(x'11, n'1) }
    for d'40 in client'8 { d'40.st'23 := if d'40 == self then idle'3 else d'40.st'23 }
    switch st'23 { case idle'3, busy'4 { skip } else { assert x'11 <= n'1 } }
  }
}
process worker'41[2] {
  var n'42: 0..3 = 0
  loop {
    start'43: let n'75 = 0; x'11 := n'75
    again'76: n'42 := 0; x'11 := n'42
    idle'3: await x'11 == 0
    either { goto start'43 } or { skip }
    last'44: with c'45 in client'8 { c'45.st'23 := busy'4 }
  }
}
procedure set_to'38(out y'46: 0..3, v'47: 0..3) { y'46 := v'47 }
function larger'39(a'48: 0..3, b'49: 0..3): 0..3 { if a'48 > b'49 { return a'48 } return b'49 }
define waits'33(p'50) = p'50.st'23 == busy'4 and (x'11) == 0
define both'34 = st'23 == busy'4 and forall p'51 in client'8: (p'51).st'23 == idle'3
fairness client'8.send'25: strong
fairness worker'41.start'43: weak
invariant x'52: forall n'53 in client'8: n'53.st'23 == idle'3 or (x'11 == 0) == n'53.buffer'24.x'9 or grid'73.cells'72[0] and grid'73.x'74
ltl live'54: forall c'55 in client'8: G (c'55.st'23 == busy'4 => F (turn'12 == client'13 or server'20.x'21 == n'1))
ctl back'56: AG forall w'57 in worker'41: EF w'57.at == start'43
mu deep'58: nu Z'59. mu Y'60. <> (exists c'61 in client'8: c'61.st'23 == idle'3 and Z'59 or Y'60)
automaton wrong'62(c'63 in client'8) {
  initial a'64 { true -> a'64  c'63.st'23 == busy'4 -> b'65 }
  accepting b'65 { true -> b'65 }
}
invariant nest'66: forall c'67 in client'8: exists c'68 in client'8: c'68.st'23 == idle'3 or c'68 == self_of'69(c'68)
define self_of'69(c'70) = c'70
symmetry generators { (client'8[0] client'8[1]) }
";

/// The text without tags, and the places of each tag.
fn untagged(tagged: &str) -> (String, BTreeMap<u32, Vec<Span>>) {
    let (mut text, mut places): (String, BTreeMap<u32, Vec<Span>>) = Default::default();
    for (number, part) in tagged.split('\'').enumerate() {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if number > 0 {
            let end = text.len();
            let start = text.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
            let tag = part[..digits].parse().unwrap();
            places.entry(tag).or_default().push(Span::new(start as u32, end as u32));
        }
        text.push_str(if number > 0 { &part[digits..] } else { part });
    }
    (text, places)
}

#[test]
fn names_mean_what_the_language_says() {
    let (text, places) = untagged(TAGGED);
    let program = build(&parse(&text).file, &Settings::default());
    assert_eq!(program.err(), None, "the model itself is right");
    let document = Document::new(&text);
    assert_eq!(document.unresolved(), []);
    for (tag, spans) in &places {
        for span in spans {
            assert_eq!(&document.references(span.start as usize), spans, "tag {tag} at {}", span.text(&text));
            assert_eq!(&document.references(span.end as usize), spans, "tag {tag}: a caret behind it");
        }
    }
    let tagged: usize = places.values().map(Vec::len).sum();
    assert_eq!(document.occurrences().len(), tagged + 1, "all but `at`, which nobody declares");
}

/// The text with the places replaced.
fn replaced(text: &str, places: &[Span], new: &str) -> String {
    let mut text = text.to_string();
    for place in places.iter().rev() {
        text.replace_range(place.start as usize..place.end as usize, new);
    }
    text
}

fn program(text: &str) -> Option<Program> {
    let parsed = parse(text);
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    build(&parsed.file, &Settings::default()).ok()
}

/// The behaviour of a program: its first states and how many steps they have.
fn behaviour(program: &Program) -> (Vec<Vec<i32>>, u64, usize) {
    let mut exploration = Exploration::new(program, Limits::new(60, 1 << 24), &[]);
    exploration.run();
    let states =
        (0..exploration.states().len()).map(|id| exploration.values(orbitscope_core::explore::StateId(id)));
    (states.collect(), exploration.edge_count(), exploration.deadlocks().len())
}

/// Renames every name of a text at every place; says how many could be renamed.
fn rename_all(name: &str, text: &str) -> usize {
    let document = Document::new(text);
    let Some(before) = program(text) else { return 0 };
    let before = behaviour(&before);
    let mut done: BTreeSet<Vec<Span>> = BTreeSet::new();
    let mut renamed = 0;
    for occurrence in document.occurrences() {
        let at = occurrence.span.start as usize;
        let places = match document.rename(at, "fresh_name") {
            Ok(places) => places,
            Err(why) => {
                let several = occurrence.symbols.len() > 1 || why.0.contains("several things");
                let language = why.0.contains("name of the language");
                assert!(several || language, "{name}, `{}`: {why}", occurrence.span.text(text));
                continue;
            }
        };
        assert!(places.contains(&occurrence.span), "{name}");
        renamed += 1;
        if !done.insert(places.clone()) {
            continue;
        }
        let new = replaced(text, &places, "fresh_name");
        let after = program(&new)
            .unwrap_or_else(|| panic!("{name}: `{}` is renamed\n{new}", occurrence.span.text(text)));
        assert_eq!(behaviour(&after), before, "{name}: `{}` is renamed", occurrence.span.text(text));
        // And back, from another place.
        let again = Document::new(&new);
        let back = again.rename(new.find("fresh_name").unwrap(), occurrence.span.text(text)).unwrap();
        assert_eq!(replaced(&new, &back, occurrence.span.text(text)), text, "{name}");
    }
    renamed
}

#[test]
fn renaming_keeps_the_program() {
    let mut renamed = 0;
    for model in models::ALL {
        let places = rename_all(model.name, model.source);
        assert!(places > 20, "{}: {places}", model.name);
        renamed += places;
    }
    for (name, text) in read_models("code") {
        renamed += rename_all(&name, &text);
    }
    let (text, _) = untagged(TAGGED);
    renamed += rename_all("all constructs", &text);
    for seed in 0..cases(60) {
        let knobs = if seed % 2 == 0 { Knobs::default() } else { Knobs::wide(seed) };
        let spec = add_mixed(generate(seed, &knobs), seed * 8, &knobs, 1);
        renamed += rename_all(&format!("seed {seed}"), &spec.to_string());
        renamed += rename_all(&format!("typed {seed}"), &typed(seed));
    }
    assert!(renamed > 2_000, "{renamed}");
}

#[test]
fn references_are_symmetric() {
    for model in models::ALL {
        let document = Document::new(model.source);
        for occurrence in document.occurrences() {
            for other in document.references(occurrence.span.start as usize) {
                let back = document.references(other.start as usize);
                assert!(back.contains(&occurrence.span), "{}: {:?}", model.name, occurrence);
            }
            assert!(
                !document.definition(occurrence.span.end as usize).is_empty()
                    || occurrence.span.text(model.source) == "at"
            );
        }
    }
}

#[test]
fn what_would_change_the_meaning_is_refused() {
    let (text, places) = untagged(TAGGED);
    let document = Document::new(&text);
    let refused = |tag: u32, new: &str| match document.rename(places[&tag][0].start as usize, new) {
        Ok(_) => panic!("`{new}` is taken for {tag}"),
        Err(why) => why.to_string(),
    };
    assert_eq!(refused(1, "x"), "`x` is declared already: see line 7");
    assert_eq!(refused(1, "param"), "`param` is a reserved word");
    assert_eq!(refused(1, "3n"), "`3n` is no name: letters, digits and `_`, and no digit first");
    assert!(refused(53, "x").contains("would then mean something else"), "captured by a quantifier");
    assert!(
        refused(11, "st").contains("would then mean something else"),
        "hidden by a variable of the process"
    );
    assert!(refused(23, "buffer").contains("declared already"));
    assert!(refused(46, "v").contains("declared already"));
    assert!(refused(33, "next").contains("cannot be a name here"));
    assert!(refused(38, "skip").contains("mean"), "{}", refused(38, "skip"));
    assert!(refused(3, "n").contains("declared already"));
    let at = text.find(".at ==").unwrap() + 1;
    assert_eq!(
        document.rename(at, "where").unwrap_err().0,
        "`at` is a name of the language and cannot be changed"
    );
    assert_eq!(
        document.rename(text.find("param").unwrap(), "m").unwrap_err().0,
        "no name of the model stands here"
    );
    // `st` of a definition that two families use.
    let text = "process a { var st: bool = false action go: busy -> st := busy }\nprocess b { var st: bool = true action go: busy -> st := false }\ndefine busy = st";
    let document = Document::new(text);
    let why = document.rename(text.find("st:").unwrap(), "on").unwrap_err();
    assert_eq!(why.0, "`st` in line 3 stands for several things at once: of `a` and of `b`");
    // A value that is named before a label, and whoever comes from the label.
    let text = "process p { var k: 0..1 = 0 loop { a: let k = 1; if k == 0 { b: skip }; k := k } }";
    assert_eq!(Document::new(text).references(text.find("k := k").unwrap()).len(), 5);
    assert!(Document::new(text).rename(text.find("k := k").unwrap(), "other").is_err());
    // An operator of the logic is a name where no operand follows.
    let text = "shared x: bool = false\nprocess p { action go: x -> x := false }\nltl a: G x and x";
    assert_eq!(Document::new(text).rename(7, "F").map(|places| places.len()), Ok(5));
}

/// Nothing that is typed makes it panic, and what is found is in the text.
#[test]
fn no_place_is_too_strange() {
    let survive = |text: &str, offset: usize| {
        let document = Document::new(text);
        if let Some(found) = document.complete(offset, true) {
            assert!(found.start <= offset && !found.suggestions.is_empty());
        }
        document.complete(offset, false);
        let inside = |span: Span| assert!(text.get(span.start as usize..span.end as usize).is_some());
        document.hover(offset).into_iter().for_each(|hover| inside(hover.span));
        document.definition(offset).into_iter().chain(document.references(offset)).for_each(inside);
        let _ = document.rename(offset, "other");
        document.brackets(offset).into_iter().for_each(|(open, close)| {
            inside(open);
            inside(close);
        });
        let tokens = document.tokens();
        assert!(tokens.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
        document.outline();
    };
    let (constructs, _) = untagged(TAGGED);
    let texts = models::ALL.iter().map(|model| model.source).chain([constructs.as_str()]);
    for (number, text) in texts.enumerate() {
        for (offset, _) in text.char_indices().skip(number % 7).step_by(61) {
            survive(&text[..offset], offset);
            survive(text, offset);
            // A word is missing.
            let rest = text[offset..].find(char::is_whitespace).map_or(text.len(), |end| offset + end);
            survive(&format!("{}{}", &text[..offset], &text[rest..]), offset);
        }
    }
    for text in [
        "",
        "é",
        "type a = set of a\ntype b = record { b: b }\nshared x: a = {}",
        "define f(x) = f(x).y",
        "𝄞𝄞",
    ] {
        (0..=text.len() + 1).for_each(|offset| survive(text, offset));
    }
}

const MODEL: &str = "param clients = 3\nshared turn: {left, right} = left\nprocess server { var busy: bool = false }\n\
    process client[clients] {\n  var st: {I, R} = I\n  var slot: 0..3 = 0\n  action go: st == I -> st := R\n}\n\
    type letter = record { kind: {read, ack}, to: client }\nshared box: set of letter = {}\n";

/// The first names that are offered at the `|` in a text after the model.
fn offered(text: &str, asked: bool) -> Vec<String> {
    let source = format!("{MODEL}{}", text.replace('|', ""));
    let offset = MODEL.len() + text.find('|').unwrap();
    let document = Document::new(&source);
    let names = document.complete(offset, asked).map_or_else(Vec::new, |found| found.suggestions);
    names.into_iter().map(|name| name.text).collect()
}

#[test]
fn what_fits_the_place_is_offered() {
    for (text, names) in [
        ("ltl a: forall c in client: G c.|", &["st", "slot"][..]),
        ("ltl a: forall c in client: G c.sl|", &["slot"]),
        ("invariant a: client[0].|", &["st", "slot"]),
        ("invariant a: server.|", &["busy"]),
        ("invariant a: forall l in box: l.|", &["kind", "to"]),
        ("invariant a: forall l in box: l.to.|", &["st", "slot"]),
        ("invariant a: unknown.|", &["busy", "st", "slot", "kind", "to"]),
        ("invariant a: cl|", &["clients", "client"]),
        ("invariant a: tur|", &["turn"]),
        ("invariant a: lef|", &["left"]),
        ("inv|", &["invariant"]),
        ("ltl a: alw|", &["always"]),
        ("ltl a: even|", &["eventually"]),
        ("ctl a: alw|", &[]),
        ("invariant a: alw|", &[]),
        ("invariant a: TUR|", &["turn"]),
        ("invariant a: forall c in |", &[]),
        ("// cl|", &[]),
        ("/* cl| */", &[]),
        ("param cl|", &[]),
        ("ltl c|", &[]),
        ("invariant a: 3|", &[]),
        ("invariant a: |", &[]),
        ("invariant a: turn|", &[]),
        ("invariant a: forall c|", &[]),
    ] {
        assert_eq!(offered(text, false), names, "{text}");
    }
    for (text, first) in [
        ("invariant a: forall c in |", &["client", "server", "box"][..]),
        ("invariant a: forall c in client: c.st == |", &["I", "R", "c"]),
        ("invariant a: forall c in client: c.st == | and true", &["I", "R", "c"]),
        ("invariant a: turn == |", &["left", "right"]),
        ("invariant a: exists l in box: l.kind != |", &["read", "ack", "l"]),
        ("process q { var w: |", &["client", "server", "letter", "q", "bool"]),
        ("type t = |", &["client", "server", "letter", "t", "bool"]),
        ("process q { var w: bool = false action go: w { let k = w  |", &["k", "w", "if", "for"]),
        ("process q { var w: bool = false\n loop {\n here: skip\n |", &["at", "w", "if", "for"]),
        ("process q { loop { here: skip there: goto |", &["here", "there"]),
        ("process q { |", &["var", "action"]),
        ("fairness |", &["server", "client"]),
        ("fairness client.|", &["go"]),
        ("fairness client: |", &["weak", "strong", "none"]),
        ("symmetry |", &["auto", "none", "generators"]),
        ("process q { action go(c in client): c.st == R -> turn := |", &["left", "right", "c"]),
        ("mu a: |", &["server"]),
    ] {
        let found = offered(text, true);
        let first: BTreeSet<&str> = first.iter().copied().collect();
        let leading: BTreeSet<&str> = found.iter().take(first.len()).map(String::as_str).collect();
        let all: BTreeSet<&str> = found.iter().map(String::as_str).collect();
        if text.starts_with("mu") {
            assert!(all.is_superset(&["mu", "nu", "server"].into()), "{text}: {found:?}");
        } else {
            assert_eq!(leading, first, "{text}: {found:?}");
        }
    }
}

#[test]
fn the_pointer_is_told_what_a_name_is() {
    let text = "// How many.\n// At least one.\nparam n = 3\n\nprocess p[n] { // not this\n  /* Where it is. */\n  var st: {I, R} = I\n  action go: st == I -> st := R\n}\n// Apart.\n\ndefine busy(q) = q.st == R\nltl a: forall c in p: F busy(c) and index(c) == 0\n";
    let document = Document::new(text);
    let hover = |part: &str| document.hover(text.find(part).unwrap()).unwrap();
    let n = hover("n]");
    assert_eq!((n.code.as_str(), n.says.as_str()), ("param n = 3", "parameter: a number"));
    assert_eq!(n.comment.as_deref(), Some("How many.\nAt least one."));
    let st = hover("st == I");
    assert_eq!((st.code.as_str(), st.says.as_str()), ("var st: {I, R} = I", "variable of `p`: {I, R}"));
    assert_eq!(st.comment.as_deref(), Some("Where it is."));
    let go = hover("go:");
    assert_eq!(
        (go.code.as_str(), go.says.as_str(), go.comment),
        ("action go: st == I", "action of `p`", None)
    );
    assert_eq!(hover("c in p").says, "bound name: p");
    assert_eq!(hover("q.st").says, "argument of `busy`: p");
    assert_eq!(hover("busy(q)").comment, None, "a blank line parts them");
    assert_eq!(hover("index").code, "index(p)");
    assert_eq!(hover("F busy").code, "F");
    assert_eq!(hover("p[n]").code, "process p[n]");
    assert_eq!(document.hover(text.find("== 0").unwrap() + 1), None);
}

/// Every word with a meaning says what the reference says.
#[test]
fn words_are_those_of_the_reference() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/language.md");
    let reference = std::fs::read_to_string(path).unwrap();
    let flat: Vec<&str> = reference.split_whitespace().collect();
    let flat = flat.join(" ");
    let flattened = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in WORDS {
        assert!(flat.contains(&flattened(word.form)), "`{}`: {}", word.text, word.form);
        assert!(flat.contains(&flattened(word.says)), "`{}`: {}", word.text, word.says);
    }
    for word in Keyword::ALL.iter().map(|k| k.text()).chain(Function::ALL.map(Function::name)) {
        assert!(Word::named(word).is_some(), "nothing is said of `{word}`");
    }
}

#[test]
fn pieces_and_brackets() {
    let text = "process p[2] { var st: {R, G} = R action x: st == R -> st := G }\nltl a: G (p[0].st == R => F G lost) // end";
    let document = Document::new(text);
    let painted = |paint: Paint| -> Vec<&str> {
        document.tokens().into_iter().filter(|t| t.paint == paint).map(|t| t.span.text(text)).collect()
    };
    assert_eq!(painted(Paint::Temporal), ["G", "F", "G"]);
    assert_eq!(painted(Paint::Name(SymbolKind::Literal)), ["R", "G", "R", "R", "G", "R"]);
    assert_eq!(painted(Paint::Name(SymbolKind::Family)), ["p", "p"]);
    assert_eq!(painted(Paint::Comment), ["// end"]);
    assert_eq!(painted(Paint::Number), ["2", "0"]);
    let open = text.find("(p").unwrap();
    let (start, end) = document.brackets(open).unwrap();
    assert_eq!((start.start as usize, end.start as usize), (open, text.find(") //").unwrap()));
    assert_eq!(document.brackets(text.find(") //").unwrap() + 1), Some((start, end)));
    assert_eq!(document.brackets(text.find("ltl").unwrap() + 1), None);
    let outline = document.outline();
    let names = |outline: &[orbitscope_core::language::Outline]| -> Vec<String> {
        outline.iter().map(|o| o.name.clone()).collect()
    };
    assert_eq!(names(&outline), ["p", "a"]);
    assert_eq!(names(&outline[0].inside), ["st", "x"]);
}
