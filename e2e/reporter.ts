// Ends a run with one line that any reader of logs can count: "browser: 3 passed, 0 failed, 0 skipped".
import type { FullConfig, Reporter, Suite, TestCase } from "@playwright/test/reporter";

export default class Summary implements Reporter {
  private tests: TestCase[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.tests = suite.allTests();
  }

  onEnd(): void {
    const count = (...outcomes: ReturnType<TestCase["outcome"]>[]): number =>
      this.tests.filter((test) => outcomes.includes(test.outcome())).length;
    console.log(
      `browser: ${count("expected")} passed, ${count("unexpected", "flaky")} failed, ${count("skipped")} skipped`,
    );
  }

  printsToStdio(): boolean {
    return true;
  }
}
