// The explorer's views for everyone: what axe can find, the keyboard, narrow screens, and what is read aloud.
import { expectLargeEnough, expectNoFindings, expectNoWiderThan } from "../fixtures/access.ts";
import { views } from "../fixtures/explorer.ts";
import { expect, test } from "../fixtures/index.ts";

// sweeps.spec.ts looks at Sweeps with one of them open.
for (const view of views.filter((one) => one !== "sweeps")) {
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
        await expectNoFindings(page);
        await expectNoWiderThan(page, width);
        await expectLargeEnough(page.locator(".view :is(button, select, summary, input, a), nav a"));
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
  expect([...dashboard.parameters()].sort()).toEqual(
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
