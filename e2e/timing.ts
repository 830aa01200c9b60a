// What both measurements share: a browser whose processor is slowed down, the time from a choice to the frame that shows it, and
// the table of medians.
import type { Browser, BrowserContext, Page } from "@playwright/test";

const slowdown = Number(process.env.SLOWDOWN ?? 4);

/** The ids of the runs in the site's list, newest first. */
export async function runs(origin: string): Promise<string[]> {
  const { snapshots } = (await (await fetch(new URL("data/index.json", origin))).json()) as { snapshots: { id: string }[] };
  return snapshots.map(({ id }) => id);
}

/** What a reader does, as code for `latency`. */
export const act = {
  /** Types a text, or chooses a line of a menu. */
  enter: (id: string, value: string): string =>
    `{ const field = document.getElementById(${JSON.stringify(id)}); field.value = ${JSON.stringify(value)};` +
    ` for (const kind of ["input", "change"]) { field.dispatchEvent(new Event(kind, { bubbles: true })); } }`,
  openRuns: `document.getElementById("run-b").click()`,
  chooseRun: (id: string): string =>
    `[...document.querySelectorAll("#run-b-list li")].find((one) => one.textContent.includes(${JSON.stringify(id)})).click()`,
};

/** What is then seen, as code for `latency`. */
export const seen = {
  runs: `document.querySelector("#run-b-list li") !== null`,
  differences: `document.querySelector("td .delta") !== null`,
};

/** A page whose processor is slowed down, in a fresh context: its cache is empty, so this is a first visit. */
export async function slowed(browser: Browser): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  return { page, context };
}

/** From a choice to the first frame after it in which `done` holds. */
export async function latency(page: Page, act: string, done: string): Promise<number> {
  return page.evaluate(
    ([act, done]) =>
      new Promise<number>((resolve) => {
        // The page's own Content-Security-Policy does not apply to what Playwright evaluates.
        const start = performance.now();
        (0, eval)(act);
        const look = (): void => {
          requestAnimationFrame(() =>
            setTimeout(() => ((0, eval)(done) ? resolve(performance.now() - start) : look())),
          );
        };
        look();
      }),
    [act, done] as const,
  );
}

/** Milliseconds by what took them. */
export class Report {
  readonly runs = Number(process.env.RUNS ?? 7);
  private readonly times = new Map<string, number[]>();

  note(what: string, milliseconds: number): void {
    this.times.set(what, [...(this.times.get(what) ?? []), milliseconds]);
  }

  /** Prints the median and the range of each. */
  print(origin: string): void {
    console.log(`${this.runs} runs, processor ${slowdown} times slower, ${origin}`);
    for (const [what, times] of this.times) {
      const sorted = times.toSorted((one, other) => one - other);
      console.log(
        `${what.padEnd(40)} ${this.median(what).toFixed(0).padStart(6)} ms  (${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)})`,
      );
    }
  }

  /** What takes longer than it may, by its median. */
  over(budgets: Readonly<Record<string, number>>): string[] {
    return Object.entries(budgets)
      .filter(([what, budget]) => !(this.median(what) <= budget))
      .map(([what, budget]) => `${what}: ${this.median(what).toFixed(0)} ms, not ${budget}`);
  }

  private median(what: string): number {
    const sorted = (this.times.get(what) ?? []).toSorted((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? NaN;
  }
}
