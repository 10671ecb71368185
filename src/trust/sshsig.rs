//! SSH signatures: armor, framing, and the check of the bytes.
//!
//! Source: OpenSSH's PROTOCOL.sshsig and sshsig.c. A signature is over
//! `"SSHSIG" ‖ string namespace ‖ string "" ‖ string hash_algorithm ‖ string H(message)`.

use sha2::Digest as _;

use super::key::{KeyProblem, PublicKey};
use super::problem::SignatureProblem;
use super::wire::Wire;
use super::{algorithm, base64};

const BEGIN: &[u8] = b"-----BEGIN SSH SIGNATURE-----";
const END: &[u8] = b"-----END SSH SIGNATURE-----";
const MAGIC: &[u8] = b"SSHSIG";

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
        if !wire.is_empty() {
            return Err(malformed("bytes follow it"));
        }
        if namespace.is_empty() {
            return Err(malformed("its namespace is empty"));
        }
        let key = match PublicKey::read(key) {
            Ok(key) => key,
            // A kind that is not known is not damaged: it could not be checked.
            Err(KeyProblem::UnknownType(key_type)) => PublicKey::unknown(key_type, key),
            Err(KeyProblem::Damaged) => return Err(malformed("its key is damaged")),
        };
        Ok(SshSig {
            key,
            namespace: namespace.into(),
            hash_algorithm: String::from_utf8_lossy(hash_algorithm).into_owned(),
            signature: signature.into(),
        })
    }

    /// Whether the key signed `message` for `namespace`.
    ///
    /// # Errors
    /// [`SignatureProblem`]: what stands in the way. A signature for another namespace is looked at
    /// all the same: one that is good was made for something else, and nothing was changed.
    pub async fn verify(&self, message: &[u8], namespace: &str) -> Result<(), SignatureProblem> {
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
        let by_key = algorithm::verify(&self.key, &self.signature, &signed).await;
        match &self.key.certificate {
            // The word for a weak key may be bad, which is worse.
            Some(certificate) if matches!(by_key, Ok(()) | Err(SignatureProblem::WeakKey { .. })) => {
                certificate.check_authority().await.and(by_key)?;
            }
            _ => by_key?,
        }
        if self.namespace != namespace.as_bytes() {
            return Err(SignatureProblem::WrongNamespace {
                expected: namespace.into(),
                found: String::from_utf8_lossy(&self.namespace).into_owned(),
            });
        }
        Ok(())
    }
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
