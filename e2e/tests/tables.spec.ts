// Both tables, cell by cell, against figures that are worked out from the snapshot's points by other code, and against
// what the scorer reports.
import { expect, test } from "../fixtures/index.ts";
import { count, decimal, grade, groupings, none, table, type Rows } from "../fixtures/figures.ts";
import { metrics, tiers, type Figures, type Metric, type Tier } from "../fixtures/site.ts";
import type { Dashboard, Row } from "../fixtures/dashboard.ts";

type Shown = Record<string, string>;

function shownOf(row: Row): Shown {
  return Object.fromEntries(Object.entries(row.cells).map(([column, { value }]) => [column, value]));
}

/** What a row of these figures must show. */
function wanted(figures: Omit<Figures, "not_scored" | "grade">, letter: string): Shown {
  const counts = { sweeps: count(figures.sweeps), points: count(figures.points) };
  if (figures.points === 0) {
    return counts;
  }
  return {
    ...counts,
    signed_mean: decimal(figures.signed_mean, true),
    mape: decimal(figures.mape),
    shape: decimal(figures.shape),
    shape_points: count(figures.shape_points),
    at_lowest: decimal(figures.at_lowest, true),
    at_highest: decimal(figures.at_highest, true),
    grade: letter,
  };
}

async function shown(dashboard: Dashboard, metric: Metric): Promise<[string, Shown][]> {
  const { rows, total } = await dashboard.table(metric);
  return [...rows, total].map((row) => [row.key, shownOf(row)]);
}

const full: Readonly<Record<string, "signed_mean" | "mape" | "shape" | "at_lowest" | "at_highest">> = {
  signed_mean: "signed_mean",
  mape: "mape",
  shape: "shape",
  at_lowest: "at_lowest",
  at_highest: "at_highest",
};

/** The titles carry the figures in full precision. */
async function expectTitles(dashboard: Dashboard, metric: Metric, expected: Rows): Promise<void> {
  const { rows, total } = await dashboard.table(metric);
  for (const row of [...rows, total]) {
    for (const [column, figure] of Object.entries(full)) {
      const value = expected.get(row.key)?.[figure];
      const title = row.cells[column]?.title ?? "";
      if (value !== undefined) {
        const said = Number(/(-?[\d.]+(?:e-?\d+)?) %/.exec(title)?.[1]);
        expect(said, `${row.key} ${column}: “${title}”`).toBeCloseTo(value, 9);
      }
    }
  }
}

test.describe("every cell of both tables is the figure of the snapshot's points", () => {
  for (const tier of tiers) {
    test(`in the tier ${tier}, for every grouping`, async ({ dashboard, site }) => {
      const summary = site.summary(site.newest);
      await dashboard.open();
      await dashboard.chooseTier(tier);
      for (const by of Object.keys(groupings)) {
        await dashboard.groupBy(by);
        await expect(dashboard.page.locator(`table.figures thead th`).first()).toHaveText(
          new RegExp(`^${by.replace("_", " ")}$`, "i"),
        );
        for (const metric of metrics) {
          const expected = table(summary, { estimator: summary.run.primary, tier, by, metric });
          const rows = [...expected].map(([key, figures]) => [
            key,
            wanted(figures, grade(figures.mape, summary.grading)),
          ]);
          expect(await shown(dashboard, metric), `${metric} by ${by}`).toEqual(rows);
          await expectTitles(dashboard, metric, expected);
        }
      }
    });
  }

  test("for every estimator", async ({ dashboard, site }) => {
    const summary = site.summary(site.newest);
    await dashboard.open();
    expect(summary.simulators.length).toBeGreaterThan(1);
    for (const { id } of summary.simulators) {
      await dashboard.chooseEstimator(id);
      await expect(dashboard.tables.first().locator("caption")).toContainText(`estimator ${id}`);
      for (const metric of metrics) {
        const choice = { estimator: id, tier: "measured-or-resolved" as Tier, by: "family", metric };
        const rows = [...table(summary, choice)].map(([key, figures]) => [
          key,
          wanted(figures, grade(figures.mape, summary.grading)),
        ]);
        expect(await shown(dashboard, metric), `${metric} of ${id}`).toEqual(rows);
      }
    }
  });
});

test("the tables say what scorer report says", async ({ dashboard, site }) => {
  const report = await site.report(site.newest);
  const summary = site.summary(site.newest);
  // The report leaves out incomplete sweeps and, of TTFT alone, spikes; the page leaves out nothing. Both agree
  // wherever nothing was left out: that is everything but TTFT of what has a spike.
  expect(report.dropped).toEqual([]);
  const spiked = new Set(
    summary.sweeps.filter(({ id }) => report.spikes.some(({ sweep }) => sweep === id)).map(({ family }) => family),
  );
  const reported = [
    ...report.families
      .map((one) => ({ ...one, family: one.family ?? "all" }))
      .filter(({ metric, family }) => metric === "tpot" || !(family === "all" || spiked.has(family))),
    ...report.tiers.map(({ tier, estimator, tpot }) => ({
      metric: "tpot" as Metric,
      tier,
      family: "all",
      estimator,
      figures: tpot,
    })),
  ];
  expect(reported.filter(({ figures }) => figures.points > 0).length).toBeGreaterThan(30);

  await dashboard.open();
  for (const { id: estimator } of summary.simulators) {
    await dashboard.chooseEstimator(estimator);
    for (const tier of tiers) {
      await dashboard.chooseTier(tier);
      await expect(dashboard.tables.first().locator("caption")).toContainText(`estimator ${estimator}`);
      for (const metric of metrics) {
        const rows = new Map(await shown(dashboard, metric));
        const expected = reported.filter(
          (one) => one.estimator === estimator && one.tier === tier && one.metric === metric,
        );
        for (const { family, figures } of expected) {
          expect(rows.get(family), `${metric} of ${family} in ${tier} by ${estimator}`).toEqual(
            wanted(figures, figures.grade ?? none),
          );
        }
      }
    }
  }
});

test("a group without a scored point says why", async ({ dashboard }) => {
  await dashboard.open("?tier=strict");
  const { rows, total } = await dashboard.table("tpot");
  for (const row of [...rows, total]) {
    expect(row.cells["points"]?.value).toBe("0");
    expect(row.empty).toMatch(/no sweep in “Strict”/);
  }
  await expect(dashboard.page.locator(".notices")).toContainText("“Strict” has no scored point");
});

test("the sentence above the tables says what the total rows say", async ({ dashboard }) => {
  await dashboard.open();
  for (const tier of ["measured-or-resolved", "all"] as const) {
    await dashboard.chooseTier(tier);
    const totals = await Promise.all(metrics.map(async (metric) => (await dashboard.table(metric)).total));
    for (const { cells } of totals) {
      const text = (await dashboard.lead.innerText()).replaceAll("\u2212", "-");
      expect(text).toContain(`${cells["mape"]?.value} % (grade ${cells["grade"]?.value})`);
      expect(text).toContain(`${cells["signed_mean"]?.value} %`);
      expect(text).toContain(`Over ${cells["points"]?.value} measured points of ${cells["sweeps"]?.value} sweeps`);
    }
  }
});

test("intervals enclose their figures, and few sweeps have none", async ({ dashboard }) => {
  await dashboard.open("?ci=1&by=engine_version");
  const { rows, total } = await dashboard.table("ttft");
  const scored = [...rows, total].filter(({ empty }) => empty === undefined);
  expect(scored.map(({ cells }) => Number(cells["sweeps"]?.value) < 5)).toContain(true);
  for (const row of scored) {
    const cell = dashboard.page.locator(`table[data-metric=ttft] tr[data-key="${row.key}"] td[data-column=mape]`);
    const text = await cell.locator("small").innerText();
    if (Number(row.cells["sweeps"]?.value) < 5) {
      expect(text).toBe("< 5 sweeps");
    } else {
      const [low, high] = text.split(" to ").map(Number);
      const value = Number(row.cells["mape"]?.value);
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
    }
  }
});
