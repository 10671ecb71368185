//! The kinds of key whose signatures are checked, and how.
//!
//! Source: OpenSSH's ssh-ed25519.c, ssh-ecdsa.c, ssh-rsa.c and PROTOCOL.u2f; RFC 8332 for RSA.

use sha2::{Digest as _, Sha256};
use signature::Verifier;
use ssh_key::public::Ed25519PublicKey;
use ssh_key::{Algorithm, Signature};

use super::key::PublicKey;
use super::problem::SignatureProblem;
use super::wire::Wire;

/// RSA keys below this count for nothing. This is our policy: OpenSSH takes 1,024 bits.
#[cfg(feature = "rsa")]
const MIN_RSA_BITS: u32 = 2048;

/// Whether `key` made `signature` (in its wire form) over `message`.
///
/// # Errors
/// [`SignatureProblem::UnsupportedAlgorithm`], [`SignatureProblem::MalformedSignature`],
/// [`SignatureProblem::BadSignature`], [`SignatureProblem::WeakKey`]
pub(super) fn verify(key: &PublicKey, signature: &[u8], message: &[u8]) -> Result<(), SignatureProblem> {
    let key_type = key.key_type.as_str();
    if !is_checked(key_type) {
        return Err(unsupported(key_type));
    }
    let mut wire = Wire(signature);
    let (name, bytes) = wire.text().zip(wire.string()).ok_or(DAMAGED)?;
    // A browser's own way to a FIDO key signs what the browser wrote around the message.
    if name.starts_with("webauthn-") {
        return Err(unsupported(name));
    }
    let noted = if is_fido(key_type) { wire.take(5).ok_or(DAMAGED)? } else { &[] };
    if !wire.is_empty() {
        return Err(DAMAGED);
    }
    if key_type == "ssh-rsa" {
        return verify_rsa(key.fields(), name, bytes, message);
    }
    if name != key_type {
        return Err(malformed("it is of another kind than its key"));
    }
    match key_type {
        "ssh-ed25519" => verify_ed25519(key.fields(), bytes, message),
        "sk-ssh-ed25519@openssh.com" => verify_ed25519(key.fields(), bytes, &by_device(key, noted, message)),
        "sk-ecdsa-sha2-nistp256@openssh.com" => {
            verify_ecdsa(key.fields(), "ecdsa-sha2-nistp256", bytes, &by_device(key, noted, message))
        }
        _ => verify_ecdsa(key.fields(), key_type, bytes, message),
    }
}

/// Whether signatures by this type of key are checked.
fn is_checked(key_type: &str) -> bool {
    match key_type {
        "ssh-ed25519" | "sk-ssh-ed25519@openssh.com" => true,
        "ssh-rsa" => cfg!(feature = "rsa"),
        _ => cfg!(feature = "ecdsa") && key_type.contains("ecdsa-sha2-nistp"),
    }
}

const DAMAGED: SignatureProblem = malformed("its last part is damaged");
const DAMAGED_KEY: SignatureProblem = malformed("its key is damaged");

const fn malformed(reason: &'static str) -> SignatureProblem {
    SignatureProblem::MalformedSignature { reason }
}

fn unsupported(algorithm: &str) -> SignatureProblem {
    SignatureProblem::UnsupportedAlgorithm { algorithm: algorithm.into() }
}

/// Whether the key lies in a FIDO device.
fn is_fido(key_type: &str) -> bool {
    key_type.starts_with("sk-")
}

/// What such a device signs in place of the message: hashes, and what it notes itself (flags and a
/// counter). Like ssh-keygen, we leave it to the device whether someone had to touch it.
fn by_device(key: &PublicKey, noted: &[u8], message: &[u8]) -> Vec<u8> {
    let mut fields = key.fields();
    let application = std::iter::from_fn(|| fields.string()).last().unwrap_or_default();
    [&Sha256::digest(application), noted, &Sha256::digest(message)].concat()
}

fn verify_ed25519(mut fields: Wire, bytes: &[u8], message: &[u8]) -> Result<(), SignatureProblem> {
    let key = fields.string().and_then(|key| Ed25519PublicKey::try_from(key).ok()).ok_or(DAMAGED_KEY)?;
    check(&key, Algorithm::Ed25519, bytes, message)
}

#[cfg(feature = "ecdsa")]
fn verify_ecdsa(
    mut fields: Wire,
    key_type: &str,
    bytes: &[u8],
    message: &[u8],
) -> Result<(), SignatureProblem> {
    let point = fields.string().and_then(|_curve| fields.string()).ok_or(DAMAGED_KEY)?;
    let key = ssh_key::public::EcdsaPublicKey::from_sec1_bytes(point).map_err(|_| DAMAGED_KEY)?;
    let mut numbers = Wire(bytes);
    if numbers.string().zip(numbers.string()).is_none() || !numbers.is_empty() {
        return Err(DAMAGED);
    }
    let algorithm = Algorithm::new(key_type).map_err(|_| DAMAGED)?;
    check(&key, algorithm, bytes, message)
}

#[cfg(not(feature = "ecdsa"))]
fn verify_ecdsa(_: Wire, key_type: &str, _: &[u8], _: &[u8]) -> Result<(), SignatureProblem> {
    Err(unsupported(key_type))
}

#[cfg(feature = "rsa")]
fn verify_rsa(mut fields: Wire, name: &str, bytes: &[u8], message: &[u8]) -> Result<(), SignatureProblem> {
    use ssh_key::{HashAlg, Mpint, public::RsaPublicKey};

    let hash = match name {
        "rsa-sha2-256" => HashAlg::Sha256,
        "rsa-sha2-512" => HashAlg::Sha512,
        "ssh-rsa" => return Err(unsupported("RSA with SHA-1")),
        _ => return Err(malformed("it is of another kind than its key")),
    };
    let (e, n) = fields.positive().zip(fields.positive()).ok_or(DAMAGED_KEY)?;
    // A positive number is written without leading zeros.
    let bits = 8 * n.len() as u32 - n[0].leading_zeros();
    // As in OpenSSH, leading zeros of a signature may be left out.
    let missing = n.len().checked_sub(bytes.len()).ok_or(SignatureProblem::BadSignature)?;
    let mut padded = vec![0; missing];
    padded.extend(bytes);
    let key = RsaPublicKey::new(Mpint::from_positive_bytes(e), Mpint::from_positive_bytes(n));
    check(&key.map_err(|_| DAMAGED_KEY)?, Algorithm::Rsa { hash: Some(hash) }, &padded, message)?;
    if bits < MIN_RSA_BITS {
        return Err(SignatureProblem::WeakKey { what: "key", bits, minimum: MIN_RSA_BITS });
    }
    Ok(())
}

#[cfg(not(feature = "rsa"))]
fn verify_rsa(_: Wire, _: &str, _: &[u8], _: &[u8]) -> Result<(), SignatureProblem> {
    Err(unsupported("ssh-rsa"))
}

fn check(
    key: &impl Verifier<Signature>,
    algorithm: Algorithm,
    bytes: &[u8],
    message: &[u8],
) -> Result<(), SignatureProblem> {
    let signature = Signature::new(algorithm, bytes).map_err(|_| DAMAGED)?;
    key.verify(message, &signature).map_err(|_| SignatureProblem::BadSignature)
}
