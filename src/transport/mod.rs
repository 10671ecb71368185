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

/// The end of a file that is being read.
#[derive(Debug)]
pub struct Part<Body> {
    /// Where in the file the body begins: 0 where the host gives the whole file all the same.
    pub first: u64,
    /// The bytes from there on.
    pub body: Body,
}

impl<Body> Part<Body> {
    /// The same part with another body.
    pub fn with<Other>(self, other: impl FnOnce(Body) -> Other) -> Part<Other> {
        Part { first: self.first, body: other(self.body) }
    }
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

    /// Asks for a file from the byte `first` on, counted from 0. A host need not serve parts and may
    /// give the whole file, which is what happens unless a transport says otherwise. Where the file
    /// ends before that byte, the answer is `Answer::Status(416)`.
    ///
    /// # Errors
    /// [`FdlError::CouldNotFetch`] where no answer came.
    async fn get_from(
        &self,
        url: &str,
        freshness: Freshness,
        _first: u64,
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
