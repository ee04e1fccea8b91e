//! Classes of processes: letter, colour and pattern.

use crate::view::stack::{ClassView, Classes};
use yew::prelude::*;

/// The style classes of a class's colour and pattern.
pub(super) fn paint(class: &ClassView) -> Paint {
    [format!("hue-{}", class.hue), format!("pattern-{}", class.pattern)]
}

type Paint = [String; 2];

/// A class in one line, with why it is fair.
pub(super) fn line(class: &ClassView) -> Html {
    html! {
        <li class="class-line">
            { chip(class) }
            if let Some(why) = &class.fair {
                <span class="class-fair">{ "✓ fair: " }{ why }</span>
            } else {
                <span class="class-unfair">{ "not known to be fair" }</span>
            }
        </li>
    }
}

/// A class as a chip.
pub(super) fn chip(class: &ClassView) -> Html {
    let [hue, pattern] = paint(class);
    let title = match &class.fair {
        Some(why) => format!("{}: fair, {why}", class.members),
        None => format!("{}: not known to be fair", class.members),
    };
    html! {
        <span class={classes!("chip", hue, pattern)} {title}>
            <span class="chip-letter">{ &class.letter }</span>
            <span class="chip-members">{ &class.members }</span>
        </span>
    }
}

/// All classes, small, each with whether it is fair.
pub(super) fn row(classes: &Classes) -> Html {
    let chips = classes.shown.iter().map(|class| {
        html! {
            <li class="class-small">
                { chip(class) }
                if class.fair.is_some() {
                    <span class="class-fair" aria-label="fair">{ "✓" }</span>
                }
            </li>
        }
    });
    html! {
        <ul class="class-row">
            { for chips }
            if classes.hidden > 0 {
                <li class="class-more">{ format!("and {} more", classes.hidden) }</li>
            }
        </ul>
    }
}
