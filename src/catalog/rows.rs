//! The rows of the catalog that decide, and the queries that read them.
//!
//! Source: the DuckLake specification, "Tables". A row is live at a snapshot from its
//! `begin_snapshot` on and before its `end_snapshot`.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};

use super::sql::{identifier, literal};
use crate::error::FdlError;

/// A query whose rows the plan needs. Every value is wanted as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Query {
    /// The member of [`CatalogRows`] that its rows become.
    pub name: &'static str,
    /// The query.
    pub sql: String,
}

/// What the queries gave: each row an object from column name to text or null.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct CatalogRows {
    pub(super) metadata: Vec<Metadata>,
    pub(super) snapshots: Vec<Snapshot>,
    pub(super) schemas: Vec<Schema>,
    pub(super) tables: Vec<Table>,
    /// Of all snapshots: whether a view can be exact depends on what columns were called before.
    pub(super) columns: Vec<Column>,
    pub(super) data_files: Vec<DataFile>,
    pub(super) delete_files: Vec<DeleteFile>,
    pub(super) views: Vec<View>,
    pub(super) inlined_data: Vec<InlinedData>,
    pub(super) schema_versions: Vec<SchemaVersion>,
    /// The catalog's own tables that hold inlined rows and deletes.
    pub(super) inlined_tables: Vec<InlinedTable>,
}

impl CatalogRows {
    /// The queries that read a catalog, attached as `catalog`, at `snapshot`.
    pub fn queries(catalog: &str, snapshot: u64) -> Vec<Query> {
        let live =
            format!("begin_snapshot <= {snapshot} AND (end_snapshot IS NULL OR {snapshot} < end_snapshot)");
        let database = literal(catalog);
        let catalog = identifier(catalog);
        let query = |name, columns: &str, rest: &str| {
            let columns: Vec<String> =
                columns.split(' ').map(|column| format!("CAST({column} AS VARCHAR) AS {column}")).collect();
            Query { name, sql: format!("SELECT {} FROM {rest}", columns.join(", ")) }
        };
        let of = |table: &str, condition: &str| format!("{catalog}.main.ducklake_{table} {condition}");
        let live_of = |table: &str| of(table, &format!("WHERE {live}"));
        vec![
            query("metadata", "key value", &of("metadata", "WHERE scope IS NULL")),
            query("snapshots", "snapshot_id", &of("snapshot", &format!("WHERE snapshot_id = {snapshot}"))),
            query("schemas", "schema_id schema_name path path_is_relative", &live_of("schema")),
            query(
                "tables",
                "table_id schema_id table_name path path_is_relative",
                &format!("{} ORDER BY table_name", live_of("table")),
            ),
            query(
                "columns",
                "table_id column_id begin_snapshot end_snapshot column_name column_type initial_default parent_column",
                &of("column", "ORDER BY column_order"),
            ),
            query(
                "data_files",
                "data_file_id table_id path path_is_relative file_format record_count encryption_key mapping_id partial_max",
                &format!("{} ORDER BY file_order, data_file_id", live_of("data_file")),
            ),
            query(
                "delete_files",
                "data_file_id path path_is_relative format delete_count encryption_key",
                &live_of("delete_file"),
            ),
            query("views", "schema_id view_name", &live_of("view")),
            query("inlined_data", "table_id table_name schema_version", &of("inlined_data_tables", "")),
            query("schema_versions", "begin_snapshot schema_version table_id", &of("schema_versions", "")),
            query(
                "inlined_tables",
                "table_name",
                &format!(
                    "duckdb_tables() WHERE database_name = {database} AND starts_with(table_name, 'ducklake_inlined_')"
                ),
            ),
        ]
    }

    /// Reads what the queries gave, as JSON: `{"tables": [{"table_id": "1", …}], …}`.
    ///
    /// # Errors
    /// [`FdlError::MalformedCatalog`]
    pub fn parse(json: &str) -> Result<CatalogRows, FdlError> {
        serde_json::from_str(json).map_err(|error| FdlError::MalformedCatalog { reason: error.to_string() })
    }

    /// A setting of the whole catalog.
    pub(super) fn setting(&self, key: &str) -> Option<&str> {
        self.metadata.iter().find(|row| row.key == key).and_then(|row| row.value.as_deref())
    }

    /// Whether the catalog holds this table for inlined rows or deletes.
    pub(super) fn has_inlined(&self, table: &str) -> bool {
        self.inlined_tables.iter().any(|row| row.table_name == table)
    }
}

/// A number or a boolean, which arrives as text.
fn from_text<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

fn from_text_or_null<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Option::<String>::deserialize(deserializer)?
        .map(|text| serde_json::from_str(&text).map_err(D::Error::custom))
        .transpose()
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Metadata {
    pub(super) key: String,
    pub(super) value: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Snapshot {
    #[serde(deserialize_with = "from_text")]
    pub(super) snapshot_id: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Schema {
    #[serde(deserialize_with = "from_text")]
    pub(super) schema_id: i64,
    pub(super) schema_name: String,
    #[serde(flatten)]
    pub(super) path: Path,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Table {
    #[serde(deserialize_with = "from_text")]
    pub(super) table_id: i64,
    #[serde(deserialize_with = "from_text")]
    pub(super) schema_id: i64,
    pub(super) table_name: String,
    #[serde(flatten)]
    pub(super) path: Path,
}

/// A path, relative to what holds it or to nothing.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Path {
    #[serde(default)]
    pub(super) path: Option<String>,
    #[serde(default, deserialize_with = "from_text_or_null")]
    pub(super) path_is_relative: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Column {
    #[serde(deserialize_with = "from_text")]
    pub(super) table_id: i64,
    #[serde(deserialize_with = "from_text")]
    pub(super) column_id: i64,
    #[serde(deserialize_with = "from_text")]
    pub(super) begin_snapshot: u64,
    #[serde(deserialize_with = "from_text_or_null")]
    pub(super) end_snapshot: Option<u64>,
    pub(super) column_name: String,
    pub(super) column_type: String,
    pub(super) initial_default: Option<String>,
    #[serde(deserialize_with = "from_text_or_null")]
    pub(super) parent_column: Option<i64>,
}

impl Column {
    pub(super) fn is_live_at(&self, snapshot: u64) -> bool {
        self.begin_snapshot <= snapshot && self.end_snapshot.is_none_or(|end| snapshot < end)
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct DataFile {
    #[serde(deserialize_with = "from_text")]
    pub(super) data_file_id: i64,
    #[serde(deserialize_with = "from_text")]
    pub(super) table_id: i64,
    #[serde(flatten)]
    pub(super) path: Path,
    pub(super) file_format: Option<String>,
    #[serde(deserialize_with = "from_text")]
    pub(super) record_count: u64,
    pub(super) encryption_key: Option<String>,
    #[serde(deserialize_with = "from_text_or_null")]
    pub(super) mapping_id: Option<i64>,
    #[serde(deserialize_with = "from_text_or_null")]
    pub(super) partial_max: Option<u64>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct DeleteFile {
    #[serde(deserialize_with = "from_text")]
    pub(super) data_file_id: i64,
    #[serde(flatten)]
    pub(super) path: Path,
    pub(super) format: Option<String>,
    #[serde(deserialize_with = "from_text")]
    pub(super) delete_count: u64,
    pub(super) encryption_key: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct View {
    #[serde(deserialize_with = "from_text")]
    pub(super) schema_id: i64,
    pub(super) view_name: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct InlinedData {
    #[serde(deserialize_with = "from_text")]
    pub(super) table_id: i64,
    pub(super) table_name: String,
    #[serde(deserialize_with = "from_text")]
    pub(super) schema_version: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SchemaVersion {
    #[serde(deserialize_with = "from_text")]
    pub(super) begin_snapshot: u64,
    #[serde(deserialize_with = "from_text")]
    pub(super) schema_version: u64,
    #[serde(deserialize_with = "from_text_or_null")]
    pub(super) table_id: Option<i64>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct InlinedTable {
    pub(super) table_name: String,
}

/// Things by what they belong to.
pub(super) fn by_table<T>(rows: &[T], table: impl Fn(&T) -> i64) -> BTreeMap<i64, Vec<&T>> {
    let mut by_table: BTreeMap<i64, Vec<&T>> = BTreeMap::new();
    for row in rows {
        by_table.entry(table(row)).or_default().push(row);
    }
    by_table
}
