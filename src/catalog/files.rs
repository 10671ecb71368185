//! Which data files and delete files a version has, by its catalog.

use std::collections::HashMap;

use super::row::Path;
use super::rows::CatalogRows;
use crate::data::{Kind, ListedFile};
use crate::error::FdlError;
use crate::layout::RelativePath;
use crate::record::settings::DataDir;

impl CatalogRows {
    /// The data files and delete files that are live at `snapshot`, with the length and the number of
    /// rows that the catalog records for each. Those of other snapshots are not asked for: retention
    /// and withdrawal delete them.
    ///
    /// # Errors
    /// [`FdlError::UnsupportedFormat`], [`FdlError::MalformedCatalog`], also where a file lies outside
    /// `data_dir`.
    pub fn data_files(&self, snapshot: u64, data_dir: &DataDir) -> Result<Vec<ListedFile>, FdlError> {
        self.can_be_read_at(snapshot)?;
        self.live_files(data_dir).into_iter().collect()
    }

    /// As [`CatalogRows::data_files`], without those that no table can be read from: they lie outside
    /// `data_dir`, and the plan refuses their tables by name.
    ///
    /// # Errors
    /// [`FdlError::UnsupportedFormat`], [`FdlError::MalformedCatalog`]
    pub fn readable_files(&self, snapshot: u64, data_dir: &DataDir) -> Result<Vec<ListedFile>, FdlError> {
        self.can_be_read_at(snapshot)?;
        let mut files: Vec<_> = self.live_files(data_dir).into_iter().flatten().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        Ok(files)
    }

    fn live_files(&self, data_dir: &DataDir) -> Vec<Result<ListedFile, FdlError>> {
        let schemas: HashMap<_, _> = self.schemas.iter().map(|schema| (schema.schema_id, schema)).collect();
        let tables: HashMap<_, _> = self.tables.iter().map(|table| (table.table_id, table)).collect();
        let path_in = |table_id: i64, file: &Path| -> Option<Result<RelativePath, FdlError>> {
            let table = tables.get(&table_id)?;
            let schema = schemas.get(&table.schema_id)?;
            let path = self.path_in(data_dir, [&schema.path, &table.path, file]);
            Some(path.map_err(|reason| FdlError::MalformedCatalog {
                reason: format!("the table {}.{} {reason}", schema.schema_name, table.table_name),
            }))
        };
        // The rows of a file in another format are not counted here.
        let is_parquet = |format: &Option<String>| format.as_deref().is_none_or(|format| format == "parquet");
        let mut files = Vec::new();
        let mut table_of = HashMap::new();
        for file in self.data_files.iter() {
            let Some(path) = path_in(file.table_id, &file.path) else { continue };
            table_of.insert(file.data_file_id, file.table_id);
            files.push(path.map(|path| ListedFile {
                kind: Kind::Data,
                path,
                bytes: file.file_size_bytes,
                rows: Some(file.record_count).filter(|_| is_parquet(&file.file_format)),
                sha256: None,
            }));
        }
        for file in self.delete_files.iter() {
            let Some(table_id) = table_of.get(&file.data_file_id) else { continue };
            let Some(path) = path_in(*table_id, &file.path) else { continue };
            files.push(path.map(|path| ListedFile {
                kind: Kind::Delete,
                path,
                bytes: file.file_size_bytes,
                rows: Some(file.delete_count).filter(|_| is_parquet(&file.format)),
                sha256: None,
            }));
        }
        files
    }
}
