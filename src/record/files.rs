//! files.json: each table's data files, indexed from the catalog.
//!
//! Our pages name the file but not its members; those read here are listed in `docs/format.md`.

use serde::Serialize;

use super::Sha256;
use super::member::{Member, Read, read_json};
use super::settings::DataDir;
use crate::error::FdlError;
use crate::layout::RelativePath;

/// Each table's data files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Files {
    /// The tables.
    pub tables: Vec<TableFiles>,
}

/// A table's data files.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableFiles {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Its columns (our addition), without which a preview cannot be exact.
    pub columns: Option<Vec<ColumnOfFiles>>,
    /// Its data files.
    pub files: Vec<DataFile>,
    /// Whether rows or deletes of the table lie in the catalog itself.
    pub inlined: Option<bool>,
}

/// A column, as a preview needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnOfFiles {
    /// Its name.
    pub name: String,
    /// Its type in DuckDB's words.
    #[serde(rename = "type")]
    pub data_type: String,
    /// The field id that its Parquet columns carry.
    pub field_id: u64,
    /// What rows written before the column was added hold.
    pub initial_default: Option<String>,
    /// The columns in it: a struct's members, a list's element, a map's key and value.
    pub children: Vec<ColumnOfFiles>,
}

/// A data file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DataFile {
    /// Relative to the root.
    pub path: RelativePath,
    /// Its length in bytes.
    pub bytes: Option<u64>,
    /// How many rows are written in it, deleted ones included.
    pub record_count: Option<u64>,
    /// How long its Parquet footer is (our addition), in bytes.
    pub footer_size: Option<u64>,
    /// Its hash.
    pub sha256: Option<Sha256>,
    /// What a reader must do beyond matching columns by field id (our addition): words such as
    /// `name_mapping`. `None` where it is not said.
    pub needs: Option<Vec<String>>,
    /// The rows of it that are deleted.
    pub delete_file: Option<DeleteFile>,
}

/// A delete file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeleteFile {
    /// Relative to the root.
    pub path: RelativePath,
    /// Its length in bytes.
    pub bytes: Option<u64>,
    /// How long its Parquet footer is (our addition), in bytes.
    pub footer_size: Option<u64>,
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
        let read_table = |table: Member| {
            Ok(TableFiles {
                schema: table.member("schema").text()?,
                name: table.member("name").text()?,
                columns: table.member("columns").optional(|columns| columns.each(read_column))?,
                files: table.member("files").each(|file| read_file(&file, data_dir))?,
                inlined: table.member("inlined").optional(Member::flag)?,
            })
        };
        read_json(url, bytes, |root| Ok(Files { tables: root.member("tables").each(read_table)? }))
    }
}

fn read_column(column: Member) -> Read<ColumnOfFiles> {
    Ok(ColumnOfFiles {
        name: column.member("name").text()?,
        data_type: column.member("type").text()?,
        field_id: column.member("field_id").count()?,
        initial_default: column.member("initial_default").optional_text()?,
        children: column.member("children").each(read_column)?,
    })
}

fn read_file(file: &Member, data_dir: &DataDir) -> Read<DataFile> {
    Ok(DataFile {
        path: read_path(file, data_dir)?,
        bytes: file.member("bytes").optional_count()?,
        record_count: file.member("record_count").optional_count()?,
        footer_size: file.member("footer_size").optional_count()?,
        needs: file.member("needs").optional(|needs| needs.each(|need| need.text()))?,
        sha256: file.member("sha256").optional(Member::sha256)?,
        delete_file: file.member("delete_file").optional(|delete| {
            Ok(DeleteFile {
                path: read_path(delete, data_dir)?,
                bytes: delete.member("bytes").optional_count()?,
                footer_size: delete.member("footer_size").optional_count()?,
                delete_count: delete.member("delete_count").optional_count()?,
                sha256: delete.member("sha256").optional(Member::sha256)?,
            })
        })?,
    })
}

/// The `path` of a data file, which lies in `data_dir`.
pub(crate) fn read_path(file: &Member, data_dir: &DataDir) -> Read<RelativePath> {
    let member = file.member("path");
    let path = member.relative_path()?;
    if data_dir.holds(&path) {
        Ok(path)
    } else {
        Err(member.unsafe_path(path.to_string(), "lies outside data_dir"))
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
