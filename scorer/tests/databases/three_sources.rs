//! One database, through a real PostgreSQL and its real pg_dump.

use std::path::Path;

use super::kit::{Run, SMALL, parts_of, parts_of_archive, script_of, without_source};
use super::server::{Server, of_debian, postgres_17};

fn dumped(server: &Server, options: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    parts_of_archive(&server.dump(options), folder.path());
    Run::of_folder(folder.path()).corpus()
}

fn served(programs: &Path) -> Server {
    let server = Server::start(programs);
    server.run(&script_of(&SMALL));
    server
}

#[test]
fn a_database_and_its_dumps_of_every_kind_give_one_corpus() {
    let Some(programs) = postgres_17() else { return };
    let server = served(&programs);
    let database = Run::of(&["postgres", "--url", &server.url()]).corpus();

    let ours = tempfile::tempdir().unwrap();
    parts_of(&SMALL, ours.path());
    assert!(Run::of_folder(ours.path()).corpus() == database, "the generator's archive");
    for compression in ["none", "gzip", "lz4", "zstd", "gzip:9", "zstd:level=19,long"] {
        assert!(dumped(&server, &["--compress", compression]) == database, "{compression}");
    }
    let inserted_later = "INSERT INTO configs SELECT 99, hardware, 'trt', model, \"precision\", spec_method, disagg, \
        is_multinode, 1, 1, false, 0, 1, 1, false, 0, 1, 1 FROM configs WHERE id = 10;";
    server.run(inserted_later);
    assert!(dumped(&server, &[]) == database, "a deployment without rows changes nothing");
    for (version, archive) in [(15, "1.14"), (16, "1.15")] {
        let Some(programs) = of_debian(version) else { continue };
        assert!(dumped(&served(&programs), &["-Z", "6"]) == database, "gzip in {archive}");
        assert!(dumped(&served(&programs), &["-Z", "0"]) == database, "none in {archive}");
    }
}

#[test]
fn a_release_that_was_restored_is_named_by_its_tag() {
    let Some(programs) = postgres_17() else { return };
    let server = served(&programs);
    let run = Run::of(&["postgres", "--url", &server.url(), "--tag", "db-dump/2026-09-28"]);
    let corpus: serde_json::Value = serde_json::from_slice(run.written.as_deref().unwrap()).unwrap();
    assert_eq!(corpus["source"]["kind"], "postgres");
    assert_eq!(corpus["source"]["tag"], "db-dump/2026-09-28");
    let without_tag = Run::of(&["postgres", "--url", &server.url()]);
    assert!(run.corpus() == without_tag.corpus());
    let corpus: serde_json::Value = serde_json::from_slice(without_tag.written.as_deref().unwrap()).unwrap();
    assert_eq!(corpus["source"]["release"], false);
    assert!(without_source(without_tag.written.as_deref().unwrap()) == run.corpus());
}

#[test]
fn what_is_wrong_with_a_database_is_told() {
    let Some(programs) = postgres_17() else { return };
    let server = Server::start(&programs);
    let url = server.url();
    let run = || Run::of(&["postgres", "--url", &url]);
    run().refuses(4, "there is no table `public.configs`");
    server.run(&script_of(&SMALL));
    server.run("ALTER TABLE configs RENAME COLUMN framework TO engine;");
    run().refuses(4, "table `configs` has no column `framework`");
    server.run("ALTER TABLE configs RENAME COLUMN engine TO framework;");
    server.run("ALTER TABLE benchmark_results DROP COLUMN recipe_fingerprint, ADD COLUMN newer text;");
    assert_eq!(run().code, 0);
    server.run("CREATE ROLE guest LOGIN;");
    let guest = url.replace("postgres@", "guest@");
    Run::of(&["postgres", "--url", &guest]).refuses(3, "the server refuses to give `configs`");
    drop(server);
    run().refuses(3, "no connection");
    Run::of(&["postgres", "--url", "mysql://x"]).refuses(2, "not the address of a database");
}

#[test]
fn a_user_who_may_not_read_every_row_and_column_is_refused() {
    let Some(programs) = postgres_17() else { return };
    let server = served(&programs);
    server.run("CREATE ROLE guest LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest;");
    let guest = server.url().replace("postgres@", "guest@");
    let run = || Run::of(&["postgres", "--url", &guest]);
    assert_eq!(run().code, 0);
    server.run(
        "ALTER TABLE benchmark_results ENABLE ROW LEVEL SECURITY; \
         CREATE POLICY even ON benchmark_results USING (id % 2 = 0);",
    );
    run().refuses(3, "row-level security");
    server.run(
        "ALTER TABLE benchmark_results DISABLE ROW LEVEL SECURITY; REVOKE SELECT ON benchmark_results FROM guest; \
         GRANT SELECT (id, workflow_run_id, config_id, benchmark_type, date, isl, osl, conc, image, metrics, error, \
         server_log_id) ON benchmark_results TO guest;",
    );
    run().refuses(3, "permission denied for table benchmark_results");
}
