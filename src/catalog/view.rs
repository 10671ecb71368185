//! One table as a view over `read_parquet`.
//!
//! The rows of a table are those of its data files, less its deletes, and the rows inlined in the
//! catalog. Files with no deletes are read plainly; the others are filtered by one key of file
//! and position, which keeps the scan of many files a single one.

use super::rows::{CatalogRows, Column, DataFile, DeleteFile, by_table};
use super::sql::{identifier, list, literal};
use super::types::{TypedColumn, columns_at};

/// The field ids that DuckLake gives its own columns in Parquet files.
const POSITION: i64 = 2147483645;
const SNAPSHOT: i64 = 2147483539;

/// A table at a snapshot, with what its view is made of.
pub(super) struct TableView<'a> {
    pub(super) catalog: &'a str,
    pub(super) snapshot: u64,
    pub(super) columns: Vec<TypedColumn<'a>>,
    files: Vec<File<'a>>,
    inlined: Vec<InlinedRows<'a>>,
    /// The catalog's own table of inlined deletes, where it has one.
    inlined_deletes: Option<String>,
}

struct File<'a> {
    row: &'a DataFile,
    url: String,
    deletes: Option<(&'a DeleteFile, String)>,
    /// Rows of later snapshots were merged into the file.
    partial: bool,
}

/// Rows inlined in the catalog under one schema version of the table.
struct InlinedRows<'a> {
    table: &'a str,
    /// The column of that table for each column of the view; `None` where it was added later.
    names: Vec<Option<&'a str>>,
}

impl<'a> TableView<'a> {
    /// Gathers a table. `url_of` gives the URL of a data file or delete file of the table.
    ///
    /// # Errors
    /// Why the table cannot be read exactly, as the end of a sentence.
    pub(super) fn gather(
        rows: &'a CatalogRows,
        catalog: &'a str,
        snapshot: u64,
        table_id: i64,
        url_of: impl Fn(&super::rows::Path) -> Result<String, String>,
    ) -> Result<TableView<'a>, String> {
        let history: Vec<&Column> = rows.columns.iter().filter(|row| row.table_id == table_id).collect();
        let columns = columns_at(&history, snapshot)?;
        if columns.is_empty() {
            return Err("has no columns".into());
        }
        let deletes = by_table(&rows.delete_files, |row| row.data_file_id);
        let files = rows
            .data_files
            .iter()
            .filter(|row| row.table_id == table_id)
            .map(|row| {
                if row.encryption_key.is_some() {
                    return Err("is encrypted".into());
                }
                if row.file_format.as_deref().is_some_and(|format| format != "parquet") {
                    return Err("has data files that are not Parquet".into());
                }
                if row.mapping_id.is_some() {
                    return Err(
                        "has data files whose columns are matched by name, which is not read yet".into()
                    );
                }
                let deletes = match deletes.get(&row.data_file_id).map(Vec::as_slice) {
                    None => None,
                    Some([delete]) if delete.encryption_key.is_some() => return Err("is encrypted".into()),
                    Some([delete]) if delete.format.as_deref().is_some_and(|format| format != "parquet") => {
                        return Err("has delete files that are not Parquet".into());
                    }
                    Some([delete]) => Some((*delete, url_of(&delete.path)?)),
                    Some(_) => return Err("has a data file with more than one delete file".into()),
                };
                let partial = row.partial_max.is_some_and(|max| max > snapshot);
                Ok(File { row, url: url_of(&row.path)?, deletes, partial })
            })
            .collect::<Result<_, String>>()?;
        let inlined = rows
            .inlined_data
            .iter()
            .filter(|row| row.table_id == table_id && rows.has_inlined(&row.table_name))
            .map(|row| {
                // Its columns carry the names that they had when that schema version began.
                let began = rows
                    .schema_versions
                    .iter()
                    .filter(|version| version.schema_version == row.schema_version)
                    .find(|version| version.table_id.is_none_or(|id| id == table_id))
                    .ok_or("has inlined rows of a schema version that the catalog does not list")?
                    .begin_snapshot;
                let name_of = |column: &TypedColumn| {
                    history
                        .iter()
                        .find(|row| row.column_id == column.id && row.is_live_at(began))
                        .map(|row| row.column_name.as_str())
                };
                Ok(InlinedRows { table: &row.table_name, names: columns.iter().map(name_of).collect() })
            })
            .collect::<Result<_, String>>()?;
        let inlined_deletes = format!("ducklake_inlined_delete_{table_id}");
        Ok(TableView {
            catalog,
            snapshot,
            columns,
            files,
            inlined,
            inlined_deletes: rows.has_inlined(&inlined_deletes).then_some(inlined_deletes),
        })
    }

    /// The query that gives the table's rows.
    pub(super) fn query(&self) -> String {
        // A file without a delete file can still have inlined deletes, so where the catalog has
        // any, every file is looked at.
        let has_deletes = |file: &&File| file.deletes.is_some() || self.inlined_deletes.is_some();
        let mut parts = Vec::new();
        for partial in [false, true] {
            let files = || self.files.iter().filter(|file| file.partial == partial);
            let clean: Vec<&File> = files().filter(|file| !has_deletes(file)).collect();
            // Delete files are matched to data files by their place in the list, so files that
            // have one come first.
            let mut dirty: Vec<&File> = files().filter(has_deletes).collect();
            dirty.sort_by_key(|file| file.deletes.is_none());
            parts.extend((!clean.is_empty()).then(|| self.scan(&clean, partial, None)));
            parts.extend((!dirty.is_empty()).then(|| self.scan(&dirty, partial, Some(self.deleted(&dirty)))));
        }
        parts.extend(self.inlined.iter().map(|inlined| self.inlined_rows(inlined)));
        if parts.is_empty() {
            let columns: Vec<String> = self
                .columns
                .iter()
                .map(|column| format!("CAST(NULL AS {}) AS {}", column.data_type, identifier(column.name)))
                .collect();
            parts.push(format!("SELECT {} WHERE false", columns.join(", ")));
        }
        parts.join("\nUNION ALL\n")
    }

    /// The number of rows, from the catalog alone.
    pub(super) fn count(&self) -> String {
        let written: u64 = self.files.iter().map(|file| file.row.record_count).sum();
        let deleted: u64 =
            self.files.iter().filter_map(|file| file.deletes.as_ref()).map(|(row, _)| row.delete_count).sum();
        let mut count = format!("{written} - {deleted}");
        if let Some(deletes) = self.inlined_deletes_of(self.files.iter().map(|file| file.row.data_file_id)) {
            count += &format!(" - (SELECT count(*) FROM {deletes})");
        }
        for inlined in &self.inlined {
            count += &format!(" + (SELECT count(*) FROM {})", self.inlined_source(inlined));
        }
        count
    }

    fn scan(&self, files: &[&File], partial: bool, deleted: Option<String>) -> String {
        let mut schema: Vec<(i64, String, &str, Option<&str>)> = self
            .columns
            .iter()
            .map(|column| {
                let stored = column.stored_type.as_deref().unwrap_or(&column.data_type);
                (column.id, format!("k{}", column.id), stored, column.initial_default)
            })
            .collect();
        if partial {
            schema.push((SNAPSHOT, "written_at".into(), "BIGINT", None));
        }
        let columns: Vec<String> = self
            .columns
            .iter()
            .map(|column| {
                let value = match column.stored_type {
                    Some(_) => format!("CAST(k{} AS {})", column.id, column.data_type),
                    None => format!("k{}", column.id),
                };
                format!("{value} AS {}", identifier(column.name))
            })
            .collect();
        let conditions: Vec<String> = [
            deleted.map(|keys| format!("(file_index::BIGINT << 40) + file_row_number NOT IN ({keys})")),
            partial.then(|| format!("written_at <= {}", self.snapshot)),
        ]
        .into_iter()
        .flatten()
        .collect();
        let scan = read_parquet(files.iter().map(|file| file.url.as_str()), &schema);
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", conditions.join(" AND "))
        };
        format!("SELECT {} FROM {scan}{filter}", columns.join(", "))
    }

    /// The keys of deleted rows: the file's place in `files`, and the row's position in it.
    fn deleted(&self, files: &[&File]) -> String {
        let mut parts = Vec::new();
        let delete_files: Vec<&str> =
            files.iter().filter_map(|file| file.deletes.as_ref()).map(|(_, url)| url.as_str()).collect();
        if !delete_files.is_empty() {
            let schema =
                [(POSITION, "pos".into(), "BIGINT", None), (SNAPSHOT, "deleted_at".into(), "BIGINT", None)];
            parts.push(format!(
                "SELECT (file_index::BIGINT << 40) + pos FROM {} WHERE deleted_at IS NULL OR deleted_at <= {}",
                read_parquet(delete_files.into_iter(), &schema),
                self.snapshot
            ));
        }
        if let Some(deletes) = self.inlined_deletes_of(files.iter().map(|file| file.row.data_file_id)) {
            parts.push(format!("SELECT (place << 40) + row_id FROM {deletes}"));
        }
        parts.join(" UNION ALL ")
    }

    /// The inlined deletes of some files at the snapshot, with each file's `place` among them.
    fn inlined_deletes_of(&self, file_ids: impl Iterator<Item = i64>) -> Option<String> {
        let table = self.inlined_deletes.as_ref()?;
        let places: Vec<String> =
            file_ids.enumerate().map(|(place, id)| format!("({id}, {place}::BIGINT)")).collect();
        if places.is_empty() {
            return None;
        }
        Some(format!(
            "{}.main.{} JOIN (VALUES {}) files(id, place) ON file_id = id WHERE begin_snapshot <= {}",
            identifier(self.catalog),
            identifier(table),
            places.join(", "),
            self.snapshot
        ))
    }

    fn inlined_rows(&self, inlined: &InlinedRows) -> String {
        let columns: Vec<String> = self
            .columns
            .iter()
            .zip(&inlined.names)
            .map(|(column, name)| {
                let value = match (name, column.initial_default) {
                    (Some(name), _) => identifier(name),
                    (None, Some(default)) => literal(default),
                    (None, None) => "NULL".into(),
                };
                format!("CAST({value} AS {}) AS {}", column.data_type, identifier(column.name))
            })
            .collect();
        format!("SELECT {} FROM {}", columns.join(", "), self.inlined_source(inlined))
    }

    fn inlined_source(&self, inlined: &InlinedRows) -> String {
        let snapshot = self.snapshot;
        format!(
            "{}.main.{} WHERE begin_snapshot <= {snapshot} AND (end_snapshot IS NULL OR {snapshot} < end_snapshot)",
            identifier(self.catalog),
            identifier(inlined.table)
        )
    }
}

/// A scan that matches columns by field id; a column that a file lacks gives its default.
fn read_parquet<'u>(
    urls: impl Iterator<Item = &'u str>,
    schema: &[(i64, String, &str, Option<&str>)],
) -> String {
    let members: Vec<String> = schema
        .iter()
        .map(|(id, name, data_type, default)| {
            let default = default.map_or("NULL".into(), literal);
            format!(
                "{id}: {{name: '{name}', type: {}, default_value: {default}::VARCHAR}}",
                literal(data_type)
            )
        })
        .collect();
    format!(
        "read_parquet({}, schema = MAP {{{}}}, hive_partitioning = false)",
        list(urls.map(literal)),
        members.join(", ")
    )
}
