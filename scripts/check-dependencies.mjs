#!/usr/bin/env node
// Compares the direct dependencies of every crate and of the browser tests with the table in CONTRIBUTING.md, which
// says why each is there. A row reads: | `name` | where, where | why |
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

function declared() {
  const metadata = JSON.parse(
    execFileSync("cargo", ["metadata", "--no-deps", "--format-version", "1"], { cwd: root, encoding: "utf8" }),
  );
  const own = new Set(metadata.packages.map((crate) => crate.name));
  const crates = metadata.packages.flatMap((crate) =>
    crate.dependencies.filter(({ name }) => !own.has(name)).map(({ name }) => `${name} in ${crate.name}`),
  );
  const manifest = JSON.parse(readFileSync(`${root}e2e/package.json`, "utf8"));
  const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  return new Set([...crates, ...packages.map((name) => `${name} in e2e`)]);
}

function explained() {
  const rows = readFileSync(`${root}CONTRIBUTING.md`, "utf8").matchAll(/^\| `([^`]+)` \| ([a-z0-9, ]+) \| \S.*\|$/gm);
  return new Set(
    [...rows].flatMap(([, name, places]) => places.split(",").map((place) => `${name} in ${place.trim()}`)),
  );
}

const wanted = declared();
const found = explained();
const problems = [
  ...[...wanted].filter((use) => !found.has(use)).map((use) => `${use}: not explained`),
  ...[...found].filter((use) => !wanted.has(use)).map((use) => `${use}: explained, but not a dependency`),
];
if (problems.length > 0) {
  console.error("error: the table of dependencies in CONTRIBUTING.md is not up to date");
  for (const problem of problems.sort()) {
    console.error(`  ${problem}`);
  }
  process.exitCode = 1;
}
