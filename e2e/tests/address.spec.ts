// Everything that can be chosen stands in the address: links, Back and Forward, and links that cannot be followed.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures/index.ts";
import { Dashboard } from "../fixtures/dashboard.ts";
import { metrics } from "../fixtures/site.ts";

async function all(dashboard: Dashboard): Promise<unknown> {
  return {
    heading: await dashboard.page.getByRole("heading", { level: 1 }).innerText(),
    lead: await dashboard.lead.innerText(),
    tables: await Promise.all(metrics.map((metric) => dashboard.table(metric))),
    runs: [await dashboard.runA.inputValue(), await dashboard.runB.inputValue()],
  };
}

test("the run that is shown stands in the address from the start, and nothing else", async ({ dashboard, site }) => {
  await dashboard.open();
  await expect.poll(() => dashboard.parameters().get("run")).toBe(site.newest.id);
  expect([...dashboard.parameters().keys()]).toEqual(["run"]);
  expect(new URL(dashboard.page.url()).pathname).toMatch(/\/$/);
});

test("picking a run shows it, searching by any word of it", async ({ dashboard, site }) => {
  await dashboard.open();
  const before = await dashboard.table("tpot");
  await dashboard.runA.click();
  await expect(dashboard.page.locator("li[role=option]")).toHaveCount(site.index.snapshots.length);
  await dashboard.runA.fill("default roofline");
  await expect(dashboard.page.locator("li[role=option]")).toHaveCount(1);
  await dashboard.page.locator("li[role=option]").click();
  await expect.poll(() => dashboard.parameters().get("run")).toBe(site.older.id);
  await dashboard.settled();
  await expect(dashboard.runA).toHaveValue(/default settings/);
  await expect.poll(() => dashboard.table("tpot")).not.toEqual(before);
});

test("a search without a match says so, and Escape keeps what was chosen", async ({ dashboard }) => {
  await dashboard.open();
  const chosen = await dashboard.runA.inputValue();
  await dashboard.runA.fill("no run is called like this");
  await expect(dashboard.page.getByText("No run matches")).toBeVisible();
  await dashboard.runA.press("Escape");
  await expect(dashboard.runA).toHaveValue(chosen);
});

test("choosing a run to compare against, then none, shows one run again", async ({ dashboard, site }) => {
  await dashboard.open();
  const alone = await dashboard.table("ttft");
  await expect(dashboard.swap).toBeDisabled();
  await dashboard.pick(dashboard.runB, site.older.id);
  await dashboard.judged();
  await expect(dashboard.swap).toBeEnabled();
  await dashboard.runB.click();
  await dashboard.page.getByRole("option", { name: /^None/ }).click();
  await expect(dashboard.page.locator("td .delta")).toHaveCount(0);
  expect(dashboard.parameters().has("vs")).toBe(false);
  expect(await dashboard.table("ttft")).toEqual(alone);
});

test("Back and Forward walk through every choice, and the tables follow", async ({ dashboard, site }) => {
  const { page } = dashboard;
  const seen: { query: string; shown: unknown }[] = [];
  const note = async (): Promise<void> => {
    seen.push({ query: new URL(page.url()).search, shown: await all(dashboard) });
  };
  await dashboard.open();
  await expect.poll(() => dashboard.parameters().has("run")).toBe(true);
  await note();
  await dashboard.chooseTier("all");
  await expect.poll(() => dashboard.parameters().get("tier")).toBe("all");
  await note();
  await dashboard.groupBy("hardware");
  await expect.poll(() => dashboard.parameters().get("by")).toBe("hardware");
  await note();
  await dashboard.chooseEstimator("aic");
  await expect.poll(() => dashboard.parameters().get("est")).toBe("aic");
  await note();
  await dashboard.pick(dashboard.runA, site.older.id);
  await expect.poll(() => dashboard.parameters().get("run")).toBe(site.older.id);
  await dashboard.settled();
  await note();

  const expectAt = async (position: number): Promise<void> => {
    await expect.poll(() => new URL(page.url()).search).toBe(seen[position]?.query);
    await expect.poll(() => all(dashboard)).toEqual(seen[position]?.shown);
  };
  for (let position = seen.length - 2; position >= 0; position -= 1) {
    await page.goBack();
    await expectAt(position);
  }
  for (let position = 1; position < seen.length; position += 1) {
    await page.goForward();
    await expectAt(position);
  }
});

test("a link that was copied shows somebody else the same", async ({ dashboard, browser, site, complaints }) => {
  await dashboard.compare(site.older, site.newest, "&tier=all&by=workload&est=roofline&ci=1");
  await dashboard.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await dashboard.page.getByRole("button", { name: "Copy link" }).click();
  const link = await dashboard.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(dashboard.page.url());

  const context = await browser.newContext();
  const page: Page = await context.newPage();
  page.on("console", (message) => expect(message.text(), "in the second browser").toBe(""));
  const other = new Dashboard(page);
  await page.goto(link);
  await other.settled();
  await other.judged();
  expect(await all(other)).toEqual(await all(dashboard));
  expect(page.url()).toBe(link);
  await context.close();
  expect(complaints.all).toEqual([]);
});

const broken: [string, RegExp][] = [
  ["?run=2020-01-01_gone_00000000", /no run “2020-01-01_gone_00000000”; showing the newest run/],
  ["?run=../../etc/passwd", /run=“\.\.\/\.\.\/etc\/passwd”, which is not possible; showing the newest run/],
  ["?tier=platinum", /tier=“platinum”, which is not possible; showing the default tier/],
  ["?by=colour", /by=“colour”, which is not possible; showing groups by family/],
  ["?est=oracle", /no estimator “oracle”; showing the run's own simulator/],
  ["?ci=maybe", /ci=“maybe”, which is not possible; showing no intervals/],
  ["?tier=all&tier=strict", /“tier” more than once; the first one counts/],
  ["?page=old&metrics=e2e", /“page”, which this page does not know; it was ignored/],
  ["?run=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", /run=“<img src=x onerror=alert\(1\)>”/],
  ["?run=%E0%A4%A&%=%&&==", /which/],
];

for (const [query, message] of broken) {
  test(`a broken or old link falls back and says so: ${query}`, async ({ dashboard, site }) => {
    await dashboard.open(query);
    await expect(dashboard.alert.filter({ hasText: message })).toBeVisible();
    await expect.poll(() => dashboard.parameters().get("run")).toBe(site.newest.id);
    await expect(dashboard.page.locator("main img")).toHaveCount(0);
    // The next choice is the reader's own: the message has been read.
    await dashboard.groupBy("model");
    await expect(dashboard.alert).toHaveCount(0);
  });
}

test("an unknown view becomes another one and says so", async ({ explorer, page }) => {
  await explorer.open("?view=old");
  await expect(page.getByRole("alert")).toContainText("view=“old”, which is not possible; showing Compare instead");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("What changed from A to B?");
});

test("an unknown run to compare against leaves the first run as it is", async ({ dashboard, site }) => {
  await dashboard.open(`?run=${site.older.id}&vs=nowhere`);
  await expect(dashboard.alert).toContainText("no run “nowhere”; showing no comparison");
  await expect.poll(() => dashboard.parameters().has("vs")).toBe(false);
  expect(dashboard.parameters().get("run")).toBe(site.older.id);
});

test("what other sites append to links is nobody's business here", async ({ dashboard }) => {
  await dashboard.open("?utm_source=mail&fbclid=1");
  await expect(dashboard.alert).toHaveCount(0);
});
