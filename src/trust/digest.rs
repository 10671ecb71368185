//! sha256 and length of a file, taken while it streams by.

use sha2::Digest as _;

use crate::error::FdlError;
use crate::record::Sha256;
use crate::record::version::NamedFile;

/// What the bytes of a file must be.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
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

/// A running sha256 and length.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    hasher: sha2::Sha256,
    bytes: u64,
}

impl Digest {
    /// The digest of bytes that are all there.
    pub fn of(bytes: &[u8]) -> Digest {
        let mut digest = Digest::default();
        digest.update(bytes);
        digest
    }

    /// Takes the next bytes.
    pub fn update(&mut self, chunk: &[u8]) {
        self.hasher.update(chunk);
        self.bytes += chunk.len() as u64;
    }

    /// How many bytes have been taken.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the bytes are those of the file at `url`.
    ///
    /// # Errors
    /// [`FdlError::SizeMismatch`], [`FdlError::HashMismatch`]
    pub fn check(self, url: &str, expected: Expected) -> Result<(), FdlError> {
        if let Some(bytes) = expected.bytes
            && bytes != self.bytes
        {
            return Err(FdlError::SizeMismatch { url: url.into(), expected: bytes, found: self.bytes });
        }
        let found = Sha256::from(<[u8; 32]>::from(self.hasher.finalize()));
        if found != *expected.sha256 {
            return Err(FdlError::HashMismatch {
                url: url.into(),
                expected: expected.sha256.to_string(),
                found: found.to_string(),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::RelativePath;

    #[test]
    fn length_and_hash_must_both_be_those_of_the_record() {
        let named = NamedFile {
            path: RelativePath::parse("x").unwrap(),
            bytes: 4,
            sha256: Sha256::parse("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
                .unwrap(),
        };
        let mut streamed = Digest::default();
        streamed.update(b"te");
        streamed.update(b"st");
        assert_eq!(streamed.check("x", (&named).into()), Ok(()));
        assert_eq!(Digest::of(b"tess").check("x", (&named).into()).unwrap_err().code(), "hash_mismatch");
        assert_eq!(Digest::of(b"test\n").check("x", (&named).into()).unwrap_err().code(), "size_mismatch");
        assert_eq!(Digest::of(b"").check("x", (&named).into()).unwrap_err().code(), "size_mismatch");
    }
}
