//! An invented InferenceX database of any size: the tables of today's schema, as COPY text.
//!
//! Measured rows are such that the client's request lengths can be verified, logs state arguments as
//! vLLM's do, and the tables that nobody needs have the bulk, as in the real database: compressed blobs
//! in hexadecimal, samples of GPUs, texts.

use std::fmt::Write as _;
use std::io;

use scorer::workload::{ClientParameters, RequestList};

use super::random::Random;

/// A table: its name and its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    pub name: &'static str,
    pub columns: &'static str,
}

impl Table {
    /// The statement that pg_dump writes before its data.
    pub fn copy_statement(self) -> String {
        format!("COPY public.{} ({}) FROM stdin;\n", self.name, self.columns)
    }
}

/// The tables in the order in which pg_dump writes their data: by name.
pub const TABLES: [Table; 8] = [
    Table {
        name: "agentic_trace_replay",
        columns: "id, profile_export_jsonl_gz, created_at, aggregate_stats",
    },
    Table {
        name: "benchmark_results",
        columns: "id, workflow_run_id, config_id, benchmark_type, date, isl, osl, conc, image, metrics, error, \
                  server_log_id, workers, offload_mode, trace_replay_id, recipe_fingerprint, power_invalid_reasons, \
                  power_audit",
    },
    Table {
        name: "configs",
        columns: "id, hardware, framework, model, \"precision\", spec_method, disagg, is_multinode, prefill_tp, \
                  prefill_ep, prefill_dp_attention, prefill_num_workers, decode_tp, decode_ep, decode_dp_attention, \
                  decode_num_workers, num_prefill_gpu, num_decode_gpu",
    },
    Table { name: "eval_samples", columns: "id, doc_id, prompt, response, passed" },
    Table {
        name: "gpu_metric_samples",
        columns: "series_id, gpu_index, sampled_at, power_w, temperature_c, sm_clock_mhz, mem_clock_mhz, \
                  gpu_util_pct, mem_util_pct",
    },
    Table { name: "server_log_files", columns: "server_log_id, file_name, log_text" },
    Table { name: "server_logs", columns: "id, server_log, file_name, files_complete" },
    Table {
        name: "workflow_runs",
        columns: "id, github_run_id, run_attempt, name, status, conclusion, head_sha, head_branch, html_url, \
                  created_at, run_started_at, date, append_only",
    },
];

/// How large the database is.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Measured sweeps, each at five concurrencies.
    pub sweeps: u64,
    /// Bytes of each server log.
    pub log_bytes: usize,
    /// Bytes of all tables that nobody needs, together.
    pub filler_bytes: u64,
}

/// Each sweep is measured at these.
pub const CONCURRENCIES: [u32; 5] = [1, 4, 16, 32, 64];
const WORKLOADS: [(u32, u32); 2] = [(1024, 1024), (8192, 1024)];
const IMAGES: [&str; 5] = [
    "vllm/vllm-openai:v0.21.0",
    "vllm/vllm-openai:v0.22.0",
    "vllm/vllm-openai:v0.24.0-cu130",
    "vllm/vllm-openai:nightly-0123456789abcdef0123456789abcdef01234567",
    "lmsysorg/sglang:v0.5.2",
];

/// A deployment.
#[derive(Clone, Copy)]
struct Config {
    hardware: &'static str,
    framework: &'static str,
    model: &'static str,
    served: &'static str,
    precision: &'static str,
    spec: &'static str,
    tp: u32,
    ep: u32,
    dp_attention: bool,
    disagg: bool,
}

const fn config(
    hardware: &'static str,
    model: &'static str,
    served: &'static str,
    precision: &'static str,
    tp: u32,
) -> Config {
    let (framework, spec) = ("vllm", "none");
    Config {
        hardware,
        framework,
        model,
        served,
        precision,
        spec,
        tp,
        ep: 1,
        dp_attention: false,
        disagg: false,
    }
}

const CONFIGS: [Config; 8] = [
    config("h200", "gptoss120b", "openai/gpt-oss-120b", "fp4", 2),
    config("b200", "gptoss120b", "openai/gpt-oss-120b", "fp4", 1),
    config("b200", "minimaxm2.5", "MiniMaxAI/MiniMax-M2.5", "fp8", 4),
    Config { ep: 8, dp_attention: true, ..config("b200", "dsv4", "deepseek-ai/DeepSeek-V4-Pro", "fp4", 8) },
    Config { spec: "mtp", ..config("h200", "dsv4", "deepseek-ai/DeepSeek-V4-Pro", "fp8", 8) },
    config("mi355x", "gptoss120b", "openai/gpt-oss-120b", "fp4", 8),
    Config { framework: "sglang", ..config("b200", "dsr1", "deepseek-ai/DeepSeek-R1-0528", "fp4", 8) },
    Config { disagg: true, ..config("gb300", "minimaxm2.5", "MiniMaxAI/MiniMax-M2.5", "fp4", 4) },
];

/// An invented database.
#[derive(Clone, Copy, Debug)]
pub struct Database {
    pub scale: Scale,
    pub seed: u64,
}

/// A row that is measured: everything else follows from its number.
struct Measured {
    id: u64,
    sweep: u64,
    config: usize,
    isl: u32,
    osl: u32,
    concurrency: u32,
    image: &'static str,
}

/// Takes one line of COPY text after the other, without its end.
pub type Lines<'a> = dyn FnMut(&str) -> io::Result<()> + 'a;

impl Database {
    /// Gives the rows of a table, in the order in which they lie there.
    pub fn rows(&self, table: Table, give: &mut Lines<'_>) -> io::Result<()> {
        match table.name {
            "configs" => configs(give),
            "workflow_runs" => self.runs(give),
            "benchmark_results" => self.results(give),
            "server_logs" => self.logs(give),
            "agentic_trace_replay" => self.filler(1, 8, give, trace_replay),
            "eval_samples" => self.filler(2, 4, give, eval_sample),
            "gpu_metric_samples" => self.filler(3, 2, give, gpu_sample),
            _ => self.filler(4, 8, give, log_file),
        }
    }

    fn measured(&self) -> impl Iterator<Item = Measured> {
        let each = CONCURRENCIES.len() as u64;
        (0..self.scale.sweeps * each).map(move |index| {
            let (sweep, place) = (index / each, usize::try_from(index % each).unwrap_or_default());
            let pick = |of: usize, step: u64| usize::try_from(sweep / step % of as u64).unwrap_or_default();
            let config = pick(CONFIGS.len(), 1);
            let (isl, osl) = WORKLOADS[pick(WORKLOADS.len(), CONFIGS.len() as u64)];
            let image = match CONFIGS[config].framework {
                "sglang" => IMAGES[4],
                _ => IMAGES[pick(4, 2 * CONFIGS.len() as u64)],
            };
            Measured { id: 100 + index, sweep, config, isl, osl, concurrency: CONCURRENCIES[place], image }
        })
    }

    fn results(&self, give: &mut Lines<'_>) -> io::Result<()> {
        let mut random = Random::new(self.seed ^ 5);
        for row in self.measured() {
            let failed = row.id % 97 == 0;
            let line = format!(
                "{}\t{}\t{}\tsingle_turn\t2026-09-{:02}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t\\N\toff\t\\N\t\\N\t\\N\t\\N",
                row.id,
                run_of(row.sweep),
                row.config + 10,
                1 + row.sweep % 28,
                row.isl,
                row.osl,
                row.concurrency,
                row.image,
                metrics(&row, &mut random)?,
                if failed { "server died:\\n\\tout of memory" } else { "\\N" },
                if row.id % 31 == 0 { "\\N".to_owned() } else { (row.id - 99).to_string() },
            );
            give(&line)?;
        }
        Ok(())
    }

    fn runs(&self, give: &mut Lines<'_>) -> io::Result<()> {
        for run in 1..=run_of(self.scale.sweeps) {
            give(&format!(
                "{run}\t{}\t1\tRun Sweep - SYNTHETIC\tcompleted\tsuccess\t{run:040x}\tmain\thttps://example.invalid/{run}\t\
                 2026-09-01 01:02:03.25+00\t2026-09-01 01:02:05+00\t2026-09-01\tf",
                30_000_000_000 + run
            ))?;
        }
        Ok(())
    }

    fn logs(&self, give: &mut Lines<'_>) -> io::Result<()> {
        let mut random = Random::new(self.seed ^ 7);
        for row in self.measured() {
            let log = log(&row, self.scale.log_bytes, &mut random);
            give(&format!("{}\t{}\tserver.log\tt", row.id - 99, escaped(&log)))?;
        }
        Ok(())
    }

    /// Rows until a share of the bulk is reached.
    fn filler(
        &self,
        salt: u64,
        share: u64,
        give: &mut Lines<'_>,
        row: fn(u64, &mut Random) -> String,
    ) -> io::Result<()> {
        let mut random = Random::new(self.seed ^ salt << 32);
        let mut left = self.scale.filler_bytes / share;
        let mut id = 0;
        while left > 0 {
            id += 1;
            let line = row(id, &mut random);
            left = left.saturating_sub(line.len() as u64 + 6);
            give(&line)?;
        }
        Ok(())
    }
}

fn run_of(sweep: u64) -> u64 {
    1 + sweep / 4
}

fn configs(give: &mut Lines<'_>) -> io::Result<()> {
    for (index, config) in CONFIGS.iter().enumerate() {
        let flag = |set: bool| if set { "t" } else { "f" };
        let gpus = config.tp * config.ep;
        let half = format!("{}\t{}\t{}\t0", config.tp, config.ep, flag(config.dp_attention));
        give(&format!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\tf\t{half}\t{half}\t{gpus}\t{gpus}",
            index + 10,
            config.hardware,
            config.framework,
            config.model,
            config.precision,
            config.spec,
            flag(config.disagg),
        ))?;
    }
    Ok(())
}

/// Figures of a server that takes longer the more it does, with the throughputs of the client's own lengths.
fn metrics(row: &Measured, random: &mut Random) -> io::Result<String> {
    let parameters =
        ClientParameters::ordinary(row.isl, row.osl, row.concurrency).map_err(io::Error::other)?;
    let requests = RequestList::draw(&parameters).map_err(io::Error::other)?;
    let (input, output) = (requests.total_input_tokens() as f64, requests.total_output_tokens() as f64);
    let tpot = 0.004 + 0.0004 * f64::from(row.concurrency) * (1.0 + 0.05 * random.unit());
    let ttft =
        0.02 + 4e-6 * f64::from(row.isl) * f64::from(row.concurrency).sqrt() * (1.0 + 0.1 * random.unit());
    let latency = ttft + tpot * f64::from(row.osl - 1);
    let duration = 10.0 * latency;
    let gpus = f64::from(CONFIGS[row.config].tp);
    let mut text = format!("{{\"pp\": 1, \"mean_itl\": {tpot}, \"dcp_size\": 1, \"mean_e2el\": {latency}");
    let _ = write!(text, ", \"mean_tpot\": {tpot}, \"mean_ttft\": {ttft}, \"p99.9_ttft\": {}", 3.0 * ttft);
    let _ = write!(text, ", \"mean_intvty\": {}, \"median_ttft\": {}", 1.0 / tpot, 0.9 * ttft);
    let _ = write!(text, ", \"tput_per_gpu\": {}", (input + output) / duration / gpus);
    let _ = write!(text, ", \"input_tput_per_gpu\": {}", input / duration / gpus);
    let _ = write!(text, ", \"output_tput_per_gpu\": {}}}", output / duration / gpus);
    Ok(text)
}

/// What a server prints: its arguments, what it made of them, and then how it is doing.
fn log(row: &Measured, bytes: usize, random: &mut Random) -> String {
    let config = &CONFIGS[row.config];
    let version = row.image.rsplit(":v").next().and_then(|tag| tag.split('-').next()).unwrap_or("0.22.0");
    let mut log = format!(
        "(APIServer pid=11) INFO 09-20 01:00:00 [api_utils.py:345]   version {version}\n\
         (APIServer pid=11) INFO 09-20 01:00:01 [api_utils.py:273] non-default args: {{'model_tag': '{served}', 'host': \
         '0.0.0.0', 'port': 8888, 'model': '{served}', 'max_model_len': {length}, 'tensor_parallel_size': {tp}, \
         'gpu_memory_utilization': 0.9, 'enable_prefix_caching': False, 'block_size': 64, 'max_num_batched_tokens': 8192, \
         'max_num_seqs': {concurrency}, 'compilation_config': {{'mode': <CompilationMode.VLLM_COMPILE: 3>, \
         'cudagraph_capture_sizes': [1, 2, 4]}}}}\n\
         (EngineCore pid=22) INFO 09-20 01:00:20 [core.py:116] Initializing a V1 LLM engine (v{version}) with config: \
         model='{served}', speculative_config=None, max_seq_len={length}, enable_prefix_caching=False, \
         enable_chunked_prefill=True\n\
         Loading safetensors: 10%|#   |\rLoading safetensors: 100%|####|\tC:\\new █▄\n\u{1b}[1;33mwarn\u{1b}[0m\n\\.\n\
         (EngineCore pid=22) INFO 09-20 01:01:00 [kv_cache_utils.py:2177] GPU KV cache size: 2,500,000 tokens\n",
        served = config.served,
        length = row.isl + row.osl + 256,
        tp = config.tp,
        concurrency = row.concurrency,
    );
    while log.len() < bytes {
        let _ = writeln!(
            log,
            "(APIServer pid=11) INFO 09-20 01:{:02}:{:02} [loggers.py:257] Engine 000: Avg prompt throughput: {:.1} tokens/s, \
             Avg generation throughput: {:.1} tokens/s, Running: {} reqs, Waiting: {} reqs, GPU KV cache usage: {:.1}%",
            random.below(60),
            random.below(60),
            1e4 * random.unit(),
            1e3 * random.unit(),
            random.below(64),
            random.below(64),
            100.0 * random.unit(),
        );
    }
    log
}

/// As PostgreSQL writes a text.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 64);
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            other => escaped.push(other),
        }
    }
    escaped
}

fn trace_replay(id: u64, random: &mut Random) -> String {
    let mut line = format!("{id}\t\\\\x1f8b");
    for _ in 0..512 {
        let _ = write!(line, "{:016x}", random.bits());
    }
    line.push_str("\t2026-09-01 00:00:00+00\t{\"requests\": 393}");
    line
}

const WORDS: [&str; 16] = [
    "the", "answer", "of", "a", "train", "leaves", "at", "seven", "how", "many", "apples", "and", "then",
    "each", "we", "get",
];

fn sentence(words: u64, random: &mut Random) -> String {
    let words: Vec<&str> = (0..words).map(|_| *random.one_of(&WORDS)).collect();
    words.join(" ")
}

fn eval_sample(id: u64, random: &mut Random) -> String {
    let doc = id % 1319;
    let prompt = sentence(300, &mut Random::new(doc));
    format!(
        "{id}\t{doc}\t{prompt}\t{}\t{}",
        sentence(60, random),
        if random.below(9) > 0 { "t" } else { "f" }
    )
}

fn gpu_sample(id: u64, random: &mut Random) -> String {
    let (seconds, gpu) = (id / 8, id % 8);
    format!(
        "{}\t{gpu}\t2026-09-01 {:02}:{:02}:{:02}+00\t{:.2}\t{}\t{}\t8000\t{}\t{}",
        1 + seconds / 86_400,
        seconds / 3600 % 24,
        seconds / 60 % 60,
        seconds % 60,
        400.0 + 300.0 * random.unit(),
        50 + random.below(20),
        1700 + 15 * random.below(10),
        90 + random.below(11),
        30 + random.below(40),
    )
}

fn log_file(id: u64, random: &mut Random) -> String {
    let row = Measured { id, sweep: 0, config: 0, isl: 1024, osl: 1024, concurrency: 4, image: IMAGES[1] };
    format!("1\tworker-{id}.log\t{}", escaped(&log(&row, 200_000, random)))
}
