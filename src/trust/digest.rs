//! sha256 and length of a file.

use std::ops::RangeInclusive;

use sha2::Digest as _;

use super::webcrypto;
use crate::error::FdlError;
use crate::record::Sha256;
use crate::record::version::NamedFile;

/// What the bytes of a file must be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected<'a> {
    /// Their number, where it is known.
    pub bytes: Option<u64>,
    /// Their hash.
    pub sha256: &'a Sha256,
}

impl<'a> From<&'a NamedFile> for Expected<'a> {
    fn from(named: &'a NamedFile) -> Expected<'a> {
        Expected { bytes: Some(named.bytes), sha256: &named.sha256 }
    }
}

/// The length of a file and its sha256, by whichever way is the faster one for it.
///
/// The browser's own hashing takes whole buffers only. In Chromium it comes to 2.4 times the speed of the
/// streamed one at 64 KiB (890 against 365 MB/s), to twice at 1 MiB and 1.5 times at 8 MiB; to no more
/// than it at 64 MiB, when such a buffer has been filled, and below 8 KiB, where asking costs more than
/// hashing. So files of 8 KiB to 8 MiB are held, four at once in 32 MiB, and larger ones stream by. A page
/// that was not loaded securely has no hashing of its own. (`npm run bench` measures all of it.)
#[derive(Debug)]
pub(crate) enum Digest {
    /// The bytes so far, hashed at the end.
    Held(Vec<u8>),
    /// The hash so far.
    Streamed {
        /// It runs on.
        hasher: sha2::Sha256,
        /// How many bytes it is of.
        bytes: u64,
    },
}

/// The lengths at which the browser's own hashing pays, and at which a file is held for it.
const HELD: RangeInclusive<u64> = 8 << 10..=8 << 20;

impl Digest {
    /// For a file of so many bytes, as far as is known.
    pub(crate) fn expecting(bytes: Option<u64>) -> Digest {
        match bytes {
            Some(bytes) if HELD.contains(&bytes) && webcrypto::is_there() => Digest::holding(bytes),
            _ => Digest::Streamed { hasher: sha2::Sha256::default(), bytes: 0 },
        }
    }

    /// For a file of so many bytes that are wanted too.
    pub(crate) fn holding(bytes: u64) -> Digest {
        // More than that is not set aside on a record's word alone.
        Digest::Held(Vec::with_capacity(bytes.min(*HELD.end()) as usize))
    }

    /// Takes the next bytes.
    pub(crate) fn update(&mut self, chunk: Vec<u8>) {
        match self {
            // Most files come in one piece, which is then not copied.
            Digest::Held(held) if held.is_empty() && held.capacity() <= chunk.len() => *held = chunk,
            Digest::Held(held) => held.extend_from_slice(&chunk),
            Digest::Streamed { hasher, bytes } => {
                hasher.update(&chunk);
                *bytes += chunk.len() as u64;
            }
        }
    }

    /// Whether the bytes are those of the file at `url`; gives back those that were held.
    ///
    /// # Errors
    /// [`FdlError::SizeMismatch`], [`FdlError::HashMismatch`]
    pub(crate) async fn check(self, url: &str, expected: Expected<'_>) -> Result<Vec<u8>, FdlError> {
        let length = match &self {
            Digest::Held(held) => held.len() as u64,
            Digest::Streamed { bytes, .. } => *bytes,
        };
        if let Some(bytes) = expected.bytes
            && bytes != length
        {
            return Err(FdlError::SizeMismatch { url: url.into(), expected: bytes, found: length });
        }
        let (found, held) = match self {
            Digest::Held(held) => (sha256(&held).await, held),
            Digest::Streamed { hasher, .. } => (hasher.finalize().into(), Vec::new()),
        };
        let found = Sha256::from(found);
        if found != *expected.sha256 {
            return Err(FdlError::HashMismatch {
                url: url.into(),
                expected: expected.sha256.to_string(),
                found: found.to_string(),
            });
        }
        Ok(held)
    }
}

/// The hash of bytes that are held.
async fn sha256(bytes: &[u8]) -> [u8; 32] {
    if bytes.len() as u64 >= *HELD.start()
        && let Some(hash) = webcrypto::sha256(bytes).await
    {
        return hash;
    }
    sha2::Sha256::digest(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte that a length can have, over and over.
    fn bytes(length: u64) -> Vec<u8> {
        (0..length).map(|at| at as u8).collect()
    }

    async fn check(mut digest: Digest, bytes: &[u8], expected: Expected<'_>) -> Result<Vec<u8>, FdlError> {
        for chunk in bytes.chunks(1000) {
            digest.update(chunk.into());
        }
        digest.check("x", expected).await
    }

    /// Run natively and in a browser, where the browser's own hashing is used.
    async fn whichever_way_is_chosen() {
        let (least, most) = (*HELD.start(), *HELD.end());
        for length in [0, 1, least - 1, least, least + 1, most, most + 1] {
            let bytes = bytes(length);
            let sha256 = Sha256::from(<[u8; 32]>::from(sha2::Sha256::digest(&bytes)));
            let expected = Expected { bytes: Some(length), sha256: &sha256 };
            assert_eq!(check(Digest::holding(length), &bytes, expected).await.as_deref(), Ok(&bytes[..]));
            for known in [Some(length), None] {
                let expected = Expected { bytes: known, sha256: &sha256 };
                let digest = || Digest::expecting(known);
                assert!(check(digest(), &bytes, expected).await.is_ok(), "{length} {known:?}");
                let other = Sha256::from([7; 32]);
                let wrong = Expected { sha256: &other, ..expected };
                assert_eq!(check(digest(), &bytes, wrong).await.unwrap_err().code(), "hash_mismatch");
            }
            for wrong in [length + 1, length.wrapping_sub(1)] {
                let wrong = Expected { bytes: Some(wrong), ..expected };
                let checked = check(Digest::expecting(wrong.bytes), &bytes, wrong).await;
                assert_eq!(checked.unwrap_err().code(), "size_mismatch");
            }
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    fn length_and_hash_must_both_be_those_of_the_record() {
        pollster::block_on(whichever_way_is_chosen());
    }

    #[cfg(target_arch = "wasm32")]
    #[wasm_bindgen_test::wasm_bindgen_test]
    async fn length_and_hash_must_both_be_those_of_the_record_by_the_browsers_own_hashing() {
        assert!(webcrypto::is_there());
        whichever_way_is_chosen().await;
    }
}
