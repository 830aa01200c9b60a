//! The columns that a COPY statement names.

/// The columns of `COPY public.configs (id, hardware, "precision") FROM stdin;`, in order; none when it
/// is no such statement.
#[must_use]
pub fn columns_of(statement: &str) -> Option<Vec<String>> {
    let mut rest = statement.trim_start().strip_prefix("COPY ")?.trim_start();
    rest = after_name(rest)?.trim_start().strip_prefix('(')?;
    let mut columns = Vec::new();
    loop {
        let (name, after) = identifier(rest.trim_start())?;
        columns.push(name);
        let after = after.trim_start();
        if let Some(after) = after.strip_prefix(',') {
            rest = after;
        } else {
            let end = after.strip_prefix(')')?.trim();
            return (end == "FROM stdin;").then_some(columns);
        }
    }
}

/// What follows a name that may have a schema before it.
fn after_name(text: &str) -> Option<&str> {
    let (_, mut rest) = identifier(text)?;
    while let Some(after) = rest.strip_prefix('.') {
        (_, rest) = identifier(after)?;
    }
    Some(rest)
}

/// The name at the start, and what follows it. In quotes it may have any character, a quote as two.
fn identifier(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        return (!name.is_empty()).then(|| (name.to_owned(), rest));
    };
    let mut name = String::new();
    let mut rest = quoted;
    loop {
        let (before, after) = rest.split_once('"')?;
        name.push_str(before);
        match after.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => return (!name.is_empty()).then_some((name, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn columns_are_named_plainly_or_in_quotes() {
        let columns = |text: &str| columns_of(text).map(|columns| columns.join("|"));
        let plain = "COPY public.configs (id, hardware, \"precision\") FROM stdin;\n";
        assert_eq!(columns(plain).as_deref(), Some("id|hardware|precision"));
        let odd = "COPY \"pub\"\"lic\".\"a.b\" (\"x, y)\", z_1) FROM stdin;\n";
        assert_eq!(columns(odd).as_deref(), Some("x, y)|z_1"));
        assert_eq!(columns("COPY t (größe) FROM stdin;").as_deref(), Some("größe"));
    }

    #[test]
    fn what_is_no_statement_names_no_columns() {
        for text in [
            "",
            "COPY ",
            "COPY t",
            "COPY t () FROM stdin;",
            "COPY t (a,) FROM stdin;",
            "COPY t (a b) FROM stdin;",
            "COPY t (\"a) FROM stdin;",
            "COPY t (a) TO stdout;",
            "COPY t (a) FROM stdin; DROP TABLE t",
            "INSERT INTO t (a) FROM stdin;",
        ] {
            assert_eq!(columns_of(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn names_in_quotes_come_back(names in prop::collection::vec("[^\u{0}]{1,12}", 1..5)) {
            let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
            let statement = format!("COPY public.t ({}) FROM stdin;\n", quoted.join(", "));
            prop_assert_eq!(columns_of(&statement), Some(names));
        }

        #[test]
        fn no_text_makes_it_panic(text in "(COPY )?[a(\",.) ]{0,20}( FROM stdin;)?") {
            let _ = columns_of(&text);
        }
    }
}
