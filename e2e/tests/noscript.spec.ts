// Without JavaScript, and where the page cannot start, a plain table shows the same figures.
import { expect, test } from "../fixtures/index.ts";
import { count, decimal, table } from "../fixtures/figures.ts";
import { metrics, type Summary } from "../fixtures/site.ts";
import type { Locator } from "@playwright/test";

/** What the static tables must say: TPOT then TTFT, everything first, by family, for every estimator. */
function wanted(summary: Summary): string[][] {
  return metrics.map((metric) => {
    const rows = summary.simulators.map(({ id, name }) => {
      const choice = { estimator: id, tier: "measured-or-resolved", by: "family", metric } as const;
      return { name, rows: table(summary, choice) };
    });
    const families = [...(rows[0]?.rows.keys() ?? [])].filter((key) => key !== "all");
    return ["all", ...families].flatMap((family) =>
      rows.map(({ name, rows }) => {
        const figures = rows.get(family);
        const { points = 0, mape, signed_mean, shape } = figures ?? {};
        const group = family === "all" ? "everything" : family;
        return [group, name, count(points), decimal(mape), decimal(signed_mean, true), decimal(shape)].join(" | ");
      }),
    );
  });
}

async function shown(tables: Locator): Promise<string[][]> {
  return tables.evaluateAll((all) =>
    all.map((one) =>
      [...one.querySelectorAll("tbody tr")].map((row) =>
        [...row.children].map((cell) => (cell.textContent ?? "").replaceAll("\u2212", "-")).join(" | "),
      ),
    ),
  );
}

test.describe("with JavaScript off", () => {
  test.use({ javaScriptEnabled: false });

  test("the static table shows the figures of the newest snapshot, and nothing of the page's program is loaded", async ({
    page,
    site,
  }) => {
    const programs: string[] = [];
    page.on("request", (request) => {
      if (/\.(wasm|js)$/.test(new URL(request.url()).pathname)) {
        programs.push(request.url());
      }
    });
    await page.goto("./");
    await expect(page.locator("noscript table").first()).toBeVisible();
    await expect(page.getByText("Loading…")).toBeHidden();
    // Playwright takes the text of <noscript> for empty, so it is read from the file itself.
    const source = await (await page.request.get("./")).text();
    const html = /<noscript>([\s\S]*)<\/noscript>/.exec(source)?.[1] ?? "";
    const found = [...html.matchAll(/<tbody>([\s\S]*?)<\/tbody>/g)].map(([, body]) =>
      [...(body ?? "").matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
        [...(row ?? "").matchAll(/<t[hd][^>]*>([^<]*)<\/t[hd]>/g)].map(([, text]) => text).join(" | "),
      ),
    );
    expect(found).toEqual(wanted(site.summary(site.newest)));
    expect(html).toContain(site.newest.id);
    await page.waitForLoadState("networkidle");
    expect(programs).toEqual([]);
  });
});

test("where WebAssembly does not start, the same table stands under the reason", async ({ page, site, complaints }) => {
  await page.route(/\.wasm$/, (route) => route.abort());
  await page.goto("./");
  await expect(page.locator("#boot-reason")).not.toBeEmpty();
  expect(await shown(page.locator("#boot-table table"))).toEqual(wanted(site.summary(site.newest)));
  complaints.take(/Failed to load resource/);
});
