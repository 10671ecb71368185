//! Why a signature does not make its version trusted.

use serde::{Serialize, Serializer};

use crate::facts::{self, Facts, facts};
use crate::quoted::Quoted;

/// Why a signature does not make its version trusted.
///
/// Serialised, it is its facts beside its `code`.
#[derive(Clone, Debug, PartialEq, Eq, strum::IntoStaticStr, thiserror::Error)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs)] // each sentence says what its members are
pub enum SignatureProblem {
    #[error("The signature cannot be read: {reason}.")]
    MalformedSignature { reason: &'static str },
    #[error("The signature uses {algorithm}, which this reader cannot check.")]
    UnsupportedAlgorithm { algorithm: String },
    #[error("The signature is good, but it is for the namespace {}, not {}.", Quoted(.found), Quoted(.expected))]
    WrongNamespace { expected: String, found: String },
    #[error(
        "The signature is good, but its {what} is an RSA key of {bits} bits, and those of less than {minimum} count for nothing here."
    )]
    WeakKey { what: &'static str, bits: u32, minimum: u32 },
    #[error("The signature does not fit version.json: one of the two was changed.")]
    BadSignature,
    #[error("The signature is good, but its key ({fingerprint}) is not among the trusted signers.")]
    UnknownKey { fingerprint: String },
    #[error(
        "The signature is good, by a key ({fingerprint}) that the repository itself lists ({listed_as}), but this page does not trust. Compare the key with one that the publisher gives elsewhere before you trust it."
    )]
    ListedKey { fingerprint: String, listed_as: String },
    #[error(
        "The signature is good, but no trusted signers were given, so nobody vouches for its key ({fingerprint})."
    )]
    NoTrustedSigners { fingerprint: String },
    #[error(
        "The signature is good, but line {line} of the trusted signers admits its key for {} only, not for {}.", Quoted(.allowed), Quoted(.namespace)
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
    #[error("The signature is good, but its {what} ({fingerprint}) was revoked.")]
    Revoked { what: &'static str, fingerprint: String },
    #[error("The signature is good, but line {line} of the trusted signers has its key for {}{}.", Quoted(.listed), asked(.demanded))]
    PrincipalNotAllowed { line: usize, listed: String, demanded: Option<String> },
    #[error("The certificate of the signature's key does not bear the signature of its authority.")]
    CertificateBadAuthoritySignature,
    #[error("The signature is good, but the certificate of its key is one of a host, not of a person.")]
    CertificateNotForUsers,
    #[error("The signature is good, but the certificate of its key counts only from a later time on.")]
    CertificateNotYetValid,
    #[error("The signature is good, but the certificate of its key no longer counted at that time.")]
    CertificateExpired,
    #[error("The signature is good, but the certificate of its key names no principal.")]
    CertificateWithoutPrincipals,
}

impl SignatureProblem {
    /// The stable code, such as `unknown_key`.
    pub fn code(&self) -> &'static str {
        self.into()
    }

    /// The facts beside the code.
    fn facts(&self) -> Facts<'_> {
        use SignatureProblem::*;
        match self {
            MalformedSignature { reason } => facts![reason],
            UnsupportedAlgorithm { algorithm } => facts![algorithm],
            WrongNamespace { expected, found } => facts![expected, found],
            WeakKey { what, bits, minimum } => facts![what, bits, minimum],
            UnknownKey { fingerprint } | NoTrustedSigners { fingerprint } => facts![fingerprint],
            ListedKey { fingerprint, listed_as } => facts![fingerprint, listed_as],
            NamespaceNotAllowed { line, namespace, allowed } => facts![line, namespace, allowed],
            NotYetValid { line } | ExpiredKey { line } => facts![line],
            Revoked { what, fingerprint } => facts![what, fingerprint],
            PrincipalNotAllowed { line, listed, demanded } => facts![line, listed, demanded],
            BadSignature
            | CertificateBadAuthoritySignature
            | CertificateNotForUsers
            | CertificateNotYetValid
            | CertificateExpired
            | CertificateWithoutPrincipals => facts![],
        }
    }
}

impl Serialize for SignatureProblem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        facts::serialize(self.code(), self.facts(), serializer)
    }
}

fn asked(demanded: &Option<String>) -> String {
    match demanded {
        Some(demanded) => format!(", and this page asks for {}", Quoted(demanded)),
        None => " only, and its certificate is for someone else".into(),
    }
}
