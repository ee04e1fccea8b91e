//! Why a `ctl` property has its verdict: claims that open step by step, and paths that are shown as lanes.

use crate::engine::{Below, ClaimId, Piece};
use crate::session::{Branch, Session};
use yew::prelude::*;

pub(crate) struct Props<'a> {
    pub(crate) session: &'a Session,
    /// The property.
    pub(crate) about: String,
    pub(crate) on_branch: Callback<Branch>,
}

pub(crate) fn draw(props: &Props<'_>) -> Html {
    let found = props.session.branching();
    let first = found.and_then(|found| found.pieces.first());
    html! {
        <section class="panel why" aria-labelledby="why-heading">
            <h2 id="why-heading" class="panel-heading">{ "Why " }<code>{ &props.about }</code></h2>
            <div class="why-scroll" tabindex="0">
                if let Some((id, piece)) = first {
                    <ul class="why-list">{ claim(props, *id, &piece.words, None, false) }</ul>
                } else if found.is_some_and(|found| found.mu) {
                    <p class="panel-note">{ "No single path shows what a fixed point says. The tree of the formula tells where each part of it holds." }</p>
                } else {
                    <p class="panel-note">{ "There is nothing that shows it." }</p>
                }
            </div>
        </section>
    }
}

/// A claim, and what it rests on where it is unfolded. It nests as deep as the formula does.
fn claim(props: &Props<'_>, id: ClaimId, words: &str, at: Option<u32>, fact: bool) -> Html {
    let session = props.session;
    let open = session.is_open(id);
    let piece = session.piece(id).filter(|_| open);
    let on_toggle = props.on_branch.reform(move |_: MouseEvent| Branch::Toggle(id));
    let place = at.map(|at| html! { <span class="why-at">{ format!("state {at}: ") }</span> });
    html! {
        <li key={id.0} class="why-claim" data-claim={id.0.to_string()}>
            if fact {
                <span class="why-words">{ place }{ words }</span>
            } else {
                <button type="button" class="why-fold" aria-expanded={open.to_string()} onclick={on_toggle}>{ place }{ words }</button>
            }
            if let Some(piece) = piece {
                { below(props, id, piece) }
            }
        </li>
    }
}

fn below(props: &Props<'_>, id: ClaimId, piece: &Piece) -> Html {
    let shown = props.session.shown_piece().is_some_and(|(shown, _)| shown == id);
    let on_show = props.on_branch.reform(move |_: MouseEvent| Branch::Show(id));
    let claims =
        piece.below.iter().map(|below: &Below| claim(props, below.claim, &below.words, below.at, below.fact));
    html! {
        <>
            if let Some(run) = &piece.run {
                { " " }
                <button type="button" class="button why-path" aria-pressed={shown.to_string()} onclick={on_show}>
                    { format!("{}: {}", title(piece), run.summary()) }
                </button>
            }
            if !piece.note.is_empty() {
                <span class="why-note">{ &piece.note }</span>
            }
            <ul class="why-list">{ for claims }</ul>
            if piece.more > 0 {
                <p class="panel-note">{ format!("and {} more like these", piece.more) }</p>
            }
        </>
    }
}

/// The kind of a path.
pub(crate) fn title(piece: &Piece) -> &'static str {
    if piece.holds { "Witness" } else { "Counterexample" }
}
