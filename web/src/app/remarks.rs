//! Remarks, each until it is dismissed.

use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) remarks: Rc<[Rc<str>]>,
    pub(crate) on_dismiss: Callback<u32>,
}

#[component]
pub(crate) fn Remarks(props: &Props) -> Html {
    let rows = (0..).zip(&*props.remarks).map(|(number, remark)| {
        let on_click = props.on_dismiss.reform(move |_: MouseEvent| number);
        html! {
            <div key={remark.to_string()} class="remark">
                <span class="remark-words">{ &**remark }</span>
                <button type="button" class="button" onclick={on_click} aria-label={format!("Dismiss: {remark}")}>{ "Dismiss" }</button>
            </div>
        }
    });
    html! { <div class="remarks" role="status">{ for rows }</div> }
}
