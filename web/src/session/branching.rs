//! The parts of a property of branching time that are looked at: a subformula with its states, and a path that is
//! evidence.

use super::{Item, Known, PlayState, Session, Side};
use crate::engine::protocol::Request;
use crate::engine::run::Run;
use crate::engine::{Branching, ClaimId, GraphKind, Part, PartId, Piece, Playable, Subformula, Verdict};
use orbitscope_core::ctl::Score;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The view of the property that is looked at, and the part of it that is shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    found: Known<Branching>,
    /// The number of the subformula whose states are marked.
    chosen: u32,
    /// The facts that claims rest on, as far as they were asked for.
    pieces: BTreeMap<ClaimId, Rc<Piece>>,
    /// The claim that is asked about.
    wanted: Option<ClaimId>,
    /// The claims that are unfolded.
    open: BTreeSet<ClaimId>,
    /// The claim whose path is shown.
    shown: Option<ClaimId>,
}

impl Default for Look {
    fn default() -> Self {
        Look {
            found: Known::NotYet,
            chosen: 0,
            pieces: BTreeMap::new(),
            wanted: None,
            open: BTreeSet::new(),
            shown: None,
        }
    }
}

/// The actions on a property of branching time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// Marks the states of the subformula with this number.
    Choose(u32),
    /// Unfolds what a claim rests on, or folds it.
    Toggle(ClaimId),
    /// Shows the path that is evidence for a claim.
    Show(ClaimId),
}

impl Session {
    /// Whether a property of branching time is looked at.
    pub fn looks_branching(&self) -> bool {
        self.looked_at().is_some_and(|property| property.logic.is_branching())
    }

    /// The view of the property.
    pub fn branching(&self) -> Option<&Rc<Branching>> {
        self.play.look.found.value()
    }

    /// The number of the subformula whose states are marked.
    pub fn chosen(&self) -> u32 {
        self.play.look.chosen
    }

    /// The subformula whose states are marked.
    pub fn subformula(&self) -> Option<&Subformula> {
        self.branching()?.tree.get(self.play.look.chosen as usize)
    }

    /// The part that it belongs to.
    pub fn part(&self) -> Option<(PartId, &Part)> {
        let part = self.subformula()?.part;
        Some((part, self.branching()?.parts.get(part)?))
    }

    /// The score from which the search of that part is played.
    pub fn score(&self) -> Option<&Rc<Score>> {
        match &self.part()?.1.play {
            Playable::From { score, .. } => Some(score),
            _ => None,
        }
    }

    /// The facts that a claim rests on, where it is unfolded; the path of the second is shown.
    pub fn piece(&self, claim: ClaimId) -> Option<&Rc<Piece>> {
        self.play.look.pieces.get(&claim)
    }

    /// Whether what a claim rests on is unfolded.
    pub fn is_open(&self, claim: ClaimId) -> bool {
        self.play.look.open.contains(&claim)
    }

    /// The claim whose path is shown, and what it rests on.
    pub fn shown_piece(&self) -> Option<(ClaimId, &Rc<Piece>)> {
        let claim = self.play.look.shown?;
        Some((claim, self.piece(claim)?))
    }

    /// The path that is shown.
    pub(super) fn shown_walk(&self) -> Option<&Rc<Run>> {
        self.shown_piece()?.1.run.as_ref()
    }

    /// The graph that stands behind a choice: for a property of branching time, the AQSI is that of a part.
    pub fn graph(&self, of: GraphKind) -> GraphKind {
        match (of, self.part()) {
            (GraphKind::Aqsi, Some((part, _))) => GraphKind::Part(part),
            _ => of,
        }
    }

    /// Whether it is still being looked into.
    pub fn awaits_branching(&self) -> bool {
        self.play.look.found == Known::NotYet
    }

    /// Whether it is not known yet which graph stands behind the AQSI.
    pub(super) fn awaits_parts(&self) -> bool {
        let undecided = self.answer().is_some_and(|checked| checked.verdict == Verdict::Unknown);
        self.looks_branching() && self.play.look.found == Known::NotYet && !undecided
    }

    /// The question to ask about the property.
    pub(super) fn wanted_branching(&self, property: u32) -> Option<Request> {
        let choices = self.choices;
        if let (Some(claim), Some(_)) = (self.play.look.wanted, self.branching()) {
            return Some(Request::Explain { claim, property, choices });
        }
        let ready = self.awaits_parts() && self.answer().is_some() && !self.line.halted;
        ready.then_some(Request::Branching { property, choices })
    }

    /// Whether the answer about a claim is still of use.
    pub(super) fn awaits(&self, claim: ClaimId) -> bool {
        self.play.look.wanted == Some(claim)
    }

    /// Nothing is known of the property any more.
    pub(super) fn forget_branching(&mut self) {
        self.play.look = Look::default();
        // Parts of another formula have the same numbers.
        self.scene_mut().pictures.retain(|of, _| !matches!(of, GraphKind::Part(_)));
    }

    /// Another property is looked at: what suits it is shown.
    pub(super) fn turn_to_property(&mut self) {
        self.forget_branching();
        let Some(logic) = self.looked_at().map(|property| property.logic) else { return };
        self.place.side = match self.place.side {
            Side::Stack | Side::Algorithm if logic.is_branching() => Side::Formula,
            Side::Formula if !logic.is_branching() => Side::Stack,
            side => side,
        };
        if logic.is_branching() {
            self.scene_mut().pictures.remove(&GraphKind::Aqsi);
            self.scene_mut().view = GraphKind::Aqsi;
        } else if !logic.has_search() && self.scene.view == GraphKind::Aqsi {
            self.scene_mut().view = GraphKind::Aqs;
        }
    }

    pub(super) fn take_branching(&mut self, found: Option<Box<Branching>>) {
        self.play.look = Look::default();
        let Some(found) = found else {
            self.play.look.found = Known::Nothing;
            return;
        };
        self.play.look.chosen = found.first();
        for (claim, piece) in &found.pieces {
            self.play.look.open.insert(*claim);
            self.play.look.pieces.insert(*claim, Rc::new(piece.clone()));
        }
        self.play.look.shown = found.pieces.iter().find(|(_, piece)| piece.run.is_some()).map(|(id, _)| *id);
        self.play.look.found = Known::Found(Rc::new(*found));
        self.play.player = self.player_of(self.search_len());
    }

    pub(super) fn take_piece(&mut self, piece: Option<Piece>) {
        let Some(claim) = self.play.look.wanted.take() else { return };
        if let Some(piece) = piece {
            if piece.run.is_some() {
                self.show(claim);
            }
            self.play.look.pieces.insert(claim, Rc::new(piece));
        }
    }

    /// How many steps the search of the chosen part has.
    fn search_len(&self) -> u32 {
        match self.part().map(|(_, part)| &part.play) {
            Some(Playable::From { steps, .. }) => *steps,
            _ => 0,
        }
    }

    pub(super) fn branch(&mut self, branch: Branch) {
        match branch {
            Branch::Choose(node) => {
                if self.branching().is_none_or(|found| node as usize >= found.tree.len()) {
                    return;
                }
                self.play.look.chosen = node;
                // Before its first step the search shows nothing of its own: the subformula's states are seen.
                self.play.player =
                    PlayState { speed: self.play.player.speed, ..PlayState::new(self.search_len()) };
                self.kept.wish.step = None;
                self.scene_mut().view = GraphKind::Aqsi;
            }
            Branch::Toggle(claim) => {
                if !self.play.look.open.remove(&claim) {
                    self.play.look.open.insert(claim);
                    if !self.play.look.pieces.contains_key(&claim) {
                        self.play.look.wanted = Some(claim);
                    }
                }
            }
            Branch::Show(claim) => self.show(claim),
        }
    }

    fn show(&mut self, claim: ClaimId) {
        if self.play.look.shown != Some(claim) {
            self.play.look.shown = Some(claim);
            // Its columns are others.
            self.pointer.selected = self.pointer.selected.filter(|item| !matches!(item, Item::RunStep(_)));
        }
    }
}
