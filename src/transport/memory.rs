//! Files in memory.

use std::collections::BTreeMap;

use super::{Answer, Body, Freshness, Part, Transport};
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

    async fn get_from(&self, url: &str, _: Freshness, first: u64) -> Result<Answer<Part<Whole>>, FdlError> {
        let Some(bytes) = self.files.get(url) else { return Ok(Answer::Missing) };
        Ok(match bytes.get(first as usize..) {
            Some(bytes @ [_, ..]) => Answer::Found(Part { first, body: Whole(Some(bytes.into())) }),
            _ => Answer::Status(416),
        })
    }
}

/// A body that arrives in one piece.
#[derive(Debug)]
pub struct Whole(Option<Vec<u8>>);

impl Body for Whole {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        Ok(self.0.take())
    }
}
