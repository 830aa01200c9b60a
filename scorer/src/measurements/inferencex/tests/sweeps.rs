//! What a sweep says of its rows.

use shared::deployment::{Parallelism, Speculation};
use shared::setting::Setting;
use shared::sweep::{Flag, LengthCheck};
use shared::tier::Verdict;

use super::super::SelectionOptions;
use super::kit::{Database, config, log};

#[test]
fn all_four_settings_passed_and_verified_lengths_make_a_sweep_exact() {
    let mut database = Database::new();
    // The sums of the seed-0 draw, from docs/workload.md's table.
    for (row, (input, output)) in
        database.results.iter_mut().zip([(9149, 9214), (37_068, 36_709), (148_103, 146_543)])
    {
        row.metrics.input_tput_per_gpu = Some(f64::from(input) / 7.0);
        row.metrics.output_tput_per_gpu = Some(f64::from(output) / 7.0);
    }
    let sweep = &database.corpus().sweeps[0];
    assert_eq!((sweep.verdict, sweep.verdict_reasons.len()), (Verdict::Exact, 0));
    assert_eq!((sweep.prompts_per_concurrency, sweep.template_tokens), (10, 0));
    assert_eq!((sweep.model.as_str(), sweep.family.as_str()), ("gpt-oss-120b", "gpt-oss"));
    assert_eq!(sweep.engine_version.as_deref(), Some("0.22.0"));
    assert_eq!(sweep.parallelism, Parallelism::tensor(2));
    assert_eq!(sweep.settings["block_size"], Setting::passed(16_u32));
    assert_eq!(sweep.points[1].settings["max_num_seqs"], Setting::passed(4_u32));
    assert_eq!(sweep.points[1].kv_tokens, Some(2_500_000));
    assert!((sweep.points[1].ttft_ms.get() - 120.0).abs() < 1e-9);
}

#[test]
fn a_template_that_the_throughputs_show_is_the_sweeps() {
    let mut database = Database::new();
    // With a template of 12 tokens each prompt of the list for L = 1024 - 9 has 9 more: the class of 9 to 13.
    for row in &mut database.results {
        let list = crate::workload::RequestList::draw(&crate::workload::ClientParameters {
            template_k: 12,
            ..crate::workload::ClientParameters::ordinary(1024, 1024, row.concurrency).unwrap()
        });
        let list = list.unwrap();
        row.metrics.input_tput_per_gpu = Some(list.total_input_tokens() as f64);
        row.metrics.output_tput_per_gpu = Some(list.total_output_tokens() as f64);
    }
    let sweep = &database.corpus().sweeps[0];
    assert_eq!((sweep.verdict, sweep.template_tokens), (Verdict::Exact, 9));
}

#[test]
fn what_is_not_passed_is_resolved_by_the_log_or_the_defaults() {
    let mut database = Database::new();
    for (_, text) in &mut database.logs {
        *text = log("'tensor_parallel_size': 2, 'max_num_seqs': 64")
            + "(APIServer pid=1) INFO x Chunked prefill is enabled with max_num_batched_tokens=2048.\n";
    }
    let sweep = &database.corpus().sweeps[0];
    assert_eq!(sweep.settings["max_num_seqs"], Setting::passed(64_u32));
    assert_eq!(sweep.settings["max_num_batched_tokens"], Setting::resolved(2048_u32));
    assert_eq!(sweep.settings["block_size"], Setting::resolved(16_u32));
    assert_eq!(sweep.settings["enable_prefix_caching"], Setting::resolved(true));
    assert_eq!(sweep.verdict, Verdict::Partial);
}

#[test]
fn repeats_are_averaged_and_a_setting_on_which_they_disagree_has_no_value() {
    let mut database = Database::new();
    database.sweep(201, |row| {
        row.date = "2026-09-03".to_owned();
        row.metrics.mean_tpot = row.metrics.mean_tpot.map(|tpot| tpot * 1.5);
    });
    for (_, text) in &mut database.logs[3..] {
        *text = text.replace("8192", "4096");
    }
    let sweep = &database.corpus().sweeps[0];
    assert_eq!((sweep.dates.first.as_str(), sweep.dates.last.as_str()), ("2026-09-01", "2026-09-03"));
    let point = &sweep.points[0];
    assert_eq!(point.repeats, 2);
    assert!((point.spread.unwrap() - 1.5).abs() < 1e-12);
    assert!((point.tpot_ms.get() - 5.0 * 1.25).abs() < 1e-9);
    assert_eq!(point.flags, [Flag::SettingsDisagree]);
    assert_eq!(sweep.setting(point, "max_num_batched_tokens"), Some(&Setting::absent()));
}

#[test]
fn repeats_disagree_also_by_what_their_logs_resolve() {
    let mut database = Database::new();
    database.sweep(201, |_| ());
    for (index, (_, text)) in database.logs.iter_mut().enumerate() {
        let tokens = if index < 3 { 4096 } else { 16_384 };
        let passed = text.replace("'max_num_batched_tokens': 8192, ", "");
        *text =
            format!("{passed}(APIServer pid=1) INFO x is enabled with max_num_batched_tokens={tokens}.\n");
    }
    let sweep = &database.corpus().sweeps[0];
    let point = &sweep.points[0];
    assert_eq!(point.flags, [Flag::SettingsDisagree]);
    assert_eq!(sweep.setting(point, "max_num_batched_tokens"), Some(&Setting::absent()));
}

#[test]
fn a_log_of_another_server_says_nothing_and_is_told() {
    for (from, to, expected) in [
        (
            "non-default",
            "x] version 0.24.0\nnon-default",
            "its log is of version 0.24.0, its image of 0.22.0",
        ),
        ("_size': 2", "_size': 8", "its log is of a server on 8 GPUs, the row of one on 2"),
    ] {
        let mut database = Database::new();
        for (_, text) in &mut database.logs {
            *text = text.replace(from, to);
        }
        let ingested = database.ingest().unwrap();
        let [note] = ingested.notes.as_slice() else { panic!("{:?}", ingested.notes) };
        assert!(note.contains(expected), "{note}");
        assert!(note.ends_with("so it counts as without a log; so do 2 more"), "{note}");
        let sweep = &ingested.corpus.sweeps[0];
        assert_eq!((sweep.verdict, sweep.points[0].kv_tokens), (Verdict::NotReproducible, None));
        assert_eq!(sweep.parallelism, Parallelism::tensor(2));
    }
}

#[test]
fn what_a_log_says_was_passed_can_leave_a_row_out() {
    for (more, reason) in [
        ("'decode_context_parallel_size': 2", "context_parallel"),
        ("'cpu_offload_gb': 8", "kv_offloaded"),
        (
            "'kv_transfer_config': {'kv_connector': 'OffloadingConnector', 'kv_role': 'kv_both'}",
            "kv_offloaded",
        ),
    ] {
        let mut database = Database::new();
        database.sweep(201, |_| ());
        for (_, text) in &mut database.logs[3..] {
            *text = text.replace("'block_size': 16", &format!("'block_size': 16, {more}"));
        }
        assert_eq!(database.skipped(&SelectionOptions::default()), [(reason.to_owned(), 3)], "{more}");
    }
}

#[test]
fn what_was_passed_for_the_deployment_tells_sweeps_apart() {
    let mut database = Database::new();
    database.sweep(201, |_| ());
    for (_, text) in &mut database.logs[3..] {
        *text = text.replace("'block_size': 16", "'block_size': 32");
    }
    assert_eq!(database.corpus().sweeps.len(), 2);
}

#[test]
fn data_parallel_attention_is_one_replica_a_gpu() {
    let mut database = Database::new();
    database.configs[0] = super::super::ConfigRow { tp: 8, ep: 8, dp_attention: true, ..config(1) };
    for (_, text) in &mut database.logs {
        *text = log("'max_num_seqs': 64");
    }
    let layout = |database: &Database| database.corpus().sweeps[0].parallelism;
    let spread = Parallelism { tp: 1, pp: 1, dp: 8, ep: 8, dp_attention: true };
    // An arguments line for another number of GPUs is not believed.
    assert_eq!(layout(&database), spread);
    for (_, text) in &mut database.logs {
        *text = log("'tensor_parallel_size': 2, 'data_parallel_size': 4, 'enable_expert_parallel': True");
    }
    assert_eq!(layout(&database), Parallelism { tp: 2, dp: 4, ..spread });
}

#[test]
fn the_kind_of_speculation_and_its_acceptance_are_the_logs() {
    let mut database = Database::new();
    database.configs[0].spec_method = "mtp".to_owned();
    for (_, text) in &mut database.logs {
        *text = log(
            "'tensor_parallel_size': 2, 'speculative_config': {'method': 'eagle3', 'num_speculative_tokens': 3}",
        ) + "(APIServer pid=1) INFO x SpecDecoding metrics: Mean acceptance length: 2.50, Avg\n";
    }
    let sweep = &database.corpus().sweeps[0];
    assert_eq!(sweep.spec, Speculation { method: "eagle3".to_owned(), tokens: Some(3) });
    assert_eq!(sweep.points[0].acceptance_length, Some(2.5));
    for (_, text) in &mut database.logs {
        *text = log("'tensor_parallel_size': 2");
    }
    let sweep = &database.corpus().sweeps[0];
    assert_eq!((sweep.spec.method.as_str(), sweep.points[0].acceptance_length), ("mtp", None));
}

#[test]
fn throughputs_that_fit_no_draw_are_told() {
    let mut database = Database::new();
    database.results[0].metrics.input_tput_per_gpu = Some(1.0);
    database.results[0].metrics.output_tput_per_gpu = Some(1.1);
    let sweep = &database.corpus().sweeps[0];
    assert!(matches!(sweep.points[0].lengths, LengthCheck::Different(_)));
    assert_eq!(sweep.points[1].lengths, LengthCheck::Unknown);
}

#[test]
fn arguments_that_cannot_be_read_are_told() {
    let mut database = Database::new();
    for (_, text) in &mut database.logs {
        *text = "non-default args: {'a': \n".to_owned();
    }
    let ingested = database.ingest().unwrap();
    let [note] = ingested.notes.as_slice() else { panic!("{:?}", ingested.notes) };
    assert!(note.contains("line 1 of its log cannot be read") && note.ends_with("so do 2 more"), "{note}");
    assert_eq!(ingested.corpus.sweeps[0].verdict, Verdict::NotReproducible);
}
