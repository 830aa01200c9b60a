//! Which points a build can be asked, and with which layout. What it cannot express is refused with the reason, never left out.

use shared::deployment::Workload;
use shared::outcome::{Outcome, Reason};
use shared::plan::PointRequest;

use super::dialect::{Dialect, Interface};
use crate::simulators::{not_scored, speculation};

/// How the GPUs of a point are given to a build that takes flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Tensor-parallel size.
    pub tp: u32,
    /// Data-parallel ranks.
    pub dp: u32,
    /// Whether the experts are spread over all GPUs.
    pub expert_parallel: bool,
}

/// Checks what no dialect can express.
///
/// # Errors
/// The outcome of a point that cannot be asked.
pub fn check(request: &PointRequest) -> Result<(), Outcome> {
    let deployment = &request.deployment;
    if deployment.framework != "vllm" {
        let detail = format!("BLIS models vLLM's engine, not `{}`", deployment.framework);
        return Err(not_scored(Reason::UnsupportedFramework, detail));
    }
    if let Some(reason) = speculation(request) {
        let method = &deployment.spec.method;
        let detail = match request.acceptance_length {
            None => format!("speculative decoding (`{method}`) without a known acceptance length"),
            Some(length) => {
                format!("speculative decoding (`{method}`, acceptance length {length}) is not driven")
            }
        };
        return Err(not_scored(reason, detail));
    }
    let stages = deployment.parallelism.pp;
    if stages != 1 {
        let detail = format!("BLIS has no pipeline parallelism, and this is pp{stages}");
        return Err(not_scored(Reason::UnsupportedLayout, detail));
    }
    Ok(())
}

/// The layout of a point, for a build that takes flags.
///
/// # Errors
/// The outcome of a point whose layout the build has no flags for.
pub fn layout(request: &PointRequest, interface: &Interface) -> Result<Layout, Outcome> {
    let parallelism = request.deployment.parallelism;
    let unsupported = |detail: String| not_scored(Reason::UnsupportedLayout, detail);
    if parallelism.dp > 1 && !interface.has("dp") {
        return Err(unsupported(format!(
            "this build has no data parallelism (`--dp`), and this is {parallelism}"
        )));
    }
    let gpus = parallelism.tp.saturating_mul(parallelism.dp);
    if parallelism.ep > 1 && parallelism.ep != gpus {
        return Err(unsupported(format!(
            "BLIS spreads experts over all tensor- and data-parallel ranks, and this is {parallelism}"
        )));
    }
    let expert_parallel = parallelism.ep > 1 || request.engine.enable_expert_parallel;
    if expert_parallel && !interface.has("enable-expert-parallel") {
        return Err(unsupported(format!(
            "this build has no expert parallelism (`--enable-expert-parallel`), and this is {parallelism}"
        )));
    }
    Ok(Layout { tp: parallelism.tp, dp: parallelism.dp, expert_parallel })
}

/// Whether a workload is a recorded conversation rather than requests of nominal lengths.
#[must_use]
pub fn is_agentic(workload: &Workload) -> bool {
    workload.isl == 0 || workload.osl == 0
}

/// Refuses an agentic point in a dialect that cannot replay one.
///
/// # Errors
/// The outcome of such a point.
pub fn check_agentic(interface: &Interface) -> Result<(), Outcome> {
    if interface.dialect() == Dialect::C && interface.has("agentic-scenario") {
        return Ok(());
    }
    let detail = format!("dialect {} of BLIS replays no agentic scenarios", interface.dialect());
    Err(not_scored(Reason::UnsupportedLayout, detail))
}

#[cfg(test)]
mod tests {
    use shared::deployment::{Parallelism, Speculation};

    use super::*;
    use crate::simulators::blis::testing::interface;
    use crate::testing::request;

    #[track_caller]
    fn refused<T: std::fmt::Debug>(result: Result<T, Outcome>, reason: Reason, said: &str) {
        match result.unwrap_err() {
            Outcome::NotScored(why) => {
                assert_eq!(why.reason, reason);
                assert!(why.detail.contains(said), "{}", why.detail);
            }
            Outcome::Scored(_) => panic!("scored"),
        }
    }

    fn with_layout(parallelism: Parallelism) -> PointRequest {
        let mut request = request(4);
        request.deployment.parallelism = parallelism;
        request
    }

    #[test]
    fn another_engine_speculation_and_pipelines_are_refused_with_their_reason() {
        assert_eq!(check(&request(4)), Ok(()));
        let mut other = request(4);
        other.deployment.framework = "sglang".to_owned();
        refused(check(&other), Reason::UnsupportedFramework, "sglang");
        let mut drafts = request(4);
        drafts.deployment.spec = Speculation { method: "mtp".to_owned(), tokens: Some(3) };
        refused(check(&drafts), Reason::NoAcceptanceRate, "mtp");
        drafts.acceptance_length = Some(2.5);
        refused(check(&drafts), Reason::UnsupportedLayout, "2.5");
        let stages = Parallelism { pp: 2, ..Parallelism::tensor(4) };
        refused(check(&with_layout(stages)), Reason::UnsupportedLayout, "pp2");
    }

    #[test]
    fn a_layout_that_a_build_has_no_flags_for_is_never_dropped() {
        let old = interface(Dialect::Zero, &[]);
        let new = interface(Dialect::Zero, &["dp", "enable-expert-parallel"]);
        let spread = with_layout(Parallelism { tp: 2, pp: 1, dp: 2, ep: 4, dp_attention: true });
        refused(layout(&spread, &old), Reason::UnsupportedLayout, "--dp");
        let found = layout(&spread, &new).unwrap();
        assert_eq!(found, Layout { tp: 2, dp: 2, expert_parallel: true });
        let mut experts = with_layout(Parallelism::tensor(4));
        experts.engine.enable_expert_parallel = true;
        refused(layout(&experts, &old), Reason::UnsupportedLayout, "--enable-expert-parallel");
        assert!(layout(&experts, &new).unwrap().expert_parallel);
        let part = with_layout(Parallelism { tp: 4, pp: 1, dp: 2, ep: 4, dp_attention: true });
        refused(layout(&part, &new), Reason::UnsupportedLayout, "ep4");
    }

    #[test]
    fn agentic_points_need_a_build_that_replays_them() {
        let mut workload = request(4).workload;
        assert!(!is_agentic(&workload));
        workload.isl = 0;
        assert!(is_agentic(&workload));
        refused(check_agentic(&interface(Dialect::A, &[])), Reason::UnsupportedLayout, "dialect A");
        assert_eq!(check_agentic(&interface(Dialect::C, &["agentic-scenario"])), Ok(()));
    }
}
