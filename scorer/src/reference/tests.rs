use super::*;

fn texts() -> [(String, String); TABLES.len()] {
    TABLES.map(|(name, text)| (name.to_owned(), text.to_owned()))
}

/// The message about a table in which `from` was replaced by `to`.
fn message(table: usize, from: &str, to: &str) -> String {
    let mut texts = texts();
    assert!(texts[table].1.contains(from), "{from}");
    texts[table].1 = texts[table].1.replacen(from, to, 1);
    Reference::from_texts(&texts).unwrap_err().to_string()
}

#[test]
fn the_formulas_give_the_parameter_counts_that_the_publishers_state() {
    let reference = Reference::embedded().unwrap();
    assert_eq!(reference.models().len(), 6);
    for model in reference.models() {
        let published = &model.published;
        let off = |found: f64, stated: Positive| (found / (1e9 * stated.get()) - 1.0).abs();
        let total = off(Parameters::total(model), published.total_billion);
        assert!(total <= published.tolerance.get(), "{} total {total}", model.name.as_str());
        if let Some(stated) = published.active_billion {
            let active = off(Parameters::active(model), stated);
            assert!(active <= published.tolerance.get(), "{} active {active}", model.name.as_str());
        }
    }
}

/// Independent sums in Python, straight from the config.json files.
#[test]
fn parameter_counts_are_exact() {
    let reference = Reference::embedded().unwrap();
    for (name, total, active) in [
        ("gpt-oss-120b", 116_788_838_400.0, 5_131_100_160.0),
        ("llama-3.1-70b-instruct", 70_552_387_584.0, 69_501_714_432.0),
    ] {
        let model = reference.model(name).unwrap();
        assert_eq!((Parameters::total(model), Parameters::active(model)), (total, active), "{name}");
    }
}

#[test]
fn shares_of_a_group_add_up_except_for_what_every_gpu_keeps() {
    let reference = Reference::embedded().unwrap();
    let llama = reference.model("llama-3.1-70b-instruct").unwrap();
    let [one, eight, sixteen] = [1, 8, 16].map(|tp| Parameters::on_one_of(llama, tp));
    assert_eq!(one.attention, 8.0 * eight.attention);
    assert_eq!(one.dense, 8.0 * eight.dense);
    // 16 GPUs and 8 KV heads: key and value projections are held twice.
    let twice = 80.0 * 2.0 * 8192.0 * 8.0 * 128.0;
    assert_eq!(16.0 * sixteen.attention, one.attention + twice);
}

#[test]
fn families_follow_the_published_page_and_unknown_models_keep_their_name() {
    let reference = Reference::embedded().unwrap();
    for (model, family) in [
        ("deepseek-v4-pro", "deepseek-v4"),
        ("gpt-oss-120b", "gpt-oss"),
        ("kimi-k2.5", "kimi"),
        ("minimax-m2.5", "minimax"),
        ("minimax-m3", "minimax"),
        ("llama-3.1-70b-instruct", "llama"),
        ("some-new-model", "some-new-model"),
    ] {
        assert_eq!(reference.family(model), family);
    }
}

#[test]
fn defaults_depend_on_profile_version_and_memory() {
    let reference = Reference::embedded().unwrap();
    let defaults = reference.defaults();
    assert_eq!(defaults.default_profile.as_str(), "blis-harness");
    let budget = |profile: &str, version: Option<&str>, hardware: &str| {
        let version = version.map(|version| version.parse().unwrap());
        let memory = reference.hardware(hardware).unwrap().memory_gib.get();
        let rule = defaults.profile(profile).unwrap().rule(version, memory).unwrap();
        (rule.max_num_batched_tokens.get(), rule.gpu_memory_utilization.get())
    };
    assert_eq!(budget("blis-harness", None, "b200"), (16384, 0.9));
    assert_eq!(budget("blis-harness", Some("0.22.0"), "h100"), (8192, 0.9));
    assert_eq!(budget("vllm", Some("0.19.0"), "b200"), (8192, 0.9));
    assert_eq!(budget("vllm", Some("0.22.0"), "b200"), (8192, 0.92));
    assert_eq!(budget("vllm", Some("0.28.0"), "b200"), (16384, 0.92));
    assert_eq!(budget("vllm", Some("0.28.0"), "h200"), (8192, 0.92));
    assert_eq!(budget("vllm", None, "b300"), (8192, 0.92));
    let small = defaults.profile("vllm").unwrap().rule(None, 24.0).unwrap();
    assert_eq!((small.max_num_seqs.get(), small.max_num_batched_tokens.get()), (256, 2048));
    assert!(defaults.profile("other").is_none());
}

#[test]
fn what_a_table_must_not_say_is_refused_with_file_and_place() {
    for (table, from, to, parts) in [
        (0, "hidden = 2880", "hiden = 2880", ["models.toml", "unknown field `hiden`"]),
        (0, "hidden = 2880", "hidden = 0", ["models.toml", "nonzero"]),
        (0, "layers = 36", "layers = 35", ["models.toml: model `gpt-oss-120b`", "36 layers, but it has 35"]),
        (0, "active = 4", "active = 400", ["models.toml: model `gpt-oss-120b`", "fewer experts"]),
        (
            0,
            "name = \"llama-3.1-70b-instruct\"",
            "name = \"gpt-oss-120b\"",
            ["model `gpt-oss-120b`", "is there twice"],
        ),
        (
            0,
            "precision = \"bf16\"",
            "precision = \"fp8\"",
            ["model `llama-3.1-70b-instruct`", "two checkpoints"],
        ),
        (0, "window = 128", "", ["model `gpt-oss-120b`", "attend to nothing"]),
        (0, "top_k = 2048, ", "", ["model `minimax-m3`", "belong together"]),
        (0, "weights = \"mxfp4\"", "weights = \"fp3\"", ["models.toml", "unknown variant `fp3`"]),
        (
            1,
            "memory_gb_s = 3350.0",
            "memory_gb_s = -3350.0",
            ["hardware.toml", "-3350 is not a number above 0"],
        ),
        (1, "memory_gb_s = 3350.0", "memory_gb_s = nan", ["hardware.toml", "NaN is not a number above 0"]),
        (1, "name = \"h200\"", "name = \"h100\"", ["hardware.toml: hardware `h100`", "is there twice"]),
        (
            1,
            "source = \"NVIDIA H100",
            "sources = \"NVIDIA H100",
            ["hardware.toml", "unknown field `sources`"],
        ),
        (
            2,
            "default_profile = \"blis-harness\"",
            "default_profile = \"x\"",
            ["vllm_defaults.toml", "blis-harness, vllm"],
        ),
        (2, "from = \"0.28.0\"", "from = \"0.28\"", ["vllm_defaults.toml", "`0.28` is not a version"]),
        (3, "\"kimi-k2.5\" = \"kimi\"", "\"kimi-k2.5\" = \" \"", ["families.toml", "an empty text"]),
        (3, "source = ", "# ", ["families.toml", "missing field `source`"]),
    ] {
        let message = message(table, from, to);
        for part in parts {
            assert!(message.contains(part), "{from} -> {to}: {message}");
        }
    }
}

#[test]
fn an_entry_without_a_source_is_refused() {
    let line = texts()[1].1.lines().find(|line| line.starts_with("source = ")).unwrap().to_owned();
    let message = message(1, &line, "");
    assert!(message.contains("missing field `source`") && message.contains("hardware.toml"), "{message}");
}

#[test]
fn a_directory_replaces_the_tables_that_it_has() {
    let directory = tempfile::tempdir().unwrap();
    let empty = Reference::load(Some(directory.path())).unwrap_err().to_string();
    assert!(empty.contains("has none of the tables models.toml"), "{empty}");
    let families = "source = \"a test\"\n[families]\n\"gpt-oss-120b\" = \"other\"\n";
    std::fs::write(directory.path().join("families.toml"), families).unwrap();
    let replaced = Reference::load(Some(directory.path())).unwrap();
    assert_eq!(replaced.family("gpt-oss-120b"), "other");
    assert_eq!(replaced.models(), Reference::embedded().unwrap().models());
    std::fs::write(directory.path().join("hardware.toml"), "hardware = 3").unwrap();
    let broken = Reference::load(Some(directory.path())).unwrap_err().to_string();
    assert!(broken.contains(&directory.path().join("hardware.toml").display().to_string()), "{broken}");
    std::fs::remove_file(directory.path().join("hardware.toml")).unwrap();
    std::fs::create_dir(directory.path().join("models.toml")).unwrap();
    let unreadable = Reference::load(Some(directory.path())).unwrap_err().to_string();
    assert!(unreadable.contains("cannot read the reference table"), "{unreadable}");
}
