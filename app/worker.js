// The start of the page's worker: loads its program. scripts/build-page.mjs puts the names of its files here.
try {
  const { default: init } = await import("./CHECKER_JS");
  await init({ module_or_path: new URL("./CHECKER_WASM", import.meta.url) });
} catch (error) {
  postMessage(JSON.stringify({ Stopped: String(error?.message ?? error) }));
}
