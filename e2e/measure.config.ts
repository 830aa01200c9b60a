// Runs measure.ts alone, on the same site and browser as the tests.
import { defineConfig } from "@playwright/test";

import tests from "./playwright.config.ts";

export default defineConfig(tests, {
  testDir: ".",
  testMatch: "measure.ts",
  timeout: 600_000,
  workers: 1,
  reporter: "line",
  use: { trace: "off", screenshot: "off" },
});
