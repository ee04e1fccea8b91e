//! Pointers on the picture: one drags, two pinch.

use super::panel;
use crate::view::picture::viewport::{Point, Viewport};
use web_sys::{Element, PointerEvent};

/// How far a pointer may tremble and still be a click, in pixels.
const TREMBLE: f64 = 4.0;

/// The pointers that are down, with where they were last.
#[derive(Default)]
pub(super) struct Gesture {
    pointers: Vec<(i32, Point)>,
    start: Point,
    dragged: bool,
}

impl Gesture {
    pub(super) fn down(&mut self, event: &PointerEvent) {
        if event.button() != 0 {
            return;
        }
        if self.pointers.is_empty() {
            self.start = position(event);
            self.dragged = false;
        }
        self.pointers.push((event.pointer_id(), position(event)));
    }

    /// The viewport after a pointer moved, if that moves it.
    pub(super) fn moved(
        &mut self,
        event: &PointerEvent,
        canvas: &Element,
        viewport: Viewport,
    ) -> Option<Viewport> {
        if event.buttons() == 0 {
            // It was lifted outside the canvas, unseen.
            self.up(event);
        }
        let to = position(event);
        let index = self.pointers.iter().position(|&(id, _)| id == event.pointer_id())?;
        if !self.dragged {
            if self.start.distance(to) < TREMBLE {
                return None;
            }
            self.dragged = true;
            // From now on the pointer belongs to the canvas, wherever it goes; not before, since a captured
            // pointer's click would land on the canvas and not on the node.
            // The pointer may be gone by now; then there is nothing to capture.
            let _ = canvas.set_pointer_capture(event.pointer_id());
        }
        let panel = panel::area(canvas);
        let from = std::mem::replace(&mut self.pointers[index].1, to);
        match self.pointers[..] {
            [_] => Some(viewport.dragged(panel, from, to)),
            [(_, a), (_, b)] => {
                let before = if index == 0 { [from, b] } else { [a, from] };
                Some(viewport.pinched(panel, before, [a, b]))
            }
            _ => None,
        }
    }

    pub(super) fn up(&mut self, event: &PointerEvent) {
        self.pointers.retain(|&(id, _)| id != event.pointer_id());
    }

    /// Whether the pointer that was just lifted had moved the picture.
    pub(super) fn was_drag(&self) -> bool {
        self.dragged
    }
}

fn position(event: &PointerEvent) -> Point {
    Point::new(event.client_x().into(), event.client_y().into())
}
