// The page's start, in a file of its own because the Content-Security-Policy allows no inline script.
// It runs before the first paint to set the theme, and loads the app when the document is parsed.
(() => {
  "use strict";

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
    const { default: init } = await import(new URL(js, document.baseURI));
    await init({ module_or_path: new URL(wasm, document.baseURI) });
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
  document.addEventListener("DOMContentLoaded", () => {
    loadApp()
      .catch(showFailure)
      .finally(() => byId("skeleton").remove());
  });
})();
