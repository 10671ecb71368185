//! A repository in a directory: `file:` URLs.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Seek, SeekFrom};

use percent_encoding::percent_decode_str;

use super::{Answer, Freshness, Part, Transport};
use crate::error::FdlError;

/// Reads `file:` URLs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Directory;

impl Transport for Directory {
    type Body = Body;

    async fn get(&self, url: &str, _: Freshness) -> Result<Answer<Body>, FdlError> {
        Ok(match open(url)? {
            Some(file) => Answer::Found(Body { url: url.into(), file }),
            None => Answer::Missing,
        })
    }

    async fn get_from(&self, url: &str, _: Freshness, first: u64) -> Result<Answer<Part<Body>>, FdlError> {
        let Some(mut file) = open(url)? else { return Ok(Answer::Missing) };
        let failed = |error: Error| could_not_read(url, &error);
        if first >= file.metadata().map_err(failed)?.len() {
            return Ok(Answer::Status(416));
        }
        file.seek(SeekFrom::Start(first)).map_err(failed)?;
        Ok(Answer::Found(Part { first, body: Body { url: url.into(), file } }))
    }
}

/// A file on disk that is being read.
#[derive(Debug)]
pub struct Body {
    url: String,
    file: File,
}

/// How much of a file is in memory at once.
const CHUNK: u64 = 256 << 10;

impl super::Body for Body {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        let mut chunk = Vec::new();
        let read = (&mut self.file).take(CHUNK).read_to_end(&mut chunk);
        let read = read.map_err(|error| could_not_read(&self.url, &error))?;
        Ok((read > 0).then_some(chunk))
    }
}

/// `None` where there is no such file.
fn open(url: &str) -> Result<Option<File>, FdlError> {
    let failed = |reason: String| FdlError::CouldNotFetch { url: url.into(), reason };
    let path = url.strip_prefix("file://").ok_or_else(|| failed("it is not a file: URL".into()))?;
    let path = percent_decode_str(path).decode_utf8().map_err(|error| failed(error.to_string()))?;
    let opened = File::open(path.as_ref()).and_then(|file| Ok((file.metadata()?.is_file(), file)));
    match opened {
        Ok((is_file, file)) => Ok(is_file.then_some(file)),
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
            _ => Err(could_not_read(url, &error)),
        },
    }
}

fn could_not_read(url: &str, error: &Error) -> FdlError {
    FdlError::CouldNotFetch { url: url.into(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Body as _;

    /// The file of this test itself.
    const URL: &str = concat!("file://", env!("CARGO_MANIFEST_DIR"), "/src/transport/directory.rs");

    fn from(first: u64) -> Answer<Part<Body>> {
        pollster::block_on(Directory.get_from(URL, Freshness::Immutable, first)).unwrap()
    }

    #[test]
    fn a_file_is_given_from_the_byte_that_was_asked_for() {
        let whole = include_bytes!("directory.rs");
        for first in [0, 1, 4, whole.len() - 1] {
            let Answer::Found(Part { first: begins, mut body }) = from(first as u64) else { panic!() };
            assert_eq!(begins, first as u64);
            assert_eq!(pollster::block_on(body.chunk()).unwrap().as_deref(), Some(&whole[first..]));
            assert_eq!(pollster::block_on(body.chunk()), Ok(None));
        }
        assert!(matches!(from(whole.len() as u64), Answer::Status(416)));
    }
}
