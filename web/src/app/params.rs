//! The parameters of the model.

use crate::engine::ParamInfo;
use std::collections::BTreeMap;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The widest range for which a slider can be aimed at a value.
const SLIDER_RANGE: i64 = 60;

pub(crate) struct Props {
    pub(crate) params: Vec<ParamInfo>,
    /// The values that were asked for, which may be more than the model allows.
    pub(crate) settings: BTreeMap<String, i64>,
    pub(crate) on_set: Callback<(String, i64)>,
}

pub(crate) fn draw(props: &Props) -> Html {
    let fields = props.params.iter().map(|param| {
        let id = format!("param-{}", param.name);
        let value = props.settings.get(&param.name).unwrap_or(&param.value).to_string();
        let min = param.range.map(|(least, _)| least.to_string());
        let max = param.range.map(|(_, greatest)| greatest.to_string());
        let on_input = {
            let (name, on_set) = (param.name.clone(), props.on_set.clone());
            Callback::from(move |event: InputEvent| {
                let input: HtmlInputElement = event.target_unchecked_into();
                // An empty or half-typed number asks nothing yet.
                if let Ok(value) = input.value().parse() {
                    on_set.emit((name.clone(), value));
                }
            })
        };
        let slider = param.range.is_some_and(|(least, most)| most.saturating_sub(least) <= SLIDER_RANGE);
        html! {
            <div class="param" key={param.name.clone()}>
                <label class="param-name" for={id.clone()}>{ &param.name }</label>
                <input {id} class="input param-value" type="number" inputmode="numeric" step="1"
                    min={min.clone()} max={max.clone()} value={value.clone()} oninput={on_input.clone()} />
                if slider {
                    <input class="param-slider" type="range" step="1" {min} {max} {value}
                        aria-label={param.name.clone()} oninput={on_input} />
                } else if let Some((least, greatest)) = param.range {
                    <span class="param-range">{ format!("{least} to {greatest}") }</span>
                }
            </div>
        }
    });
    html! { <div class="params">{ for fields }</div> }
}
