//! The views and macros of a catalog: SQL that its publisher wrote, to be run in a visitor's page.
//!
//! Source: the DuckLake specification, "ducklake_view" and "ducklake_macro".

use super::field::scalar_type;
use super::row::{MacroImpl, MacroParameter, Schema, View};
use super::rows::CatalogRows;
use super::sql::{identifier, list, literal};
use super::syntax::{Name, Names, What, read_select};

/// What stands for the catalog's own name in the SQL of views and macros.
const CATALOG: &str = "{DUCKLAKE_CATALOG}.";

/// The publisher's SQL, each as a text that must be a single SELECT statement by itself, in the order of
/// the catalog: its views, then the overloads of its macros.
pub(super) fn selects(rows: &CatalogRows, alias: &str) -> Vec<String> {
    let views = rows.views.iter().map(|view| of_alias(&view.sql, alias));
    let macros = rows.macro_impls.iter().map(|overload| match overload.kind.as_str() {
        "scalar" => format!("SELECT (\n{}\n)", of_alias(&overload.sql, alias)),
        _ => of_alias(&overload.sql, alias),
    });
    views.chain(macros).collect()
}

/// The query that gives the syntax tree of each.
pub(super) fn syntax_of(selects: &[String]) -> String {
    let rows =
        selects.iter().enumerate().map(|(place, sql)| format!("{{place: {place}, sql: {}}}", literal(sql)));
    format!(
        "(SELECT place, json_serialize_sql(sql, skip_null := true, skip_empty := true, skip_default := true) AS tree FROM (SELECT unnest({}, max_depth := 2)))",
        list(rows)
    )
}

/// The SQL with the name under which the page has the catalog, outside of quotes.
fn of_alias(sql: &str, alias: &str) -> String {
    let mut replaced = String::new();
    let mut rest = sql;
    let mut quote = None;
    while let Some(first) = rest.chars().next() {
        if quote.is_none() && rest.starts_with(CATALOG) {
            replaced += &identifier(alias);
            replaced.push('.');
            rest = &rest[CATALOG.len()..];
            continue;
        }
        // A doubled quote ends one text and begins the next.
        match quote {
            Some(open) if open == first => quote = None,
            None if first == '\'' || first == '"' => quote = Some(first),
            _ => (),
        }
        replaced.push(first);
        rest = &rest[first.len_utf8()..];
    }
    replaced
}

/// The publisher's views, then the macros.
pub(super) struct Definitions<'a> {
    pub(super) all: Vec<Definition<'a>>,
    /// Those that are made, each behind what it needs.
    pub(super) order: Vec<usize>,
}

/// A view or a macro: how it is made, or why it is not.
pub(super) struct Definition<'a> {
    pub(super) schema: &'a Schema,
    pub(super) name: &'a str,
    pub(super) what: What,
    pub(super) comment: Option<&'a str>,
    pub(super) made: Result<Made, String>,
}

/// `CREATE <what> <name><rest>`
pub(super) struct Made {
    pub(super) what: &'static str,
    pub(super) rest: String,
    /// Which other definitions it needs, by their places.
    pub(super) needs: Vec<usize>,
}

impl<'a> Definitions<'a> {
    /// `names` are those of the tables; those of the definitions come to them.
    pub(super) fn new(
        rows: &'a CatalogRows,
        alias: &str,
        schema_of: impl Fn(i64) -> Option<&'a Schema>,
        names: &mut Vec<Name<'a>>,
    ) -> Definitions<'a> {
        let selects = selects(rows, alias);
        let mut all: Vec<Definition> = Vec::new();
        // By the places of their SELECTs, those whose names are resolved when all names are known.
        let mut read: Vec<Vec<usize>> = Vec::new();
        for (place, view) in rows.views.iter().enumerate() {
            let Some(schema) = schema_of(view.schema_id) else { continue };
            let made =
                view_of(view, &selects[place]).map(|rest| Made { what: "VIEW", rest, needs: Vec::new() });
            let comment = rows.comment_on(view.view_id);
            all.push(Definition { schema, name: &view.view_name, what: What::View, comment, made });
            read.push(vec![place]);
        }
        for row in rows.macros.iter() {
            let Some(schema) = schema_of(row.schema_id) else { continue };
            let overloads: Vec<(usize, &MacroImpl)> = (rows.views.len()..)
                .zip(rows.macro_impls.iter())
                .filter(|(_, overload)| overload.macro_id == row.macro_id)
                .collect();
            let what = match overloads.first() {
                Some((_, overload)) if overload.kind == "table" => What::TableMacro,
                _ => What::Macro,
            };
            let made = macro_of(rows, &overloads, &selects).map(|rest| Made {
                what: "MACRO",
                rest,
                needs: Vec::new(),
            });
            all.push(Definition { schema, name: &row.macro_name, what, comment: None, made });
            read.push(overloads.iter().map(|(place, _)| *place).collect());
        }
        names.extend(all.iter().enumerate().map(|(place, definition)| Name {
            schema: definition.schema,
            name: definition.name,
            what: definition.what,
            place: Ok(Some(place)),
        }));
        let names = Names { alias, all: names };
        let needs = |place: &usize, schema: &Schema| {
            let tree = rows.syntax.iter().find(|row| row.place == *place).map(|row| row.tree.as_str());
            names.resolve(&read_select(tree.unwrap_or_default())?, schema.schema_id)
        };
        for (definition, places) in all.iter_mut().zip(&read) {
            let Ok(made) = &mut definition.made else { continue };
            let found: Result<Vec<Vec<usize>>, String> =
                places.iter().map(|place| needs(place, definition.schema)).collect();
            match found {
                Ok(found) => made.needs = found.concat(),
                Err(reason) => definition.made = Err(reason),
            }
        }
        let order = in_order(&mut all);
        Definitions { all, order }
    }
}

/// Each behind what it needs. What needs what is not made, or needs itself, is not made either.
fn in_order(all: &mut [Definition]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    let mut done = vec![false; all.len()];
    while let Some(next) = (0..all.len()).find(|&place| {
        !done[place] && all[place].made.as_ref().is_ok_and(|made| made.needs.iter().all(|&need| done[need]))
    }) {
        done[next] = true;
        order.push(next);
    }
    for (definition, done) in all.iter_mut().zip(done) {
        if !done && definition.made.is_ok() {
            definition.made = Err("needs a view or a macro that is not read".into());
        }
    }
    order
}

/// What follows a view's name.
fn view_of(view: &View, sql: &str) -> Result<String, String> {
    in_duckdbs_words(view.dialect.as_deref())?;
    let aliases = aliases(view.column_aliases.as_deref().unwrap_or_default())?;
    let aliases = if aliases.is_empty() { String::new() } else { format!(" ({})", aliases.join(", ")) };
    Ok(format!("{aliases} AS\n{sql}"))
}

fn in_duckdbs_words(dialect: Option<&str>) -> Result<(), String> {
    match dialect {
        None | Some("duckdb") => Ok(()),
        Some(other) => Err(format!("is written in a dialect of SQL that is not read ({other})")),
    }
}

/// `"a","b"`
fn aliases(text: &str) -> Result<Vec<String>, String> {
    let unreadable = || format!("has names of columns that are not read ({text})");
    let mut names = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_name(quoted).ok_or_else(unreadable)?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            }
        };
        names.push(identifier(&name));
        rest = match after.trim_start().strip_prefix(',') {
            Some(next) if !next.trim().is_empty() => next.trim_start(),
            None if after.trim().is_empty() => "",
            _ => return Err(unreadable()),
        };
    }
    Ok(names)
}

/// A name up to its closing quote, and what follows.
fn quoted_name(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('"')?;
        name += before;
        match after.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => return Some((name, after)),
        }
    }
}

/// What follows a macro's name.
fn macro_of(
    rows: &CatalogRows,
    overloads: &[(usize, &MacroImpl)],
    selects: &[String],
) -> Result<String, String> {
    let mut parts = Vec::new();
    for (place, overload) in overloads {
        in_duckdbs_words(overload.dialect.as_deref())?;
        let parameters = rows
            .macro_parameters
            .iter()
            .filter(|parameter| {
                (parameter.macro_id, parameter.impl_id) == (overload.macro_id, overload.impl_id)
            })
            .map(parameter)
            .collect::<Result<Vec<_>, _>>()?;
        let body = match overload.kind.as_str() {
            "scalar" => selects[*place].strip_prefix("SELECT ").unwrap_or_default().to_owned(),
            "table" => format!("TABLE\n{}", selects[*place]),
            other => return Err(format!("is of a kind that is not read ({other})")),
        };
        parts.push(format!("({}) AS {body}", parameters.join(", ")));
    }
    if parts.is_empty() {
        return Err("has no body".into());
    }
    Ok(parts.join(",\n"))
}

fn parameter(parameter: &MacroParameter) -> Result<String, String> {
    let known = |name: &Option<String>| match name.as_deref() {
        None | Some("unknown") => Ok(None),
        Some(name) => {
            let unreadable = || format!("has a parameter of a type that is not read ({name})");
            scalar_type(name).map(Some).ok_or_else(unreadable)
        }
    };
    let mut text = identifier(&parameter.parameter_name);
    if let Some(data_type) = known(&parameter.parameter_type)? {
        text += &format!(" {data_type}");
    }
    if let Some(data_type) = known(&parameter.default_value_type)? {
        let value = parameter.default_value.as_deref().map_or("NULL".into(), literal);
        text += &format!(" := CAST({value} AS {data_type})");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogs_name_is_put_in_outside_of_quotes_alone() {
        assert_eq!(
            of_alias(
                r#"SELECT '{DUCKLAKE_CATALOG}.''x', "{DUCKLAKE_CATALOG}.""y" FROM {DUCKLAKE_CATALOG}.main.t"#,
                "a\"b"
            ),
            r#"SELECT '{DUCKLAKE_CATALOG}.''x', "{DUCKLAKE_CATALOG}.""y" FROM "a""b".main.t"#
        );
    }

    #[test]
    fn names_of_a_views_columns_are_names_and_nothing_else() {
        assert_eq!(aliases(r#""a","b ""c"", d",e"#).unwrap(), ["\"a\"", r#""b ""c"", d""#, "\"e\""]);
        assert_eq!(aliases("").unwrap(), [""; 0]);
        for text in [r#""a"#, r#""a" b"#, "a,", r#""a")x"#] {
            assert!(aliases(text).is_err(), "{text}");
        }
        assert_eq!(aliases("a) AS SELECT 1 --").unwrap(), [r#""a) AS SELECT 1 --""#]);
    }
}
