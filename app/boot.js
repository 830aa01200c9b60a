// The page's start, in a file of its own because the Content-Security-Policy allows no inline script.
// It runs before the first paint to set the theme and to begin loading the app, which starts when the document is parsed.
(() => {
  "use strict";

  const parsed = new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
  const byId = (id) => document.getElementById(id);

  // Every view but the Overview is another program, which only their readers load.
  const explorer = ["compare", "sweeps", "coverage", "estimators", "time", "method"];
  const asked = new URLSearchParams(location.search).get("view") ?? "overview";
  const view = asked === "overview" || explorer.includes(asked) ? asked : "compare";

  function setTheme() {
    let theme = null;
    try {
      theme = localStorage.getItem("theme");
    } catch {
      // Storage can be forbidden; the system's scheme then applies.
    }
    if (theme === "light" || theme === "dark") {
      document.documentElement.dataset.theme = theme;
    }
  }

  async function loadApp() {
    const bundle = document.querySelector("meta[name=bundle]").dataset;
    const [js, wasm] =
      view === "overview" ? [bundle.js, bundle.wasm] : [bundle.exploreJs, bundle.exploreWasm];
    if (view !== "overview") {
      const style = Object.assign(document.createElement("link"), { rel: "stylesheet" });
      style.href = new URL(bundle.exploreCss, document.baseURI);
      document.head.append(style);
    }
    // Both at once. A <link> would preload them even where scripts are off.
    const [{ default: init }, program] = await Promise.all([
      import(new URL(js, document.baseURI)),
      WebAssembly.compileStreaming(fetch(new URL(wasm, document.baseURI))),
    ]);
    await parsed;
    await init({ module_or_path: program });
  }

  // A link to another view takes along what is chosen at the moment it is followed.
  function keepChoices({ target }) {
    const link = target.closest?.("a[data-view]");
    if (!link) return;
    const chosen = new URLSearchParams(location.search);
    // What every view knows; whatever else is in the address is one view's own.
    const shared = ["run", "vs", "tier", "est", "by", "ci"].filter((name) => chosen.has(name));
    const query = new URLSearchParams(shared.map((name) => [name, chosen.get(name)]));
    if (link.dataset.view !== "overview") {
      query.set("view", link.dataset.view);
    }
    link.href = `${location.pathname}${query.size > 0 ? "?" : ""}${query}`;
  }

  function markView() {
    document.querySelector(`a[data-view="${view}"]`)?.setAttribute("aria-current", "page");
  }

  // With scripts enabled a browser keeps the content of <noscript> as text: the static table is in it.
  function showFailure(error) {
    byId("boot-reason").textContent = String(error?.message ?? error);
    byId("boot-retry").href = location.href;
    const fallback = document.querySelector("noscript")?.textContent ?? "";
    byId("boot-table").append(...new DOMParser().parseFromString(fallback, "text/html").body.childNodes);
    byId("boot-failed").hidden = false;
  }

  setTheme();
  parsed.then(markView);
  for (const kind of ["pointerdown", "focusin", "click"]) {
    document.addEventListener(kind, keepChoices, { capture: true });
  }
  loadApp()
    .catch((error) => parsed.then(() => showFailure(error)))
    .finally(() => byId("skeleton").remove());
})();
