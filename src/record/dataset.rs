//! dataset.json: what a version holds, described by its publisher.
//!
//! Our pages name the file but not its members; those read here are listed in `docs/format.md`.
//! Every text is the publisher's and is shown as text.

use serde::{Deserialize, Serialize};

use super::parse_json;
use crate::error::FdlError;

/// What a version holds, described.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dataset {
    /// Its title.
    pub title: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// Under what terms it may be used.
    pub licenses: Vec<Attribution>,
    /// Where it comes from.
    pub sources: Vec<Attribution>,
    /// Who made it.
    pub contributors: Vec<Attribution>,
    /// Its tables.
    pub tables: Vec<TableDescription>,
}

/// A licence, a source or a contributor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "RawAttribution")]
pub struct Attribution {
    /// A name.
    pub title: Option<String>,
    /// An absolute http or https URL; any other is left out.
    pub url: Option<String>,
    /// What a contributor did.
    pub role: Option<String>,
}

/// A table, described.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableDescription {
    /// Its schema.
    #[serde(default = "main")]
    pub schema: String,
    /// Its name.
    pub name: String,
    /// A title.
    pub title: Option<String>,
    /// A description.
    pub description: Option<String>,
    /// How many rows it has.
    #[serde(alias = "row_count", alias = "record_count")]
    pub rows: Option<u64>,
    /// Its columns.
    #[serde(default)]
    pub columns: Vec<ColumnDescription>,
}

/// A column, described.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnDescription {
    /// Its name.
    pub name: String,
    /// Its type in DuckDB's words.
    #[serde(rename = "type")]
    pub data_type: Option<String>,
    /// A title.
    pub title: Option<String>,
    /// A description.
    pub description: Option<String>,
}

fn main() -> String {
    "main".into()
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawAttribution {
    Text(String),
    Object {
        title: Option<String>,
        name: Option<String>,
        #[serde(alias = "path")]
        url: Option<String>,
        role: Option<String>,
    },
}

impl From<RawAttribution> for Attribution {
    fn from(raw: RawAttribution) -> Attribution {
        let web = |url: String| {
            let scheme = url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
            matches!(scheme.as_deref(), Some("http" | "https")).then_some(url)
        };
        match raw {
            RawAttribution::Text(text) => {
                Attribution { url: web(text.clone()), title: Some(text), role: None }
            }
            RawAttribution::Object { title, name, url, role } => {
                Attribution { title: title.or(name), url: url.and_then(web), role }
            }
        }
    }
}

impl Dataset {
    /// Reads dataset.json.
    ///
    /// # Errors
    /// [`FdlError::InvalidRecord`], and those of bad JSON.
    pub fn parse(url: &str, bytes: &[u8]) -> Result<Dataset, FdlError> {
        parse_json(url, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_may_be_as_short_as_its_publisher_likes() {
        assert_eq!(Dataset::parse("d", b"{}").unwrap(), Dataset::default());
        let json = br#"{"title": "Towns", "tables": [{"name": "towns", "row_count": 3,
            "columns": [{"name": "id", "type": "INTEGER"}], "else": 1}], "else": {}}"#;
        let dataset = Dataset::parse("d", json).unwrap();
        assert_eq!(dataset.tables[0].schema, "main");
        assert_eq!(dataset.tables[0].rows, Some(3));
        assert_eq!(dataset.tables[0].columns[0].data_type.as_deref(), Some("INTEGER"));
    }

    #[test]
    fn only_web_addresses_become_links() {
        let json = br#"{"licenses": ["CC0", {"name": "CC BY 4.0", "path": "https://creativecommons.org/licenses/by/4.0/"}],
            "sources": [{"title": "x", "url": "javascript:alert(1)"}, {"title": "y", "path": "data:text/html,x"}]}"#;
        let dataset = Dataset::parse("d", json).unwrap();
        assert_eq!(dataset.licenses[0].title.as_deref(), Some("CC0"));
        assert!(dataset.licenses[1].url.is_some());
        assert!(dataset.sources.iter().all(|source| source.url.is_none()));
    }
}
