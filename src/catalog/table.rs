//! The rows of the catalog that concern one table.

use std::collections::HashMap;

use super::field::{Columns, Field};
use super::reading::{Kind, MappedTo};
use super::row::{Column, DataFile, DeleteFile, FooterElement, MappedColumn};
use super::rows::CatalogRows;
use super::stored::{by_footer, by_mapping, mapped_in, partition_value};

pub(super) struct TableRows<'a> {
    rows: &'a CatalogRows,
    pub(super) columns: Columns<'a>,
    pub(super) files: Vec<FileRows<'a>>,
    /// Tables of inlined rows, and the snapshot at which their schema version began.
    pub(super) inlined: Vec<(&'a str, Option<u64>)>,
    /// The catalog's own table of inlined deletes, where it has one.
    pub(super) inlined_deletes_table: Option<String>,
    /// Whether no snapshot of the catalog is later than the one that is read.
    pub(super) is_newest: bool,
}

/// A data file, and what deletes rows of it.
pub(super) struct FileRows<'a> {
    pub(super) row: &'a DataFile,
    pub(super) deletes: Vec<&'a DeleteFile>,
    /// How many rows the catalog's own table of deletes takes out.
    pub(super) inlined_deletes: u64,
}

/// The elements of each file's footer, by the file's URL.
pub(super) type Footers<'a> = HashMap<&'a str, Vec<&'a FooterElement>>;

/// What the catalog holds of each of its tables, by id.
pub(super) struct Tables<'a> {
    by_id: HashMap<i64, TableRows<'a>>,
    pub(super) footers: Footers<'a>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(rows: &'a CatalogRows, snapshot: u64) -> Tables<'a> {
        let is_newest = rows.snapshots.iter().all(|row| row.snapshot_id <= snapshot);
        let mut columns: HashMap<i64, Vec<&Column>> = HashMap::new();
        for column in rows.columns.iter() {
            columns.entry(column.table_id).or_default().push(column);
        }
        let mut deletes: HashMap<i64, Vec<&DeleteFile>> = HashMap::new();
        for delete in rows.delete_files.iter() {
            deletes.entry(delete.data_file_id).or_default().push(delete);
        }
        let inlined_deletes: HashMap<_, _> = rows
            .inlined_deletes
            .iter()
            .map(|row| ((row.table_name.as_str(), row.file_id), row.deletes))
            .collect();
        let mut files: HashMap<i64, Vec<FileRows>> = HashMap::new();
        for row in rows.data_files.iter() {
            let deletes = deletes.remove(&row.data_file_id).unwrap_or_default();
            let table = inlined_deletes_of(row.table_id);
            let inlined_deletes = inlined_deletes.get(&(&table, row.data_file_id)).copied().unwrap_or(0);
            files.entry(row.table_id).or_default().push(FileRows { row, deletes, inlined_deletes });
        }
        let mut inlined: HashMap<i64, Vec<_>> = HashMap::new();
        for row in rows.inlined_data.iter().filter(|row| rows.has_inlined(&row.table_name)) {
            let began = rows
                .schema_versions
                .iter()
                .filter(|version| version.schema_version == row.schema_version)
                .find(|version| version.table_id.is_none_or(|id| id == row.table_id))
                .map(|version| version.begin_snapshot);
            inlined.entry(row.table_id).or_default().push((row.table_name.as_str(), began));
        }
        let table = |table: &super::row::Table| {
            let id = table.table_id;
            let inlined_deletes = inlined_deletes_of(id);
            let of_table = TableRows {
                rows,
                columns: Columns::new(&columns.remove(&id).unwrap_or_default()),
                files: files.remove(&id).unwrap_or_default(),
                inlined: inlined.remove(&id).unwrap_or_default(),
                inlined_deletes_table: rows.has_inlined(&inlined_deletes).then_some(inlined_deletes),
                is_newest,
            };
            (id, of_table)
        };
        let mut footers: Footers = HashMap::new();
        for element in rows.footers.iter() {
            footers.entry(&element.file_name).or_default().push(element);
        }
        Tables { by_id: rows.tables.iter().map(table).collect(), footers }
    }

    pub(super) fn get(&self, id: i64) -> Option<&TableRows<'a>> {
        self.by_id.get(&id)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &TableRows<'a>> {
        self.by_id.values()
    }
}

/// The catalog's own table of deletes that are not in delete files.
fn inlined_deletes_of(table_id: i64) -> String {
    format!("ducklake_inlined_delete_{table_id}")
}

impl<'a> TableRows<'a> {
    /// Whether names do not suffice to read the files that are found by field id: what they hold then has
    /// to be asked of themselves.
    pub(super) fn has_changed_members(&self, columns: &[Field]) -> bool {
        columns.iter().any(|column| column.is_nested() && self.columns.members_changed(column.id, None))
    }

    /// Of which kind a data file is.
    pub(super) fn kind_of(
        &self,
        file: &DataFile,
        footer: Option<&Vec<&'a FooterElement>>,
        changed: bool,
        columns: &[Field<'a>],
    ) -> Result<Kind<'a>, String> {
        if let Some(mapping_id) = file.mapping_id {
            return Ok(Kind::Mapped(self.mapped(mapping_id, file, columns)?));
        }
        if !changed {
            return Ok(Kind::AsTheTable);
        }
        let stored = footer.and_then(|elements| by_footer(elements));
        Ok(Kind::Stored(stored.ok_or("has a data file whose footer is not read")?))
    }

    fn mapped(
        &self,
        mapping_id: i64,
        file: &DataFile,
        columns: &[Field<'a>],
    ) -> Result<Vec<MappedTo<'a>>, String> {
        let known = self.rows.mappings.iter().find(|mapping| mapping.mapping_id == mapping_id);
        let kind = known.and_then(|mapping| mapping.kind.as_deref());
        if kind != Some("map_by_name") {
            return Err("has data files whose columns are matched in a way that is not read".into());
        }
        let mapping: Vec<&MappedColumn> =
            self.rows.mapped_columns.iter().filter(|column| column.mapping_id == mapping_id).collect();
        let path = file.path.path.as_deref().unwrap_or_default();
        columns
            .iter()
            .map(|field| match mapped_in(&mapping, None).find(|column| column.target_field_id == field.id) {
                None => Ok(MappedTo::Nothing),
                Some(column) if column.is_partition => {
                    Ok(MappedTo::Partition(partition_value(path, &column.source_name, &field.data_type())?))
                }
                Some(column) => Ok(MappedTo::Column(by_mapping(&mapping, column, field)?)),
            })
            .collect()
    }

    pub(super) fn inlined_rows_of(&self, table: &str) -> Option<u64> {
        self.rows.inlined_rows.iter().find(|row| row.table_name == table).map(|row| row.rows)
    }
}
