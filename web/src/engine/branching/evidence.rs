//! Why a `ctl` property has its verdict: claims, the paths that show them, and the claims that these rest on, each of
//! which can be opened in turn.

use super::super::model::CheckedModel;
use super::{Kept, Lab};
use crate::engine::run::{Run, Source};
use orbitscope_core::ctl::{Because, Claim, CtlCheck, Evidence, Formula, PartId, Sub, SubId, Vertex, replay};
use orbitscope_core::define_id;
use orbitscope_core::product::Deadlock;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::rc::Rc;

/// The number of pieces that are opened before anybody asks.
const OPENED: usize = 24;
/// The most claims of one piece that are listed.
const LISTED: usize = 24;
/// A longer path is not drawn.
const MAX_STEPS: usize = 400;

define_id!(
    /// A claim that can be asked about.
    #[derive(Serialize, Deserialize)]
    ClaimId
);

/// The facts that a claim rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// The part that it is about.
    pub part: PartId,
    /// The claim in words.
    pub words: String,
    /// Whether it says that something holds; if not, that it does not.
    pub holds: bool,
    /// Why it is so; empty where what follows says it.
    pub note: String,
    /// The path that shows it.
    pub run: Option<Rc<Run>>,
    /// The vertices of the part that the path goes through.
    pub vertices: Vec<Option<Vertex>>,
    /// The claims that it rests on.
    pub below: Vec<Below>,
    /// How many more there are.
    pub more: u32,
}

/// A claim that another one rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Below {
    /// Its number.
    pub claim: ClaimId,
    /// The state of the path that it is about.
    pub at: Option<u32>,
    /// The claim in words.
    pub words: String,
    /// Whether the state itself shows it, so that there is nothing to open.
    pub fact: bool,
}

impl Lab<'_> {
    /// The answer's evidence, opened along what is worth a look: the choices, and the ends of the paths.
    pub(super) fn first_pieces(&mut self, model: &CheckedModel) -> Vec<(ClaimId, Piece)> {
        let mut pieces = Vec::new();
        let Some(kept) = &mut self.kept else { return pieces };
        let Some(claim) = kept.check.claim() else { return pieces };
        let mut queue = VecDeque::from([kept.claims.push(claim)]);
        while let Some(id) = queue.pop_front() {
            let Some(piece) = kept.explain(model, id) else { continue };
            let open = piece.below.iter().filter(|below| !below.fact);
            // Of like processes one is enough, and of a path its end.
            let every = piece.run.is_none() && piece.note == EVERY;
            let last = piece.below.iter().filter_map(|below| below.at).max();
            let open = open.filter(|below| below.at == last).take(if every { 1 } else { LISTED });
            queue.extend(open.map(|below| below.claim));
            pieces.push((id, piece));
            if pieces.len() == OPENED {
                break;
            }
        }
        pieces
    }

    /// Explains a claim by the facts it rests on.
    pub(in crate::engine) fn explain(&mut self, model: &CheckedModel, id: ClaimId) -> Option<Piece> {
        self.kept.as_mut()?.explain(model, id)
    }
}

const EVERY: &str = "for each process:";

impl Kept<'_> {
    fn explain(&mut self, model: &CheckedModel, id: ClaimId) -> Option<Piece> {
        let outer = self.claims.get(id)?.clone();
        let evidence = innermost(model, &mut self.check, self.settings.deadlock, &outer)?;
        let formula = self.check.formula().clone();
        let (words, holds) = said(model, &formula, &outer);
        let Evidence { claim, because } = evidence;
        let (mut note, mut run, mut vertices) = (String::new(), None, Vec::new());
        let mut claims: Vec<(Option<u32>, Claim)> = Vec::new();
        match because {
            Because::Fact => note = "the state itself shows it".into(),
            Because::Claims(list) => claims.extend(list.into_iter().map(|claim| (None, claim))),
            Because::Choice(process, claim) => {
                note = format!("{} shows it:", model.program.process_name(process));
                claims.push((None, claim));
            }
            Because::Every(list) => {
                note = EVERY.into();
                claims.extend(list.into_iter().map(|claim| (None, claim)));
            }
            Because::Universal => note = "this is about all paths: no single one shows it".into(),
            Because::TooLong => note = "the path that shows it is too long".into(),
            Because::Walk { steps, back, claims: along } => {
                let end = back.unwrap_or(steps.len() as u32);
                if steps.len() > MAX_STEPS {
                    note = format!("the path that shows it has {} steps, too many to draw", steps.len());
                } else {
                    let source = Source::Walk(&claim.values, &steps, back);
                    run = Some(Rc::new(Run::new(&model.program, &model.source, source, None)));
                    let states = [&claim.values].into_iter().chain(steps.iter().map(|step| &step.values));
                    let place = |values: &Vec<i32>| self.check.vertex_of(claim.part, values, &claim.tracked);
                    vertices = states.map(place).collect();
                }
                // The lanes show what is true of a state by itself; at the end of the path it is the point.
                let told = along.into_iter().filter(|(at, claim)| {
                    let sub = &formula.parts[claim.part].subs[claim.sub];
                    let fact = is_fact(&formula, claim.part, claim.sub);
                    !matches!(sub, Sub::Const(_)) && (*at == end || !fact)
                });
                claims.extend(told.map(|(at, claim)| (Some(at), claim)));
            }
        }
        let more = claims.len().saturating_sub(LISTED) as u32;
        // The end of a path comes last and is what matters.
        let skipped = if claims.first().is_some_and(|(at, _)| at.is_some()) { more as usize } else { 0 };
        let below = claims.into_iter().skip(skipped).take(LISTED).map(|(at, claim)| {
            let (words, _) = said(model, &formula, &claim);
            let fact = is_fact(&formula, claim.part, claim.sub);
            Below { claim: self.claims.push(claim), at, words, fact }
        });
        let below = below.collect();
        Some(Piece { part: claim.part, words, holds, note, run, vertices, below, more })
    }
}

/// The evidence for what a claim comes down to, without negations and uses of other parts in the same state; none where
/// it does not replay.
fn innermost(
    model: &CheckedModel,
    check: &mut CtlCheck<'_>,
    deadlock: Deadlock,
    claim: &Claim,
) -> Option<Evidence> {
    let mut claim = claim.clone();
    loop {
        let evidence = check.explain(&claim)?;
        replay(&model.program, check.formula(), deadlock, &evidence).ok()?;
        let passes = match &check.formula().parts[claim.part].subs[claim.sub] {
            Sub::Not(_) => true,
            Sub::Link(link) => link.over.is_none(),
            _ => false,
        };
        match &evidence.because {
            Because::Claims(list) if passes && list.len() == 1 => claim = list[0].clone(),
            _ => return Some(evidence),
        }
    }
}

/// A claim in words, and whether it says that something holds. A negation of paths is said as the model does: `AG f` does
/// not hold; any other is dropped: f holds.
fn said(model: &CheckedModel, formula: &Formula, claim: &Claim) -> (String, bool) {
    let subs = &formula.parts[claim.part].subs;
    let mut inner = claim.clone();
    while let Sub::Not(negated) = subs[inner.sub] {
        (inner.sub, inner.holds) = (negated, !inner.holds);
    }
    let paths = matches!(subs[inner.sub], Sub::Next(..) | Sub::Until(..) | Sub::FairGlobally(_));
    let claim = if paths { claim } else { &inner };
    let verb = if claim.holds { "holds" } else { "does not hold" };
    (format!("{} {verb}", formula.show_claim(&model.program, claim)), claim.holds)
}

/// Whether a state shows by itself that a subformula holds. It recurses as deep as the formula is nested.
fn is_fact(formula: &Formula, part: PartId, sub: SubId) -> bool {
    match &formula.parts[part].subs[sub] {
        Sub::Next(..) | Sub::Until(..) | Sub::FairGlobally(_) | Sub::Fixpoint(..) | Sub::Variable(_) => false,
        Sub::Link(link) => is_fact(formula, link.part, formula.parts[link.part].top()),
        kind => kind.operands().into_iter().all(|operand| is_fact(formula, part, operand)),
    }
}
