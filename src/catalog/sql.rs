//! Names and texts as DuckDB reads them.

/// `"name"`, with quotes in it doubled.
pub(super) fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// `'text'`, with quotes in it doubled.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The items between brackets: `['a', 'b']`.
pub(super) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_or_text_never_ends_its_own_quotes() {
        assert_eq!(identifier(r#"a"; DROP TABLE t; --"#), r#""a""; DROP TABLE t; --""#);
        assert_eq!(literal("o'clock\\"), "'o''clock\\'");
    }
}
