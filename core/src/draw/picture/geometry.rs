//! Points, boxes and curves. Coordinates have one decimal: more is not seen, and less is written.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// A place or a size in a picture: x to the right, y down.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Down.
    pub y: f32,
}

impl Point {
    /// The point (x, y), rounded.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x: rounded(x), y: rounded(y) }
    }
}

/// To one decimal.
pub(crate) fn rounded(x: f64) -> f32 {
    let tenths = x * 10.0;
    (if tenths < 0.0 { (tenths - 0.5) as i64 } else { (tenths + 0.5) as i64 }) as f32 / 10.0
}

/// An upright rectangle.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rect {
    /// The corner at the top left.
    pub origin: Point,
    /// Width and height.
    pub size: Point,
}

impl Rect {
    /// The rectangle around a point.
    pub fn around(x: f64, y: f64, width: f64, height: f64) -> Rect {
        Rect { origin: Point::new(x - width / 2.0, y - height / 2.0), size: Point::new(width, height) }
    }

    /// The point in the middle.
    pub fn centre(&self) -> Point {
        Point { x: self.origin.x + self.size.x / 2.0, y: self.origin.y + self.size.y / 2.0 }
    }

    /// The right edge.
    pub fn right(&self) -> f32 {
        self.origin.x + self.size.x
    }

    /// The lower edge.
    pub fn bottom(&self) -> f32 {
        self.origin.y + self.size.y
    }

    /// Whether two rectangles have a point in common that is inside both.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.origin.x < other.right()
            && other.origin.x < self.right()
            && self.origin.y < other.bottom()
            && other.origin.y < self.bottom()
    }
}

/// A piece of a curve.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Segment {
    /// A straight line.
    Line(Point),
    /// A cubic curve by its two control points.
    Curve(Point, Point, Point),
}

/// A curve.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path {
    /// Where it starts.
    pub start: Point,
    /// Its pieces.
    pub segments: Vec<Segment>,
}

impl Path {
    /// The value of an SVG path's `d`.
    pub fn d(&self) -> String {
        let mut d = String::new();
        let _ = write!(d, "M{} {}", self.start.x, self.start.y);
        let mut at = self.start;
        for segment in &self.segments {
            let _ = match *segment {
                Segment::Line(to) if to.y.to_bits() == at.y.to_bits() => write!(d, "H{}", to.x),
                Segment::Line(to) => write!(d, "L{} {}", to.x, to.y),
                Segment::Curve(a, b, to) => {
                    write!(d, "C{} {} {} {} {} {}", a.x, a.y, b.x, b.y, to.x, to.y)
                }
            };
            at = segment.end();
        }
        d
    }

    /// Where it ends.
    pub fn end(&self) -> Point {
        self.segments.last().map_or(self.start, Segment::end)
    }

    /// A point just before the end, for the direction of the arrow.
    pub fn before_end(&self) -> Point {
        let end = self.end();
        let start = |count: usize| match count {
            0 => self.start,
            n => self.segments[n - 1].end(),
        };
        for (count, segment) in self.segments.iter().enumerate().rev() {
            let candidates = match *segment {
                Segment::Curve(a, b, _) => [b, a, start(count)],
                Segment::Line(_) => [start(count); 3],
            };
            if let Some(&point) = candidates.iter().find(|&&point| point != end) {
                return point;
            }
        }
        self.start
    }

    /// Points along the curve, the ends included, `steps` to each piece.
    pub fn points(&self, steps: u32) -> Vec<Point> {
        let mut points = alloc::vec![self.start];
        let mut at = self.start;
        for segment in &self.segments {
            for step in 1..=steps {
                points.push(segment.point(at, step as f32 / steps as f32));
            }
            at = segment.end();
        }
        points
    }
}

impl Segment {
    /// Where it ends.
    pub fn end(&self) -> Point {
        match *self {
            Segment::Line(to) | Segment::Curve(_, _, to) => to,
        }
    }

    fn point(&self, from: Point, t: f32) -> Point {
        let s = 1.0 - t;
        match *self {
            Segment::Line(to) => Point { x: from.x * s + to.x * t, y: from.y * s + to.y * t },
            Segment::Curve(a, b, to) => {
                let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
                let sum = |values: [f32; 4]| weights.iter().zip(values).map(|(w, v)| w * v).sum();
                Point { x: sum([from.x, a.x, b.x, to.x]), y: sum([from.y, a.y, b.y, to.y]) }
            }
        }
    }
}

/// Draws curves that leave and reach their ends level.
pub(super) struct Pen {
    start: (f64, f64),
    at: (f64, f64),
    segments: Vec<Segment>,
    /// How far on the way between two ends the steep part of a curve is.
    bend: f64,
}

/// The radius of the bend where an edge turns back at its label.
const HAIRPIN: f64 = 3.0;
/// How far the control points of a quarter circle are from its ends, in radii.
const QUARTER: f64 = 0.552;

impl Pen {
    pub(super) fn new(x: f64, y: f64, bend: f64) -> Pen {
        Pen { start: (x, y), at: (x, y), segments: Vec::new(), bend }
    }

    pub(super) fn x(&self) -> f64 {
        self.at.0
    }

    pub(super) fn curve(&mut self, x: f64, y: f64) {
        let middle = self.at.0 + (x - self.at.0) * self.bend;
        self.cubic((middle, self.at.1), (middle, y), (x, y));
    }

    pub(super) fn cubic(&mut self, a: (f64, f64), b: (f64, f64), to: (f64, f64)) {
        let point = |(x, y): (f64, f64)| Point::new(x, y);
        self.segments.push(Segment::Curve(point(a), point(b), point(to)));
        self.at = to;
    }

    pub(super) fn line(&mut self, x: f64, y: f64) {
        self.segments.push(Segment::Line(Point::new(x, y)));
        self.at = (x, y);
    }

    /// Out to a hairpin, and back.
    pub(super) fn turn(&mut self, x: f64, y: f64, back_x: f64, back_y: f64) {
        let radius = if self.at.1 <= back_y { HAIRPIN } else { -HAIRPIN };
        self.curve(x, y - radius);
        let (out, lean) = (x + HAIRPIN, QUARTER * radius);
        self.cubic((x + HAIRPIN * QUARTER, y - radius), (out, y - lean), (out, y));
        self.cubic((out, y + lean), (x + HAIRPIN * QUARTER, y + radius), (x, y + radius));
        self.curve(back_x, back_y);
    }

    pub(super) fn finish(self) -> Path {
        Path { start: Point::new(self.start.0, self.start.1), segments: self.segments }
    }
}

/// The length of a vector; `core` has no square root, so by Newton's method.
pub(crate) fn length(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs(), y.abs());
    let square = x * x + y * y;
    // From above the root: each step halves the error at least, and near the root squares it.
    let mut root = x + y;
    for _ in 0..8 {
        if root <= 0.0 {
            return 0.0;
        }
        root = 0.5 * (root + square / root);
    }
    root
}
