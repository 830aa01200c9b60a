//! Works a comparison out: at once without intervals, then with them, so that the page stays responsive.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::compare::{SweepDifference, View};
use shared::summary::Summary;

use super::model;
use crate::message::Question;
use crate::views::overview::model::compare::Compared;
use crate::views::scene::Scene;
use crate::{browser, comparing};

/// All that is said of two runs.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The groups, and the sentence.
    pub compared: Arc<Compared>,
    /// What does not wait for the intervals.
    pub opening: Arc<Opening>,
}

impl PartialEq for Answer {
    /// What is said never changes, so that the same allocations are the same answer.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.compared, &other.compared) && self.opening == other.opening
    }
}

/// What is known of two runs from the beginning, and stays.
#[derive(Debug)]
pub struct Opening {
    /// The rules that differ, where that is the obstacle.
    pub rules: Vec<String>,
    /// The sweeps that differ, of both metrics.
    pub sweeps: Vec<Arc<SweepDifference>>,
    /// The groups without intervals, with the lists of what only one run scored or has.
    pub compared: Arc<Compared>,
}

impl PartialEq for Opening {
    /// As above.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The answer as far as it is worked out; nobody waits for it once the view is gone.
pub fn begin(scene: &Scene, b: &Arc<Summary>) -> RwSignal<Option<Answer>> {
    let (a, b) = (Arc::clone(&scene.a), Arc::clone(b));
    let question = Question {
        a: a.run.id.clone(),
        b: b.run.id.clone(),
        estimator: scene.choice.estimator.clone(),
        tier: scene.choice.tier,
        by: scene.choice.by,
    };
    let answer: RwSignal<Option<Answer>> = RwSignal::new(None);
    spawn_local(async move {
        browser::pause(0).await;
        let is_wanted = || !answer.is_disposed();
        if !is_wanted() {
            return;
        }
        let mut opening = None;
        comparing::run(&a, &b, &question, is_wanted, |compared, views| {
            let compared = Arc::new(compared.clone());
            let opening = opening.get_or_insert_with(|| {
                let open = compared.is_comparable().then_some(views);
                let sweeps = open.into_iter().flatten().flat_map(View::sweeps);
                Arc::new(Opening {
                    rules: model::rules_that_differ(&a, &b),
                    sweeps: sweeps.map(Arc::new).collect(),
                    compared: Arc::clone(&compared),
                })
            });
            answer.set(Some(Answer { compared, opening: Arc::clone(opening) }));
        })
        .await;
    });
    answer
}
