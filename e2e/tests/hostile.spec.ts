// Data that mean harm: nothing in them is executed, nothing breaks the page, and what is wrong is said in plain words.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures/index.ts";
import { expectNoWiderThan } from "../fixtures/access.ts";
import { answer, change, hold, indexFile, snapshotFile } from "../fixtures/answers.ts";
import { views } from "../fixtures/explorer.ts";
import type { Index, IndexEntry, Outcome, Summary } from "../fixtures/site.ts";

const script = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const long = "n".repeat(10_000);
const rtl = "\u202e\u2067gnp.exe\u05d0\u05d1";
const failedLoad = /Failed to load resource/;

/** A snapshot in which every text that somebody else chose is this one. */
function spoil(summary: Summary, text: string): void {
  for (const sweep of summary.sweeps as unknown as Record<string, unknown>[]) {
    Object.assign(sweep, { model: text, family: text, hardware: text, precision: text, engine_version: text, framework: text, image: text });
    sweep.verdict_reasons = [text, text];
    sweep.source = { name: text };
    sweep.settings = { [text]: { value: text, origin: "passed" } };
    for (const point of sweep.points as Record<string, unknown>[]) {
      point.settings = { [`${text}2`]: { value: text, origin: "resolved" } };
      point.lengths = { different: text };
      for (const { not_scored } of Object.values(point.predictions as Record<string, Outcome>)) {
        Object.assign(not_scored ?? {}, { detail: text });
      }
    }
  }
  for (const { of } of summary.aggregates) {
    if (!["all", "tier"].includes(of.by)) {
      of.key = text;
    }
  }
  for (const simulator of summary.simulators) {
    Object.assign(simulator, { name: text, version: text });
  }
}

function spoilEntry(entry: IndexEntry, text: string): void {
  Object.assign(entry, { measurements: text, simulator: text, generated_at: text });
}

// A page may still be fetching what a handler changes.
test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

async function expectUnharmed(page: Page, width: number): Promise<void> {
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.locator("body img, body script:not([src])")).toHaveCount(0);
  expect(await page.title()).not.toBe("owned");
  await expectNoWiderThan(page, width);
}

for (const [what, text] of [["markup", script], ["10,000 letters", long], ["letters from right to left", rtl]] as const) {
  test.describe(`${what} in every name on a narrow screen`, () => {
    const width = 320;
    test.use({ viewport: { width, height: 900 } });

    for (const view of ["Overview", ...views]) {
      test(`the ${view} shows it as text, and is no wider`, async ({ page, site }) => {
        await change<Summary>(page, snapshotFile(site.newest), (summary) => spoil(summary, text));
        await change<Index>(page, indexFile, ({ snapshots }) => snapshots.forEach((entry) => spoilEntry(entry, text)));
        const where = view === "Overview" ? "" : `view=${view}&`;
        const sweep = view === "sweeps" ? `&sweep=${site.summary(site.newest).sweeps[0]?.id}` : "";
        await page.goto(`./?${where}run=${site.newest.id}&vs=${site.older.id}&tier=all${sweep}`);
        await expect(page.locator("main table, main dl").first()).toBeVisible();
        if (view === "sweeps") {
          await expect(page.locator(".detail [data-grid=points]")).toBeVisible();
        }
        await expectUnharmed(page, width);
      });
    }
  });
}

test("numbers at their limits are shown, and none is too wide", async ({ explorer, page, site }) => {
  await change<Summary>(page, snapshotFile(site.newest), ({ sweeps }) => {
    for (const [place, { points }] of sweeps.entries()) {
      for (const point of points) {
        Object.assign(point, { ttft_ms: place % 2 === 0 ? 1e-6 : 1e12, tpot_ms: 1e-6 });
        for (const outcome of Object.values(point.predictions)) {
          Object.assign(outcome.scored ?? {}, { ttft_ms: 1e12, tpot_ms: 1e12, completed: 4_294_967_295 });
        }
        Object.assign(point, { kv_tokens: 9_007_199_254_740_991, repeats: 4_294_967_295, spread: 1e300 });
      }
    }
  });
  await explorer.open("?view=sweeps&tier=all&order=-tpot-mape");
  await page.locator("table.sweeps tbody button").first().click();
  await expect(page.locator(".detail [data-grid=points]")).toBeVisible();
  await expect(page.locator(".view")).not.toContainText(/NaN|inf/);
  await expectUnharmed(page, 1280);
});

test("a number beyond its limits is an unreadable snapshot, not a figure", async ({ page, site }) => {
  await change<Summary>(page, snapshotFile(site.newest), ({ sweeps }) => {
    Object.assign(sweeps[0]?.points[0] ?? {}, { tpot_ms: 1e13 });
  });
  await page.goto("./?view=sweeps");
  await expect(page.getByRole("alert")).toContainText("1000000000000");
});

test("a path in place of an id is refused, and nothing outside data/ is asked for", async ({ page, site }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await change<Index>(page, indexFile, ({ snapshots }) => (snapshots[0]!.id = "../../../secret"));
  for (const view of ["", "?view=sweeps"]) {
    await page.goto(`./${view}`);
    await expect(page.getByRole("alert").getByRole("heading", { name: "The data could not be read" })).toBeVisible();
  }
  expect(asked.filter((path) => path.includes("secret"))).toEqual([]);
  expect(site.newest.id).not.toContain("/");
});

const failures: [string, number, string, string][] = [
  ["404", 404, "", "Not found"],
  ["500", 500, "oops", "The server could not deliver the data"],
  ["half a file", 200, '{"schema": "summary.v1", "run": {"id": ', "The data could not be read"],
  ["a newer file", 200, '{"schema": "summary.v2"}', "The data is newer than this page"],
];

for (const [what, status, body, title] of failures) {
  test(`${what} in Sweeps: says so once, and how to go on`, async ({ page, site, complaints }) => {
    await page.route(snapshotFile(site.newest), (route) => route.fulfill({ status, body, contentType: "application/json" }));
    await page.goto("./?view=sweeps");
    await expect(page.getByRole("alert")).toHaveCount(1);
    await expect(page.getByRole("alert").getByRole("heading", { name: title })).toBeVisible();
    await expect(page.locator(".view .bone")).toHaveCount(0);
    if (status >= 400) {
      complaints.take(failedLoad);
    }
  });
}

test("a slow network: the page says that it is loading, and is there in the end", async ({ explorer, page, site }) => {
  const deliver = await hold(page, snapshotFile(site.newest));
  await page.goto("./?view=sweeps");
  await expect(page.locator(".view")).toHaveAttribute("aria-busy", "true");
  await expect(page.locator(".view .bone")).toHaveCount(1);
  deliver();
  await explorer.settled();
  await expect(page.locator("table.sweeps")).toBeVisible();
});

test("without storage everything works but being remembered", async ({ explorer, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
  });
  await explorer.open("?view=sweeps&tier=all");
  await page.locator("label:has(input[name=theme][value=dark])").click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.goto("./");
  await expect(page.locator("table.figures")).toHaveCount(2);
});

test("a query of nonsense is named in part, and the page shows what it can", async ({ page }) => {
  const nonsense = "%00%ff<script>".repeat(10);
  await page.goto(`./?view=sweeps&find=${nonsense}&only=;;:x&order=%20&sweep=${"z".repeat(500)}&tier=${nonsense}&${nonsense}=1`);
  await expect(page.locator("table.sweeps")).toHaveCount(1);
  await expectUnharmed(page, 1280);
});

test("an index whose ids are all the same shows the run", async ({ page, site }) => {
  const index = structuredClone(site.index);
  index.snapshots = [index.snapshots[0]!, index.snapshots[0]!];
  await answer(page, indexFile, index);
  await page.goto("./?view=sweeps&tier=all");
  await expect(page.locator("table.sweeps")).toBeVisible();
});
