//! What the replay is given of a point: its engine, its requests, its command line.

use std::ffi::OsString;
use std::fmt::Write as _;

use serde::Serialize;
use shared::outcome::{Outcome, Reason};
use shared::plan::PointRequest;

use super::files;
use crate::reference::Reference;
use crate::simulators::aiconfigurator::{ExpertLayout, Names};
use crate::simulators::not_scored;
use crate::workload::RequestList;

/// Tokens for which one id of a trace stands.
const TRACE_BLOCK: u32 = 512;

/// The arguments of its engine, by their names there.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names of Dynamo")]
pub(super) struct Engine<'a> {
    engine_type: &'static str,
    aic_backend: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    aic_backend_version: Option<&'a str>,
    aic_system: &'a str,
    aic_model_path: &'a str,
    aic_tp_size: u32,
    aic_moe_tp_size: u32,
    aic_moe_ep_size: u32,
    aic_attention_dp_size: u32,
    num_gpu_blocks: u64,
    block_size: u32,
    max_num_seqs: u32,
    max_num_batched_tokens: u32,
    enable_prefix_caching: bool,
}

impl<'a> Engine<'a> {
    /// The engine of a point.
    ///
    /// # Errors
    /// The outcome of a point that cannot be asked.
    pub(super) fn of(
        request: &PointRequest,
        reference: &'a Reference,
        backend_version: Option<&'a str>,
    ) -> Result<Self, Outcome> {
        let deployment = &request.deployment;
        let names = Names::of(request, reference)?;
        let layout = deployment.parallelism;
        if layout.pp > 1 || layout.dp > 1 {
            let detail = format!("its replay is asked for tensor parallelism alone, and this is {layout}");
            return Err(not_scored(Reason::UnsupportedLayout, detail));
        }
        if names.checkpoint.has_formats() {
            let (model, precision) = (&deployment.model, &deployment.precision);
            let detail =
                format!("its replay cannot be told the number formats of `{model}` in `{precision}`");
            return Err(not_scored(Reason::UnsupportedModel, detail));
        }
        let ExpertLayout { moe_tp_size, moe_ep_size } = ExpertLayout::of(layout)?;
        let engine = request.engine;
        let tokens = engine.kv_tokens.ok_or_else(|| {
            let detail = "the size of the KV cache is not known: its replay has to be told, and with recorded \
                          settings the server's log tells it";
            not_scored(Reason::UnsupportedLayout, detail)
        })?;
        Ok(Self {
            engine_type: "vllm",
            aic_backend: "vllm",
            aic_backend_version: backend_version,
            aic_system: names.system.system.as_str(),
            aic_model_path: names.checkpoint.path.as_str(),
            aic_tp_size: layout.tp,
            aic_moe_tp_size: moe_tp_size,
            aic_moe_ep_size: moe_ep_size,
            aic_attention_dp_size: layout.dp,
            num_gpu_blocks: tokens / u64::from(engine.block_size.max(1)),
            block_size: engine.block_size,
            max_num_seqs: engine.max_num_seqs,
            max_num_batched_tokens: engine.max_num_batched_tokens,
            enable_prefix_caching: engine.enable_prefix_caching,
        })
    }

    /// Refuses requests that never fit: the replay would wait for room for ever.
    ///
    /// # Errors
    /// The outcome of such a point.
    pub(super) fn fits(&self, list: &RequestList) -> Result<(), Outcome> {
        let room = self.num_gpu_blocks.saturating_mul(u64::from(self.block_size));
        let longest = list.requests().map(|(input, output)| u64::from(input) + u64::from(output)).max();
        match longest {
            Some(tokens) if tokens > room => {
                let detail = format!("a request of {tokens} tokens, and the KV cache holds {room}");
                Err(not_scored(Reason::UnsupportedLayout, detail))
            }
            _ => Ok(()),
        }
    }
}

/// The requests as lines of a trace: all there at once, no two with a block in common.
pub(super) fn trace(list: &RequestList) -> String {
    let mut text = String::new();
    let mut block = 0_u64;
    for (input, output) in list.requests() {
        let end = block + u64::from(input.div_ceil(TRACE_BLOCK));
        let ids: Vec<String> = (block..end).map(|id| id.to_string()).collect();
        block = end;
        let _ = writeln!(
            text,
            r#"{{"timestamp":0,"input_length":{input},"output_length":{output},"hash_ids":[{}]}}"#,
            ids.join(",")
        );
    }
    text
}

/// The command line.
pub(super) fn args(engine: &str, concurrency: u32) -> Vec<OsString> {
    let concurrency = concurrency.to_string();
    let block = TRACE_BLOCK.to_string();
    [
        "-m",
        "dynamo.replay",
        "--extra-engine-args",
        engine,
        "--replay-concurrency",
        &concurrency,
        "--trace-block-size",
        &block,
        "--report-json",
        files::REPORT,
        files::TRACE,
    ]
    .map(OsString::from)
    .into()
}
