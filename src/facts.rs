//! What a problem is, as facts that another language can word: a code, and members beside it.
//!
//! Serialised, they are one object: `{"code": "unknown_ref", "name": "mian"}`. Derived code would be in
//! the wasm once for each kind of serializer; here it is the short loop of [`serialize`].

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::error::RootFailure;
use crate::layout::VersionId;

/// The facts by their names, in the order in which they are written.
pub(crate) type Facts<'a> = Vec<(&'static str, Fact<'a>)>;

/// What one member says.
#[derive(Clone, Copy)]
pub(crate) enum Fact<'a> {
    Text(&'a str),
    Number(u64),
    /// There is none: `null`.
    Absent,
    Failures(&'a [RootFailure]),
}

/// The facts that these variables hold, by their names.
macro_rules! facts {
    ($($name:ident),*) => { vec![$((stringify!($name), $crate::facts::Fact::from($name))),*] };
}
pub(crate) use facts;

/// Writes the code and the facts beside it.
pub(crate) fn serialize<S: Serializer>(
    code: &'static str,
    facts: Facts,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(Some(facts.len() + 1))?;
    object.serialize_entry("code", &Fact::Text(code))?;
    for (name, fact) in facts {
        object.serialize_entry(name, &fact)?;
    }
    object.end()
}

impl Serialize for Fact<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Fact::Text(text) => serializer.serialize_str(text),
            Fact::Number(number) => serializer.serialize_u64(number),
            Fact::Absent => serializer.serialize_none(),
            Fact::Failures(failures) => serializer.collect_seq(failures),
        }
    }
}

impl<'a> From<&'a String> for Fact<'a> {
    fn from(text: &'a String) -> Fact<'a> {
        Fact::Text(text)
    }
}

impl<'a> From<&&'a str> for Fact<'a> {
    fn from(text: &&'a str) -> Fact<'a> {
        Fact::Text(text)
    }
}

impl<'a> From<&'a Option<String>> for Fact<'a> {
    fn from(text: &'a Option<String>) -> Fact<'a> {
        text.as_ref().map_or(Fact::Absent, Fact::from)
    }
}

impl<'a> From<&'a VersionId> for Fact<'a> {
    fn from(id: &'a VersionId) -> Fact<'a> {
        Fact::Text(id.as_str())
    }
}

impl<'a> From<&'a Vec<RootFailure>> for Fact<'a> {
    fn from(failures: &'a Vec<RootFailure>) -> Fact<'a> {
        Fact::Failures(failures)
    }
}

impl From<&u64> for Fact<'_> {
    fn from(number: &u64) -> Self {
        Fact::Number(*number)
    }
}

impl From<&u32> for Fact<'_> {
    fn from(number: &u32) -> Self {
        Fact::Number((*number).into())
    }
}

impl From<&u16> for Fact<'_> {
    fn from(number: &u16) -> Self {
        Fact::Number((*number).into())
    }
}

impl From<&usize> for Fact<'_> {
    fn from(number: &usize) -> Self {
        Fact::Number(*number as u64)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::to_string;

    use crate::error::FdlError;
    use crate::trust::SignatureProblem;

    fn status(url: &str, status: u16) -> FdlError {
        FdlError::HttpStatus { url: url.into(), status }
    }

    #[test]
    fn an_error_is_written_as_its_code_and_then_its_facts_as_they_are_declared() {
        let written = |error: &FdlError| to_string(error).unwrap();
        assert_eq!(written(&FdlError::Aborted), r#"{"code":"aborted"}"#);
        assert_eq!(written(&status("u", 503)), r#"{"code":"http_status","url":"u","status":503}"#);
        let other = FdlError::OtherRepository { url: "u".into(), expected: Some("a".into()), found: None };
        assert_eq!(written(&other), r#"{"code":"other_repository","url":"u","expected":"a","found":null}"#);
        let problem = SignatureProblem::WeakKey { what: "key", bits: 1024, minimum: 2048 };
        assert_eq!(
            to_string(&problem).unwrap(),
            r#"{"code":"weak_key","what":"key","bits":1024,"minimum":2048}"#
        );
    }

    #[test]
    fn what_went_wrong_at_every_root_is_the_first_failure_with_those_of_the_mirrors_beside_it() {
        let failure = |root: &str| crate::RootFailure { root: root.into(), error: status("v", 404) };
        let error = FdlError::AtEveryRoot { first: status("u", 503).into(), mirrors: vec![failure("m")] };
        assert_eq!(
            to_string(&error).unwrap(),
            r#"{"code":"http_status","url":"u","status":503,"mirrors":[{"root":"m","code":"http_status","url":"v","status":404}]}"#
        );
        assert_eq!(error.path(), Some("u"));
    }
}
