// Runs a measurement alone, on the same browser as the tests: measure.ts on their site, or measure-large.ts.
import { defineConfig } from "@playwright/test";

import tests from "./playwright.config.ts";

export default defineConfig(tests, {
  testDir: ".",
  testMatch: process.env.MEASURE ?? "measure.ts",
  timeout: 600_000,
  workers: 1,
  reporter: "line",
  use: { trace: "off", screenshot: "off" },
});
