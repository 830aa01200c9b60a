//! The results of one deployment as its sweep.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use shared::corpus::{Corpus, MeasurementSource, PublishedRatio, Selection, SourceKind, SourcePart};
use shared::digest::Digest;
use shared::id::SweepId;
use shared::millis::Millis;
use shared::rules::Rules;
use shared::schema::FileKind;
use shared::setting::Setting;
use shared::sweep::{Dates, LengthCheck, Point, Sweep, SweepSource};
use shared::tier::Verdict;

use super::agreement::{Difference, other_model, with_log};
use super::deployment::{DeploymentFile, Lengths};
use super::error::{ClientResultsError, Fault};
use super::files::NamedResult;
use super::logs::Logs;
use super::reason;
use super::result::Measured;
use crate::measurements::complete::{complete, mean, spread};
use crate::measurements::engine_log::LogFacts;
use crate::measurements::explain::{RowBook, in_words};
use crate::measurements::lengths::{Asked, ClientRun, LengthJudge, SweepLengths};
use crate::measurements::settings::{self, AdmissionDefaults, Facts, LoggedSettings};
use crate::measurements::{Ingested, source_digest};
use crate::reference::Version;

/// Everything that was read.
pub(super) struct Read<'a> {
    pub(super) deployment: &'a DeploymentFile,
    pub(super) deployment_path: &'a Path,
    pub(super) results: &'a [NamedResult],
    pub(super) logs: &'a Logs,
}

type Repeats<'a> = BTreeMap<u32, Vec<(&'a str, Measured)>>;

/// Makes the corpus.
pub(super) fn corpus(
    read: &Read<'_>,
    parts: Vec<SourcePart>,
    facts: &dyn Facts,
) -> Result<Ingested, ClientResultsError> {
    let rules = Rules::current();
    let mut book = RowBook::new(&reason::ALL);
    let repeats = read.repeats(&mut book);
    let (rows, explanation) = book.finish();
    if repeats.len() < rules.min_concurrencies as usize {
        return Err(ClientResultsError::TooFew {
            concurrencies: repeats.len(),
            needed: rules.min_concurrencies,
            rows: rows.read(),
            reasons: in_words(&rows),
        });
    }
    if let Some((path, concurrency)) = read.logs.unused(|concurrency| repeats.contains_key(&concurrency)) {
        return Err(ClientResultsError::at(path, Fault::UnusedLog(concurrency)));
    }
    let sweep = read.sweep(&repeats, facts, &rules)?;
    let named = read.deployment.measured_by.as_ref().map_or("own measurements", |name| name.as_str());
    let corpus = Corpus {
        schema: FileKind::Corpus.schema().to_owned(),
        source: MeasurementSource {
            kind: SourceKind::ClientResults,
            name: named.to_owned(),
            tag: None,
            release: false,
            date: sweep.dates.last.clone(),
            digest: source_digest(&parts),
            parts,
            retrieved_at: None,
        },
        selection: Selection {
            latest_versions: None,
            version_window: Vec::new(),
            min_concurrencies: rules.min_concurrencies,
        },
        rows,
        published_estimators: BTreeMap::new(),
        sweeps: vec![sweep],
    };
    Ok(Ingested { corpus, notes: read.other_models(), explanation })
}

impl<'a> Read<'a> {
    /// The results that are measurements of the workload, by concurrency.
    fn repeats(&self, book: &mut RowBook) -> Repeats<'a> {
        let Lengths { isl, osl, range_ratio } = self.deployment.workload;
        let mut repeats = Repeats::new();
        for NamedResult { name, result } in self.results {
            let measured = result
                .clone()
                .ok_or(reason::NOT_A_RESULT)
                .and_then(|result| result.measured(isl, osl, range_ratio));
            match measured {
                Ok(measured) => {
                    book.keep();
                    repeats.entry(measured.concurrency).or_default().push((name, measured));
                }
                Err(reason) => book.skip(reason, || name.clone()),
            }
        }
        repeats
    }

    fn sweep(
        &self,
        repeats: &Repeats<'_>,
        facts: &dyn Facts,
        rules: &Rules,
    ) -> Result<Sweep<PublishedRatio>, ClientResultsError> {
        let deployment = self.deployment;
        let Lengths { isl, osl, range_ratio } = deployment.workload;
        let engine_version = self.engine_version(repeats, facts)?;
        let framework = deployment.framework.as_str();
        let hardware = deployment.hardware.as_str();
        let defaults = facts.admission_defaults(framework, engine_version.as_deref(), hardware);
        let mut lengths = self.lengths(repeats);
        let client = lengths.client.unwrap_or(ClientRun::ORDINARY);
        let mut points = Vec::new();
        for (concurrency, results) in repeats {
            let check = lengths.checks.remove(concurrency).unwrap_or_default();
            points.push(self.point(*concurrency, results, check, defaults.as_ref())?);
        }
        let mut sweep = Sweep {
            id: SweepId::of_digest(&Digest::of_bytes(b"")),
            model: deployment.model.to_string(),
            family: facts.family(deployment.model.as_str()),
            hardware: hardware.to_owned(),
            framework: framework.to_owned(),
            precision: deployment.precision.to_string(),
            parallelism: deployment.parallelism(),
            spec: deployment.spec(),
            isl,
            osl,
            range_ratio,
            prompts_per_concurrency: client.prompts_per_concurrency,
            template_tokens: client.template_tokens,
            image: deployment.image.as_ref().map(ToString::to_string),
            engine_version,
            dates: dates(repeats)?,
            source: SweepSource::default(),
            settings: BTreeMap::new(),
            verdict: Verdict::NotReproducible,
            verdict_reasons: Vec::new(),
            points,
        };
        complete(&mut sweep, rules);
        Ok(sweep)
    }

    fn point(
        &self,
        concurrency: u32,
        results: &[(&str, Measured)],
        lengths: LengthCheck,
        defaults: Option<&AdmissionDefaults>,
    ) -> Result<Point<PublishedRatio>, ClientResultsError> {
        let latencies = |latency: fn(&Measured) -> Millis| -> Vec<f64> {
            results.iter().map(|(_, measured)| latency(measured).get()).collect()
        };
        let (ttft, tpot) = (latencies(|measured| measured.ttft_ms), latencies(|measured| measured.tpot_ms));
        let average = |values: &[f64]| {
            Millis::new(mean(values)).map_err(|_| ClientResultsError::Latency { concurrency })
        };
        let log = self.logs.of(concurrency).map(|(_, facts)| facts);
        Ok(Point {
            concurrency,
            ttft_ms: average(&ttft)?,
            tpot_ms: average(&tpot)?,
            repeats: u32::try_from(results.len()).unwrap_or(u32::MAX),
            spread: spread(&tpot),
            settings: self.settings(concurrency, defaults)?,
            kv_tokens: log.and_then(LogFacts::kv_tokens_of_a_rank),
            acceptance_length: log
                .and_then(|log| log.acceptance)
                .map(|acceptance| acceptance.mean_length())
                .filter(|_| self.deployment.speculation.is_some()),
            lengths,
            flags: Vec::new(),
            predictions: BTreeMap::new(),
        })
    }

    /// What was passed at a point: by its log, which must not contradict the deployment file, else by that.
    fn settings(
        &self,
        concurrency: u32,
        defaults: Option<&AdmissionDefaults>,
    ) -> Result<BTreeMap<String, Setting>, ClientResultsError> {
        let stated = self.deployment.settings.as_ref();
        let Some((path, facts)) = self.logs.of(concurrency) else {
            return Ok(match stated {
                None => settings::of_logless_point(),
                Some(stated) => settings::of_logged_point(stated.clone(), [], defaults),
            });
        };
        let logged = LoggedSettings::of(facts).unwrap_or_default();
        let contradiction = |what: &str, logged: &dyn ToString, stated: &dyn ToString| {
            let fault = Fault::Contradiction {
                what: what.to_owned(),
                logged: logged.to_string(),
                stated: stated.to_string(),
            };
            Err(ClientResultsError::at(path, fault))
        };
        for (name, value) in stated.into_iter().flatten() {
            let by_log = logged.passed.get(name).or_else(|| logged.resolved.get(name));
            if let Some(by_log) = by_log.filter(|by_log| *by_log != value) {
                return contradiction(name, by_log, value);
            }
        }
        let differs = facts.passed().and_then(|passed| with_log(self.deployment, passed));
        if let Some(Difference { what, found, stated }) = differs {
            return contradiction(what, &found, &stated);
        }
        // vLLM does not print an argument that equals its default, so more may have been passed than is logged.
        let mut passed = stated.cloned().unwrap_or_default();
        passed.extend(logged.passed);
        Ok(settings::of_logged_point(passed, logged.resolved, defaults))
    }

    /// The engine's version, on which all that say it must agree.
    fn engine_version(
        &self,
        repeats: &Repeats<'_>,
        facts: &dyn Facts,
    ) -> Result<Option<String>, ClientResultsError> {
        let mut version = self.deployment.engine_version();
        for (path, facts) in repeats.keys().filter_map(|concurrency| self.logs.of(*concurrency)) {
            let Some(logged) = facts.engine_version.as_ref().map(|stated| &stated.value) else { continue };
            match &version {
                Some(stated) if stated != logged => {
                    let fault = Fault::Contradiction {
                        what: "the engine's version".to_owned(),
                        logged: logged.clone(),
                        stated: stated.clone(),
                    };
                    return Err(ClientResultsError::at(path, fault));
                }
                _ => version = Some(logged.clone()),
            }
        }
        let image = self.deployment.image.as_ref();
        let by_image = image.and_then(|image| facts.version_of_image(image.as_str()));
        let released = version.as_deref().and_then(|version| version.parse::<Version>().ok());
        if let Some((by_image, released)) = by_image.zip(released)
            && by_image != released
        {
            let fault = Fault::OwnContradiction {
                place: "`image`",
                what: "the engine's version",
                found: by_image.to_string(),
                stated: released.to_string(),
            };
            return Err(ClientResultsError::at(self.deployment_path, fault));
        }
        Ok(version.or_else(|| by_image.map(|version| version.to_string())))
    }

    /// What to tell of logs and results that name another model than the deployment file.
    fn other_models(&self) -> Vec<String> {
        let by_logs = self.logs.all().filter_map(|(path, facts)| {
            let name = facts.passed()?.get("model")?.to_string();
            Some((path.display().to_string(), name))
        });
        let by_results = self.results.iter().filter_map(|NamedResult { name, result }| {
            Some((name.clone(), result.as_ref()?.model_id.clone()?))
        });
        let mut named = BTreeSet::new();
        let differ = by_logs.chain(by_results).filter_map(|(source, served)| {
            let told = other_model(&source, &served, self.deployment.model.as_str());
            told.filter(|_| named.insert(served))
        });
        differ.collect()
    }

    fn lengths(&self, repeats: &Repeats<'_>) -> SweepLengths {
        let Lengths { isl, osl, range_ratio } = self.deployment.workload;
        let mut judge = LengthJudge::default();
        SweepLengths::of(repeats.iter().map(|(concurrency, results)| {
            let asked = Asked { isl, osl, range_ratio, concurrency: *concurrency };
            let judged = results.iter().map(|(_, measured)| measured.lengths(asked, &mut judge)).collect();
            (*concurrency, judged)
        }))
    }
}

fn dates(repeats: &Repeats<'_>) -> Result<Dates, ClientResultsError> {
    let mut days = Vec::new();
    for (name, measured) in repeats.values().flatten() {
        let day = measured.date.as_deref();
        days.push(day.ok_or_else(|| ClientResultsError::at(name.as_ref(), Fault::NoDate))?);
    }
    let of = |day: Option<&&str>| day.map_or_else(String::new, |day| (*day).to_owned());
    Ok(Dates { first: of(days.iter().min()), last: of(days.iter().max()) })
}
