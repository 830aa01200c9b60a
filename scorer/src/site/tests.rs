//! Sites put together from a small page and small data.

use std::time::Duration;

use super::*;
use crate::console::Console;
use crate::files::json_bytes;
use crate::publish::{Candidate, publish};
use crate::testing;

struct Parts {
    folder: tempfile::TempDir,
}

impl Parts {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("dist");
        fs::create_dir(&page).unwrap();
        fs::write(page.join("index.html"), format!("<noscript>{MARKER}</noscript>")).unwrap();
        fs::write(page.join("app-1.js"), "run()").unwrap();
        let mut summary = testing::snapshot(testing::corpus(2), "2026-11-30T00:00:00Z");
        "<b>AIC</b>".clone_into(&mut summary.simulators[0].name);
        summary.run.id = shared::snapshot_id::of(&summary).unwrap();
        let candidate = Candidate::read(Path::new("s"), json_bytes(&summary).unwrap()).unwrap();
        let data = folder.path().join("data");
        publish(&candidate, &data, Duration::ZERO, &Console::quiet()).unwrap();
        fs::create_dir(data.join("reference")).unwrap();
        fs::write(data.join("reference/models.toml"), "secret").unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn stage(&self, output: &Path) -> Result<Staged, SiteError> {
        stage(&self.path("dist"), &self.path("data"), output)
    }
}

#[test]
fn a_site_has_the_page_the_snapshots_and_nothing_else() {
    let parts = Parts::new();
    let site = parts.path("site");
    let staged = parts.stage(&site).unwrap();
    assert_eq!((staged.snapshots, staged.files), (1, 7));
    for name in
        ["index.html", "app-1.js", "data/index.json", "data/latest/summary.json", "data/state/last-run.json"]
    {
        assert!(site.join(name).is_file(), "{name}");
    }
    assert!(!site.join("data/reference").exists());
    assert_eq!(fs::read_dir(parts.folder.path()).unwrap().count(), 3);
}

#[test]
fn readers_without_javascript_get_a_table_of_escaped_text() {
    let parts = Parts::new();
    parts.stage(&parts.path("site")).unwrap();
    let page = fs::read_to_string(parts.path("site/index.html")).unwrap();
    assert!(!page.contains(MARKER));
    assert!(page.contains("<caption>TPOT, ") && page.contains("<caption>TTFT, "), "{page}");
    assert!(page.contains("&lt;b&gt;AIC&lt;/b&gt;") && !page.contains("<b>AIC"), "{page}");
}

#[test]
fn an_earlier_site_is_replaced_and_anything_else_is_not() {
    let parts = Parts::new();
    let site = parts.path("site");
    parts.stage(&site).unwrap();
    fs::write(site.join("old.js"), "").unwrap();
    parts.stage(&site).unwrap();
    assert!(!site.join("old.js").exists());
    let home = parts.path("home");
    fs::create_dir(&home).unwrap();
    fs::write(home.join("thesis.tex"), "").unwrap();
    assert!(matches!(parts.stage(&home), Err(SiteError::NotOurs(_))));
    assert!(home.join("thesis.tex").exists());
}

#[test]
fn a_site_is_not_put_into_what_it_is_made_of() {
    let parts = Parts::new();
    for output in [parts.path("dist/site"), parts.path("data"), parts.folder.path().to_owned()] {
        assert!(matches!(parts.stage(&output), Err(SiteError::Overlap(_))), "{}", output.display());
    }
}

#[test]
fn broken_data_and_a_page_that_is_not_built_are_named() {
    let parts = Parts::new();
    let summary = Layout::new(&parts.path("data")).latest();
    let id = inputs::summary(&summary, fs::read(&summary).unwrap()).unwrap().run.id;
    fs::write(Layout::new(&parts.path("data")).summary(&id), "{}").unwrap();
    let broken = parts.stage(&parts.path("site")).unwrap_err();
    assert!(matches!(broken, SiteError::Data { .. }), "{broken}");
    assert!(!parts.path("site").exists());
    fs::remove_file(parts.path("dist/index.html")).unwrap();
    assert!(matches!(parts.stage(&parts.path("site")), Err(SiteError::NoPage(_))));
}
