//! Estimators: all of them on the same points.

pub mod model;

use shared::contest::Contest;
use shared::id::SweepId;
use shared::metric::Metric;

use super::grid;
use super::scene::Scene;
use crate::components::notice::{Weight, headline_and, notice};
use crate::dom::{Node, element};

/// The view.
pub fn view(scene: &Scene) -> Vec<Node> {
    let summary = scene.a.as_ref();
    let (tier, intervals) = (scene.choice.tier, scene.choice.intervals);
    let contest = Contest::new(summary);
    let tables = Metric::ALL.map(|metric| contest.table(tier, metric, intervals));
    let lead = element("p").class("lead").child(model::lead(summary, tables.each_ref()));
    let left_out = model::left_out(summary, &tables[0]);
    let left_out = (!left_out.is_empty()).then(|| {
        let text = format!("{}. Each of these points counts for none of them.", left_out.join("; "));
        notice(Weight::Information, [headline_and("What the common points leave out: ", text)])
    });
    let link = |id: &SweepId| scene.link_to_sweep(id);
    let standings = tables.each_ref().map(|table| model::standings(summary, &contest, table, intervals));
    let tiers = [model::tiers(summary, &contest)];
    let sweeps = Metric::ALL.map(|metric| model::sweeps(summary, &contest, tier, metric, &link));
    let grids = standings.into_iter().chain(tiers).chain(sweeps);
    let tables = element("div").class("tables wide").children(grids.map(|grid| grid::draw(grid, intervals)));
    [Some(lead), left_out, Some(tables)].into_iter().flatten().map(Node::from).collect()
}
