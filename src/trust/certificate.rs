//! Certificates: an authority says whose key a key is, and from when until when.
//!
//! Source: OpenSSH's PROTOCOL.certkeys; sshkey.c, `cert_parse` and `sshkey_cert_check_authority`.

use super::algorithm;
use super::key::PublicKey;
use super::problem::SignatureProblem;
use super::wire::Wire;

/// What OpenSSH takes of principals at most.
const MAX_PRINCIPALS: usize = 256;

/// What a certificate says of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The number that the authority gave it; 0 where it gives none.
    pub serial: u64,
    /// Whether it is a user's, rather than a host's.
    pub is_for_users: bool,
    /// The name that the authority gave it.
    pub key_id: String,
    /// Whose key it is: names, not patterns.
    pub principals: Vec<String>,
    /// From when on it counts, in seconds since 1970; 0 where always.
    pub valid_after: u64,
    /// From when on it no longer counts, in seconds since 1970; `u64::MAX` where never.
    pub valid_before: u64,
    /// The authority's key.
    pub authority: PublicKey,
    /// The whole wire form.
    blob: Vec<u8>,
    /// How much of it is signed.
    signed: usize,
    signature: Vec<u8>,
}

impl Certificate {
    /// Reads what follows the key, which `wire` has passed, in a certificate's wire form `blob`.
    pub(super) fn read(blob: &[u8], wire: &mut Wire) -> Option<Certificate> {
        let serial = wire.uint64()?;
        let is_for_users = match wire.uint32()? {
            1 => true,
            2 => false,
            _ => return None,
        };
        let key_id = wire.text()?.into();
        let mut names = Wire(wire.string()?);
        let mut principals = Vec::new();
        while !names.is_empty() {
            principals.push(names.text()?.into());
        }
        if principals.len() > MAX_PRINCIPALS {
            return None;
        }
        let (valid_after, valid_before) = (wire.uint64()?, wire.uint64()?);
        // Critical options and extensions are about logging in; signatures are not bound by them.
        for _ in ["critical options", "extensions"] {
            let mut pairs = Wire(wire.string()?);
            while !pairs.is_empty() {
                pairs.string().zip(pairs.string())?;
            }
        }
        wire.string()?; // reserved
        let authority = PublicKey::read_plain(wire.string()?).ok()?;
        let signed = blob.len() - wire.0.len();
        let signature = wire.string()?.into();
        let blob = blob.into();
        Some(Certificate {
            serial,
            is_for_users,
            key_id,
            principals,
            valid_after,
            valid_before,
            authority,
            blob,
            signed,
            signature,
        })
    }

    /// Whether the authority signed it.
    ///
    /// # Errors
    /// [`SignatureProblem::CertificateBadAuthoritySignature`], and those of a signature that cannot be
    /// checked, or by a weak key.
    pub(super) async fn check_authority(&self) -> Result<(), SignatureProblem> {
        let signed = &self.blob[..self.signed];
        algorithm::verify(&self.authority, &self.signature, signed).await.map_err(of_authority)
    }

    /// Whether it counts for a person at `time`, in seconds since 1970.
    ///
    /// # Errors
    /// Why it does not.
    pub(super) fn counts_at(&self, time: i64) -> Result<(), SignatureProblem> {
        if !self.is_for_users {
            return Err(SignatureProblem::CertificateNotForUsers);
        }
        let time = u64::try_from(time).map_err(|_| SignatureProblem::CertificateNotYetValid)?;
        if time < self.valid_after {
            return Err(SignatureProblem::CertificateNotYetValid);
        }
        if time >= self.valid_before {
            return Err(SignatureProblem::CertificateExpired);
        }
        if self.principals.is_empty() {
            return Err(SignatureProblem::CertificateWithoutPrincipals);
        }
        Ok(())
    }
}

/// What is wrong with an authority's signature, said of the certificate.
fn of_authority(problem: SignatureProblem) -> SignatureProblem {
    use SignatureProblem::*;
    match problem {
        BadSignature | MalformedSignature { .. } => CertificateBadAuthoritySignature,
        WeakKey { bits, minimum, .. } => WeakKey { what: "certificate authority", bits, minimum },
        other => other,
    }
}
