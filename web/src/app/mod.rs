//! The page in the browser: Yew components over the session and the view-model.

mod algorithm;
mod branching;
mod browser;
mod client;
mod compare;
mod editor;
mod elsewhere;
mod every;
mod explore;
mod gallery;
mod graph;
mod header;
mod lanes;
mod line;
mod menu;
mod options;
mod panels;
mod params;
mod player;
mod plot;
mod problems;
mod progress;
mod properties;
mod remarks;
mod room;
mod screens;
mod snapshot;
mod stack;
mod summary;
mod symbolic;
mod tabs;
mod tour;
mod views;
mod visit;
mod work;

use graph::Sight;
pub use graph::{Graph, OrbitProps, Props as GraphProps, Unfolded};
pub use problems::{Problems, Props as ProblemsProps};

use crate::engine::{self, GraphKind};
use crate::session::{Action, Item, Look, Mode, Session, Set, Side, Which};
use crate::view;
use crate::view::branching::Frame;
use crate::view::picture::marks::Marks;
use crate::view::room::{Border, Part};
use branching::Shown;
use orbitscope_core::draw::NodeId;
use orbitscope_core::search::log::Snapshot;
use std::rc::Rc;
use yew::prelude::*;

/// Starts the application in the page's body.
pub fn start() {
    yew::Renderer::<App>::new().render();
}

impl Reducible for Session {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(self.apply(action))
    }
}

/// The whole page.
#[component]
pub fn App() -> Html {
    let session = use_reducer(visit::session);
    let embedded = *use_memo((), |()| browser::is_embedded());
    visit::use_keeping(&session, !embedded);
    visit::use_arrivals(&session);
    visit::use_following(&session);
    visit::use_history(&session, !embedded);
    menu::use_documents(&session);
    let tour = tour::use_tour(&session);
    work::use_engine(&session, Which::Front);
    work::use_engine(&session, Which::Background);
    let snapshot = snapshot::use_snapshot(session.film(), session.play.player.step);
    use_place(&session, snapshot.as_deref());
    let (room, on_room) = room::use_room();
    let search = branching::use_search(&session);
    let sight = graph::use_sight();
    let main = classes!(
        "workbench",
        screens::class(session.place.screen),
        session.is_stale().then_some("is-stale"),
        session.is_old().then_some("is-old"),
        tour.class(),
        room.max.map(Part::class)
    );
    let splitter = |border| html! { <room::Splitter {border} {room} on_room={on_room.clone()} /> };
    let maximise = |part| room::maximise(part, room, &on_room);
    if embedded {
        return embed(&session, snapshot, search.as_ref(), &sight);
    }
    let on_tour = {
        let tour = tour.clone();
        Callback::from(move |()| tour.start())
    };
    html! {
        <>
            <header::Header>
                <menu::Menus session={session.clone()} seen={sight.clone()} tour={tour::Tour::name()} {on_tour} />
            </header::Header>
            <remarks::Remarks remarks={session.kept.remarks.clone()} on_dismiss={send(&session, Action::Dismiss)} />
            { problems::strip(&session.found.problems, &session.found.faults, &send(&session, Action::Select)) }
            <main class={main} aria-busy={session.is_pending().to_string()}>
                <div class="column model-column">{ model(&session) }</div>
                <div class="column graph-column">
                    { maximise(Part::Graph) }
                    { picture(&session, snapshot.clone(), search.as_ref(), &sight) }
                    { player(&session, search.as_ref()) }
                </div>
                { splitter(Border::Model) }
                <div class="column side-column">{ maximise(Part::Side) }{ panels::draw(&panels::Context { session: &session, snapshot, search: search.as_ref() }) }</div>
                { splitter(Border::Side) }
                { run(&session, &maximise(Part::Run)) }
                { splitter(Border::Run) }
            </main>
            { screens::draw(&screens::Props {
                shown: session.place.screen,
                side: panels::first_name(&session),
                on_pick: send(&session, Action::Screen),
            }) }
            <tour::TourCard {tour} />
        </>
    }
}

/// Tells the session in which node the search is, while somebody looks at its state.
#[hook]
fn use_place(session: &UseReducerHandle<Session>, snapshot: Option<&Snapshot>) {
    let at = match (session.mode(), snapshot) {
        (Mode::Search(film), Some(snapshot)) if session.place.side == Side::Inspect => {
            let entry = snapshot.frames.last().and_then(|frame| film.log.entries().get(frame.dfnum as usize));
            entry.map(|entry| entry.node.0)
        }
        _ => None,
    };
    let dispatcher = session.dispatcher();
    use_effect_with(at, move |at| dispatcher.dispatch(Action::Look(Look::At(*at))));
}

/// The picture and the player alone, in another page.
fn embed(
    session: &UseReducerHandle<Session>,
    snapshot: Option<Rc<Snapshot>>,
    search: Option<&Shown>,
    sight: &Sight,
) -> Html {
    let fragment = browser::fragment().map_or_else(String::new, |fragment| format!("#{fragment}"));
    let address = browser::address();
    html! {
        <main class="embed">
            <remarks::Remarks remarks={session.kept.remarks.clone()} on_dismiss={send(session, Action::Dismiss)} />
            { picture(session, snapshot, search, sight) }
            { player(session, search) }
            // In a notebook there is no site that could be opened.
            if address.starts_with("http") {
                <a class="embed-out" href={format!("{address}{fragment}")} target="_blank" rel="noopener">
                    { "Open in Orbitscope" }
                </a>
            }
        </main>
    }
}

/// The model: its text, parameters, properties, and how to check them.
fn model(session: &UseReducerHandle<Session>) -> Html {
    let set = send(session, |(name, value)| Action::Set(name, value));
    let problems: Rc<[_]> = if session.found.problems.is_empty() {
        session.found.faults.clone()
    } else {
        session.found.problems.clone()
    };
    html! {
        <>
            <section class="panel model" aria-labelledby="model-heading">
                <h2 id="model-heading" class="visually-hidden">{ "Model" }</h2>
                <gallery::Gallery model={session.model} edited={session.is_edited()} on_pick={send(session, Action::Pick)} on_remark={send(session, Action::Remark)}
                    on_open={send(session, |opening| Action::Open(Box::new(opening)))} />
                if let Some(info) = &session.found.info {
                    { params::draw(&params::Props {
                        params: info.params.clone(),
                        settings: session.question.settings.clone(),
                        on_set: set,
                    }) }
                }
            </section>
            <section class="panel checks" aria-labelledby="checks-heading">
                <h2 id="checks-heading" class="panel-heading">{ "Properties" }</h2>
                { properties::draw(&properties::Props {
                    rows: view::properties::rows(session),
                    deadlocks: view::properties::deadlocks(session),
                    on_pick: send(session, Action::Property),
                }) }
                { progress::draw(&progress::Props {
                    activity: view::summary::activity(session),
                    halted: session.line.halted,
                    notice: session.line.notice.clone(),
                    on_stop: send(session, |()| Action::Stop),
                    on_skip: send(session, |()| Action::Skip),
                    on_again: send(session, |()| Action::Again),
                }) }
                { options::draw(&options::Props {
                    choices: session.choices,
                    patience: session.line.patience,
                    on_choose: send(session, Action::Choose),
                    on_patience: send(session, Action::Patience),
                }) }
            </section>
            <editor::Editor text={session.question.source.clone()} {problems} lit={session.lit_line()}
                on_edit={send(session, Action::Edit)} />
        </>
    }
}

/// The graph that is shown, under the choice of graphs.
fn picture(
    session: &UseReducerHandle<Session>,
    snapshot: Option<Rc<Snapshot>>,
    search: Option<&Shown>,
    sight: &Sight,
) -> Html {
    let of = session.graph(session.scene.view);
    let frame = search.map(|shown| shown.frame.clone());
    let sizes = GraphKind::ALL.map(|of| (of, view::summary::size(session, of))).to_vec();
    let drawing = session.picture(of).cloned();
    html! {
        <section class="panel picture" aria-labelledby="picture-heading">
            <h2 id="picture-heading" class="visually-hidden">{ "Graph" }</h2>
            { views::draw(&views::Props {
                sizes,
                shown: session.diagram().is_none().then_some(session.scene.view),
                diagram: view::symbolic::tab_size(session),
                on_pick: send(session, Action::View),
                on_diagram: send(session, |()| Action::Diagram(Set::Representatives)),
            }) }
            if let (None, Some(info), Some(drawing)) = (session.diagram(), &session.found.info, &drawing) {
                { summary::draw(&summary::Props {
                    counts: view::summary::shown(session),
                    complete: drawing.is_complete(),
                    on_more: session.can_enlarge(of).then(|| send(session, move |()| Action::Enlarge(of))),
                    about: session.scene.view.about(),
                    symmetry: view::branching::symmetry(session).unwrap_or_else(|| info.symmetry.clone()),
                    on_line: send(session, |line| Action::Select(Some(Item::SourceLine(line)))),
                    stale: session.is_stale(),
                }) }
            }
            <div id="picture" class="picture-body" role="tabpanel">
                if let (Some(shown), Some(found)) = (session.diagram(), session.iterations()) {
                    <symbolic::Diagram found={found.clone()} step={session.play.player.step} {shown}
                        on_pick={send(session, Action::Diagram)} />
                } else if session.diagram().is_some() {
                    <p class="picture-none">{ view::summary::why_no_search(session) }</p>
                } else if let Some(drawing) = drawing {
                    <Drawn {drawing} {of} session={session.clone()} {snapshot} {frame} sight={sight.clone()} />
                } else if session.has_no_picture(of) {
                    <p class="picture-none">{ view::summary::why_no_picture(session) }</p>
                }
            </div>
        </section>
    }
}

/// The player of what is played, if there is something.
fn player(session: &UseReducerHandle<Session>, search: Option<&Shown>) -> Html {
    let on_play = send(session, Action::Play);
    match (session.mode(), session.answer(), session.looked_at()) {
        (Mode::Iterations(found), Some(checked), Some(property)) => html! {
            <symbolic::IterationPlayer found={found.clone()} checked={checked.clone()} logic={property.logic}
                player={session.play.player} {on_play} />
        },
        (Mode::Search(film), ..) => {
            let chosen = session.seen_in(session.pointer.selected, GraphKind::Product);
            let chosen = chosen.and_then(|item| item.node_of(GraphKind::Product)).map(|node| node.0);
            html! {
                <player::FilmPlayer film={film.clone()} player={session.play.player} halts={session.play.halts.clone()}
                    {chosen} {on_play} on_halt={send(session, Action::Halt)} />
            }
        }
        (Mode::Branching(_), ..) => branching::player(session, search),
        _ => Html::default(),
    }
}

/// Why the property that is looked at has its verdict: the counterexample, or the outline of the evidence.
fn run(session: &UseReducerHandle<Session>, maximise: &Html) -> Html {
    if let Some(run) = session.walked_run().filter(|_| session.is_walking()) {
        return html! {
            <div class="run-row">
                { maximise.clone() }
                <lanes::Lanes title="Walk" about="taken by hand" run={run.clone()} good=true
                    selected={session.pointer.selected} on_select={send(session, Action::Select)} />
            </div>
        };
    }
    let name = session.property_name().unwrap_or_default().to_owned();
    let piece = session.shown_piece().map(|(_, piece)| piece);
    let body = match session.run() {
        Some(run) if session.branching().is_some() => html! {
            <lanes::Lanes title={piece.map_or("Counterexample", |piece| branching::title(piece))}
                about={piece.map_or_else(|| name.clone(), |piece| piece.words.clone())} run={run.clone()}
                good={piece.is_some_and(|piece| piece.holds)} selected={session.pointer.selected}
                on_select={send(session, Action::Select)} />
        },
        _ if session.branching().is_some() => Html::default(),
        Some(run) if session.shows_fault() => html! {
            <lanes::Lanes title="Path to the error" about="the model has an error at its end" run={run.clone()}
                selected={session.pointer.selected} on_select={send(session, Action::Select)} />
        },
        Some(run) => html! {
            <lanes::Lanes title={if session.shows_deadlock() { "Path to a deadlock" } else { "Counterexample" }}
                about={if session.shows_deadlock() { "nothing can move at its end".into() } else { name.clone() }}
                run={run.clone()} selected={session.pointer.selected}
                on_select={send(session, Action::Select)} />
        },
        None => html! { <p class="run-none">{ view::summary::why_no_run(session) }</p> },
    };
    let why = session.branching().map(|_| {
        let on_branch = send(session, Action::Branch);
        branching::why(&branching::WhyProps { session, about: name.clone(), on_branch })
    });
    let empty = session.run().is_none() && why.is_none();
    html! {
        <div class="run-row">
            if !empty {
                { maximise.clone() }
            }
            { why.unwrap_or_default() }{ body }
        </div>
    }
}

#[derive(PartialEq, Properties)]
struct DrawnProps {
    drawing: Rc<engine::Drawing>,
    of: GraphKind,
    session: UseReducerHandle<Session>,
    snapshot: Option<Rc<Snapshot>>,
    frame: Option<Rc<Frame>>,
    sight: Sight,
}

#[component]
fn Drawn(props: &DrawnProps) -> Html {
    let DrawnProps { drawing, of, session, snapshot, frame, sight } = props;
    let run_state = session.pointer.selected.and_then(|item| match item {
        Item::RunStep(state) => Some(state),
        _ => None,
    });
    let marks = graph::use_marks(session.film(), snapshot.as_ref(), drawing, *of, (session.run(), run_state));
    let looked_into = branching::use_marks(session, frame.as_ref(), drawing, *of);
    let walked = use_memo(
        (session.walked_run().cloned().filter(|_| session.is_walking()), drawing.clone(), *of, run_state),
        |(walked, drawing, of, column)| {
            walked.as_ref()?;
            let nodes = session.walked_nodes(drawing, *of);
            let at = column.and_then(|column| nodes.get(column as usize).copied().flatten());
            let graph = drawing.graph();
            let size = (graph.nodes.len(), graph.edges.len());
            // The legend of a search says nothing of a walk.
            let marks = Marks { legend: &[], ..Marks::blank(size) };
            Some(Rc::new(marks.with_run(graph, &nodes, at)))
        },
    );
    let marks = (*walked).clone().or(looked_into).or(marks);
    let picture = use_memo(drawing.clone(), |drawing| Rc::new(drawing.layered.clone()));
    let found = session.sought().and_then(|found| found.as_ref().ok()).cloned();
    let of = *of;
    let open = send(session, move |node: NodeId| Action::Unfold(Some((of, node.0))));
    let chosen = session.pointer.selected.and_then(|item| item.node_of(of));
    let unfolded = chosen.filter(|node| session.scene.unfolded == Some((of, node.0)) && of.has_orbits());
    let on_seen = {
        let sight = sight.clone();
        Callback::from(move |seen| sight.set(seen))
    };
    html! {
        <>
            <Graph drawing={drawing.clone()} {on_seen} {of} {marks} {found} selected={session.pointer.selected} hovered={session.pointer.hovered}
                on_select={send(session, Action::Select)} on_hover={send(session, Action::Hover)} on_open={open} />
            if let Some(node) = unfolded {
                <Unfolded picture={(*picture).clone()} {node} orbit={session.orbit().cloned()}
                    on_close={send(session, |()| Action::Unfold(None))} />
            }
        </>
    }
}

/// A callback that sends an action to the session.
fn send<T: 'static>(
    session: &UseReducerHandle<Session>,
    action: impl Fn(T) -> Action + 'static,
) -> Callback<T> {
    let dispatcher = session.dispatcher();
    Callback::from(move |value| dispatcher.dispatch(action(value)))
}
