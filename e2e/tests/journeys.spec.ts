// What a new reader comes for, against the committed data: each answer at most three actions from the Overview.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures/index.ts";
import { decimal, errors, mape } from "../fixtures/figures.ts";
import type { Index, Summary } from "../fixtures/site.ts";

const data = new URL("../../data/", import.meta.url);

function committed<T>(path: string): T {
  return JSON.parse(readFileSync(fileURLToPath(new URL(path, data)), "utf8")) as T;
}

const index = committed<Index>("index.json");
const [newest, before] = index.snapshots.filter(({ primary, settings }) => {
  const first = index.snapshots[0];
  return primary === first?.primary && settings === first.settings;
});
if (newest === undefined || before === undefined) {
  throw new Error("data/ has no two runs of the newest run's simulator");
}
const summary = committed<Summary>(`snapshots/${newest.id}/summary.json`);

/** Lets the page find the committed data in place of the demonstration's. */
async function serveCommitted(page: Page): Promise<void> {
  await page.route(/\/data\/(index\.json|snapshots\/[^/]+\/summary\.json)$/, (route) => {
    const path = new URL(route.request().url()).pathname.split("/data/")[1] ?? "";
    return route.fulfill({ contentType: "application/json", path: fileURLToPath(new URL(path, data)) });
  });
}

/** Counts what its reader does. */
class Reader {
  actions = 0;

  async does(action: Promise<unknown>): Promise<void> {
    this.actions += 1;
    await action;
  }
}

test.beforeEach(async ({ page, dashboard }) => {
  await serveCommitted(page);
  await dashboard.open();
});

test("did the last release make TTFT worse, and where?", async ({ explorer, page }) => {
  const reader = new Reader();
  await reader.does(explorer.go("compare"));
  await reader.does(page.getByRole("link", { name: `What changed from ${before.simulator} to ${newest.simulator}?` }).click());
  await explorer.settled();
  const lead = explorer.view.locator("p.lead");
  await expect(lead).not.toContainText("being judged", { timeout: 60_000 });
  // Whether: in a sentence, with its word. Where: the groups, and under them sweeps and points, greatest first.
  await expect(lead).toContainText(/that of TTFT (goes from|stays at) .* \([▲▼=] [^)]+(better|worse|noise|judge|same|under 0.05)\)/);
  await expect(lead).toContainText(/TTFT is better in (none|\d+) and worse in (none|\d+)/);
  await reader.does(page.locator('label:has(input[name=only][value="worse"])').click());
  const sentence = (await lead.innerText()).match(/TTFT is better in \w+ and worse in (\w+)/)?.[1];
  const groups = sentence === "none" ? 0 : Number(sentence);
  await expect(explorer.grid("changes-ttft").locator("tbody tr")).toHaveCount(groups);
  await expect(explorer.grid("sweeps").locator("tbody tr[data-key$=ttft]").first()).toBeVisible();
  expect(reader.actions).toBeLessThanOrEqual(3);
});

test("can I trust it for MiniMax on B200?", async ({ explorer, page }) => {
  const reader = new Reader();
  await reader.does(explorer.go("sweeps"));
  await reader.does(page.getByRole("searchbox").fill("minimax b200"));
  const sweeps = summary.sweeps.filter(
    ({ family, hardware, verdict }) => family === "minimax" && hardware === "b200" && verdict !== "NOT_REPRODUCIBLE",
  );
  const points = sweeps.flatMap((sweep) => sweep.points);
  const scored = points.filter(({ predictions }) => predictions[summary.run.primary]?.scored !== undefined);
  const answer = explorer.view.locator("p.lead");
  if (scored.length === 0) {
    await expect(answer).toContainText(`none of ${points.length} points is scored`);
  } else {
    await expect(answer).toContainText(`${scored.length} of ${points.length} points scored`);
    const off = mape(sweeps.flatMap((sweep) => errors(sweep, summary.run.primary, "ttft")));
    await expect(answer).toContainText(`TTFT by ${decimal(off)} % (grade `);
    await expect(answer).toContainText("interval");
  }
  expect(reader.actions).toBeLessThanOrEqual(3);
});

test("which points are missing, and why?", async ({ explorer }) => {
  const reader = new Reader();
  await reader.does(explorer.go("coverage"));
  const missing = summary.sweeps.flatMap((sweep) =>
    sweep.points.flatMap(({ predictions }) => predictions[summary.run.primary]?.not_scored ?? []),
  );
  const reasons = new Map<string, number>();
  for (const { reason, detail } of missing) {
    const key = `${reason} ${detail}`;
    reasons.set(key, (reasons.get(key) ?? 0) + 1);
  }
  const losses = explorer.list("not-scored").locator("details.loss");
  await expect(losses).toHaveCount(reasons.size);
  const [most] = [...reasons.values()].sort((one, other) => other - one);
  await expect(losses.first()).toContainText(`${most} points in`);
  await reader.does(losses.first().locator("summary").click());
  await expect(losses.first().locator("li").first()).toContainText(/c\s=\s\d+/);
  expect(reader.actions).toBeLessThanOrEqual(3);
});
