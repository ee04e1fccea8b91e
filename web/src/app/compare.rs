//! The cost of each method: a table, and a plot against a parameter.

use super::plot::PlotPanel;
use crate::session::Plot;
use crate::view::compare::Row;
use yew::prelude::*;

pub(crate) struct Props {
    pub(crate) rows: Vec<Row>,
    /// The heads of the columns.
    pub(crate) heads: [&'static str; 4],
    pub(crate) plot: Option<Plot>,
    /// Whether something is still compared.
    pub(crate) running: bool,
    /// Whether the table is about what is looked at now.
    pub(crate) current: bool,
    /// The property that is looked at.
    pub(crate) property: Option<String>,
    /// The parameters that can be plotted against.
    pub(crate) params: Vec<String>,
    pub(crate) on_compare: Callback<()>,
    pub(crate) on_plot: Callback<String>,
    pub(crate) on_end: Callback<()>,
}

pub(crate) fn draw(props: &Props) -> Html {
    let Some(property) = &props.property else {
        return html! { <p class="compare-note">{ "The model has no property to compare methods on." }</p> };
    };
    let on_compare = props.on_compare.reform(|_: MouseEvent| ());
    let on_end = props.on_end.reform(|_: MouseEvent| ());
    let rows = props.rows.iter().map(row);
    let plots = props.params.iter().map(|param| {
        let name = param.clone();
        let on_click = props.on_plot.reform(move |_: MouseEvent| name.clone());
        html! {
            <button type="button" class="button compare-plot" onclick={on_click} disabled={props.running}>
                { format!("Plot against {param}") }
            </button>
        }
    });
    html! {
        <div class="compare">
            <p class="compare-note">
                { "What every method needs to decide " }<code>{ property }</code>{ "." }
            </p>
            if !props.rows.is_empty() {
                <div class="compare-scroll" tabindex="0">
                    <table class={classes!("compare-table", (!props.current).then_some("is-old"))}>
                        <thead>
                            <tr>
                                <th scope="col">{ "method" }</th>
                                <th scope="col"><span class="visually-hidden">{ "verdict" }</span></th>
                                { for props.heads.map(|head| html! { <th scope="col" class="number">{ head }</th> }) }
                            </tr>
                        </thead>
                        <tbody>{ for rows }</tbody>
                    </table>
                </div>
                if props.heads.contains(&"visits") {
                    <p class="compare-note">
                        { "Visits are how often the algorithm looked at a state, for each U anew; beside is what it keeps beside the graph. The time is of the whole check: building the graph is the same for all four." }
                    </p>
                }
                if !props.current {
                    <p class="compare-note">{ "This table is about an earlier choice." }</p>
                }
            }
            <div class="compare-buttons">
                if props.running {
                    <button type="button" class="button compare-stop" onclick={on_end}>{ "Stop comparing" }</button>
                } else {
                    <button type="button" class="button compare-start" onclick={on_compare}>{ "Compare methods" }</button>
                }
                { for plots }
            </div>
            if let Some(plot) = &props.plot {
                <PlotPanel plot={plot.clone()} />
            }
        </div>
    }
}

fn row(row: &Row) -> Html {
    let [states, edges, time, memory] = &row.counts;
    html! {
        <tr key={row.method.name()} data-method={row.method.letter()}>
            <th scope="row" title={row.method.about()}>
                <span class={format!("method-letter method-{}", row.method.letter())}>{ row.method.letter() }</span>
                <span class="method-name">{ row.method.name() }</span>
            </th>
            <td>
                <span class={classes!("badge", row.badge.class())} title={row.badge.word()}>
                    <span aria-hidden="true">{ row.badge.sign() }</span>
                    <span class="visually-hidden">{ row.badge.word() }</span>
                </span>
            </td>
            if let Some(note) = &row.note {
                <td colspan="4" class="compare-refused">{ note }</td>
            } else {
                <td class="number">{ states }{ if row.partial && !states.is_empty() { "+" } else { "" } }</td>
                <td class="number">{ edges }</td>
                <td class="number">{ time }</td>
                <td class="number">{ memory }</td>
            }
        </tr>
    }
}
