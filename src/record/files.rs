//! files.json: each table's data files, indexed from the catalog.
//!
//! Our pages name the file but not its members; those read here are listed in `docs/format.md`.

use serde::{Deserialize, Serialize};

use super::settings::DataDir;
use super::{Sha256, parse_json};
use crate::error::FdlError;
use crate::layout::RelativePath;

/// Each table's data files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Files {
    /// The tables.
    #[serde(default)]
    pub tables: Vec<TableFiles>,
}

/// A table's data files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableFiles {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Its columns (our addition), without which a preview cannot be exact.
    pub columns: Option<Vec<ColumnOfFiles>>,
    /// Its data files.
    #[serde(default)]
    pub files: Vec<DataFile>,
    /// Whether rows or deletes of the table lie in the catalog itself.
    pub inlined: Option<bool>,
}

/// A column, as a preview needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnOfFiles {
    /// Its name.
    pub name: String,
    /// Its type in DuckDB's words.
    #[serde(rename = "type")]
    pub data_type: String,
    /// The field id that its Parquet columns carry.
    pub field_id: i64,
    /// What rows written before the column was added hold.
    pub initial_default: Option<String>,
}

/// A data file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// Relative to the root.
    pub path: String,
    /// Its length in bytes.
    pub bytes: Option<u64>,
    /// How many rows are written in it, deleted ones included.
    pub record_count: Option<u64>,
    /// Its hash.
    pub sha256: Option<Sha256>,
    /// The rows of it that are deleted.
    pub delete_file: Option<DeleteFile>,
}

/// A delete file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteFile {
    /// Relative to the root.
    pub path: String,
    /// Its length in bytes.
    pub bytes: Option<u64>,
    /// How many rows it deletes.
    pub delete_count: Option<u64>,
    /// Its hash.
    pub sha256: Option<Sha256>,
}

impl Files {
    /// Reads files.json. Every path in it lies in `data_dir`.
    ///
    /// # Errors
    /// [`FdlError::UnsafePath`], [`FdlError::InvalidRecord`], and those of bad JSON.
    pub fn parse(url: &str, data_dir: &DataDir, bytes: &[u8]) -> Result<Files, FdlError> {
        let files: Files = parse_json(url, bytes)?;
        for file in files.tables.iter().flat_map(|table| &table.files) {
            let delete_path = file.delete_file.as_ref().map(|delete| &delete.path);
            for path in [Some(&file.path), delete_path].into_iter().flatten() {
                let reason = match RelativePath::parse(path) {
                    Ok(path) if data_dir.holds(&path) => continue,
                    Ok(_) => "lies outside data_dir",
                    Err(reason) => reason,
                };
                return Err(FdlError::UnsafePath {
                    url: url.into(),
                    path: path.clone(),
                    reason: reason.into(),
                });
            }
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::settings::Settings;

    #[test]
    fn a_path_outside_data_dir_is_refused() {
        let settings = Settings::parse("fdl.json", br#"{"fdl": "0.1"}"#).unwrap();
        let parse = |path: &str, delete: &str| {
            let json = serde_json::json!({"tables": [{"schema": "main", "name": "t",
                "files": [{"path": path, "delete_file": {"path": delete}}]}]});
            Files::parse("files.json", &settings.data_dir, json.to_string().as_bytes())
        };
        assert!(parse("data/main/t/a.parquet", "data/main/t/b.parquet").is_ok());
        for path in ["other/a.parquet", "data/../a.parquet", "https://x/a.parquet", "/data/a", "database/a"] {
            assert_eq!(parse(path, "data/b").unwrap_err().code(), "unsafe_path", "{path}");
            assert_eq!(parse("data/a", path).unwrap_err().code(), "unsafe_path", "{path}");
        }
    }
}
