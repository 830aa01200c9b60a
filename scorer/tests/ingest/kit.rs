//! Three small files of one sweep, three points and one log, and the command run on them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use shared::corpus::Corpus;

pub const FILES: [&str; 3] =
    ["aisimulate_e2e.json", "inferencex_absolutes.json", "inferencex_engine_settings.json"];

/// Three files that can be read, before a test breaks one of them.
pub struct Files {
    pub corpus: Value,
    pub absolutes: Value,
    pub settings: Value,
}

pub fn point(concurrency: u32, relative: f64) -> Value {
    json!({
        "concurrency": concurrency, "status": "success",
        "measured_tpot_relative": relative, "measured_ttft_relative": relative,
        "aisimulate_tpot_relative": 1.1 * relative, "aisimulate_tpot_error_pct": 10.0,
        "aisimulate_ttft_relative": relative, "aisimulate_ttft_error_pct": 0.0,
        "aic_tpot_relative": 0.5 * relative, "aic_tpot_error_pct": 50.0,
        "aic_ttft_relative": relative, "aic_ttft_error_pct": 0.0,
    })
}

impl Files {
    pub fn new() -> Self {
        let head = |kind: &str| {
            json!({
                "source": kind, "source_url": "https://example.org/releases/tag/db-dump/2026-09-28",
                "release_tag": "db-dump/2026-09-28",
            })
        };
        let mut absolutes = head("a database dump");
        absolutes["metrics"] = json!("mean_tpot and mean_ttft, microseconds");
        absolutes["anchors"] = json!([{
            "scenario": "gpt.yaml", "label": "1k1k", "framework": "vllm", "gpu": "h100",
            "source_config_id": 7, "source_run_date": "2026-07-12", "anchor_concurrency": 1,
            "absolute_tpot_us": {"1": 1000.0, "2": 2000.0, "4": 4000.0, "8": 8000.0},
            "absolute_ttft_us": {"1": 50000.0, "2": 100_000.0, "4": 200_000.0},
            "anchor_tpot_us": 1000.0, "anchor_ttft_us": 50000.0,
        }]);
        let mut settings = head("server logs");
        let log = json!({
            "passed": {"max_num_seqs": 256, "model": "/models/gpt", "enable_prefix_caching": false},
            "resolved": {"engine_version": "0.22.0", "resolved_gpu_kv_tokens": 44129, "resolved_max_concurrency": 19.2},
        });
        settings["settings"] = json!([{
            "scenario": "gpt.yaml", "label": "1k1k", "framework": "vllm", "gpu": "h100",
            "source_config_id": 7, "source_run_date": "2026-07-12",
            "by_concurrency": {"1": log, "2": log, "4": log},
        }]);
        let corpus = json!({
            "source": "an artifact", "measurement_source": "somebody",
            "sweeps": [{
                "scenario": "gpt.yaml", "model": "gpt-oss-120b", "gpu": "h100", "label": "1k1k",
                "workload": "1024:1024", "framework": "vllm", "precision": "fp4",
                "serving": "aggregated", "spec_method": "none", "topology_id": "c50e22132bb76a08",
                "parallelism": {"tp_size": 2, "pp_size": 1, "attention_dp_size": 2, "moe_ep_size": 4, "moe_tp_size": 1},
                "points": [point(1, 1.0), point(2, 2.0), point(4, 4.0)],
            }],
        });
        Self { corpus, absolutes, settings }
    }

    pub fn sweep(&mut self) -> &mut Value {
        &mut self.corpus["sweeps"][0]
    }

    pub fn anchor(&mut self) -> &mut Value {
        &mut self.absolutes["anchors"][0]
    }

    pub fn record(&mut self) -> &mut Value {
        &mut self.settings["settings"][0]
    }

    /// One more sweep like the first, with other names and values.
    pub fn add_sweep(&mut self, changes: &[(&str, Value)]) {
        let mut sweep = self.sweep().clone();
        for (name, value) in changes {
            sweep[*name] = value.clone();
        }
        self.corpus["sweeps"].as_array_mut().unwrap().push(sweep);
    }

    pub fn ingest(&self) -> Run {
        Self::ingest_texts([self.corpus.to_string(), self.absolutes.to_string(), self.settings.to_string()])
    }

    pub fn ingest_texts(texts: [String; 3]) -> Run {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in FILES.iter().zip(texts) {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Run::of(folder.path())
    }

    pub fn corpus_of(&self) -> Corpus {
        let run = self.ingest();
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_slice(run.written.as_deref().unwrap()).unwrap()
    }

    /// The message with which the files are refused, as invalid and without writing anything.
    pub fn refusal(&self) -> String {
        let run = self.ingest();
        assert_eq!((run.code, run.written), (4, None), "{}", run.stderr);
        run.stderr
    }
}

pub struct Run {
    pub code: i32,
    pub stderr: String,
    pub written: Option<Vec<u8>>,
}

impl Run {
    pub fn of(folder: &Path) -> Self {
        let output = folder.join("corpus.json");
        let [corpus, absolutes, settings] = FILES.map(|name| folder.join(name));
        let mut command = Command::new(env!("CARGO_BIN_EXE_scorer"));
        command.args(["ingest", "artifact", "--verbose", "--corpus"]).arg(corpus);
        command.arg("--absolutes").arg(absolutes).arg("--settings").arg(settings).arg("-o").arg(&output);
        let done = command.env("NO_COLOR", "1").output().unwrap();
        assert!(done.stdout.is_empty());
        Self {
            code: done.status.code().unwrap(),
            stderr: String::from_utf8(done.stderr).unwrap(),
            written: fs::read(output).ok(),
        }
    }
}

pub fn assert_says(text: &str, expected: &str) {
    assert!(text.contains(expected), "`{expected}` is not in:\n{text}");
}
