//! The one trait through which bytes come in, and its three kinds: HTTP in the browser, a
//! directory, and memory.

#[cfg(not(target_arch = "wasm32"))]
mod directory;
#[cfg(target_arch = "wasm32")]
mod http;
mod memory;

#[cfg(not(target_arch = "wasm32"))]
pub use directory::Directory;
#[cfg(target_arch = "wasm32")]
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
