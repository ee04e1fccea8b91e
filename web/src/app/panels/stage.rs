//! The processes on a stage, where they move as what is played goes on.

use super::{Context, Panel};
use crate::session::Side;
use crate::view::picture::glyph::class as tint_class;
use crate::view::stage::{Arrow, FamilyScene, Spot, Stage, TOKEN, Token, WIDTH, stage};
use yew::prelude::*;

pub(super) const PANEL: Panel = Panel {
    side: Side("Stage"),
    name: |_| "Stage",
    about: "The processes and their local states, as they are now",
    offered: |session| session.found.info.as_ref().is_some_and(|info| !info.casts.is_empty()),
    draw,
};

fn draw(context: &Context<'_>) -> Html {
    let Some(Stage { caption, families, shared }) = stage(context.session, context.snapshot.as_deref())
    else {
        return html! { <p class="picture-none">{ "There is no state to be seen yet, or it has too many processes." }</p> };
    };
    html! {
        <div class="stage">
            <p class="stage-caption" aria-live="polite">{ caption }</p>
            if !shared.is_empty() {
                <ul class="stage-shared" aria-label="Shared variables">
                    { for shared.iter().map(|(name, value, tints)| html! {
                        <li class="stage-variable">
                            <span class="stage-name">{ name }</span>
                            { for tints.iter().map(|&tint| html! { <span class={classes!("tint-chip", chip(tint))}></span> }) }
                            <span class="stage-value">{ value }</span>
                        </li>
                    }) }
                </ul>
            }
            { for families.iter().enumerate().map(|(number, scene)| family(number, scene)) }
        </div>
    }
}

/// The style class of a tinted background.
pub(crate) fn chip(tint: u8) -> String {
    let (colour, holed) = tint_class(tint);
    format!("tinted-{colour}{}", if holed { " is-holed" } else { "" })
}

fn fill(tint: u8) -> String {
    format!("tint-{}", tint_class(tint).0)
}

fn family(number: usize, scene: &FamilyScene) -> Html {
    let box_of = format!("0 0 {WIDTH} {:.0}", scene.height);
    let words: Vec<String> = scene
        .spots
        .iter()
        .filter(|spot| spot.count > 0)
        .map(|spot| format!("{} in {}", spot.count, spot.name))
        .collect();
    html! {
        <figure class="stage-family" key={scene.name.clone()} data-family={scene.name.clone()}>
            <figcaption class="stage-heading">
                <b>{ &scene.name }</b>{ format!(" by {}", scene.variable) }
            </figcaption>
            <svg class="stage-canvas" viewBox={box_of} role="img" aria-label={format!("{}: {}", scene.name, words.join(", "))}>
                // One head for the arrows of all families.
                if number == 0 {
                    <defs>
                        <marker id="stage-head" viewBox="0 0 8 8" refX="6" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto-start-reverse">
                            <path d="M0 0L8 4L0 8z" class="stage-head" />
                        </marker>
                    </defs>
                }
                if let Some((x, y, r)) = scene.ring {
                    <circle class="stage-ring" cx={x.to_string()} cy={y.to_string()} r={r.to_string()} />
                } else {
                    { for scene.arrows.iter().map(arrow) }
                    { for scene.spots.iter().map(|spot| place(spot, scene.tokens.is_empty())) }
                }
                { for scene.tokens.iter().map(token) }
                if let Some((x, y, r)) = scene.ring {
                    { for scene.tokens.iter().map(|token| beside(token, (x, y, r))) }
                }
            </svg>
        </figure>
    }
}

fn arrow(arrow: &Arrow) -> Html {
    let lit = arrow.lit.then_some("is-lit");
    html! {
        <g class={classes!("stage-move", lit)}>
            <path class="stage-arrow" d={arrow.path.clone()} marker-end="url(#stage-head)"><title>{ &arrow.words }</title></path>
            if let Some((x, y)) = arrow.label {
                <text class="stage-words" x={format!("{x:.1}")} y={format!("{y:.1}")} text-anchor="middle" dominant-baseline="middle">
                    { &arrow.words }
                </text>
            }
        </g>
    }
}

fn place(spot: &Spot, counted: bool) -> Html {
    let (x, y, r) = spot.at;
    html! {
        <g class={classes!("stage-spot", (spot.count == 0).then_some("is-empty"))}>
            <circle cx={format!("{x:.1}")} cy={format!("{y:.1}")} r={format!("{r:.1}")} class="stage-place" />
            <text class="stage-state" x={format!("{x:.1}")} y={format!("{:.1}", y - r - 5.0)} text-anchor="middle">{ &spot.name }</text>
            if counted && spot.count > 0 {
                <circle cx={format!("{x:.1}")} cy={format!("{y:.1}")} r={format!("{:.1}", r - 5.0)} class={classes!("stage-many", fill(spot.tint))} />
                <text class="stage-count" x={format!("{x:.1}")} y={format!("{:.1}", y + 2.0 * r - 12.0)} text-anchor="middle">
                    { crate::view::text::count(spot.count.into()) }
                </text>
            }
        </g>
    }
}

fn token(token: &Token) -> Html {
    let (x, y) = token.at;
    html! {
        <circle key={token.number.to_string()} data-token={token.number.to_string()} r={TOKEN.to_string()}
            cx={format!("{x:.1}")} cy={format!("{y:.1}")}
            class={classes!("stage-token", fill(token.tint), token.tracked.then_some("is-tracked"), token.moved.then_some("is-moved"))}>
            <title>{ format!("{}: {}", token.number, token.state) }</title>
        </circle>
    }
}

/// The number and the local state of a process of a ring, outside of it.
fn beside(token: &Token, (x, y, r): (f64, f64, f64)) -> Html {
    let (dx, dy) = ((token.at.0 - x) / r, (token.at.1 - y) / r);
    let at = (x + dx * (r + 13.0), y + dy * (r + 13.0));
    let anchor = if dx > 0.3 {
        "start"
    } else if dx < -0.3 {
        "end"
    } else {
        "middle"
    };
    html! {
        <text class="stage-words" x={format!("{:.1}", at.0)} y={format!("{:.1}", at.1)} text-anchor={anchor}
            dominant-baseline="middle">{ format!("{} {}", token.number, token.state) }</text>
    }
}
