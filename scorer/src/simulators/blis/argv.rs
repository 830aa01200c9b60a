//! The command line of `blis replay` in each dialect, as data: what a build is told stands here and nowhere else.

use std::ffi::OsString;
use std::fmt::Display;

use serde::{Deserialize, Serialize};
use shared::deployment::EngineSettings;

use super::dialect::{Dialect, Interface};
use super::support::Layout;

/// The seed of the builds' random draws: token contents, which no estimate depends on.
pub const SEED: u32 = 42;

/// The end of the simulated time, in microseconds: 31 years. A build's own default is 600 s when all requests arrive at once, and
/// what is not done by then is left out in silence.
pub const HORIZON_US: u64 = 1_000_000_000_000_000;

/// How old a router may see the caches of its instances. There is one instance, so nothing depends on it, but with any delay but
/// 0 a build copies the keys of the whole cache for every request: the time of a replay grows with the square of its requests.
const CACHE_SIGNAL_DELAY: &str = "cache-signal-delay";

/// The files of a point, in its own directory, which is also where the build runs: so no message of a build names a path of this
/// machine.
pub mod files {
    /// The header of the trace.
    pub const TRACE_HEADER: &str = "trace.yaml";
    /// The rows of the trace.
    pub const TRACE_DATA: &str = "trace.csv";
    /// The folder with the model's config.json.
    pub const MODEL: &str = "model";
    /// The hardware file.
    pub const HARDWARE: &str = "hardware.json";
    /// The build's file of defaults.
    pub const DEFAULTS: &str = "defaults.yaml";
    /// Where the rows of the answer go.
    pub const METRICS: &str = "metrics.json";
    /// The folder of scenarios.
    pub const SCENARIOS: &str = "scenarios";
    /// The scenario of the point, in that folder.
    pub const SCENARIO: &str = "point.yaml";
    /// The catalog of models and hardware.
    pub const CATALOG: &str = "catalog";
    /// The registry of coefficients.
    pub const REGISTRY: &str = "registry";
    /// An agentic scenario.
    pub const AGENTIC: &str = "agentic.yaml";
}

/// How a build estimates the duration of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatencyModel {
    /// A roofline with fitted coefficients: every build's default.
    #[default]
    TrainedPhysics,
    /// A roofline alone.
    Roofline,
}

impl LatencyModel {
    /// As the flag wants it.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::TrainedPhysics => "trained-physics",
            Self::Roofline => "roofline",
        }
    }
}

/// What a build that takes flags is told of a point, beside its files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flags<'a> {
    /// The model's name.
    pub model: &'a str,
    /// The GPU's name.
    pub hardware: &'a str,
    /// The layout.
    pub layout: Layout,
    /// The engine's settings.
    pub engine: EngineSettings,
    /// Requests in flight.
    pub concurrency: u32,
    /// How a step is estimated.
    pub latency_model: LatencyModel,
    /// Whether there is a catalog for it.
    pub with_catalog: bool,
}

/// The command line in the dialects that take flags.
///
/// The limits of sequences and tokens are per data-parallel rank; these builds model all ranks as one engine, so they get the sum.
#[must_use]
pub fn by_flags(interface: &Interface, flags: &Flags<'_>) -> Vec<OsString> {
    let mut args = Arguments::replay();
    args.value("trace-header", files::TRACE_HEADER);
    args.value("trace-data", files::TRACE_DATA);
    args.value("model", flags.model);
    args.value("hardware", flags.hardware);
    args.value("tp", flags.layout.tp);
    if flags.layout.dp > 1 {
        args.value("dp", flags.layout.dp);
    }
    if flags.layout.expert_parallel {
        args.flag("enable-expert-parallel");
    }
    let all_ranks = |limit: u32| limit.saturating_mul(flags.layout.dp);
    let (sequences, tokens) = match interface.dialect() {
        Dialect::Zero => ("max-num-running-reqs", "max-num-scheduled-tokens"),
        _ => ("max-num-seqs", "max-num-batched-tokens"),
    };
    args.value(sequences, all_ranks(flags.engine.max_num_seqs));
    args.value(tokens, all_ranks(flags.engine.max_num_batched_tokens));
    args.value("block-size-in-tokens", flags.engine.block_size);
    args.value("gpu-memory-utilization", flags.engine.gpu_memory_utilization);
    if let Some(length) = flags.engine.max_model_len {
        args.value("max-model-len", length);
    }
    args.value("num-instances", 1);
    args.known(interface, CACHE_SIGNAL_DELAY, 0);
    args.value("session-mode", "closed-loop");
    match interface.dialect() {
        Dialect::B => args.value("concurrent-sessions", flags.concurrency),
        _ => args.value("horizon", HORIZON_US),
    }
    args.value("seed", SEED);
    args.value("latency-model", flags.latency_model.key());
    args.value("model-config-folder", files::MODEL);
    args.value("hardware-config", files::HARDWARE);
    args.value("defaults-filepath", files::DEFAULTS);
    if flags.with_catalog && interface.has("catalog") {
        args.value("catalog", files::CATALOG);
    }
    if interface.dialect() != Dialect::Zero {
        args.value("metrics-path", files::METRICS);
    }
    args.value("log", "error");
    args.0
}

/// The command line in the dialect that takes scenarios.
///
/// Little is known of builds that speak it, so a flag that only repeats a default is given where the help lists it.
#[must_use]
pub fn by_scenario(interface: &Interface, concurrency: u32) -> Vec<OsString> {
    let mut args = Arguments::replay();
    args.value("trace-header", files::TRACE_HEADER);
    args.value("trace-data", files::TRACE_DATA);
    args.value("scenario", files::SCENARIO);
    args.value("scenarios", files::SCENARIOS);
    args.catalogs();
    args.value("concurrent-sessions", concurrency);
    args.known(interface, "session-mode", "closed-loop");
    args.known(interface, CACHE_SIGNAL_DELAY, 0);
    args.known(interface, "seed", SEED);
    args.known(interface, "log", "error");
    args.0
}

/// The command line of an agentic scenario.
#[must_use]
pub fn agentic(interface: &Interface) -> Vec<OsString> {
    let mut args = Arguments::replay();
    args.value("agentic-scenario", files::AGENTIC);
    args.catalogs();
    args.known(interface, "seed", SEED);
    args.known(interface, "log", "error");
    args.0
}

/// A command line that grows.
struct Arguments(Vec<OsString>);

impl Arguments {
    fn replay() -> Self {
        Self(vec!["replay".into()])
    }

    fn flag(&mut self, name: &str) {
        self.0.push(format!("--{name}").into());
    }

    fn value(&mut self, name: &str, value: impl Display) {
        self.flag(name);
        self.0.push(value.to_string().into());
    }

    fn known(&mut self, interface: &Interface, name: &str, value: impl Display) {
        if interface.has(name) {
            self.value(name, value);
        }
    }

    fn catalogs(&mut self) {
        self.value("catalog", files::CATALOG);
        self.value("registry", files::REGISTRY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulators::blis::testing::interface;
    use crate::testing::request;

    fn line(interface: &Interface, dp: u32) -> String {
        let flags = Flags {
            model: "openai/gpt-oss-120b",
            hardware: "H200",
            layout: Layout { tp: 2, dp, expert_parallel: dp > 1 },
            engine: EngineSettings { max_model_len: Some(10_240), ..request(4).engine },
            concurrency: 4,
            latency_model: LatencyModel::TrainedPhysics,
            with_catalog: true,
        };
        joined(&by_flags(interface, &flags))
    }

    fn joined(args: &[OsString]) -> String {
        args.iter().map(|arg| arg.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_release_is_told_everything_in_its_own_flags() {
        assert_eq!(
            line(&interface(Dialect::Zero, &[]), 1),
            "replay --trace-header trace.yaml --trace-data trace.csv --model openai/gpt-oss-120b --hardware H200 --tp 2 \
             --max-num-running-reqs 256 --max-num-scheduled-tokens 8192 --block-size-in-tokens 16 \
             --gpu-memory-utilization 0.9 --max-model-len 10240 --num-instances 1 --session-mode closed-loop \
             --horizon 1000000000000000 --seed 42 --latency-model trained-physics --model-config-folder model \
             --hardware-config hardware.json --defaults-filepath defaults.yaml --log error"
        );
    }

    #[test]
    fn a_build_that_copies_its_cache_for_a_router_is_told_not_to() {
        let told = line(&interface(Dialect::Zero, &["cache-signal-delay"]), 1);
        assert!(told.contains("--num-instances 1 --cache-signal-delay 0 "), "{told}");
        let told = joined(&by_scenario(&interface(Dialect::C, &["cache-signal-delay"]), 4));
        assert!(told.ends_with("--cache-signal-delay 0"), "{told}");
    }

    #[test]
    fn the_simulated_time_is_never_cut_off_at_the_default_of_600_s() {
        for dialect in [Dialect::Zero, Dialect::A] {
            let line = line(&interface(dialect, &[]), 1);
            assert!(line.contains("--horizon 1000000000000000"), "{line}");
        }
        // A pool is unbounded already, and a horizon would bound it.
        assert!(!line(&interface(Dialect::B, &[]), 1).contains("--horizon"));
    }

    #[test]
    fn later_builds_take_the_engines_names_and_write_a_row_per_request() {
        let a = line(&interface(Dialect::A, &[]), 1);
        assert!(a.contains("--max-num-seqs 256 --max-num-batched-tokens 8192"), "{a}");
        assert!(a.contains("--metrics-path metrics.json"), "{a}");
        assert!(!a.contains("--concurrent-sessions") && !a.contains("--catalog"), "{a}");
        let b = line(&interface(Dialect::B, &["catalog"]), 1);
        assert!(b.contains("--session-mode closed-loop --concurrent-sessions 4"), "{b}");
        assert!(b.contains("--catalog catalog"), "{b}");
    }

    #[test]
    fn the_limits_of_the_ranks_add_up_because_a_build_models_them_as_one_engine() {
        let line = line(&interface(Dialect::Zero, &["dp", "enable-expert-parallel"]), 2);
        assert!(line.contains("--tp 2 --dp 2 --enable-expert-parallel"), "{line}");
        assert!(line.contains("--max-num-running-reqs 512 --max-num-scheduled-tokens 16384"), "{line}");
    }

    #[test]
    fn a_scenario_is_named_inside_its_folder() {
        let plain = interface(Dialect::C, &["catalog", "registry"]);
        assert_eq!(
            joined(&by_scenario(&plain, 64)),
            "replay --trace-header trace.yaml --trace-data trace.csv --scenario point.yaml --scenarios scenarios \
             --catalog catalog --registry registry --concurrent-sessions 64"
        );
        let more = interface(Dialect::C, &["session-mode", "seed", "log"]);
        assert!(
            joined(&by_scenario(&more, 64)).ends_with("--session-mode closed-loop --seed 42 --log error")
        );
        assert_eq!(
            joined(&agentic(&plain)),
            "replay --agentic-scenario agentic.yaml --catalog catalog --registry registry"
        );
    }
}
