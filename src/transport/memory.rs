//! Files in memory.

use std::collections::BTreeMap;

use super::{Answer, Body, Freshness, Transport};
use crate::error::FdlError;

/// Files in memory, by URL.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The files.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Transport for Memory {
    type Body = Whole;

    async fn get(&self, url: &str, _: Freshness) -> Result<Answer<Whole>, FdlError> {
        Ok(match self.files.get(url) {
            Some(bytes) => Answer::Found(Whole(Some(bytes.clone()))),
            None => Answer::Missing,
        })
    }
}

/// A body that arrives in one piece.
#[derive(Debug)]
pub struct Whole(pub(super) Option<Vec<u8>>);

impl Body for Whole {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        Ok(self.0.take())
    }
}
