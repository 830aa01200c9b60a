// All estimators on the same points: every figure worked out again by code that shares nothing with the page.
import { expect, test } from "../fixtures/index.ts";
import { count, decimal, grade, verdicts } from "../fixtures/figures.ts";
import { metrics, type Metric, type Summary, type Tier } from "../fixtures/site.ts";

interface Standing {
  scored: number;
  mape: number;
  wins: number;
  skill: number | undefined;
}

/** The standings, by estimator, and how many sweeps are shared. */
function contest(summary: Summary, tier: Tier, metric: Metric): { standings: Map<string, Standing>; shared: number; points: number } {
  const ids = summary.simulators.map(({ id }) => id);
  const reference = summary.simulators.find(({ kind }) => kind === "roofline")?.id ?? "";
  const name = metric === "tpot" ? "tpot_ms" : "ttft_ms";
  const sums = new Map(ids.map((id) => [id, { scored: 0, error: 0, wins: 0 }]));
  let points = 0;
  let shared = 0;
  for (const sweep of summary.sweeps.filter(({ verdict }) => verdicts[tier].includes(verdict))) {
    const own = new Map(ids.map((id) => [id, 0]));
    let common = 0;
    for (const point of sweep.points) {
      for (const id of ids) {
        (sums.get(id) ?? { scored: 0 }).scored += point.predictions[id]?.scored === undefined ? 0 : 1;
      }
      if (ids.some((id) => point.predictions[id]?.scored === undefined)) {
        continue;
      }
      common += 1;
      for (const id of ids) {
        const predicted = point.predictions[id]?.scored?.[name] ?? NaN;
        own.set(id, (own.get(id) ?? 0) + Math.abs(100 * (predicted / (point[name] ?? NaN) - 1)));
      }
    }
    if (common === 0) {
      continue;
    }
    points += common;
    const least = Math.min(...own.values()) / common;
    const best = ids.filter((id) => (own.get(id) ?? NaN) / common <= least + 0.05);
    shared += best.length > 1 ? 1 : 0;
    for (const id of ids) {
      const sum = sums.get(id) ?? { scored: 0, error: 0, wins: 0 };
      sum.error += own.get(id) ?? NaN;
      sum.wins += best.length === 1 && best[0] === id ? 1 : 0;
    }
  }
  const base = sums.get(reference)?.error;
  const standings = new Map(
    [...sums].map(([id, { scored, error, wins }]) => [
      id,
      { scored, mape: error / points, wins, skill: base ? 100 * (1 - error / base) : undefined },
    ]),
  );
  return { standings, shared, points };
}

for (const tier of ["measured-or-resolved", "all"] as const) {
  test(`errors, wins and skill in ${tier} are those of the common points`, async ({ explorer, site }) => {
    await explorer.open(`?view=estimators&tier=${tier}`);
    const summary = site.summary(site.newest);
    for (const metric of metrics) {
      const { standings, points } = contest(summary, tier, metric);
      const sheet = await explorer.sheet(`standings-${metric}`);
      expect([...sheet.keys()].sort()).toEqual([...standings.keys()].sort());
      const shown = [...sheet.keys()].map((id) => standings.get(id)?.mape ?? NaN);
      expect(shown, "the least error stands first").toEqual([...shown].sort((one, other) => one - other));
      for (const [id, row] of sheet) {
        const { scored, mape, wins, skill } = standings.get(id) ?? { scored: NaN, mape: NaN, wins: NaN, skill: NaN };
        expect(row, `${metric} of ${id}`).toMatchObject({
          scored: count(scored),
          mape: decimal(mape),
          grade: grade(mape, summary.grading),
          wins: count(wins),
          skill: decimal(skill, true),
        });
      }
      await expect(explorer.grid(`standings-${metric}`)).toContainText(`${count(points)} of`);
    }
  });
}

test("every sweep marks the estimator with the least error", async ({ explorer }) => {
  await explorer.open("?view=estimators&tier=all");
  const grid = explorer.grid("wins-tpot");
  await grid.getByRole("button", { name: /^Show all \d+ rows$/ }).click();
  const wrong = await grid.locator("tbody tr").evaluateAll(
    (rows) =>
      rows.filter((row) => {
        const cells = [...row.querySelectorAll("td")].slice(1);
        const value = (cell: Element): number => Number(cell.querySelector(".value")?.textContent);
        const least = Math.min(...cells.map(value));
        const best = cells.filter((cell) => cell.className === "best");
        return best.length === 0 || best.some((cell) => value(cell) > least + 0.1);
      }).length,
  );
  expect(wrong).toBe(0);
});
