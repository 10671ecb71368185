//! What each file of a repository says: one module per file of the layout, named after it.
//!
//! These modules parse and validate bytes; they fetch nothing. Where the specification's pages
//! are silent, our reading is kept here and written down in `docs/format.md`. What a file holds
//! beyond what is known is ignored, so that later versions of the specification stay readable.

pub(crate) mod calendar;
pub mod dataset;
pub mod expired;
pub mod files;
pub(crate) mod member;
pub mod refs;
pub mod settings;
pub mod version;

use std::fmt;

use serde::Serialize;

use crate::error::FdlError;
use member::{Member, Read};

/// The UTF-8 text in `bytes`, without a byte order mark.
pub(crate) fn text<'a>(url: &str, bytes: &'a [u8]) -> Result<&'a str, FdlError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| FdlError::InvalidUtf8 { url: url.into(), offset: error.valid_up_to() })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Whether the bytes are a web page: no file of a repository that is read as text begins with
/// `<`, and hosts of single-page sites answer with one for every file that is missing.
pub(crate) fn is_html(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"<")
}

/// The `fdl` member, checked: a reader must not read a major version that it does not know.
pub(crate) fn edition(root: &Member) -> Read<String> {
    let member = root.member("fdl");
    let fdl = member.text()?;
    let (major, minor) = fdl.split_once('.').unwrap_or((&fdl, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !is_number(major) || !minor.split('.').all(is_number) {
        return Err(member.invalid("is not a version such as \"0.1\""));
    }
    if major != "0" {
        return Err(Box::new(FdlError::UnknownMajorVersion { url: root.url.into(), found: fdl }));
    }
    Ok(fdl)
}

/// A moment as the repository writes it (RFC 3339) and as the checks use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timestamp {
    text: String,
    unix: i64,
}

impl Timestamp {
    /// Reads an RFC 3339 timestamp; `None` where the text is not one.
    pub fn parse(text: &str) -> Option<Timestamp> {
        Some(Timestamp { text: text.into(), unix: calendar::read_rfc_3339(text)? })
    }

    /// A moment by its seconds since 1970; `None` where it is beyond the year 9999.
    pub fn from_unix(unix: u64) -> Option<Timestamp> {
        Some(Timestamp { text: calendar::write_rfc_3339(unix)?, unix: i64::try_from(unix).ok()? })
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    pub fn unix(&self) -> i64 {
        self.unix
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// 32 bytes of SHA-256, written as 64 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// Reads 64 lower-case hex digits; `None` where the text is something else.
    pub fn parse(hex: &str) -> Option<Sha256> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let hex: &[u8; 64] = hex.as_bytes().try_into().ok()?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Sha256(bytes))
    }
}

impl From<[u8; 32]> for Sha256 {
    fn from(bytes: [u8; 32]) -> Sha256 {
        Sha256(bytes)
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Sha256 {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::member::read_json;
    use super::*;

    fn error(bytes: &[u8]) -> FdlError {
        read_json("u", bytes, |_| Ok(())).unwrap_err()
    }

    #[test]
    fn each_way_of_not_being_json_has_its_own_error() {
        assert_eq!(error(b"{\"a\": \xff}"), FdlError::InvalidUtf8 { url: "u".into(), offset: 6 });
        assert_eq!(error(b"{\"a\": [1, 2"), FdlError::TruncatedJson { url: "u".into() });
        assert_eq!(error(b""), FdlError::TruncatedJson { url: "u".into() });
        assert_eq!(error(b"{} {}").code(), "malformed_json");
        assert_eq!(error(b"{a: 1}").code(), "malformed_json");
        assert_eq!(error(&b"[".repeat(100_000)).code(), "malformed_json");
    }

    #[test]
    fn a_major_version_other_than_0_is_not_read() {
        let read = |fdl: &str| {
            let json = serde_json::json!({ "fdl": fdl }).to_string();
            read_json("u", json.as_bytes(), edition).map_err(|error| error.code())
        };
        assert_eq!(read("0.1").as_deref(), Ok("0.1"));
        assert_eq!(read("0.27.1").as_deref(), Ok("0.27.1"));
        for fdl in ["1.0", "2", "10.0", "00.1"] {
            assert_eq!(read(fdl), Err("unknown_major_version"), "{fdl}");
        }
        for fdl in ["", "0.", ".1", "v0.1", "0.x", "-1"] {
            assert_eq!(read(fdl), Err("invalid_record"), "{fdl}");
        }
    }

    #[test]
    fn a_timestamp_is_rfc_3339() {
        assert_eq!(Timestamp::parse("2026-10-15T09:00:00Z").unwrap().unix(), 1_792_054_800);
        assert_eq!(Timestamp::parse("2026-10-15T18:00:00.5+09:00").unwrap().unix(), 1_792_054_800);
        for text in ["2026-10-15", "2026-10-15T09:00:00", "yesterday", "2026-13-01T00:00:00Z", ""] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_sha256_is_64_lower_case_hex_digits() {
        let hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        assert_eq!(Sha256::parse(hex).unwrap().to_string(), hex);
        for text in ["", &hex[1..], &hex.to_uppercase(), &format!("{hex}0"), &hex.replace('9', "g")] {
            assert_eq!(Sha256::parse(text), None, "{text}");
        }
    }
}
