//! The latest snapshot as plain HTML, for readers without JavaScript and for search engines: TPOT and
//! TTFT by family, for every estimator, on the sweeps from which conclusions are drawn.

use std::fmt::Write as _;

use shared::format::{count, counted, day, percent, signed_percent};
use shared::metric::Metric;
use shared::night::LastFailure;
use shared::summary::{Aggregate, GroupBy, Summary};
use shared::tier::Tier;

/// The tables of a snapshot. All text is escaped.
#[must_use]
pub fn noscript_table(summary: &Summary) -> String {
    let tier = shown_tier(summary);
    let mut html = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        html,
        "<h1>BLIS accuracy dashboard</h1>\
         <p>How accurately LLM-inference simulators predict measured serving latency. \
         This is the latest snapshot, {}, made {} from {}: {} of {}. \
         Shown are the sweeps of the tier {}; errors are in percent, negative means that the estimator \
         says faster than measured. The interactive page needs JavaScript and WebAssembly.</p>",
        escaped(summary.run.id.as_str()),
        escaped(&summary.run.generated_at),
        escaped(summary.measurements.tag.as_deref().unwrap_or(&summary.measurements.name)),
        counted(summary.coverage.points, "point"),
        counted(summary.coverage.sweeps, "sweep"),
        escaped(tier.name()),
    );
    for metric in Metric::ALL {
        let _ = write!(
            html,
            "<table><caption>{}, mean absolute error (MAPE), signed mean and shape error</caption>\
             <thead><tr><th scope=\"col\">family</th><th scope=\"col\">estimator</th><th scope=\"col\">points</th>\
             <th scope=\"col\">MAPE</th><th scope=\"col\">signed</th><th scope=\"col\">shape</th></tr></thead><tbody>",
            metric.name()
        );
        for by in [GroupBy::All, GroupBy::Family] {
            let wanted = |aggregate: &&Aggregate| {
                let of = &aggregate.of;
                of.by == by && of.tier == tier && of.metric == metric
            };
            for aggregate in summary.aggregates.iter().filter(wanted) {
                row(&mut html, summary, aggregate);
            }
        }
        html.push_str("</tbody></table>");
    }
    html
}

/// That nights fail, and since when. The attribute is what the page looks for.
pub(super) fn failure_note(failure: &LastFailure) -> String {
    format!(
        "<p data-nights=\"failing\">The nightly run fails since {} in the stage {}: {}. What is shown is the last that \
         succeeded.</p>",
        escaped(day(&failure.since)),
        failure.stage.key(),
        escaped(&failure.meaning)
    )
}

/// The tier from which conclusions are drawn; where it is empty, all sweeps.
fn shown_tier(summary: &Summary) -> Tier {
    let any = |tier| summary.sweeps.iter().any(|sweep| Tier::contains(tier, sweep.verdict));
    if any(Tier::MeasuredOrResolved) { Tier::MeasuredOrResolved } else { Tier::All }
}

fn row(html: &mut String, summary: &Summary, aggregate: &Aggregate) {
    let Aggregate { of, figures } = aggregate;
    let simulator = summary.simulators.iter().find(|simulator| simulator.id == of.estimator);
    let name = simulator.map_or(of.estimator.as_str(), |simulator| simulator.name.as_str());
    let group = if of.by == GroupBy::All { "everything" } else { of.key.as_str() };
    // Writing to a string cannot fail.
    let _ = write!(
        html,
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        escaped(group),
        escaped(name),
        count(figures.points),
        percent(figures.mape),
        signed_percent(figures.signed_mean),
        percent(figures.shape),
    );
}

/// The text as HTML text or as a quoted attribute.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            _ => html.push(c),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_become_markup() {
        assert_eq!(
            escaped("<script>alert('x & \"y\"')</script>"),
            "&lt;script&gt;alert(&#39;x &amp; &quot;y&quot;&#39;)&lt;/script&gt;"
        );
    }
}
