// Sweeps: found, sorted, opened to their points, and taken away; each number held against the snapshot.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";

import { expect, test } from "../fixtures/index.ts";
import { expectLargeEnough, expectNoFindings, expectNoWiderThan } from "../fixtures/access.ts";
import { change, snapshotFile } from "../fixtures/answers.ts";
import { decimal, errors, mape } from "../fixtures/figures.ts";
import type { Summary } from "../fixtures/site.ts";

const all = "?view=sweeps&tier=all";

function heading(page: Page): Locator {
  return page.locator("#sweeps-heading");
}

function rows(page: Page): Locator {
  return page.locator("table.sweeps > tbody > tr[data-key]");
}

test("words, conditions and menus narrow the list, and the address keeps them", async ({ explorer, page, site }) => {
  const { sweeps, run } = site.summary(site.newest);
  await explorer.open(all);
  await expect(heading(page)).toHaveText(`${sweeps.length} sweeps`);
  await page.getByRole("searchbox").fill("h200 tpot-mape>50");
  const far = sweeps.filter((sweep) => sweep.hardware === "h200" && (mape(errors(sweep, run.primary, "tpot")) ?? 0) > 50);
  await expect(heading(page)).toHaveText(`${far.length} sweeps`);
  await expect(page.getByRole("status").filter({ hasText: `${far.length} sweeps found` })).toHaveCount(1);
  const precision = far[0]?.precision ?? "";
  await page.getByLabel("Precision").selectOption(precision);
  const both = far.filter((sweep) => sweep.precision === precision);
  await expect(heading(page)).toHaveText(new RegExp(`^${both.length} sweeps?$`));
  await page.reload();
  await explorer.settled();
  await expect(heading(page)).toHaveText(new RegExp(`^${both.length} sweeps?$`));
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(heading(page)).toHaveText(`${sweeps.length} sweeps`);
  await page.getByRole("searchbox").fill("no such thing");
  await expect(heading(page)).toHaveText("0 sweeps");
  await expect(page.getByText("No sweep matches. Clear the filters to see all.")).toBeVisible();
});

test("every column sorts both ways, and says so", async ({ explorer, page, site }) => {
  const { sweeps, run } = site.summary(site.newest);
  await explorer.open(all);
  const header = page.getByRole("columnheader", { name: "TPOT MAPE" });
  const first = rows(page).first().locator("td[data-column=tpot-mape] .value");
  const found = sweeps.map((sweep) => mape(errors(sweep, run.primary, "tpot"))).filter((value) => value !== undefined);
  await header.getByRole("button").click();
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await expect(first).toHaveText(decimal(Math.max(...found)));
  await header.getByRole("button").press("Enter");
  await expect(header).toHaveAttribute("aria-sort", "ascending");
  await expect(first).toHaveText(decimal(Math.min(...found)));
  await expect(page.locator("[aria-sort]")).toHaveCount(1);
  await page.goBack();
  await expect(header).toHaveAttribute("aria-sort", "descending");
});

test("only the rows in sight are in the page, and scrolling brings the others", async ({ explorer, page, site }) => {
  await explorer.open(all);
  await expect(rows(page).first()).toBeVisible();
  expect(await rows(page).count()).toBeLessThan(60);
  const { sweeps } = site.summary(site.newest);
  await expect(page.locator("table.sweeps")).toHaveAttribute("aria-rowcount", String(sweeps.length + 1));
  await page.locator("[data-grid=sweeps] > .scroll").evaluate((scroll) => scroll.scrollTo(0, scroll.scrollHeight));
  await expect(page.locator(`table.sweeps tr[aria-rowindex="${sweeps.length + 1}"]`)).toBeVisible();
});

test("a row opens to its points, settings, facts, sources and command", async ({ dashboard, explorer, page, site }) => {
  const summary = site.summary(site.newest);
  await explorer.open(all);
  const toggle = rows(page).first().getByRole("button");
  const id = await rows(page).first().getAttribute("data-key");
  const sweep = summary.sweeps.find((one) => one.id === id)!;
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await toggle.press("Enter");
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  await expect(toggle).toBeFocused();
  const detail = page.locator(".detail");
  await expect(detail.locator("[data-grid=points] tbody tr")).toHaveCount(sweep.points.length);
  const expected = errors(sweep, summary.run.primary, "tpot").map((error) => decimal(error, true));
  const shown = await detail.locator("td[data-column=tpot-error] .value").allInnerTexts();
  expect(shown.map((text) => text.replaceAll("\u2212", "-"))).toEqual(expected);
  await expect(detail.locator("[data-grid=settings]")).toContainText(/passed|resolved|absent/);
  await expect(detail.locator("[data-grid=point-facts] tbody tr")).toHaveCount(sweep.points.length);
  await expect(detail.locator(".sources")).toContainText(sweep.verdict.replaceAll("_", " "));
  await expect(detail.locator(".command")).toContainText(`--sweeps ${sweep.id}`);
  await expect(detail.locator("svg.curves")).toHaveCount(2);
  expect(dashboard.parameters().get("sweep")).toBe(sweep.id);
  await toggle.press("Enter");
  await expect(detail).toHaveCount(0);
});

test("a link to a sweep and a point opens the one and marks the other", async ({ explorer, page, site }) => {
  const { sweeps } = site.summary(site.newest);
  const sweep = sweeps.at(-1)!;
  const point = sweep.points.at(-1)!;
  await explorer.open(`${all}&sweep=${sweep.id}&point=${point.concurrency}`);
  const marked = page.locator(".detail [data-grid=points] tr.target");
  await expect(marked).toHaveAttribute("data-key", String(point.concurrency));
  await expect(marked).toHaveAttribute("aria-current", "true");
  await expect(marked).toBeInViewport();
  const other = page.locator(".detail [data-grid=points] tbody tr").first();
  await other.getByRole("link").click();
  await expect(other).toHaveClass(/target/);
  await expect(page.locator("tr.target")).toHaveCount(1);
});

test("a link to a sweep outside the tier shows it all the same, and says so", async ({ explorer, page, site }) => {
  const sweep = site.summary(site.newest).sweeps.find(({ verdict }) => verdict === "NOT_REPRODUCIBLE")!;
  await explorer.open(`?view=sweeps&tier=measured-or-resolved&sweep=${sweep.id}`);
  await expect(page.getByText("The list below does not have this sweep")).toBeVisible();
  await expect(page.locator(".opened .command")).toContainText(sweep.id);
  await page.getByRole("button", { name: "Show all sweeps" }).click();
  await expect(page.locator(".opened")).toHaveCount(0);
});

test("the command is copied, or can be selected", async ({ explorer, page, site, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const sweep = site.summary(site.newest).sweeps[0]!;
  await explorer.open(`${all}&sweep=${sweep.id}`);
  await page.getByRole("button", { name: "Copy command" }).click();
  await expect(page.locator(".command-head").getByRole("status")).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(sweep.id);
});

test.describe("export", () => {
  async function saved(page: Page, name: string): Promise<string> {
    const menu = page.locator("[data-grid=sweeps] > .card-head > details.export");
    await menu.evaluate((details: HTMLDetailsElement) => (details.open = true));
    const download = page.waitForEvent("download");
    await menu.getByRole("button", { name }).click();
    return readFile(await (await download).path(), "utf8");
  }

  test("every format has the rows of the screen, the runs, the filters and the units", async ({ explorer, page, site }) => {
    const { sweeps, run } = site.summary(site.newest);
    await explorer.open(`${all}&find=h200`);
    const found = sweeps.filter(({ hardware }) => hardware === "h200");
    await expect(heading(page)).toHaveText(`${found.length} sweeps`);
    const csv = await saved(page, "Save as CSV");
    expect(csv).toContain(`# Run A: ${run.id}\n`);
    expect(csv).toContain("# Filters: text “h200”\n");
    expect(csv).toContain("TPOT signed (%)");
    expect(csv.split("\n").filter((line) => /^[0-9a-f]{16},/.test(line))).toHaveLength(found.length);
    const json = JSON.parse(await saved(page, "Save as JSON")) as {
      about: Record<string, string>;
      tables: { columns: { name: string; unit: string }[]; rows: (string | number | null)[][] }[];
    };
    expect(json.about["Run A"]).toBe(run.id);
    const [table] = json.tables;
    const place = table?.columns.findIndex(({ name }) => name === "TPOT MAPE") ?? -1;
    for (const row of table?.rows ?? []) {
      const expected = mape(errors(sweeps.find(({ id }) => id === row[0])!, run.primary, "tpot"));
      expect(row[place]).toBe(expected === undefined ? null : Number(decimal(expected)));
    }
    expect(await saved(page, "Save as Markdown")).toContain("| --- |");
  });

  test("a name that is a formula is none in a spreadsheet", async ({ explorer, page, site }) => {
    await change<Summary>(page, snapshotFile(site.newest), ({ sweeps }) => {
      sweeps.forEach((sweep) => (sweep.model = `=HYPERLINK("x")`));
    });
    await explorer.open(all);
    const csv = await saved(page, "Save as CSV");
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
    expect(csv).not.toMatch(/(^|,)=/m);
  });
});

for (const [width, colorScheme] of [[320, "dark"], [1280, "light"]] as const) {
  test.describe(`at ${width} px in ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 900 }, colorScheme });

    test("axe finds nothing, targets are 24 px, and the page is no wider than the screen", async ({ explorer, page, site }) => {
      const sweep = site.summary(site.newest).sweeps[0]!;
      await explorer.open(`${all}&sweep=${sweep.id}&point=${sweep.points[0]?.concurrency}`);
      await expect(page.locator(".detail tr.target")).toHaveCount(1);
      await expectNoFindings(page);
      await expectNoWiderThan(page, width);
      await expectLargeEnough(page.locator(".view :is(button, summary, select, input, a)"));
    });
  });
}

test("what assistive technology is told of the list", async ({ explorer, page }) => {
  await explorer.open(all);
  await expect(page.locator("[data-grid=sweeps]").getByRole("region")).toMatchAriaSnapshot(`
    - table /\\d+ sweeps/:
      - rowgroup:
        - row:
          - columnheader "Model":
            - button "Model"
          - columnheader "Hardware"
          - columnheader "Precision"
          - columnheader "Layout"
      - rowgroup:
        - row:
          - rowheader:
            - button /Points of /
          - cell /\\w+/
  `);
});
