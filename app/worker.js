// The start of the page's worker: loads its program, whose files lie beside this one. The query is handed on to them.
const { search } = new URL(import.meta.url);
try {
  const { default: init } = await import(`./checker.js${search}`);
  await init({ module_or_path: new URL(`./checker_bg.wasm${search}`, import.meta.url) });
} catch (error) {
  postMessage(JSON.stringify({ Stopped: String(error?.message ?? error) }));
}
