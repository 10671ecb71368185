//! A JSON file taken apart member by member, so that what breaks a rule is named by its path.
//!
//! One reader for all files keeps the wasm small: it is a third of what derived ones come to.

use serde_json::Value;

use super::{Sha256, Timestamp, text};
use crate::error::FdlError;
use crate::layout::{RelativePath, VersionId};

/// A JSON file.
pub(crate) struct Document<'a> {
    url: &'a str,
    value: Value,
}

impl<'a> Document<'a> {
    /// Reads JSON; `url` is where it came from.
    pub(crate) fn parse(url: &'a str, bytes: &[u8]) -> Result<Document<'a>, FdlError> {
        let text = text(url, bytes)?;
        let value = serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Eof => FdlError::TruncatedJson { url: url.into() },
            _ => FdlError::MalformedJson {
                url: url.into(),
                line: error.line(),
                column: error.column(),
                reason: without_place(&error),
            },
        })?;
        Ok(Document { url, value })
    }

    /// The whole.
    pub(crate) fn root(&self) -> Member<'_> {
        Member { url: self.url, place: Place::Root, value: &self.value }
    }
}

/// serde_json ends its messages with the place, which we give apart.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rfind(" at line ") {
        Some(end) => message[..end].into(),
        None => message,
    }
}

/// A value in a file, and where it stands. A member that is missing is `null`.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub(crate) url: &'a str,
    place: Place<'a>,
    pub(crate) value: &'a Value,
}

/// Where a value stands: its path is put together only when there is something to say about it.
#[derive(Clone, Copy)]
enum Place<'a> {
    Root,
    Named(&'a Member<'a>, &'a str),
    Item(&'a Member<'a>, usize),
}

impl<'a> Member<'a> {
    fn path(&self) -> String {
        match self.place {
            Place::Root => "the document".into(),
            Place::Named(Member { place: Place::Root, .. }, name) => name.into(),
            Place::Named(parent, name) => format!("{}.{name}", parent.path()),
            Place::Item(parent, index) => format!("{}[{index}]", parent.path()),
        }
    }

    /// That the member breaks a rule; `reason` is the end of a sentence that begins with its path.
    pub(crate) fn invalid(&self, reason: &str) -> FdlError {
        FdlError::InvalidRecord { url: self.url.into(), member: self.path(), reason: reason.into() }
    }

    fn is_not(&self, what: &str) -> FdlError {
        match self.value {
            Value::Null => self.invalid("is missing"),
            _ => self.invalid(&format!("is not {what}")),
        }
    }

    /// A member of an object.
    pub(crate) fn member<'m>(&'m self, name: &'static str) -> Result<Member<'m>, FdlError> {
        let members = self.value.as_object().ok_or_else(|| self.is_not("an object"))?;
        let value = members.get(name).unwrap_or(&Value::Null);
        Ok(Member { url: self.url, place: Place::Named(self, name), value })
    }

    /// Every member of an object, by name; none where it is missing.
    pub(crate) fn members<'m>(&'m self) -> Result<Vec<(&'m str, Member<'m>)>, FdlError> {
        if self.value.is_null() {
            return Ok(Vec::new());
        }
        let members = self.value.as_object().ok_or_else(|| self.is_not("an object"))?;
        let member = |(name, value): (&'m String, &'m Value)| {
            (name.as_str(), Member { url: self.url, place: Place::Named(self, name), value })
        };
        Ok(members.iter().map(member).collect())
    }

    /// The items of a list, each read by `read`; none where it is missing.
    pub(crate) fn each<T>(&self, read: impl Fn(Member) -> Result<T, FdlError>) -> Result<Vec<T>, FdlError> {
        let mut all = Vec::new();
        if self.value.is_null() {
            return Ok(all);
        }
        let items = self.value.as_array().ok_or_else(|| self.is_not("a list"))?;
        for (index, value) in items.iter().enumerate() {
            all.push(read(Member { url: self.url, place: Place::Item(self, index), value })?);
        }
        Ok(all)
    }

    /// What `read` makes of it, or `None` where it is missing.
    pub(crate) fn optional<T>(
        &self,
        read: impl FnOnce(&Member<'a>) -> Result<T, FdlError>,
    ) -> Result<Option<T>, FdlError> {
        if self.value.is_null() { Ok(None) } else { read(self).map(Some) }
    }

    pub(crate) fn text(&self) -> Result<String, FdlError> {
        self.value.as_str().map(str::to_owned).ok_or_else(|| self.is_not("text"))
    }

    pub(crate) fn optional_text(&self) -> Result<Option<String>, FdlError> {
        self.optional(Member::text)
    }

    /// A count: a whole number from 0 on.
    pub(crate) fn count(&self) -> Result<u64, FdlError> {
        self.value.as_u64().ok_or_else(|| self.is_not("a whole number from 0 on"))
    }

    pub(crate) fn flag(&self) -> Result<bool, FdlError> {
        self.value.as_bool().ok_or_else(|| self.is_not("true or false"))
    }

    pub(crate) fn version_id(&self) -> Result<VersionId, FdlError> {
        VersionId::parse(&self.text()?).ok_or_else(|| self.invalid("is not a version ID"))
    }

    pub(crate) fn timestamp(&self) -> Result<Timestamp, FdlError> {
        Timestamp::parse(&self.text()?).ok_or_else(|| self.invalid("is not an RFC 3339 timestamp"))
    }

    pub(crate) fn sha256(&self) -> Result<Sha256, FdlError> {
        Sha256::parse(&self.text()?).ok_or_else(|| self.invalid("is not 64 lower-case hex digits"))
    }

    pub(crate) fn relative_path(&self) -> Result<RelativePath, FdlError> {
        let path = self.text()?;
        RelativePath::parse(&path).map_err(|reason| self.unsafe_path(path, reason))
    }

    pub(crate) fn unsafe_path(&self, path: String, reason: &str) -> FdlError {
        FdlError::UnsafePath { url: self.url.into(), path, reason: reason.into() }
    }
}
