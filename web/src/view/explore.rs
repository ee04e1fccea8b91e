//! The panel of a walk by hand.

use crate::engine::{GraphKind, Kind};
use crate::session::Session;
use crate::view::text::counted;
use std::rc::Rc;

/// The panel's values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// Where the walk is, in a sentence.
    pub words: String,
    /// How many steps it has.
    pub steps: u32,
    /// Whether a step was taken back.
    pub can_redo: bool,
    /// The steps that can be taken.
    pub kinds: Vec<Kind>,
    /// How many steps more there are.
    pub more: u32,
    /// The invariants, and whether each holds here.
    pub invariants: Vec<(String, Option<bool>)>,
    /// The node that a walk could start from.
    pub offered: Option<(GraphKind, u32)>,
    /// The reason why it did not go as was asked.
    pub trouble: Option<Rc<str>>,
    /// The condition that was walked to last.
    pub until: Rc<str>,
}

/// The panel now.
pub fn shown(session: &Session) -> Shown {
    let Some(walking) = &session.play.walking else { return Shown::default() };
    let mut shown = Shown {
        words: "Walking to the first state.".into(),
        steps: walking.len(),
        can_redo: walking.can_redo(),
        offered: session.pointer.offered,
        trouble: walking.trouble.clone(),
        until: walking.until.clone(),
        ..Shown::default()
    };
    let Some(walked) = walking.known() else { return shown };
    let after = match shown.steps {
        0 => "At the start".to_owned(),
        steps => format!("After {}", counted(steps.into(), "step")),
    };
    let (enabled, all) = walked.enabled;
    shown.words = match enabled {
        0 => format!("{after}: nothing can move. This is a deadlock."),
        enabled => format!("{after}: {enabled} of {} can move. Take a step:", counted(all.into(), "process")),
    };
    let name = |number: u32| {
        let properties = &session.found.info.as_ref()?.properties;
        properties.get(number as usize).map(|property| property.name.clone())
    };
    shown.invariants =
        walked.invariants.iter().filter_map(|&(number, holds)| Some((name(number)?, holds))).collect();
    shown.kinds.clone_from(&walked.kinds);
    shown.more = walked.more;
    shown
}

/// A node as the page names it.
pub fn node_name(of: GraphKind, node: u32) -> String {
    let letter = if matches!(of, GraphKind::Product | GraphKind::Threaded) { 'u' } else { 's' };
    format!("{letter}{node} of {}", of.name())
}
