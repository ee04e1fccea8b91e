//! A join, drawn: the classes before and what is joined in on the left, the classes after it on the right.

use super::chips::paint;
use crate::view::join::{Join, Source};
use crate::view::stack::ClassView;
use std::rc::Rc;
use yew::prelude::*;

const WIDTH: f64 = 320.0;
const BOX: f64 = 132.0;
const TALL: f64 = 22.0;
const PITCH: f64 = 27.0;
const HEAD: f64 = 18.0;
/// The number of characters of a class's members that fit.
const FIT: usize = 15;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) join: Rc<Join>,
}

#[component]
pub(crate) fn JoinPicture(props: &Props) -> Html {
    let join = &*props.join;
    let title = match &join.source {
        Source::Orbits(perm) if perm == "id" => "A cycle that moves no process".to_owned(),
        Source::Orbits(_) => "A cycle joins classes by its orbits".into(),
        Source::Child(child) => format!("u{} is joined into u{}", child.0, join.node.0),
    };
    let joined = match &join.source {
        Source::Orbits(perm) => format!("orbits of π = {perm}"),
        Source::Child(child) => format!("classes of u{}", child.0),
    };
    let second = HEAD + PITCH * join.before.len() as f64 + 4.0;
    let left = second + if join.joined.is_empty() { 0.0 } else { HEAD + PITCH * join.joined.len() as f64 };
    let right = HEAD + PITCH * join.after.len() as f64;
    let middle = |count: usize| (left.max(right) - HEAD - PITCH * count as f64) / 2.0;
    let top = if join.after.len() < join.before.len() { middle(join.after.len()).max(0.0) } else { 0.0 };
    let after = |k: usize| HEAD + top + PITCH * k as f64;
    let before = |k: usize| HEAD + PITCH * k as f64;
    let cause = |k: usize| second + HEAD + PITCH * k as f64;
    let height = left.max(HEAD + top + PITCH * join.after.len() as f64) + 4.0;
    let flows = join.flows.iter().map(|&(from, to)| curve(before(from), after(to), &join.after[to], "flow"));
    let causes =
        join.causes.iter().map(|&(from, to)| curve(cause(from), after(to), &join.after[to], "flow is-cause"));
    let right_x = WIDTH - BOX;
    html! {
        <figure class="join" aria-label={summary(join)}>
            <figcaption class="join-title">{ title }</figcaption>
            <svg class="join-picture" viewBox={format!("0 0 {WIDTH} {height:.0}")} aria-hidden="true">
                <text class="join-head" x="0" y="11">{ format!("u{} before", join.node.0) }</text>
                <text class="join-head" x={right_x.to_string()} y={(11.0 + top).to_string()}>{ "after" }</text>
                { for flows }
                { for causes }
                { for join.before.iter().enumerate().map(|(k, class)| class_box(class, 0.0, before(k), "before", false)) }
                if !join.joined.is_empty() {
                    <text class="join-head" x="0" y={(second + 11.0).to_string()}>{ clip(&joined, 44) }<title>{ joined.clone() }</title></text>
                }
                { for join.joined.iter().enumerate().map(|(k, class)| class_box(class, 0.0, cause(k), "joined", false)) }
                { for join.after.iter().enumerate().map(|(k, class)| {
                    class_box(class, right_x, after(k), "after", join.now_fair.contains(&k))
                }) }
            </svg>
            <p class="join-summary">{ summary(join) }</p>
        </figure>
    }
}

fn summary(join: &Join) -> String {
    let mut parts = vec![match join.counts {
        (before, after) if before == after => format!("{after} classes, as before"),
        (before, after) => format!("{before} classes become {after}"),
    }];
    if !join.now_fair.is_empty() {
        let letters: Vec<&str> = join.now_fair.iter().map(|&k| join.after[k].letter.as_str()).collect();
        parts.push(format!("now fair: {}", letters.join(", ")));
    }
    if join.hidden > 0 {
        parts.push(format!("{} more are as they were", join.hidden));
    }
    parts.join("; ") + "."
}

fn curve(from: f64, to: f64, class: &ClassView, style: &'static str) -> Html {
    let (x, end) = (BOX, WIDTH - BOX);
    let (y, z) = (from + TALL / 2.0, to + TALL / 2.0);
    let bend = f64::midpoint(x, end);
    let [hue, _] = paint(class);
    html! { <path class={classes!(style, hue)} pathLength="1" d={format!("M{x} {y:.1}C{bend} {y:.1} {bend} {z:.1} {end} {z:.1}")} /> }
}

fn class_box(class: &ClassView, x: f64, y: f64, kind: &'static str, fresh: bool) -> Html {
    let [hue, _] = paint(class);
    let mark = if class.fair.is_some() { "✓" } else { "" };
    let wide = 7.0 * class.letter.len() as f64 + 9.0;
    html! {
        <g class={classes!("join-box", hue, format!("is-{kind}"), fresh.then_some("is-fresh"))}
            transform={format!("translate({x} {y:.1})")}>
            <title>{ format!("{}: {}", class.letter, class.members) }</title>
            <rect width={BOX.to_string()} height={TALL.to_string()} rx="4" />
            <rect class="join-letter" width={wide.to_string()} height={TALL.to_string()} rx="4" />
            <text class="join-letter-text" x={(wide / 2.0).to_string()} y="15">{ &class.letter }</text>
            <text class="join-members" x={(wide + 5.0).to_string()} y="15">{ clip(&class.members, FIT) }</text>
            <text class="join-fair" x={(BOX - 5.0).to_string()} y="15">{ mark }</text>
        </g>
    }
}

fn clip(text: &str, fit: usize) -> String {
    if text.chars().count() <= fit {
        return text.into();
    }
    text.chars().take(fit - 1).chain(['…']).collect()
}
