use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;

/// The shape of a real log of vLLM 0.22, shortened.
const LOG: &str = "\
+ vllm serve openai/gpt-oss-120b --config config.yaml --max-num-seqs 4\n\
Fetching 37 files:   0%|          | 0/37\rFetching 37 files: 100%|██████████| 37/37\n\
\u{1b}[1;36m(APIServer pid=68)\u{1b}[0;0m INFO 06-05 05:45:50 [utils.py:344]  ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.22.0\n\
(APIServer pid=68) INFO 06-05 05:45:50 [utils.py:278] non-default args: {'model_tag': 'openai/gpt-oss-120b', 'max_model_len': 9472, \
'gpu_memory_utilization': 0.9, 'enable_prefix_caching': False, 'max_num_seqs': 4, 'compilation_config': {'pass_config': {'x': True}}}\n\
(APIServer pid=68) INFO 06-05 05:46:13 [model.py:1752] Using max model len 9472\n\
(APIServer pid=68) INFO 06-05 05:46:14 [scheduler.py:239] Chunked prefill is enabled with max_num_batched_tokens=8192.\n\
(EngineCore pid=231) INFO 06-05 05:46:35 [core.py:112] Initializing a V1 LLM engine (v0.22.0) with config: model='openai/gpt-oss-120b', \
speculative_config=None, max_seq_len=9472, served_model_name=openai/gpt-oss-120b, enable_prefix_caching=False, enable_chunked_prefill=True, \
compilation_config={'mode': <CompilationMode.VLLM_COMPILE: 3>}\n\
(EngineCore pid=231) INFO 06-05 05:46:36 [flash_attn.py:636] Using FlashAttention version 3\n\
(EngineCore pid=231) INFO 06-05 05:46:36 [interface.py:484] Setting kv cache block size to 64 for FLASHINFER_MLA backend.\n\
(EngineCore pid=231) INFO 06-05 05:47:25 [kv_cache_utils.py:1733] GPU KV cache size: 886,768 tokens\n\
(EngineCore pid=231) INFO 06-05 05:47:25 [kv_cache_utils.py:1734] Maximum concurrency for 9,472 tokens per request: 93.62x\n";

fn scan(log: &[u8]) -> LogFacts {
    let mut scanner = LogScanner::default();
    scanner.push(log);
    scanner.finish()
}

fn resolved(facts: &LogFacts, name: &str) -> Option<String> {
    facts.resolved.get(name).map(|stated| stated.value.to_string())
}

#[test]
fn a_log_states_its_facts_and_their_lines() {
    let facts = scan(LOG.as_bytes());
    let version = facts.engine_version.as_ref().unwrap();
    assert_eq!((version.value.as_str(), version.line, version.kind), ("0.22.0", 7, LineKind::EngineConfig));
    let arguments = facts.arguments.as_ref().unwrap();
    assert_eq!((arguments.line, arguments.kind), (4, LineKind::Arguments));
    let passed = facts.passed().unwrap();
    assert_eq!(passed.get("max_num_seqs"), Some(&SettingValue::Integer(4)));
    assert_eq!(passed.get("enable_prefix_caching"), Some(&SettingValue::Flag(false)));
    let names: Vec<&str> = facts.resolved.keys().copied().collect();
    let expected = [
        "block_size",
        "enable_chunked_prefill",
        "enable_prefix_caching",
        "max_model_len",
        "max_num_batched_tokens",
    ];
    assert_eq!(names, expected);
    assert_eq!(resolved(&facts, "block_size").as_deref(), Some("64"));
    assert_eq!(resolved(&facts, "max_num_batched_tokens").as_deref(), Some("8192"));
    assert_eq!(facts.resolved["max_num_batched_tokens"].line, 6);
    assert_eq!(facts.kv_pool, Some(KvPool { tokens: 886_768, engines: 1, line: 10 }));
    assert_eq!((facts.acceptance, facts.servers), (None, 1));
}

#[test]
fn the_pools_of_all_engines_are_summed_and_reprints_are_not() {
    let line =
        |engine: &str, tokens: &str| format!("({engine} pid=2) INFO x GPU KV cache size: {tokens} tokens\n");
    let log = [
        line("EngineCore_DP0", "46,982"),
        line("EngineCore_DP1", "46,982"),
        line("EngineCore_DP0", "46,990"),
    ]
    .concat();
    assert_eq!(scan(log.as_bytes()).kv_pool, Some(KvPool { tokens: 93_972, engines: 2, line: 1 }));
    let old = "INFO 09-30 12:00:00 [kv.py:1] GPU KV cache size: 1,000 tokens\n".repeat(2);
    assert_eq!(scan(old.as_bytes()).kv_pool, Some(KvPool { tokens: 2000, engines: 2, line: 1 }));
}

#[test]
fn the_banner_of_any_version_is_told_from_other_versions() {
    for (text, version) in [
        ("INFO 09-30 12:00:00 [api_server.py:1896] vLLM API server version 0.10.2", Some("0.10.2")),
        (
            "(APIServer pid=11) INFO 09-20 01:00:00 [api_utils.py:345]   version 0.22.1rc1.dev5+g7c5dc571c",
            Some("0.22.1rc1.dev5+g7c5dc571c"),
        ),
        ("INFO 09-30 12:00:00 [flash_attn.py:636] Using FlashAttention version 3", None),
        ("(Worker pid=1) INFO 09-30 12:00:00 [nccl.py:1] NCCL version 2.26.2", None),
        ("  Downloading something version 1.2.3 ", None),
        ("(APIServer pid=11) INFO 09-20 01:00:00 [x.py:1] version 0.22", None),
    ] {
        let found = scan(text.as_bytes()).engine_version.map(|version| version.value);
        assert_eq!(found.as_deref(), version, "{text}");
    }
}

#[test]
fn the_last_server_of_a_log_counts() {
    let second = LOG.replace("'max_num_seqs': 4", "'max_num_seqs': 8").replace("block size to 64", "x");
    let facts = scan(format!("{LOG}{second}").as_bytes());
    assert_eq!(facts.servers, 2);
    assert_eq!(facts.passed().unwrap().get("max_num_seqs"), Some(&SettingValue::Integer(8)));
    assert_eq!(resolved(&facts, "block_size"), None);
}

#[test]
fn what_looks_like_a_statement_later_on_is_none() {
    let later = "INFO x Received request: max_num_batched_tokens=1\nINFO x about non-default args: zz\n";
    let facts = scan(format!("{LOG}{later}").as_bytes());
    assert_eq!(resolved(&facts, "max_num_batched_tokens").as_deref(), Some("8192"));
    assert_eq!((facts.passed().is_some(), facts.servers), (true, 1));
}

#[test]
fn an_arguments_line_that_cannot_be_read_is_known_as_such() {
    let facts = scan(b"non-default args: {'a': \n");
    assert_eq!(facts.passed(), None);
    assert!(facts.arguments.is_some_and(|arguments| arguments.value.is_err()));
}

#[test]
fn endless_lines_and_many_engines_stay_within_bounds() {
    let mut scanner = LogScanner::default();
    scanner.push(b"non-default args: {'a': '");
    for _ in 0..64 {
        scanner.push(&vec![b'x'; 1 << 16]);
    }
    scanner.push(b"'}\n");
    for engine in 0..10_000 {
        scanner.push(format!("(E{engine} pid=1) GPU KV cache size: 1 tokens\n").as_bytes());
    }
    let facts = scanner.finish();
    assert_eq!(facts.arguments.unwrap().value, Err(super::super::Unreadable::TooLong));
    assert_eq!(facts.kv_pool.unwrap().engines, 4096);
}

/// The real logs, where they are: beside the checkout.
fn real_log(name: &str) -> Option<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let path: PathBuf = root.join(name);
    std::fs::read(path).ok()
}

#[test]
fn real_logs_of_three_versions_are_read() {
    for (name, version, seqs, batched, tokens) in [
        ("measured-gptoss-h200/server_c4_8k1k.log", "0.22.0", 4, "8192", 886_768),
        (
            "vllm-server-logs/m1517_kimik2.7_mi355x_tp4_conc8_vllm0.24.0_full.log",
            "0.24.0",
            8,
            "8192",
            3_255_184,
        ),
        (
            "vllm-server-logs/m1517_kimik2.7_mi355x_tp4_conc16_vllm0.26.0_full.log",
            "0.26.0",
            16,
            "8192",
            3_750_944,
        ),
    ] {
        let Some(log) = real_log(name) else { continue };
        let mut scanner = LogScanner::default();
        log.chunks(1013).for_each(|piece| scanner.push(piece));
        let facts = scanner.finish();
        assert_eq!(facts, scan(&log), "{name}");
        assert_eq!(facts.engine_version.as_ref().unwrap().value, version);
        assert_eq!(facts.passed().unwrap().get("max_num_seqs"), Some(&SettingValue::Integer(seqs)));
        assert_eq!(resolved(&facts, "max_num_batched_tokens").as_deref(), Some(batched));
        assert!(facts.resolved.contains_key("enable_prefix_caching"), "{name}");
        assert_eq!(facts.kv_pool.unwrap().tokens, tokens);
    }
}

proptest! {
    #[test]
    fn facts_do_not_depend_on_how_the_bytes_come(cuts in prop::collection::vec(0..LOG.len(), 0..8)) {
        let mut cuts = cuts;
        cuts.sort_unstable();
        let mut scanner = LogScanner::default();
        let mut from = 0;
        for cut in cuts {
            scanner.push(&LOG.as_bytes()[from..cut]);
            from = cut;
        }
        scanner.push(&LOG.as_bytes()[from..]);
        prop_assert_eq!(scanner.finish(), scan(LOG.as_bytes()));
    }

    #[test]
    fn no_bytes_make_it_panic(
        lines in prop::collection::vec((0..MARKERS.len(), prop::collection::vec(any::<u8>(), 0..60)), 0..12)
    ) {
        let mut log = Vec::new();
        for (marker, bytes) in lines {
            log.extend_from_slice(MARKERS[marker].0.as_bytes());
            log.extend_from_slice(&bytes);
            log.push(b'\n');
        }
        let _ = scan(&log);
    }
}
