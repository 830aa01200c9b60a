//! What the gate found, as JUnit XML, which CI systems show as tests: a case for every sweep and estimator that is judged.
//!
//! Source: the schema of Jenkins' xUnit plugin, `junit-10.xsd`. A sweep that is worse, or of which a point is no longer scored, has
//! failed; one that is not measured any more is skipped; when nothing can be compared, the whole suite is one error.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use shared::gate::Gate;
use shared::id::{EstimatorId, SweepId};
use shared::summary::Summary;
use shared::tier::Tier;

use super::github::lost;
use crate::console::printable;

/// The name of the suite.
const SUITE: &str = "accuracy gate";

/// A sweep that is judged for one estimator.
#[derive(Debug, Default)]
struct Case {
    title: String,
    failures: Vec<String>,
    remarks: Vec<String>,
    is_measured: bool,
}

/// The cases in the order of the file.
type Cases<'a> = BTreeMap<(&'a EstimatorId, &'a SweepId), Case>;

/// The bytes of the file.
#[must_use]
pub fn bytes(a: &Summary, b: &Summary, gate: &Gate) -> Vec<u8> {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    match gate.undecided() {
        Some(why) => undecided(&why, &mut text),
        None => suite(&cases(a, b, gate), &mut text),
    }
    text.into_bytes()
}

fn cases<'a>(a: &'a Summary, b: &'a Summary, gate: &'a Gate) -> Cases<'a> {
    let tier = gate.options.tier.unwrap_or(Tier::All);
    let mut cases = Cases::new();
    for estimator in &gate.options.estimators {
        for sweep in a.sweeps.iter().filter(|sweep| tier.contains(sweep.verdict)) {
            let is_measured =
                b.sweeps.iter().any(|other| other.id == sweep.id && tier.contains(other.verdict));
            let case = Case { title: sweep.title(), is_measured, ..Case::default() };
            cases.insert((estimator, &sweep.id), case);
        }
    }
    for worse in &gate.worse {
        if let Some(case) = cases.get_mut(&(&worse.estimator, &worse.sweep)) {
            case.failures.push(worse.sentence());
        }
    }
    for point in &gate.lost {
        if let Some(case) = cases.get_mut(&(&point.estimator, &point.sweep)) {
            case.failures.push(format!("no longer scored: {}", lost(point)));
        }
    }
    for finding in gate.better.iter().chain(&gate.remeasured) {
        if let Some(case) = cases.get_mut(&(&finding.estimator, &finding.sweep)) {
            case.remarks.push(finding.sentence());
        }
    }
    cases
}

fn suite(cases: &Cases<'_>, text: &mut String) {
    let failed = cases.values().filter(|case| !case.failures.is_empty()).count();
    let skipped = cases.values().filter(|case| case.is_skipped()).count();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "<testsuite name=\"{SUITE}\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\">",
        cases.len()
    );
    for ((estimator, sweep), case) in cases {
        let name = escaped(&format!("{} ({sweep})", case.title));
        let _ = write!(text, "  <testcase classname=\"{estimator}\" name=\"{name}\"");
        case.write(text);
    }
    text.push_str("</testsuite>\n");
}

impl Case {
    fn is_skipped(&self) -> bool {
        !self.is_measured && self.failures.is_empty()
    }

    fn write(&self, text: &mut String) {
        let mut inner = String::new();
        if let Some(first) = self.failures.first() {
            let all = self.failures.iter().map(|failure| escaped(failure)).collect::<Vec<_>>().join("\n");
            let first = escaped(first);
            let _ = writeln!(inner, "    <failure type=\"worse\" message=\"{first}\">{all}</failure>");
        }
        if self.is_skipped() {
            inner.push_str("    <skipped message=\"not measured any more\"/>\n");
        }
        if !self.remarks.is_empty() {
            let all = self.remarks.iter().map(|remark| escaped(remark)).collect::<Vec<_>>().join("\n");
            let _ = writeln!(inner, "    <system-out>{all}</system-out>");
        }
        if inner.is_empty() {
            text.push_str("/>\n");
        } else {
            let _ = writeln!(text, ">\n{inner}  </testcase>");
        }
    }
}

fn undecided(why: &str, text: &mut String) {
    let why = escaped(why);
    let _ = writeln!(
        text,
        "<testsuite name=\"{SUITE}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n  \
         <testcase classname=\"{SUITE}\" name=\"the snapshots can be compared\">\n    \
         <error type=\"not comparable\" message=\"{why}\"/>\n  </testcase>\n</testsuite>"
    );
}

/// A text as it may stand in an attribute or between tags; what XML has no characters for becomes visible.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in printable(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_become_markup() {
        assert_eq!(
            escaped("a <b> & \"c\"\u{0}\u{ffff}\n"),
            "a &lt;b&gt; &amp; &quot;c&quot;\\u{0}\u{fffd}\\n"
        );
    }

    #[test]
    fn a_case_says_what_became_of_it() {
        let of = |case: Case| {
            let mut text = String::new();
            case.write(&mut text);
            text
        };
        assert_eq!(of(Case { is_measured: true, ..Case::default() }), "/>\n");
        assert!(of(Case::default()).contains("<skipped "));
        let failures = vec!["a < b".to_owned(), "c".to_owned()];
        let failed = of(Case { failures, ..Case::default() });
        assert!(failed.contains("message=\"a &lt; b\">a &lt; b\nc</failure>"), "{failed}");
    }
}
