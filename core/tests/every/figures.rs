//! The figures of the text that the procedure was first tried in, and the figures of the guide.

use super::{built_in, prover, told};
use orbitscope_core::check::Options;
use orbitscope_core::every::{Conclusion, Effort, Found, Prover, Reason, Rule, RunToEnd};
use orbitscope_core::models;
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::program::Settings;
use orbitscope_core::syntax::ast::Fairness;
use orbitscope_core::syntax::parse;
use std::collections::BTreeMap;

/// The answers of the text about the built-in models, row by row; those about its other models stand in these, in `data/every`.
#[test]
fn answers_of_the_text() {
    use FairnessChoice::{All, Model};
    let (weak, strong, none) = (All(Fairness::Weak), All(Fairness::Strong), All(Fairness::None));
    let table = [
        ("simplified_controller", "mutual_exclusion", Model, "every [1] simulation"),
        ("simplified_controller", "always_idle_again", Model, "every [1] simulation"),
        ("simplified_controller", "always_idle_again", none, "violated [2]"),
        ("simplified_controller", "eventually_access", Model, "violated [1]"),
        ("simplified_controller", "two_at_work", Model, "violated [1]"),
        ("resource_controller", "mutual_exclusion", Model, "every [1] simulation"),
        ("resource_controller", "turn_returns", Model, "every [1] simulation"),
        ("resource_controller", "eventually_access", Model, "violated [1]"),
        ("idle_in_between", "idle_in_between", Model, "every [1] simulation"),
        ("mutex_emerson_sistla", "mutual_exclusion", Model, "every [1] simulation"),
        ("mutex_emerson_sistla", "somebody_enters", Model, "every [1] threads"),
        ("mutex_emerson_sistla", "no_starvation", strong, "every [1] threads"),
        ("mutex_emerson_sistla", "no_starvation", weak, "violated [2]"),
        ("readers_writers", "writes_alone", Model, "every [1, 1] simulation"),
        ("readers_writers", "writer_stops", Model, "every [1, 1] simulation"),
        ("readers_writers", "reader_gets_in", Model, "every [1, 1] threads"),
        ("readers_writers", "reads_alone", Model, "violated [2, 1]"),
        ("readers_writers", "writer_gets_in", Model, "violated [1, 1]"),
        ("readers_writers", "reader_gets_in", weak, "violated [1, 1]"),
        ("ethernet", "one_sender", Model, "every [2] simulation"),
        ("ethernet", "jam_has_a_cause", Model, "every [2] simulation"),
        ("ethernet", "frame_ends", Model, "every [2] simulation"),
        ("ethernet", "no_collision", Model, "violated [2]"),
        ("ethernet", "frame_is_sent", Model, "violated [2]"),
        ("ethernet", "somebody_sends", Model, "violated [2]"),
    ];
    for (model, property, fairness, expected) in table {
        let mut text = built_in(model).to_owned();
        if property == "turn_returns" {
            text += "\nltl turn_returns: G F turn == clients_turn";
        }
        let prover = prover(&text, Options { fairness, ..Options::default() }, Effort::default());
        let proof = prover.prove(Some(property), &mut RunToEnd);
        assert_eq!(told(&proof), expected, "{model} {property} {fairness:?}");
    }
    // Under weak fairness the semaphore starves somebody, and the text's three permits need no law where one counts up to three.
    let all = crate::support::read_models("every");
    let text = |name: &str| &all.iter().find(|(file, _)| file == name).expect(name).1;
    let semaphore =
        prover(text("semaphore.orb"), Options { fairness: weak, ..Options::default() }, Effort::default());
    assert_eq!(told(&semaphore.prove(Some("no_starvation"), &mut RunToEnd)), "violated [2]");
    let effort = Effort { rules: Rule::Drift, ..Effort::default() };
    let permits = prover(text("permits_and_wait.orb"), Options::default(), effort);
    for (finer, proved) in [(0, false), (1, false), (2, true)] {
        let (_, found) = permits.attempt(Some("full_means_nobody"), &[1], finer, &mut RunToEnd);
        assert_eq!(matches!(found, Some(Found::Proved(_))), proved, "counted up to {}: {found:?}", finer + 1);
    }
}

/// Abstract states and edges of the built-in models at the threshold that they need, as a prototype without any of this code counted
/// them; 150 and 655 for the ethernet, where that had 154 and 659 with a single station, which the model excludes.
#[test]
fn sizes_of_abstract_systems() {
    let table = [
        ("simplified_controller", "mutual_exclusion", 17, 54),
        ("simplified_controller", "always_idle_again", 45, 180),
        ("resource_controller", "mutual_exclusion", 33, 70),
        ("idle_in_between", "idle_in_between", 89, 224),
        ("mutex_emerson_sistla", "mutual_exclusion", 17, 36),
        ("mutex_emerson_sistla", "no_starvation", 45, 117),
        ("readers_writers", "writes_alone", 280, 1179),
        ("readers_writers", "reader_gets_in", 810, 4050),
        ("ethernet", "one_sender", 150, 574),
        ("ethernet", "frame_ends", 655, 2944),
    ];
    for (model, property, states, edges) in table {
        let prover = prover(built_in(model), Options::default(), Effort::default());
        let least: Vec<i64> = prover.opened().params.iter().map(|p| p.least).collect();
        let (proof, found) = prover.attempt(Some(property), &least, 0, &mut RunToEnd);
        assert!(found.is_some());
        assert_eq!((proof.states, proof.edges), (states, edges), "{model} {property}");
        assert!(proof.thresholds.iter().all(|&t| t == 1), "{model} {property}");
    }
}

/// The models that the procedure was tried on first, with the abstract states and edges that a prototype counted before any law and
/// from n = 1 on: without a tracked process, and with one of the first family. Two rows of the text differ: it says no more than that a
/// flag is raised once and lowered twice a round, and that a holder has a licence; `drift` and `licences` are our models of that, with
/// fewer local states, and have 15 and 34 abstract states where the text's have 42 and 53. What is asked of them, the answers, and the
/// rules that these rest on are the same. The size of moves in twos is not in the text.
#[test]
fn sizes_of_the_models_of_the_text() {
    let table = [
        ("semaphore", "client", (26, 54), Some((72, 180))),
        ("barrier", "client", (18, 27), Some((45, 81))),
        ("two_rooms", "client", (79, 174), Some((270, 717))),
        ("producers", "producer", (416, 1782), Some((1296, 6507))),
        ("commit_once", "rm", (168, 743), None),
        ("shuffle", "client", (26, 110), None),
        ("permits_and_wait", "client", (69, 216), None),
        ("pairs", "client", (18, 55), None),
        ("quorum", "client", (23, 42), None),
        ("drift", "flag", (15, 23), None),
        ("licences", "client", (34, 122), None),
    ];
    let all = crate::support::read_models("every");
    for (name, family, counted, tracked) in table {
        let (_, text) = all.iter().find(|(file, _)| *file == format!("{name}.orb")).expect(name);
        let text = format!("{text}\ninvariant nothing: true\nltl nobody: forall z in {family}: G true");
        let prover =
            prover(&text, Options::default(), Effort { rules: Rule::Simulation, ..Effort::default() });
        let from: Vec<i64> = prover.opened().params.iter().map(|p| p.least).collect();
        for (property, expected) in [("nothing", Some(counted)), ("nobody", tracked)] {
            let (proof, _) = prover.attempt(Some(property), &from, 0, &mut RunToEnd);
            let found = (proof.states, proof.edges);
            assert!(expected.is_none_or(|expected| expected == found), "{name} {property}: {found:?}");
        }
    }
}

/// Processes that go wherever they like reach every census: (T + 2)^L of them, and L times as many for each tracked process.
#[test]
fn how_abstract_systems_grow() {
    for rooms in 2..=5u32 {
        let names: Vec<String> = (0..rooms).map(|room| format!("r{room}")).collect();
        let mut text =
            format!("param n = 3\nprocess client[n] {{\n  var st: {{{}}} = r0\n", names.join(", "));
        for room in 0..rooms {
            let next = (room + 1) % rooms;
            text.extend([
                "  action a",
                &room.to_string(),
                ": st == r",
                &room.to_string(),
                " -> st := r",
                &next.to_string(),
                "\n",
            ]);
        }
        text += "}\nltl nobody: G F exists c in client: c.st == r0
            ltl one: forall c in client: G F c.st == r0
            ltl two: forall c in client, d in client: G F (c.st == r0 or d.st == r0)";
        let effort = Effort { rules: Rule::Simulation, ..Effort::default() };
        let prover = prover(&text, Options::default(), effort);
        for finer in 0..=2u32 {
            for (tracked, name) in (0..).zip(["nobody", "one", "two"]) {
                let census = (finer + 3).pow(rooms) as usize;
                if census * rooms.pow(tracked) as usize > 2_000 {
                    continue;
                }
                let (proof, _) = prover.attempt(Some(name), &[1], finer, &mut RunToEnd);
                // Without a tracked process there is somebody else, at least.
                let expected = census * rooms.pow(tracked) as usize - usize::from(tracked == 0);
                assert_eq!(proof.states, expected, "{rooms} rooms, {name}, {finer} more");
            }
        }
    }
}

/// The rows of the guide's table of models: how many properties hold, are violated, are not known, and are outside.
fn rows_of_the_guide(guide: &str) -> BTreeMap<&str, [usize; 4]> {
    let start = guide.find("| model | holds for every n |").expect("the guide has the table");
    let rows = guide[start..].lines().skip(2).take_while(|line| line.starts_with("| `"));
    let row = |line| {
        let fields: Vec<&str> = str::split(line, '|').map(str::trim).collect();
        let count = |at: usize| fields[at].parse().expect("a number");
        (fields[1].trim_matches('`'), [2, 3, 4, 5].map(count))
    };
    rows.map(row).collect()
}

/// The models that come with the tool say of which properties it is proved for every size, and these are all. Of the properties inside of
/// what can be said nine tenths are decided, deadlocks too. The guide has each model: a row with its answers, and a line with the reason
/// for each model or property about which there is none, but for those of branching time.
#[test]
fn notes_in_the_models_and_the_guide() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/every-n.md");
    let guide = std::fs::read_to_string(path).expect("the guide is there");
    let mut rows = rows_of_the_guide(&guide);
    let (mut inside, mut decided, mut missing) = (0, 0, Vec::new());
    for model in models::GROUPS.iter().flat_map(|group| group.models) {
        let parsed = parse(model.source);
        let noted = noted(model.source);
        let effort = effort_of(model.name);
        let mut reasons = Vec::new();
        match Prover::new(&parsed.file, &Settings::default(), &[], Options::default(), effort) {
            Err(errors) => {
                assert_eq!(noted, Vec::<String>::new(), "{}", model.name);
                assert!(!rows.contains_key(model.name), "{}", model.name);
                reasons.push(format!("- `{}`: {}", model.name, errors[0].message));
            }
            Ok(prover) => {
                let names: Vec<String> = prover.properties().map(ToString::to_string).collect();
                let (mut proved, mut counts) = (Vec::new(), [0; 4]);
                for name in names.iter().map(|name| Some(name.as_str())).chain([None]) {
                    let proof = prover.prove(name, &mut RunToEnd);
                    proved.extend(name.filter(|_| proof.holds()).map(ToString::to_string));
                    let kind = match &proof.conclusion {
                        Conclusion::Holds { .. } => 0,
                        Conclusion::Violated { .. } => 1,
                        Conclusion::Unknown(Reason::Outside(_)) => 3,
                        Conclusion::Unknown(_) => 2,
                    };
                    counts[kind] += 1;
                    let words = match &proof.conclusion {
                        Conclusion::Unknown(Reason::Outside(outside)) => outside.message.clone(),
                        Conclusion::Unknown(reason) => reason.to_string(),
                        _ => continue,
                    };
                    // The guide says this of all of them at once.
                    if words != "properties of branching time are not proved for every size" {
                        let name = name.unwrap_or("deadlocks");
                        reasons.push(format!("- `{}` `{name}`: {words}", model.name));
                    }
                }
                assert_eq!(noted, proved, "{}", model.name);
                assert_eq!(rows.remove(model.name), Some(counts), "{}, in the guide", model.name);
                inside += counts[..3].iter().sum::<usize>();
                decided += counts[..2].iter().sum::<usize>();
            }
        }
        missing.extend(reasons.into_iter().filter(|reason| !guide.lines().any(|line| line == reason)));
    }
    assert!(missing.is_empty(), "the guide does not say:\n{}", missing.join("\n"));
    assert!(rows.is_empty(), "the guide has models that are not there: {rows:?}");
    assert!(inside >= 80 && 10 * decided >= 9 * inside, "{decided} of {inside}");
}

/// German's protocol has more abstract states than the usual effort allows: here it gives up sooner.
fn effort_of(model: &str) -> Effort {
    let usual = Effort::default();
    if model == "german" { Effort { states: 5_000, instance: 5_000, ..usual } } else { usual }
}

/// The properties that the last line lists.
fn noted(source: &str) -> Vec<String> {
    let list = source.lines().find_map(|line| line.strip_prefix("// proved for every size: "));
    list.map_or_else(Vec::new, |list| list.split(", ").map(ToString::to_string).collect())
}
