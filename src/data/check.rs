//! One file, held against what is known of it.

use super::footer::{FooterProblem, row_count};
use super::listed::{Kind, ListedFile};
use crate::error::FdlError;
use crate::record::is_html;
use crate::source::Source;
use crate::transport::Transport;
use crate::trust::digest::{Digest, Expected};

/// How a file was found to be as it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// Its bytes are those that the hash is of.
    Verified,
    /// It has the length and the rows that are recorded for it.
    Compared,
}

/// How much of the end of a file is read to find its footer. DuckDB's footers take some 100 bytes a
/// column and row group, so that this holds nearly all of them; a longer one costs a second request.
const TAIL: u64 = 64 << 10;

/// How many bytes will be read of a file, as far as is known.
pub(super) fn expected(file: &ListedFile) -> u64 {
    match (file.bytes, &file.sha256) {
        (None, _) => 0,
        (Some(bytes), Some(_)) => bytes,
        (Some(bytes), None) => bytes.min(TAIL),
    }
}

/// Checks one file; `received` is told how many bytes have come, piece by piece. No more of the file
/// is in memory at once than a piece of it and its end.
pub(super) async fn check<T: Transport>(
    source: Source<'_, T>,
    file: &ListedFile,
    mut received: impl FnMut(u64),
) -> Result<Checked, FdlError> {
    let mut html = None;
    let sink = |chunk: &[u8]| {
        html.get_or_insert(is_html(chunk));
        received(chunk.len() as u64);
    };
    let checked = match &file.sha256 {
        Some(sha256) => {
            let expected = Expected { bytes: file.bytes, sha256 };
            let digest = Digest::expecting(file.bytes);
            let read = source.hashed(&file.path, expected, digest, source.limits.data, sink);
            read.await.map(|_| Checked::Verified)
        }
        None => compare(source, file, sink).await.map(|()| Checked::Compared),
    };
    checked.map_err(|error| {
        // What hosts of single-page sites answer for a missing file. (One that is as recorded may well
        // be a web page: a source file is whatever it is.)
        let is_page = html == Some(true) && error.is_broken_content();
        match error {
            FdlError::MissingFile { url } | FdlError::HttpStatus { url, status: 401 | 403 }
                if file.kind == Kind::Source =>
            {
                FdlError::NotAvailable { url }
            }
            _ if is_page && file.kind == Kind::Source => {
                FdlError::NotAvailable { url: source.url(&file.path) }
            }
            _ if is_page => FdlError::HtmlInstead { url: source.url(&file.path) },
            error => error,
        }
    })
}

/// Reads a file that has a hash, and gives its bytes once they are verified.
pub(super) async fn read<T: Transport>(
    source: Source<'_, T>,
    file: &ListedFile,
    mut received: impl FnMut(u64),
) -> Result<Vec<u8>, FdlError> {
    let url = source.url(&file.path);
    let Some(sha256) = &file.sha256 else { return Err(FdlError::NothingRecorded { url }) };
    let mut html = None;
    let expected = Expected { bytes: file.bytes, sha256 };
    let digest = Digest::holding(file.bytes.unwrap_or_default());
    let read = source.hashed(&file.path, expected, digest, source.limits.data, |chunk| {
        html.get_or_insert(is_html(chunk));
        received(chunk.len() as u64);
    });
    read.await.map_err(|error| match html {
        Some(true) if error.is_broken_content() => FdlError::HtmlInstead { url },
        _ => error,
    })
}

/// Compares a file's length and its rows.
///
/// The length is where the file ends when it is asked for from near its end on. `Content-Range` has it
/// too, but a host of another origin need not show that header.
async fn compare<T: Transport>(
    source: Source<'_, T>,
    file: &ListedFile,
    mut sink: impl FnMut(&[u8]),
) -> Result<(), FdlError> {
    let url = source.url(&file.path);
    if file.bytes.is_none() && file.rows.is_none() {
        return Err(FdlError::NothingRecorded { url });
    }
    let limit = file.bytes.unwrap_or(source.limits.data);
    let mut read = async |first: u64, mut end: End| {
        let read = source.stream_from(&file.path, first, limit, |chunk| {
            sink(&chunk);
            end.push(&chunk);
        });
        let length = read.await.map_err(|error| error.or_size_mismatch(file.bytes))?;
        Ok::<_, FdlError>((length, end.bytes))
    };

    let first = file.bytes.map_or(0, |bytes| bytes.saturating_sub(TAIL));
    let (length, mut end) = read(first, End::of(TAIL)).await?;
    if let Some(expected) = file.bytes
        && length != expected
    {
        return Err(FdlError::SizeMismatch { url, expected, found: length });
    }
    let Some(expected) = file.rows else { return Ok(()) };
    if let Err(FooterProblem::Longer(needed)) = row_count(&end)
        && needed < length
    {
        if needed > source.limits.json {
            return Err(FdlError::TooLarge { url, limit: source.limits.json });
        }
        (_, end) = read(length - needed, End::of(needed)).await?;
    }
    match row_count(&end) {
        Ok(found) if found == expected => Ok(()),
        Ok(found) => Err(FdlError::RowCountMismatch { url, expected, found }),
        Err(FooterProblem::Encrypted) => Err(FdlError::EncryptedParquet { url }),
        Err(FooterProblem::Longer(_) | FooterProblem::Malformed) => Err(FdlError::MalformedParquet { url }),
    }
}

/// The last bytes of what comes by.
struct End {
    bytes: Vec<u8>,
    length: usize,
}

impl End {
    fn of(length: u64) -> End {
        End { bytes: Vec::new(), length: length as usize }
    }

    fn push(&mut self, chunk: &[u8]) {
        let chunk = &chunk[chunk.len().saturating_sub(self.length)..];
        let kept = self.length - chunk.len();
        self.bytes.drain(..self.bytes.len().saturating_sub(kept));
        self.bytes.extend_from_slice(chunk);
    }
}
