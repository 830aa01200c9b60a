//! Works a comparison out: at once without intervals, then with them, a row at a time, so that the page stays
//! responsive.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::compare::{Comparer, Lists, SweepDifference};
use shared::metric::Metric;
use shared::summary::Summary;

use super::model;
use crate::browser;
use crate::message::Question;
use crate::views::overview::model::compare::Compared;
use crate::views::scene::Scene;

/// All that is said of two runs.
#[derive(Debug)]
pub struct Answer {
    /// The groups, and the sentence.
    pub compared: Compared,
    /// The rules that differ, where that is the obstacle.
    pub rules: Vec<String>,
    /// The sweeps that differ, of both metrics.
    pub sweeps: Vec<SweepDifference>,
    /// What only one run scored or has.
    pub lists: Lists,
}

impl PartialEq for Answer {
    /// An answer never changes, so that the same allocation is the same answer.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// How long the page may be kept from its reader at a stretch, in milliseconds.
const LONGEST_MS: f64 = 16.0;

/// The answer as far as it is worked out; nobody waits for it once the view is gone.
pub fn begin(scene: &Scene, b: &Arc<Summary>) -> RwSignal<Option<Arc<Answer>>> {
    let (a, b) = (Arc::clone(&scene.a), Arc::clone(b));
    let question = Question {
        a: a.run.id.clone(),
        b: b.run.id.clone(),
        estimator: scene.choice.estimator.clone(),
        tier: scene.choice.tier,
        by: scene.choice.by,
    };
    let answer = RwSignal::new(None);
    let gone = Arc::new(AtomicBool::new(false));
    let leave = Arc::clone(&gone);
    on_cleanup(move || leave.store(true, Ordering::Relaxed));
    spawn_local(async move {
        browser::pause(0).await;
        if gone.load(Ordering::Relaxed) {
            return;
        }
        let comparer = Comparer::new(&a, &b);
        let mut compared = Compared::open(&a, &comparer, &question);
        let is_open = compared.obstacle().is_none();
        let sweeps = |metric| comparer.view(&question.estimator, metric).sweeps();
        let sweeps: Vec<SweepDifference> =
            if is_open { Metric::ALL.into_iter().flat_map(sweeps).collect() } else { Vec::new() };
        let say = |compared: &Compared| {
            answer.set(Some(Arc::new(Answer {
                compared: compared.clone(),
                rules: model::rules_that_differ(&a, &b),
                sweeps: sweeps.clone(),
                lists: comparer.lists(),
            })));
        };
        say(&compared);
        if !is_open {
            return;
        }
        let mut began = browser::milliseconds();
        for (metric, rows) in Metric::ALL.into_iter().zip(&mut compared.rows) {
            let view = comparer.view(&question.estimator, metric);
            for row in rows {
                *row = view.row(&row.of, true);
                if browser::milliseconds() - began > LONGEST_MS {
                    browser::pause(0).await;
                    began = browser::milliseconds();
                }
                if gone.load(Ordering::Relaxed) {
                    return;
                }
            }
        }
        say(&compared);
    });
    answer
}
