// What stays where it is: no shift after the first table, no scrolling sideways, no flash of the other colours.
import { expect, test } from "../fixtures/index.ts";
import { snapshotFile } from "../fixtures/answers.ts";

interface Shift {
  value: number;
  nodes: string[];
}

/** Notes every layout shift after the first table, and the first background that is painted. */
function observe(): void {
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      sources?: { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    })[]) {
      if (performance.getEntriesByName("first table").some((mark) => mark.startTime <= entry.startTime)) {
        const nodes = (entry.sources ?? []).map(({ node, previousRect, currentRect }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          const [from, to] = [previousRect, currentRect].map(({ x, y }) => `${x},${y}`);
          return `${element?.outerHTML.slice(0, 120)} from ${from} to ${to}`;
        });
        shifts.push({ value: entry.value, nodes });
      }
    }
  }).observe({ type: "layout-shift", buffered: true });
  new MutationObserver((_, observer) => {
    if (document.querySelector("table.figures") !== null) {
      performance.mark("first table");
      observer.disconnect();
    }
  }).observe(document, { childList: true, subtree: true });
}

for (const [width, height] of [
  [1440, 900],
  [375, 800],
] as const) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height } });

    test("nothing moves once the first table is there, not even when the check ends", async ({ dashboard, page }) => {
      await page.addInitScript(observe);
      await dashboard.open();
      await expect(dashboard.chip).toContainText("verified", { timeout: 60_000 });
      // Two frames later every shift has been reported.
      await dashboard.drawn();
      expect(await page.evaluate(() => performance.getEntriesByName("first table").length)).toBe(1);
      const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
      const total = shifts.reduce((sum, { value }) => sum + value, 0);
      // A text that is laid out anew in the very frame of the table may move by a fraction of a pixel: 0.0000 it is.
      expect(total, JSON.stringify(shifts, undefined, 2)).toBeCloseTo(0, 4);
    });
  });
}

test("the page never scrolls sideways at 320 px, and the first column stays in sight", async ({
  dashboard,
  page,
  site,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await dashboard.open("?by=parallelism&ci=1");
  expect(await overflow()).toBe(0);
  await page.locator("details.coverage summary").click();
  expect(await overflow()).toBe(0);
  await dashboard.runA.click();
  expect(await overflow()).toBe(0);
  await dashboard.compare(site.older, site.newest, "&by=model");
  expect(await overflow()).toBe(0);

  const scroller = page.locator(".scroll").first();
  await scroller.locator("tbody th").first().scrollIntoViewIfNeeded();
  await scroller.evaluate((element) => element.scrollTo({ left: 400 }));
  expect(await scroller.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100);
  await expect(scroller.locator("tbody th").first()).toBeInViewport({ ratio: 0.9 });
});

test("a failure fits 320 px too", async ({ dashboard, page, site, complaints }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.route(snapshotFile(site.newest), (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("./");
  await expect(dashboard.alert).toBeVisible();
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0);
  complaints.take(/Failed to load resource/);
});

for (const [theme, system] of [
  ["dark", "light"],
  ["light", "dark"],
] as const) {
  test(`${theme} stays ${theme} after a reload on a ${system} system, from the first frame on`, async ({
    dashboard,
    page,
  }) => {
    await page.emulateMedia({ colorScheme: system });
    // Every background that the page has had, frame by frame.
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const look = (): void => {
        if (document.body !== null) {
          const colour = getComputedStyle(document.documentElement).backgroundColor;
          const body = getComputedStyle(document.body).backgroundColor;
          const shown = body === "rgba(0, 0, 0, 0)" ? colour : body;
          if (seen.at(-1) !== shown) {
            seen.push(shown);
          }
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    const seen = (): Promise<string[]> => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    await dashboard.open();
    const [bySystem] = await seen();
    await page.locator(`label:has(input[name=theme][value=${theme}])`).click();
    await expect.poll(async () => (await seen()).at(-1)).not.toBe(bySystem);
    const chosen = (await seen()).at(-1);
    await page.reload();
    await dashboard.settled();
    await expect(page.locator(`input[name=theme][value=${theme}]`)).toBeChecked();
    expect(await seen()).toEqual([chosen]);

    await page.locator("label:has(input[name=theme][value=system])").click();
    await expect.poll(async () => (await seen()).at(-1)).toBe(bySystem);
  });
}

test("who wants less motion gets none", async ({ dashboard, page, site }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.route(snapshotFile(site.newest), () => undefined);
  await page.goto("./");
  await expect(page.locator(".bone").first()).toBeVisible();
  const moving = (): Promise<string[]> =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
        .map(({ effect }) => (effect as KeyframeEffect).target?.className ?? ""),
    );
  expect(await moving()).toEqual([]);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await dashboard.open(`?run=${site.older.id}`);
  expect(await moving()).toEqual([]);
});

test("on paper the tables are whole", async ({ dashboard, page }) => {
  await dashboard.open();
  await page.emulateMedia({ media: "print" });
  await expect(dashboard.tables.first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy link" })).toBeHidden();
});
