//! The properties with their verdicts.

use crate::view::properties::{Badge, Row};
use yew::prelude::*;

pub(crate) struct Props {
    pub(crate) rows: Vec<Row>,
    pub(crate) deadlocks: (Badge, String),
    pub(crate) on_pick: Callback<u32>,
}

pub(crate) fn draw(props: &Props) -> Html {
    let rows = props.rows.iter().map(|row| {
        let number = row.number;
        let on_click = props.on_pick.reform(move |_: MouseEvent| number);
        html! {
            <li key={row.number}>
                <button type="button" class="property" onclick={on_click} data-property={row.name.clone()}
                    aria-pressed={row.selected.to_string()}>
                    <span class="property-head">
                        <span class="property-logic">{ row.logic.name() }</span>
                        <span class="property-name">{ name(&row.name) }</span>
                        if row.old {
                            <span class="badge-old">{ "old " }</span>
                        }
                        { badge(row.badge) }
                        if let Some((word, class)) = &row.every {
                            <span class={classes!("badge", "badge-every", *class)} title="For every size">{ word }</span>
                        }
                    </span>
                    if row.selected {
                        <span class="property-text">{ &row.text }</span>
                    }
                    if row.selected && !row.note.is_empty() {
                        <span class="property-note">{ &row.note }</span>
                    }
                    if let Some(elsewhere) = &row.elsewhere {
                        <span class="property-note">{ elsewhere }</span>
                    }
                </button>
            </li>
        }
    });
    let (deadlock, words) = &props.deadlocks;
    let (sign, word) = match deadlock {
        Badge::Holds => ("✓", "none"),
        Badge::Violated => ("✗", "reached"),
        other => (other.sign(), other.word()),
    };
    html! {
        <ul class="properties">
            { for rows }
            <li class="deadlock">
                <span class="property-head">
                    <span class="property-logic">{ "always" }</span>
                    <span class="property-name">{ "deadlock" }</span>
                    <span class={classes!("badge", deadlock.class())}>
                        <span aria-hidden="true">{ sign }</span>{ " " }{ word }
                    </span>
                </span>
                if *deadlock == Badge::Violated || *deadlock == Badge::Unknown {
                    <span class="property-note">{ words }</span>
                }
            </li>
        </ul>
    }
}

/// A name that is too long for its line breaks between its words.
fn name(name: &str) -> Html {
    name.split_inclusive('_').map(|word| html! { <>{ word }<wbr /></> }).collect()
}

pub(super) fn badge(badge: Badge) -> Html {
    html! {
        <span class={classes!("badge", badge.class())}>
            <span aria-hidden="true">{ badge.sign() }</span>{ " " }{ badge.word() }
        </span>
    }
}
