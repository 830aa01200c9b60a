//! What AIConfigurator is asked of a point.

use serde::Serialize;
use shared::deployment::Parallelism;
use shared::outcome::Outcome;
use shared::plan::PointRequest;

use super::{ExpertLayout, Names};
use crate::reference::{AiconfiguratorCheckpoint, Reference, Text};

/// One line that the child reads.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Question<'a> {
    pub(super) id: &'a str,
    pub(super) estimate: Estimate<'a>,
}

/// The arguments of AIConfigurator's `cli_estimate`, by their names there.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Estimate<'a> {
    model_path: &'a str,
    system_name: &'a str,
    isl: u32,
    osl: u32,
    /// Requests in flight on one data-parallel rank.
    batch_size: u32,
    tp_size: u32,
    pp_size: u32,
    attention_dp_size: u32,
    #[serde(flatten)]
    experts: Option<ExpertLayout>,
    #[serde(flatten)]
    formats: Formats<'a>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names of AIConfigurator")]
struct Formats<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    gemm_quant_mode: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moe_quant_mode: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kvcache_quant_mode: Option<&'a str>,
}

impl<'a> Estimate<'a> {
    /// The estimate of a point: the client's nominal lengths, and its concurrency spread over the ranks.
    ///
    /// # Errors
    /// The outcome of a point that cannot be asked.
    pub(super) fn of(request: &PointRequest, reference: &'a Reference) -> Result<Self, Outcome> {
        let deployment = &request.deployment;
        let Names { checkpoint, system } = Names::of(request, reference)?;
        let Parallelism { tp, pp, dp, .. } = deployment.parallelism;
        let has_experts = reference.model(&deployment.model).is_some_and(|model| model.experts.is_some());
        Ok(Self {
            model_path: checkpoint.path.as_str(),
            system_name: system.system.as_str(),
            isl: request.workload.isl,
            osl: request.workload.osl,
            batch_size: request.concurrency.div_ceil(dp.max(1)),
            tp_size: tp,
            pp_size: pp,
            attention_dp_size: dp,
            experts: if has_experts { Some(ExpertLayout::of(deployment.parallelism)?) } else { None },
            formats: Formats::of(checkpoint),
        })
    }
}

impl<'a> Formats<'a> {
    fn of(checkpoint: &'a AiconfiguratorCheckpoint) -> Self {
        let text = |format: &'a Option<Text>| format.as_ref().map(Text::as_str);
        Self {
            gemm_quant_mode: text(&checkpoint.gemm),
            moe_quant_mode: text(&checkpoint.experts),
            kvcache_quant_mode: text(&checkpoint.kv_cache),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use shared::outcome::Reason;

    use super::*;
    use crate::testing;

    fn asked(change: impl FnOnce(&mut PointRequest)) -> Result<Value, (Reason, String)> {
        let mut request = testing::request(8);
        change(&mut request);
        let reference = Reference::embedded().unwrap();
        match Estimate::of(&request, &reference) {
            Ok(estimate) => Ok(serde_json::to_value(estimate).unwrap()),
            Err(Outcome::NotScored(why)) => Err((why.reason, why.detail)),
            Err(Outcome::Scored(prediction)) => panic!("{prediction:?}"),
        }
    }

    #[test]
    fn a_point_is_asked_by_the_names_and_formats_of_the_table() {
        let expected = json!({
            "model_path": "openai/gpt-oss-120b", "system_name": "h200_sxm", "isl": 1024, "osl": 1024,
            "batch_size": 8, "tp_size": 1, "pp_size": 1, "attention_dp_size": 1, "moe_tp_size": 1, "moe_ep_size": 1,
        });
        assert_eq!(asked(|_| {}), Ok(expected));
        let dense = asked(|request| {
            request.deployment.model = "llama-3.1-70b-instruct".to_owned();
            request.deployment.hardware = "b200".to_owned();
        });
        let expected = json!({
            "model_path": "meta-llama/Meta-Llama-3.1-70B", "system_name": "b200_sxm", "isl": 1024, "osl": 1024,
            "batch_size": 8, "tp_size": 1, "pp_size": 1, "attention_dp_size": 1,
            "gemm_quant_mode": "nvfp4", "kvcache_quant_mode": "bfloat16",
        });
        assert_eq!(dense, Ok(expected));
    }

    #[test]
    fn the_concurrency_is_spread_over_the_ranks_and_the_experts_over_all_gpus() {
        let spread = asked(|request| {
            request.concurrency = 9;
            request.deployment.parallelism = Parallelism { tp: 2, pp: 1, dp: 2, ep: 4, dp_attention: true };
        });
        let spread = spread.unwrap();
        assert_eq!((&spread["batch_size"], &spread["attention_dp_size"]), (&json!(5), &json!(2)));
        assert_eq!((&spread["moe_tp_size"], &spread["moe_ep_size"]), (&json!(1), &json!(4)));
    }

    type Case = (fn(&mut PointRequest), Reason, &'static str);

    #[test]
    fn what_cannot_be_asked_says_why() {
        let cases: [Case; 6] = [
            (
                |request| request.deployment.framework = "sglang".to_owned(),
                Reason::UnsupportedFramework,
                "sglang",
            ),
            (|request| request.deployment.spec.method = "mtp".to_owned(), Reason::NoAcceptanceRate, "mtp"),
            (
                |request| {
                    request.deployment.spec.method = "mtp".to_owned();
                    request.acceptance_length = Some(2.5);
                },
                Reason::UnsupportedLayout,
                "mtp",
            ),
            (|request| request.deployment.precision = "bf16".to_owned(), Reason::UnsupportedModel, "`bf16`"),
            (
                |request| request.deployment.hardware = "mi355x".to_owned(),
                Reason::UnsupportedHardware,
                "mi355x",
            ),
            (|request| request.deployment.parallelism.ep = 3, Reason::UnsupportedLayout, "3 ways"),
        ];
        for (change, reason, said) in cases {
            let (found, detail) = asked(change).unwrap_err();
            assert_eq!(found, reason, "{detail}");
            assert!(detail.contains(said), "{detail}");
        }
    }
}
