//! The whole picture in a corner.

use super::number;
use crate::view::picture::minimap::{Minimap, SIZE};
use crate::view::picture::viewport::{Point, Rect, Viewport};
use orbitscope_core::draw::{NodeId, Picture};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct Props {
    pub(super) picture: Rc<Picture>,
    pub(super) viewport: Viewport,
    pub(super) size: Rect,
    /// The node to find on it.
    pub(super) at: Option<NodeId>,
    pub(super) on_view: Callback<Viewport>,
}

#[component]
pub(super) fn Map(props: &Props) -> Html {
    let map = use_memo(props.picture.clone(), |picture| Minimap::new(picture));
    let node = use_node_ref();
    let Some(map) = map.as_ref().as_ref().filter(|map| !map.is_idle(&props.viewport, props.size)) else {
        return Html::default();
    };
    let seen = map.window(&props.viewport, props.size);
    let go = {
        let (map, viewport, on_view, node) =
            (map.clone(), props.viewport, props.on_view.clone(), node.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(canvas) = node.cast::<Element>() else { return };
            if event.buttons() == 1 {
                let area = super::panel::area(&canvas);
                let x = f64::from(event.client_x()) - area.origin.x;
                let y = f64::from(event.client_y()) - area.origin.y;
                on_view.emit(viewport.moved_to(map.point(Point::new(x, y))));
            }
        })
    };
    let at = props.at.and_then(|node| props.picture.nodes.get(node)).map(|node| {
        let centre = node.area.centre();
        map.place(Point::new(centre.x.into(), centre.y.into()))
    });
    html! {
        <svg ref={node} class="graph-map" width={SIZE.0.to_string()} height={SIZE.1.to_string()}
            role="img" aria-label="Map of the whole graph" onpointerdown={go.clone()} onpointermove={go}>
            <path class="map-nodes" d={map.nodes.clone()} />
            <rect class="map-window" x={number(seen.origin.x)} y={number(seen.origin.y)}
                width={number(seen.width)} height={number(seen.height)} />
            if let Some(at) = at {
                <circle class="map-current" cx={number(at.x)} cy={number(at.y)} r="3.5" />
            }
        </svg>
    }
}
