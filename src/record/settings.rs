//! fdl.json: the settings of a repository.
//!
//! Source: the specification's page "Layout", section "fdl.json".

use serde::Serialize;

use super::calendar::is_iso_8601_date;
use super::edition;
use super::member::{Member, Read, read_json};
use crate::error::FdlError;
use crate::layout::RelativePath;
use crate::trust::allowed_signers::{Line, Principals, TrustedSigners};

/// The settings of a repository.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// The version of the specification.
    pub fdl: String,
    /// The id of the repository, which its mirrors keep. A repository without one is still read.
    pub id: Option<String>,
    /// Where data files are.
    pub data_dir: DataDir,
    /// Keys to expect. They never decide a verdict: a mirror can change fdl.json too.
    pub signers: Vec<ExpectedSigner>,
    /// The DuckLake formats published for new versions.
    pub catalog_formats: Vec<CatalogFormat>,
}

/// Where data files are: a folder below the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataDir(RelativePath);

impl DataDir {
    /// Reads the member `data_dir` of fdl.json.
    ///
    /// # Errors
    /// Why it is none, as the end of a sentence.
    pub fn parse(text: &str) -> Result<DataDir, &'static str> {
        let folder = text.strip_suffix('/').ok_or("does not end in \"/\"")?;
        RelativePath::parse(folder).map(DataDir)
    }

    /// The folder's path, without its final slash.
    pub fn folder(&self) -> &RelativePath {
        &self.0
    }

    /// The path of a data file that a catalog gives relative to this folder.
    ///
    /// # Errors
    /// Why the path would leave the folder, as the end of a sentence.
    pub fn join(&self, path: &str) -> Result<RelativePath, &'static str> {
        RelativePath::parse(path)?;
        RelativePath::parse(&format!("{}/{path}", self.0))
    }

    /// Whether a path relative to the root lies in this folder.
    pub fn holds(&self, path: &RelativePath) -> bool {
        path.as_str().strip_prefix(self.0.as_str()).is_some_and(|rest| rest.starts_with('/'))
    }
}

impl Default for DataDir {
    fn default() -> DataDir {
        DataDir(crate::layout::default_data_dir())
    }
}

impl Serialize for DataDir {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}/", self.0))
    }
}

/// A line of `signers`, read as a line of an allowed_signers file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedSigner {
    /// The line as the repository has it.
    pub text: String,
    /// The principals; `None`, like the next two, where the line cannot be read.
    pub principals: Option<Principals>,
    /// Such as `ssh-ed25519`.
    pub key_type: Option<String>,
    /// `SHA256:…`
    pub fingerprint: Option<String>,
    /// Why the line cannot be read.
    pub problem: Option<String>,
    #[serde(skip)]
    line: Option<Line>,
}

/// The page's own list may have longer lines; what a host writes here is only shown.
const MAX_LINE: usize = 16 << 10;

impl ExpectedSigner {
    fn read(text: String) -> ExpectedSigner {
        let read = match text.len() {
            ..=MAX_LINE => Line::parse(&text).map_err(|problem| problem.to_string()),
            _ => Err(format!("it is longer than {MAX_LINE} bytes")),
        };
        let problem = read.as_ref().err().cloned();
        let line = read.ok();
        ExpectedSigner {
            text,
            principals: line.as_ref().map(|line| line.principals.clone()),
            key_type: line.as_ref().map(Line::key_type),
            fingerprint: line.as_ref().map(Line::fingerprint),
            problem,
            line,
        }
    }
}

/// An entry of `catalog_formats`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CatalogFormat {
    /// A DuckLake format, such as `1.0`.
    pub ducklake: String,
    /// The last day that it is written for new versions: an ISO 8601 date.
    pub until: Option<String>,
}

impl Settings {
    /// Reads fdl.json.
    ///
    /// # Errors
    /// [`FdlError::UnknownMajorVersion`], [`FdlError::InvalidRecord`], and those of bad JSON.
    pub fn parse(url: &str, bytes: &[u8]) -> Result<Settings, FdlError> {
        read_json(url, bytes, |root| {
            Ok(Settings {
                fdl: edition(root)?,
                id: root.member("id").optional(read_id)?,
                data_dir: root.member("data_dir").optional(read_data_dir)?.unwrap_or_default(),
                signers: root.member("signers").each(|line| line.text().map(ExpectedSigner::read))?,
                catalog_formats: root.member("catalog_formats").each(|format| {
                    Ok(CatalogFormat {
                        ducklake: format.member("ducklake").text()?,
                        until: format.member("until").optional(read_date)?,
                    })
                })?,
            })
        })
    }
}

impl Settings {
    /// The lines of `signers` that can be read, to find out which key to expect.
    pub(crate) fn expected(&self) -> TrustedSigners {
        let lines =
            self.signers.iter().zip(1..).filter_map(|(signer, number)| Some((number, signer.line.clone()?)));
        TrustedSigners { lines: lines.collect(), skipped: Vec::new() }
    }
}

fn read_id(member: &Member) -> Read<String> {
    let id = member.text()?;
    if id.trim().is_empty() || id.len() > 256 {
        return Err(member.invalid("is empty or longer than 256 bytes"));
    }
    Ok(id)
}

fn read_data_dir(member: &Member) -> Read<DataDir> {
    DataDir::parse(&member.text()?).map_err(|reason| member.invalid(reason))
}

fn read_date(member: &Member) -> Read<String> {
    let date = member.text()?;
    if is_iso_8601_date(&date) { Ok(date) } else { Err(member.invalid("is not an ISO 8601 date")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(json: &str) -> Result<Settings, FdlError> {
        Settings::parse("fdl.json", json.as_bytes())
    }

    fn invalid_member(json: &str) -> String {
        match parse(json).unwrap_err() {
            FdlError::InvalidRecord { member, .. } => member,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn fdl_alone_is_enough_and_data_dir_defaults_to_data() {
        let settings = parse(r#"{"fdl": "0.1"}"#).unwrap();
        assert_eq!(settings.id, None);
        assert_eq!(settings.data_dir.join("main/t/x.parquet").unwrap().as_str(), "data/main/t/x.parquet");
        assert!(settings.signers.is_empty() && settings.catalog_formats.is_empty());
    }

    #[test]
    fn the_example_of_the_layout_page_is_read() {
        let settings = parse(
            r#"{ "fdl": "0.1", "id": "5f0c8a52-6d3e-4f8e-9b1a-2c7d4e9f0a13", "data_dir": "data/",
                 "signers": ["alice@example.org ssh-ed25519 AAAAC3…"],
                 "catalog_formats": [ { "ducklake": "1.1" }, { "ducklake": "1.0", "until": "2027-03-31" } ] }"#,
        )
        .unwrap();
        assert_eq!(settings.id.as_deref(), Some("5f0c8a52-6d3e-4f8e-9b1a-2c7d4e9f0a13"));
        assert_eq!(settings.catalog_formats[1].until.as_deref(), Some("2027-03-31"));
        assert!(settings.signers[0].problem.is_some(), "its key is cut short");
    }

    #[test]
    fn members_that_break_a_rule_are_named() {
        for data_dir in ["data", "/data/", "../data/", "a/../b/", "", "/", "s3://b/", "a\\b/"] {
            let json = serde_json::json!({ "fdl": "0.1", "data_dir": data_dir }).to_string();
            assert_eq!(invalid_member(&json), "data_dir", "{data_dir}");
        }
        assert_eq!(invalid_member(r#"{"fdl": "0.1", "id": ""}"#), "id");
        assert_eq!(invalid_member(r#"{"fdl": 1}"#), "fdl");
        assert_eq!(invalid_member(r#"{"fdl": "0.1", "signers": [7]}"#), "signers[0]");
        assert_eq!(
            invalid_member(r#"{"fdl": "0.1", "catalog_formats": [{"ducklake": "1.0", "until": "soon"}]}"#),
            "catalog_formats[0].until"
        );
    }

    #[test]
    fn another_major_version_is_refused_whatever_else_it_holds() {
        assert_eq!(parse(r#"{"fdl": "1.0", "data_dir": {}}"#).unwrap_err().code(), "unknown_major_version");
    }

    #[test]
    fn a_data_file_stays_in_data_dir() {
        let data = DataDir::parse("lake/data/").unwrap();
        assert!(data.join("../x.parquet").is_err());
        assert!(data.holds(&RelativePath::parse("lake/data/x").unwrap()));
        assert!(!data.holds(&RelativePath::parse("lake/database/x").unwrap()));
    }
}
