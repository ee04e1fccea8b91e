//! How large the canvas is.

use crate::view::picture::viewport::{Point, Rect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::JsValue;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

/// The canvas in pixels of the window.
pub(super) fn area(canvas: &Element) -> Rect {
    let rect = canvas.get_bounding_client_rect();
    Rect { origin: Point::new(rect.x(), rect.y()), width: rect.width(), height: rect.height() }
}

/// The size of an element, now and whenever it changes; its corner is (0, 0).
#[hook]
pub(super) fn use_size(node: &NodeRef) -> Rect {
    let size = use_state_eq(|| Rect { width: 640.0, height: 420.0, ..Rect::default() });
    let (node, setter) = (node.clone(), size.setter());
    use_effect_with((), move |()| {
        let observer = node.cast::<Element>().and_then(|element| {
            let measured = element.clone();
            let measure = move || setter.set(Rect { origin: Point::default(), ..area(&measured) });
            measure();
            let closure = Closure::<dyn FnMut(JsValue)>::new(move |_| measure());
            // Without an observer the first measure stands.
            let observer = ResizeObserver::new(closure.as_ref().unchecked_ref()).ok()?;
            observer.observe(&element);
            Some((observer, closure))
        });
        move || {
            if let Some((observer, closure)) = observer {
                observer.disconnect();
                drop(closure);
            }
        }
    });
    *size
}
