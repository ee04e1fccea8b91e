use super::files::{self, Format};
use super::*;
use crate::engine::{Document, Model, Tuning, models};
use crate::session::bench::{settled, settled_after};
use crate::session::{Action, OWN, Play};
use crate::view::picture::export::Seen;
use crate::view::picture::marks::Marks;
use crate::view::picture::places::Places;
use orbitscope_core::search::log::Player;
use std::rc::Rc;

fn builtin(name: &str) -> Model {
    *models().iter().find(|model| model.name == name).unwrap()
}

fn after(session: Session, actions: impl IntoIterator<Item = Action>) -> Session {
    actions.into_iter().fold(session, |session, action| session.apply(action))
}

/// Somebody else's page, right after it was opened with a link.
fn elsewhere(fragment: &str) -> Session {
    let (opening, remarks) = read(fragment).unwrap();
    assert_eq!(remarks, [] as [&str; 0]);
    Session::new(builtin("token_ring")).apply(Action::Open(Box::new(opening)))
}

#[test]
fn a_link_opens_the_same_picture_elsewhere() {
    for (name, property, view) in [
        ("simplified_controller", 1, GraphKind::Product),
        ("resource_controller", 2, GraphKind::Aqsi),
        ("peterson", 0, GraphKind::States),
    ] {
        let first = settled(Session::new(builtin(name)));
        let choices = Choices {
            fairness: FairnessChoice::All(Fairness::Strong),
            prune: Prune::Process,
            deadlock: Deadlock::Drop,
            fair_ctl: true,
            ..Choices::default()
        };
        let mut actions = vec![Action::Property(property), Action::Choose(choices), Action::View(view)];
        if let Some(param) = first.found.info.as_ref().unwrap().params.first() {
            actions.push(Action::Set(param.name.clone(), 2));
        }
        actions.push(Action::Play(Play::Seek(5)));
        let here = settled_after(Session::new(builtin(name)), actions);
        let fragment = link(&here).encode();
        let there = settled(elsewhere(&fragment));
        assert_eq!(there.question, here.question, "{name}");
        assert_eq!(there.choices, here.choices, "{name}");
        assert_eq!((there.property, there.scene.view), (here.property, here.scene.view), "{name}");
        assert_eq!(
            (there.play.player.step, there.play.player.len),
            (here.play.player.step, here.play.player.len),
            "{name}"
        );
        assert!(there.play.player.len == 0 || there.play.player.step == 5, "{name}");
        assert_eq!(there.film(), here.film(), "{name}");
        let picture = |session: &Session| session.picture(session.graph(view)).cloned();
        assert!(picture(&here).is_some() && picture(&there) == picture(&here), "{name}");
        assert_eq!((there.model.name, there.is_edited()), (name, false));
        assert_eq!(*there.kept.remarks, []);
        // And what is sent on from there is the same again.
        assert_eq!(link(&there).encode(), fragment);
    }
}

#[test]
fn a_link_can_be_sent_on_before_the_engine_has_answered() {
    let here = settled(Session::new(builtin("simplified_controller")));
    let here = after(here, [Action::Property(0), Action::View(GraphKind::Threaded)]);
    let fragment = link(&settled(here).apply(Action::Play(Play::Seek(3)))).encode();
    assert_eq!(link(&elsewhere(&fragment)).encode(), fragment);
}

#[test]
fn whoever_moves_the_player_or_edits_is_not_taken_back() {
    let here = settled(Session::new(builtin("simplified_controller"))).apply(Action::Play(Play::Seek(7)));
    let there = settled(elsewhere(&link(&here).encode())).apply(Action::Play(Play::Seek(2)));
    let again = settled(there.apply(Action::Edit(format!("{}\n", there.question.source).into())));
    assert_eq!(again.play.player.step, 0);
    assert_eq!(link(&again).step, None);
}

#[test]
fn what_is_not_known_is_said_and_passed_over() {
    let text = "param n = 2 in 1..9\nprocess p[n] { var x: bool = false action go: not x -> x := true }\nltl live: forall q in p: F q.x\n";
    let link = Link {
        text: text.into(),
        settings: vec![("m".into(), 3), ("n".into(), 3)],
        property: Some("dead".into()),
        options: [("fairness", "great"), ("colour", "red"), ("prune", "none")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        view: Some("sideways".into()),
        step: Some(u32::MAX),
        walk: Some("1,2".into()),
    };
    let (opening, remarks) = opening(link);
    assert_eq!(
        remarks,
        [
            "The option colour=red is not known here and was passed over.",
            "The option fairness=great is not known here and was passed over.",
            "The view `sideways` is not known here: the quotient is shown.",
            "The walk of this link cannot be read: the model is opened without it.",
        ]
    );
    assert_eq!(opening.choices, Choices { prune: Prune::None, ..Choices::default() });
    let session = settled(Session::new(models()[0]).apply(Action::Open(Box::new(opening))));
    let said: Vec<&str> = session.kept.remarks.iter().map(|remark| &**remark).collect();
    assert_eq!(
        said,
        [
            "The model has no parameter `m`: its value was passed over.",
            "The model has no property `dead`: another one is shown.",
        ]
    );
    assert_eq!(session.model.name, "shared");
    assert!(!session.is_edited());
    assert_eq!(session.property, Some(0));
    assert_eq!(session.play.player.step, session.play.player.len);
    assert_eq!(session.found.info.as_ref().unwrap().processes, 3);
    let fewer = session.apply(Action::Dismiss(0));
    assert_eq!(fewer.kept.remarks.len(), 1);
}

#[test]
fn a_bad_link_changes_nothing() {
    for fragment in ["", "#", "#1.", "#2.AAAA", "#1.eNoVzDEKAj", "#<script>alert(1)</script>", "#top"] {
        assert!(read(fragment).is_err(), "{fragment}");
    }
    let long = |length: usize| read(&Link { text: " ".repeat(length), ..Link::default() }.encode());
    assert!(long(MAX_TEXT).is_ok());
    assert_eq!(long(MAX_TEXT + 1).unwrap_err(), Refused::Text(MAX_TEXT + 1));
}

#[test]
fn what_is_kept_comes_back_whatever_wrote_it() {
    let text = "// two\n\nparam n = 2\n";
    let session = Session::new(models()[0]);
    let session = after(session, [Action::Edit(text.into()), Action::Set("n".into(), 5)]);
    let back = read_kept(&kept_text(&session), Some(models()[0]));
    assert_eq!(back.question, session.question);
    assert_eq!(back.origin, models()[0]);
    // A later page has written a line that is not known here.
    let later = format!("hologram on\n\n{text}");
    let back = read_kept(&later, None);
    assert_eq!((&*back.question.source, back.origin), (text, OWN));
}

#[test]
fn a_long_link_is_said_to_be_long() {
    assert_eq!(length(&"x".repeat(2_000)).words, "2,000 characters: short enough for every chat program.");
    assert!(length(&"x".repeat(2_001)).too_long);
    assert_eq!(
        embed_code("https://example.org/?embed=1&x=\"#1.abc"),
        "<iframe src=\"https://example.org/?embed=1&amp;x=&quot;#1.abc\" title=\"Orbitscope\" width=\"960\" height=\"600\" loading=\"lazy\"></iframe>"
    );
}

/// A document of the engine, as the page gets it.
fn written(session: &Session, what: Document) -> Result<Rc<str>, Rc<str>> {
    let session = settled_after(elsewhere(&link(session).encode()), [Action::Write(what)]);
    let (got, text) = session.kept.written.clone().unwrap_or_else(|| panic!("{:?}", session.kept.remarks));
    assert_eq!(got, what);
    assert_eq!(session.apply(Action::Taken).kept.written, None);
    text
}

#[test]
fn documents_are_read_by_what_reads_them() {
    let session = settled(Session::new(builtin("simplified_controller")));
    let number =
        session.found.info.as_ref().unwrap().properties.iter().position(|p| p.name == "eventually_access");
    let session = settled(session.apply(Action::Property(number.unwrap() as u32)));
    let hoa = written(&session, Document::Hoa).unwrap();
    let read = orbitscope_core::automaton::hoa::read(&hoa).expect("our own reader reads it");
    assert!(read.automaton.state_count() >= 2);
    assert_eq!(
        files::document(&session, Document::Hoa, &hoa).name,
        "simplified_controller-eventually_access.hoa"
    );

    let run: serde_json::Value = serde_json::from_str(&written(&session, Document::Run).unwrap()).unwrap();
    assert_eq!(run["property"], "eventually_access");
    assert_eq!(run["instance"]["words"], "c = client[0]");
    let steps = |part: &str| run["lasso"][part].as_array().unwrap().len() as u32;
    let shown = session.run().unwrap();
    assert_eq!(Some(steps("prefix") - 1), shown.loop_start);
    assert_eq!(steps("prefix") - 1 + steps("cycle"), shown.steps.len() as u32);
    assert_eq!(run["ledger"].as_array().unwrap().len(), 3);

    assert!(written(&session, Document::Promela).unwrap().contains("ltl eventually_access"));
}

/// TLC refuses a file whose module has another name.
#[test]
fn a_file_has_the_name_of_the_module_in_it() {
    let origin = builtin("simplified_controller");
    for (name, stem) in [
        ("simplified_controller", "simplified_controller"),
        ("two-phase commit", "two_phase_commit"),
        ("2pc", "model_2pc"),
        ("TLC", "model_TLC"),
        ("MODULE", "model_MODULE"),
        ("WF_x", "model_WF_x"),
    ] {
        for (what, ending) in [(Document::Tla, "tla"), (Document::Promela, "pml")] {
            let session = settled_after(Session::new(Model { name, ..origin }), [Action::Write(what)]);
            let (_, text) = session.kept.written.clone().unwrap();
            let file = files::document(&session, what, &text.unwrap());
            assert_eq!(file.name, format!("{stem}.{ending}"));
            assert!(file.text.contains(&file.name), "the commands in the text name the file");
            let module = format!("---- MODULE {stem} ----");
            assert_eq!(file.text.starts_with(&module), what == Document::Tla, "{name}");
        }
    }
}

#[test]
fn what_cannot_be_written_is_said() {
    let session = settled(Session::new(builtin("simplified_controller")));
    let holds =
        session.found.info.as_ref().unwrap().properties.iter().position(|p| p.name == "mutual_exclusion");
    let session = settled(session.apply(Action::Property(holds.unwrap() as u32)));
    assert!(written(&session, Document::Hoa).unwrap_err().contains("no automaton"));
    assert!(written(&session, Document::Run).unwrap_err().contains("no run"));
    let broken =
        settled(session.apply(Action::Edit("process p {{".into()))).apply(Action::Write(Document::Tla));
    assert_eq!(broken.kept.remarks.len(), 1, "{:?}", broken.kept.remarks);
    assert_eq!(settled(broken).kept.written, None);
}

#[test]
fn a_picture_is_a_file_in_every_format() {
    let session =
        settled(Session::new(builtin("simplified_controller")).apply(Action::View(GraphKind::Product)));
    let session = session.apply(Action::Play(Play::Seek(5)));
    let drawing = session.picture(GraphKind::Product).unwrap();
    let snapshot = Player::new().seek(&session.film().unwrap().log, 5).cloned();
    let log = &session.film().unwrap().log;
    let places = Places::new(log, drawing.graph(), GraphKind::Product);
    let seen = Seen {
        picture: Rc::new(drawing.layered.clone()),
        ghosts: true,
        marks: snapshot.as_ref().map(|snapshot| Rc::new(Marks::new(log, snapshot, &places))),
        found: None,
    };
    let file = |format, dark| files::picture(&session, drawing, &seen, format, dark);
    let nodes = drawing.graph().nodes.len();
    let svg = file(Format::Svg, false);
    assert_eq!(svg.name, "simplified_controller-product.svg");
    assert_eq!(svg.text.matches("<g class=\"n").count(), nodes);
    assert!(svg.text.contains("current"), "the search is in the picture");
    assert_ne!(svg.text, file(Format::Svg, true).text);
    let json: serde_json::Value = serde_json::from_str(&file(Format::Json, false).text).unwrap();
    assert_eq!(json["nodes"].as_array().unwrap().len(), nodes);
    assert_eq!(json["title"], "Simplified resource controller: Product, always_idle_again");
    assert!(file(Format::Dot, false).text.starts_with("digraph \"Simplified resource controller"));
    assert_eq!(files::model(&session).text, session.model.source);
}

#[test]
fn a_link_carries_what_was_chosen_for_the_symbolic_engine() {
    let symbolic = Tuning {
        hints: true,
        sigma_limit: Some(0),
        under: Some(50),
        generators: Generators::Unchecked,
        ctl: CtlModel::Relation,
    };
    let choices = Choices { engine: Engine::Symbolic, symbolic, ..Choices::default() };
    let here = Session::new(builtin("peterson")).apply(Action::Choose(choices));
    let here = settled_after(here, [Action::Property(0), Action::Play(Play::Seek(2))]);
    assert_eq!(here.play.player.step, 2);
    let fragment = link(&here).encode();
    let there = settled(elsewhere(&fragment));
    assert_eq!(there.choices, here.choices);
    assert_eq!(there.play.player, here.play.player);
    assert!(there.iterations().is_some() && there.iterations() == here.iterations());
    assert_eq!(link(&there).encode(), fragment);
    // A part of no nodes is no part.
    let mut wrong = link(&here);
    wrong.options.insert("under".into(), "0".into());
    let (opening, remarks) = opening(wrong);
    assert_eq!((opening.choices.symbolic.under, remarks.len()), (None, 1));
}
