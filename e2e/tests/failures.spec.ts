// Each way in which data can be missing, broken or wrong has its own message, and a way on where there is one.
import { expect, test } from "../fixtures/index.ts";
import { answer, change, hold, indexFile, snapshotFile } from "../fixtures/answers.ts";
import type { Index, Summary } from "../fixtures/site.ts";

/** The browser reports every request that fails, whatever the page makes of it. */
const failedLoad = /Failed to load resource/;

test("while the data loads, the page says so in the room of the tables", async ({ dashboard, page, site }) => {
  const deliver = await hold(page, snapshotFile(site.newest));
  await page.goto("./");
  await expect(page.locator(".bone.table")).toHaveCount(2);
  await expect(page.locator(".tables")).toHaveAttribute("aria-busy", "true");
  deliver();
  await dashboard.settled();
  await expect(page.locator(".bone")).toHaveCount(0);
});

test("no index: no data yet, and no button that cannot help", async ({ dashboard, page, complaints }) => {
  await page.route(indexFile, (route) => route.fulfill({ status: 404, body: "not here" }));
  await page.goto("./");
  await expect(dashboard.alert.getByRole("heading", { name: "No data yet" })).toBeVisible();
  await expect(dashboard.alert).toContainText("make demo");
  await expect(dashboard.alert.getByRole("button")).toHaveCount(0);
  await expect(page.locator(".bone")).toHaveCount(0);
  complaints.take(failedLoad);
});

test("an index without snapshots: no data yet", async ({ dashboard, page }) => {
  await answer(page, indexFile, { schema: "index.v1", snapshots: [] });
  await page.goto("./");
  await expect(dashboard.alert.getByRole("heading", { name: "No data yet" })).toBeVisible();
});

test("no network: says so, and trying again works once it is back", async ({ dashboard, page, complaints }) => {
  await page.route(indexFile, (route) => route.abort("connectionfailed"));
  await page.goto("./");
  await expect(dashboard.alert.getByRole("heading", { name: "The data could not be reached" })).toBeVisible();
  await expect(dashboard.alert).toContainText("data/index.json");
  await dashboard.alert.getByRole("button", { name: "Try again" }).click();
  await expect(dashboard.alert.getByRole("heading", { name: "The data could not be reached" })).toBeVisible();
  await page.unroute(indexFile);
  await dashboard.alert.getByRole("button", { name: "Try again" }).click();
  await dashboard.settled();
  await expect(dashboard.alert).toHaveCount(0);
  complaints.take(failedLoad);
});

test("an error of the server: says its status, and trying again works", async ({ dashboard, page, site, complaints }) => {
  await page.route(snapshotFile(site.newest), (route) => route.fulfill({ status: 503, body: "later" }));
  await page.goto("./");
  await expect(dashboard.alert.getByRole("heading", { name: "The server could not deliver the data" })).toBeVisible();
  await expect(dashboard.alert).toContainText("status 503");
  await page.unroute(snapshotFile(site.newest));
  await dashboard.alert.getByRole("button", { name: "Try again" }).click();
  await dashboard.settled();
  await expect(dashboard.alert).toHaveCount(0);
  complaints.take(failedLoad);
});

test("a snapshot that is not there: names it, and another run can be chosen", async ({
  dashboard,
  page,
  site,
  complaints,
}) => {
  await page.route(snapshotFile(site.newest), (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("./");
  await expect(dashboard.alert.getByRole("heading", { name: "Not found" })).toBeVisible();
  await expect(dashboard.alert).toContainText(`data/snapshots/${site.newest.id}/summary.json`);
  await expect(dashboard.tables).toHaveCount(0);
  await dashboard.pick(dashboard.runA, site.older.id);
  await dashboard.settled();
  await expect(dashboard.alert).toHaveCount(0);
  complaints.take(failedLoad);
});

test("a second run that is not there leaves the first one's tables", async ({ dashboard, page, site, complaints }) => {
  await page.route(snapshotFile(site.older), (route) => route.fulfill({ status: 404, body: "" }));
  await dashboard.open(`?run=${site.newest.id}&vs=${site.older.id}`);
  await expect(dashboard.alert.getByRole("heading", { name: "Not found" })).toBeVisible();
  await expect(page.locator("td .delta")).toHaveCount(0);
  complaints.take(failedLoad);
});

const unreadable: [string, (text: string) => string][] = [
  ["an empty file", () => ""],
  ["a truncated file", (text) => text.slice(0, text.length / 2)],
  ["a page of the server's", () => "<!doctype html><title>Welcome</title>"],
  ["another kind of file", () => JSON.stringify({ schema: "corpus.v1", sweeps: [] })],
  ["a list", () => "[]"],
  ["text in place of a number", (text) => text.replace(/"points":\s*\d+/, '"points":"many"')],
];

for (const [what, spoil] of unreadable) {
  test(`a snapshot that cannot be read, ${what}: says where, and offers to try again`, async ({
    dashboard,
    page,
    site,
  }) => {
    await page.route(snapshotFile(site.newest), async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: spoil(await response.text()) });
    });
    await page.goto("./");
    await expect(dashboard.alert.getByRole("heading", { name: "The data could not be read" })).toBeVisible();
    await expect(dashboard.alert).toContainText("summary.json is damaged or incomplete");
    await expect(dashboard.alert.getByRole("button", { name: "Try again" })).toBeVisible();
    await expect(dashboard.tables).toHaveCount(0);
  });
}

test("an index that cannot be read: says so", async ({ dashboard, page }) => {
  await answer(page, indexFile, '{"schema": "index.v1", "snapsh');
  await page.goto("./");
  await expect(dashboard.alert.getByRole("heading", { name: "The data could not be read" })).toBeVisible();
  await expect(dashboard.alert).toContainText("data/index.json");
});

for (const [file, name] of [
  ["index", "index.v2"],
  ["snapshot", "summary.v2"],
] as const) {
  test(`a newer ${file}: asks to reload the page, and shows no broken table`, async ({ dashboard, page, site }) => {
    // What a newer version changes cannot be known: everything but the field that says so.
    const url = file === "index" ? indexFile : snapshotFile(site.newest);
    await answer(page, url, { schema: name, everything: { is: "different" } });
    await page.goto("./");
    await expect(dashboard.alert.getByRole("heading", { name: "The data is newer than this page" })).toBeVisible();
    await expect(dashboard.alert).toContainText(`“${name}”`);
    await expect(dashboard.tables).toHaveCount(0);
  });
}

test("fields that a later version adds do not matter", async ({ dashboard, page }) => {
  await change<Index>(page, indexFile, (index) => {
    Object.assign(index, { added: 1 });
    for (const entry of index.snapshots) {
      Object.assign(entry, { added: { later: true } });
    }
  });
  await dashboard.open();
  await expect(dashboard.alert).toHaveCount(0);
});

test.describe("age", () => {
  const daysAfter = (moment: string, days: number): Date => new Date(Date.parse(moment) + days * 86_400_000);

  test("the newest snapshot is older than eight days: says how old", async ({ dashboard, page, site }) => {
    await page.clock.setFixedTime(daysAfter(site.newest.generated_at, 9));
    await dashboard.open();
    await expect(page.locator(".notices")).toContainText("The newest snapshot is 9 days old");
  });

  test("eight days are not stale yet", async ({ dashboard, page, site }) => {
    await page.clock.setFixedTime(daysAfter(site.newest.generated_at, 8));
    await dashboard.open();
    await expect(page.locator(".notices")).not.toContainText("old");
  });

  test("an older run says that there is a newer one, and a button leads there", async ({ dashboard, page, site }) => {
    await page.clock.setFixedTime(daysAfter(site.newest.generated_at, 1));
    await dashboard.open(`?run=${site.older.id}`);
    await expect(page.locator(".notices")).toContainText("A newer run than this one is available");
    await page.getByRole("button", { name: "Show the newest run" }).click();
    await expect.poll(() => dashboard.parameters().get("run")).toBe(site.newest.id);
    await expect(page.locator(".notices")).not.toContainText("newer run");
  });
});

test.describe("verification", () => {
  test("the real snapshot is verified, with the count of what was computed again", async ({ dashboard, site }) => {
    await dashboard.open();
    await expect(dashboard.chip).toContainText("verified", { timeout: 60_000 });
    await expect(dashboard.chip.locator(".chip.good")).toHaveAttribute(
      "title",
      new RegExp(`all ${site.summary(site.newest).aggregates.length} sets of figures`),
    );
  });

  test("bytes that are not those of the index: the chip names both digests", async ({ dashboard, page, site }) => {
    await change<Index>(page, indexFile, ({ snapshots }) => {
      for (const entry of snapshots) {
        entry.sha256 = "0".repeat(64);
      }
    });
    await dashboard.open();
    await expect(dashboard.chip.locator(".chip.bad")).toContainText(
      `the file's SHA-256 is ${site.newest.sha256.slice(0, 12)}…, but the index says 000000000000…`,
    );
  });

  test("one more blank in the file is enough", async ({ dashboard, page, site }) => {
    await page.route(snapshotFile(site.newest), async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${await response.text()} ` });
    });
    await dashboard.open();
    await expect(dashboard.chip.locator(".chip.bad")).toContainText("SHA-256");
  });

  // A forger would write the digest of the forged file into the index: only computing again can tell.
  const forgeries: [string, (summary: Summary) => void, RegExp][] = [
    [
      "a figure with one other digit",
      ({ aggregates }) => {
        const { figures } = aggregates.find(({ of, figures }) => of.by === "family" && figures.points > 0)!;
        figures.mape = (figures.mape ?? 0) + 1e-9;
      },
      /mape/i,
    ],
    [
      "a prediction with one other digit",
      ({ sweeps }) => {
        const scored = sweeps[0]?.points[0]?.predictions["roofline"]?.scored;
        scored!.tpot_ms += 0.001;
      },
      /roofline|tpot|id/i,
    ],
    [
      "a better verdict",
      ({ sweeps }) => {
        sweeps.find(({ verdict }) => verdict === "NOT_REPRODUCIBLE")!.verdict = "EXACT";
      },
      /verdict|exact/i,
    ],
  ];
  for (const [what, forge, named] of forgeries) {
    test(`${what}: the chip names the difference, even when the index has the digest of the bytes`, async ({
      dashboard,
      page,
      site,
    }) => {
      const forged = structuredClone(site.summary(site.newest));
      forge(forged);
      const text = JSON.stringify(forged);
      const digest = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");
      await answer(page, snapshotFile(site.newest), text);
      await change<Index>(page, indexFile, ({ snapshots }) => {
        Object.assign(snapshots.find(({ id }) => id === site.newest.id)!, { sha256: digest, bytes: text.length });
      });
      await dashboard.open();
      await expect(dashboard.chip.locator(".chip.bad")).toContainText(named, { timeout: 60_000 });
      await expect(dashboard.chip).not.toContainText("SHA-256");
    });
  }
});

test.describe("the worker does not start", () => {
  test.beforeEach(async ({ context }) => {
    await context.route(/\/checker-\w+\.wasm/, (route) => route.abort());
  });

  test("the tables are there, and the chip says that nothing was checked, and why", async ({ dashboard }) => {
    await dashboard.open();
    await expect(dashboard.chip.locator(".chip.caution")).toContainText("not checked: Failed to fetch");
  });

  test("a comparison is refused with the reason, and A alone is shown", async ({ dashboard, page, site }) => {
    await dashboard.open(`?run=${site.newest.id}&vs=${site.older.id}`);
    await expect(page.locator(".notices")).toContainText("Not comparable. The part of this page that compares could not start");
    await expect(page.locator("td .delta")).toHaveCount(0);
  });
});

test("text from a snapshot is shown as text, never as markup", async ({ dashboard, page, site }) => {
  const evil = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
  const forged = structuredClone(site.summary(site.newest));
  for (const { of } of forged.aggregates) {
    if (of.by === "model") {
      of.key = `${evil}${of.key}`;
    }
  }
  for (const sweep of forged.sweeps) {
    sweep.model = `${evil}${sweep.model}`;
  }
  for (const simulator of forged.simulators) {
    simulator.name = `${evil}${simulator.id}`;
  }
  await answer(page, snapshotFile(site.newest), forged);
  await change<Index>(page, indexFile, ({ snapshots }) => {
    for (const entry of snapshots) {
      entry.measurements = evil;
      entry.simulator = evil;
    }
  });
  await dashboard.open("?by=model");
  await expect(dashboard.tables.first().locator("tbody th").first()).toContainText(evil);
  await expect(page.locator(".facts").first()).toContainText(evil);
  await dashboard.runA.click();
  await expect(page.locator("li[role=option]").first()).toContainText(evil);
  await expect(page.locator("body img, body script:not([src])")).toHaveCount(0);
  expect(await page.title()).not.toContain("owned".padEnd(6));
  await expect(page).toHaveTitle(/How accurate is <img/);
});
