//! The query string: parsed without ever failing, printed without defaults.

use std::fmt::{self, Write as _};

use shared::format::shortened;
use shared::id::{EstimatorId, SnapshotId};
use shared::summary::GroupBy;
use shared::tier::Tier;

use super::Route;
use crate::explore::view::View;

const RUN: &str = "run";
const VERSUS: &str = "vs";
const TIER: &str = "tier";
const ESTIMATOR: &str = "est";
const BY: &str = "by";
const INTERVALS: &str = "ci";
const VIEW: &str = "view";

/// The names that every view knows: app/boot.js takes them along to another one.
const OF_EVERY_VIEW: [&str; 6] = [RUN, VERSUS, TIER, ESTIMATOR, BY, INTERVALS];

/// How much of a part of a link is repeated to the reader, in characters.
const LONGEST_SHOWN: usize = 60;

/// How long a value may be that only the explorer's views know, in bytes.
const LONGEST_VALUE: usize = 300;

/// A part of a link that could not be followed, and what was done instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkProblem {
    /// A parameter that this page does not know.
    UnknownParameter(String),
    /// A parameter that stands twice; the first one counts.
    Repeated(&'static str),
    /// A value that the parameter cannot have.
    BadValue {
        /// The parameter.
        parameter: &'static str,
        /// Its value, shortened.
        value: String,
        /// What is shown in its place.
        instead: &'static str,
    },
    /// A run that the site does not have.
    UnknownRun {
        /// Its id.
        id: SnapshotId,
        /// What is shown in its place.
        instead: &'static str,
    },
    /// An estimator that the run does not have.
    UnknownEstimator(EstimatorId),
}

impl fmt::Display for LinkProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownParameter(name) => {
                write!(formatter, "This link says “{name}”, which this page does not know; it was ignored.")
            }
            Self::Repeated(name) => {
                write!(formatter, "This link says “{name}” more than once; the first one counts.")
            }
            Self::BadValue { parameter, value, instead } => write!(
                formatter,
                "This link asks for {parameter}=“{value}”, which is not possible; showing {instead} instead."
            ),
            Self::UnknownRun { id, instead } => {
                write!(formatter, "This site has no run “{id}”; showing {instead} instead.")
            }
            Self::UnknownEstimator(id) => write!(
                formatter,
                "This run has no estimator “{id}”; showing the run's own simulator instead."
            ),
        }
    }
}

/// Reads a query string, with or without its `?`.
pub fn parse(query: &str) -> (Route, Vec<LinkProblem>) {
    let mut route = Route::default();
    let mut problems = Vec::new();
    let mut seen: Vec<&'static str> = Vec::new();
    for pair in query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decode(name), decode(value));
        let Some(parameter) = known(&name) else {
            // Parameters that other sites append to links are none of the reader's business.
            if !name.starts_with("utm_") && !name.ends_with("clid") {
                problems.push(LinkProblem::UnknownParameter(shortened(&name, LONGEST_SHOWN)));
            }
            continue;
        };
        if seen.contains(&parameter) {
            problems.push(LinkProblem::Repeated(parameter));
            continue;
        }
        seen.push(parameter);
        if let Err(instead) = assign(&mut route, parameter, &value) {
            problems.push(LinkProblem::BadValue {
                parameter,
                value: shortened(&value, LONGEST_SHOWN),
                instead,
            });
        }
    }
    (route, problems)
}

/// Writes the query string: empty, or beginning with `?`. Defaults are left out.
pub fn print(route: &Route) -> String {
    let default = Route::default();
    let mut query = String::new();
    let mut put = |name: &str, value: &str| {
        let start = if query.is_empty() { '?' } else { '&' };
        // Every name is plain.
        let _infallible = write!(query, "{start}{name}=");
        encode(value, &mut query);
    };
    if let Some(run) = &route.run {
        put(RUN, run.as_str());
    }
    if let Some(versus) = &route.versus {
        put(VERSUS, versus.as_str());
    }
    if let Some(tier) = route.tier {
        put(TIER, tier.key());
    }
    if let Some(estimator) = &route.estimator {
        put(ESTIMATOR, estimator.as_str());
    }
    if route.by != default.by {
        put(BY, route.by.key());
    }
    if route.intervals {
        put(INTERVALS, "1");
    }
    for (name, value) in route.chosen_more() {
        put(name, value);
    }
    query
}

fn known(name: &str) -> Option<&'static str> {
    OF_EVERY_VIEW.into_iter().chain(Route::MORE).find(|known| *known == name)
}

/// Sets one parameter, or says what is shown in its place.
fn assign(route: &mut Route, parameter: &str, value: &str) -> Result<(), &'static str> {
    match parameter {
        RUN => route.run = Some(SnapshotId::new(value).map_err(|_| "the newest run")?),
        VERSUS => route.versus = Some(SnapshotId::new(value).map_err(|_| "no comparison")?),
        TIER => route.tier = Some(Tier::from_key(value).ok_or("the default tier")?),
        ESTIMATOR => {
            route.estimator = Some(EstimatorId::new(value).map_err(|_| "the run's own simulator")?);
        }
        BY => {
            route.by = GroupBy::from_key(value)
                .filter(|by| Route::GROUPINGS.contains(by))
                .ok_or("groups by family")?;
        }
        INTERVALS => {
            route.intervals = match value {
                "1" => true,
                "0" => false,
                _ => return Err("no intervals"),
            };
        }
        VIEW if value != "overview" && View::from_key(value).is_none() => {
            // So does app/boot.js; the address then says what is shown.
            route.set_more(VIEW, View::Compare.key(), "");
            return Err("Compare");
        }
        _ if value.len() > LONGEST_VALUE => return Err("what is shown without it"),
        _ => route.set_more(parameter, value, ""),
    }
    Ok(())
}

/// Writes a value with whatever is not plain as `%xx`.
fn encode(value: &str, query: &mut String) {
    for byte in value.bytes() {
        // Writing to a string cannot fail.
        let _infallible = match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' | b'~' => {
                query.write_char(byte.into())
            }
            _ => write!(query, "%{byte:02X}"),
        };
    }
}

/// Resolves `%xx` and `+`; what is not valid UTF-8 afterwards is replaced.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| Some((hexadecimal(digits[0])?, hexadecimal(digits[1])?)));
        if let Some((high, low)) = escaped {
            decoded.push(high << 4 | low);
            at += 3;
        } else {
            decoded.push(if bytes[at] == b'+' { b' ' } else { bytes[at] });
            at += 1;
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(text: &str) -> SnapshotId {
        SnapshotId::new(text).unwrap()
    }

    #[test]
    fn an_empty_query_is_the_default_and_prints_as_nothing() {
        for query in ["", "?", "&&"] {
            assert_eq!(parse(query), (Route::default(), vec![]), "{query}");
        }
        assert_eq!(print(&Route::default()), "");
    }

    #[test]
    fn every_choice_stands_in_the_query_and_defaults_do_not() {
        let query = "?run=2026-09-28_roofline-1.0.0_0a1b2c3d&vs=b&tier=all&est=aic&by=hardware&ci=1";
        let (route, problems) = parse(query);
        assert_eq!(problems, []);
        assert_eq!(route.run, Some(id("2026-09-28_roofline-1.0.0_0a1b2c3d")));
        assert_eq!(route.tier, Some(Tier::All));
        assert_eq!(print(&route), query);
        assert_eq!(print(&parse("?by=family&ci=0").0), "");
    }

    #[test]
    fn the_names_that_a_link_to_another_view_keeps_are_those_of_every_view() {
        let script = include_str!("../../boot.js");
        assert!(script.contains(&format!("const shared = {OF_EVERY_VIEW:?}")), "{OF_EVERY_VIEW:?}");
    }

    #[test]
    fn a_view_that_there_is_not_is_named_once_and_compare_is_shown() {
        let long = "x".repeat(1000);
        for value in ["nonsense", "", &long] {
            let (route, problems) = parse(&format!("view={value}&view=sweeps"));
            assert_eq!(print(&route), "?view=compare");
            let [
                LinkProblem::BadValue { parameter: "view", value, instead: "Compare" },
                LinkProblem::Repeated("view"),
            ] = problems.as_slice()
            else {
                panic!("{problems:?}")
            };
            assert!(value.chars().count() <= LONGEST_SHOWN + 1);
        }
        for query in ["?view=overview", "?view=sweeps"] {
            assert_eq!((print(&parse(query).0).as_str(), parse(query).1), (query, vec![]));
        }
    }

    #[test]
    fn a_value_that_cannot_be_is_named_and_the_rest_of_the_link_still_counts() {
        let (route, problems) = parse("run=..%2Fetc&tier=best&by=tier&ci=maybe&est=AIC&vs=ok");
        assert_eq!(route, Route { versus: Some(id("ok")), ..Route::default() });
        assert_eq!(problems.len(), 5);
        assert_eq!(
            problems[0].to_string(),
            "This link asks for run=“../etc”, which is not possible; showing the newest run instead."
        );
    }

    #[test]
    fn an_unknown_parameter_is_named_unless_another_site_appended_it() {
        let (_, problems) = parse("utm_source=x&fbclid=y&b=z");
        assert_eq!(problems, [LinkProblem::UnknownParameter("b".to_owned())]);
    }

    #[test]
    fn what_only_the_explorer_knows_is_carried_along() {
        let query = "?by=hardware&view=sweeps&find=minimax%20b200%20%26%20fp8";
        let (route, problems) = parse(query);
        assert_eq!(
            (route.more("find"), route.more("view"), route.more("sweep")),
            ("minimax b200 & fp8", "sweeps", "")
        );
        assert_eq!((print(&route), problems), (query.to_owned(), vec![]));
        let (route, problems) = parse(&format!("find={}&only=", "x".repeat(301)));
        assert_eq!((route, problems.len()), (Route::default(), 1));
    }

    #[test]
    fn the_first_of_two_values_counts() {
        let (route, problems) = parse("tier=all&tier=strict");
        assert_eq!(route.tier, Some(Tier::All));
        assert_eq!(problems, [LinkProblem::Repeated("tier")]);
    }

    fn routes() -> impl Strategy<Value = Route> {
        let snapshot = || prop::option::of("[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}".prop_map(|text| id(&text)));
        let estimator = "[a-z0-9][a-z0-9._-]{0,39}".prop_map(|text| EstimatorId::new(text).unwrap());
        (
            snapshot(),
            snapshot(),
            prop::option::of(prop::sample::select(Tier::ALL.to_vec())),
            prop::option::of(estimator),
            prop::sample::select(Route::GROUPINGS.to_vec()),
            any::<bool>(),
            prop::option::of(prop::sample::select(View::ALL.to_vec())),
            prop::collection::btree_map(prop::sample::select(Route::MORE[1..].to_vec()), "\\PC{1,60}", 0..4),
        )
            .prop_map(|(run, versus, tier, estimator, by, intervals, view, more)| {
                let view = view.map(|view| (VIEW, view.key().to_owned()));
                let chosen = Route { run, versus, tier, estimator, by, intervals, ..Route::default() };
                more.into_iter().chain(view).fold(chosen, |mut route, (name, value)| {
                    route.set_more(name, &value, "");
                    route
                })
            })
    }

    proptest! {
        #[test]
        fn whatever_is_printed_is_read_again(route in routes()) {
            prop_assert_eq!(parse(&print(&route)), (route, vec![]));
        }

        #[test]
        fn any_text_gives_a_route_that_prints_and_reads_back(query in "\\PC{0,200}") {
            let (route, _) = parse(&query);
            prop_assert_eq!(parse(&print(&route)), (route, vec![]));
        }
    }
}
