// Coverage: from rows read to points scored, and every loss down to its points.
import { expect, test } from "../fixtures/index.ts";
import { change, snapshotFile } from "../fixtures/answers.ts";
import { count } from "../fixtures/figures.ts";
import type { Summary } from "../fixtures/site.ts";

test("the way from rows to scored points balances", async ({ explorer }) => {
  await explorer.open("?view=coverage");
  const sheet = await explorer.sheet("way");
  const number = (key: string): number => Number(sheet.get(key)?.["a"]?.replaceAll(",", "") ?? "0");
  let left = number("read");
  for (const [key, row] of sheet) {
    const value = Number(row["a"]?.replaceAll(",", ""));
    if (value < 0 || row["a"]?.startsWith("-")) {
      left += value;
    } else if (["kept", "points", "scored"].includes(key)) {
      expect(value, key).toBe(left);
    }
  }
  expect(number("scored")).toBe(left);
});

test("points that are not scored stand under their reason, which is said once", async ({ explorer, page, site }) => {
  const timeout = "The replay took longer than 900 s. ".repeat(5);
  const lost = site.summary(site.newest).sweeps.slice(0, 3).map(({ id }) => id);
  await change<Summary>(page, snapshotFile(site.newest), (summary) => {
    for (const sweep of summary.sweeps.filter(({ id }) => lost.includes(id))) {
      for (const point of sweep.points) {
        point.predictions[summary.run.primary] = { not_scored: { reason: "timeout", detail: timeout } };
      }
    }
  });
  await explorer.open("?view=coverage&tier=all");
  const losses = explorer.list("not-scored").locator("details.loss");
  await expect(losses).toHaveCount(1);
  await expect(losses).toContainText("timeout");
  await losses.locator("summary").click();
  await expect(losses.locator("li")).toHaveCount(3);
  const first = site.summary(site.newest).sweeps.find(({ id }) => id === lost[0]);
  const concurrencies = first?.points.map(({ concurrency }) => concurrency).join(", ");
  await expect(losses.locator("li").filter({ hasText: `c\u00a0=\u00a0${concurrencies}` }).first()).toBeVisible();
  const text = await explorer.list("not-scored").innerText();
  expect(text.split("900 s").length - 1, "the reason is said once").toBeLessThanOrEqual(5);
  // A point leads to its sweep.
  await losses.locator("li a").first().click();
  await explorer.settled();
  await expect(explorer.grid("points")).toContainText("timeout");
});

test("with two runs both stand side by side", async ({ explorer, site }) => {
  await explorer.open(`?view=coverage&run=${site.older.id}&vs=${site.newest.id}`);
  const sheet = await explorer.sheet("way");
  expect(sheet.get("points")).toEqual({ a: count(site.older.points), b: count(site.newest.points), delta: "0" });
  await expect(explorer.list("not-scored").getByRole("heading", { name: "Run B" })).toBeVisible();
});
