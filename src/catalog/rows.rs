//! The rows of the catalog that decide, as the queries gave them.

use std::collections::HashMap;

use super::queries::Format;
use super::row::{
    Column, ColumnComment, Comment, DataFile, DeleteFile, FooterElement, InlinedData, InlinedDeletes,
    InlinedRows, InlinedTable, Macro, MacroImpl, MacroParameter, MappedColumn, Mapping, Metadata, Path, Rows,
    Schema, SchemaVersion, Snapshot, Syntax, Table, View, rows_of,
};
use super::sql::literal;
use crate::error::FdlError;
use crate::layout::RelativePath;
use crate::record::member::{Member, Read, read_json};
use crate::record::settings::DataDir;

/// What the queries gave: each row an object from column name to text or null.
#[derive(Clone, Debug, Default)]
pub struct CatalogRows {
    pub(super) metadata: Rows<Metadata>,
    /// The one that is read, and the newest.
    pub(super) snapshots: Rows<Snapshot>,
    pub(super) schemas: Rows<Schema>,
    pub(super) tables: Rows<Table>,
    /// Of all snapshots: whether a view can be exact depends on what columns were called before.
    pub(super) columns: Rows<Column>,
    pub(super) data_files: Rows<DataFile>,
    pub(super) delete_files: Rows<DeleteFile>,
    pub(super) mappings: Rows<Mapping>,
    pub(super) mapped_columns: Rows<MappedColumn>,
    pub(super) inlined_data: Rows<InlinedData>,
    pub(super) schema_versions: Rows<SchemaVersion>,
    /// The catalog's own tables that hold inlined rows and deletes.
    pub(super) inlined_tables: Rows<InlinedTable>,
    pub(super) comments: Rows<Comment>,
    pub(super) column_comments: Rows<ColumnComment>,
    pub(super) views: Rows<View>,
    pub(super) macros: Rows<Macro>,
    pub(super) macro_impls: Rows<MacroImpl>,
    pub(super) macro_parameters: Rows<MacroParameter>,
    pub(super) inlined_deletes: Rows<InlinedDeletes>,
    pub(super) inlined_rows: Rows<InlinedRows>,
    pub(super) footers: Rows<FooterElement>,
    pub(super) syntax: Rows<Syntax>,
    /// Why a data file is not to be read, as the end of a sentence about its table.
    withheld: HashMap<RelativePath, String>,
}

impl CatalogRows {
    /// Reads what the queries gave, as JSON: `{"tables": [{"table_id": "1", …}], …}`.
    ///
    /// # Errors
    /// [`FdlError::MalformedCatalog`]
    pub fn parse(json: &str) -> Result<CatalogRows, FdlError> {
        let mut rows = CatalogRows::default();
        rows.add(json)?;
        Ok(rows)
    }

    /// As [`CatalogRows::parse`], beside what is there already.
    ///
    /// # Errors
    /// [`FdlError::MalformedCatalog`]
    pub fn add(&mut self, json: &str) -> Result<(), FdlError> {
        read_json("the catalog", json.as_bytes(), |root| self.read(root)).map_err(|error| {
            FdlError::MalformedCatalog {
                reason: match error {
                    FdlError::InvalidRecord { member, reason, .. } => format!("{member} {reason}"),
                    other => other.to_string(),
                },
            }
        })
    }

    fn read(&mut self, root: &Member) -> Read<()> {
        rows_of(root, "metadata", &mut self.metadata)?;
        rows_of(root, "snapshots", &mut self.snapshots)?;
        rows_of(root, "schemas", &mut self.schemas)?;
        rows_of(root, "tables", &mut self.tables)?;
        rows_of(root, "columns", &mut self.columns)?;
        rows_of(root, "data_files", &mut self.data_files)?;
        rows_of(root, "delete_files", &mut self.delete_files)?;
        rows_of(root, "mappings", &mut self.mappings)?;
        rows_of(root, "mapped_columns", &mut self.mapped_columns)?;
        rows_of(root, "inlined_data", &mut self.inlined_data)?;
        rows_of(root, "schema_versions", &mut self.schema_versions)?;
        rows_of(root, "inlined_tables", &mut self.inlined_tables)?;
        rows_of(root, "comments", &mut self.comments)?;
        rows_of(root, "column_comments", &mut self.column_comments)?;
        rows_of(root, "views", &mut self.views)?;
        rows_of(root, "macros", &mut self.macros)?;
        rows_of(root, "macro_impls", &mut self.macro_impls)?;
        rows_of(root, "macro_parameters", &mut self.macro_parameters)?;
        rows_of(root, "inlined_deletes", &mut self.inlined_deletes)?;
        rows_of(root, "inlined_rows", &mut self.inlined_rows)?;
        rows_of(root, "footers", &mut self.footers)?;
        rows_of(root, "syntax", &mut self.syntax)
    }

    /// The format, where it is one that is read.
    pub(super) fn format(&self) -> Result<Format, FdlError> {
        let found = self.setting("version").ok_or_else(|| malformed("it names no DuckLake format"))?;
        Format::parse(found).ok_or_else(|| FdlError::UnsupportedFormat {
            found: found.into(),
            supported: Format::ALL.map(|(name, _)| name).join(", "),
        })
    }

    /// Whether the rows are those of a catalog that is known, at a snapshot that it has.
    pub(super) fn can_be_read_at(&self, snapshot: u64) -> Result<(), FdlError> {
        self.format()?;
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
        let path = data_dir
            .join(&joined)
            .map_err(|reason| format!("has a data file whose path {reason} ({})", literal(&joined)))?;
        match self.withheld.get(&path) {
            Some(reason) => Err(reason.clone()),
            None => Ok(path),
        }
    }

    /// Keeps data files from being read: every table that needs one is refused for this `reason`, the end
    /// of a sentence about it. Given as JSON: `[{"path": "data/main/t/a.parquet", "reason": "…"}]`.
    ///
    /// # Errors
    /// [`FdlError::InvalidRecord`]
    pub fn withhold(&mut self, json: &str) -> Result<(), FdlError> {
        let withheld = read_json("the list of withheld files", json.as_bytes(), |root| {
            root.each(|file| {
                let path = file.member("path");
                let text = path.text()?;
                let path = RelativePath::parse(&text).map_err(|reason| path.invalid(reason))?;
                Ok((path, file.member("reason").text()?))
            })
        })?;
        self.withheld.extend(withheld);
        Ok(())
    }

    /// The comment on a table or a view.
    pub(super) fn comment_on(&self, id: i64) -> Option<&str> {
        self.comments.iter().find(|row| row.object_id == id).and_then(|row| row.value.as_deref())
    }

    pub(super) fn comment_on_column(&self, table_id: i64, column_id: u32) -> Option<&str> {
        let mut comments = self.column_comments.iter();
        comments
            .find(|row| (row.table_id, row.column_id) == (table_id, column_id))
            .and_then(|row| row.value.as_deref())
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

fn malformed(reason: &str) -> FdlError {
    FdlError::MalformedCatalog { reason: reason.into() }
}
