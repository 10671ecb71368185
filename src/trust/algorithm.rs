//! The kinds of key whose signatures are checked, and how.
//!
//! ed25519 is always checked here. ECDSA and RSA are by the crates of their features; a build for the
//! browser that is without them asks the browser, whose own algorithms weigh nothing.
//!
//! Source: OpenSSH's ssh-ed25519.c, ssh-ecdsa.c, ssh-rsa.c and PROTOCOL.u2f; RFC 8332 for RSA.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};
use signature::Verifier;
use ssh_key::public::Ed25519PublicKey;
use ssh_key::{Algorithm, Signature};

use super::key::{PublicKey, type_of};
use super::problem::SignatureProblem;
use super::wire::Wire;

/// RSA keys below this count for nothing. This is our policy: OpenSSH takes 1,024 bits.
const MIN_RSA_BITS: u32 = 2048;

/// Whether `key` made `signature` (in its wire form) over `message`.
///
/// # Errors
/// [`SignatureProblem::UnsupportedAlgorithm`], [`SignatureProblem::MalformedSignature`],
/// [`SignatureProblem::BadSignature`], [`SignatureProblem::WeakKey`]
pub(super) async fn verify(
    key: &PublicKey,
    signature: &[u8],
    message: &[u8],
) -> Result<(), SignatureProblem> {
    let claim = Claim::read(key, signature, message)?;
    match claim.check() {
        Err(SignatureProblem::UnsupportedAlgorithm { .. }) => browser::check(&claim).await?,
        checked => checked?,
    }
    claim.check_strength()
}

/// Whether ssh-keygen would not read a key that [`PublicKey::read`] took: one that is on no curve (a
/// build without the curves asks the browser), or a certificate that its authority did not sign.
pub(super) async fn is_damaged(key: &PublicKey) -> bool {
    let mut fields = key.fields();
    let is_off_curve = match fields.text().zip(fields.string()) {
        Some((curve, point)) if key.key_type.contains("ecdsa") => browser::is_off_curve(curve, point).await,
        _ => false,
    };
    is_off_curve
        || match &key.certificate {
            Some(certificate) => certificate.check_authority().await.is_err(),
            None => false,
        }
}

/// What a signature says: that this key made these numbers of this message.
struct Claim<'a> {
    key_type: &'a str,
    by: By<'a>,
    message: Cow<'a, [u8]>,
}

enum By<'a> {
    Ed25519 {
        key: &'a [u8],
        signature: &'a [u8],
    },
    Ecdsa {
        /// Such as `nistp256`.
        curve: &'a str,
        point: &'a [u8],
        /// Two, in their wire form.
        numbers: &'a [u8],
    },
    Rsa {
        /// `256` or `512`, the length of the SHA-2 hash.
        bits: &'a str,
        e: &'a [u8],
        n: &'a [u8],
        /// As long as `n`.
        number: Vec<u8>,
    },
}

impl<'a> Claim<'a> {
    fn read(
        key: &'a PublicKey,
        signature: &'a [u8],
        message: &'a [u8],
    ) -> Result<Claim<'a>, SignatureProblem> {
        let key_type = key.key_type.as_str();
        if type_of(key_type).is_none() {
            return Err(unsupported(key_type));
        }
        let mut wire = Wire(signature);
        let (name, bytes) = wire.text().zip(wire.string()).ok_or(DAMAGED)?;
        // A browser's own way to a FIDO key signs what the browser wrote around the message.
        if name.starts_with("webauthn-") {
            return Err(unsupported(name));
        }
        let is_fido = key_type.starts_with("sk-");
        let noted = if is_fido { wire.take(5).ok_or(DAMAGED)? } else { &[] };
        if !wire.is_empty() {
            return Err(DAMAGED);
        }
        let mut fields = key.fields();
        let by = match key_type {
            "ssh-rsa" => read_rsa(fields, name, bytes)?,
            _ if name != key_type => return Err(malformed("it is of another kind than its key")),
            _ if key_type.contains("ed25519") => {
                By::Ed25519 { key: fields.string().ok_or(DAMAGED_KEY)?, signature: bytes }
            }
            _ => {
                let (curve, point) = fields.text().zip(fields.string()).ok_or(DAMAGED_KEY)?;
                let mut numbers = Wire(bytes);
                if numbers.string().zip(numbers.string()).is_none() || !numbers.is_empty() {
                    return Err(DAMAGED);
                }
                By::Ecdsa { curve, point, numbers: bytes }
            }
        };
        let message = if is_fido { by_device(key, noted, message).into() } else { message.into() };
        Ok(Claim { key_type, by, message })
    }

    /// Whether it is so, by the algorithms of this build.
    fn check(&self) -> Result<(), SignatureProblem> {
        match self.by {
            By::Ed25519 { key, signature } => {
                let key = Ed25519PublicKey::try_from(key).map_err(|_| DAMAGED_KEY)?;
                check(&key, Algorithm::Ed25519, signature, &self.message)
            }
            #[cfg(feature = "ecdsa")]
            By::Ecdsa { curve, point, numbers } => {
                let key = ssh_key::public::EcdsaPublicKey::from_sec1_bytes(point).map_err(|_| DAMAGED_KEY)?;
                let algorithm = Algorithm::new(&format!("ecdsa-sha2-{curve}")).map_err(|_| DAMAGED)?;
                check(&key, algorithm, numbers, &self.message)
            }
            #[cfg(feature = "rsa")]
            By::Rsa { bits, e, n, ref number } => {
                use ssh_key::{Mpint, public::RsaPublicKey};

                let key = RsaPublicKey::new(Mpint::from_positive_bytes(e), Mpint::from_positive_bytes(n));
                let key = key.map_err(|_| DAMAGED_KEY)?;
                let algorithm = Algorithm::new(&format!("rsa-sha2-{bits}")).map_err(|_| DAMAGED)?;
                check(&key, algorithm, number, &self.message)
            }
            #[cfg(not(all(feature = "ecdsa", feature = "rsa")))]
            _ => Err(unsupported(self.key_type)),
        }
    }

    /// Whether the key that did make the signature counts.
    fn check_strength(&self) -> Result<(), SignatureProblem> {
        let By::Rsa { n, .. } = self.by else { return Ok(()) };
        // A positive number is written without leading zeros.
        let bits = 8 * n.len() as u32 - n[0].leading_zeros();
        if bits < MIN_RSA_BITS {
            return Err(SignatureProblem::WeakKey { what: "key", bits, minimum: MIN_RSA_BITS });
        }
        Ok(())
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

/// What a FIDO device signs in place of the message: hashes, and what it notes itself (flags and a
/// counter). Like ssh-keygen, we leave it to the device whether someone had to touch it.
fn by_device(key: &PublicKey, noted: &[u8], message: &[u8]) -> Vec<u8> {
    let mut fields = key.fields();
    let application = std::iter::from_fn(|| fields.string()).last().unwrap_or_default();
    [&Sha256::digest(application), noted, &Sha256::digest(message)].concat()
}

fn read_rsa<'a>(mut fields: Wire<'a>, name: &str, bytes: &[u8]) -> Result<By<'a>, SignatureProblem> {
    let bits = match name {
        "rsa-sha2-256" => "256",
        "rsa-sha2-512" => "512",
        "ssh-rsa" => return Err(unsupported("RSA with SHA-1")),
        _ => return Err(malformed("it is of another kind than its key")),
    };
    let (e, n) = fields.positive().zip(fields.positive()).ok_or(DAMAGED_KEY)?;
    // As in OpenSSH, leading zeros of a signature may be left out.
    let missing = n.len().checked_sub(bytes.len()).ok_or(SignatureProblem::BadSignature)?;
    let mut number = vec![0; missing];
    number.extend(bytes);
    Ok(By::Rsa { bits, e, n, number })
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

/// The browser's own algorithms.
#[cfg(target_arch = "wasm32")]
mod browser {
    use super::{By, Claim, DAMAGED, DAMAGED_KEY, unsupported};
    use crate::trust::base64::encode_for_url;
    use crate::trust::problem::SignatureProblem;
    use crate::trust::webcrypto::{self, Refused};
    use crate::trust::wire::Wire;

    /// Whether it is so.
    pub(super) async fn check(claim: &Claim<'_>) -> Result<(), SignatureProblem> {
        let (key, algorithm, signature) = match &claim.by {
            By::Ed25519 { .. } => return Err(unsupported(claim.key_type)),
            By::Ecdsa { curve, point, numbers } => {
                let Curve { key, algorithm, length } =
                    Curve::of(curve, point).ok_or_else(|| unsupported(claim.key_type))?;
                (key, algorithm, fixed(Wire(numbers), length).ok_or(DAMAGED)?)
            }
            By::Rsa { bits, e, n, number } => {
                let [e, n] = [e, n].map(|number| encode_for_url(number));
                let key = format!(r#"{{"kty":"RSA","e":"{e}","n":"{n}"}}"#);
                (key, format!(r#"{{"name":"RSASSA-PKCS1-v1_5","hash":"SHA-{bits}"}}"#), number.clone())
            }
        };
        match webcrypto::verify(&key, &algorithm, &signature, &claim.message).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(SignatureProblem::BadSignature),
            Err(Refused::Key) => Err(DAMAGED_KEY),
            // For RSA always: making a key takes more than is given here, and browsers take not every key.
            Err(Refused::Algorithm) => Err(unsupported(claim.key_type)),
        }
    }

    pub(super) async fn is_off_curve(curve: &str, point: &[u8]) -> bool {
        if cfg!(feature = "ecdsa") {
            return false; // such a key was not read
        }
        let Some(Curve { key, algorithm, .. }) = Curve::of(curve, point) else { return false };
        webcrypto::key(&key, &algorithm).await.err() == Some(Refused::Key)
    }

    /// A key of a curve and its algorithm, in JSON (RFC 7517 and Web Cryptography), and how many bytes a
    /// number of the curve has.
    struct Curve {
        key: String,
        algorithm: String,
        length: usize,
    }

    impl Curve {
        fn of(curve: &str, point: &[u8]) -> Option<Curve> {
            let (name, hash) = match curve {
                "nistp256" => ("P-256", 256),
                "nistp384" => ("P-384", 384),
                "nistp521" => ("P-521", 512),
                _ => return None,
            };
            let length = point.len() / 2; // behind a 4
            let [x, y] = [&point[1..=length], &point[length + 1..]].map(encode_for_url);
            Some(Curve {
                key: format!(r#"{{"kty":"EC","crv":"{name}","x":"{x}","y":"{y}"}}"#),
                algorithm: format!(r#"{{"name":"ECDSA","namedCurve":"{name}","hash":"SHA-{hash}"}}"#),
                length,
            })
        }
    }

    /// Two numbers, each of so many bytes.
    fn fixed(mut numbers: Wire, length: usize) -> Option<Vec<u8>> {
        let mut fixed = Vec::new();
        for number in [numbers.positive()?, numbers.positive()?] {
            fixed.resize(fixed.len() + length.checked_sub(number.len())?, 0);
            fixed.extend(number);
        }
        Some(fixed)
    }
}

/// Elsewhere there is none.
#[cfg(not(target_arch = "wasm32"))]
mod browser {
    use super::{Claim, SignatureProblem, unsupported};

    pub(super) async fn check(claim: &Claim<'_>) -> Result<(), SignatureProblem> {
        Err(unsupported(claim.key_type))
    }

    pub(super) async fn is_off_curve(_: &str, _: &[u8]) -> bool {
        false
    }
}
