//! What the publisher's SQL may name.
//!
//! A view or a macro is run by whoever reads it, in the page that it is shown in. It may read what this
//! version has, and nothing else: no file, no address, no other database of the engine. So DuckDB's own
//! parser takes it apart, and only what is known to stay inside is let through.

use std::collections::HashSet;

use serde_json::Value;

use super::row::Schema;
use crate::quoted::Quoted;

/// Functions of the engine that give rows and read nothing.
const TABLE_FUNCTIONS: [&str; 7] =
    ["range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree"];

/// Functions that give a value from outside of the version, or do something besides.
const OUTSIDE: [&str; 12] = [
    "current_query",
    "current_query_id",
    "current_setting",
    "currval",
    "getenv",
    "getvariable",
    "nextval",
    "parse_duckdb_log_message",
    "setseed",
    "sleep_ms",
    "txid_current",
    "write_log",
];

/// What has a name in a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Table,
    View,
    Macro,
    TableMacro,
}

/// A name of the version.
pub(super) struct Name<'a> {
    pub(super) schema: &'a Schema,
    pub(super) name: &'a str,
    pub(super) what: What,
    /// Its place among the definitions; a table has none, and may be refused.
    pub(super) place: Result<Option<usize>, ()>,
}

/// All names of the version, as the page has them under `alias`.
pub(super) struct Names<'n, 'a> {
    pub(super) alias: &'n str,
    pub(super) all: &'n [Name<'a>],
}

/// What a SELECT statement names.
#[derive(Default)]
pub(super) struct Select {
    tables: Vec<Reference>,
    functions: Vec<Reference>,
    scalar_functions: HashSet<String>,
    /// The names that it gives to parts of itself (WITH).
    own: HashSet<String>,
}

#[derive(Default)]
struct Reference {
    catalog: String,
    schema: String,
    name: String,
}

/// Reads the tree that DuckDB's `json_serialize_sql` gives of a text.
///
/// # Errors
/// Why the text is not run, as the end of a sentence about a view or a macro: it is not a single SELECT
/// statement, or holds what is not known to read nothing else.
pub(super) fn read_select(tree: &str) -> Result<Select, String> {
    // A tree that is nested too deeply for the parser is refused like one that is none.
    let tree: Value = serde_json::from_str(tree).map_err(|_| "could not be taken apart")?;
    if tree["error"] != Value::Bool(false) {
        let reason = tree["error_message"].as_str().unwrap_or("no reason was given");
        return Err(format!("is not a SELECT statement that can be taken apart: {reason}"));
    }
    match tree["statements"].as_array().map(Vec::as_slice) {
        Some([statement]) => {
            let mut select = Select::default();
            select.walk(statement)?;
            Ok(select)
        }
        _ => Err("is not a single SELECT statement".into()),
    }
}

impl Select {
    fn walk(&mut self, value: &Value) -> Result<(), String> {
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.walk(item)),
            Value::Object(members) => {
                self.node(value)?;
                members.values().try_for_each(|member| self.walk(member))
            }
            _ => Ok(()),
        }
    }

    /// What one node of the tree names.
    fn node(&mut self, node: &Value) -> Result<(), String> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_lowercase();
        if let Some(common) = node["cte_map"]["map"].as_array() {
            self.own.extend(common.iter().map(|entry| text(&entry["key"])));
        }
        // Expressions have a class. Of them, functions alone have names that can be the publisher's.
        if node.get("class").is_some() {
            if node.get("function_name").is_some() {
                self.scalar_functions.insert(text(&node["function_name"]));
            }
            return Ok(());
        }
        let Some(kind) = node["type"].as_str() else { return Ok(()) };
        match kind {
            "BASE_TABLE" => self.tables.push(Reference {
                catalog: text(&node["catalog_name"]),
                schema: text(&node["schema_name"]),
                name: text(&node["table_name"]),
            }),
            "TABLE_FUNCTION" => self.functions.push(Reference {
                catalog: text(&node["function"]["catalog"]),
                schema: text(&node["function"]["schema"]),
                name: text(&node["function"]["function_name"]),
            }),
            "SELECT_NODE"
            | "SET_OPERATION_NODE"
            | "RECURSIVE_CTE_NODE"
            | "CTE_NODE"
            | "EMPTY"
            | "EMPTY_FROM"
            | "SUBQUERY"
            | "JOIN"
            | "EXPRESSION_LIST"
            | "PIVOT"
            | "ORDER_MODIFIER"
            | "LIMIT_MODIFIER"
            | "LIMIT_PERCENT_MODIFIER"
            | "DISTINCT_MODIFIER"
            | "ORDER_DEFAULT"
            | "ASCENDING"
            | "DESCENDING" => (),
            // The description of a type, and anything else that is not told apart by this member.
            _ if node.get("id").is_some() || type_info(kind) => (),
            other => return Err(format!("holds what is not known to read nothing else ({other})")),
        }
        Ok(())
    }
}

/// The kinds of what DuckDB adds to a type, such as the members of a STRUCT.
fn type_info(kind: &str) -> bool {
    kind.ends_with("_TYPE_INFO")
}

impl<'n, 'a> Names<'n, 'a> {
    /// The places of the definitions that a statement in a schema needs.
    ///
    /// # Errors
    /// Why it is not run, as [`read_select`].
    pub(super) fn resolve(&self, select: &Select, schema_id: i64) -> Result<Vec<usize>, String> {
        let mut needs = Vec::new();
        for table in &select.tables {
            let is_own =
                table.catalog.is_empty() && table.schema.is_empty() && select.own.contains(&table.name);
            let found = self.find(table, schema_id, |what| matches!(what, What::Table | What::View));
            match found.map(|name| name.place) {
                Some(Ok(place)) => needs.extend(place),
                Some(Err(())) => return Err(format!("reads {}, which is not read", Quoted(&table.name))),
                None if is_own && is_plain(&table.name) => (),
                None => {
                    let name = [&*table.catalog, &*table.schema, &*table.name];
                    let name: Vec<&str> = name.into_iter().filter(|part| !part.is_empty()).collect();
                    return Err(format!("reads {}, which is not in this version", Quoted(&name.join("."))));
                }
            }
        }
        for function in &select.functions {
            match self.find(function, schema_id, |what| what == What::TableMacro) {
                Some(found) => needs.extend(found.place.ok().flatten()),
                None if function.catalog.is_empty() && TABLE_FUNCTIONS.contains(&&*function.name) => (),
                None => {
                    return Err(format!(
                        "calls {}, which could read more than this version",
                        Quoted(&function.name)
                    ));
                }
            }
        }
        if let Some(function) = OUTSIDE.iter().find(|&&name| select.scalar_functions.contains(name)) {
            return Err(format!("calls {}, which could read more than this version", Quoted(function)));
        }
        // By name alone: to wait for one macro too many does no harm.
        let called = self.all.iter().filter(|name| {
            name.what == What::Macro && select.scalar_functions.contains(&name.name.to_lowercase())
        });
        needs.extend(called.filter_map(|name| name.place.ok().flatten()));
        Ok(needs)
    }

    /// What a name means in a schema. Names are matched as DuckDB does, whatever their case.
    fn find(&self, wanted: &Reference, schema_id: i64, is: impl Fn(What) -> bool) -> Option<&'n Name<'a>> {
        let alias = self.alias.to_lowercase();
        let called = |name: &&Name| is(name.what) && name.name.to_lowercase() == wanted.name;
        let in_schema = |schema: &str| {
            self.all.iter().filter(called).find(|name| name.schema.schema_name.to_lowercase() == schema)
        };
        match (wanted.catalog.as_str(), wanted.schema.as_str()) {
            ("", "") => {
                // Elsewhere than in its own schema, DuckDB may take an odd name for the address of a file.
                let own = self.all.iter().filter(called).find(|name| name.schema.schema_id == schema_id);
                own.or_else(|| in_schema("main").filter(|_| is_plain(&wanted.name)))
            }
            // The first of two names is a schema, or the catalog.
            ("", schema) => in_schema(schema).or_else(|| in_schema("main").filter(|_| schema == alias)),
            (catalog, schema) if catalog == alias => in_schema(schema),
            _ => None,
        }
    }
}

/// Whether a name that is not found is surely not taken for that of a file.
fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
