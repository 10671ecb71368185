//! Where each file of a repository lies: names to paths to URLs.
//!
//! Source: the specification's page "Layout". Every URL that the reader fetches is made here,
//! from checked parts, each segment percent-encoded exactly once.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use crate::error::FdlError;
use crate::record::Sha256;

/// What a path segment may hold unencoded: RFC 3986 `unreserved`, and `=` as in the folders of
/// partitioned tables, which hosts expect as it is.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'=');

/// The root of a repository: an `http:`, `https:` or `file:` URL of a folder.
///
/// A query (such as an access token) is kept and sent with every request; a fragment is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Ends in `/`.
    folder: String,
    /// Empty, or begins with `?`.
    query: String,
}

impl Root {
    /// Reads an absolute URL, with or without the final slash.
    ///
    /// # Errors
    /// [`FdlError::InvalidUrl`]
    pub fn parse(url: &str) -> Result<Root, FdlError> {
        let invalid = |reason: &str| FdlError::InvalidUrl { url: url.into(), reason: reason.into() };
        let (scheme, rest) = url.split_once("://").ok_or_else(|| invalid("it is not an absolute URL"))?;
        if !matches!(scheme, "http" | "https" | "file") {
            return Err(invalid("only http, https and file addresses are read"));
        }
        if url.chars().any(|c| c.is_control() || c == ' ') {
            return Err(invalid("it holds a space or a control character"));
        }
        if scheme != "file" && (rest.is_empty() || rest.starts_with(['/', '?', '#'])) {
            return Err(invalid("it names no host"));
        }
        let without_fragment = url.split_once('#').map_or(url, |(before, _)| before);
        let (path, query) =
            without_fragment.split_at(without_fragment.find('?').unwrap_or(without_fragment.len()));
        let slash = if path.ends_with('/') { "" } else { "/" };
        Ok(Root {
            folder: format!("{path}{slash}"),
            query: if query == "?" { String::new() } else { query.into() },
        })
    }

    /// The URL of a file of this repository.
    pub fn url(&self, path: &RelativePath) -> String {
        let encoded: Vec<String> = path
            .as_str()
            .split('/')
            .map(|segment| utf8_percent_encode(segment, SEGMENT).to_string())
            .collect();
        format!("{}{}{}", self.folder, encoded.join("/"), self.query)
    }
}

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.folder, self.query)
    }
}

/// A path that stays where it is joined: relative, separated by `/`, without `..`, a scheme, a
/// backslash or a control character. It can only be made by [`RelativePath::parse`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RelativePath(String);

impl RelativePath {
    /// Checks a path that a file of the repository gives.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence that begins with "the path, which".
    pub fn parse(path: &str) -> Result<RelativePath, &'static str> {
        if path.is_empty() {
            return Err("is empty");
        }
        if path.len() > 4096 {
            return Err("is longer than 4096 bytes");
        }
        if path.starts_with('/') {
            return Err("is absolute");
        }
        if path.contains('\\') {
            return Err("holds a backslash");
        }
        if path.chars().any(char::is_control) {
            return Err("holds a control character");
        }
        let first = path.split('/').next().unwrap_or_default();
        if let Some((scheme, _)) = first.split_once(':')
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        {
            return Err("is a URL of its own");
        }
        for segment in path.split('/') {
            match segment {
                "" => return Err("has an empty segment"),
                "." | ".." => return Err("leaves its folder"),
                _ => {}
            }
        }
        Ok(RelativePath(path.into()))
    }

    /// The path, not encoded.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A version's ID: a UUID as RFC 9562 writes it, in lower case as all paths are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct VersionId(String);

impl VersionId {
    /// Reads a version ID; `None` where the text is not one.
    pub fn parse(text: &str) -> Option<VersionId> {
        let shape = text.len() == 36
            && text.bytes().enumerate().all(|(i, byte)| match i {
                8 | 13 | 18 | 23 => byte == b'-',
                _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            });
        shape.then(|| VersionId(text.into()))
    }

    /// The ID as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for VersionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The full name of a ref: `refs/heads/<name>`, `refs/tags/<name>` or `refs/requests/<number>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RefName(String);

impl RefName {
    /// Reads a full name, by the rules that Git has for names of refs.
    ///
    /// # Errors
    /// [`FdlError::InvalidRefName`]
    pub fn parse(name: &str) -> Result<RefName, FdlError> {
        let rest = ["refs/heads/", "refs/tags/", "refs/requests/"]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))
            .unwrap_or_default();
        let forbidden = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
        let sound = RelativePath::parse(rest).is_ok()
            && !rest.contains(forbidden)
            && !rest.contains("..")
            && !rest.contains("@{")
            && !rest.ends_with('.')
            && rest.split('/').all(|part| !part.starts_with('.') && !part.ends_with(".lock"));
        if sound { Ok(RefName(name.into())) } else { Err(FdlError::InvalidRefName { name: name.into() }) }
    }

    /// The branch of this short name.
    ///
    /// # Errors
    /// [`FdlError::InvalidRefName`]
    pub fn branch(short: &str) -> Result<RefName, FdlError> {
        RefName::parse(&format!("refs/heads/{short}"))
    }

    /// The tag of this short name.
    ///
    /// # Errors
    /// [`FdlError::InvalidRefName`]
    pub fn tag(short: &str) -> Result<RefName, FdlError> {
        RefName::parse(&format!("refs/tags/{short}"))
    }

    /// The full name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the ref is a tag, which never moves.
    pub fn is_tag(&self) -> bool {
        self.0.starts_with("refs/tags/")
    }

    /// Whether the ref is for the host's own use, such as a pending approval.
    pub fn is_request(&self) -> bool {
        self.0.starts_with("refs/requests/")
    }
}

impl fmt::Display for RefName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// fdl.json
pub(crate) fn settings() -> RelativePath {
    RelativePath("fdl.json".into())
}

/// HEAD
pub(crate) fn head() -> RelativePath {
    RelativePath("HEAD".into())
}

/// refs.json
pub(crate) fn refs() -> RelativePath {
    RelativePath("refs.json".into())
}

/// Where data files are unless fdl.json says otherwise.
pub(crate) fn default_data_dir() -> RelativePath {
    RelativePath("data".into())
}

/// The file of one ref.
pub(crate) fn ref_file(name: &RefName) -> RelativePath {
    RelativePath(name.0.clone())
}

/// A file of a version's folder.
pub(crate) fn version_file(id: &VersionId, file: &RelativePath) -> RelativePath {
    RelativePath(format!("versions/{id}/{file}"))
}

/// A source file, which is named by its own hash.
pub(crate) fn source(sha256: &Sha256) -> RelativePath {
    RelativePath(format!("sources/{sha256}"))
}

/// The names of the files that the layout gives a version's folder.
pub(crate) mod file {
    use super::RelativePath;

    pub(crate) fn record() -> RelativePath {
        RelativePath("version.json".into())
    }
    pub(crate) fn signature() -> RelativePath {
        RelativePath("version.json.sig".into())
    }
    pub(crate) fn expired() -> RelativePath {
        RelativePath("expired.json".into())
    }
    pub(crate) fn dataset() -> RelativePath {
        RelativePath("dataset.json".into())
    }
    pub(crate) fn files() -> RelativePath {
        RelativePath("files.json".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_segment_is_percent_encoded_exactly_once() {
        let root = Root::parse("https://host.example/a%20b/lake").unwrap();
        let path = RelativePath::parse("data/日本 語/50%#?+&x=1/ü.parquet").unwrap();
        assert_eq!(
            root.url(&path),
            "https://host.example/a%20b/lake/data/%E6%97%A5%E6%9C%AC%20%E8%AA%9E/50%25%23%3F%2B%26x=1/%C3%BC.parquet"
        );
    }

    #[test]
    fn a_query_of_the_root_is_sent_with_every_request_and_a_fragment_is_not() {
        let root = Root::parse("https://host.example?token=a%2Fb#part").unwrap();
        assert_eq!(root.url(&settings()), "https://host.example/fdl.json?token=a%2Fb");
    }

    #[test]
    fn a_root_is_an_absolute_http_https_or_file_url() {
        for url in [
            "",
            "lake",
            "/lake/",
            "ftp://host/",
            "javascript:alert(1)",
            "https://",
            "https:///x",
            "http://a b/",
        ] {
            assert_eq!(Root::parse(url).unwrap_err().code(), "invalid_url", "{url}");
        }
        assert!(Root::parse("file:///srv/lake").is_ok());
    }

    #[test]
    fn a_path_of_a_file_stays_in_its_folder() {
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "a/../b",
            "a/..",
            "./a",
            "a//b",
            "a/",
            "a\\b",
            "a\nb",
            "https://x/y",
            "s3:x",
            "file:x",
        ] {
            assert!(RelativePath::parse(path).is_err(), "{path}");
        }
        for path in ["ducklake.duckdb", "catalogs/1.0.duckdb", "a/..b", "日本/x:y", "k=a%2Fb/x"] {
            assert!(RelativePath::parse(path).is_ok(), "{path}");
        }
    }

    #[test]
    fn a_version_id_is_a_uuid_in_lower_case() {
        assert!(VersionId::parse("019a2f10-0c4d-7e88-a1b2-55c0d9e3f7aa").is_some());
        for id in [
            "",
            "main",
            "019A2F10-0c4d-7e88-a1b2-55c0d9e3f7aa",
            "019a2f100-c4d-7e88-a1b2-55c0d9e3f7aa",
            "019a2f10-0c4d-7e88-a1b2-55c0d9e3f7a/",
        ] {
            assert!(VersionId::parse(id).is_none(), "{id}");
        }
    }

    #[test]
    fn names_of_refs_follow_the_rules_of_git() {
        for name in ["refs/heads/main", "refs/tags/2025-final", "refs/heads/feature/日本", "refs/requests/12"]
        {
            assert!(RefName::parse(name).is_ok(), "{name}");
        }
        for name in [
            "main",
            "refs/heads/",
            "refs/heads/../x",
            "refs/heads/a..b",
            "refs/heads/.a",
            "refs/heads/a.lock",
            "refs/heads/a b",
            "refs/heads/a?",
            "refs/heads/a//b",
            "refs/heads/a/",
            "refs/heads/a.",
            "refs/other/x",
            "refs/heads/a@{1}",
        ] {
            assert_eq!(RefName::parse(name).unwrap_err().code(), "invalid_ref_name", "{name}");
        }
    }
}
