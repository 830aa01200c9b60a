#!/usr/bin/env node
// check-docs.mjs [PAGE…]: runs the commands in the blocks of pages that are fenced as `console`, and compares what they print with
// what the page says. Without pages, all of them. SCORER names the scorer.
//
// A line `$ command` is run, lines `> more` behind it continue it; what follows is what it prints, on stdout and stderr. A line `…`
// stands for any lines. A command that fails is followed by a line `[exit code N]`. All blocks of a page are run one after the other in
// one empty folder, in which `data` and `examples` are those of this repository; nothing of the user's settings and caches is seen.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const scorer = resolve(process.env.SCORER ?? join(root, "target/debug/scorer"));
const pages = process.argv.length > 2 ? process.argv.slice(2) : allPages();

function allPages() {
  const listed = spawnSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" });
  return listed.stdout.split("\n").filter(Boolean);
}

// The commands of a page, each with the line it stands in and what it should print.
function commandsOf(text) {
  const commands = [];
  let inside = false;
  text.split("\n").forEach((line, index) => {
    if (line.startsWith("```")) {
      inside = !inside && line.trim() === "```console";
    } else if (inside && line.startsWith("$ ")) {
      commands.push({ line: index + 1, command: line.slice(2), expected: [] });
    } else if (inside && commands.length > 0) {
      const last = commands.at(-1);
      if (line.startsWith("> ") && last.expected.length === 0) {
        last.command += `\n${line.slice(2)}`;
      } else {
        last.expected.push(line);
      }
    }
  });
  return commands;
}

// Whether the lines are the expected ones, among which `…` stands for any.
function fits(lines, expected) {
  if (expected.length === 0) return lines.length === 0;
  const [first, ...rest] = expected;
  if (first === "…") {
    for (let skipped = 0; skipped <= lines.length; skipped += 1) {
      if (fits(lines.slice(skipped), rest)) return true;
    }
    return false;
  }
  return lines.length > 0 && lines[0] === first && fits(lines.slice(1), rest);
}

function run(command, folder) {
  const env = {
    PATH: [dirname(scorer), process.env.PATH].join(delimiter),
    HOME: folder,
    XDG_CACHE_HOME: join(folder, ".cache"),
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
  };
  const script = `exec 2>&1\n${command}`;
  const done = spawnSync("bash", ["-o", "pipefail", "-c", script], { cwd: folder, env, encoding: "utf8", timeout: 300_000 });
  const lines = done.stdout.replace(/\n$/, "").split("\n").map((line) => line.trimEnd());
  if (lines.length === 1 && lines[0] === "") lines.pop();
  if (done.status !== 0) lines.push(`[exit code ${done.status}]`);
  return lines;
}

let count = 0;
let failed = 0;
for (const page of pages) {
  const commands = commandsOf(readFileSync(resolve(root, page), "utf8"));
  if (commands.length === 0) continue;
  const folder = mkdtempSync(join(tmpdir(), "scorer-docs-"));
  for (const name of ["data", "examples"]) symlinkSync(join(root, name), join(folder, name));
  for (const { line, command, expected } of commands) {
    const lines = run(command, folder);
    count += 1;
    if (!fits(lines, expected)) {
      failed += 1;
      console.error(`${page}:${line}: $ ${command}\n  the page says:\n${indented(expected)}\n  it prints:\n${indented(lines)}`);
    }
  }
  rmSync(folder, { recursive: true });
}
console.log(`${count - failed} commands of the pages print what they say, ${failed} do not`);
process.exit(failed === 0 && count > 0 ? 0 : 1);

function indented(lines) {
  return lines.map((line) => `    ${line}`).join("\n");
}
