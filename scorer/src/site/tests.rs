//! Sites put together from a small page and small data.

use std::time::Duration;

use super::*;
use crate::console::Console;
use crate::files::json_bytes;
use crate::publish::{Candidate, publish};
use crate::testing;

struct Parts {
    folder: tempfile::TempDir,
    candidate: Candidate,
    id: shared::id::SnapshotId,
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
        let parts = Self { folder, candidate, id: summary.run.id };
        parts.publish();
        fs::create_dir(parts.path("data/reference")).unwrap();
        fs::write(parts.path("data/reference/models.toml"), "secret").unwrap();
        parts
    }

    fn publish(&self) {
        publish(&self.candidate, &self.path("data"), Duration::ZERO, &Console::quiet()).unwrap();
    }

    fn layout(&self) -> Layout {
        Layout::new(&self.path("data"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn stage(&self, output: &Path) -> Result<Staged, SiteError> {
        stage(&self.path("dist"), &self.path("data"), output, None, &Console::quiet())
    }
}

#[test]
fn a_site_may_have_the_newest_snapshots_alone_and_is_whole() {
    let parts = Parts::new();
    let later = testing::snapshot(testing::corpus(3), "2026-12-01T00:00:00Z");
    let later = Candidate::read(Path::new("s"), json_bytes(&later).unwrap()).unwrap();
    publish(&later, &parts.path("data"), Duration::ZERO, &Console::quiet()).unwrap();
    let site = parts.path("site");
    let staged =
        stage(&parts.path("dist"), &parts.path("data"), &site, NonZeroUsize::new(1), &Console::quiet())
            .unwrap();
    assert_eq!(staged.snapshots, 1);
    let layout = Layout::new(&site.join("data"));
    let index = crate::inputs::index(&layout.index()).unwrap();
    assert_eq!(index.snapshots.iter().map(|entry| &entry.id).collect::<Vec<_>>(), [&later.summary().run.id]);
    assert!(layout.latest().exists() && !layout.snapshot(&parts.id).exists());
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
    fs::create_dir(parts.path("data/snapshots/unlisted")).unwrap();
    fs::write(parts.path("data/snapshots/unlisted/page.html"), "<script>").unwrap();
    parts.stage(&site).unwrap();
    assert!(!site.join("data/snapshots/unlisted").exists());
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
fn a_failed_night_stands_in_the_page_and_beside_it_until_one_succeeds() {
    let parts = Parts::new();
    let failure = shared::night::LastFailure {
        schema: "last-failure.v1".to_owned(),
        since: "2026-11-20T02:00:00Z".to_owned(),
        stage: shared::night::Stage::Ingest,
        exit_code: Some(5),
        meaning: "a <server> did not answer".to_owned(),
        simulator: None,
        measurements: None,
    };
    let note = parts.layout().last_failure();
    fs::write(&note, json_bytes(&failure).unwrap()).unwrap();
    let site = parts.path("site");
    parts.stage(&site).unwrap();
    let page = || fs::read_to_string(site.join("index.html")).unwrap();
    assert!(
        page().contains(
            "data-nights=\"failing\">The nightly run fails since 2026-11-20 in the stage ingest: a &lt;"
        ),
        "{}",
        page()
    );
    assert!(Layout::new(&site.join("data")).last_failure().is_file());
    fs::remove_file(&note).unwrap();
    parts.stage(&site).unwrap();
    assert!(!page().contains("data-nights") && !Layout::new(&site.join("data")).last_failure().exists());
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
fn a_snapshot_that_was_changed_is_not_shown_and_what_to_do_is_said() {
    let parts = Parts::new();
    let summary = parts.layout().summary(&parts.id);
    for content in [b"{}".to_vec(), fs::read_to_string(&summary).unwrap().replacen('1', "2", 1).into()] {
        fs::write(&summary, content).unwrap();
        let broken = parts.stage(&parts.path("site")).unwrap_err();
        assert!(matches!(broken, SiteError::Stored(_)), "{broken}");
        assert!(broken.to_string().contains(&summary.display().to_string()), "{broken}");
        assert!(broken.advice().unwrap().contains("restore"), "{broken}");
        assert!(!parts.path("site").exists());
    }
}

#[test]
fn what_is_made_from_the_snapshots_is_checked_and_a_publish_repairs_it() {
    let parts = Parts::new();
    let layout = parts.layout();
    let index = fs::read_to_string(layout.index()).unwrap();
    for (path, content) in [
        (layout.latest(), Some("{}".to_owned())),
        (layout.latest(), None),
        (layout.last_run(), Some("{}".to_owned())),
        (layout.index(), Some(index.replacen("\"scored\":", "\"scored\":1", 1))),
        (layout.index(), Some(index.replacen("\"bytes\":", "\"bytes\":1", 1))),
    ] {
        match content {
            Some(content) => fs::write(&path, content).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let stale = parts.stage(&parts.path("site")).unwrap_err();
        assert!(matches!(&stale, SiteError::OutOfDate { path: named, .. } if *named == path), "{stale}");
        assert!(stale.advice().unwrap().contains("publish a snapshot"));
        assert!(!parts.path("site").exists());
        parts.publish();
        parts.stage(&parts.path("site")).unwrap();
        fs::remove_dir_all(parts.path("site")).unwrap();
    }
}

#[test]
fn the_table_of_points_follows_from_the_snapshot() {
    let parts = Parts::new();
    let points = parts.layout().snapshot(&parts.id).join("points.csv");
    let whole = fs::read(&points).unwrap();
    fs::write(points, "touched").unwrap();
    parts.stage(&parts.path("site")).unwrap();
    let site = Layout::new(&parts.path("site/data"));
    assert_eq!(fs::read(site.snapshot(&parts.id).join("points.csv")).unwrap(), whole);
}

#[test]
fn a_page_that_is_not_built_is_named() {
    let parts = Parts::new();
    fs::write(parts.path("dist/index.html"), "no place for a table").unwrap();
    assert!(matches!(parts.stage(&parts.path("site")), Err(SiteError::NoMarker(_))));
    fs::remove_file(parts.path("dist/index.html")).unwrap();
    assert!(matches!(parts.stage(&parts.path("site")), Err(SiteError::NoPage(_))));
}
