// What axe can find, and what assistive technology is told: at desktop and phone width, in both colour schemes.
import { AxeBuilder } from "@axe-core/playwright";

import { expect, test } from "../fixtures/index.ts";
import { expectLargeEnough, expectNoFindings } from "../fixtures/access.ts";
import { indexFile, snapshotFile } from "../fixtures/answers.ts";

for (const width of [1440, 375]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`at ${width} px in ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme });

      test("axe finds nothing in one run with everything open", async ({ dashboard, page }) => {
        await dashboard.open("?ci=1&tier=all");
        await page.locator("details.coverage summary").click();
        await expect(page.locator("details.guide")).toHaveAttribute("open", "");
        await expectNoFindings(page);
      });

      test("axe finds nothing in two runs and the list of runs", async ({ dashboard, page, site }) => {
        await dashboard.compare(site.older, site.newest);
        await dashboard.runB.click();
        await expect(page.locator("li[role=option]").first()).toBeVisible();
        await expectNoFindings(page);
      });

      test("axe finds nothing in a failure", async ({ dashboard, page, site, complaints }) => {
        await page.route(snapshotFile(site.newest), (route) => route.fulfill({ status: 503, body: "" }));
        await page.goto("./");
        await expect(dashboard.alert).toBeVisible();
        await expectNoFindings(page);
        complaints.take(/Failed to load resource/);
      });
    });
  }
}

test("axe finds nothing where there is no data yet", async ({ dashboard, page, complaints }) => {
  await page.route(indexFile, (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("./");
  await expect(dashboard.alert).toBeVisible();
  await expectNoFindings(page);
  complaints.take(/Failed to load resource/);
});

test.describe("what assistive technology is told", () => {
  test("of the choices", async ({ dashboard, page }) => {
    await dashboard.open();
    await expect(page.getByRole("region", { name: "What is shown" })).toMatchAriaSnapshot(`
      - group "Tier":
        - radio /Strict/
        - radio /Measured or resolved/ [checked]
        - radio /All \\(approximate\\)/
      - combobox "Estimator":
        - option /Roofline/ [selected]
      - combobox "Group by":
        - option "Family" [selected]
        - option "Model"
        - option "Hardware"
        - option "Workload"
        - option "Precision"
        - option "Parallelism"
        - option "Engine version"
      - checkbox "95 % intervals"
    `);
  });

  test("of the runs", async ({ dashboard, page }) => {
    await dashboard.open();
    await expect(page.getByRole("region", { name: "Runs" })).toMatchAriaSnapshot(`
      - combobox "Run (A)": /Roofline.*recorded settings/
      - term: Simulator
      - definition: /Roofline/
      - button "Swap A and B" [disabled]
      - combobox "Compare against (B)": None
    `);
  });

  test("of a table", async ({ dashboard, page }) => {
    await dashboard.open();
    await expect(page.getByRole("table").first()).toMatchAriaSnapshot(`
      - table /Errors of predicted against measured TPOT by family/:
        - rowgroup:
          - row:
            - columnheader "Family"
            - columnheader /Sweeps/
            - columnheader /Points/
            - columnheader /Signed mean/
            - columnheader /MAPE/
            - columnheader /Shape/
            - columnheader /Shape points/
            - columnheader /At lowest/
            - columnheader /At highest/
            - columnheader /Grade/
        - rowgroup:
          - row:
            - rowheader "deepseek-v4"
            - cell /\\d+/
            - cell /\\d+/
            - cell /−?\\d/
        - rowgroup:
          - row:
            - rowheader "Total"
    `);
  });

  test("the count of groups is spoken when it changes", async ({ dashboard, page }) => {
    await dashboard.open();
    await dashboard.groupBy("hardware");
    await expect(page.getByRole("status").filter({ hasText: "by hardware: 4 groups" })).toHaveCount(1);
  });
});

test("with forced colours nothing is told by a colour of the page's own, and everything is there", async ({
  dashboard,
  page,
  site,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await dashboard.compare(site.older, site.newest);
  // The system's colours are in force, so what is better or worse has to be told in words.
  const delta = page.locator("td[data-column=mape] .delta").first();
  const quiet = await page.locator("main p").first().evaluate((element) => getComputedStyle(element).color);
  expect(await delta.evaluate((element) => getComputedStyle(element).color)).toBe(quiet);
  await expect(delta).toHaveText(/^[▲▼=] [+−]?\d/);
  await expect(page.locator("td[data-column=mape] .delta + small").first()).toHaveText(/\w/);
  const { violations } = await new AxeBuilder({ page }).disableRules("color-contrast").analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("targets are at least 24 px in both directions", async ({ dashboard, page, site }) => {
  await dashboard.compare(site.older, site.newest);
  await expectLargeEnough(page.locator("button, select, summary, [role=combobox], label.segment, label.check"));
});
