//! A repository in a directory: `file:` URLs.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Seek, SeekFrom};

use percent_encoding::percent_decode_str;

use super::{Answer, ByteRange, Freshness, Part, Transport};
use crate::error::FdlError;

/// Reads `file:` URLs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Directory;

impl Transport for Directory {
    type Body = Body;

    async fn get(&self, url: &str, _: Freshness) -> Result<Answer<Body>, FdlError> {
        Ok(match open(url)? {
            Some(file) => Answer::Found(Body { url: url.into(), file, left: u64::MAX }),
            None => Answer::Missing,
        })
    }

    async fn get_part(
        &self,
        url: &str,
        _: Freshness,
        ByteRange { first, last }: ByteRange,
    ) -> Result<Answer<Part<Body>>, FdlError> {
        let Some(mut file) = open(url)? else { return Ok(Answer::Missing) };
        let failed = |error: Error| could_not_read(url, &error);
        let length = file.metadata().map_err(failed)?.len();
        if first >= length {
            return Ok(Answer::Status(416));
        }
        file.seek(SeekFrom::Start(first)).map_err(failed)?;
        let left = last.map_or(u64::MAX, |last| last.saturating_sub(first).saturating_add(1));
        Ok(Answer::Found(Part { first, body: Body { url: url.into(), file, left } }))
    }
}

/// A file on disk that is being read.
#[derive(Debug)]
pub struct Body {
    url: String,
    file: File,
    /// How many bytes are still wanted.
    left: u64,
}

/// How much of a file is in memory at once.
const CHUNK: u64 = 256 << 10;

impl super::Body for Body {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        let mut chunk = Vec::new();
        let read = (&mut self.file).take(CHUNK.min(self.left)).read_to_end(&mut chunk);
        let read = read.map_err(|error| could_not_read(&self.url, &error))?;
        self.left -= read as u64;
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

    fn part(first: u64, last: Option<u64>) -> Answer<Part<Body>> {
        let asked = Directory.get_part(URL, Freshness::Immutable, ByteRange { first, last });
        pollster::block_on(asked).unwrap()
    }

    #[test]
    fn a_part_is_the_bytes_that_were_asked_for() {
        let whole = include_bytes!("directory.rs");
        let length = whole.len() as u64;
        for (first, last, expected) in [
            (0, Some(0), &whole[..1]),
            (4, Some(9), &whole[4..10]),
            (4, None, &whole[4..]),
            (length - 1, Some(u64::MAX), &whole[whole.len() - 1..]),
        ] {
            let Answer::Found(Part { first: begins, mut body }) = part(first, last) else { panic!() };
            assert_eq!(begins, first);
            assert_eq!(pollster::block_on(body.chunk()).unwrap().as_deref(), Some(expected));
            assert_eq!(pollster::block_on(body.chunk()), Ok(None));
        }
        assert!(matches!(part(length, None), Answer::Status(416)));
    }
}
