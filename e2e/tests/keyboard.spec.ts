// Everything that can be done with a mouse can be done with the keyboard alone.
import { expect, test } from "../fixtures/index.ts";
import type { Page } from "@playwright/test";

/** What has the focus, by role-like name. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) {
      return "body";
    }
    const label = (element as HTMLInputElement).labels?.[0]?.textContent;
    const labelledBy = element.getAttribute("aria-labelledby");
    const name =
      element.getAttribute("aria-label") ??
      (labelledBy === null ? null : document.getElementById(labelledBy)?.textContent) ??
      label ??
      element.textContent ??
      "";
    return `${element.tagName.toLowerCase()}: ${name.trim()}`;
  });
}

test("the first stop is the skip link, which leads to the figures and keeps the address", async ({ dashboard, page }) => {
  await dashboard.open("?tier=all");
  await expect.poll(() => dashboard.parameters().has("run")).toBe(true);
  const address = page.url();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the figures" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("#main")).toBeFocused();
  expect(page.url()).toBe(address);
  await page.keyboard.press("Tab");
  await expect(dashboard.runA).toBeFocused();
});

test("Tab walks through the page in the order in which it is read, and shows where it is", async ({
  dashboard,
  page,
}) => {
  await dashboard.open();
  const stops: string[] = [];
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press("Tab");
    const stop = await focused(page);
    if (stop === "body") {
      break;
    }
    stops.push(stop);
    const seen = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      // A radio button is drawn by the text beside it.
      const drawn = [element, element.nextElementSibling, element.parentElement].filter((one) => one !== null);
      return drawn.some((one) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
        return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
      });
    });
    expect(seen, `one can see that the focus is on ${stop}`).toBe(true);
  }
  const order = [
    /^a: Skip to the figures/,
    /^a: BLIS accuracy dashboard/,
    /^button: .*Copy link/,
    /^input: As the system/,
    /^input: Run \(A\)/,
    /^input: Compare against \(B\)/,
    /^input: Measured or resolved/,
    /^select: Estimator/,
    /^select: Group by/,
    /^input: 95 % intervals/,
    /: TPOT/,
    /: TTFT/,
    /^summary: Coverage/,
    /^summary: How to read this/,
  ];
  let at = -1;
  for (const name of order) {
    const next = stops.findIndex((stop, position) => position > at && name.test(stop));
    expect(next, `${name} comes after ${at < 0 ? "nothing" : stops[at]} in ${stops.join(" · ")}`).toBeGreaterThan(at);
    at = next;
  }
});

test("arrow keys move through the tiers, and the tables follow", async ({ dashboard, page }) => {
  await dashboard.open();
  await page.locator("input[name=tier][value=measured-or-resolved]").focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => dashboard.parameters().get("tier")).toBe("all");
  await expect(dashboard.tables.first().locator("caption")).toContainText("ALL");
  await expect(page.locator("input[name=tier][value=all]")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => dashboard.parameters().get("tier")).toBe("strict");
});

test("the run to compare against is found, chosen and taken away by keys", async ({ dashboard, page, site }) => {
  await dashboard.open();
  const { runB } = dashboard;
  await runB.focus();
  await expect(runB).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("ArrowDown");
  await expect(runB).toHaveAttribute("aria-expanded", "true");
  const active = page.locator(".option.active");
  await expect(active).toHaveText(/^None/);
  await expect(active).toHaveAttribute("id", (await runB.getAttribute("aria-activedescendant")) ?? "");
  await page.keyboard.press("ArrowDown");
  await expect(active).toContainText(site.newest.id);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  // Up from the first is the last.
  await expect(active).toContainText(site.index.snapshots.at(-1)?.id ?? "");
  await page.keyboard.press("Escape");
  await expect(runB).toHaveAttribute("aria-expanded", "false");
  await expect(runB).toHaveValue("None");

  await page.keyboard.press("Enter");
  await page.keyboard.type(site.older.id);
  await expect(page.locator("li[role=option]")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect.poll(() => dashboard.parameters().get("vs")).toBe(site.older.id);
  await dashboard.judged();
  await expect(runB).toBeFocused();

  // Between the two fields lies the button that swaps them.
  await dashboard.swap.focus();
  await page.keyboard.press("Space");
  await expect.poll(() => dashboard.parameters().get("run")).toBe(site.older.id);

  await runB.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("None");
  await page.keyboard.press("Enter");
  await expect.poll(() => dashboard.parameters().has("vs")).toBe(false);
});

test("menus, the switch for intervals and the panels answer to keys", async ({ dashboard, page }) => {
  await dashboard.open();
  await page.locator("#by").focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => dashboard.parameters().get("by")).toBe("model");
  await page.getByRole("checkbox", { name: "95 % intervals" }).focus();
  await page.keyboard.press("Space");
  await expect.poll(() => dashboard.parameters().get("ci")).toBe("1");

  const coverage = page.locator("details.coverage");
  await coverage.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(coverage).toHaveAttribute("open", "");
  await expect(coverage.getByRole("heading", { name: "Sweeps by verdict" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(coverage).not.toHaveAttribute("open", "");
});

test("a table that is wider than the screen is scrolled by keys", async ({ dashboard, page }) => {
  await page.setViewportSize({ width: 375, height: 700 });
  await dashboard.open();
  const scroller = page.getByRole("region", { name: "TPOT" });
  await scroller.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => scroller.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
});

test("the guide is folded away for good once it has been read", async ({ dashboard, page }) => {
  await dashboard.open();
  const guide = page.locator("details.guide");
  await expect(guide).toHaveAttribute("open", "");
  await guide.getByRole("button", { name: "Got it" }).focus();
  await page.keyboard.press("Enter");
  await expect(guide).not.toHaveAttribute("open", "");
  await page.reload();
  await dashboard.settled();
  await expect(guide).not.toHaveAttribute("open", "");
});
