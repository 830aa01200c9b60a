//! Whether the files agree where they say the same thing, and whether their heads say what we read.

use std::path::Path;

use jiff::civil::Date;

use super::error::{ArtifactError, Fault, Place};
use super::files::{Anchor, ArtifactSweep};
use super::input::{Input, file_name};
use super::unique::{Concurrency, Unique};
use crate::measurements::name::Name;

/// How far a relative latency may be from the quotient of the absolute ones, as a share of it.
const RELATIVE_TOLERANCE: f64 = 1e-5;
/// Relatives are written with six decimals: half a unit of the last one, and a little.
const RELATIVE_ROUNDING: f64 = 5.1e-7;

/// The heads of the three files: one release, the right unit, the right kind of benchmark.
pub(super) fn heads(input: &Input<'_>) -> Result<(), ArtifactError> {
    let Input { paths, artifact, absolutes, settings } = input;
    let whole = |file: &Path, fault| Err(ArtifactError::whole(file, fault));
    for (file, list, is_empty) in [
        (&paths.corpus, "sweeps", artifact.sweeps.is_empty()),
        (&paths.absolutes, "anchors", absolutes.anchors.is_empty()),
        (&paths.settings, "settings", settings.settings.is_empty()),
    ] {
        if is_empty {
            return whole(file, Fault::EmptyList(list));
        }
    }
    let release = absolutes.release_tag.as_str();
    let other_release = |found: &str| Fault::OtherRelease {
        found: found.to_owned(),
        other: file_name(&paths.absolutes),
        expected: release.to_owned(),
    };
    if settings.release_tag != absolutes.release_tag {
        return whole(&paths.settings, other_release(settings.release_tag.as_str()));
    }
    for (file, url) in [
        (&paths.corpus, &artifact.measurement_source_url),
        (&paths.absolutes, &absolutes.source_url),
        (&paths.settings, &settings.source_url),
    ] {
        let tag = url.as_ref().and_then(|url| url.as_str().split_once("/releases/tag/"));
        if let Some((_, tag)) = tag
            && tag != release
        {
            return whole(file, other_release(tag));
        }
    }
    let metrics = absolutes.metrics.as_str();
    if !["mean_tpot", "mean_ttft", "microseconds"].iter().all(|word| metrics.contains(word)) {
        return whole(&paths.absolutes, Fault::OtherMetrics(metrics.to_owned()));
    }
    match &absolutes.benchmark_type {
        Some(kind) if kind.as_str() != "single_turn" => {
            whole(&paths.absolutes, Fault::OtherBenchmark(kind.to_string()))
        }
        _ => Ok(()),
    }
}

/// The lengths of a workload, whose label must be theirs.
pub(super) fn lengths(sweep: &ArtifactSweep) -> Result<(u32, u32), Fault> {
    let workload = sweep.workload.as_str();
    let length = |text: &str| text.parse::<u32>().ok().filter(|length| *length > 0);
    let lengths = workload.split_once(':').and_then(|(isl, osl)| length(isl).zip(length(osl)));
    let (isl, osl) = lengths.ok_or_else(|| Fault::Workload(workload.to_owned()))?;
    let expected = format!("{}{}", short(isl), short(osl));
    if sweep.label.as_str() == expected {
        Ok((isl, osl))
    } else {
        Err(Fault::Label { workload: workload.to_owned(), expected })
    }
}

/// A length as the artifact's labels say it.
fn short(length: u32) -> String {
    if length >= 1024 && length.is_multiple_of(1024) {
        format!("{}k", length / 1024)
    } else {
        length.to_string()
    }
}

/// An anchor that must be positive and be the value of its concurrency.
pub(super) fn anchor(anchor: &Anchor) -> Result<(), Fault> {
    for (field, value, listed) in [
        ("anchor_tpot_us", anchor.anchor_tpot_us, &anchor.absolute_tpot_us),
        ("anchor_ttft_us", anchor.anchor_ttft_us, &anchor.absolute_ttft_us),
    ] {
        if !(value.is_finite() && value > 0.0) {
            return Err(Fault::Number { field, value, rule: "a number of microseconds above 0" });
        }
        let concurrency = anchor.anchor_concurrency;
        let Some(listed) = value_at(listed, concurrency) else {
            return Err(Fault::NoAnchor { field, concurrency });
        };
        if (listed / value - 1.0).abs() > RELATIVE_TOLERANCE {
            return Err(Fault::Anchor { field, value, concurrency, listed });
        }
    }
    date("source_run_date", &anchor.source_run_date)
}

/// The value at a concurrency; `null`, 0 and less mean that nothing was measured.
pub(super) fn value_at(values: &Unique<Concurrency, Option<f64>>, concurrency: u32) -> Option<f64> {
    values.0.get(&Concurrency(concurrency)).copied().flatten().filter(|value| *value > 0.0)
}

/// A relative latency, which must be that of the absolute ones.
pub(super) fn relative(
    field: &'static str,
    relative: Option<f64>,
    latency: f64,
    anchor: f64,
    other: &Path,
) -> Result<f64, Fault> {
    let relative = relative.ok_or(Fault::Missing(field))?;
    if relative <= 0.0 {
        return Err(Fault::Number { field, value: relative, rule: "a ratio above 0" });
    }
    let absolute = latency / anchor;
    let tolerance = (RELATIVE_TOLERANCE * relative).max(RELATIVE_ROUNDING);
    if (absolute - relative).abs() > tolerance {
        return Err(Fault::Relative { field, relative, absolute, latency, anchor, other: file_name(other) });
    }
    Ok(relative)
}

/// A day as `YYYY-MM-DD`.
pub(super) fn date(field: &'static str, text: &Name) -> Result<(), Fault> {
    if is_date(text.as_str()) { Ok(()) } else { Err(Fault::Date { field, value: text.to_string() }) }
}

/// Whether a text is a day as `YYYY-MM-DD`.
pub(super) fn is_date(text: &str) -> bool {
    text.parse::<Date>().is_ok_and(|date| date.to_string() == text)
}

/// A field that two files state of the same sweep.
pub(super) fn same(
    field: &'static str,
    found: Option<&dyn ToString>,
    other: &Path,
    expected: Option<&dyn ToString>,
) -> Result<(), Fault> {
    let (Some(found), Some(expected)) = (found, expected) else { return Ok(()) };
    let (found, expected) = (found.to_string(), expected.to_string());
    if found == expected {
        Ok(())
    } else {
        Err(Fault::Contradiction { field, found, other: file_name(other), expected })
    }
}

/// The first concurrency that a sweep has twice.
pub(super) fn repeated(concurrencies: impl Iterator<Item = u32>) -> Option<u32> {
    let mut seen = std::collections::BTreeSet::new();
    concurrencies.into_iter().find(|concurrency| !seen.insert(*concurrency))
}

/// An error about an entry of a file.
pub(super) fn at(file: &Path, place: &Place) -> impl FnOnce(Fault) -> ArtifactError {
    let (file, place) = (file.to_owned(), place.clone());
    move |fault| ArtifactError::Entry { file, place, fault: Box::new(fault) }
}
