use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Result<Literal, LiteralError> {
    let (value, rest) = Literal::read(text)?;
    assert_eq!(rest, "", "{text}");
    Ok(value)
}

fn text(value: &str) -> Literal {
    Literal::Text(value.to_owned())
}

#[test]
fn scalars_are_what_python_writes() {
    for (written, value) in [
        ("None", Literal::None),
        ("True", Literal::Flag(true)),
        ("-3", Literal::Integer(-3)),
        ("1000000000.0", Literal::Number(1e9)),
        ("1e-05", Literal::Number(1e-5)),
        ("9223372036854775808", Literal::Number(9_223_372_036_854_775_808.0)),
        ("'it\\'s'", text("it's")),
        ("\"it's\"", text("it's")),
        (r"'a\x41\u00e9\U0001F600\101\n\\'", text("aAé😀A\n\\")),
        (r"b'\x00\xff'", text("\u{0}ÿ")),
        (r"r'\d'", text(r"\d")),
        (r"'\ud800'", text("\u{fffd}")),
        ("torch.bfloat16", Literal::Symbol("torch.bfloat16".to_owned())),
        ("<CUDAGraphMode.FULL: 2>", Literal::Symbol("<CUDAGraphMode.FULL: 2>".to_owned())),
        ("<f at <x> 0x7f>", Literal::Symbol("<f at <x> 0x7f>".to_owned())),
    ] {
        assert_eq!(read(written), Ok(value), "{written}");
    }
}

#[test]
fn dicts_lists_tuples_sets_and_objects_nest() {
    let written =
        "{'a': {'b': [1, (2,), ()]}, 3: {4, 5}, 'c': KVTransferConfig(kv_connector='x, y', n={'q': 1}, 7)}";
    let value = read(written).unwrap();
    assert_eq!(
        value.get("a").and_then(|a| a.get("b")),
        Some(&Literal::List(vec![
            Literal::Integer(1),
            Literal::List(vec![Literal::Integer(2)]),
            Literal::List(Vec::new()),
        ]))
    );
    let object = value.get("c").unwrap();
    assert_eq!(object.get("kv_connector"), Some(&text("x, y")));
    assert_eq!(object.get("n").and_then(|n| n.get("q")), Some(&Literal::Integer(1)));
    assert_eq!(object.get(""), Some(&Literal::Integer(7)));
}

#[test]
fn what_is_no_value_says_where() {
    for (written, error) in [
        ("", LiteralError::Ends),
        ("{'a': 1", LiteralError::Ends),
        ("'a", LiteralError::Ends),
        ("<a", LiteralError::Ends),
        ("'\\", LiteralError::Ends),
        ("{'a' 1}", LiteralError::Unexpected { offset: 5 }),
        ("[1 2]", LiteralError::Unexpected { offset: 3 }),
        ("'\\q'", LiteralError::Unexpected { offset: 2 }),
        ("1x", LiteralError::Unexpected { offset: 0 }),
        ("=", LiteralError::Unexpected { offset: 0 }),
    ] {
        assert_eq!(Literal::read(written).unwrap_err(), error, "{written}");
    }
}

#[test]
fn nesting_is_bounded() {
    for open in ["[", "{1: ", "(", "a("] {
        assert_eq!(Literal::read(&open.repeat(100_000)), Err(LiteralError::TooDeep), "{open}");
    }
    assert!(Literal::read(&format!("{}{}", "[".repeat(60), "]".repeat(60))).is_ok());
}

#[test]
fn the_engines_configuration_is_read_with_its_bare_texts() {
    let written = "model='a, b', speculative_config=None, dtype=torch.bfloat16, served_model_name=openai/gpt-oss-120b, \
                   device=cuda:0, x=C(backend='auto', y=False), enable_prefix_caching=False, z={'mode': <M.V: 3>}, max_seq_len=9472";
    let found = Literal::read_assignments(written);
    let get = |name: &str| found.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    assert_eq!(found.len(), 9);
    assert_eq!(get("served_model_name"), Some(Literal::Symbol("openai/gpt-oss-120b".to_owned())));
    assert_eq!(get("enable_prefix_caching"), Some(Literal::Flag(false)));
    assert_eq!(get("max_seq_len"), Some(Literal::Integer(9472)));
}

#[test]
fn a_configuration_that_was_cut_is_read_as_far_as_it_goes() {
    let found = Literal::read_assignments("max_seq_len=4, enable_prefix_caching=True, z={'mode': <M.V");
    assert_eq!(found[1], ("enable_prefix_caching".to_owned(), Literal::Flag(true)));
    assert_eq!(Literal::read_assignments("= 1"), []);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[\\[\\](){}<>,:=.'\"\\\\ abNxu01e+-]{0,64}|\\PC{0,40}") {
        let _ = Literal::read(&text);
        let _ = Literal::read_assignments(&text);
    }

    #[test]
    fn a_quoted_text_is_read_back(text in "\\PC{0,40}") {
        let quoted = format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
        prop_assert_eq!(Literal::read(&quoted), Ok((Literal::Text(text), "")));
    }
}
