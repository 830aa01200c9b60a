// How fast the page is for a reader: `npm run measure` (docs/performance.md says how). Not a test: it prints milliseconds
// with the processor slowed down, as median and range over several first visits, and asserts nothing.
import { test, type Page } from "@playwright/test";

const runs = Number(process.env.RUNS ?? 7);
const slowdown = Number(process.env.SLOWDOWN ?? 4);

/** Runs in the page before anything else: marks the first frame with a table. */
function watch(): void {
  new MutationObserver((_, observer) => {
    if (document.querySelector("table.figures") !== null) {
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => performance.mark("first table")));
    }
  }).observe(document, { childList: true, subtree: true });
}

/** From a choice to the first frame after it in which `done` holds. */
async function latency(page: Page, act: string, done: string): Promise<number> {
  return page.evaluate(
    ([act, done]) =>
      new Promise<number>((resolve) => {
        // The page's own Content-Security-Policy does not apply to what Playwright evaluates.
        const start = performance.now();
        (0, eval)(act);
        const look = (): void => {
          requestAnimationFrame(() =>
            setTimeout(() => ((0, eval)(done) ? resolve(performance.now() - start) : look())),
          );
        };
        look();
      }),
    [act, done] as const,
  );
}

interface Snapshots {
  snapshots: { id: string }[];
}

test("measure", async ({ browser, baseURL }) => {
  const origin = String(baseURL);
  const report = new Map<string, number[]>();
  const note = (what: string, milliseconds: number): void => {
    report.set(what, [...(report.get(what) ?? []), milliseconds]);
  };
  const { snapshots } = (await (await fetch(new URL("data/index.json", origin))).json()) as Snapshots;
  const [newest, older] = snapshots;

  for (let run = 0; run < runs; run += 1) {
    // A fresh context has an empty cache: the first visit.
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await page.addInitScript(watch);
    await page.goto(origin);
    await page.waitForFunction(() => performance.getEntriesByName("first table").length > 0);
    note("first table", await page.evaluate(() => performance.getEntriesByName("first table")[0]?.startTime ?? NaN));
    await page.locator(".chip.good").first().waitFor();
    note("verified", await page.evaluate(() => performance.now()));

    const caption = `document.querySelector("table.figures caption").textContent`;
    const select = (id: string, value: string): string =>
      `{ const menu = document.getElementById("${id}"); menu.value = "${value}"; menu.dispatchEvent(new Event("change", { bubbles: true })); }`;
    note("choose a tier", await latency(page, `document.querySelector("input[name=tier][value=all]").click()`, `${caption}.includes("ALL")`));
    note("choose a grouping", await latency(page, select("by", "engine_version"), `${caption}.includes("by engine version")`));
    note("choose an estimator", await latency(page, select("estimator", "aic"), `${caption}.includes("estimator aic")`));

    if (newest !== undefined && older !== undefined) {
      await page.goto(new URL(`?run=${older.id}`, origin).href);
      await page.locator(".chip.good").first().waitFor();
      // Loads and checks the second snapshot, so that only choosing it is measured.
      const pick = `{ document.getElementById("run-b").click(); }`;
      note("open the list of runs", await latency(page, pick, `document.querySelector("#run-b-list li") !== null`));
      const option = (id: string): string =>
        `[...document.querySelectorAll("#run-b-list li")].find((one) => one.textContent.includes("${id}")).click()`;
      note("choose a comparison, loading included", await latency(page, option(newest.id), `document.querySelector("td .delta") !== null`));
      const judged = `![...document.querySelectorAll("td small")].some((one) => one.textContent === "…")`;
      note("every difference judged, after that", await latency(page, "", judged));
      note("swap", await latency(page, `document.querySelector("button.swap").click()`, `new URL(location).searchParams.get("run") === "${newest.id}" && document.querySelector("td .delta") !== null`));
    }
    await context.close();
  }
  console.log(`${runs} runs, processor ${slowdown} times slower, ${origin}`);
  for (const [what, times] of report) {
    const sorted = times.toSorted((one, other) => one - other);
    const median = sorted[Math.floor(sorted.length / 2)] ?? NaN;
    console.log(`${what.padEnd(40)} ${median.toFixed(0).padStart(6)} ms  (${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)})`);
  }
});
