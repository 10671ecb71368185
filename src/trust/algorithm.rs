//! The kinds of key whose signatures are checked, and how.
//!
//! Source: OpenSSH's ssh-ed25519.c, ssh-ecdsa.c and ssh-rsa.c; RFC 8332 for RSA.

use signature::Verifier;
use ssh_key::Algorithm;
use ssh_key::public::KeyData;

use super::allowed_signers::PublicKey;
use super::sshsig::SignatureProblem;
use super::wire::Wire;

/// RSA keys below this count for nothing. This is our policy: OpenSSH takes 1,024 bits.
pub const MIN_RSA_BITS: u32 = 2048;

/// Whether signatures by this type of key are checked.
pub(super) fn is_checked(key_type: &str) -> bool {
    match key_type {
        "ssh-ed25519" => true,
        "ssh-rsa" => cfg!(feature = "rsa"),
        _ => cfg!(feature = "ecdsa") && key_type.starts_with("ecdsa-sha2-nistp"),
    }
}

/// A key from its wire form; `None` where it is damaged, or is not written as keys are.
pub(super) fn key_of(blob: &[u8]) -> Option<KeyData> {
    let key = ssh_key::PublicKey::from_bytes(blob).ok()?;
    (key.to_bytes().ok()? == blob).then(|| key.into())
}

/// Whether `key` made `signature` (in its wire form) over `signed`.
///
/// # Errors
/// [`SignatureProblem::UnsupportedAlgorithm`], [`SignatureProblem::MalformedSignature`],
/// [`SignatureProblem::BadSignature`], [`SignatureProblem::WeakKey`]
pub(super) fn verify(key: &PublicKey, signature: &[u8], signed: &[u8]) -> Result<(), SignatureProblem> {
    let malformed = |reason| SignatureProblem::MalformedSignature { reason };
    let unsupported =
        |algorithm: &str| SignatureProblem::UnsupportedAlgorithm { algorithm: algorithm.into() };
    if !is_checked(&key.key_type) {
        return Err(unsupported(&key.key_type));
    }
    let key_data = key_of(&key.blob).ok_or(malformed("its key is damaged"))?;

    let damaged = || malformed("its last part is damaged");
    let mut wire = Wire(signature);
    let (name, bytes) = wire.string().zip(wire.string()).ok_or_else(damaged)?;
    if !wire.0.is_empty() {
        return Err(damaged());
    }
    let mut bytes = bytes.to_vec();
    let algorithm = std::str::from_utf8(name).ok().and_then(|name| Algorithm::new(name).ok());
    let algorithm = algorithm.ok_or_else(damaged)?;
    match &key_data {
        KeyData::Rsa(rsa) => {
            if !matches!(algorithm, Algorithm::Rsa { hash: Some(_) }) {
                return Err(unsupported("RSA with SHA-1"));
            }
            // As in OpenSSH, leading zeros may be left out.
            let length = rsa.key_size().div_ceil(8) as usize;
            let missing = length.checked_sub(bytes.len()).ok_or(SignatureProblem::BadSignature)?;
            bytes.splice(0..0, std::iter::repeat_n(0, missing));
        }
        _ if algorithm != key_data.algorithm() => {
            return Err(malformed("it is of another kind than its key"));
        }
        #[cfg(feature = "ecdsa")]
        KeyData::Ecdsa(_) => {
            let mut numbers = Wire(&bytes);
            if numbers.string().zip(numbers.string()).is_none() || !numbers.0.is_empty() {
                return Err(damaged());
            }
        }
        _ => {}
    }
    let signature = ssh_key::Signature::new(algorithm, bytes).map_err(|_| damaged())?;
    key_data.verify(signed, &signature).map_err(|_| SignatureProblem::BadSignature)?;
    match key_data {
        KeyData::Rsa(rsa) if rsa.key_size() < MIN_RSA_BITS => {
            Err(SignatureProblem::WeakKey { bits: rsa.key_size(), minimum: MIN_RSA_BITS })
        }
        _ => Ok(()),
    }
}
