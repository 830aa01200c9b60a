// How fast the page is with much data: `npm run measure:large`, on the site of scripts/bench/large_site.py (docs/performance.md
// says how). It prints milliseconds with the processor slowed down, and fails over a limit: the budget of the page.
import { expect, test } from "@playwright/test";

import { act, latency, Report, runs, seen, slowed } from "./timing.ts";

/** The most that a median may be, in milliseconds. */
const budgets: Readonly<Record<string, number>> = {
  "filter the sweeps": 50,
  "sort the sweeps": 50,
  "open a sweep": 50,
  "open the list of 1,000 runs": 50,
  "find a run among 1,000": 50,
  "choose a comparison": 200,
};

test("measure with much data", async ({ browser, baseURL }) => {
  const origin = String(baseURL);
  const listed = await runs(origin);
  const [a, b] = listed;
  if (a === undefined || b === undefined || listed.length < 1000) {
    throw new Error("this is not the site of scripts/bench/large_site.py");
  }
  const report = new Report();
  for (let run = 0; run < report.runs; run += 1) {
    const { page, context } = await slowed(browser);
    await page.goto(new URL(`?view=sweeps&run=${a}&tier=all`, origin).href);
    await page.locator("table.sweeps tbody tr[data-key]").first().waitFor();
    // What was found is summed up after a while.
    await page.locator("p.lead.found", { hasText: "points scored" }).waitFor();
    await page.waitForTimeout(2000);
    const heading = page.locator("#sweeps-heading");
    const all = JSON.stringify(await heading.textContent());
    const shown = `document.querySelector("#sweeps-heading").textContent`;
    // Half of the sweeps are so far off.
    report.note("filter the sweeps", await latency(page, act.enter("find", "tpot-mape>84"), `${shown} !== ${all}`));
    await latency(page, act.enter("find", ""), `${shown} === ${all}`);
    await page.waitForTimeout(1500);
    const sort = `document.querySelector("th[data-column=ttft-mape] button").click()`;
    report.note("sort the sweeps", await latency(page, sort, `document.querySelector("th[data-column=ttft-mape]").ariaSort === "descending"`));
    await page.waitForTimeout(1500);
    const open = `document.querySelector("table.sweeps tbody tr[data-key] button").click()`;
    report.note("open a sweep", await latency(page, open, `document.querySelector(".detail [data-grid=points] tbody tr") !== null`));
    report.note("open the list of 1,000 runs", await latency(page, act.openRuns, seen.runs));
    report.note("find a run among 1,000", await latency(page, act.enter("run-b", b), `document.querySelectorAll("#run-b-list li").length === 1`));
    await context.close();

    const overview = await slowed(browser);
    // Both snapshots are loaded and checked, so that only the choice is measured.
    await overview.page.goto(new URL(`?run=${a}&vs=${b}`, origin).href);
    await expect(overview.page.locator(".chip.good")).toHaveCount(2, { timeout: 300_000 });
    await overview.page.locator("td .delta").first().waitFor();
    await latency(overview.page, act.openRuns, seen.runs);
    await latency(overview.page, `document.querySelector("#run-b-list li").click()`, `document.querySelector("td .delta") === null`);
    await latency(overview.page, act.openRuns, seen.runs);
    report.note("choose a comparison", await latency(overview.page, act.chooseRun(b), seen.differences));
    await overview.context.close();
  }
  report.print(origin);
  expect(report.over(budgets), "medians over their budgets").toEqual([]);
});
