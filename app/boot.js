// The page's start, in a file of its own because the Content-Security-Policy allows no inline script.
// It runs before the first paint to set the theme and to begin loading the app, which starts when the document is parsed.
(() => {
  "use strict";

  const parsed = new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
  const byId = (id) => document.getElementById(id);

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
    const { js, wasm } = document.querySelector("meta[name=bundle]").dataset;
    // Both at once. A <link> would preload them even where scripts are off.
    const [{ default: init }, program] = await Promise.all([
      import(new URL(js, document.baseURI)),
      WebAssembly.compileStreaming(fetch(new URL(wasm, document.baseURI))),
    ]);
    await parsed;
    await init({ module_or_path: program });
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
  loadApp()
    .catch((error) => parsed.then(() => showFailure(error)))
    .finally(() => byId("skeleton").remove());
})();
