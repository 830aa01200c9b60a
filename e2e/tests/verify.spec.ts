// The check of a snapshot, as a sceptic reads it: what was hashed, what was computed again, and the first difference.
import { createHash } from "node:crypto";

import { expect, test } from "../fixtures/index.ts";
import { answer, change, indexFile, snapshotFile } from "../fixtures/answers.ts";
import { views } from "../fixtures/explorer.ts";
import { count } from "../fixtures/figures.ts";
import type { Index } from "../fixtures/site.ts";

for (const view of views) {
  test(`the account is at hand in ${view}`, async ({ explorer, page, site }) => {
    await explorer.open(`?view=${view}`);
    const panel = page.locator("details.verify");
    await expect(panel).toHaveCount(1);
    await expect(panel.locator("summary")).toContainText("Verified:", { timeout: 60_000 });
    await panel.locator("summary").click();
    await expect(panel).toContainText(site.newest.sha256);
    await expect(panel).toContainText(`${count(site.summary(site.newest).aggregates.length)} sets of figures`);
    await expect(panel.locator(".chip.good")).toHaveCount(2);
  });
}

test("another digit anywhere in the file is caught by its digest", async ({ explorer, page, site }) => {
  const original = site.text(site.newest);
  const digits = [...original.matchAll(/\d/g)].map(({ index }) => index);
  let body = original;
  await page.route(snapshotFile(site.newest), (route) => route.fulfill({ contentType: "application/json", body }));
  // Twelve places over the whole file; shared's own property test takes places at random.
  for (let part = 0; part < 12; part += 1) {
    const place = digits[Math.floor(((part + 0.5) / 12) * digits.length)] ?? 0;
    const other = original[place] === "1" ? "2" : "1";
    body = original.slice(0, place) + other + original.slice(place + 1);
    await explorer.open("?view=method");
    const summary = page.locator("details.verify summary");
    const where = original.slice(Math.max(0, place - 40), place + 1);
    await expect(summary, where).toContainText("not the one that was published", { timeout: 60_000 });
  }
});

test("a figure that was changed together with the digest in the index is named", async ({ explorer, page, site }) => {
  const changed = site.text(site.newest).replace(/"mape":(\d+)/, (_, digits: string) => `"mape":${Number(digits) + 1}`);
  await answer(page, snapshotFile(site.newest), changed);
  await change<Index>(page, indexFile, (index) => {
    const [entry] = index.snapshots;
    if (entry !== undefined) {
      entry.sha256 = createHash("sha256").update(changed).digest("hex");
    }
  });
  await explorer.open("?view=coverage");
  const panel = page.locator("details.verify");
  await expect(panel.locator("summary")).toContainText("do not follow from the points", { timeout: 60_000 });
  await panel.locator("summary").click();
  await expect(panel.locator(".difference")).toContainText(/mape of \S+: the file says "/);
  await expect(panel.locator(".chip.bad")).toHaveCount(1);
});
