//! What stands at the side: tabs, and the panel that was chosen.

use crate::session::Side;
use yew::prelude::*;

const SIDES: [(Side, &str, &str); 5] = [
    (Side::Formula, "Formula", "The subformulas, and where each of them holds"),
    (Side::Stack, "Stack", "The nodes that the search is in, and what it knows there"),
    (Side::Algorithm, "Algorithm", "The commands of the search, with the running ones lit"),
    (Side::Explore, "Explore", "Take steps yourself, one after the other"),
    (Side::Compare, "Compare", "What every method needs for this property"),
];

/// The symbolic engine has no stack.
const SYMBOLIC: [(Side, &str, &str); 3] = [
    (Side::Stack, "Iterations", "What the symbolic search does, iteration by iteration"),
    SIDES[3],
    SIDES[4],
];

pub(crate) struct Props {
    pub(crate) shown: Side,
    pub(crate) symbolic: bool,
    /// Whether a property of branching time is looked at.
    pub(crate) branching: bool,
    pub(crate) on_pick: Callback<Side>,
    pub(crate) children: Html,
}

pub(crate) fn draw(props: &Props) -> Html {
    let (sides, shown) = match props.shown {
        Side::Algorithm | Side::Formula if props.symbolic => (&SYMBOLIC[..], Side::Stack),
        shown => (if props.symbolic { &SYMBOLIC[..] } else { &SIDES[..] }, shown),
    };
    let hidden = if props.branching { Side::Algorithm } else { Side::Formula };
    let tabs = sides.iter().filter(|(side, ..)| *side != hidden).map(|&(side, name, about)| {
        let on_click = props.on_pick.reform(move |_: MouseEvent| side);
        html! {
            <button type="button" role="tab" class="tab" title={about} data-side={name} onclick={on_click} aria-controls="side"
                aria-selected={(side == shown).to_string()}>{ name }</button>
        }
    });
    html! {
        <section class="panel side" aria-label="The search from inside">
            <div class="tabs" role="tablist" aria-label="Side">{ for tabs }</div>
            <div id="side" class="side-body" role="tabpanel" tabindex="0">{ props.children.clone() }</div>
        </section>
    }
}
