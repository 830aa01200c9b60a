use super::*;
use crate::error::signed_error;
use crate::outcome::Reason;
use crate::summary::GroupBy;
use crate::sweep::Flag;
use crate::testing::{estimator, not_scored, scored, sweep};
use crate::tier::Verdict;

fn corpus() -> Corpus {
    serde_json::from_str(include_str!("../../../data/sample/corpus.json")).unwrap()
}

fn two_decimals(figures: &Figures) -> [String; 2] {
    let pair = crate::format::absolute_and_signed;
    [pair(figures.shape, figures.signed_shape), pair(figures.mape, figures.signed_mean)]
}

#[test]
fn an_estimator_tells_once_what_its_means_were_taken_from() {
    let report = of_corpus(&corpus()).unwrap();
    assert!(report.estimators.iter().all(|estimator| estimator.bases == [Basis::PublishedRatio]));
}

#[test]
fn the_embedded_corpus_gives_the_published_table() {
    // The table of the published page, of which the artifact's README has the same figures from an
    // independent computation.
    let expected = [
        (Tier::Strict, "aic", 0, ["--", "--"], ["--", "--"]),
        (Tier::Strict, "aisimulate", 0, ["--", "--"], ["--", "--"]),
        (
            Tier::MeasuredOrResolved,
            "aic",
            360,
            ["12.00 (+6.85)", "19.88 (+11.32)"],
            ["31.28 (-26.28)", "39.03 (+4.56)"],
        ),
        (
            Tier::MeasuredOrResolved,
            "aisimulate",
            360,
            ["11.91 (+7.35)", "19.72 (+11.32)"],
            ["31.54 (+15.18)", "45.07 (-19.25)"],
        ),
        (Tier::All, "aic", 573, ["10.56 (+4.71)", "15.71 (+8.55)"], ["30.12 (-26.64)", "36.66 (+8.63)"]),
        (
            Tier::All,
            "aisimulate",
            573,
            ["10.43 (+4.68)", "15.39 (+7.70)"],
            ["23.05 (+9.94)", "37.86 (-21.65)"],
        ),
    ];
    let report = of_corpus(&corpus()).unwrap();
    assert_eq!(report.tiers.len(), expected.len());
    for (row, (tier, id, points, tpot, ttft)) in report.tiers.iter().zip(expected) {
        assert_eq!((row.tier, row.estimator.as_str(), row.tpot.points), (tier, id, points));
        assert_eq!(two_decimals(&row.tpot), tpot, "{tier:?} {id} TPOT");
        assert_eq!(two_decimals(&row.ttft), ttft, "{tier:?} {id} TTFT");
    }
    let counts =
        |row: &TierFigures| (row.tpot.sweeps, row.tpot.shape_points, row.ttft.points, row.ttft.shape_points);
    assert_eq!(counts(&report.tiers[2]), (68, 292, 356, 288));
    assert_eq!(counts(&report.tiers[4]), (113, 460, 569, 456));
    assert!(report.dropped.is_empty());
}

#[test]
fn the_embedded_corpus_has_the_published_verdicts() {
    let report = of_corpus(&corpus()).unwrap();
    assert_eq!((report.sweeps, report.points), (113, 573));
    let verdicts: Vec<(&str, u64, u64, String)> = report
        .verdicts
        .iter()
        .map(|count| (count.verdict.name(), count.sweeps, count.points, count.families.join(" ")))
        .collect();
    assert_eq!(
        verdicts,
        [
            ("EXACT", 0, 0, String::new()),
            ("PARTIAL", 68, 360, "deepseek-v4 gpt-oss kimi minimax".to_owned()),
            ("NOT_REPRODUCIBLE", 45, 213, "llama".to_owned()),
        ]
    );
    let unpassed: Vec<(&str, u64)> =
        report.unpassed.iter().map(|(name, sweeps)| (name.as_str(), *sweeps)).collect();
    assert_eq!(
        unpassed,
        [
            ("block_size", 48),
            ("enable_prefix_caching", 1),
            ("max_num_batched_tokens", 11),
            ("max_num_seqs", 31)
        ]
    );
    let spikes: Vec<String> =
        report.spikes.iter().map(|spike| format!("{} c={}", spike.name, spike.concurrency)).collect();
    assert_eq!(
        spikes,
        [
            "gpt-oss-120b-h200-fp4-vllm-tp1.yaml 8k1k c=16",
            "gpt-oss-120b-h200-fp4-vllm-tp2.yaml 8k1k c=8",
            "gpt-oss-120b-h200-fp4-vllm-tp2.yaml 8k1k c=32",
            "gpt-oss-120b-h200-fp4-vllm-tp4.yaml 1k1k c=16",
        ]
    );
}

#[test]
fn families_of_the_embedded_corpus_have_the_published_counts() {
    let report = of_corpus(&corpus()).unwrap();
    let of = |metric, tier, family: Option<&str>| {
        let rows = report
            .families
            .iter()
            .filter(|row| row.metric == metric && row.tier == tier && row.family.as_deref() == family);
        rows.map(|row| (row.figures.sweeps, row.figures.points, row.figures.shape_points)).collect::<Vec<_>>()
    };
    let both = |counts| vec![counts; 2];
    let measured = Tier::MeasuredOrResolved;
    assert_eq!(of(Metric::Tpot, measured, Some("gpt-oss")), both((28, 143, 115)));
    assert_eq!(of(Metric::Ttft, measured, Some("gpt-oss")), both((28, 139, 111)));
    assert_eq!(of(Metric::Ttft, measured, Some("kimi")), both((7, 44, 37)));
    assert_eq!(of(Metric::Tpot, measured, None), both((68, 360, 292)));
    assert_eq!(of(Metric::Tpot, measured, Some("llama")), []);
    assert_eq!(of(Metric::Tpot, Tier::All, Some("llama")), both((45, 213, 168)));
    assert_eq!(of(Metric::Tpot, Tier::All, Some("kimi")), []);
    assert_eq!(of(Metric::Ttft, Tier::All, None), both((113, 569, 456)));
    assert_eq!(of(Metric::Tpot, Tier::Strict, None), []);
}

fn taken(sweeps: &[Sweep<Outcome>], ids: &[&str]) -> (points::Taken, Vec<EstimatorId>) {
    let ids: Vec<EstimatorId> = ids.iter().map(|id| estimator(id)).collect();
    (points::take(sweeps, &ids), ids)
}

#[test]
fn a_sweep_that_one_estimator_misses_is_left_out_for_all_and_named() {
    let whole = sweep(1)
        .measured(1, 10.0, 5.0)
        .outcome("a", scored(11.0, 5.5))
        .outcome("b", scored(12.0, 5.0))
        .build();
    let torn = sweep(2)
        .measured(1, 10.0, 5.0)
        .outcome("a", scored(11.0, 5.5))
        .outcome("b", not_scored(Reason::Timeout))
        .measured(2, 20.0, 5.0)
        .outcome("a", scored(11.0, 5.5))
        .build();
    let (taken, _) = taken(&[whole.clone(), torn], &["a", "b"]);
    assert_eq!(taken.tpot, [whole]);
    let [dropped] = taken.dropped.as_slice() else { panic!("{:?}", taken.dropped) };
    assert_eq!((dropped.sweep.as_str(), dropped.points), ("0000000000000002", 2));
    assert_eq!(dropped.name, "gpt-oss-120b h200 fp4 vllm tp4 1024:1024");
    assert_eq!(
        dropped.missing,
        [MissingPoints {
            estimator: estimator("b"),
            concurrencies: vec![1, 2],
            reasons: vec!["not_published".to_owned(), "timeout".to_owned()],
        }]
    );
}

#[test]
fn a_spike_is_left_out_of_ttft_alone_and_the_ends_stay() {
    let mut spiky = sweep(1).verdict(Verdict::Partial);
    for (concurrency, ttft) in [(1, 10.0), (2, 500.0), (4, 20.0)] {
        spiky = spiky.measured(concurrency, ttft, 5.0).outcome("a", scored(15.0, 6.0));
    }
    let mut spiky = spiky.build();
    crate::spike::flag(&mut spiky.points, 10.0);
    assert_eq!(spiky.points[1].flags, [Flag::TtftSpike]);
    let (taken, ids) = taken(&[spiky], &["a"]);
    let (rules, grading) = (Rules::current(), Grading::default());
    let tables = tables::Tables {
        tpot: &taken.tpot,
        ttft: &taken.ttft,
        estimators: &ids,
        rules: &rules,
        grading: &grading,
    };
    let all = tables.tiers().pop().unwrap();
    assert_eq!((all.tpot.points, all.tpot.shape_points), (3, 2));
    assert_eq!((all.ttft.points, all.ttft.shape_points), (2, 1));
    assert_eq!((all.ttft.at_lowest, all.ttft.at_highest), (Some(50.0), Some(-25.0)));
    assert_eq!(taken.spikes.len(), 1);
}

#[test]
fn a_published_ratio_is_to_the_lowest_concurrency() {
    let corpus = corpus();
    let measured = &corpus.sweeps[0];
    let id = estimator("aic");
    let converted = source::sweeps(&corpus);
    let point = &converted[0].points[1];
    let Some(Outcome::Scored(prediction)) = point.predictions.get(&id) else { panic!("{point:?}") };
    let ratio = measured.points[1].predictions[&id];
    assert_eq!(prediction.ttft_ms.get(), ratio.ttft * measured.points[0].ttft_ms.get());
    let error = signed_error(prediction.tpot_ms, point.tpot_ms);
    let expected = 100.0 * (ratio.tpot * measured.points[0].tpot_ms.get() / point.tpot_ms.get() - 1.0);
    assert!((error - expected).abs() < 1e-9);
}

#[test]
fn a_corpus_without_predictions_still_has_verdicts() {
    let mut corpus = corpus();
    corpus.published_estimators.clear();
    for point in corpus.sweeps.iter_mut().flat_map(|sweep| &mut sweep.points) {
        point.predictions.clear();
    }
    let report = of_corpus(&corpus).unwrap();
    assert!(report.estimators.is_empty() && report.tiers.is_empty() && report.families.is_empty());
    assert_eq!((report.verdicts[1].sweeps, report.dropped.len()), (68, 0));
}

#[test]
fn points_that_do_not_balance_are_refused() {
    let mut twice = corpus();
    let point = twice.sweeps[0].points[0].clone();
    twice.sweeps[0].points.insert(0, point);
    assert!(matches!(of_corpus(&twice), Err(CoverageError::Order { .. })));
    let mut unnamed = corpus();
    unnamed.published_estimators.remove(&estimator("aic"));
    assert!(matches!(of_corpus(&unnamed), Err(CoverageError::Unnamed { .. })));
}

#[test]
fn without_spikes_and_drops_the_figures_are_the_aggregates() {
    // One family without a spike: the report and a snapshot's aggregate must agree to the bit.
    let sweeps = source::sweeps(&corpus());
    let report = of_corpus(&corpus()).unwrap();
    let rows = report.families.iter().filter(|row| row.family.as_deref() == Some("minimax"));
    for row in rows {
        let key = crate::summary::AggregateKey {
            by: GroupBy::Family,
            key: "minimax".to_owned(),
            tier: row.tier,
            estimator: row.estimator.clone(),
            metric: row.metric,
        };
        let members: Vec<&Sweep<Outcome>> = sweeps.iter().collect();
        let expected = crate::aggregate::figures(&key, &members, &Rules::current(), &Grading::default());
        assert_eq!(row.figures, expected);
    }
}

#[test]
fn a_snapshot_is_reported_with_its_primary_estimator_first() {
    let summary = crate::testing::summary();
    let report = of_summary(&summary).unwrap();
    let ids: Vec<&str> = report.estimators.iter().map(|estimator| estimator.id.as_str()).collect();
    assert_eq!(ids, ["blis", "aic"]);
    assert_eq!(report.run, Some(summary.run.clone()));
    assert_eq!(
        report.estimators[0].identity.as_ref(),
        summary.simulators.iter().find(|it| it.id.as_str() == "blis")
    );
    // Sweep 3 has a point that blis did not score, sweep 2 a spike.
    let dropped: Vec<&str> = report.dropped.iter().map(|sweep| sweep.sweep.as_str()).collect();
    assert_eq!(dropped, ["0000000000000003"]);
    assert_eq!(report.dropped[0].missing[0].reasons, ["run_error"]);
    assert_eq!(report.spikes.iter().map(|spike| spike.concurrency).collect::<Vec<_>>(), [2]);
    assert_eq!((report.sweeps, report.points), (7, 21));
    for row in report.tiers.iter().filter(|row| row.tier == Tier::All) {
        assert_eq!((row.tpot.sweeps, row.tpot.points, row.ttft.points), (6, 18, 17));
    }
    let mut lost = summary;
    lost.sweeps[0].points[0].predictions.clear();
    assert!(matches!(of_summary(&lost), Err(CoverageError::Missing { .. })));
}

#[test]
fn the_model_survives_json() {
    let report = of_corpus(&corpus()).unwrap();
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
}
