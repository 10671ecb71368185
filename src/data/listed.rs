//! The files of a version that are not in its folder, and what is known of each.

use serde::Serialize;

use crate::error::FdlError;
use crate::layout::{self, RelativePath};
use crate::record::Sha256;
use crate::record::files::{Files, read_path};
use crate::record::member::{Member, read_json};
use crate::record::settings::DataDir;
use crate::record::version::Input;

/// What a file is to its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It holds rows.
    Data,
    /// It says which rows of a data file are deleted.
    Delete,
    /// The version was made from it.
    Source,
}

/// A file, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedFile {
    /// What it is.
    pub kind: Kind,
    /// Relative to the root.
    pub path: RelativePath,
    /// Its length in bytes.
    pub bytes: Option<u64>,
    /// How many rows are written in it.
    pub rows: Option<u64>,
    /// Its hash.
    #[serde(skip)]
    pub sha256: Option<Sha256>,
}

impl ListedFile {
    /// The data files and delete files that files.json lists.
    pub(crate) fn of_index(files: &Files) -> Vec<ListedFile> {
        let files = files.tables.iter().flat_map(|table| &table.files);
        files
            .flat_map(|file| {
                let data = ListedFile {
                    kind: Kind::Data,
                    path: file.path.clone(),
                    bytes: file.bytes,
                    rows: file.record_count,
                    sha256: file.sha256,
                };
                let delete = file.delete_file.as_ref().map(|delete| ListedFile {
                    kind: Kind::Delete,
                    path: delete.path.clone(),
                    bytes: delete.bytes,
                    rows: delete.delete_count,
                    sha256: delete.sha256,
                });
                [Some(data), delete].into_iter().flatten()
            })
            .collect()
    }

    /// The source files that a record's `inputs` name.
    pub(crate) fn of_inputs(inputs: &[Input]) -> Vec<ListedFile> {
        let source = |input: &Input| ListedFile {
            kind: Kind::Source,
            path: layout::source(&input.sha256),
            bytes: None,
            rows: None,
            sha256: Some(input.sha256),
        };
        inputs.iter().map(source).collect()
    }

    /// Reads a list that was made of the rows of a catalog (`CatalogRows::data_files`), as JSON:
    /// `[{"kind": "data", "path": "data/main/t/a.parquet", "bytes": 1, "rows": 1}]`, `kind` being
    /// `data` or `delete`. Every path in it lies in `data_dir`.
    ///
    /// # Errors
    /// [`FdlError::InvalidRecord`], [`FdlError::UnsafePath`], and those of bad JSON.
    pub fn parse_list(json: &str, data_dir: &DataDir) -> Result<Vec<ListedFile>, FdlError> {
        let read_file = |file: Member| {
            let kind = file.member("kind");
            Ok(ListedFile {
                kind: match kind.text()?.as_str() {
                    "data" => Kind::Data,
                    "delete" => Kind::Delete,
                    _ => return Err(kind.invalid("is neither \"data\" nor \"delete\"")),
                },
                path: read_path(&file, data_dir)?,
                bytes: file.member("bytes").optional_count()?,
                rows: file.member("rows").optional_count()?,
                sha256: None,
            })
        };
        read_json("the list of data files", json.as_bytes(), |root| root.each(read_file))
    }
}
