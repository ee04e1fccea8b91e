//! Each step and its reason, in words.

use super::{Moment, moment};
use crate::engine::{Checked, Generators, Iterations, Logic, Verdict as Found, Why};
use crate::view::properties::{Badge, badge};
use crate::view::text::{self, natural, states};
use orbitscope_core::natural::Natural;
use orbitscope_core::symbolic::{Iteration, Kind};
use std::fmt::Write;

/// The verdict, and of what it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The badge.
    pub badge: Badge,
    /// The scope of the verdict: the program, or only the explored part.
    pub scope: &'static str,
    /// Why.
    pub words: String,
}

/// The verdict of a search.
pub fn verdict(found: &Iterations, checked: &Checked) -> Verdict {
    let (scope, words) = match (checked.verdict, &checked.why) {
        (Found::Holds, _) => (
            "for the program",
            "Every representative was expanded, and every symmetry that was used is proven.".into(),
        ),
        (Found::Violated, _) if checked.run.is_some() => (
            "for the program",
            "The run was executed step by step: it is one of the program, whatever the symmetries are."
                .into(),
        ),
        (Found::Violated, _) => {
            ("for the program", "The states that were computed are states of the program.".into())
        }
        (Found::Unknown, Some(Why::Explored(words))) => (
            "only for the explored part: falsification only",
            format!(
                "A violation would have been real. None was found, which says nothing of the program: {words}."
            ),
        ),
        (Found::Unknown, why) => (
            "not decided",
            why.as_ref().map_or_else(String::new, |why| format!("{}.", text::sentence(&why.words()))),
        ),
    };
    let words = if found.summary.generators_left_out == 0 {
        words
    } else {
        let left_out = text::counted(found.summary.generators_left_out.into(), "generator");
        format!("{words} {left_out} not used: the property is not the same after it.")
    };
    Verdict { badge: badge(checked), scope, words }
}

/// A step in a few words each.
pub fn tags(found: &Iterations, step: u32) -> Vec<String> {
    let mut tags = Vec::new();
    match moment(found, step) {
        Moment::Start(_) => tags.push("initial states".into()),
        Moment::End => tags.push("end".into()),
        Moment::Iteration(_, iteration) => {
            tags.push(match iteration.kind {
                Kind::Start => "from the initial states".into(),
                Kind::Forward => "from what was added".into(),
                Kind::TakenUp(_) => "taken up again".into(),
            });
            if let (Kind::TakenUp(_), Some(words)) = (iteration.kind, hint_words(found, iteration.kind)) {
                tags.push(words);
            }
            if iteration.under != iteration.frontier {
                tags.push("cut".into());
            }
            tags.push(match (iteration.sigma_rounds, iteration.sigma_complete) {
                (0, true) => "no σ_Step needed".into(),
                (rounds, true) => format!("σ_Step {}", text::counted(rounds.into(), "round")),
                (rounds, false) => format!("σ_Step stopped after {}", text::counted(rounds.into(), "round")),
            });
        }
    }
    tags
}

/// Which hint holds from now on.
fn hint_words(found: &Iterations, kind: Kind) -> Option<String> {
    match kind {
        Kind::TakenUp(hint) if hint > 0 && hint <= found.hints => {
            Some(format!("hint {hint} of {}", found.hints))
        }
        Kind::TakenUp(hint) if hint > 0 => Some("no hint any more".into()),
        _ => None,
    }
}

/// Tells what just happened, and why.
pub fn narrate(found: &Iterations, checked: &Checked, logic: Logic, step: u32) -> String {
    match moment(found, step) {
        Moment::Start(None) => "The search broke off before its first iteration.".into(),
        Moment::Start(Some(start)) => {
            let one = start.states == Natural::one();
            let begins = format!("The search begins with {}, ", initial(&start.states));
            let are = if one { "which is the first representative" } else { "the first representatives" };
            let more = start.covered.minus(&start.states);
            if more == Natural::zero() {
                format!(
                    "{begins}{are}: no symmetry makes another state of {}.",
                    if one { "it" } else { "them" }
                )
            } else {
                format!(
                    "{begins}{are}. Symmetries make {} more of them, which nobody looks at.",
                    states(&more)
                )
            }
        }
        Moment::Iteration(number, iteration) => story(found, number, iteration),
        Moment::End => end(found, checked, logic),
    }
}

fn initial(count: &Natural) -> String {
    states(count).replace(" state", " initial state")
}

fn story(found: &Iterations, number: u32, i: &Iteration) -> String {
    let mut words = match (i.kind, hint_words(found, i.kind)) {
        (Kind::TakenUp(hint), Some(_)) if hint <= found.hints => format!(
            "Nothing new comes while hint {} is followed, so that hint {hint} holds from here on and what was left aside is taken up. ",
            hint - 1
        ),
        (Kind::TakenUp(_), Some(_)) => {
            "Nothing new comes while hints are followed, so that all is allowed from here on and what was left aside is taken up. "
                .into()
        }
        (Kind::TakenUp(_), None) => "The frontier was empty, so that what was left aside is taken up. ".into(),
        (Kind::Start | Kind::Forward, _) => String::new(),
    };
    let aside = i.frontier.minus(&i.under);
    if aside == Natural::zero() {
        let _ = write!(words, "Iteration {number} expands {} of the frontier", all_of(&i.frontier));
    } else {
        let why = match (found.tuning.under, found.hints > 0) {
            (Some(most), false) => format!("a dense part of at most {}", text::counted(most.into(), "node")),
            (Some(_), true) => "what the hint allows, as a dense part".into(),
            (None, _) => "what the hint allows".into(),
        };
        let _ = write!(
            words,
            "Iteration {number} expands {why}: {} of {}, and leaves {} aside",
            natural(&i.under),
            states(&i.frontier),
            natural(&aside)
        );
    }
    if i.successors == Natural::zero() {
        words.push_str(". No step leads on from there, so that nothing is added.");
        return words;
    }
    let have = if i.under == Natural::one() { "It has" } else { "They have" };
    let _ = write!(words, ". {have} {}: ", states(&i.successors).replace("state", "successor"));
    let parts = [
        (&i.known, "known as representatives"),
        (&i.symmetric, "removed, since a representative is symmetric to each"),
        (&i.added, "new and representatives from now on"),
    ];
    let parts: Vec<String> = (parts.iter())
        .filter(|(count, _)| **count != Natural::zero())
        .map(|(count, what)| {
            format!("{} {what}", if **count == i.successors { "all".into() } else { natural(count) })
        })
        .collect();
    words.push_str(&parts.join(", "));
    words.push('.');
    if i.added != Natural::zero() {
        let rounds = text::counted(i.sigma_rounds.into(), "round");
        let covered =
            format!("{} representatives stand for {}", natural(&i.representatives), states(&i.covered));
        let _ = match (i.sigma_complete, found.summary.generators) {
            (_, 0) => write!(words, " There is no symmetry to apply to them."),
            (true, _) => write!(
                words,
                " σ_Step applies the symmetries to them until nothing changes, in {rounds}: {covered}."
            ),
            (false, _) => write!(
                words,
                " σ_Step is stopped after {rounds}, its limit, so that states symmetric to these may come again: {covered} so far."
            ),
        };
    }
    words
}

fn all_of(count: &Natural) -> String {
    match count.to_u64() {
        Some(1) => "the one state".into(),
        Some(2) => "both states".into(),
        _ => format!("all {}", states(count)),
    }
}

fn end(found: &Iterations, checked: &Checked, logic: Logic) -> String {
    let summary = &found.summary;
    let left = found.all.saturating_sub(summary.iterations.len() as u32);
    let skipped = match left {
        0 => String::new(),
        left => format!("{} more are not shown. ", text::counted(left.into(), "iteration")),
    };
    let sets = format!(
        "{} representatives stand for {}",
        natural(&summary.representatives),
        states(&summary.covered)
    );
    let said = match (checked.verdict, &checked.why) {
        (Found::Holds, _) if logic == Logic::Ctl => format!(
            "Every representative was expanded: {sets}. The formula's fixed points are computed on these, and it holds in every initial state."
        ),
        (Found::Holds, _) if logic == Logic::Cover => format!(
            "The last frontier has a state that the property asks for: a run to it is found by going back through the frontiers. {sets} so far."
        ),
        (Found::Violated, _) if logic == Logic::Cover => format!(
            "The frontier is empty and nothing was left aside: {sets}, and none of them is what the property asks for."
        ),
        (Found::Holds, _) => {
            format!(
                "The frontier is empty and nothing was left aside: {sets}, and none of them violates the property."
            )
        }
        (Found::Violated, _) if logic == Logic::Ctl => format!(
            "Every representative was expanded: {sets}. The formula's fixed points are computed on these, and it does not hold."
        ),
        (Found::Violated, _) => format!(
            "The last frontier has a state that violates the property: a run to it is found by going back through the frontiers. {sets} so far."
        ),
        (Found::Unknown, Some(Why::Explored(_))) if found.tuning.generators == Generators::Unchecked => {
            "Nothing is left to expand, and no violation was found. But the symmetries were taken unchecked: if one is wrong, states were removed that no representative stands for.".into()
        }
        (Found::Unknown, Some(Why::Explored(_))) => {
            format!(
                "Nothing is left to expand. The steps between the representatives are not all steps of the program, and refute nothing here: {sets}."
            )
        }
        (Found::Unknown, why) => format!(
            "The search ended before its goal: {}. {sets} so far.",
            why.as_ref().map_or_else(String::new, Why::words)
        ),
    };
    let whole = summary.representatives == summary.covered && summary.generators > 0;
    let why = match (checked.verdict, found.tuning.under) {
        (Found::Holds, None) if whole && !matches!(logic, Logic::Ctl | Logic::Cover) => {
            " Every state became a representative, since the states of an orbit are found together: a limit of the frontier keeps many away."
        }
        _ => "",
    };
    format!("{skipped}{said}{why}")
}
