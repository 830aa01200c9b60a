#!/usr/bin/env node
// check-snapshots.mjs REFERENCES: fails for a snapshot file that no test asserted (REFERENCES has a path a line, as
// insta writes it), and for one that still waits to be accepted.
import { existsSync, readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

// insta's paths are absolute and can have "dir/../" in them.
const asserted = new Set(readFileSync(process.argv[2], "utf8").split("\n").map((path) => resolve(path)));

// Those that wait are ignored by git, so the ignored ones are listed as well.
const files = execFileSync("git", ["ls-files", "--cached", "--others", "app", "scorer", "shared"], { encoding: "utf8" });
const snapshots = files.split("\n").filter((path) => /\.snap(\.new)?$/.test(path) && existsSync(path));

function complain(problem, advice, paths) {
  if (paths.length > 0) {
    console.error(`error: ${problem}: ${paths.join(" ")}\n  ${advice}`);
    process.exitCode = 1;
  }
}

complain(
  "snapshots that no test asserts",
  "delete them, or give their tests their names back",
  snapshots.filter((path) => path.endsWith(".snap") && !asserted.has(resolve(path))),
);
complain(
  "snapshots that are not accepted yet",
  "review them with cargo insta, or rename them to .snap",
  snapshots.filter((path) => path.endsWith(".new")),
);
