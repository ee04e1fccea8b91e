//! The tools around the text: the outline, the buttons, the reference, and the line that explains the word at the caret.

use super::{place, typing};
use crate::view::editor::{self, Entry, Found};
use std::rc::Rc;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

/// A text, and where the caret has come to rest in it.
pub(super) type Rest = (Rc<str>, u32);

#[derive(PartialEq, Properties)]
pub(super) struct ToolsProps {
    pub(super) text: Rc<str>,
    pub(super) area: NodeRef,
    pub(super) on_rename: Callback<()>,
}

/// The outline, and what can be done with the whole text.
#[component]
pub(super) fn Tools(props: &ToolsProps) -> Html {
    // The outline is made when somebody looks at it.
    let entries = use_state(Vec::<Entry>::new);
    let go = {
        let (area, entries) = (props.area.clone(), entries.clone());
        Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            let chosen = usize::try_from(select.selected_index() - 1).ok();
            select.set_selected_index(0);
            let entry = chosen.and_then(|chosen| entries.get(chosen));
            if let (Some(entry), Some(area)) = (entry, area.cast::<HtmlTextAreaElement>()) {
                typing::show(&area, entry.place);
            }
        })
    };
    let look = {
        let (entries, text) = (entries.clone(), props.text.clone());
        Callback::from(move |()| entries.set(editor::entries(&text)))
    };
    let on_rename = props.on_rename.reform(|_: MouseEvent| ());
    html! {
        <div class="editor-tools" role="toolbar" aria-label="Source">
            <select class="input" aria-label="Go to" title="Goes to a declaration" onchange={go}
                onfocus={look.reform(|_: FocusEvent| ())} onpointerdown={look.reform(|_: PointerEvent| ())}>
                <option>{ "Go to…" }</option>
                { for entries.iter().map(|entry| html! {
                    <option>{ if entry.inside { "\u{a0}\u{a0}" } else { "" } }{ &entry.name }</option>
                }) }
            </select>
            <button type="button" class="button is-small" title="Another name in all places of the one at the caret (F2)" onclick={on_rename}>{ "Rename" }</button>
            <button type="button" class="button is-small" popovertarget="reference">{ "Reference" }</button>
            <Reference />
        </div>
    }
}

/// The words of the language.
#[component]
fn Reference() -> Html {
    let sought = use_state(String::new);
    let on_input = {
        let sought = sought.clone();
        Callback::from(move |event: InputEvent| {
            sought.set(event.target_unchecked_into::<HtmlInputElement>().value());
        })
    };
    let found = use_memo((*sought).clone(), |sought| editor::reference(sought));
    html! {
        <div id="reference" class="menu reference" popover="auto" role="dialog" aria-labelledby="reference-heading">
            <h2 id="reference-heading" class="menu-heading">{ "The language" }</h2>
            <input class="input menu-text" type="search" aria-label="Look for" placeholder="a word: process, fairness, count…"
                value={(*sought).clone()} oninput={on_input} />
            <dl class="reference-words">
                { for found.iter().map(|(form, says)| html! { <><dt><code>{ *form }</code></dt><dd>{ *says }</dd></> }) }
            </dl>
            if found.is_empty() {
                <p class="menu-note">{ "The language has no such word." }</p>
            }
        </div>
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct Props {
    pub(super) text: Rc<str>,
    /// Where the caret rests, and in which text.
    pub(super) rest: Option<Rest>,
    /// The caret when somebody wanted another name for the word there.
    pub(super) renaming: Option<u32>,
    pub(super) area: NodeRef,
    pub(super) on_done: Callback<()>,
}

/// The word at the caret: what it means, or the field for its new name.
#[component]
pub(super) fn Word(props: &Props) -> Html {
    let facts = use_memo(props.rest.clone(), |rest| {
        let (text, caret) = rest.as_ref()?;
        editor::facts(text, *caret)
    });
    if let Some(caret) = props.renaming {
        return html! { <Rename text={props.text.clone()} {caret} area={props.area.clone()} on_done={props.on_done.clone()} /> };
    }
    let Some(facts) = &*facts else {
        return html! {
            <p class="editor-word">{ "Ctrl+Space completes · Ctrl+/ comments · F12 goes to the declaration · F2 renames" }</p>
        };
    };
    let go = {
        let area = props.area.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                to_definition(&area);
            }
        })
    };
    html! {
        <p class="editor-word">
            <code>{ &facts.code }</code>{ " " }{ &facts.says }
            if facts.declared {
                { " " }<button type="button" class="problem-place" title="F12" onclick={go}>{ "declaration" }</button>
            }
        </p>
    }
}

#[derive(PartialEq, Properties)]
struct RenameProps {
    text: Rc<str>,
    caret: u32,
    area: NodeRef,
    on_done: Callback<()>,
}

#[component]
fn Rename(props: &RenameProps) -> Html {
    let trouble = use_state(|| None::<String>);
    let field = use_node_ref();
    let old = use_memo((props.text.clone(), props.caret), |(text, caret)| {
        // A name that can be changed can be changed to itself.
        editor::name_at(text, *caret)
    });
    {
        let field = field.clone();
        use_effect_with((), move |()| {
            if let Some(field) = field.cast::<HtmlInputElement>() {
                let _ = field.focus();
                field.select();
            }
        });
    }
    let on_submit = {
        let (field, trouble, area) = (field.clone(), trouble.clone(), props.area.clone());
        let (text, caret, on_done) = (props.text.clone(), props.caret, props.on_done.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let Some(new) = field.cast::<HtmlInputElement>().map(|field| field.value()) else { return };
            match (editor::rename(&text, caret, new.trim()), area.cast::<HtmlTextAreaElement>()) {
                (Ok(((start, end), part, place)), Some(area)) => {
                    typing::replace(&area, (start, end), &part);
                    typing::show(&area, (place, place));
                    on_done.emit(());
                }
                (Err(why), _) => trouble.set(Some(why)),
                _ => {}
            }
        })
    };
    let on_key = {
        let (on_done, area) = (props.on_done.clone(), props.area.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                on_done.emit(());
                if let Some(area) = area.cast::<HtmlElement>() {
                    let _ = area.focus();
                }
            }
        })
    };
    html! {
        <form class="editor-word editor-rename" onsubmit={on_submit} onkeydown={on_key}>
            <label for="rename">{ format!("{} is now", (*old).as_deref().unwrap_or("The name")) }</label>
            <input id="rename" ref={field} class="field" type="text" spellcheck="false" autocomplete="off"
                value={(*old).clone().unwrap_or_default()} />
            <button type="submit" class="button is-small">{ "Rename" }</button>
            if let Some(why) = &*trouble {
                <span class="explore-trouble" role="status">{ why }</span>
            }
        </form>
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct BracketProps {
    pub(super) text: Rc<str>,
    pub(super) rest: Option<Rest>,
    pub(super) lines: NodeRef,
}

/// Frames around the bracket at the caret and its other half.
#[component]
pub(super) fn Brackets(props: &BracketProps) -> Html {
    let pair = use_memo(props.rest.clone(), |rest| {
        let (text, caret) = rest.as_ref()?;
        editor::match_of(text, *caret)
    });
    // While one types they would stand in the wrong place.
    let here = props.rest.as_ref().is_some_and(|(text, _)| *text == props.text);
    let marks = [use_node_ref(), use_node_ref()];
    {
        let (marks, lines) = (marks.clone(), props.lines.clone());
        use_effect_with((pair.clone(), props.text.clone(), here), move |(pair, text, _)| {
            let (Some((open, close)), Some(lines)) = (**pair, lines.cast::<Element>()) else { return };
            for (mark, offset) in marks.iter().zip([open, close]) {
                if let Some(mark) = mark.cast::<HtmlElement>() {
                    put(&mark, &lines, text, offset);
                }
            }
        });
    }
    if pair.is_none() || !here {
        return Html::default();
    }
    html! { <>{ for marks.iter().map(|mark| html! { <span ref={mark.clone()} class="bracket-mark" aria-hidden="true"></span> }) }</> }
}

fn put(mark: &HtmlElement, lines: &Element, text: &str, offset: usize) {
    let Some((left, top, _)) = place::place(lines, text, offset) else { return };
    let sheet = lines.get_bounding_client_rect();
    let style = mark.style();
    let _ = style.set_property("--x", &format!("{:.1}px", left - sheet.left()));
    let _ = style.set_property("--y", &format!("{:.1}px", top - sheet.top()));
}

/// Goes to where the name at the caret is declared.
pub(super) fn to_definition(area: &HtmlTextAreaElement) {
    let caret = area.selection_start().ok().flatten().unwrap_or(0);
    let place: Option<Found> = editor::definition(&area.value(), caret);
    if let Some(place) = place {
        typing::show(area, place);
    }
}
