//! Coverage: from rows read to points scored, each loss with its reason, down to the very points.

pub mod model;

use shared::summary::Summary;

use super::losses::model::Loss;
use super::scene::Scene;
use super::{grid, losses};
use crate::components::card::list_card;
use crate::dom::{Element, Node, element};

/// The view.
pub fn view(scene: &Scene) -> Vec<Node> {
    let (a, b, estimator) = (scene.a.as_ref(), scene.b.as_deref(), &scene.choice.estimator);
    let grids = [model::way(a, b, estimator), model::estimators(a, b), model::verdicts(a, b)];
    let tables = element("div").class("tables").children(grids.map(|grid| grid::draw(grid, false)));
    let runs: Vec<_> = std::iter::once(a).chain(b).collect();
    let of_each = |losses: &dyn Fn(&Summary) -> Vec<Loss>| -> Vec<Vec<Loss>> {
        runs.iter().map(|run| losses(run)).collect()
    };
    let lists: [(&str, String, &str, Vec<Vec<Loss>>); 3] = [
        (
            "not-scored",
            format!("Points that {estimator} did not score"),
            "Every point has exactly one outcome: a prediction, or the reason why there is none.",
            of_each(&|run| model::not_scored(run, estimator)),
        ),
        (
            "skipped",
            "Rows that are no point".to_owned(),
            "Rows of the source that were read and not kept.",
            of_each(&model::skipped),
        ),
        (
            "not-exact",
            "Why a sweep is not EXACT".to_owned(),
            "What is not known of the measured runs: it decides the tier, and drops no point.",
            of_each(&model::not_exact),
        ),
    ];
    let lists =
        lists.into_iter().map(|(key, title, meaning, losses)| list(scene, key, &title, meaning, &losses));
    std::iter::once(tables).chain(lists).map(Node::from).collect()
}

/// A list of losses, of one run or of both side by side.
fn list(scene: &Scene, key: &str, title: &str, meaning: &str, losses: &[Vec<Loss>]) -> Element {
    let both = losses.len() > 1;
    let side = |(losses, name): (&Vec<Loss>, &str)| {
        let heading = both.then(|| element("h3").child(name));
        element("div").children(heading).child(losses::draw(losses, &scene.links()))
    };
    list_card(key, title, meaning)
        .child(element("div").class("sides").children(losses.iter().zip(["Run A", "Run B"]).map(side)))
}
