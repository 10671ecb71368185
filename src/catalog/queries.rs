//! What is asked of a catalog, in the words of its format.
//!
//! Source: the DuckLake specification, "Tables". A row is live at a snapshot from its `begin_snapshot`
//! on and before its `end_snapshot`.

use serde::Serialize;

use super::sql::{identifier, literal};

/// A query whose rows the plan needs. Every value is wanted as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Query {
    /// The member of [`CatalogRows`](super::CatalogRows) that its rows become.
    pub name: &'static str,
    /// The query.
    pub sql: String,
}

/// A DuckLake format that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    V0_3,
    V1_0,
}

impl Format {
    pub(super) const ALL: [(&str, Format); 2] = [("0.3", Format::V0_3), ("1.0", Format::V1_0)];

    pub(super) fn parse(name: &str) -> Option<Format> {
        Format::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }
}

/// The catalog, attached as a database, at a snapshot.
pub(super) struct At<'a> {
    pub(super) catalog: &'a str,
    pub(super) snapshot: u64,
}

impl At<'_> {
    /// What says of which format the catalog is.
    pub(super) fn metadata(&self) -> Query {
        self.query("metadata", "key value", &self.of("metadata", "WHERE scope IS NULL"))
    }

    /// What says which tables there are, and what they are made of.
    pub(super) fn tables(&self, format: Format) -> Vec<Query> {
        let live_tables = format!("table_id IN (SELECT table_id FROM {})", self.live_of("table"));
        // What a format has not is NULL.
        let (partial, of_table) = match format {
            Format::V0_3 => (["NULL", "partial_file_info"], "NULL"),
            Format::V1_0 => (["partial_max", "NULL"], "table_id"),
        };
        let mut queries = vec![
            self.query(
                "snapshots",
                "snapshot_id",
                &self.of(
                    "snapshot",
                    &format!(
                        "WHERE snapshot_id IN ({}, (SELECT max(snapshot_id) FROM {}))",
                        self.snapshot,
                        self.of("snapshot", "")
                    ),
                ),
            ),
            self.query("schemas", "schema_id schema_name path path_is_relative", &self.live_of("schema")),
            self.query(
                "tables",
                "table_id schema_id table_name path path_is_relative",
                &format!("{} ORDER BY table_name", self.live_of("table")),
            ),
            self.query(
                "columns",
                "table_id column_id begin_snapshot end_snapshot column_name column_type initial_default parent_column",
                &self.of("column", &format!("WHERE {live_tables} ORDER BY column_order")),
            ),
            self.query(
                "data_files",
                &format!(
                    "data_file_id table_id path path_is_relative file_format record_count file_size_bytes encryption_key mapping_id {}=partial_max {}=partial_file_info",
                    partial[0], partial[1]
                ),
                &format!("{} ORDER BY file_order, ducklake_data_file.data_file_id", self.live_of("data_file")),
            ),
            self.query(
                "delete_files",
                "data_file_id path path_is_relative format delete_count file_size_bytes encryption_key",
                &self.live_of("delete_file"),
            ),
            self.query("mappings", "mapping_id type=kind", &self.of("column_mapping", "")),
            self.query(
                "mapped_columns",
                "mapping_id column_id source_name target_field_id parent_column is_partition",
                &self.of("name_mapping", ""),
            ),
            self.query("inlined_data", "table_id table_name schema_version", &self.of("inlined_data_tables", "")),
            self.query(
                "schema_versions",
                &format!("begin_snapshot schema_version {of_table}=table_id"),
                &self.of("schema_versions", ""),
            ),
            self.query(
                "inlined_tables",
                "table_name",
                &format!(
                    "duckdb_tables() WHERE database_name = {} AND schema_name = 'main' AND starts_with(table_name, 'ducklake_inlined_')",
                    literal(self.catalog)
                ),
            ),
            self.query(
                "comments",
                "object_id value",
                &format!("{} AND key = 'comment'", self.live_of("tag")),
            ),
            self.query(
                "column_comments",
                "table_id column_id value",
                &format!("{} AND key = 'comment'", self.live_of("column_tag")),
            ),
            self.query(
                "views",
                "view_id schema_id view_name dialect sql column_aliases",
                &format!("{} ORDER BY view_name", self.live_of("view")),
            ),
        ];
        if format != Format::V0_3 {
            let live_macros = format!("WHERE macro_id IN (SELECT macro_id FROM {})", self.live_of("macro"));
            queries.extend([
                self.query(
                    "macros",
                    "macro_id schema_id macro_name",
                    &format!("{} ORDER BY macro_name", self.live_of("macro")),
                ),
                self.query(
                    "macro_impls",
                    "macro_id impl_id dialect sql type=kind",
                    &self.of("macro_impl", &format!("{live_macros} ORDER BY ducklake_macro_impl.impl_id")),
                ),
                self.query(
                    "macro_parameters",
                    "macro_id impl_id parameter_name parameter_type default_value default_value_type",
                    &self.of("macro_parameters", &format!("{live_macros} ORDER BY column_id")),
                ),
            ]);
        }
        queries
    }

    /// How many rows of each data file are deleted in the catalog itself.
    pub(super) fn inlined_deletes<'t>(&self, tables: impl Iterator<Item = &'t str>) -> Option<Query> {
        let parts: Vec<String> = tables
            .map(|table| {
                let (table, from) = (literal(table), self.inlined(table));
                format!("SELECT {table} AS table_name, file_id, count(*) AS deletes FROM {from} WHERE begin_snapshot <= {} GROUP BY file_id", self.snapshot)
            })
            .collect();
        (!parts.is_empty()).then(|| {
            self.query(
                "inlined_deletes",
                "table_name file_id deletes",
                &format!("({})", parts.join(" UNION ALL ")),
            )
        })
    }

    /// How many rows lie in the catalog itself.
    pub(super) fn inlined_rows<'t>(&self, tables: impl Iterator<Item = &'t str>) -> Option<Query> {
        let parts: Vec<String> = tables
            .map(|table| {
                let (name, from) = (literal(table), self.live_inlined(table));
                format!("SELECT {name} AS table_name, count(*) AS rows FROM {from}")
            })
            .collect();
        (!parts.is_empty()).then(|| {
            self.query("inlined_rows", "table_name rows", &format!("({})", parts.join(" UNION ALL ")))
        })
    }

    /// One of the catalog's own tables of inlined rows or deletes.
    pub(super) fn inlined(&self, table: &str) -> String {
        format!("{}.main.{}", identifier(self.catalog), identifier(table))
    }

    /// The rows of a table of inlined rows that are live.
    pub(super) fn live_inlined(&self, table: &str) -> String {
        format!("{} WHERE {}", self.inlined(table), self.live())
    }

    /// `columns` are separated by spaces; `value=name` gives a value of another name.
    ///
    /// In an ORDER BY a column that is asked for needs its table's name: its own alone means the text.
    pub(super) fn query(&self, name: &'static str, columns: &str, rest: &str) -> Query {
        let columns: Vec<String> = columns
            .split(' ')
            .map(|column| {
                let (value, name) = column.split_once('=').unwrap_or((column, column));
                format!("CAST({value} AS VARCHAR) AS {name}")
            })
            .collect();
        Query { name, sql: format!("SELECT {} FROM {rest}", columns.join(", ")) }
    }

    pub(super) fn of(&self, table: &str, condition: &str) -> String {
        format!("{}.main.ducklake_{table} {condition}", identifier(self.catalog))
    }

    fn live_of(&self, table: &str) -> String {
        self.of(table, &format!("WHERE {}", self.live()))
    }

    fn live(&self) -> String {
        let snapshot = self.snapshot;
        format!("begin_snapshot <= {snapshot} AND (end_snapshot IS NULL OR {snapshot} < end_snapshot)")
    }
}
