// The view Compare: every change with its cause, as the scorer's own comparison has them, down to the points.
import { expect, test } from "../fixtures/index.ts";
import { change, snapshotFile } from "../fixtures/answers.ts";
import { decimal } from "../fixtures/figures.ts";
import { metrics, type Summary } from "../fixtures/site.ts";

test("the parts of every change are those of the scorer", async ({ explorer, site }) => {
  const rows = await site.compare(site.older, site.newest);
  await explorer.open(`?view=compare&run=${site.older.id}&vs=${site.newest.id}&est=roofline&tier=all`);
  for (const metric of metrics) {
    await expect(explorer.grid(`parts-${metric}`)).toBeVisible();
    const sheet = await explorer.sheet(`parts-${metric}`);
    expect(sheet.size).toBeGreaterThan(3);
    for (const [key, cells] of sheet) {
      const row = rows.find(
        ({ of }) =>
          of.estimator === "roofline" && of.tier === "all" && of.metric === metric && of.key === key &&
          of.by === (key === "all" ? "all" : "family"),
      );
      for (const figure of ["mape", "shape"] as const) {
        const why = row?.[figure].why;
        for (const part of ["simulator", "remeasured", "coverage", "total"] as const) {
          expect(cells[`${figure}-${part}`], `${metric} ${key} ${figure} ${part}`).toBe(decimal(why?.[part], true));
        }
      }
    }
  }
});

test("regressions, improvements and the order can be chosen, and stand in the address", async ({
  dashboard,
  explorer,
  page,
  site,
}) => {
  await explorer.open(`?view=compare&run=${site.older.id}&vs=${site.newest.id}&tier=all&by=model`);
  const grid = explorer.grid("changes-ttft");
  await expect(grid.locator("td .delta").first()).toBeVisible();
  await expect(grid.locator("td small", { hasText: /^…$/ })).toHaveCount(0);
  const all = await grid.locator("tbody tr").count();
  const words = async (): Promise<string[][]> =>
    grid.locator("tbody tr").evaluateAll((rows) =>
      rows.map((row) =>
        ["mape", "shape"].map(
          (column) => row.querySelector(`td[data-column=${column}] .delta`)?.nextElementSibling?.textContent ?? "",
        ),
      ),
    );
  const everything = await words();
  for (const [key, word] of [["worse", "worse"], ["better", "better"]] as const) {
    await page.locator(`label:has(input[name=only][value="${key}"])`).click();
    await expect(grid.locator("tbody tr")).toHaveCount(everything.filter((row) => row.includes(word)).length);
    expect(dashboard.parameters().get("only")).toBe(key);
  }
  await page.locator('label:has(input[name=only][value="all"])').click();
  await expect(grid.locator("tbody tr")).toHaveCount(all);
  await page.locator("#order").selectOption("name");
  const names = await grid.locator("tbody tr th").allInnerTexts();
  expect(names).toEqual([...names].sort());
  await page.reload();
  await explorer.settled();
  await expect(page.locator("#order")).toHaveValue("name");
});

test("a sweep opens down to the points that differ", async ({ explorer, site }) => {
  await explorer.open(`?view=compare&run=${site.older.id}&vs=${site.newest.id}&tier=all`);
  const toggle = explorer.grid("sweeps").getByRole("button", { name: /^Points of / }).first();
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await toggle.press("Enter");
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  await expect(explorer.grid("points").locator("tbody tr").first()).toBeVisible();
});

test("other rules are an obstacle, and are named", async ({ explorer, page, site }) => {
  await change<Summary & { rules: { digest: string; rules: { spike_factor: number } } }>(
    page,
    snapshotFile(site.newest),
    (summary) => {
      summary.rules.rules.spike_factor = 12;
      summary.rules.digest = "0".repeat(64);
    },
  );
  await explorer.open(`?view=compare&run=${site.older.id}&vs=${site.newest.id}`);
  await expect(explorer.view).toContainText("Not comparable.");
  await expect(explorer.view.locator("li")).toHaveText(["spike_factor: 10.0 in A, 12.0 in B"]);
  await expect(explorer.grid("changes-tpot")).toHaveCount(0);
});

test("points that only one run scored are listed with the reason", async ({ explorer, page, site }) => {
  await change<Summary>(page, snapshotFile(site.newest), (summary) => {
    for (const point of summary.sweeps[0]?.points ?? []) {
      point.predictions["roofline"] = { not_scored: { reason: "run_error", detail: "exit 3" } };
    }
  });
  await explorer.open(`?view=compare&run=${site.older.id}&vs=${site.newest.id}&est=roofline&tier=all`);
  const failing = explorer.list("newly-failing");
  await expect(failing.getByRole("heading")).toHaveText(
    `Newly failing: ${site.summary(site.newest).sweeps[0]?.points.length} points`,
  );
  await expect(failing.locator("details.loss")).toHaveCount(1);
  await expect(failing).toContainText("exit 3");
  await expect(explorer.list("only-in-a")).toContainText("None.");
});
