//! A session as a link, and a link as what a session starts with. The format is core's; `docs/link-format.md` describes it.

pub mod files;
mod walk;
mod words;

pub use words::{Length, embed_code, length};

use crate::engine::link::{Link, LinkError};
use crate::engine::{
    Choices, CtlModel, Deadlock, Engine, Fairness, FairnessChoice, Generators, GraphKind, Prune, Question,
};
use crate::session::{OWN, Opening, SHARED, Session, origin_of};
use crate::view::text::bytes;
use std::collections::BTreeMap;
use std::fmt;

/// The longest text that comes from outside and is opened, in bytes: the editor shows every line.
pub const MAX_TEXT: usize = 256 << 10;

/// Why a link is not opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not one that can be read.
    Link(LinkError),
    /// Its model is longer than [`MAX_TEXT`].
    Text(usize),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Link(error) => error.fmt(f),
            Refused::Text(length) => {
                let (length, most) = (bytes(*length as u64), bytes(MAX_TEXT as u64));
                write!(f, "its model has {length}, and the page opens at most {most}")
            }
        }
    }
}

/// Values by their names on the command line.
type Names<T> = [(&'static str, T)];

const FAIRNESS: &Names<FairnessChoice> = &[
    ("model", FairnessChoice::Model),
    ("weak", FairnessChoice::All(Fairness::Weak)),
    ("strong", FairnessChoice::All(Fairness::Strong)),
    ("none", FairnessChoice::All(Fairness::None)),
];
const DEADLOCK: &Names<Deadlock> = &[("stutter", Deadlock::Stutter), ("drop", Deadlock::Drop)];
const ENGINE: &Names<Engine> = &[
    ("onthefly", Engine::Onthefly),
    ("threaded", Engine::Threaded),
    ("explicit", Engine::Explicit),
    ("symbolic", Engine::Symbolic),
];
const PRUNE: &Names<Prune> = &[("full", Prune::Full), ("process", Prune::Process), ("none", Prune::None)];
const FAIR_CTL: &Names<bool> = &[("yes", true), ("no", false)];
const SYMMETRY: &Names<bool> = &[("auto", true), ("none", false)];
const HINTS: &Names<bool> = &[("yes", true), ("no", false)];
const GENERATORS: &Names<Generators> =
    &[("proven", Generators::Proven), ("unchecked", Generators::Unchecked)];
const CTL_MODEL: &Names<CtlModel> =
    &[("all", CtlModel::All), ("restricted", CtlModel::Restricted), ("relation", CtlModel::Relation)];
const VIEW: &Names<GraphKind> = &[
    ("states", GraphKind::States),
    ("aqs", GraphKind::Aqs),
    ("aqsi", GraphKind::Aqsi),
    ("product", GraphKind::Product),
    ("threaded", GraphKind::Threaded),
];

fn name_of<T: PartialEq>(names: &Names<T>, value: &T) -> Option<&'static str> {
    names.iter().find(|(_, known)| known == value).map(|(name, _)| *name)
}

fn value_of<T: Copy>(names: &Names<T>, name: &str) -> Option<T> {
    names.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// Everything that the page shows, for a link.
pub fn link(session: &Session) -> Link {
    // A parameter that an earlier text had may come back while one types; whoever opens the link has no use for it.
    let sure = !session.is_stale() && !session.is_pending();
    let known = |name: &String| match &session.found.info {
        Some(info) if sure => info.params.iter().any(|param| param.name == *name),
        _ => true,
    };
    let settings = session.question.settings.iter().filter(|(name, _)| known(name));
    Link {
        text: session.question.source.to_string(),
        settings: settings.map(|(name, value)| (name.clone(), *value)).collect(),
        property: session.property_wanted().map(str::to_owned),
        options: options(session.choices),
        view: name_of(VIEW, &session.scene.view).map(str::to_owned),
        step: Some(session.step_shown()).filter(|&step| step > 0),
        walk: walk::written(session),
    }
}

/// The choices that differ from the usual ones.
fn options(choices: Choices) -> BTreeMap<String, String> {
    let (usual, own) = (Choices::default(), choices.symbolic);
    let differing = [
        ("fairness", name_of(FAIRNESS, &choices.fairness), choices.fairness != usual.fairness),
        ("deadlock", name_of(DEADLOCK, &choices.deadlock), choices.deadlock != usual.deadlock),
        ("engine", name_of(ENGINE, &choices.engine), choices.engine != usual.engine),
        ("prune", name_of(PRUNE, &choices.prune), choices.prune != usual.prune),
        ("fair-ctl", name_of(FAIR_CTL, &choices.fair_ctl), choices.fair_ctl != usual.fair_ctl),
        ("symmetry", name_of(SYMMETRY, &choices.symmetry), choices.symmetry != usual.symmetry),
        ("hints", name_of(HINTS, &own.hints), own.hints != usual.symbolic.hints),
        ("generators", name_of(GENERATORS, &own.generators), own.generators != usual.symbolic.generators),
        ("ctl-model", name_of(CTL_MODEL, &own.ctl), own.ctl != usual.symbolic.ctl),
    ];
    let limits = [("sigma-limit", own.sigma_limit), ("under", own.under)];
    let limits = limits.into_iter().filter_map(|(name, limit)| Some((name.to_owned(), limit?.to_string())));
    differing
        .into_iter()
        .filter(|(.., differs)| *differs)
        .filter_map(|(name, value, _)| Some((name.to_owned(), value?.to_owned())))
        .chain(limits)
        .collect()
}

/// The opening that a link asks for, and remarks on parts of it that are not known here.
pub fn opening(link: Link) -> (Opening, Vec<String>) {
    let mut remarks = Vec::new();
    let mut choices = Choices::default();
    for (name, value) in &link.options {
        let known = match name.as_str() {
            "fairness" => set(&mut choices.fairness, FAIRNESS, value),
            "deadlock" => set(&mut choices.deadlock, DEADLOCK, value),
            "engine" => set(&mut choices.engine, ENGINE, value),
            "prune" => set(&mut choices.prune, PRUNE, value),
            "fair-ctl" => set(&mut choices.fair_ctl, FAIR_CTL, value),
            "symmetry" => set(&mut choices.symmetry, SYMMETRY, value),
            "hints" => set(&mut choices.symbolic.hints, HINTS, value),
            "generators" => set(&mut choices.symbolic.generators, GENERATORS, value),
            "ctl-model" => set(&mut choices.symbolic.ctl, CTL_MODEL, value),
            "sigma-limit" => limit(&mut choices.symbolic.sigma_limit, value, 0),
            "under" => limit(&mut choices.symbolic.under, value, 1),
            _ => false,
        };
        if !known {
            remarks.push(format!("The option {name}={value} is not known here and was passed over."));
        }
    }
    let mut view = GraphKind::Aqs;
    if let Some(name) = &link.view
        && !set(&mut view, VIEW, name)
    {
        remarks.push(format!("The view `{name}` is not known here: the quotient is shown."));
    }
    let opening = Opening {
        origin: origin_of(&link.text, SHARED),
        question: Question { source: link.text.into(), settings: link.settings.into_iter().collect() },
        choices,
        view,
        property: link.property,
        step: link.step.unwrap_or(0),
        walk: link.walk.as_deref().and_then(|text| {
            let walk = walk::read(text);
            if walk.is_none() {
                remarks.push("The walk of this link cannot be read: the model is opened without it.".into());
            }
            walk
        }),
        by_link: true,
    };
    (opening, remarks)
}

fn set<T: Copy>(place: &mut T, names: &Names<T>, name: &str) -> bool {
    let value = value_of(names, name);
    *place = value.unwrap_or(*place);
    value.is_some()
}

/// A limit, which is at least so large.
fn limit(place: &mut Option<u32>, value: &str, least: u32) -> bool {
    let value = value.parse().ok().filter(|value| *value >= least);
    *place = value.or(*place);
    value.is_some()
}

/// Opens the part of an address after `#`, with or without that sign.
pub fn read(fragment: &str) -> Result<(Opening, Vec<String>), Refused> {
    let link = Link::decode(fragment.strip_prefix('#').unwrap_or(fragment)).map_err(Refused::Link)?;
    if link.text.len() > MAX_TEXT { Err(Refused::Text(link.text.len())) } else { Ok(opening(link)) }
}

/// The text that is kept in the browser: the content of a link.
pub fn kept_text(session: &Session) -> String {
    link(session).to_text()
}

/// Opens what was kept. Whatever a page of another version wrote before the model, the model is there.
pub fn read_kept(content: &str, origin: Option<crate::engine::Model>) -> Opening {
    let link = Link::from_text(content).unwrap_or_else(|_| {
        let text = content.split_once("\n\n").map_or(content, |(_, text)| text);
        Link { text: text.to_owned(), ..Link::default() }
    });
    let (mut opening, _) = opening(link);
    opening.by_link = false;
    if opening.origin == SHARED {
        opening.origin = origin.unwrap_or(OWN);
    }
    opening
}

#[cfg(test)]
mod tests;
