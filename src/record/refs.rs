//! HEAD, the files under refs/, and refs.json: which version each ref holds.
//!
//! Source: the specification's page "Layout" for HEAD and the files of refs. Our pages do not
//! give the content of refs.json; the shapes read here are listed in `docs/format.md`.

use super::member::{Member, Read, read_json};
use super::text;
use crate::error::FdlError;
use crate::layout::{RefName, VersionId};
use crate::sorted::by_key;

/// HEAD: `ref: refs/heads/main`.
///
/// # Errors
/// [`FdlError::MalformedRef`], [`FdlError::InvalidUtf8`]
pub fn parse_head(url: &str, bytes: &[u8]) -> Result<RefName, FdlError> {
    line(text(url, bytes)?)
        .strip_prefix("ref:")
        .and_then(|name| RefName::parse(name.trim()).ok())
        .ok_or_else(|| FdlError::MalformedRef { url: url.into() })
}

/// The file of a ref: a version ID.
///
/// # Errors
/// [`FdlError::MalformedRef`], [`FdlError::InvalidUtf8`]
pub fn parse_ref(url: &str, bytes: &[u8]) -> Result<VersionId, FdlError> {
    VersionId::parse(line(text(url, bytes)?)).ok_or_else(|| FdlError::MalformedRef { url: url.into() })
}

/// A one-line file's line, whichever way it ends.
fn line(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

/// refs.json: every ref and the version it holds, for readers that cannot list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefList {
    /// A hint at the default ref. HEAD decides.
    pub head: Option<RefName>,
    /// In the order of their full names, each once.
    pub versions: Vec<(RefName, VersionId)>,
}

impl RefList {
    /// Reads refs.json.
    ///
    /// # Errors
    /// [`FdlError::InvalidRecord`], and those of bad JSON.
    pub fn parse(url: &str, bytes: &[u8]) -> Result<RefList, FdlError> {
        let list = read_json(url, bytes, RefList::read)?;
        Ok(RefList { versions: by_key(list.versions), ..list })
    }

    fn read(root: &Member) -> Read<RefList> {
        let mut list = RefList::default();
        if root.value.is_array() {
            list.add_items(root)?;
            return Ok(list);
        }
        let members = root.members()?;
        let named = |name: &str| members.iter().find(|(found, _)| *found == name).map(|(_, member)| member);
        list.head = named("HEAD")
            .or(named("head"))
            .and_then(|hint| hint.value.as_str())
            .and_then(|name| RefName::parse(name.strip_prefix("ref:").unwrap_or(name).trim()).ok());
        match named("refs") {
            Some(refs) if refs.value.is_array() => list.add_items(refs)?,
            Some(refs) => refs.members()?.iter().try_for_each(|(name, member)| list.add(name, member))?,
            None => members
                .iter()
                .filter(|(name, _)| name.starts_with("refs/"))
                .try_for_each(|(name, member)| list.add(name, member))?,
        }
        Ok(list)
    }

    fn add_items(&mut self, refs: &Member) -> Read<()> {
        let entries =
            refs.each(|item| Ok((item.member("name").text()?, item.member("version").version_id()?)))?;
        for (name, version) in entries {
            let name =
                RefName::parse(&name).map_err(|_| refs.invalid("holds what cannot be the name of a ref"))?;
            self.versions.push((name, version));
        }
        Ok(())
    }

    fn add(&mut self, name: &str, version: &Member) -> Read<()> {
        let name = RefName::parse(name).map_err(|_| version.invalid("cannot be the name of a ref"))?;
        self.versions.push((name, version.version_id()?));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sorted::get;

    const ID: &str = "019a2f10-0c4d-7e88-a1b2-55c0d9e3f7aa";

    #[test]
    fn head_names_a_ref() {
        assert_eq!(parse_head("HEAD", b"ref: refs/heads/main\n").unwrap().as_str(), "refs/heads/main");
        assert_eq!(parse_head("HEAD", b"ref: refs/heads/main").unwrap().as_str(), "refs/heads/main");
        for head in ["", "main", "ref: main", "ref: ../x", "ref: refs/heads/a\nref: refs/heads/b", ID] {
            assert_eq!(parse_head("HEAD", head.as_bytes()).unwrap_err().code(), "malformed_ref", "{head}");
        }
    }

    #[test]
    fn a_ref_holds_a_version_id() {
        assert_eq!(parse_ref("r", format!("{ID}\r\n").as_bytes()).unwrap().as_str(), ID);
        for content in ["", "main", "ref: refs/heads/main", &format!("{ID} x"), &format!("{ID}\n\n")] {
            assert_eq!(parse_ref("r", content.as_bytes()).unwrap_err().code(), "malformed_ref", "{content}");
        }
    }

    #[test]
    fn refs_json_is_read_in_each_of_its_shapes() {
        let expected = |list: &RefList| {
            assert_eq!(list.versions.len(), 1);
            assert_eq!(get(&list.versions, &RefName::branch("main").unwrap()).unwrap().as_str(), ID);
        };
        for json in [
            format!(r#"{{"refs": {{"refs/heads/main": "{ID}"}}, "head": "refs/heads/main"}}"#),
            format!(r#"{{"refs/heads/main": "{ID}", "HEAD": "ref: refs/heads/main", "made_by": "x"}}"#),
            format!(r#"[{{"name": "refs/heads/main", "version": "{ID}"}}]"#),
            format!(r#"{{"refs": [{{"name": "refs/heads/main", "version": "{ID}", "etag": 1}}]}}"#),
        ] {
            expected(&RefList::parse("refs.json", json.as_bytes()).unwrap());
        }
        assert_eq!(RefList::parse("refs.json", b"{}").unwrap(), RefList::default());
    }

    #[test]
    fn an_entry_that_is_not_a_ref_and_a_version_is_named() {
        for json in [
            r#"{"refs": {"refs/heads/main": "latest"}}"#,
            r#"{"refs": {"main": "019a2f10-0c4d-7e88-a1b2-55c0d9e3f7aa"}}"#,
            r#"{"refs": 7}"#,
            r#"{"refs/heads/main": null}"#,
            r#"[{"name": "refs/heads/main"}]"#,
            "7",
        ] {
            let error = RefList::parse("refs.json", json.as_bytes()).unwrap_err();
            assert_eq!(error.code(), "invalid_record", "{json}");
        }
    }
}
