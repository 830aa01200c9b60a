#!/usr/bin/env node
// build-page.mjs [DIST]: compiles the page's programs, and puts the page together in DIST, which is replaced as a whole. Each program
// is given its JavaScript by wasm-bindgen, and shrunk by wasm-opt. Every file but index.html has a digest of its content in its name,
// so that it may be cached for ever and files of two builds never meet. Without DIST it only compiles.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PROFILE = "wasm-release";
const TARGET = "wasm32-unknown-unknown";
/** The binaries of the crate `app`. */
const PROGRAMS = ["app", "checker", "explore"];

const root = fileURLToPath(new URL("..", import.meta.url));
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
const [dist] = process.argv.slice(2);

try {
  await run("cargo", "build", "--locked", "--package", "app", "--bins", "--profile", PROFILE, "--target", TARGET);
  if (dist !== undefined) {
    await replace(resolve(dist));
  }
} catch (error) {
  console.error(`error: the page could not be built: ${error.message}`);
  process.exitCode = 1;
}

/** Puts the page together beside its folder, and then there. */
async function replace(folder) {
  mkdirSync(dirname(folder), { recursive: true });
  const staged = mkdtempSync(`${folder}-`);
  try {
    await assemble(staged);
    rmSync(folder, { recursive: true, force: true });
    renameSync(staged, folder);
    chmodSync(folder, 0o755);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

async function assemble(folder) {
  const [app, checker, explore] = await Promise.all(PROGRAMS.map((name) => program(name, folder)));
  const worker = fill("app/worker.js", { CHECKER_JS: checker.js, CHECKER_WASM: checker.wasm });
  const page = fill("index.html", {
    "app/favicon.svg": keep(folder, "favicon.svg", source("app/favicon.svg")),
    "app/style.css": keep(folder, "style.css", source("app/style.css")),
    "app/boot.js": keep(folder, "boot.js", source("app/boot.js")),
    APP_JS: app.js,
    APP_WASM: app.wasm,
    EXPLORE_JS: explore.js,
    EXPLORE_WASM: explore.wasm,
    EXPLORE_CSS: keep(folder, "explore.css", source("app/explore.css")),
    WORKER_JS: keep(folder, "worker.js", worker),
  });
  writeFileSync(join(folder, "index.html"), page);
}

/** Makes of a compiled program the two files that a browser loads, and says their names. */
async function program(name, folder) {
  const scratch = mkdtempSync(join(target, `page-${name}-`));
  try {
    const compiled = join(target, TARGET, PROFILE, `${name}.wasm`);
    await run("wasm-bindgen", "--target", "web", "--no-typescript", "--out-dir", scratch, "--out-name", name, compiled);
    const bound = join(scratch, `${name}_bg.wasm`);
    const small = join(scratch, "small.wasm");
    await run("wasm-opt", "-Oz", "--strip-producers", bound, "-o", small);
    const wasm = keep(folder, `${name}.wasm`, readFileSync(small));
    const glue = readFileSync(join(scratch, `${name}.js`), "utf8").replaceAll(basename(bound), wasm);
    return { js: keep(folder, `${name}.js`, glue), wasm };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Writes a file under its name with a digest in it, and says that name. */
function keep(folder, name, content) {
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 16);
  const kind = extname(name);
  const hashed = `${basename(name, kind)}-${digest}${kind}`;
  writeFileSync(join(folder, hashed), content);
  return hashed;
}

function source(path) {
  return readFileSync(join(root, path), "utf8");
}

/** A source file with words in it replaced; each of them must be there. */
function fill(path, words) {
  return Object.entries(words).reduce((text, [word, value]) => {
    if (!text.includes(word)) {
      throw new Error(`${path} has no ${word}, for which scripts/build-page.mjs has a name`);
    }
    return text.replaceAll(word, value);
  }, source(path));
}

async function run(command, ...options) {
  try {
    await promisify(execFile)(command, options, { cwd: root, maxBuffer: 64 << 20 });
  } catch (error) {
    throw new Error(error.code === "ENOENT" ? `${command} is not there; run: make setup` : String(error.stderr).trim());
  }
}
