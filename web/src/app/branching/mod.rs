//! A property of branching time: the tree of its formula, the player of Heljanko's search, its stacks, and the evidence.

mod evidence;
mod stacks;
mod tree;

pub(super) use evidence::{Props as WhyProps, draw as why, title};
pub(super) use stacks::Stacks;
pub(super) use tree::Formula;

use super::player::{COLUMNS, Player};
use super::send;
use crate::engine::{Drawing, GraphKind, MAX_STEPS, Playable};
use crate::session::{Action, Item, Session};
use crate::view::branching::{self, Frame};
use crate::view::picture::marks::Marks;
use crate::view::timeline::Timeline;
use orbitscope_core::ctl::{Playback, Score};
use std::rc::Rc;
use yew::prelude::*;

/// A search that is played, and its line of time.
struct Played {
    score: Rc<Score>,
    playback: Playback,
    timeline: Rc<Timeline>,
}

/// The search at the step where the player is, with its line of time.
#[derive(Clone, PartialEq)]
pub(super) struct Shown {
    pub(super) frame: Rc<Frame>,
    pub(super) timeline: Rc<Timeline>,
}

/// The search of the chosen part at the step where the player is: a function of the score, the graph and the step.
#[hook]
pub(super) fn use_search(session: &Session) -> Option<Shown> {
    let played = use_mut_ref(|| None::<Played>);
    let drawing = session.picture(session.graph(GraphKind::Aqsi)).cloned();
    let at = (session.score().cloned(), drawing, session.play.player.step);
    let shown = use_memo(at, |(score, drawing, step)| {
        let (score, drawing, (_, part)) = (score.as_ref()?, drawing.as_ref()?, session.part()?);
        let mut played = played.borrow_mut();
        if played.as_ref().is_none_or(|played| !Rc::ptr_eq(&played.score, score)) {
            let playback = Playback::new((**score).clone(), MAX_STEPS);
            let timeline = Rc::new(branching::timeline(&playback, COLUMNS));
            *played = Some(Played { score: score.clone(), playback, timeline });
        }
        let played = played.as_mut()?;
        let frame = Rc::new(Frame::new(&mut played.playback, part, drawing.graph(), *step));
        Some(Shown { frame, timeline: played.timeline.clone() })
    });
    (*shown).clone()
}

/// The marks on the graph of a part.
#[hook]
pub(super) fn use_marks(
    session: &Session,
    frame: Option<&Rc<Frame>>,
    drawing: &Rc<Drawing>,
    of: GraphKind,
) -> Option<Rc<Marks>> {
    let run_state = match session.pointer.selected {
        Some(Item::RunStep(state)) => Some(state),
        _ => None,
    };
    let found = session.branching().cloned();
    let shown = session.shown_piece().map(|(claim, _)| claim);
    let at = (found, session.chosen(), shown, frame.cloned(), drawing.clone(), of, run_state);
    let marks = use_memo(at, |(.., frame, drawing, of, run_state)| {
        let drawn = matches!(of, GraphKind::Part(_));
        drawn.then(|| branching::marks(session, frame.as_deref(), drawing.graph(), *run_state))?.map(Rc::new)
    });
    (*marks).clone()
}

/// The player of the search; none where there is none to play.
pub(super) fn player(session: &UseReducerHandle<Session>, shown: Option<&Shown>) -> Html {
    let Some(Shown { frame, timeline }) = shown else { return Html::default() };
    let whole =
        matches!(session.part(), Some((_, part)) if matches!(part.play, Playable::From { whole: true, .. }));
    html! {
        <Player timeline={timeline.clone()} story={AttrValue::from(frame.story.clone())} partial={!whole}
            player={session.play.player} on_play={send(session, Action::Play)} />
    }
}
