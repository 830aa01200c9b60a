// The explorer's views for everyone: what axe can find, the keyboard, narrow screens, and what is read aloud.
import { AxeBuilder } from "@axe-core/playwright";

import { expect, test } from "../fixtures/index.ts";

const views = ["compare", "coverage", "estimators", "time", "method"] as const;

for (const view of views) {
  // Colours do not depend on the width, and the layout not on the colours.
  for (const [width, colorScheme] of [[320, "dark"], [1280, "light"]] as const) {
    test.describe(`${view} at ${width} px in ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme });

      test("axe finds nothing, and the page is no wider than the screen", async ({ explorer, page, site }) => {
        await explorer.open(`?view=${view}&run=${site.older.id}&vs=${site.newest.id}&tier=all&ci=1`);
        await page.locator("details.verify summary").first().click();
        for (const loss of await page.locator("details.loss > summary").all()) {
          await loss.click();
        }
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(" ")}`))).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        const small = await page
          .locator(".view :is(button, select, summary, input, a), nav a")
          .evaluateAll((targets) =>
            targets
              .map((target) => ({ box: target.getBoundingClientRect(), text: target.textContent ?? target.id }))
              .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
              .map(({ box, text }) => `${text}: ${box.width} × ${box.height}`),
          );
        expect(small).toEqual([]);
      });
    });
  }
}

test("the navigation keeps what is chosen, says where one is, and works by keyboard", async ({ dashboard, explorer, page, site }) => {
  await dashboard.open(`?run=${site.older.id}&tier=all&by=hardware`);
  const link = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Coverage" });
  await link.focus();
  await link.press("Enter");
  await explorer.settled();
  const parameters = new URL(page.url()).searchParams;
  expect([...parameters].sort()).toEqual(
    [["run", site.older.id], ["tier", "all"], ["by", "hardware"], ["view", "coverage"]].sort(),
  );
  await expect(page.getByRole("navigation", { name: "Views" }).locator("[aria-current=page]")).toHaveText("Coverage");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("What became of every point?");
  await page.goBack();
  await dashboard.settled();
  await expect(page.locator("#by")).toHaveValue("hardware");
});

test("what assistive technology is told of a table", async ({ explorer, page, site }) => {
  await explorer.open(`?view=coverage&run=${site.older.id}&vs=${site.newest.id}`);
  await expect(page.getByRole("region", { name: "From rows read to points scored" })).toMatchAriaSnapshot(`
    - table "From rows read to points scored":
      - rowgroup:
        - row:
          - columnheader "Step"
          - columnheader /A/
          - columnheader /B/
          - columnheader /B − A/
      - rowgroup:
        - row:
          - rowheader "Rows read"
          - cell /\\d+/
          - cell /\\d+/
          - cell /\\d+/
  `);
});

test("with forced colours the best of a row and every difference are told in words", async ({ explorer, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await explorer.open("?view=estimators&tier=all");
  await expect(explorer.grid("wins-tpot").locator("td.best small").first()).toHaveText("best");
});
