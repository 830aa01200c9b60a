//! Draws the measured and the predicted curve of a sweep. The same numbers stand in the table beside it.

use shared::metric::Metric;

use super::model::curve::{Curves, Place, SIZE};
use crate::dom::{Element, element, svg};
use crate::views::grid::polyline;

/// The curves of a metric with a legend.
pub fn draw(metric: Metric, Curves { measured, predicted }: &Curves) -> Element {
    let text = format!("{}, ms over concurrency, both by their logarithms", metric.name());
    let drawing = svg("svg")
        .class("curves")
        .attr("viewBox", &format!("0 0 {} {}", SIZE.0, SIZE.1))
        .attr("aria-hidden", "true")
        .attr("focusable", "false")
        .child(line("measured", measured))
        .children(predicted.iter().map(|piece| line("predicted", piece)))
        .children(measured.iter().map(|(x, y)| dot("measured", *x, *y)))
        .children(predicted.iter().flatten().map(|(x, y)| square("predicted", *x, *y)));
    let legend = element("span")
        .class("legend")
        .child(element("span").class("measured").child("● measured"))
        .child(" ")
        .child(element("span").class("predicted").child("■ predicted"));
    element("figure")
        .class("curve")
        .child(element("figcaption").child(text).child(" ").child(legend))
        .child(drawing)
}

fn line(class: &str, places: &[Place]) -> Element {
    polyline(places.iter()).class(class)
}

fn dot(class: &str, x: f64, y: f64) -> Element {
    svg("circle").class(class).attr("cx", &format!("{x:.1}")).attr("cy", &format!("{y:.1}")).attr("r", "2.5")
}

fn square(class: &str, x: f64, y: f64) -> Element {
    svg("rect")
        .class(class)
        .attr("x", &format!("{:.1}", x - 2.25))
        .attr("y", &format!("{:.1}", y - 2.25))
        .attr("width", "4.5")
        .attr("height", "4.5")
}
