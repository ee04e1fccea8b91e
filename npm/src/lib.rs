//! The engine for JavaScript. `npm/index.js` is what its users see; it calls the functions here.
#![cfg(target_arch = "wasm32")]

use js_sys::{Date, Function, Promise};
use orbitscope_script::{self as script, Asked, Event, Wrong};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Between two pauses the engine works for this many milliseconds: a page stays awake.
const SLICE: f64 = 24.0;
/// As many events are handed over at once.
const BATCH: usize = 1_000;

/// Plain objects, as `JSON.parse` makes them.
fn data(value: &impl Serialize) -> Result<JsValue, JsValue> {
    value.serialize(&Serializer::json_compatible()).map_err(|error| wrong(&Wrong::usage(error.to_string())))
}

/// An error that the wrapper throws: it has the members of [`Wrong`].
fn wrong(wrong: &Wrong) -> JsValue {
    wrong.serialize(&Serializer::json_compatible()).unwrap_or_else(|_| JsValue::from_str(&wrong.message))
}

fn asked(options: JsValue) -> Result<Asked, JsValue> {
    if options.is_undefined() || options.is_null() {
        return Ok(Asked::default());
    }
    serde_wasm_bindgen::from_value(options)
        .map_err(|error| wrong(&Wrong::usage(format!("the options: {error}"))))
}

/// The parameters, families and properties of a model.
#[wasm_bindgen]
pub fn describe(text: &str, options: JsValue) -> Result<JsValue, JsValue> {
    data(&script::describe(text, &asked(options)?).map_err(|error| wrong(&error))?)
}

/// The symmetry of a model, and what limits it.
#[wasm_bindgen]
pub fn symmetry(text: &str, options: JsValue) -> Result<JsValue, JsValue> {
    data(&script::symmetry(text, &asked(options)?).map_err(|error| wrong(&error))?)
}

/// A graph of a model, as JSON, for Graphviz or as SVG.
#[wasm_bindgen]
pub fn graph(text: &str, options: JsValue, form: &str) -> Result<String, JsValue> {
    script::graph(text, &asked(options)?, form).map_err(|error| wrong(&error))
}

/// The part of an address that opens the model in the page.
#[wasm_bindgen]
pub fn link(text: &str, options: JsValue) -> Result<String, JsValue> {
    script::link(text, &asked(options)?).map_err(|error| wrong(&error))
}

/// The text in standard form.
#[wasm_bindgen]
pub fn format(text: &str) -> Result<String, JsValue> {
    script::format(text).map_err(|error| wrong(&error))
}

/// How far a check is.
#[derive(Serialize)]
struct Progress<'a> {
    property: &'a str,
    nodes: u64,
    edges: u64,
    events: &'a [Event],
}

/// Checks the properties that are asked about. After each slice of work `told` is called with how far it is, and with the steps of the
/// search where they are wanted; it gives a promise of whether to go on.
#[wasm_bindgen]
pub async fn check(text: String, options: JsValue, events: bool, told: Function) -> Result<JsValue, JsValue> {
    let asked = asked(options)?;
    let model = script::model(&text, &asked).map_err(|error| wrong(&error))?;
    let mut answers = Vec::new();
    for property in script::properties(&model, &asked) {
        let mut session = script::start(&model, &property).map_err(|error| wrong(&error))?;
        let mut batch = Vec::new();
        loop {
            let until = Date::now() + SLICE;
            let mut more = true;
            while more && batch.len() < BATCH {
                more = session.step();
                if events && more {
                    batch.extend(session.event().map(Event::from));
                }
                if Date::now() >= until {
                    break;
                }
            }
            let progress = session.progress();
            let shown = Progress {
                property: &property,
                nodes: progress.nodes,
                edges: progress.edges,
                events: &batch,
            };
            let asks: Promise = told.call1(&JsValue::NULL, &data(&shown)?)?.unchecked_into();
            batch.clear();
            let goes_on = JsFuture::from(asks).await?.is_truthy();
            if !more {
                break;
            }
            if !goes_on {
                return Err(wrong(&Wrong {
                    kind: "stopped",
                    message: "the check was stopped".into(),
                    problems: Vec::new(),
                }));
            }
        }
        answers.push(script::answer(&model, session));
    }
    data(&answers)
}
