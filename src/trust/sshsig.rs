//! SSH signatures: armor, framing, and the check of the bytes.
//!
//! Source: OpenSSH's PROTOCOL.sshsig and sshsig.c. A signature is over
//! `"SSHSIG" ‖ string namespace ‖ string "" ‖ string hash_algorithm ‖ string H(message)`.

use serde::Serialize;
use sha2::Digest as _;

use super::allowed_signers::PublicKey;
use super::wire::Wire;
use super::{algorithm, base64};

const BEGIN: &[u8] = b"-----BEGIN SSH SIGNATURE-----";
const END: &[u8] = b"-----END SSH SIGNATURE-----";
const MAGIC: &[u8] = b"SSHSIG";

/// Why a signature does not make its version trusted.
///
/// Serialised, it is its facts beside its `code`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs)] // each sentence says what its members are
pub enum SignatureProblem {
    #[error("The signature cannot be read: {reason}.")]
    MalformedSignature { reason: &'static str },
    #[error("The signature uses {algorithm}, which this reader cannot check.")]
    UnsupportedAlgorithm { algorithm: String },
    #[error("The signature is good, but it is for the namespace {found:?}, not {expected:?}.")]
    WrongNamespace { expected: String, found: String },
    #[error(
        "The signature fits, but its RSA key has {bits} bits, and keys of less than {minimum} count for nothing here."
    )]
    WeakKey { bits: u32, minimum: u32 },
    #[error("The signature does not fit version.json: one of the two was changed.")]
    BadSignature,
    #[error("The signature is good, but its key ({fingerprint}) is not among the trusted signers.")]
    UnknownKey { fingerprint: String },
    #[error(
        "The signature is good, but no trusted signers were given, so nobody vouches for its key ({fingerprint})."
    )]
    NoTrustedSigners { fingerprint: String },
    #[error(
        "The signature is good, but line {line} of the trusted signers admits its key for {allowed:?} only, not for {namespace:?}."
    )]
    NamespaceNotAllowed { line: usize, namespace: String, allowed: String },
    #[error(
        "The signature is good, but its key counts only from a later time on (line {line} of the trusted signers)."
    )]
    NotYetValid { line: usize },
    #[error(
        "The signature is good, but its key no longer counted at that time (line {line} of the trusted signers)."
    )]
    ExpiredKey { line: usize },
}

impl SignatureProblem {
    /// The stable code, such as `unknown_key`.
    pub fn code(&self) -> &'static str {
        self.into()
    }
}

/// A signature, taken apart but not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshSig {
    /// The key that is said to have signed.
    pub key: PublicKey,
    /// What the signature is for.
    pub namespace: Vec<u8>,
    /// `sha256` or `sha512`.
    pub hash_algorithm: String,
    signature: Vec<u8>,
}

impl SshSig {
    /// Takes an armored signature apart. As in OpenSSH the header stands at the very start, the
    /// base64 may be wrapped at any width, and what follows the footer is not looked at.
    ///
    /// # Errors
    /// [`SignatureProblem::MalformedSignature`], [`SignatureProblem::UnsupportedAlgorithm`]
    pub fn parse(armored: &[u8]) -> Result<SshSig, SignatureProblem> {
        let malformed = |reason| SignatureProblem::MalformedSignature { reason };
        let blob = dearmor(armored)?;
        let mut wire = Wire(&blob);
        if wire.take(MAGIC.len()) != Some(MAGIC) {
            return Err(malformed("it does not begin as an SSH signature does"));
        }
        match wire.uint32() {
            Some(1) => {}
            Some(version @ 2..) => {
                let algorithm = format!("version {version} of SSH signatures");
                return Err(SignatureProblem::UnsupportedAlgorithm { algorithm });
            }
            Some(0) => return Err(malformed("its version is 0")),
            None => return Err(malformed("it ends in the middle")),
        }
        let mut string = || wire.string().ok_or(malformed("it ends in the middle"));
        let (key, namespace, _reserved) = (string()?, string()?, string()?);
        let (hash_algorithm, signature) = (string()?, string()?);
        if !wire.0.is_empty() {
            return Err(malformed("bytes follow it"));
        }
        if namespace.is_empty() {
            return Err(malformed("its namespace is empty"));
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let key_type = key_type_of(key).ok_or(malformed("its key is damaged"))?;
        Ok(SshSig {
            key: PublicKey { key_type, blob: key.into() },
            namespace: namespace.into(),
            hash_algorithm: text(hash_algorithm),
            signature: signature.into(),
        })
    }

    /// Whether the key signed `message` for `namespace`.
    ///
    /// # Errors
    /// [`SignatureProblem`]: what stands in the way. A signature for another namespace is looked at
    /// all the same: one that is good was made for something else, and nothing was changed.
    pub fn verify(&self, message: &[u8], namespace: &str) -> Result<(), SignatureProblem> {
        let unsupported =
            |algorithm: &str| SignatureProblem::UnsupportedAlgorithm { algorithm: algorithm.into() };
        let hash = match self.hash_algorithm.as_str() {
            "sha256" => sha2::Sha256::digest(message).to_vec(),
            "sha512" => sha2::Sha512::digest(message).to_vec(),
            other => return Err(unsupported(other)),
        };
        let mut signed = MAGIC.to_vec();
        for part in [self.namespace.as_slice(), b"", self.hash_algorithm.as_bytes(), &hash] {
            signed.extend((part.len() as u32).to_be_bytes());
            signed.extend(part);
        }
        algorithm::verify(&self.key, &self.signature, &signed)?;
        if self.namespace != namespace.as_bytes() {
            return Err(SignatureProblem::WrongNamespace {
                expected: namespace.into(),
                found: String::from_utf8_lossy(&self.namespace).into_owned(),
            });
        }
        Ok(())
    }
}

/// The type that a key's wire form begins with.
pub(super) fn key_type_of(blob: &[u8]) -> Option<String> {
    let name = Wire(blob).string()?;
    String::from_utf8(name.into()).ok().filter(|name| !name.is_empty())
}

fn dearmor(armored: &[u8]) -> Result<Vec<u8>, SignatureProblem> {
    let malformed = |reason| SignatureProblem::MalformedSignature { reason };
    let rest = armored
        .strip_prefix(BEGIN)
        .and_then(|rest| rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n")))
        .ok_or(malformed("its first line is not BEGIN SSH SIGNATURE"))?;
    let end = rest
        .windows(END.len() + 1)
        .position(|window| window[0] == b'\n' && &window[1..] == END)
        .ok_or(malformed("its line END SSH SIGNATURE is missing"))?;
    base64::decode(&rest[..end]).ok_or(malformed("it is not base64"))
}
