// How the browser tests run: the staged site (E2E_SITE) is served by the scorer (E2E_SCORER) on a free loopback port,
// under a sub-path as on a project's public pages. scripts/test-browser.sh sets both and CHROMIUM.
// With E2E_BASE_URL (it ends in a slash) the tests run against a site that is served already.
import { availableParallelism } from "node:os";
import { createServer } from "node:net";
import { defineConfig, devices } from "@playwright/test";

const basePath = "/team/accuracy-dashboard/";

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set: run the browser tests by \`make test-browser\``);
  }
  return value;
}

const served = process.env.E2E_BASE_URL !== undefined && process.env.E2E_PORT === undefined;
if (!served) {
  // Every worker reads this file again; they inherit the environment, and so the port.
  process.env.E2E_PORT ??= String(await freePort());
  process.env.E2E_BASE_URL = `http://127.0.0.1:${process.env.E2E_PORT}${basePath}`;
}
const baseURL = required("E2E_BASE_URL");

export default defineConfig({
  testDir: "tests",
  outputDir: "../target/e2e/results",
  forbidOnly: process.env.CI === "true",
  // A flaky test is a defect: it is not run again until it passes.
  retries: 0,
  // A page keeps a core busy, and a test must not wait for one.
  workers: Math.min(4, availableParallelism()),
  fullyParallel: true,
  // Busy cores, as in CI, can hold a page up for many seconds; what must be fast is measured, not waited for.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["./reporter.ts"]],
  use: {
    baseURL,
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
  projects: [
    {
      name: "chromium",
      use: {
        ...devices["Desktop Chrome"],
        launchOptions: {
          executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
          args: [
            // As root, in a container, Chromium's own sandbox cannot start.
            ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
          ],
        },
      },
    },
  ],
  ...(served
    ? {}
    : {
        webServer: {
          command: `"${required("E2E_SCORER")}" serve "${required("E2E_SITE")}" --port ${process.env.E2E_PORT} --base-path ${basePath}`,
          url: baseURL,
          reuseExistingServer: false,
          gracefulShutdown: { signal: "SIGINT" as const, timeout: 5_000 },
        },
      }),
});
