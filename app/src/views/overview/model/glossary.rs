//! What the words of the tables mean, in plain language.

/// The terms with their meanings.
pub const DEFINITIONS: [(&str, &str); 8] = [
    (
        "Point and sweep",
        "A point is one measured concurrency c: that many requests in flight against one deployment. A \
         sweep is a deployment and a workload over its concurrencies.",
    ),
    (
        "TPOT and TTFT",
        "Mean time per output token and mean time to first token, as the benchmark client measured them.",
    ),
    (
        "Signed mean",
        "Mean of 100 · (predicted / measured − 1). Above 0 the simulator says slower than measured, below \
         0 faster. Errors in both directions cancel out here.",
    ),
    ("MAPE", "Mean of the same errors without their sign: how far off a single prediction is, on average."),
    (
        "Shape",
        "How wrong the growth with concurrency is, whatever the level: predicted growth over the sweep's \
         lowest concurrency against measured growth. That lowest point is not counted.",
    ),
    (
        "At lowest c, at highest c",
        "Signed error at the two ends of each sweep: nearly idle and fully loaded.",
    ),
    (
        "95 % interval",
        "How far a figure would move had other sweeps been measured: a bootstrap over sweeps. Fewer than \
         five sweeps: none.",
    ),
    (
        "Compared with B",
        "Both runs over the points that both scored. Less MAPE or shape is better. A change whose interval \
         contains 0 may be chance: it stays grey and says so.",
    ),
];
