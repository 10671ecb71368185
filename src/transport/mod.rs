//! The one trait through which bytes come in, and its three kinds: HTTP in the browser, a
//! directory, and memory.

#[cfg(not(target_arch = "wasm32"))]
mod directory;
#[cfg(all(target_arch = "wasm32", feature = "reader"))]
mod http;
mod memory;

#[cfg(not(target_arch = "wasm32"))]
pub use directory::Directory;
#[cfg(all(target_arch = "wasm32", feature = "reader"))]
pub(crate) use http::Http;
pub use memory::Memory;

use std::fmt;

use crate::error::FdlError;

/// How fresh an answer must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// The file may change: a stored copy is used only after the host has confirmed it.
    Revalidate,
    /// The file never changes under its name: any stored copy will do.
    Immutable,
}

/// What a host answers.
#[derive(Debug)]
pub enum Answer<Body> {
    /// The file.
    Found(Body),
    /// There is no such file.
    Missing,
    /// Neither: the HTTP status.
    Status(u16),
}

impl<Body> Answer<Body> {
    /// The same answer with another body.
    pub fn map<Other>(self, other: impl FnOnce(Body) -> Other) -> Answer<Other> {
        match self {
            Answer::Found(body) => Answer::Found(other(body)),
            Answer::Missing => Answer::Missing,
            Answer::Status(status) => Answer::Status(status),
        }
    }
}

/// Which bytes of a file are asked for, counted from 0.
///
/// Only these two shapes: the suffix `bytes=-n` would cost a page a preflight (Fetch standard,
/// "CORS-safelisted request-header").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// The first byte.
    pub first: u64,
    /// The last byte; `None` is to the end.
    pub last: Option<u64>,
}

impl fmt::Display for ByteRange {
    /// As the header `Range` has it: `bytes=0-99`, `bytes=100-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes={}-", self.first)?;
        self.last.map_or(Ok(()), |last| write!(f, "{last}"))
    }
}

/// A part of a file that is being read.
#[derive(Debug)]
pub struct Part<Body> {
    /// Where in the file the body begins: 0 where the host gives the whole file all the same.
    pub first: u64,
    /// The bytes from there on.
    pub body: Body,
}

/// Where bytes come from.
#[allow(async_fn_in_trait)] // everything runs on one thread, as in the page
pub trait Transport {
    /// A file that is being read.
    type Body: Body;

    /// Asks for a file by its URL. Dropping the future or the body ends the request.
    ///
    /// # Errors
    /// [`FdlError::CouldNotFetch`] where no answer came.
    async fn get(&self, url: &str, freshness: Freshness) -> Result<Answer<Self::Body>, FdlError>;

    /// Asks for a part of a file, as [`Transport::get`]. A host need not serve parts and may give
    /// the whole file, which is what happens unless a transport says otherwise. A part that begins
    /// behind the end of the file is `Answer::Status(416)`.
    ///
    /// # Errors
    /// [`FdlError::CouldNotFetch`] where no answer came.
    async fn get_part(
        &self,
        url: &str,
        freshness: Freshness,
        _part: ByteRange,
    ) -> Result<Answer<Part<Self::Body>>, FdlError> {
        Ok(self.get(url, freshness).await?.map(|body| Part { first: 0, body }))
    }
}

/// A file that is being read.
#[allow(async_fn_in_trait)]
pub trait Body {
    /// The next bytes, decoded; `None` at the end.
    ///
    /// # Errors
    /// [`FdlError::CouldNotFetch`] where the answer broke off.
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError>;
}
