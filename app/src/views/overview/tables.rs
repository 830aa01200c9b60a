//! The two tables.

use leptos::prelude::*;
use shared::metric::Metric;
use shared::summary::Grade;

use super::controls::capitalised;
use super::model::choice::tier_name;
use super::model::compare::{self, Shown};
use super::model::table::{self, Before, Cell, Column, Delta, Row, Table};
use super::state::Overview;

/// Both tables, or the room they will take.
#[component]
pub fn Tables() -> impl IntoView {
    let state = expect_context::<Overview>();
    let Overview { a, choice, .. } = state;

    let tables = Memo::new(move |_| {
        let (shown, choice) = (a.shown.get()?, choice.get()?);
        Some(match state.compared().filter(|compared| compared.obstacle.is_none()) {
            Some(compared) => compare::tables(&compared, &shown.summary, choice.intervals),
            None => table::both(&shown.summary, &choice),
        })
    });
    let spoken = move || {
        let (Some(choice), Some([tpot, _])) = (choice.get(), tables.get()) else { return String::new() };
        format!("{}, by {}: {} groups", tier_name(choice.tier), choice.by.name(), tpot.rows.len())
    };
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
        <div class="tables" class:wide=move || state.compares() aria-busy=move || if state.busy() { "true" } else { "false" }>{content}</div>
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
    let state = expect_context::<Overview>();
    let choice = state.choice;
    let compares = untrack(|| state.compares());
    let Table { metric, rows, total } = table;
    let heading = match metric {
        Metric::Tpot => "tpot-heading",
        Metric::Ttft => "ttft-heading",
    };
    let (by, caption) = choice.with_untracked(|choice| match choice {
        Some(choice) => (
            capitalised(choice.by.name()),
            format!(
                "Errors of predicted against measured {} by {}, tier {}, estimator {}; the last row is the total.",
                metric.name(),
                choice.by.name(),
                choice.tier.name(),
                choice.estimator,
            ),
        ),
        None => Default::default(),
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
