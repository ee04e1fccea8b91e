//! Where the cells of a state's glyph are in its box, and from how near they can be told apart.

use orbitscope_core::draw::{Glyph, Picture, Rect, Strip, StripName};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The least edge of a cell that can be told from its neighbours, in pixels: three of colour, and the space around them.
pub const CELL: f64 = 3.6;
/// The number of tints with colours of their own; the next as many have the same colours with a hole.
pub const TINTS: u8 = 8;
/// The part of a box's height that stays free around a glyph: there a search leaves its marks.
const FRAME: f64 = 0.12;
/// The part of a bar's width that all of its pieces share evenly, however few processes they stand for.
const EVEN: f64 = 0.4;
/// A strip is wrapped into at most so many lines.
const WRAPS: usize = 6;
/// The height of a glyph over the words of a box, in units of the picture.
const OVER: f64 = 5.0;

/// A cell in units of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Its corner at the top left.
    pub at: (f64, f64),
    /// Its width and its height.
    pub size: (f64, f64),
    /// Its tint.
    pub tint: u8,
    /// Whether it stands for *many* processes.
    pub many: bool,
    /// Whether it belongs to a tracked process.
    pub tracked: bool,
}

impl Cell {
    /// Its shorter edge.
    pub fn edge(&self) -> f64 {
        self.size.0.min(self.size.1)
    }
}

/// The style class of a tint: its colour, and whether it has a hole.
pub fn class(tint: u8) -> (u8, bool) {
    if tint == 0 {
        return (0, false);
    }
    (1 + (tint - 1) % (TINTS - 1), (tint - 1) / (TINTS - 1) % 2 == 1)
}

/// The cells of a glyph that fills its box but for a frame.
pub fn cells(glyph: &Glyph, area: &Rect) -> Vec<Cell> {
    let (width, height) = (f64::from(area.size.x), f64::from(area.size.y));
    let frame = FRAME * height.min(width);
    let corner = (f64::from(area.origin.x) + frame, f64::from(area.origin.y) + frame);
    arranged(glyph, corner, (width - 2.0 * frame, height - 2.0 * frame))
}

/// The cells of a glyph in a row at the top of a box that has words in it.
pub fn cells_over(glyph: &Glyph, area: &Rect) -> Vec<Cell> {
    let corner = (f64::from(area.origin.x) + 6.0, f64::from(area.origin.y) + 1.5);
    placed(glyph, corner, (f64::from(area.size.x) - 12.0, OVER), true, 1)
}

/// The arrangement with the largest cells: strips below each other or side by side, wrapped or not.
fn arranged(glyph: &Glyph, corner: (f64, f64), size: (f64, f64)) -> Vec<Cell> {
    let ways = [false, true].into_iter().flat_map(|beside| (1..=WRAPS).map(move |wraps| (beside, wraps)));
    let all = ways.map(|(beside, wraps)| placed(glyph, corner, size, beside, wraps));
    let mut best: (f64, Vec<Cell>) = (-1.0, Vec::new());
    for cells in all {
        let least = least(&cells);
        if least > best.0 * 1.001 {
            best = (least, cells);
        }
    }
    best.1
}

fn least(cells: &[Cell]) -> f64 {
    cells.iter().map(Cell::edge).fold(f64::INFINITY, f64::min)
}

/// A strip's columns in this many lines. Bars are not wrapped: their widths are what they say.
fn lines(strip: &Strip, wraps: usize) -> usize {
    if strip.columns.iter().any(|column| column.count > 1) {
        1
    } else {
        wraps.min(strip.columns.len()).max(1)
    }
}

fn placed(glyph: &Glyph, corner: (f64, f64), size: (f64, f64), beside: bool, wraps: usize) -> Vec<Cell> {
    let strips: Vec<&Strip> = glyph.strips.iter().filter(|strip| strip.size().0 > 0).collect();
    let shape = |strip: &Strip| {
        let lines = lines(strip, wraps);
        let (rows, columns) = strip.size();
        (rows * lines, columns.div_ceil(lines))
    };
    let weight = |strip: &Strip| if beside { shape(strip).1 } else { shape(strip).0 } as f64;
    let total: f64 = strips.iter().map(|strip| weight(strip)).sum();
    let gap = if beside { size.0 * 0.06 } else { size.1 * 0.06 };
    let room = if beside { size.0 } else { size.1 } - gap * (strips.len().saturating_sub(1)) as f64;
    let mut cells = Vec::new();
    let mut at = corner;
    for strip in strips {
        let share = room * weight(strip) / total;
        let own = if beside { (share, size.1) } else { (size.0, share) };
        fill(strip, at, own, lines(strip, wraps), &mut cells);
        if beside { at.0 += share + gap } else { at.1 += share + gap }
    }
    cells
}

fn fill(strip: &Strip, corner: (f64, f64), size: (f64, f64), lines: usize, cells: &mut Vec<Cell>) {
    let (rows, columns) = strip.size();
    let per_line = columns.div_ceil(lines);
    let height = size.1 / (rows * lines) as f64;
    let processes: f64 = strip.columns.iter().map(|column| f64::from(column.count)).sum();
    for (line, columns) in strip.columns.chunks(per_line).enumerate() {
        let mut x = corner.0;
        for column in columns {
            let even = size.0 / per_line as f64;
            let width = if lines > 1 || processes <= strip.columns.len() as f64 {
                even
            } else {
                EVEN * even + (1.0 - EVEN) * size.0 * f64::from(column.count) / processes
            };
            for (row, &tint) in column.cells.iter().enumerate() {
                let y = corner.1 + height * (line * rows + row) as f64;
                cells.push(Cell {
                    at: (x, y),
                    size: (width, height),
                    tint,
                    many: column.many,
                    tracked: column.tracked,
                });
            }
            x += width;
        }
    }
}

/// The outlines of cells, those of one tint together: `(tint, path)`.
pub fn paths(cells: &[Cell]) -> Vec<(u8, String)> {
    let mut paths: BTreeMap<u8, String> = BTreeMap::new();
    for cell in cells {
        let space = 0.08 * cell.edge();
        let path = paths.entry(cell.tint).or_default();
        outline(path, cell, space);
        if class(cell.tint).1 {
            outline(path, cell, 0.32 * cell.edge());
        }
    }
    paths.into_iter().collect()
}

/// A line under each cell of a tracked process.
pub fn tracked_path(cells: &[Cell]) -> Option<String> {
    let mut path = String::new();
    for cell in cells.iter().filter(|cell| cell.tracked) {
        outline(&mut path, cell, 0.04 * cell.edge());
    }
    (!path.is_empty()).then_some(path)
}

/// An ∞ in each cell that stands for *many*: the width of its line, and its path.
pub fn many_path(cells: &[Cell]) -> Option<(f64, String)> {
    let (mut path, mut least) = (String::new(), f64::INFINITY);
    for cell in cells.iter().filter(|cell| cell.many) {
        let (x, y) = (cell.at.0 + cell.size.0 / 2.0, cell.at.1 + cell.size.1 / 2.0);
        // Half of its width, and how far its loops are pulled up and down.
        let wide = (0.4 * cell.size.0).min(0.5 * cell.size.1);
        let (near, high) = (0.35 * wide, 0.7 * wide);
        least = least.min(wide);
        let _ = write!(
            path,
            "M{x:.1} {y:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {y:.1}S{:.1} {:.1} {x:.1} {y:.1}S{:.1} {:.1} {:.1} {y:.1}S{:.1} {:.1} {x:.1} {y:.1}",
            x + near,
            y - high,
            x + wide,
            y - high,
            x + wide,
            x + near,
            y + high,
            x - wide,
            y - high,
            x - wide,
            x - near,
            y + high,
        );
    }
    (!path.is_empty()).then_some((0.22 * least, path))
}

fn outline(path: &mut String, cell: &Cell, space: f64) {
    let ((x, y), (width, height)) = (cell.at, cell.size);
    let _ = write!(
        path,
        "M{:.1} {:.1}h{:.1}v{:.1}h{:.1}z",
        x + space,
        y + space,
        width - 2.0 * space,
        height - 2.0 * space,
        2.0 * space - width
    );
}

/// The least edge of any cell of a picture, in its units; none where no node has a glyph.
pub fn least_edge(picture: &Picture) -> Option<f64> {
    let edges = picture
        .graph
        .nodes
        .iter()
        .zip(&picture.nodes)
        .map(|(node, shape)| least(&cells(&node.glyph, &shape.area)));
    let least = edges.fold(f64::INFINITY, f64::min);
    least.is_finite().then_some(least)
}

/// An entry of the legend: the tint, and what it means.
pub type Meaning = (u8, String);

/// The meaning of the tints, for as many values as fit into a line: of each variable with named values, those.
pub fn legend(strips: &[StripName], most: usize) -> Vec<Meaning> {
    let mut found: Vec<Meaning> = Vec::new();
    for (_, values) in strips.iter().flat_map(|strip| &strip.rows) {
        // A value that says *no* is quiet, and needs no words.
        for meaning in values.iter().filter(|(_, name)| name != "false") {
            if !found.contains(meaning) {
                found.push(meaning.clone());
            }
        }
    }
    found.truncate(most);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbitscope_core::draw::Column;

    fn strip(columns: &[(&[u8], u32)]) -> Strip {
        let column = |&(cells, count): &(&[u8], u32)| Column {
            cells: cells.to_vec(),
            count,
            many: cells[0] == 8,
            tracked: cells[0] == 9,
        };
        Strip { columns: columns.iter().map(column).collect() }
    }

    fn area(width: f64, height: f64) -> Rect {
        Rect::around(0.0, 0.0, width, height)
    }

    #[test]
    fn cells_fill_their_box_and_do_not_overlap() {
        let glyph = Glyph {
            strips: vec![
                strip(&[(&[0, 1], 1), (&[2, 1], 1), (&[9, 0], 1)]),
                strip(&[(&[3], 90), (&[4], 10)]),
            ],
        };
        for (width, height) in [(60.0, 40.0), (20.0, 90.0), (300.0, 20.0)] {
            let cells = cells(&glyph, &area(width, height));
            assert_eq!(cells.len(), 8);
            for (k, a) in cells.iter().enumerate() {
                assert!(a.at.0 >= -width / 2.0 && a.at.0 + a.size.0 <= width / 2.0, "{a:?}");
                assert!(a.at.1 >= -height / 2.0 && a.at.1 + a.size.1 <= height / 2.0, "{a:?}");
                for b in &cells[..k] {
                    let apart = |axis: fn((f64, f64)) -> f64| {
                        axis(a.at) + axis(a.size) <= axis(b.at) + 1e-6
                            || axis(b.at) + axis(b.size) <= axis(a.at) + 1e-6
                    };
                    assert!(apart(|p| p.0) || apart(|p| p.1), "{a:?} is over {b:?}");
                }
            }
            assert_eq!(cells.iter().filter(|cell| cell.tracked).count(), 2);
            let bar = |tint| cells.iter().find(|cell| cell.tint == tint).unwrap().size.0;
            assert!(bar(3) > 2.0 * bar(4), "a bar is as wide as its processes are many");
        }
    }

    /// An ∞ is told from a plain bar wherever cells are told apart, and stays inside of its cell.
    #[test]
    fn many_is_an_eight_that_lies_on_its_side() {
        let glyph = Glyph { strips: vec![strip(&[(&[1], 1), (&[8], 3)])] };
        for (width, height) in [(60.0, 40.0), (20.0, 90.0), (300.0, 20.0)] {
            let cells = cells(&glyph, &area(width, height));
            let (line, path) = many_path(&cells).expect("one cell is many");
            assert_eq!((path.matches('M').count(), path.matches('S').count()), (1, 3));
            let numbers = path.split(['M', 'C', 'S', ' ']).filter(|word| !word.is_empty());
            let numbers: Vec<f64> = numbers.map(|word| word.parse().expect("a number")).collect();
            let many = cells.iter().find(|cell| cell.many).expect("it is there");
            for at in numbers.chunks(2) {
                assert!(
                    at[0] - line >= many.at.0 && at[0] + line <= many.at.0 + many.size.0,
                    "{at:?} {many:?}"
                );
                assert!(
                    at[1] - line >= many.at.1 && at[1] + line <= many.at.1 + many.size.1,
                    "{at:?} {many:?}"
                );
            }
            assert!(many_path(&cells[..1]).is_none());
        }
    }

    #[test]
    fn a_long_strip_is_wrapped_where_that_makes_it_larger() {
        let glyph = Glyph { strips: vec![strip(&[(&[1][..], 1); 12])] };
        let flat = cells(&glyph, &area(40.0, 40.0));
        assert!(least(&flat) > 7.0, "{}", least(&flat));
    }

    #[test]
    fn tints_without_a_colour_of_their_own_have_a_hole() {
        let classes: Vec<(u8, bool)> = (0..15).map(class).collect();
        let mut distinct = classes.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), classes.len());
        let hole = [Cell { at: (0.0, 0.0), size: (10.0, 10.0), tint: 8, many: false, tracked: false }];
        assert_eq!(paths(&hole)[0].1.matches('M').count(), 2);
    }
}
