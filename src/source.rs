//! The files of one root, read up to a limit and no further.

use crate::error::FdlError;
use crate::layout::{RelativePath, Root};
use crate::record::is_html;
use crate::transport::Freshness::{self, Immutable};
use crate::transport::{Answer, Body, Part, Transport};
use crate::trust::digest::{Digest, Expected};

/// How much is read: how many bytes of each kind of file, and how many records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// HEAD, refs and signatures. Default: 64 KiB.
    pub text: u64,
    /// Each JSON file. Default: 16 MiB.
    pub json: u64,
    /// A catalog; a smaller `bytes` in the record takes precedence. Default: 1 GiB.
    pub catalog: u64,
    /// A data file or source file whose length is not known beforehand. Default: 1 TiB.
    pub data: u64,
    /// Records that are read to tell whether one version comes after another. Default: 256.
    pub ancestors: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { text: 64 << 10, json: 16 << 20, catalog: 1 << 30, data: 1 << 40, ancestors: 256 }
    }
}

/// One root and the transport that reads it.
#[derive(Debug)]
pub(crate) struct Source<'a, T> {
    pub(crate) root: &'a Root,
    pub(crate) transport: &'a T,
    pub(crate) limits: Limits,
}

impl<T> Clone for Source<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Source<'_, T> {}

/// What was found where a small file is due.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Bytes(Vec<u8>),
    Missing,
    /// A web page: what hosts of single-page sites answer for a missing file.
    Html,
}

impl Found {
    /// The bytes of a file that need not be there.
    pub(crate) fn optional(self) -> Option<Vec<u8>> {
        match self {
            Found::Bytes(bytes) => Some(bytes),
            Found::Missing | Found::Html => None,
        }
    }

    /// The bytes of a file that must be there.
    pub(crate) fn required(self, url: String, missing: FdlError) -> Result<Vec<u8>, FdlError> {
        match self {
            Found::Bytes(bytes) => Ok(bytes),
            Found::Missing => Err(missing),
            Found::Html => Err(FdlError::HtmlInstead { url }),
        }
    }
}

impl<T: Transport> Source<'_, T> {
    pub(crate) fn url(&self, path: &RelativePath) -> String {
        self.root.url(path)
    }

    /// HEAD, a ref or a signature.
    pub(crate) async fn text(&self, path: &RelativePath, freshness: Freshness) -> Result<Found, FdlError> {
        self.small(path, freshness, self.limits.text).await
    }

    /// A JSON file.
    pub(crate) async fn json(&self, path: &RelativePath, freshness: Freshness) -> Result<Found, FdlError> {
        self.small(path, freshness, self.limits.json).await
    }

    /// A file that need not be there. Hosts that may not say what they hold answer 403 for a
    /// missing file (an S3 bucket that does not allow listing), so that counts as missing.
    pub(crate) async fn optional_json(
        &self,
        path: &RelativePath,
        freshness: Freshness,
    ) -> Result<Option<Vec<u8>>, FdlError> {
        match self.json(path, freshness).await {
            Err(FdlError::HttpStatus { status: 403, .. }) => Ok(None),
            found => found.map(Found::optional),
        }
    }

    async fn small(&self, path: &RelativePath, freshness: Freshness, limit: u64) -> Result<Found, FdlError> {
        let mut bytes = Vec::new();
        let found = self.stream(path, freshness, limit, |chunk| bytes.extend(chunk)).await?;
        Ok(match found {
            false => Found::Missing,
            true if is_html(&bytes) => Found::Html,
            true => Found::Bytes(bytes),
        })
    }

    /// Gives a file's bytes to `sink` as they come in; `false` where there is no such file.
    ///
    /// # Errors
    /// [`FdlError::TooLarge`] as soon as more than `limit` bytes have come, and those of the
    /// transport.
    pub(crate) async fn stream(
        &self,
        path: &RelativePath,
        freshness: Freshness,
        limit: u64,
        sink: impl FnMut(Vec<u8>),
    ) -> Result<bool, FdlError> {
        let url = self.url(path);
        let body = match self.transport.get(&url, freshness).await? {
            Answer::Found(body) => body,
            Answer::Missing => return Ok(false),
            Answer::Status(status) => return Err(FdlError::HttpStatus { url, status }),
        };
        read(&url, body, 0, limit, sink).await?;
        Ok(true)
    }

    /// Reads a file that has a hash, and holds it against that and, where it is known, its length in
    /// bytes. A file of a known length is read no further. Gives the bytes that `digest` held.
    ///
    /// # Errors
    /// [`FdlError::HashMismatch`], [`FdlError::SizeMismatch`], [`FdlError::MissingFile`],
    /// [`FdlError::TooLarge`], and those of the transport.
    pub(crate) async fn hashed(
        &self,
        path: &RelativePath,
        expected: Expected<'_>,
        mut digest: Digest,
        limit: u64,
        mut sink: impl FnMut(&[u8]),
    ) -> Result<Vec<u8>, FdlError> {
        let url = self.url(path);
        let limit = expected.bytes.map_or(limit, |bytes| limit.min(bytes));
        let read = self.stream(path, Immutable, limit, |chunk| {
            sink(&chunk);
            digest.update(chunk);
        });
        match read.await {
            Ok(true) => digest.check(&url, expected).await,
            Ok(false) => Err(FdlError::MissingFile { url }),
            Err(error) => Err(error.or_size_mismatch(expected.bytes)),
        }
    }

    /// Gives the end of a data file, from the byte `first` on, to `sink` as it comes in, and answers
    /// the file's length. From a host that does not serve parts come the bytes before it too.
    ///
    /// Requests: one, or two where the file ends before `first`.
    ///
    /// # Errors
    /// [`FdlError::MissingFile`], [`FdlError::TooLarge`] as soon as the file is seen to be longer than
    /// `limit`, and those of the transport.
    pub(crate) async fn stream_from(
        &self,
        path: &RelativePath,
        first: u64,
        limit: u64,
        sink: impl FnMut(Vec<u8>),
    ) -> Result<u64, FdlError> {
        let url = self.url(path);
        let end = match first {
            0 => None, // the whole: asked for as such it may lie in the browser's cache
            _ => match self.transport.get_from(&url, Immutable, first).await? {
                Answer::Status(416) => None, // how long it is tells why
                end => Some(end),
            },
        };
        let answer = match end {
            Some(end) => end,
            None => self.transport.get(&url, Immutable).await?.map(|body| Part { first: 0, body }),
        };
        match answer {
            Answer::Found(part) if part.first > first => {
                let reason = "the host gave another part of it than the one that was asked for".into();
                Err(FdlError::CouldNotFetch { url, reason })
            }
            Answer::Found(Part { first, body }) => read(&url, body, first, limit, sink).await,
            Answer::Missing => Err(FdlError::MissingFile { url }),
            Answer::Status(status) => Err(FdlError::HttpStatus { url, status }),
        }
    }
}

/// Reads a body that begins at `first` in its file, and answers where it ends.
async fn read(
    url: &str,
    mut body: impl Body,
    first: u64,
    limit: u64,
    mut sink: impl FnMut(Vec<u8>),
) -> Result<u64, FdlError> {
    let mut at = first;
    while let Some(chunk) = body.chunk().await? {
        at += chunk.len() as u64;
        if at > limit {
            return Err(FdlError::TooLarge { url: url.into(), limit });
        }
        sink(chunk);
    }
    Ok(at)
}
