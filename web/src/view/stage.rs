//! The processes on a stage: the local states of each family as a small automaton, the processes as tokens in them.
//!
//! The stage follows what is played. It is drawn from the glyph of the state that is looked at, so that a token has the colour
//! that its local state has everywhere.

use crate::engine::run::{Run, Who};
use crate::engine::{Cast, GraphKind, ModelInfo};
use crate::session::{Item, Mode, Session};
use orbitscope_core::draw::{Glyph, StripName};
use orbitscope_core::search::log::Snapshot;
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// The width of a stage, in units.
pub const WIDTH: f64 = 320.0;
/// The least radius of a local state.
const SPOT: f64 = 22.0;
/// The radius of a token.
pub const TOKEN: f64 = 6.0;
/// The room of a token.
const PITCH: f64 = 14.0;
/// With more local states than this, arrows have no words beside them.
const WORDED: usize = 5;

/// The contents of the stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Which state it is.
    pub caption: String,
    /// The families.
    pub families: Vec<FamilyScene>,
    /// The shared variables: a name, the value where it is known in words, and its tints.
    pub shared: Vec<(String, String, Vec<u8>)>,
}

/// A family on the stage.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyScene {
    /// Its name.
    pub name: String,
    /// How many processes it has.
    pub size: u32,
    /// The variable that tells where a process stands.
    pub variable: String,
    /// The height of the scene.
    pub height: f64,
    /// The local states.
    pub spots: Vec<Spot>,
    /// The moves.
    pub arrows: Vec<Arrow>,
    /// The processes one by one; none where they are too many.
    pub tokens: Vec<Token>,
    /// The line on which processes of a ring stand: its centre and its radius.
    pub ring: Option<(f64, f64, f64)>,
}

/// A local state.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Its name.
    pub name: String,
    /// Its tint.
    pub tint: u8,
    /// Its centre and its radius.
    pub at: (f64, f64, f64),
    /// How many processes are in it.
    pub count: u32,
}

/// A move between local states.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// Its path.
    pub path: String,
    /// The actions.
    pub words: String,
    /// Where the words are; none where there is no room for them.
    pub label: Option<(f64, f64)>,
    /// Whether the last step made it.
    pub lit: bool,
}

/// A process.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// Its number in the family.
    pub number: u32,
    /// Its centre.
    pub at: (f64, f64),
    /// The tint of its local state.
    pub tint: u8,
    /// The name of its local state.
    pub state: String,
    /// Whether the property tracks it.
    pub tracked: bool,
    /// Whether the last step changed it.
    pub moved: bool,
}

/// The state that is looked at, the one before it, and words for it.
struct Now<'a> {
    glyph: &'a Glyph,
    before: Option<&'a Glyph>,
    caption: String,
    run: Option<(&'a Run, u32)>,
}

/// The stage as it is now; none where there is no state to be seen, or no family that can be put on it.
pub fn stage(session: &Session, snapshot: Option<&Snapshot>) -> Option<Stage> {
    let info = session.found.info.as_ref()?;
    let now = now(session, snapshot)?;
    let families = info.casts.iter().filter_map(|cast| family(cast, now.glyph, now.before)).collect();
    Some(Stage { families, shared: shared(info, &now), caption: now.caption })
}

fn now<'a>(session: &'a Session, snapshot: Option<&Snapshot>) -> Option<Now<'a>> {
    let column = match (session.pointer.selected, session.mode()) {
        (Some(Item::RunStep(column)), _) => Some(column),
        (None, Mode::Walk(Some(walked))) => Some(walked.run.columns() - 1),
        _ => None,
    };
    if let (Some(column), Some(run)) = (column, session.lanes()) {
        let column = column.min(run.columns() - 1);
        let caption = match column.checked_sub(1) {
            None => "The first state".to_owned(),
            Some(step) => format!("After step {column}: {}", run.steps[step as usize].words),
        };
        let before = column.checked_sub(1).and_then(|before| run.glyphs.get(before as usize));
        let glyph = run.glyphs.get(column as usize)?;
        return Some(Now { glyph, before, caption, run: Some((run, column)) });
    }
    let drawn = |of: GraphKind, node: u32| {
        let graph = session.picture(of)?.graph();
        let node = graph.nodes.iter().nth(node as usize)?;
        Some((&node.glyph, node.name.clone()))
    };
    if let Some(Item::Node(of, node)) = session.pointer.selected
        && let Some((glyph, name)) = drawn(of, node.0)
    {
        return Some(Now { glyph, before: None, caption: format!("{name} of {}", of.name()), run: None });
    }
    if let (Mode::Search(film), Some(snapshot)) = (session.mode(), snapshot)
        && let Some(frame) = snapshot.frames.last()
        && let Some(entry) = film.log.entries().get(frame.dfnum as usize)
        && let Some((glyph, name)) = drawn(GraphKind::Product, entry.node.0)
    {
        let caption = format!("The search is in {name}, in the numbers of its representative");
        return Some(Now { glyph, before: None, caption, run: None });
    }
    let of = session.graph(session.scene.view);
    let graph = session.picture(of)?.graph();
    let first = graph.nodes.iter().find(|node| node.initial)?;
    Some(Now { glyph: &first.glyph, before: None, caption: "The first state".into(), run: None })
}

/// The local states of a family's processes: the number of each, how many processes, and whether one is tracked.
fn places(cast: &Cast, glyph: &Glyph) -> Option<Vec<(u8, u32, bool)>> {
    let strip = glyph.strips.get(cast.strip as usize)?;
    let place = |column: &orbitscope_core::draw::Column| {
        let tint = column.cells.get(cast.row as usize)?;
        let number = cast.tints.iter().position(|known| known == tint)?;
        Some((number as u8, column.count, column.tracked))
    };
    let places: Vec<_> = strip.columns.iter().map(place).collect::<Option<_>>()?;
    let all: u32 = places.iter().map(|(_, count, _)| count).sum();
    // A strip of too many cells tells how often each tint is in it, which says nothing of processes.
    (all == cast.size).then_some(places)
}

fn family(cast: &Cast, glyph: &Glyph, before: Option<&Glyph>) -> Option<FamilyScene> {
    let places = places(cast, glyph)?;
    let single = places.len() == cast.size as usize;
    let old = before
        .and_then(|before| self::places(cast, before))
        .filter(|old| single && old.len() == places.len());
    let moved = |number: usize| old.as_ref().is_some_and(|old| old[number].0 != places[number].0);
    let count =
        |state: usize| places.iter().filter(|place| place.0 as usize == state).map(|place| place.1).sum();
    let most = (0..cast.states.len()).map(count).max().unwrap_or(0);
    let radius = if single { room_for(most).max(SPOT) } else { SPOT + 6.0 };
    let (spots, height) = spots(cast, radius, count);
    let mut scene = FamilyScene {
        name: cast.name.clone(),
        size: cast.size,
        variable: cast.variable.clone(),
        height,
        arrows: Vec::new(),
        tokens: Vec::new(),
        ring: None,
        spots,
    };
    let token = |number: usize, at: (f64, f64)| Token {
        number: number as u32,
        at,
        tint: cast.tints.get(places[number].0 as usize).copied().unwrap_or_default(),
        state: cast.states.get(places[number].0 as usize).cloned().unwrap_or_default(),
        tracked: places[number].2,
        moved: moved(number),
    };
    if cast.ring && single {
        // A ring stays a ring: its processes keep their places and change their colours.
        let (centre, radius) = ((WIDTH / 2.0, 82.0), 58.0);
        let turn = |number: usize| number as f64 / places.len() as f64 * TAU - TAU / 4.0;
        scene.tokens = (0..places.len())
            .map(|n| token(n, (centre.0 + radius * turn(n).cos(), centre.1 + radius * turn(n).sin())))
            .collect();
        scene.ring = Some((centre.0, centre.1, radius));
        scene.height = 164.0;
        return Some(scene);
    }
    scene.arrows = arrows(cast, &scene.spots, |from, to| {
        old.as_ref()
            .is_some_and(|old| old.iter().zip(&places).any(|(before, now)| (before.0, now.0) == (from, to)))
    });
    if single {
        let mut seen = vec![0u32; cast.states.len()];
        for (number, &(state, ..)) in places.iter().enumerate() {
            let Some(spot) = scene.spots.get(state as usize) else { continue };
            let at = within(seen[state as usize], spot.count);
            seen[state as usize] += 1;
            let token = token(number, (spot.at.0 + at.0, spot.at.1 + at.1));
            scene.tokens.push(token);
        }
    }
    Some(scene)
}

/// The radius in which so many tokens have room.
fn room_for(tokens: u32) -> f64 {
    let side = f64::from(tokens).sqrt().ceil();
    side * PITCH * 0.5 * 1.3 + 3.0
}

/// The place of a token among so many, from the centre of its local state.
fn within(number: u32, of: u32) -> (f64, f64) {
    let side = (f64::from(of).sqrt().ceil() as u32).max(1);
    let rows = of.div_ceil(side).max(1);
    let row = number / side;
    let in_row = if row + 1 == rows { of - row * side } else { side };
    let x = f64::from(number % side) - (f64::from(in_row) - 1.0) / 2.0;
    let y = f64::from(row) - (f64::from(rows) - 1.0) / 2.0;
    (x * PITCH, y * PITCH)
}

/// The local states in a circle, clockwise from the left; two stand side by side.
fn spots(cast: &Cast, radius: f64, count: impl Fn(usize) -> u32) -> (Vec<Spot>, f64) {
    let all = cast.states.len();
    let wide = (WIDTH / 2.0 - radius - 30.0).max(40.0);
    let apart = (2.0 * radius + 60.0) / (2.0 * (TAU / 2.0 / all as f64).sin());
    let high = if all == 2 { 0.0 } else { apart.clamp(52.0, 130.0).min(wide.max(52.0)) };
    let centre = (WIDTH / 2.0, high + radius + 20.0);
    let spot = |(number, name): (usize, &String)| {
        let turn = number as f64 / all as f64 * TAU - TAU / 2.0;
        let at = (centre.0 + wide.min(112.0) * turn.cos(), centre.1 + high * turn.sin(), radius);
        let tint = cast.tints.get(number).copied().unwrap_or_default();
        Spot { name: name.clone(), tint, at, count: count(number) }
    };
    (cast.states.iter().enumerate().map(spot).collect(), 2.0 * (high + radius) + 40.0)
}

fn arrows(cast: &Cast, spots: &[Spot], lit: impl Fn(u8, u8) -> bool) -> Vec<Arrow> {
    let arrow = |one: &crate::engine::CastMove| {
        let (from, to) = (spots.get(one.from as usize)?.at, spots.get(one.to as usize)?.at);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let long = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / long, dy / long);
        // Bent to its left, so that the ways there and back are two.
        let bend = 0.16 * long + 8.0;
        let middle = (f64::midpoint(from.0, to.0) + uy * bend, f64::midpoint(from.1, to.1) - ux * bend);
        let edge = |end: (f64, f64, f64), gap: f64| {
            let (x, y) = (middle.0 - end.0, middle.1 - end.1);
            let far = x.hypot(y).max(1.0);
            (end.0 + x / far * (end.2 + gap), end.1 + y / far * (end.2 + gap))
        };
        let (start, end) = (edge(from, 1.0), edge(to, 4.0));
        let mut path = String::new();
        let _ = write!(
            path,
            "M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            start.0, start.1, middle.0, middle.1, end.0, end.1
        );
        let words = match one.actions.as_slice() {
            [first, second] => format!("{first}, {second}"),
            [first, _, ..] => format!("{first}, … {} more", one.actions.len() - 1),
            only => only.concat(),
        };
        let room =
            (f64::midpoint(from.0, to.0) + uy * bend * 0.7, f64::midpoint(from.1, to.1) - ux * bend * 0.7);
        let label = (spots.len() <= WORDED).then_some(room);
        Some(Arrow { path, words, label, lit: lit(one.from, one.to) })
    };
    cast.moves.iter().filter_map(arrow).collect()
}

fn shared(info: &ModelInfo, now: &Now<'_>) -> Vec<(String, String, Vec<u8>)> {
    let is_family = |strip: &StripName| info.symmetry.families.iter().any(|(name, _)| *name == strip.name);
    let strips = info.strips.iter().zip(&now.glyph.strips).filter(|(name, _)| !is_family(name));
    strips
        .map(|(name, strip)| {
            let tints: Vec<u8> =
                strip.columns.iter().flat_map(|column| column.cells.iter().copied()).take(24).collect();
            let lane = now.run.and_then(|(run, column)| {
                let mut shared = run.lanes.iter().filter(|lane| lane.who == Who::Shared);
                Some(shared.find(|lane| lane.name == name.name)?.at(column).to_owned())
            });
            let value = lane.unwrap_or_else(|| match (tints.as_slice(), name.rows.first()) {
                ([tint], Some((_, names))) => {
                    let named = names.iter().find(|(known, _)| known == tint);
                    named.map_or_else(String::new, |(_, name)| name.clone())
                }
                _ => String::new(),
            });
            (name.name.clone(), value, tints)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::models;
    use crate::session::bench::{settled, settled_after};
    use crate::session::{Action, Side};

    /// Every built-in model has a stage: all processes are on it, and nothing stands on anything else or outside.
    #[test]
    fn every_model_has_a_stage_on_which_nothing_overlaps() {
        for model in models() {
            let session = settled(Session::new(*model));
            let stage = stage(&session, None).unwrap_or_else(|| panic!("{}", model.name));
            // Its processes have nothing of their own: all they know stands in a shared table.
            assert_eq!(stage.families.is_empty(), model.name == "gossip", "{}", model.name);
            for scene in &stage.families {
                let counted: u32 = scene.spots.iter().map(|spot| spot.count).sum();
                assert_eq!(counted, scene.size, "{}", model.name);
                assert!(scene.tokens.len() as u32 == scene.size || scene.size > 16, "{}", model.name);
                let far = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
                for (i, a) in scene.tokens.iter().enumerate() {
                    assert!(a.at.0 > 0.0 && a.at.0 < WIDTH && a.at.1 > 0.0 && a.at.1 < scene.height);
                    for b in &scene.tokens[..i] {
                        assert!(far(a.at, b.at) >= 2.0 * TOKEN, "{} {a:?} {b:?}", model.name);
                    }
                }
                if scene.ring.is_none() {
                    for (i, a) in scene.spots.iter().enumerate() {
                        assert!(a.at.0 - a.at.2 >= 0.0 && a.at.0 + a.at.2 <= WIDTH, "{} {a:?}", model.name);
                        for b in &scene.spots[..i] {
                            let apart = far((a.at.0, a.at.1), (b.at.0, b.at.1));
                            assert!(apart >= a.at.2 + b.at.2, "{} {a:?} {b:?}", model.name);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_stage_follows_a_walk_and_lights_the_move() {
        let session = settled_after(
            Session::new(models()[0]),
            [
                Action::Side(Side::Explore),
                Action::Walk(crate::session::Stride::Random(1)),
                Action::Side(Side("Stage")),
            ],
        );
        assert!(session.is_walking());
        let stage = stage(&session, None).unwrap();
        assert!(stage.caption.starts_with("After step 1: "), "{}", stage.caption);
        let lit: Vec<&Arrow> = stage.families.iter().flat_map(|f| &f.arrows).filter(|a| a.lit).collect();
        let moved = stage.families.iter().flat_map(|f| &f.tokens).filter(|token| token.moved).count();
        assert_eq!((lit.len(), moved), (1, 1));
    }

    #[test]
    fn ten_thousand_processes_are_counts() {
        let settings = [("clients".to_owned(), 10_000)].into();
        let question = crate::engine::Question { source: models()[0].source.into(), settings };
        let casts = crate::engine::CheckedModel::new(&question).unwrap().info().casts;
        let program = crate::engine::fixture::program(models()[0].source, &[("clients", 10_000)]);
        let glyphs = orbitscope_core::draw::Glyphs::new(&program);
        let scene = family(&casts[0], &glyphs.glyph(&program.initial.values, &[], None), None).unwrap();
        assert!(scene.tokens.is_empty());
        let counts: Vec<u32> = scene.spots.iter().map(|spot| spot.count).collect();
        assert_eq!(counts, [10_000, 0, 0]);
    }
}
