//! One table as a view over `read_parquet`.
//!
//! The rows of a table are those of its data files, less its deletes, and the rows inlined in the
//! catalog. Files with no deletes are read plainly; the others are filtered by one key of file
//! and position, which keeps the scan of many files a single one.

use std::collections::HashMap;

use super::rows::{CatalogRows, Column, DataFile, DeleteFile, InlinedData, Path};
use super::sql::{identifier, list, literal};
use super::types::{TypedColumn, columns_at};

/// The field ids that DuckLake gives its own columns in Parquet files.
const POSITION: u32 = 2147483645;
const SNAPSHOT: u32 = 2147483539;

/// The rows of the catalog that concern one table.
#[derive(Default)]
pub(super) struct TableRows<'a> {
    columns: Vec<&'a Column>,
    files: Vec<(&'a DataFile, Vec<&'a DeleteFile>)>,
    /// Tables of inlined rows, and the snapshot at which their schema version began.
    inlined: Vec<(&'a InlinedData, Option<u64>)>,
    /// The catalog's own table of inlined deletes, where it has one.
    inlined_deletes: Option<String>,
}

impl<'a> TableRows<'a> {
    /// The rows of each table, by its id.
    pub(super) fn by_table(rows: &'a CatalogRows) -> HashMap<i64, TableRows<'a>> {
        let mut tables: HashMap<i64, TableRows> = HashMap::new();
        for column in &rows.columns {
            tables.entry(column.table_id).or_default().columns.push(column);
        }
        let mut deletes: HashMap<i64, Vec<&DeleteFile>> = HashMap::new();
        for delete in &rows.delete_files {
            deletes.entry(delete.data_file_id).or_default().push(delete);
        }
        for file in &rows.data_files {
            let deletes = deletes.remove(&file.data_file_id).unwrap_or_default();
            tables.entry(file.table_id).or_default().files.push((file, deletes));
        }
        for inlined in rows.inlined_data.iter().filter(|row| rows.has_inlined(&row.table_name)) {
            let began = rows
                .schema_versions
                .iter()
                .filter(|version| version.schema_version == inlined.schema_version)
                .find(|version| version.table_id.is_none_or(|id| id == inlined.table_id))
                .map(|version| version.begin_snapshot);
            tables.entry(inlined.table_id).or_default().inlined.push((inlined, began));
        }
        for (id, table) in &mut tables {
            let inlined_deletes = format!("ducklake_inlined_delete_{id}");
            table.inlined_deletes = rows.has_inlined(&inlined_deletes).then_some(inlined_deletes);
        }
        tables
    }
}

/// A table at a snapshot, with what its view is made of.
pub(super) struct TableView<'a> {
    catalog: &'a str,
    snapshot: u64,
    pub(super) columns: Vec<TypedColumn<'a>>,
    files: Vec<File<'a>>,
    inlined: Vec<InlinedRows<'a>>,
    inlined_deletes: Option<&'a str>,
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
        rows: &'a TableRows<'a>,
        catalog: &'a str,
        snapshot: u64,
        url_of: impl Fn(&Path) -> Result<String, String>,
    ) -> Result<TableView<'a>, String> {
        let columns = columns_at(&rows.columns, snapshot)?;
        let files = rows
            .files
            .iter()
            .map(|(row, deletes)| File::gather(row, deletes, snapshot, &url_of))
            .collect::<Result<_, String>>()?;
        let inlined = rows
            .inlined
            .iter()
            .map(|(row, began)| {
                let began =
                    began.ok_or("has inlined rows of a schema version that the catalog does not list")?;
                // Its columns carry the names that they had when that schema version began.
                let names: HashMap<u32, &str> = rows
                    .columns
                    .iter()
                    .filter(|column| column.is_live_at(began))
                    .map(|column| (column.column_id, column.column_name.as_str()))
                    .collect();
                let names = columns.iter().map(|column| names.get(&column.id).copied()).collect();
                Ok(InlinedRows { table: &row.table_name, names })
            })
            .collect::<Result<_, String>>()?;
        let inlined_deletes = rows.inlined_deletes.as_deref();
        Ok(TableView { catalog, snapshot, columns, files, inlined, inlined_deletes })
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
        // Wide enough that no number of counts runs over.
        let written: u128 = self.files.iter().map(|file| u128::from(file.row.record_count)).sum();
        let deleted: u128 = self
            .files
            .iter()
            .filter_map(|file| file.deletes.as_ref())
            .map(|(row, _)| u128::from(row.delete_count))
            .sum();
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
        let mut schema: Vec<(u32, String, &str, Option<&str>)> = self
            .columns
            .iter()
            .map(|column| {
                let stored = column.stored_type.unwrap_or(&column.data_type);
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
        let table = self.inlined_deletes?;
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

impl<'a> File<'a> {
    fn gather(
        row: &'a DataFile,
        deletes: &[&'a DeleteFile],
        snapshot: u64,
        url_of: impl Fn(&Path) -> Result<String, String>,
    ) -> Result<File<'a>, String> {
        let keys = deletes.iter().map(|delete| &delete.encryption_key).chain([&row.encryption_key]);
        if keys.flatten().next().is_some() {
            return Err("is encrypted".into());
        }
        let is_parquet = |format: &Option<String>| format.as_deref().is_none_or(|name| name == "parquet");
        if !is_parquet(&row.file_format) {
            return Err("has data files that are not Parquet".into());
        }
        if !deletes.iter().all(|delete| is_parquet(&delete.format)) {
            return Err("has delete files that are not Parquet".into());
        }
        if row.mapping_id.is_some() {
            return Err("has data files whose columns are matched by name, which is not read yet".into());
        }
        let deletes = match deletes {
            [] => None,
            [delete] => Some((*delete, url_of(&delete.path)?)),
            _ => return Err("has a data file with more than one delete file".into()),
        };
        let partial = row.partial_max.is_some_and(|max| max > snapshot);
        Ok(File { row, url: url_of(&row.path)?, deletes, partial })
    }
}

/// A scan that matches columns by field id; a column that a file lacks gives its default.
fn read_parquet<'u>(
    urls: impl Iterator<Item = &'u str>,
    schema: &[(u32, String, &str, Option<&str>)],
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
