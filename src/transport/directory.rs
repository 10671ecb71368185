//! A repository in a directory: `file:` URLs.

use std::io::ErrorKind;

use percent_encoding::percent_decode_str;

use super::memory::Whole;
use super::{Answer, Freshness, Transport};
use crate::error::FdlError;

/// Reads `file:` URLs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Directory;

impl Transport for Directory {
    type Body = Whole;

    async fn get(&self, url: &str, _: Freshness) -> Result<Answer<Whole>, FdlError> {
        let failed = |reason: String| FdlError::CouldNotFetch { url: url.into(), reason };
        let path = url.strip_prefix("file://").ok_or_else(|| failed("it is not a file: URL".into()))?;
        let path = percent_decode_str(path).decode_utf8().map_err(|error| failed(error.to_string()))?;
        match std::fs::read(path.as_ref()) {
            Ok(bytes) => Ok(Answer::Found(Whole(Some(bytes)))),
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory => {
                    Ok(Answer::Missing)
                }
                _ => Err(failed(error.to_string())),
            },
        }
    }
}
