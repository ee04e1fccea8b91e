//! A coloured line; it is drawn again only when it changes.

use crate::view::editor::Line;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) line: Line,
    /// Whether another panel speaks of it.
    pub(crate) lit: bool,
}

#[component]
pub(crate) fn EditorLine(props: &Props) -> Html {
    let pieces = props.line.pieces.iter().map(|piece| {
        let class = classes!(piece.paint.class(), piece.wrong.then_some("is-wrong"));
        if class.is_empty() {
            html! { { &piece.text } }
        } else {
            html! { <span {class}>{ &piece.text }</span> }
        }
    });
    let class =
        classes!("editor-line", props.line.wrong.then_some("has-wrong"), props.lit.then_some("is-lit"));
    html! { <div {class}>{ for pieces }</div> }
}
