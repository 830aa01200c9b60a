import { expect, test } from "../fixtures/index.ts";

test("the page starts, and the browser has nothing to say about it", async ({ page }) => {
  await page.goto("./");

  await expect(page).toHaveTitle(/BLIS accuracy dashboard/);
  await expect(page.locator("#skeleton")).toHaveCount(0);
  await expect(page.locator("#boot-failed")).toBeHidden();
  await expect(page.locator("#app")).not.toBeEmpty();
  // Requests that outlive the start have had their chance to complain.
  await page.waitForLoadState("networkidle");
});

test("without its WebAssembly the page says so and offers the static table", async ({ page, complaints }) => {
  await page.route(/\.wasm$/, (route) => route.abort());
  await page.goto("./");

  await expect(page.locator("#boot-failed")).toBeVisible();
  await expect(page.locator("#boot-reason")).not.toBeEmpty();
  await expect(page.locator("#boot-table table")).not.toHaveCount(0);
  await expect(page.locator("#skeleton")).toHaveCount(0);
  complaints.take(/Failed to load resource/);
});

test.describe("with scripts off", () => {
  test.use({ javaScriptEnabled: false });

  test("the static table is there", async ({ page }) => {
    await page.goto("./");

    await expect(page.locator("noscript table")).not.toHaveCount(0);
  });
});
