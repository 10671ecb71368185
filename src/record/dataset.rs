//! dataset.json: what a version holds, described by its publisher.
//!
//! Our pages name the file but not its members; those read here are listed in `docs/format.md`.
//! Every text is the publisher's and is shown as text.

use serde::Serialize;

use super::member::{Member, Read, read_json};
use crate::error::FdlError;

/// What a version holds, described.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Attribution {
    /// A name.
    pub title: Option<String>,
    /// An absolute http or https URL; any other is left out.
    pub url: Option<String>,
    /// What a contributor did.
    pub role: Option<String>,
}

/// A table, described.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableDescription {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// A title.
    pub title: Option<String>,
    /// A description.
    pub description: Option<String>,
    /// How many rows it has.
    pub rows: Option<u64>,
    /// Its columns.
    pub columns: Vec<ColumnDescription>,
}

/// A column, described.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

impl Dataset {
    /// Reads dataset.json.
    ///
    /// # Errors
    /// [`FdlError::InvalidRecord`], and those of bad JSON.
    pub fn parse(url: &str, bytes: &[u8]) -> Result<Dataset, FdlError> {
        read_json(url, bytes, |root| {
            Ok(Dataset {
                title: root.member("title").optional_text()?,
                description: root.member("description").optional_text()?,
                keywords: root.member("keywords").each(|keyword| keyword.text())?,
                licenses: root.member("licenses").each(read_attribution)?,
                sources: root.member("sources").each(read_attribution)?,
                contributors: root.member("contributors").each(read_attribution)?,
                tables: root.member("tables").each(read_table)?,
            })
        })
    }
}

fn read_table(table: Member) -> Read<TableDescription> {
    let count = ["rows", "row_count", "record_count"]
        .into_iter()
        .map(|name| table.member(name).optional_count())
        .find_map(Result::transpose);
    Ok(TableDescription {
        schema: table.member("schema").optional_text()?.unwrap_or_else(|| "main".into()),
        name: table.member("name").text()?,
        title: table.member("title").optional_text()?,
        description: table.member("description").optional_text()?,
        rows: count.transpose()?,
        columns: table.member("columns").each(|column| {
            Ok(ColumnDescription {
                name: column.member("name").text()?,
                data_type: column.member("type").optional_text()?,
                title: column.member("title").optional_text()?,
                description: column.member("description").optional_text()?,
            })
        })?,
    })
}

/// A text, or an object with a title or name, a URL or path, and a role.
fn read_attribution(member: Member) -> Read<Attribution> {
    if member.value.is_string() {
        let title = member.text()?;
        return Ok(Attribution { url: web_address(title.clone()), title: Some(title), role: None });
    }
    let either = |one, other| match member.member(one).optional_text()? {
        Some(text) => Ok(Some(text)),
        None => member.member(other).optional_text(),
    };
    Ok(Attribution {
        title: either("title", "name")?,
        url: either("url", "path")?.and_then(web_address),
        role: member.member("role").optional_text()?,
    })
}

fn web_address(url: String) -> Option<String> {
    let scheme = url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https")).then_some(url)
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
