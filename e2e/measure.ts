// How fast the page is for a reader: `npm run measure` (docs/performance.md says how). Not a test: it prints milliseconds
// with the processor slowed down, as median and range over several first visits, and asserts nothing.
import { test } from "@playwright/test";

import { act, latency, Report, runs, seen, slowed } from "./timing.ts";

/** Runs in the page before anything else: marks the first frame with a table. */
function watch(): void {
  new MutationObserver((_, observer) => {
    if (document.querySelector("table.figures") !== null) {
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => performance.mark("first table")));
    }
  }).observe(document, { childList: true, subtree: true });
}

test("measure", async ({ browser, baseURL }) => {
  const origin = String(baseURL);
  const report = new Report();
  const note = report.note.bind(report);
  const [newest, older] = await runs(origin);

  for (let run = 0; run < report.runs; run += 1) {
    const { page, context } = await slowed(browser);
    await page.addInitScript(watch);
    await page.goto(origin);
    await page.waitForFunction(() => performance.getEntriesByName("first table").length > 0);
    note("first table", await page.evaluate(() => performance.getEntriesByName("first table")[0]?.startTime ?? NaN));
    await page.locator(".chip.good").first().waitFor();
    note("verified", await page.evaluate(() => performance.now()));

    const caption = `document.querySelector("table.figures caption").textContent`;
    note("choose a tier", await latency(page, `document.querySelector("input[name=tier][value=all]").click()`, `${caption}.includes("ALL")`));
    note("choose a grouping", await latency(page, act.enter("by", "engine_version"), `${caption}.includes("by engine version")`));
    note("choose an estimator", await latency(page, act.enter("estimator", "aic"), `${caption}.includes("estimator aic")`));

    if (newest !== undefined && older !== undefined) {
      await page.goto(new URL(`?run=${older}`, origin).href);
      await page.locator(".chip.good").first().waitFor();
      // Loads and checks the second snapshot, so that only choosing it is measured.
      note("open the list of runs", await latency(page, act.openRuns, seen.runs));
      note("choose a comparison, loading included", await latency(page, act.chooseRun(newest), seen.differences));
      const judged = `![...document.querySelectorAll("td small")].some((one) => one.textContent === "…")`;
      note("every difference judged, after that", await latency(page, "", judged));
      note("swap", await latency(page, `document.querySelector("button.swap").click()`, `new URL(location).searchParams.get("run") === "${newest}" && ${seen.differences}`));
    }
    await context.close();
  }
  report.print(origin);
});
