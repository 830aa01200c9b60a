//! What can be wrong with a file of outcomes, line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;
use shared::outcome::{OutcomeRecord, OutcomesHeader};
use shared::plan::Plan;
use shared::schema::FileKind;

use super::schema::{record_schema, schema_of, violations};
use super::{LISTED, Problem};
use crate::replay::outcomes::{Torn, parse};
use crate::replay::{ItemKey, Requests, Shard, digest};
use crate::summarize::answer::{self, Known};

/// What is wrong with the lines, and with a plan, with their balance.
pub fn problems(path: &Path, bytes: &[u8], plan: Option<&Plan>) -> Vec<Problem> {
    let problems = lines(bytes);
    if !problems.is_empty() {
        return problems;
    }
    let file = match parse(path, bytes, Torn::Refused) {
        Ok(file) => file,
        Err(error) => return vec![Problem::new("", error.to_string())],
    };
    let mut problems = order(&file.header, &file.records);
    if let Some(plan) = plan {
        balance(plan, &file.header, &file.records, &mut problems);
    }
    problems
}

/// Checks every line against its schema and type.
fn lines(bytes: &[u8]) -> Vec<Problem> {
    let (Ok(first), Ok(others)) = (
        jsonschema::validator_for(&schema_of(FileKind::Outcomes)),
        jsonschema::validator_for(&record_schema()),
    ) else {
        return vec![Problem::new("", "the built-in schemas cannot be used")];
    };
    let mut problems = Vec::new();
    if !bytes.ends_with(b"\n") {
        problems.push(Problem::new("", "the last line has no end: the run was stopped"));
    }
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let of_line = if index == 0 {
            line_problems::<OutcomesHeader>(&first, line)
        } else {
            line_problems::<OutcomeRecord>(&others, line)
        };
        problems.extend(of_line.into_iter().map(|Problem { place, text }| {
            let place = if place.is_empty() { String::new() } else { format!(", {place}") };
            Problem::new(format!("line {}{place}", index + 1), text)
        }));
        // A million bad lines say no more than a few.
        if problems.len() > 2 * LISTED {
            break;
        }
    }
    problems
}

fn line_problems<T: DeserializeOwned>(validator: &jsonschema::Validator, line: &[u8]) -> Vec<Problem> {
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => return vec![Problem::new("", format!("is not JSON ({error})"))],
    };
    let problems = violations(validator, &value);
    if problems.is_empty()
        && let Err(error) = serde_json::from_slice::<T>(line)
    {
        return vec![Problem::new("", error.to_string())];
    }
    problems
}

fn order(header: &OutcomesHeader, records: &[OutcomeRecord]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let known: BTreeSet<_> = header.simulators.iter().map(|simulator| &simulator.id).collect();
    if known.len() != header.simulators.len() {
        problems.push(Problem::new("line 1, simulators", "one estimator is there twice"));
    }
    for (index, record) in records.iter().enumerate() {
        let place = || format!("line {}", index + 2);
        if !known.contains(&record.estimator) {
            problems.push(Problem::new(place(), format!("`{}` is not in line 1", record.estimator)));
        }
        if index > 0 && ItemKey::compare(&records[index - 1], record).is_ge() {
            problems.push(Problem::new(
                place(),
                format!(
                    "{} is there twice or out of order: the run is not complete",
                    ItemKey::of_record(record)
                ),
            ));
        }
    }
    let found = records.len() as u64;
    if header.shard.is_none() && found != header.items {
        let text = format!("the plan has {} items, but the file has {found} outcomes", header.items);
        problems.push(Problem::new("", text));
    }
    problems
}

/// Checks that the file has exactly the outcomes that the plan or its shard asks for.
fn balance(plan: &Plan, header: &OutcomesHeader, records: &[OutcomeRecord], problems: &mut Vec<Problem>) {
    if header.plan != plan.digest {
        problems.push(Problem::new(
            "line 1, plan",
            format!("is {}, but the plan is {}", header.plan, plan.digest),
        ));
        return;
    }
    if header.simulators != plan.body.simulators {
        problems.push(Problem::new("line 1, simulators", "are not those of the plan"));
    }
    let items = &plan.body.items;
    let selected: Vec<usize> = match &header.shard {
        None => (0..items.len()).collect(),
        Some(text) => match text.parse::<Shard>() {
            Ok(shard) => shard.select(items),
            Err(error) => {
                problems.push(Problem::new("line 1, shard", error.to_string()));
                return;
            }
        },
    };
    let wanted: BTreeSet<ItemKey> = selected.iter().map(|index| ItemKey::of_item(&items[*index])).collect();
    let found: BTreeSet<ItemKey> = records.iter().map(ItemKey::of_record).collect();
    let missing = wanted.difference(&found).map(|key| Problem::new("", format!("no outcome of {key}")));
    let foreign = found.difference(&wanted).map(|key| Problem::new("", format!("not asked for: {key}")));
    problems.extend(missing.chain(foreign));
    let requests = Requests::new(&plan.body.sweeps);
    for (index, record) in records.iter().enumerate() {
        let request = requests.get(&record.sweep, record.concurrency);
        if let Some(asked) = request.and_then(|request| digest(&request).ok())
            && asked != record.request
        {
            problems.push(Problem::new(format!("line {}, request", index + 2), "answers another request"));
        }
    }
    answers(plan, header, records, problems);
}

/// Checks that no outcome says what cannot be true of the point that was planned.
fn answers(plan: &Plan, header: &OutcomesHeader, records: &[OutcomeRecord], problems: &mut Vec<Problem>) {
    let sweeps = plan.body.sweeps.iter();
    let points: BTreeMap<_, _> = sweeps
        .flat_map(|sweep| {
            sweep.points.iter().map(move |point| ((&sweep.id, point.concurrency), (sweep, point)))
        })
        .collect();
    for (index, record) in records.iter().enumerate() {
        let Some((sweep, point)) = points.get(&(&record.sweep, record.concurrency)) else { continue };
        let known = Known {
            requests: sweep.workload.requests(point.concurrency),
            published: point.published.get(&record.estimator).copied(),
            is_published: answer::is_published(&header.simulators, &record.estimator),
        };
        if let Err(error) = answer::check(&record.outcome, known) {
            problems.push(Problem::new(format!("line {}, outcome", index + 2), error.to_string()));
        }
    }
}
