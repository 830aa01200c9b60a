//! The two tables.

use leptos::prelude::*;
use shared::metric::Metric;
use shared::summary::Grade;

use super::controls::capitalised;
use super::model::choice::{Choice, tier_name};
use super::model::compare::{self, Shown};
use super::model::table::{self, Before, Cell, Column, Delta, Row, Table};
use super::state::{Overview, Scene};

/// Both tables, or the room they will take.
#[component]
pub fn Tables() -> impl IntoView {
    let state = expect_context::<Overview>();
    let Overview { scene, .. } = state;

    let tables = Memo::new(move |_| {
        scene.with(|scene| {
            let scene = scene.as_ref()?;
            let Scene { a, choice, .. } = scene;
            Some(match scene.comparison() {
                Some(compared) => compare::tables(compared, &a.summary, choice.intervals),
                None => table::both(&a.summary, choice),
            })
        })
    });
    let spoken = move || {
        scene.with(|scene| {
            let choice = &scene.as_ref()?.choice;
            let groups = tables.with(|tables| tables.as_ref().map_or(0, |[tpot, _]| tpot.rows.len()));
            Some(format!("{}, by {}: {groups} groups", tier_name(choice.tier), choice.by.name()))
        })
    };
    let wide = move || scene.with(|scene| scene.as_ref().is_some_and(|scene| scene.comparison().is_some()));
    let content = move || match tables.get() {
        Some([tpot, ttft]) => view! {
            <MetricTable table=tpot/>
            <MetricTable table=ttft/>
        }
        .into_any(),
        None if state.failed() => ().into_any(),
        None => view! {
            <div class="bone table"></div>
            <div class="bone table"></div>
        }
        .into_any(),
    };

    view! {
        <p class="unseen" role="status">{spoken}</p>
        <div class="tables" class:wide=wide aria-busy=move || if state.busy() { "true" } else { "false" }>{content}</div>
    }
    .into_any()
}

fn full_name(metric: Metric) -> &'static str {
    match metric {
        Metric::Tpot => "time per output token",
        Metric::Ttft => "time to first token",
    }
}

/// One table.
#[component]
fn MetricTable(
    /// Its rows.
    table: Table,
) -> impl IntoView {
    let Overview { scene, .. } = expect_context::<Overview>();
    let Table { metric, rows, total } = table;
    let heading = match metric {
        Metric::Tpot => "tpot-heading",
        Metric::Ttft => "ttft-heading",
    };
    let (by, caption, compares) = scene.with_untracked(|scene| {
        let Some(scene) = scene else { return Default::default() };
        let Choice { tier, by, ref estimator, .. } = scene.choice;
        let compares = scene.comparison().is_some();
        let runs = if compares { "run A to run B, " } else { "" };
        let caption = format!(
            "Errors of predicted against measured {} by {}, {runs}tier {}, estimator {estimator}; the last row \
             is the total.",
            metric.name(),
            by.name(),
            tier.name(),
        );
        (capitalised(by.name()), caption, compares)
    });
    let header = Column::ALL
        .into_iter()
        .map(|column| {
            view! {
                <th scope="col" title=column.meaning()>
                    {column.name()} <small>{if compares { column.unit_of_both() } else { column.unit() }}</small>
                </th>
            }
        })
        .collect_view();

    view! {
        <div class="card">
            <div class="card-head">
                <h2 id=heading>{metric.name()}</h2>
                <p>
                    {full_name(metric)} " · error against measured"
                    {compares.then_some(" · A → B and their difference, over the points both scored")}
                </p>
            </div>
            <div class="scroll" role="region" aria-labelledby=heading tabindex="0">
                <table class="figures" data-metric=metric.key()>
                    <caption class="unseen">{caption}</caption>
                    <thead>
                        <tr>
                            <th scope="col">{by}</th>
                            {header}
                        </tr>
                    </thead>
                    <tbody>{rows.into_iter().map(|row| draw_row(row, None)).collect_view()}</tbody>
                    <tfoot>{total.map(|row| draw_row(row, Some("Total")))}</tfoot>
                </table>
            </div>
        </div>
    }
    .into_any()
}

/// A row; `name` stands in place of its key. Where nothing is scored, the reason takes the place of the
/// figures after the two counts.
fn draw_row(row: Row, name: Option<&'static str>) -> AnyView {
    const COUNTS: usize = 2;
    let Row { key, mut cells, empty } = row;
    let name = name.map_or_else(|| key.clone(), str::to_owned);
    let reason = empty.map(|why| {
        cells.truncate(COUNTS);
        view! { <td class="empty-reason" colspan=Column::ALL.len() - COUNTS>{format!("– {why}")}</td> }
    });
    let cells =
        Column::ALL.into_iter().zip(cells).map(|(column, cell)| draw_cell(column, cell)).collect_view();
    view! {
        <tr data-key=key>
            <th scope="row">{name}</th>
            {cells}
            {reason}
        </tr>
    }
    .into_any()
}

fn draw_cell(column: Column, cell: Cell) -> AnyView {
    let Cell { text, title, small, grade, before, delta } = cell;
    let before = before.map(|Before { text, grade }| {
        view! {
            {draw_value("before", text, grade)}
            <span class="to" aria-hidden="true">"→"</span>
            <span class="unseen">" to "</span>
        }
    });
    let delta = delta.map(|Delta { text, shown, interval }| {
        view! {
            <span class=delta_class(shown)>{text}</span>
            <small class="small soft">{shown.word()}</small>
            {interval.map(|interval| view! { <small class="small soft">{interval}</small> })}
        }
    });
    view! {
        <td data-column=column.key() title=title class:key=column == Column::Mape>
            <span class="pair">{before} {draw_value("value", text, grade)}</span>
            {delta}
            {small.map(|small| view! { <small class="small soft">{small}</small> })}
        </td>
    }
    .into_any()
}

fn draw_value(class: &'static str, text: String, grade: Option<Grade>) -> AnyView {
    let class = grade.map_or_else(|| class.to_owned(), |grade| format!("{class} {}", grade_class(grade)));
    view! { <span class=class>{text}</span> }.into_any()
}

fn delta_class(shown: Shown) -> &'static str {
    match shown {
        Shown::Better => "delta better",
        Shown::Worse => "delta worse",
        Shown::Moved => "delta moved",
        Shown::Tiny | Shown::Same | Shown::Noise | Shown::Unsure | Shown::Open | Shown::Absent => {
            "delta quiet"
        }
    }
}

/// The colours of a grade; its letter stands inside.
fn grade_class(grade: Grade) -> &'static str {
    match grade {
        Grade::A => "grade grade-a",
        Grade::B => "grade grade-b",
        Grade::C => "grade grade-c",
        Grade::D => "grade grade-d",
        Grade::F => "grade grade-f",
    }
}
