#!/usr/bin/env node
// Checks that every relative link in the project's Markdown leads to a file or a folder that is there.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], { encoding: "utf8" });
for (const page of pages.split("\n").filter((name) => name !== "" && existsSync(name))) {
  readFileSync(page, "utf8")
    .split("\n")
    .forEach((line, index) => {
      for (const [, target] of line.matchAll(/\]\(([^()\s]+)\)/g)) {
        const path = target.split("#")[0];
        if (path !== "" && !/^[a-z]+:/.test(path) && !existsSync(join(dirname(page), path))) {
          console.error(`error: ${page}:${index + 1}: the link leads to ${target}, which is not there`);
          process.exitCode = 1;
        }
      }
    });
}
