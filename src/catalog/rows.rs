//! The rows of the catalog that decide, and the queries that read them.
//!
//! Source: the DuckLake specification, "Tables". A row is live at a snapshot from its
//! `begin_snapshot` on and before its `end_snapshot`.

use std::str::FromStr;

use serde::Serialize;

use super::FORMATS;
use super::sql::{identifier, literal};
use crate::error::FdlError;
use crate::layout::RelativePath;
use crate::record::member::{Member, Read, read_json};
use crate::record::settings::DataDir;

/// A query whose rows the plan needs. Every value is wanted as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Query {
    /// The member of [`CatalogRows`] that its rows become.
    pub name: &'static str,
    /// The query.
    pub sql: String,
}

/// What the queries gave: each row an object from column name to text or null.
#[derive(Clone, Debug)]
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
    pub(super) inlined_tables: Vec<String>,
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
                "data_file_id table_id path path_is_relative file_format record_count file_size_bytes encryption_key mapping_id partial_max",
                &format!("{} ORDER BY file_order, data_file_id", live_of("data_file")),
            ),
            query(
                "delete_files",
                "data_file_id path path_is_relative format delete_count file_size_bytes encryption_key",
                &live_of("delete_file"),
            ),
            query("views", "schema_id view_name", &live_of("view")),
            query("inlined_data", "table_id table_name schema_version", &of("inlined_data_tables", "")),
            query("schema_versions", "begin_snapshot schema_version table_id", &of("schema_versions", "")),
            query(
                "inlined_tables",
                "table_name",
                &format!(
                    "duckdb_tables() WHERE database_name = {database} AND schema_name = 'main' AND starts_with(table_name, 'ducklake_inlined_')"
                ),
            ),
        ]
    }

    /// Reads what the queries gave, as JSON: `{"tables": [{"table_id": "1", …}], …}`.
    ///
    /// # Errors
    /// [`FdlError::MalformedCatalog`]
    pub fn parse(json: &str) -> Result<CatalogRows, FdlError> {
        read_json("the catalog", json.as_bytes(), CatalogRows::read).map_err(|error| {
            FdlError::MalformedCatalog {
                reason: match error {
                    FdlError::InvalidRecord { member, reason, .. } => format!("{member} {reason}"),
                    other => other.to_string(),
                },
            }
        })
    }

    fn read(root: &Member) -> Read<CatalogRows> {
        fn rows<T>(root: &Member, name: &'static str, read: impl Fn(Row) -> Read<T>) -> Read<Vec<T>> {
            root.member(name).each(|row| read(Row(row)))
        }
        Ok(CatalogRows {
            metadata: rows(root, "metadata", |row| {
                Ok(Metadata { key: row.text("key")?, value: row.optional_text("value")? })
            })?,
            snapshots: rows(root, "snapshots", |row| {
                Ok(Snapshot { snapshot_id: row.number("snapshot_id")? })
            })?,
            schemas: rows(root, "schemas", |row| {
                Ok(Schema {
                    schema_id: row.number("schema_id")?,
                    schema_name: row.text("schema_name")?,
                    path: row.path()?,
                })
            })?,
            tables: rows(root, "tables", |row| {
                Ok(Table {
                    table_id: row.number("table_id")?,
                    schema_id: row.number("schema_id")?,
                    table_name: row.text("table_name")?,
                    path: row.path()?,
                })
            })?,
            columns: rows(root, "columns", |row| {
                Ok(Column {
                    table_id: row.number("table_id")?,
                    column_id: row.number("column_id")?,
                    begin_snapshot: row.number("begin_snapshot")?,
                    end_snapshot: row.optional_number("end_snapshot")?,
                    column_name: row.text("column_name")?,
                    column_type: row.text("column_type")?,
                    initial_default: row.optional_text("initial_default")?,
                    parent_column: row.optional_number("parent_column")?,
                })
            })?,
            data_files: rows(root, "data_files", |row| {
                Ok(DataFile {
                    data_file_id: row.number("data_file_id")?,
                    table_id: row.number("table_id")?,
                    path: row.path()?,
                    file_format: row.optional_text("file_format")?,
                    record_count: row.number("record_count")?,
                    file_size_bytes: row.optional_number("file_size_bytes")?,
                    encryption_key: row.optional_text("encryption_key")?,
                    mapping_id: row.optional_number("mapping_id")?,
                    partial_max: row.optional_number("partial_max")?,
                })
            })?,
            delete_files: rows(root, "delete_files", |row| {
                Ok(DeleteFile {
                    data_file_id: row.number("data_file_id")?,
                    path: row.path()?,
                    format: row.optional_text("format")?,
                    delete_count: row.number("delete_count")?,
                    file_size_bytes: row.optional_number("file_size_bytes")?,
                    encryption_key: row.optional_text("encryption_key")?,
                })
            })?,
            views: rows(root, "views", |row| {
                Ok(View { schema_id: row.number("schema_id")?, view_name: row.text("view_name")? })
            })?,
            inlined_data: rows(root, "inlined_data", |row| {
                Ok(InlinedData {
                    table_id: row.number("table_id")?,
                    table_name: row.text("table_name")?,
                    schema_version: row.number("schema_version")?,
                })
            })?,
            schema_versions: rows(root, "schema_versions", |row| {
                Ok(SchemaVersion {
                    begin_snapshot: row.number("begin_snapshot")?,
                    schema_version: row.number("schema_version")?,
                    table_id: row.optional_number("table_id")?,
                })
            })?,
            inlined_tables: rows(root, "inlined_tables", |row| row.text("table_name"))?,
        })
    }

    /// Whether the rows are those of a catalog that is known, at a snapshot that it has.
    pub(super) fn can_be_read_at(&self, snapshot: u64) -> Result<(), FdlError> {
        let malformed = |reason: &str| FdlError::MalformedCatalog { reason: reason.into() };
        let format = self.setting("version").ok_or_else(|| malformed("it names no DuckLake format"))?;
        if !FORMATS.contains(&format) {
            return Err(FdlError::UnsupportedFormat { found: format.into(), supported: FORMATS.join(", ") });
        }
        if self.snapshots.iter().all(|row| row.snapshot_id != snapshot) {
            return Err(malformed(&format!("it has no snapshot {snapshot}")));
        }
        Ok(())
    }

    /// The path of a data file, relative to the root: each path is relative to the one before it, the
    /// first to `data_dir`. A path that is not relative replaces those before it, and must then lie
    /// under the folder that the catalog's writer had its data in.
    ///
    /// # Errors
    /// Why there is none, as the end of a sentence about a table.
    pub(super) fn path_in(&self, data_dir: &DataDir, paths: [&Path; 3]) -> Result<RelativePath, String> {
        let mut joined = String::new();
        for path in paths {
            let text = path.path.as_deref().unwrap_or_default();
            if !path.is_relative {
                joined = self
                    .setting("data_path")
                    .filter(|data_path| !data_path.is_empty())
                    .and_then(|data_path| text.strip_prefix(data_path))
                    .ok_or("has data files outside the repository")?
                    .into();
            } else {
                joined += text;
            }
        }
        data_dir
            .join(&joined)
            .map_err(|reason| format!("has a data file whose path {reason} ({})", literal(&joined)))
    }

    /// A setting of the whole catalog.
    pub(super) fn setting(&self, key: &str) -> Option<&str> {
        self.metadata.iter().find(|row| row.key == key).and_then(|row| row.value.as_deref())
    }

    /// Whether the catalog holds this table for inlined rows or deletes.
    pub(super) fn has_inlined(&self, table: &str) -> bool {
        self.inlined_tables.iter().any(|name| name == table)
    }
}

/// A row: every value is text or null.
struct Row<'a>(Member<'a>);

impl Row<'_> {
    fn text(&self, column: &'static str) -> Read<String> {
        self.0.member(column).text()
    }

    fn optional_text(&self, column: &'static str) -> Read<Option<String>> {
        self.0.member(column).optional_text()
    }

    fn number<N: FromStr>(&self, column: &'static str) -> Read<N> {
        let value = self.0.member(column);
        value.text()?.parse().map_err(|_| value.invalid("is not a number that it can be"))
    }

    fn optional_number<N: FromStr>(&self, column: &'static str) -> Read<Option<N>> {
        self.0.member(column).optional(|_| self.number(column))
    }

    fn path(&self) -> Read<Path> {
        let is_relative = self.optional_text("path_is_relative")?.is_none_or(|text| text == "true");
        Ok(Path { path: self.optional_text("path")?, is_relative })
    }
}

#[derive(Clone, Debug)]
pub(super) struct Metadata {
    pub(super) key: String,
    pub(super) value: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) snapshot_id: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Schema {
    pub(super) schema_id: i64,
    pub(super) schema_name: String,
    pub(super) path: Path,
}

#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) table_id: i64,
    pub(super) schema_id: i64,
    pub(super) table_name: String,
    pub(super) path: Path,
}

/// A path, relative to what holds it or to nothing.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) path: Option<String>,
    pub(super) is_relative: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) table_id: i64,
    pub(super) column_id: u32,
    pub(super) begin_snapshot: u64,
    pub(super) end_snapshot: Option<u64>,
    pub(super) column_name: String,
    pub(super) column_type: String,
    pub(super) initial_default: Option<String>,
    pub(super) parent_column: Option<u32>,
}

impl Column {
    pub(super) fn is_live_at(&self, snapshot: u64) -> bool {
        self.begin_snapshot <= snapshot && self.end_snapshot.is_none_or(|end| snapshot < end)
    }
}

#[derive(Clone, Debug)]
pub(super) struct DataFile {
    pub(super) data_file_id: i64,
    pub(super) table_id: i64,
    pub(super) path: Path,
    pub(super) file_format: Option<String>,
    pub(super) record_count: u64,
    pub(super) file_size_bytes: Option<u64>,
    pub(super) encryption_key: Option<String>,
    pub(super) mapping_id: Option<i64>,
    pub(super) partial_max: Option<u64>,
}

#[derive(Clone, Debug)]
pub(super) struct DeleteFile {
    pub(super) data_file_id: i64,
    pub(super) path: Path,
    pub(super) format: Option<String>,
    pub(super) delete_count: u64,
    pub(super) file_size_bytes: Option<u64>,
    pub(super) encryption_key: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) schema_id: i64,
    pub(super) view_name: String,
}

#[derive(Clone, Debug)]
pub(super) struct InlinedData {
    pub(super) table_id: i64,
    pub(super) table_name: String,
    pub(super) schema_version: u64,
}

#[derive(Clone, Debug)]
pub(super) struct SchemaVersion {
    pub(super) begin_snapshot: u64,
    pub(super) schema_version: u64,
    pub(super) table_id: Option<i64>,
}
