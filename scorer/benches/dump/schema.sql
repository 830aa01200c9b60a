CREATE TABLE configs (
    id serial PRIMARY KEY,
    hardware text NOT NULL, framework text NOT NULL, model text NOT NULL, "precision" text NOT NULL,
    spec_method text NOT NULL, disagg boolean NOT NULL DEFAULT false, is_multinode boolean NOT NULL DEFAULT false,
    prefill_tp smallint NOT NULL, prefill_ep smallint NOT NULL DEFAULT 1,
    prefill_dp_attention boolean NOT NULL DEFAULT false, prefill_num_workers smallint NOT NULL DEFAULT 0,
    decode_tp smallint NOT NULL, decode_ep smallint NOT NULL DEFAULT 1,
    decode_dp_attention boolean NOT NULL DEFAULT false, decode_num_workers smallint NOT NULL DEFAULT 0,
    num_prefill_gpu smallint NOT NULL, num_decode_gpu smallint NOT NULL
);
CREATE TABLE workflow_runs (
    id bigserial PRIMARY KEY,
    github_run_id bigint NOT NULL, run_attempt smallint NOT NULL DEFAULT 0, name text NOT NULL,
    status text, conclusion text, head_sha text, head_branch text, html_url text,
    created_at timestamptz NOT NULL, run_started_at timestamptz, date date NOT NULL,
    append_only boolean NOT NULL DEFAULT false,
    UNIQUE (github_run_id, run_attempt)
);
CREATE TABLE server_logs (
    id bigserial PRIMARY KEY,
    server_log text NOT NULL, file_name text NOT NULL DEFAULT 'server.log', files_complete boolean NOT NULL DEFAULT false
);
CREATE TABLE server_log_files (
    server_log_id bigint NOT NULL REFERENCES server_logs ON DELETE CASCADE,
    file_name text NOT NULL, log_text text NOT NULL
);
CREATE TABLE agentic_trace_replay (
    id bigserial PRIMARY KEY,
    profile_export_jsonl_gz bytea, created_at timestamptz NOT NULL, aggregate_stats jsonb
);
CREATE TABLE benchmark_results (
    id bigserial PRIMARY KEY,
    workflow_run_id bigint NOT NULL REFERENCES workflow_runs, config_id integer NOT NULL REFERENCES configs,
    benchmark_type text NOT NULL, date date NOT NULL, isl integer, osl integer, conc integer NOT NULL, image text,
    metrics jsonb NOT NULL, error text, server_log_id bigint REFERENCES server_logs, workers jsonb,
    offload_mode text NOT NULL DEFAULT 'off', trace_replay_id bigint REFERENCES agentic_trace_replay,
    recipe_fingerprint text, power_invalid_reasons jsonb, power_audit jsonb
);
CREATE TABLE eval_samples (
    id bigserial PRIMARY KEY,
    doc_id integer NOT NULL, prompt text, response text, passed boolean
);
CREATE TABLE gpu_metric_samples (
    series_id bigint NOT NULL, gpu_index smallint NOT NULL, sampled_at timestamptz NOT NULL,
    power_w real, temperature_c real, sm_clock_mhz real, mem_clock_mhz real, gpu_util_pct real, mem_util_pct real
);
