//! The picture, the graph, the automaton, the run and the model as files.

use super::menu;
use crate::app::browser;
use crate::app::graph::Sight;
use crate::engine::Document;
use crate::session::{Action, Session};
use crate::share::files::{self, Format, TextFile};
use gloo_file::{Blob, ObjectUrl};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};
use yew::platform::spawn_local;
use yew::prelude::*;

/// A picture has two pixels a unit, for sharp print, as long as no side is longer than this.
const MAX_SIDE: f64 = 8_192.0;

#[derive(PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) session: UseReducerHandle<Session>,
    pub(crate) seen: Sight,
}

#[component]
pub(crate) fn TakeAway(props: &Props) -> Html {
    let session = &props.session;
    let has_picture = session.picture(session.graph(session.scene.view)).is_some();
    let has_search = session.film().is_some();
    let has_run = session.run().is_some();
    let picture = |format: Format, png: bool| {
        let (session, sight) = (session.clone(), props.seen.clone());
        Callback::from(move |_: MouseEvent| {
            let Some(drawing) = session.picture(session.graph(session.scene.view)) else { return };
            let file = files::picture(&session, drawing, &sight.of(drawing), format, is_dark());
            if png { save_png(&session, file) } else { save(&file) }
        })
    };
    let write = |what: Document| {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.dispatch(Action::Write(what)))
    };
    let on_model = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| save(&files::model(&session)))
    };
    let row = |id: &'static str, name: &'static str, about: &'static str, enabled: bool, on_click| {
        html! {
            <li>
                <button type="button" class="card" data-take={id} disabled={!enabled} onclick={on_click}
                    popovertarget="menu-take" popovertargetaction="hide">
                    <strong class="card-title">{ name }</strong>
                    <span class="card-blurb">{ about }</span>
                </button>
            </li>
        }
    };
    let body = html! {
        <ul class="cards">
            { row("svg", "Picture, SVG", "As it is seen: sharp at every size", has_picture, picture(Format::Svg, false)) }
            { row("png", "Picture, PNG", "As it is seen: for programs that take no SVG", has_picture, picture(Format::Svg, true)) }
            { row("dot", "Graph, DOT", "For Graphviz", has_picture, picture(Format::Dot, false)) }
            { row("json", "Graph, JSON", "Nodes and edges as data", has_picture, picture(Format::Json, false)) }
            { row("hoa", "Automaton, HOA", "The wrong runs of the property, for Spot and others", has_search, write(Document::Hoa)) }
            { row("run", "Run, JSON", "The counterexample: prefix, cycle and ledger", has_run, write(Document::Run)) }
            { row("promela", "Model, Promela", "For Spin", true, write(Document::Promela)) }
            { row("tla", "Model, TLA+", "For TLC", true, write(Document::Tla)) }
            { row("model", "Model, text", "As it was written", true, on_model) }
        </ul>
    };
    menu("take", "Take away", Callback::noop(), body)
}

fn save(file: &TextFile) {
    browser::save_text(&file.name, file.kind, &file.text);
}

/// Saves what the engine has written as soon as it is there, or says why it is not.
#[hook]
pub(crate) fn use_documents(session: &UseReducerHandle<Session>) {
    let session = session.clone();
    use_effect_with(session.kept.written.clone(), move |written| {
        match written {
            None => return,
            Some((what, Ok(text))) => save(&files::document(&session, *what, text)),
            Some((_, Err(why))) => {
                session.dispatch(Action::Remark(format!("Nothing was written: {why}.").into()));
            }
        }
        session.dispatch(Action::Taken);
    });
}

/// Whether the page is shown in dark colours, chosen or the system's.
fn is_dark() -> bool {
    let chosen = browser::document()
        .and_then(|document| document.document_element())
        .and_then(|root| root.get_attribute("data-theme"));
    match chosen.as_deref() {
        Some("dark") => true,
        Some("light") => false,
        _ => browser::window()
            .and_then(|window| window.match_media("(prefers-color-scheme: dark)").ok()?)
            .is_some_and(|query| query.matches()),
    }
}

fn save_png(session: &UseReducerHandle<Session>, file: TextFile) {
    let session = session.clone();
    spawn_local(async move {
        if paint(&file).await.is_none() {
            let words = "The browser could not paint the picture: take the SVG.";
            session.dispatch(Action::Remark(words.into()));
        }
    });
}

/// Paints an SVG on a canvas and saves that.
async fn paint(file: &TextFile) -> Option<()> {
    let url = ObjectUrl::from(Blob::new_with_options(file.text.as_str(), Some(file.kind)));
    let image = HtmlImageElement::new().ok()?;
    image.set_src(&url);
    JsFuture::from(image.decode()).await.ok()?;
    drop(url);
    let (width, height) = (f64::from(image.natural_width()), f64::from(image.natural_height()));
    let scale = (MAX_SIDE / width.max(height)).min(2.0);
    let canvas: HtmlCanvasElement = browser::document()?.create_element("canvas").ok()?.unchecked_into();
    canvas.set_width((width * scale).round() as u32);
    canvas.set_height((height * scale).round() as u32);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.unchecked_into();
    context
        .draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width * scale, height * scale)
        .ok()?;
    let name = file.name.replace(".svg", ".png");
    let done = Closure::once_into_js(move |blob: Option<web_sys::Blob>| {
        if let Some(blob) = blob {
            let _ = browser::save(&name, blob.into());
        }
    });
    canvas.to_blob(done.unchecked_ref()).ok()
}
