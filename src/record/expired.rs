//! expired.json: the mark of a version that is past retention or withdrawn.
//!
//! Source: the specification's page "Data files", sections "Past retention" and "Withdrawal".

use serde::Serialize;

use super::member::read_json;
use crate::error::FdlError;
use crate::layout::VersionId;

/// The mark. A version that carries it is not opened, whatever the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Expired {
    /// Since when, as the host wrote it.
    pub expired_at: Option<String>,
    /// `retention`, `withdrawn`, or the host's own word.
    pub reason: Option<String>,
}

impl Expired {
    /// Reads expired.json. That the mark is there decides, so what cannot be read in it is left
    /// out rather than refused: a damaged mark must not bring a withdrawn version back.
    pub fn parse(bytes: &[u8]) -> Expired {
        read_json("", bytes, |root| {
            let text = |name| root.member(name).text().ok();
            Ok(Expired { expired_at: text("expired_at"), reason: text("reason") })
        })
        .unwrap_or_default()
    }

    /// The error that says so.
    pub fn error(&self, id: &VersionId) -> FdlError {
        let (id, expired_at) = (id.clone(), self.expired_at.clone());
        match self.reason.as_deref() {
            Some("withdrawn") => FdlError::Withdrawn { id, expired_at },
            reason => {
                FdlError::PastRetention { id, expired_at, reason: reason.unwrap_or("not given").into() }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_that_cannot_be_read_is_still_a_mark() {
        let marked = Expired::parse(br#"{"expired_at": "2026-12-01T00:00:00Z", "reason": "withdrawn"}"#);
        let id = VersionId::parse("019a2f10-0c4d-7e88-a1b2-55c0d9e3f7aa").unwrap();
        assert_eq!(marked.error(&id).code(), "withdrawn");
        for bytes in [&b""[..], b"{", b"[]", b"{\"reason\": 7}", b"\xff"] {
            assert_eq!(Expired::parse(bytes), Expired::default());
            assert_eq!(Expired::parse(bytes).error(&id).code(), "past_retention");
        }
    }
}
