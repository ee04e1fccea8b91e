//! Which part of a drawing is visible: a rectangle of the drawing that is fitted into the panel, centred and
//! without distortion, as SVG's `viewBox` does.

use super::zoom::{WORDS, readable_scale};
use orbitscope_core::draw::Picture;

/// A point or a vector, in pixels of the panel or in units of the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// The point (x, y).
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// The point between this one and another, `part` of the way.
    #[must_use]
    pub fn towards(self, other: Point, part: f64) -> Point {
        Point::new(self.x + (other.x - self.x) * part, self.y + (other.y - self.y) * part)
    }

    /// The distance to another point.
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// The corner at the top left.
    pub origin: Point,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Rect {
    /// The point in the middle.
    pub fn centre(&self) -> Point {
        Point::new(self.origin.x + self.width / 2.0, self.origin.y + self.height / 2.0)
    }

    /// Whether it has a point in common with another.
    pub fn meets(&self, other: &Rect) -> bool {
        self.origin.x <= other.origin.x + other.width
            && other.origin.x <= self.origin.x + self.width
            && self.origin.y <= other.origin.y + other.height
            && other.origin.y <= self.origin.y + self.height
    }

    /// The rectangle of the given size around `centre`.
    pub fn around(centre: Point, width: f64, height: f64) -> Rect {
        Rect { origin: Point::new(centre.x - width / 2.0, centre.y - height / 2.0), width, height }
    }
}

/// The least size of the visible part when all is fitted, so that a tiny drawing is not blown up.
const LEAST_FIT: (f64, f64) = (560.0, 320.0);
/// The space around a fitted drawing.
const MARGIN: f64 = 24.0;
/// A part is shown at most so much larger than it has to be.
const NEAR: f64 = 2.0;
/// How far one can zoom in and out, against the fitted size.
const ZOOM: (f64, f64) = (0.02, 4.0);

/// The visible part of a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    fitted: Rect,
    visible: Rect,
}

/// The height of a panel, in pixels, in which all rows of a picture can be read, if the panel is wide enough.
pub fn readable_height(picture: &Picture) -> f64 {
    Viewport::of(picture).fitted.height * readable_scale(picture)
}

impl Viewport {
    /// All of a picture.
    pub fn of(picture: &Picture) -> Viewport {
        let size = picture.size;
        Viewport::fit(Rect { origin: Point::default(), width: size.x.into(), height: size.y.into() })
    }

    /// All of a drawing with these bounds.
    pub fn fit(bounds: Rect) -> Viewport {
        let width = (bounds.width + 2.0 * MARGIN).max(LEAST_FIT.0);
        let height = (bounds.height + 2.0 * MARGIN).max(LEAST_FIT.1);
        let fitted = Rect::around(bounds.centre(), width, height);
        Viewport { fitted, visible: fitted }
    }

    /// All of a picture where that can be read in a panel of this size; else the part around a place, near enough to be
    /// read. The parts are tiles: while the place moves inside one, the view stands still.
    pub fn readable(picture: &Picture, panel: Rect, focus: Point) -> Viewport {
        let all = Viewport::of(picture);
        let least = readable_scale(picture);
        // A panel that is not shown has no size.
        if panel.width < 1.0 || panel.height < 1.0 || all.scale(panel) >= least {
            return all;
        }
        // Where not all can be seen anyway, no room stays empty: the drawing fills the panel one way, as far as that helps.
        let filled = (panel.width / all.fitted.width).max(panel.height / all.fitted.height);
        let scale = least.max(filled.min(NEAR * least).min(WORDS));
        let (width, height) = (panel.width / scale, panel.height / scale);
        let along = |at: f64, origin: f64, all: f64, seen: f64| {
            if seen >= all {
                return origin + all / 2.0;
            }
            let tile = ((at - origin) / (seen / 2.0)).floor() * seen / 2.0 + seen / 4.0;
            origin + tile.clamp(seen / 2.0, all - seen / 2.0)
        };
        let Rect { origin, width: across, height: down } = all.fitted;
        let centre =
            Point::new(along(focus.x, origin.x, across, width), along(focus.y, origin.y, down, height));
        Viewport { visible: Rect::around(centre, width, height), ..all }
    }

    /// The visible part, as the value of a `viewBox`.
    pub fn view_box(&self) -> String {
        let Rect { origin, width, height } = self.visible;
        format!("{:.2} {:.2} {width:.2} {height:.2}", origin.x, origin.y)
    }

    /// Pixels per unit of the drawing, in a panel of that size.
    pub fn scale(&self, panel: Rect) -> f64 {
        1.0 / self.units_per_pixel(panel)
    }

    /// The part of the drawing that a panel shows: all of the visible part, and what is beside it.
    pub fn seen(&self, panel: Rect) -> Rect {
        let units = self.units_per_pixel(panel);
        Rect::around(self.visible.centre(), panel.width * units, panel.height * units)
    }

    /// The pixel of the panel over a point of the drawing.
    pub fn pixel_of(&self, panel: Rect, point: Point) -> Point {
        let (middle, scale, centre) = (panel.centre(), self.scale(panel), self.visible.centre());
        Point::new(middle.x + (point.x - centre.x) * scale, middle.y + (point.y - centre.y) * scale)
    }

    /// The same magnification with a point of the drawing in the middle.
    #[must_use]
    pub fn moved_to(self, centre: Point) -> Viewport {
        self.centred(centre)
    }

    /// Units of the drawing per pixel, in a panel of that size.
    fn units_per_pixel(&self, panel: Rect) -> f64 {
        (self.visible.width / panel.width.max(1.0)).max(self.visible.height / panel.height.max(1.0))
    }

    /// The point of the drawing under a point of the panel.
    pub fn point_at(&self, panel: Rect, pixel: Point) -> Point {
        let (middle, units, centre) = (panel.centre(), self.units_per_pixel(panel), self.visible.centre());
        Point::new(centre.x + (pixel.x - middle.x) * units, centre.y + (pixel.y - middle.y) * units)
    }

    /// Magnifies by `factor` about the middle.
    #[must_use]
    pub fn zoomed(self, factor: f64) -> Viewport {
        self.zoomed_about(self.visible.centre(), factor)
    }

    /// Magnifies by `factor` about a point of the drawing, which stays where it is.
    #[must_use]
    pub fn zoomed_about(self, fixed: Point, factor: f64) -> Viewport {
        let wanted = self.visible.width / factor / self.fitted.width;
        let scale = wanted.clamp(ZOOM.0, ZOOM.1) * self.fitted.width / self.visible.width;
        let centre = fixed.towards(self.visible.centre(), scale);
        let visible = Rect::around(centre, self.visible.width * scale, self.visible.height * scale);
        Viewport { visible, ..self }
    }

    /// Moves the drawing with a pointer that went from one point of the panel to another.
    #[must_use]
    pub fn dragged(self, panel: Rect, from: Point, to: Point) -> Viewport {
        let units = self.units_per_pixel(panel);
        let centre = self.visible.centre();
        self.centred(Point::new(centre.x - (to.x - from.x) * units, centre.y - (to.y - from.y) * units))
    }

    /// Moves the drawing under two fingers: what was under each stays under it, but for rotation.
    #[must_use]
    pub fn pinched(self, panel: Rect, from: [Point; 2], to: [Point; 2]) -> Viewport {
        let middle = |[a, b]: [Point; 2]| a.towards(b, 0.5);
        let factor = to[0].distance(to[1]).max(1.0) / from[0].distance(from[1]).max(1.0);
        let fixed = self.point_at(panel, middle(from));
        self.zoomed_about(fixed, factor).dragged(panel, middle(from), middle(to))
    }

    /// Moves so that a point of the drawing is visible, if it is not.
    #[must_use]
    pub fn revealing(self, point: Point) -> Viewport {
        let Rect { origin, width, height } = self.visible;
        let inside = (origin.x..=origin.x + width).contains(&point.x)
            && (origin.y..=origin.y + height).contains(&point.y);
        if inside { self } else { self.centred(point) }
    }

    /// The same part, but never with its middle outside the fitted drawing: it cannot get lost.
    fn centred(self, centre: Point) -> Viewport {
        let Rect { origin, width, height } = self.fitted;
        let x = centre.x.clamp(origin.x, origin.x + width);
        let y = centre.y.clamp(origin.y, origin.y + height);
        Viewport { visible: Rect::around(Point::new(x, y), self.visible.width, self.visible.height), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Rect = Rect { origin: Point::new(0.0, 0.0), width: 952.0, height: 452.0 };
    const PANEL: Rect = Rect { origin: Point::new(100.0, 50.0), width: 500.0, height: 500.0 };

    fn assert_close(a: Point, b: Point) {
        assert!(a.distance(b) < 1e-9, "{a:?} is not {b:?}");
    }

    #[test]
    fn fitting_shows_all_with_a_margin() {
        assert_eq!(Viewport::fit(BOUNDS).view_box(), "-24.00 -24.00 1000.00 500.00");
        let tiny = Rect::around(Point::new(10.0, 10.0), 2.0, 2.0);
        assert_eq!(Viewport::fit(tiny).view_box(), "-270.00 -150.00 560.00 320.00");
    }

    #[test]
    fn pixels_map_as_the_view_box_does() {
        let view = Viewport::fit(BOUNDS);
        assert_close(view.point_at(PANEL, PANEL.centre()), BOUNDS.centre());
        // 1000 units in 500 pixels: two units a pixel, the height has room to spare.
        assert_close(view.point_at(PANEL, Point::new(100.0, 300.0)), Point::new(-24.0, 226.0));
        assert_close(view.point_at(PANEL, Point::new(350.0, 310.0)), Point::new(476.0, 246.0));
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let pixel = Point::new(170.0, 420.0);
        let view = Viewport::fit(BOUNDS);
        let fixed = view.point_at(PANEL, pixel);
        for factor in [0.5, 1.3, 4.0, 1e9, 1e-9] {
            assert_close(view.zoomed_about(fixed, factor).point_at(PANEL, pixel), fixed);
        }
    }

    #[test]
    fn zooming_has_limits() {
        let view = Viewport::fit(BOUNDS);
        assert!((view.zoomed(1e9).visible.width - 20.0).abs() < 1e-9);
        assert!((view.zoomed(1e-9).visible.width - 4000.0).abs() < 1e-9);
    }

    #[test]
    fn dragging_moves_the_drawing_with_the_pointer_and_not_out_of_sight() {
        let view = Viewport::fit(BOUNDS).zoomed(2.0);
        let (from, to) = (Point::new(300.0, 300.0), Point::new(320.0, 290.0));
        assert_close(view.dragged(PANEL, from, to).point_at(PANEL, to), view.point_at(PANEL, from));
        let far = view.dragged(PANEL, from, Point::new(1e9, 1e9));
        assert_close(far.visible.centre(), view.fitted.origin);
    }

    #[test]
    fn pinching_keeps_what_is_under_the_fingers() {
        let view = Viewport::fit(BOUNDS);
        let from = [Point::new(300.0, 300.0), Point::new(360.0, 300.0)];
        let to = [Point::new(290.0, 310.0), Point::new(380.0, 310.0)];
        let moved = view.pinched(PANEL, from, to);
        for finger in 0..2 {
            assert_close(moved.point_at(PANEL, to[finger]), view.point_at(PANEL, from[finger]));
        }
    }

    #[test]
    fn a_view_that_follows_shows_its_place_and_stands_still_for_small_moves() {
        let mut graph = orbitscope_core::draw::Graph::new("g");
        graph.nodes.push(orbitscope_core::draw::Node {
            label: vec!["x".into()],
            ..orbitscope_core::draw::Node::new("a")
        });
        let mut picture = Picture::layered(graph);
        assert_eq!(Viewport::readable(&picture, PANEL, Point::default()), Viewport::of(&picture));
        picture.size = orbitscope_core::draw::Point::new(9_000.0, 5_000.0);
        let mut views = std::collections::BTreeSet::new();
        for x in (0..9_000).step_by(50) {
            let place = Point::new(f64::from(x), 2_000.0);
            let view = Viewport::readable(&picture, PANEL, place);
            let pixel = view.pixel_of(PANEL, place);
            assert!(
                (100.0..=600.0).contains(&pixel.x) && (50.0..=550.0).contains(&pixel.y),
                "{pixel:?} for {x}"
            );
            assert!(view.scale(PANEL) >= readable_scale(&picture) - 1e-9);
            views.insert(view.view_box());
        }
        assert!(views.len() > 5 && views.len() < 40, "{} views", views.len());
        let hidden = Rect { width: 0.0, height: 0.0, ..PANEL };
        assert!(!Viewport::readable(&picture, hidden, Point::default()).view_box().contains("NaN"));
    }

    #[test]
    fn points_and_pixels_are_each_others_inverse() {
        let view = Viewport::fit(BOUNDS).zoomed(1.7).moved_to(Point::new(120.0, 80.0));
        for pixel in [PANEL.origin, PANEL.centre(), Point::new(123.0, 456.0)] {
            assert_close(view.pixel_of(PANEL, view.point_at(PANEL, pixel)), pixel);
        }
        let seen = view.seen(PANEL);
        assert_close(view.point_at(PANEL, PANEL.origin), seen.origin);
        assert!((view.scale(PANEL) * seen.width - PANEL.width).abs() < 1e-9);
    }

    #[test]
    fn revealing_moves_only_when_needed() {
        let view = Viewport::fit(BOUNDS).zoomed(4.0);
        assert_eq!(view.revealing(BOUNDS.centre()), view);
        assert_close(view.revealing(Point::new(5.0, 5.0)).visible.centre(), Point::new(5.0, 5.0));
    }
}
