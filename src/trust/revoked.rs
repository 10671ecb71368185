//! The keys that the page no longer trusts, whatever the time: a list of public keys, or a KRL.
//!
//! Source: ssh-keygen(1), "KEY REVOCATION LISTS", and `-r` of `-Y verify`; OpenSSH's authfile.c,
//! `sshkey_check_revoked`. Revoking a key revokes the certificates of it, and those that it signed.

use sha1::Digest as _;

use super::allowed_signers::word;
use super::certificate::Certificate;
use super::key::PublicKey;
use super::problem::SignatureProblem;
use super::{algorithm, base64, krl};
use crate::error::FdlError;

/// Revoked keys and certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revoked {
    /// The wire forms of keys.
    pub(super) keys: Vec<Vec<u8>>,
    pub(super) sha1: Vec<Vec<u8>>,
    pub(super) sha256: Vec<Vec<u8>>,
    pub(super) certificates: Vec<RevokedCertificates>,
}

/// Certificates that one authority has signed, or any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RevokedCertificates {
    /// The wire form of the authority's key; `None` for any.
    pub(super) authority: Option<Vec<u8>>,
    /// From a serial number to another, both included.
    pub(super) serials: Vec<(u64, u64)>,
    pub(super) key_ids: Vec<String>,
}

impl Revoked {
    /// Reads a list: one public key per line, blank lines and `#` comments passed over; or a KRL as
    /// `ssh-keygen -k` writes it.
    ///
    /// # Errors
    /// [`FdlError::InvalidRevokedKeys`]. As for ssh-keygen, a list with one line that cannot be read is
    /// none: it might be the one that matters.
    pub async fn parse(bytes: &[u8]) -> Result<Revoked, FdlError> {
        let read = if krl::is_krl(bytes) { krl::read(bytes).await } else { read_list(bytes).await };
        read.map_err(|reason| FdlError::InvalidRevokedKeys { reason })
    }

    /// Passes what is not revoked.
    ///
    /// # Errors
    /// [`SignatureProblem::Revoked`]
    pub(super) fn check(&self, key: &PublicKey) -> Result<(), SignatureProblem> {
        let revoked =
            |what, key: &PublicKey| Err(SignatureProblem::Revoked { what, fingerprint: key.fingerprint() });
        if self.has_key(key) {
            return revoked("key", key);
        }
        let Some(certificate) = &key.certificate else { return Ok(()) };
        if self.has_certificate(certificate) {
            return revoked("certificate", key);
        }
        match self.has_key(&certificate.authority) {
            true => revoked("certificate authority", &certificate.authority),
            false => Ok(()),
        }
    }

    fn has_key(&self, key: &PublicKey) -> bool {
        let holds = |list: &[Vec<u8>], item: &[u8]| list.iter().any(|listed| listed == item);
        holds(&self.keys, &key.blob)
            || holds(&self.sha256, &sha2::Sha256::digest(&key.blob))
            || holds(&self.sha1, &sha1::Sha1::digest(&key.blob))
    }

    fn has_certificate(&self, certificate: &Certificate) -> bool {
        self.certificates.iter().any(|revoked| {
            revoked.authority.as_ref().is_none_or(|authority| *authority == certificate.authority.blob)
                && (revoked.key_ids.contains(&certificate.key_id) || revoked.has_serial(certificate.serial))
        })
    }
}

impl RevokedCertificates {
    fn has_serial(&self, serial: u64) -> bool {
        // 0 is what certificates have whose authority counts none.
        serial != 0 && self.serials.iter().any(|(from, to)| (from..=to).contains(&&serial))
    }
}

async fn read_list(bytes: &[u8]) -> Result<Revoked, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is neither text nor a KRL")?;
    let mut revoked = Revoked::default();
    for (index, line) in text.split('\n').enumerate() {
        let line = line.trim_start_matches([' ', '\t']);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let key = read_line(line)
            .await
            .ok_or_else(|| format!("line {} is no public key such as \"ssh-ed25519 AAAA…\"", index + 1))?;
        revoked.keys.push(key.blob);
    }
    Ok(revoked)
}

async fn read_line(line: &str) -> Option<PublicKey> {
    let (key_type, rest) = word(line);
    let (base64, _comment) = word(rest);
    let key = PublicKey::read(&base64::decode(base64.as_bytes())?).ok()?;
    (key.is_named(key_type) && !algorithm::is_damaged(&key).await).then_some(key)
}
