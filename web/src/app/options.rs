//! How to check: each choice with a line of help.

use crate::engine::{Choices, CtlModel, Deadlock, Engine, Fairness, FairnessChoice, Generators, Prune};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

pub(crate) struct Props {
    pub(crate) choices: Choices,
    pub(crate) on_choose: Callback<Choices>,
    /// How many milliseconds each property may take.
    pub(crate) patience: Option<u32>,
    pub(crate) on_patience: Callback<Option<u32>>,
}

/// The engine has no use for a choice.
#[derive(Clone, Copy)]
enum Refused {
    /// Nothing can be chosen, whatever is now.
    All(&'static str),
    /// The value that is chosen now; it stays until one chooses another.
    This(&'static str),
}

/// A property that takes longer is partial.
const SHORT: &str = "A property that takes longer is partial: what was found by then is kept.";

const PATIENCE: Field<Option<u32>> = Field {
    id: "patience",
    name: "Time for each",
    values: &[
        (None, "as long as it takes", "A check ends when it has its answer, or reaches a limit."),
        (Some(2_000), "2 s", SHORT),
        (Some(10_000), "10 s", SHORT),
        (Some(60_000), "1 min", SHORT),
    ],
};

/// A choice: its name, what can be chosen with a line of help each, and how to set it.
struct Field<T: 'static> {
    id: &'static str,
    name: &'static str,
    values: &'static [(T, &'static str, &'static str)],
}

const FAIRNESS: Field<FairnessChoice> = Field {
    id: "fairness",
    name: "Fairness",
    values: &[
        (
            FairnessChoice::Model,
            "as the model says",
            "Each family as it is declared; weak where nothing is said.",
        ),
        (
            FairnessChoice::All(Fairness::Weak),
            "weak",
            "A process that is always able to move moves again and again.",
        ),
        (
            FairnessChoice::All(Fairness::Strong),
            "strong",
            "A process that is able to move again and again moves again and again.",
        ),
        (FairnessChoice::All(Fairness::None), "none", "A process may be passed over for ever."),
    ],
};

const DEADLOCK: Field<Deadlock> = Field {
    id: "deadlock",
    name: "Deadlock",
    values: &[
        (Deadlock::Stutter, "stutter", "Where nobody can move, the state repeats for ever."),
        (Deadlock::Drop, "drop", "Runs that end in a deadlock are left out."),
    ],
};

const ENGINE: Field<Engine> = Field {
    id: "engine",
    name: "Engine",
    values: &[
        (
            Engine::Onthefly,
            "on the fly",
            "Searches the quotient while it is built, and stops at the first violation.",
        ),
        (
            Engine::Threaded,
            "threaded",
            "The older method: builds the whole product first, with every position of the tracked processes. No ctl and mu.",
        ),
        (Engine::Explicit, "explicit", "The plain method: every state of the program, no symmetry."),
        (
            Engine::Symbolic,
            "symbolic",
            "Sets of states as decision diagrams, for all properties but those in mu.",
        ),
    ],
};

const PRUNE: Field<Prune> = Field {
    id: "prune",
    name: "Pruning",
    values: &[
        (Prune::Full, "full", "Keeps one of each class of parallel edges."),
        (Prune::Process, "process", "Keeps the edges of one process of each class, as in the paper."),
        (Prune::None, "none", "Keeps every edge of the quotient."),
    ],
};

const SYMMETRY: Field<bool> = Field {
    id: "symmetry",
    name: "Symmetry",
    values: &[
        (true, "used", "States that differ by an exchange of like processes are one."),
        (false, "not used", "Every state by itself, with the same engine."),
    ],
};

const HINTS: Field<bool> = Field {
    id: "hints",
    name: "Hints",
    values: &[
        (false, "not followed", "All states of a frontier are expanded, whatever the model's hints say."),
        (true, "followed", "Only states that the model's `hint` allows are expanded first, then all others."),
    ],
};

const GENERATORS: Field<Generators> = Field {
    id: "generators",
    name: "Generators",
    values: &[
        (Generators::Proven, "proven", "Only symmetries that are shown to be some."),
        (
            Generators::Unchecked,
            "unchecked",
            "What `symmetry generators` of the model claims, as it is: a violation is real, but nothing else is said.",
        ),
    ],
};

const CTL_MODEL: Field<CtlModel> = Field {
    id: "ctl-model",
    name: "ctl on",
    values: &[
        (CtlModel::All, "all states", "Fixed points on all reachable states, without symmetry."),
        (
            CtlModel::Restricted,
            "representatives",
            "On the representatives alone: refutes formulas with A, and confirms those with E.",
        ),
        (
            CtlModel::Relation,
            "representatives and relation",
            "On the representatives, with a relation that ties every state to them: decides all formulas.",
        ),
    ],
};

const PATHS: Field<bool> = Field {
    id: "ctl-paths",
    name: "Paths of ctl",
    values: &[
        (false, "all", "A and E of a ctl property speak of all paths."),
        (true, "fair", "A and E of a ctl property speak of the paths that are fair as chosen above."),
    ],
};

pub(crate) fn draw(props: &Props) -> Html {
    let choices = props.choices;
    let set = |change: fn(&mut Choices, usize)| {
        props.on_choose.reform(move |index| {
            let mut next = choices;
            change(&mut next, index);
            next
        })
    };
    let is_usual = choices == Choices::default() && props.patience.is_none();
    let on_reset = {
        let (on_choose, on_patience) = (props.on_choose.clone(), props.on_patience.clone());
        Callback::from(move |_: MouseEvent| {
            on_choose.emit(Choices::default());
            on_patience.emit(None);
        })
    };
    html! {
        <details class="options">
            <summary>{ "Options" }<span class="options-short">{ short(choices, props.patience) }</span></summary>
            <div class="options-fields">
                { field(&FAIRNESS, choices.fairness, None, &set(|next, i| next.fairness = FAIRNESS.values[i].0)) }
                { field(&DEADLOCK, choices.deadlock, None, &set(|next, i| next.deadlock = DEADLOCK.values[i].0)) }
                { field(&ENGINE, choices.engine, None, &set(|next, i| next.engine = ENGINE.values[i].0)) }
                { field(
                    &PRUNE,
                    choices.prune,
                    (!choices.can_prune()).then_some(Refused::All("This engine keeps every edge: there is nothing to choose.")),
                    &set(|next, i| next.prune = PRUNE.values[i].0),
                ) }
                { field(&PATHS, choices.fair_ctl, paths_refused(choices), &set(|next, i| next.fair_ctl = PATHS.values[i].0)) }
                { field(&SYMMETRY, choices.symmetry, None, &set(|next, i| next.symmetry = SYMMETRY.values[i].0)) }
                { field(&PATIENCE, props.patience, None, &props.on_patience.reform(|i: usize| PATIENCE.values[i].0)) }
                if choices.is_symbolic() {
                    { symbolic(props) }
                }
                <button type="button" class="button options-reset" disabled={is_usual} onclick={on_reset}>{ "Reset" }</button>
            </div>
        </details>
    }
}

/// The words of the engine about the paths of `ctl`, where it has not both.
fn paths_refused(choices: Choices) -> Option<Refused> {
    if !choices.can_branch() {
        return Some(Refused::All("This engine checks no ctl."));
    }
    let fair = choices.fair_ctl;
    (!choices.can_branch_fairly()).then_some(if fair {
        Refused::This(
            "This engine checks ctl about all paths and refuses fair ones: choose all, or another engine.",
        )
    } else {
        Refused::All("This engine checks ctl about all paths.")
    })
}

/// Options that only the symbolic engine has.
fn symbolic(props: &Props) -> Html {
    let choices = props.choices;
    let own = choices.symbolic;
    let set = |change: fn(&mut Choices, usize)| {
        props.on_choose.reform(move |index| {
            let mut next = choices;
            change(&mut next, index);
            next
        })
    };
    let limit = |change: fn(&mut Choices, Option<u32>)| {
        props.on_choose.reform(move |limit| {
            let mut next = choices;
            change(&mut next, limit);
            next
        })
    };
    html! {
        <>
            { number(
                ("sigma-limit", "σ_Step", 0),
                own.sigma_limit,
                "At most so many rounds of symmetries for what is new; empty: until nothing changes.",
                &limit(|next, limit| next.symbolic.sigma_limit = limit),
            ) }
            { number(
                ("under", "Frontier", 1),
                own.under,
                "Expands a dense part of the frontier of at most so many BDD nodes; empty: all of it.",
                &limit(|next, limit| next.symbolic.under = limit),
            ) }
            { field(&HINTS, own.hints, None, &set(|next, i| next.symbolic.hints = HINTS.values[i].0)) }
            { field(
                &GENERATORS,
                own.generators,
                (!choices.symmetry).then_some(Refused::All("No symmetry is used: there is nothing to choose.")),
                &set(|next, i| next.symbolic.generators = GENERATORS.values[i].0),
            ) }
            { field(&CTL_MODEL, own.ctl, None, &set(|next, i| next.symbolic.ctl = CTL_MODEL.values[i].0)) }
        </>
    }
}

/// A limit that may be none: its id, its name and the least that it can be.
fn number(
    (id, name, least): (&'static str, &'static str, u32),
    value: Option<u32>,
    help: &'static str,
    on_choose: &Callback<Option<u32>>,
) -> Html {
    let help_id = format!("{id}-help");
    let on_change = {
        let on_choose = on_choose.clone();
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            match input.value().trim() {
                "" => on_choose.emit(None),
                typed => match typed.parse() {
                    Ok(limit) if limit >= least => on_choose.emit(Some(limit)),
                    // A number that is no limit is not kept.
                    _ => input.set_value(&value.map_or_else(String::new, |value| value.to_string())),
                },
            }
        })
    };
    html! {
        <div class="option">
            <label for={id}>{ name }</label>
            <input {id} class="input" type="number" inputmode="numeric" step="1" min={least.to_string()} placeholder="no limit"
                value={value.map(|value| value.to_string())} onchange={on_change} aria-describedby={help_id.clone()} />
            <p id={help_id} class="option-help">{ help }</p>
        </div>
    }
}

/// The choices that differ from the usual ones, in a few words.
fn short(choices: Choices, patience: Option<u32>) -> String {
    let usual = Choices::default();
    let word = |differs: bool, name: &str, value: &str| differs.then(|| format!("{name} {value}"));
    let words = [
        word(choices.fairness != usual.fairness, "fairness", label(&FAIRNESS, &choices.fairness)),
        word(choices.deadlock != usual.deadlock, "deadlock", label(&DEADLOCK, &choices.deadlock)),
        word(choices.engine != usual.engine, "engine", label(&ENGINE, &choices.engine)),
        word(choices.can_prune() && choices.prune != usual.prune, "pruning", label(&PRUNE, &choices.prune)),
        word(choices.fair_ctl != usual.fair_ctl, "paths of ctl", label(&PATHS, &choices.fair_ctl)),
        word(choices.symmetry != usual.symmetry, "symmetry", label(&SYMMETRY, &choices.symmetry)),
        word(patience.is_some(), "at most", label(&PATIENCE, &patience)),
    ];
    let (own, none) = (choices.symbolic, usual.symbolic);
    let limit = |name: &str, limit: Option<u32>| limit.map(|limit| format!("{name} {limit}"));
    let symbolic = [
        limit("σ_Step", own.sigma_limit),
        limit("frontier", own.under),
        word(own.hints != none.hints, "hints", label(&HINTS, &own.hints)),
        word(own.generators != none.generators, "generators", label(&GENERATORS, &own.generators)),
        word(own.ctl != none.ctl, "ctl on", label(&CTL_MODEL, &own.ctl)),
    ];
    let symbolic = symbolic.into_iter().filter(|_| choices.is_symbolic());
    words.into_iter().chain(symbolic).flatten().collect::<Vec<_>>().join(", ")
}

fn label<T: PartialEq>(field: &Field<T>, value: &T) -> &'static str {
    field.values.iter().find(|(known, ..)| known == value).map_or("", |(_, name, _)| name)
}

fn field<T: PartialEq + Copy>(
    field: &'static Field<T>,
    value: T,
    refused: Option<Refused>,
    on_choose: &Callback<usize>,
) -> Html {
    let help_id = format!("{}-help", field.id);
    let usual = field.values.iter().find(|(known, ..)| *known == value).map_or("", |(_, _, help)| help);
    let (help, disabled) = match refused {
        None => (usual, false),
        Some(Refused::All(why)) => (why, true),
        Some(Refused::This(why)) => (why, false),
    };
    let on_change = on_choose.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        select.selected_index().max(0) as usize
    });
    let values = field.values.iter().map(|(known, name, _)| {
        html! { <option selected={*known == value}>{ name }</option> }
    });
    html! {
        <div class="option">
            <label for={field.id}>{ field.name }</label>
            <select id={field.id} class="input" onchange={on_change} {disabled}
                aria-describedby={help_id.clone()}>{ for values }</select>
            <p id={help_id} class="option-help">{ help }</p>
        </div>
    }
}
