use proptest::prelude::*;

use super::super::cost::{ReachCost, UNLIMITED};
use super::super::kv::KvPool;
use super::*;

/// Every step takes one second.
fn a_second_a_step() -> CostModel {
    let free = ReachCost {
        reach: UNLIMITED,
        decode_seconds: 0.0,
        prefill_seconds: 0.0,
        decode_bytes: 0.0,
        context_bytes: 0.0,
    };
    CostModel {
        memory_bytes_per_second: 1.0,
        step_weight_bytes: 1.0,
        head_weight_bytes: 0.0,
        token_seconds: 0.0,
        head_seconds: 0.0,
        experts: None,
        reaches: vec![free],
        kv_write_bytes: 0.0,
        collective_seconds: 0.0,
    }
}

fn limits(ranks: usize, max_sequences: usize, max_tokens: u32, blocks: u64) -> Limits {
    let kv = KvPool { capacity_bytes: blocks, block_size: 2, block_bytes: 1, windows: Vec::new() };
    Limits { ranks, max_sequences, max_tokens, kv }
}

fn requests(lengths: &[(u32, u32)]) -> Vec<Request> {
    lengths.iter().map(|&(input, output)| Request { input, output }).collect()
}

fn run(limits: &Limits, lengths: &[(u32, u32)], concurrency: usize) -> Replay {
    replay(&a_second_a_step(), limits, &requests(lengths), concurrency).unwrap()
}

fn times(replay: &Replay) -> Vec<(f64, f64, f64)> {
    replay.rows.iter().map(|row| (row.sent, row.first, row.last)).collect()
}

#[test]
fn a_long_prompt_is_read_in_chunks_of_the_token_budget() {
    let replay = run(&limits(1, 8, 4, 100), &[(5, 3)], 1);
    assert_eq!(times(&replay), [(0.0, 2.0, 4.0)]);
    assert_eq!((replay.steps, replay.computed_tokens), (4, 5 + 2));
}

#[test]
fn the_client_sends_the_next_request_the_moment_another_completes() {
    let replay = run(&limits(1, 8, 100, 100), &[(1, 1), (1, 3), (1, 2)], 2);
    assert_eq!(times(&replay), [(0.0, 1.0, 1.0), (0.0, 1.0, 3.0), (1.0, 2.0, 3.0)]);
}

#[test]
fn requests_beyond_max_num_seqs_wait_and_their_wait_counts() {
    let replay = run(&limits(1, 1, 100, 100), &[(1, 2), (1, 2)], 2);
    assert_eq!(times(&replay), [(0.0, 1.0, 2.0), (0.0, 3.0, 4.0)]);
}

#[test]
fn running_requests_get_their_token_before_waiting_ones() {
    // Budget 3: first the prompt of 2 and one token of the next; then one to decode and two of the prompt.
    let replay = run(&limits(1, 8, 3, 100), &[(2, 3), (4, 1)], 2);
    assert_eq!(times(&replay), [(0.0, 1.0, 3.0), (0.0, 3.0, 3.0)]);
}

#[test]
fn the_youngest_request_is_preempted_and_computes_its_tokens_again() {
    // Blocks of 2 tokens, 4 of them: both prompts of 3 take 2 blocks, and the fifth token of the first needs a third.
    let replay = run(&limits(1, 8, 100, 4), &[(3, 4), (3, 4)], 2);
    assert_eq!(times(&replay), [(0.0, 1.0, 4.0), (0.0, 1.0, 6.0)]);
    assert_eq!(replay.preemptions, 1);
    assert_eq!(replay.computed_tokens, (3 + 3) + (3 + 1) + (5 + 1));
}

#[test]
fn a_preempted_request_waits_in_front_of_those_that_never_ran() {
    // As above, with a third request that one free block would hold from the third step on.
    let replay = run(&limits(1, 2, 100, 4), &[(3, 4), (3, 4), (1, 1)], 3);
    assert_eq!(times(&replay), [(0.0, 1.0, 4.0), (0.0, 1.0, 6.0), (0.0, 5.0, 5.0)]);
}

#[test]
fn a_prompt_enters_only_when_all_of_it_fits() {
    // 5 blocks; the first holds 4 from its second token on, the prompt of 3 needs 2.
    let replay = run(&limits(1, 8, 100, 5), &[(7, 2), (3, 1)], 2);
    assert_eq!(times(&replay), [(0.0, 1.0, 2.0), (0.0, 3.0, 3.0)]);
}

#[test]
fn requests_go_to_the_ranks_in_turn_and_ranks_step_together() {
    let replay = run(&limits(2, 1, 100, 100), &[(1, 2), (1, 1), (1, 1), (1, 1)], 4);
    assert_eq!(times(&replay), [(0.0, 1.0, 2.0), (0.0, 1.0, 1.0), (0.0, 3.0, 3.0), (0.0, 2.0, 2.0)]);
}

#[test]
fn a_replay_that_cannot_be_says_why() {
    let fail = |limits: &Limits, lengths: &[(u32, u32)], concurrency| {
        replay(&a_second_a_step(), limits, &requests(lengths), concurrency).unwrap_err()
    };
    let good = limits(1, 8, 100, 100);
    assert_eq!(fail(&good, &[(1, 1), (0, 1)], 1), ReplayError::EmptyRequest { index: 1 });
    assert_eq!(fail(&good, &[(1, 0)], 1), ReplayError::EmptyRequest { index: 0 });
    assert_eq!(fail(&good, &[(1, 1)], 0), ReplayError::ZeroLimit("the concurrency"));
    let too_long = ReplayError::RequestTooLong { index: 0, tokens: 201, needed: 101, available: 100 };
    assert_eq!(fail(&good, &[(200, 1)], 1), too_long);
    assert!(matches!(fail(&good, &[(u32::MAX, 1)], 1), ReplayError::RequestTooLong { index: 0, .. }));
    for zero in [limits(0, 8, 100, 100), limits(1, 0, 100, 100), limits(1, 8, 0, 100)] {
        assert!(matches!(fail(&zero, &[(1, 1)], 1), ReplayError::ZeroLimit(_)));
    }
}

proptest! {
    #[test]
    fn every_request_is_served_whole_and_never_more_than_the_concurrency_at_once(
        lengths in prop::collection::vec((1_u32..40, 1_u32..20), 1..60),
        concurrency in 1_usize..12,
        ranks in 1_usize..3,
        max_sequences in 1_usize..8,
        max_tokens in 1_u32..50,
        blocks in 30_u64..60,
    ) {
        let replay = run(&limits(ranks, max_sequences, max_tokens, blocks), &lengths, concurrency);
        let needed: u64 = lengths.iter().map(|&(input, output)| u64::from(input + output - 1)).sum();
        if replay.preemptions == 0 {
            prop_assert_eq!(replay.computed_tokens, needed);
        } else {
            prop_assert!(replay.computed_tokens > needed);
        }
        for (row, &(_, output)) in replay.rows.iter().zip(&lengths) {
            prop_assert!(row.first > row.sent);
            prop_assert!(row.last - row.first >= f64::from(output - 1));
        }
        for pair in replay.rows.windows(2) {
            prop_assert!(pair[0].sent <= pair[1].sent);
        }
        for row in &replay.rows {
            let under_way = replay.rows.iter().filter(|other| other.sent <= row.sent && row.sent < other.last).count();
            prop_assert!(under_way <= concurrency);
        }
        let finish = replay.rows.iter().fold(0.0, |latest: f64, row| latest.max(row.last));
        prop_assert_eq!(finish, replay.steps as f64);
    }
}
