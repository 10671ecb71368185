//! A JSON file taken apart member by member, so that what breaks a rule is named by its path.
//!
//! One reader for all files keeps the wasm small: it is a third of what derived ones come to.

use serde_json::Value;

use super::{Sha256, Timestamp, text};
use crate::error::FdlError;
use crate::layout::{RelativePath, VersionId};

/// What `read` makes of a JSON file; `url` is where it came from.
pub(crate) fn read_json<T>(
    url: &str,
    bytes: &[u8],
    read: impl FnOnce(&Member) -> Read<T>,
) -> Result<T, FdlError> {
    let value = parse(url, bytes)?;
    Ok(read(&Member { url, place: Place::Root, value: &value })?)
}

fn parse(url: &str, bytes: &[u8]) -> Result<Value, FdlError> {
    serde_json::from_str(text(url, bytes)?).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => FdlError::TruncatedJson { url: url.into() },
        _ => FdlError::MalformedJson {
            url: url.into(),
            line: error.line(),
            column: error.column(),
            reason: without_place(&error),
        },
    })
}

/// serde_json ends its messages with the place, which we give apart.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rfind(" at line ") {
        Some(end) => message[..end].into(),
        None => message,
    }
}

/// What comes of reading a member. Its error is boxed: every step hands it on to the next, and a
/// pointer takes less of the wasm than all that an error holds.
pub(crate) type Read<T> = Result<T, Box<FdlError>>;

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
    pub(crate) fn invalid(&self, reason: &str) -> Box<FdlError> {
        let (url, member) = (self.url.into(), self.path());
        Box::new(FdlError::InvalidRecord { url, member, reason: reason.into() })
    }

    fn is_not(&self, what: &str) -> Box<FdlError> {
        match (self.place, self.value) {
            // Nothing is a member of what is no object.
            (Place::Named(parent, _), Value::Null) if !parent.value.is_object() => parent.is_not("an object"),
            (_, Value::Null) => self.invalid("is missing"),
            _ => self.invalid(&format!("is not {what}")),
        }
    }

    /// A member of an object. That this is no object is told when the member is read.
    pub(crate) fn member<'m>(&'m self, name: &'static str) -> Member<'m> {
        let value = self.value.as_object().and_then(|members| members.get(name)).unwrap_or(&Value::Null);
        Member { url: self.url, place: Place::Named(self, name), value }
    }

    /// Whether there is no such member.
    pub(crate) fn is_missing(&self) -> Read<bool> {
        match self.place {
            Place::Named(parent, _) if !parent.value.is_object() => Err(parent.is_not("an object")),
            _ => Ok(self.value.is_null()),
        }
    }

    /// Every member of an object, by name; none where it is missing.
    pub(crate) fn members<'m>(&'m self) -> Read<Vec<(&'m str, Member<'m>)>> {
        if self.is_missing()? {
            return Ok(Vec::new());
        }
        let members = self.value.as_object().ok_or_else(|| self.is_not("an object"))?;
        let member = |(name, value): (&'m String, &'m Value)| {
            (name.as_str(), Member { url: self.url, place: Place::Named(self, name), value })
        };
        Ok(members.iter().map(member).collect())
    }

    /// The items of a list, each read by `read`; none where it is missing.
    pub(crate) fn each<T>(&self, read: impl Fn(Member) -> Read<T>) -> Read<Vec<T>> {
        let mut all = Vec::new();
        for (index, value) in self.items()?.iter().enumerate() {
            all.push(read(Member { url: self.url, place: Place::Item(self, index), value })?);
        }
        Ok(all)
    }

    fn items(&self) -> Read<&'a [Value]> {
        if self.is_missing()? {
            return Ok(&[]);
        }
        self.value.as_array().map(Vec::as_slice).ok_or_else(|| self.is_not("a list"))
    }

    /// What `read` makes of it, or `None` where it is missing.
    pub(crate) fn optional<T>(&self, read: impl FnOnce(&Member<'a>) -> Read<T>) -> Read<Option<T>> {
        if self.is_missing()? { Ok(None) } else { read(self).map(Some) }
    }

    pub(crate) fn text(&self) -> Read<String> {
        self.value.as_str().map(str::to_owned).ok_or_else(|| self.is_not("text"))
    }

    pub(crate) fn optional_text(&self) -> Read<Option<String>> {
        self.optional(Member::text)
    }

    /// A count: a whole number from 0 on.
    pub(crate) fn count(&self) -> Read<u64> {
        self.value.as_u64().ok_or_else(|| self.is_not("a whole number from 0 on"))
    }

    pub(crate) fn optional_count(&self) -> Read<Option<u64>> {
        self.optional(Member::count)
    }

    pub(crate) fn flag(&self) -> Read<bool> {
        self.value.as_bool().ok_or_else(|| self.is_not("true or false"))
    }

    pub(crate) fn version_id(&self) -> Read<VersionId> {
        VersionId::parse(&self.text()?).ok_or_else(|| self.invalid("is not a version ID"))
    }

    pub(crate) fn timestamp(&self) -> Read<Timestamp> {
        Timestamp::parse(&self.text()?).ok_or_else(|| self.invalid("is not an RFC 3339 timestamp"))
    }

    pub(crate) fn sha256(&self) -> Read<Sha256> {
        Sha256::parse(&self.text()?).ok_or_else(|| self.invalid("is not 64 lower-case hex digits"))
    }

    pub(crate) fn relative_path(&self) -> Read<RelativePath> {
        let path = self.text()?;
        RelativePath::parse(&path).map_err(|reason| self.unsafe_path(path, reason))
    }

    pub(crate) fn unsafe_path(&self, path: String, reason: &str) -> Box<FdlError> {
        Box::new(FdlError::UnsafePath { url: self.url.into(), path, reason: reason.into() })
    }
}
