//! The real child, with a package in the place of AIConfigurator's.

use std::time::Duration;

use shared::outcome::{Basis, Outcome, SettingsProfile};

use super::*;
use crate::exit::Failure as _;
use crate::process::Limits;
use crate::simulators::python::{PythonError, stand_in};
use crate::testing;

/// What stands in for the package: it does what the input length says.
const API: &str = r#"
import types

class PerfDataNotAvailableError(RuntimeError):
    pass

def cli_estimate(model_path, system_name, backend_name, backend_version, isl, batch_size, **others):
    assert (backend_name, backend_version) == ("vllm", "0.24.0 of " + system_name)
    if isl == 1:
        raise PerfDataNotAvailableError("no such table")
    if isl == 2:
        raise RuntimeError("OOM: the model does not fit")
    if isl == 3:
        raise KeyError("surprise")
    if isl == 4:
        print("a library that chatters")
    return types.SimpleNamespace(ttft=float("nan") if isl == 5 else 100.0 + batch_size, tpot=7.0)
"#;

const DATABASE: &str = "
def get_latest_database_version(system, backend):
    return '0.24.0 of ' + system
";

/// A Python that has these packages in these versions.
fn python(folder: &Path, packages: &[&str]) -> AiconfiguratorEntry {
    let modules = [("aiconfigurator/cli/api.py", API), ("aiconfigurator/sdk/perf_database.py", DATABASE)];
    AiconfiguratorEntry { name: None, python: stand_in::python(folder, &modules, packages) }
}

fn open(folder: &Path, entry: &AiconfiguratorEntry) -> Result<Aiconfigurator, PythonSimulatorError> {
    let reference = Arc::new(Reference::embedded().unwrap());
    let limits = Limits { deadline: Duration::from_secs(30), ..Limits::default() };
    let with = SetUp { profile: SettingsProfile::Recorded, reference: &reference, limits };
    Aiconfigurator::open(EstimatorId::new("aic-live").unwrap(), entry, folder, with)
}

#[test]
fn its_identity_has_the_versions_of_its_packages() {
    let folder = tempfile::tempdir().unwrap();
    let entry = python(folder.path(), &PACKAGES);
    let live = open(folder.path(), &entry).unwrap();
    let identity = live.identity();
    assert_eq!((identity.name.as_str(), identity.version.as_str()), ("AIConfigurator", "1.2.3"));
    assert!(identity.release);
    assert_eq!(identity.data[0].tag.as_deref(), Some("1.2.3"));
}

#[test]
fn a_python_without_the_package_says_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let entry = python(folder.path(), &PACKAGES[..1]);
    let error = open(folder.path(), &entry).unwrap_err();
    assert!(error.to_string().ends_with("python has no package `aiconfigurator_core`"), "{error}");
    assert!(error.advice().unwrap().contains("-m pip install aiconfigurator"));
    let missing = AiconfiguratorEntry { name: None, python: "./no-python".into() };
    let error = open(folder.path(), &missing).unwrap_err();
    assert!(matches!(error, PythonSimulatorError::Python(PythonError::Versions { .. })), "{error}");
}

#[test]
fn one_child_answers_and_every_failure_is_the_questions_own() {
    let folder = tempfile::tempdir().unwrap();
    let entry = python(folder.path(), &PACKAGES);
    let live = open(folder.path(), &entry).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ask = |isl: u32| {
        let mut request = testing::request(8);
        request.workload.isl = isl;
        runtime.block_on(live.predict(&request)).outcome
    };
    let scored = |isl: u32| match ask(isl) {
        Outcome::Scored(prediction) => prediction,
        Outcome::NotScored(why) => panic!("{why:?}"),
    };
    let prediction = scored(1024);
    assert_eq!((prediction.ttft_ms.get(), prediction.tpot_ms.get()), (108.0, 7.0));
    assert_eq!((prediction.basis, prediction.completed), (Basis::Estimate, None));
    for (isl, reason, said) in [
        (1, Reason::UnsupportedLayout, "PerfDataNotAvailableError: no such table"),
        (2, Reason::UnsupportedLayout, "RuntimeError: OOM: the model does not fit"),
        (3, Reason::RunError, "KeyError: 'surprise'"),
        (5, Reason::BadResult, "NaN and infinities are not JSON"),
    ] {
        match ask(isl) {
            Outcome::NotScored(why) => {
                assert_eq!(why.reason, reason, "{}", why.detail);
                assert!(why.detail.contains(said), "{}", why.detail);
            }
            Outcome::Scored(prediction) => panic!("{prediction:?}"),
        }
    }
    assert_eq!(scored(4), prediction, "what a library prints is no answer");
    runtime.block_on(live.rest());
}
