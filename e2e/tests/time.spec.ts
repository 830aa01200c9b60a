// Time: the history over the runs of the index; a stale site is told from one whose nights fail.
import { expect, test } from "../fixtures/index.ts";
import { answer, change, indexFile } from "../fixtures/answers.ts";
import { count, decimal } from "../fixtures/figures.ts";
import type { Figures, Index, Metric } from "../fixtures/site.ts";

const failure = {
  schema: "last-failure.v1",
  since: "2026-11-20T02:00:00Z",
  stage: "ingest",
  exit_code: 5,
  meaning: "a server did not answer",
  simulator: "v0.7.15",
};

test("the runs of the index stand with their headline figures, and groups are loaded when asked for", async ({
  dashboard,
  explorer,
  page,
  site,
}) => {
  // Three runs of one simulator: the newest under two more ids.
  const ids = ["a", "b"].map((letter) => site.newest.id.replace(/_[^_]+$/, `_0000000${letter}`));
  await change<Index>(page, indexFile, (index) => {
    const [first] = index.snapshots;
    index.snapshots.push(...ids.map((id) => ({ ...(first as Index["snapshots"][number]), id })));
  });
  let loaded = 0;
  for (const id of ids) {
    await page.route(`**/data/snapshots/${id}/summary.json`, async (route) => {
      loaded += 1;
      await route.fulfill({ json: site.summary(site.newest) });
    });
  }
  await explorer.open("?view=time&tier=all");
  const runs = await explorer.sheet("runs");
  expect(runs.size).toBe(3);
  const figures = (by: string, key: string, metric: Metric): Figures | undefined =>
    site
      .summary(site.newest)
      .aggregates.find(
        ({ of }) =>
          of.by === by && of.key === key && of.tier === "all" && of.metric === metric && of.estimator === site.newest.primary,
      )?.figures;
  expect(runs.get(site.newest.id)).toMatchObject({
    points: count(figures("all", "all", "tpot")?.points ?? NaN),
    "tpot-mape": decimal(figures("all", "all", "tpot")?.mape),
    "ttft-shape": decimal(figures("all", "all", "ttft")?.shape),
  });
  expect(loaded, "no snapshot is loaded for the headline figures").toBe(0);

  await page.getByRole("button", { name: "Load the figures by group of the newest 3 runs" }).click();
  await expect(page.getByRole("status").filter({ hasText: "3 runs loaded." })).toHaveCount(1);
  expect(loaded).toBe(2);
  const groups = await explorer.sheet("groups");
  expect(groups.get("kimi")?.[site.newest.id]).toBe(decimal(figures("family", "kimi", "ttft")?.mape));
  await expect(explorer.grid("groups").locator("tr[data-key=kimi] svg.spark circle")).toHaveCount(1);
  await page.locator("#metric").selectOption("tpot");
  expect(dashboard.parameters().get("metric")).toBe("tpot");
  await expect(explorer.grid("groups").getByRole("heading")).toHaveText("TPOT MAPE by family");
});

test("stale, failing and fresh are told apart", async ({ explorer, page, site }) => {
  const at = async (day: string): Promise<void> => {
    await page.clock.setFixedTime(new Date(`${day}T12:00:00Z`));
    await explorer.open("?view=time");
  };
  const made = site.newest.generated_at.slice(0, 10);
  await at(made);
  await expect(explorer.view).toContainText("The figures are fresh.");
  await at("2027-03-01");
  await expect(explorer.view).toContainText("The figures are stale.");
  await expect(explorer.view).toContainText("No failed night is on record");

  await page.route(/\/(\?.*)?$/, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace("<noscript>", '<noscript><p data-nights="failing">!</p>') });
  });
  await answer(page, /last-failure\.json$/, failure);
  await at(made);
  await expect(explorer.view).toContainText("The nightly run fails.");
  await expect(explorer.view).toContainText("Since 2026-11-20 it stops in the stage “ingest”");
  await expect(explorer.view).not.toContainText("stale");
  await at("2027-03-01");
  await expect(explorer.view).toContainText("The nightly run fails.");
  await expect(explorer.view).toContainText("The figures are stale.");
  await answer(page, /last-failure\.json$/, "{half");
  await at(made);
  await expect(explorer.view).toContainText("Whether the nightly run fails is not known.");
});
