//! Whether to believe a version: integrity (do the bytes match the record?) and signature (did
//! someone whom the page trusts sign the record?), kept apart.
//!
//! These modules take bytes and the time as arguments: they fetch nothing, read no clock and
//! parse no JSON. What `ssh-keygen -Y verify` accepts decides what is accepted here.

mod algorithm; // whether a key made a signature
pub mod allowed_signers; // whom the page trusts
mod base64;
mod certificate; // an authority's word for a key
pub mod digest; // sha256
mod key; // public keys
mod krl; // a list of revoked keys in OpenSSH's own form
mod patterns; // lists of names with * and ?
mod problem; // why a signature does not count
pub mod revoked; // whom the page no longer trusts
pub mod sshsig; // signatures
pub mod verdict; // what all of it came to
mod webcrypto; // the browser's own algorithms
mod wire;

#[cfg(test)]
mod wycheproof;

pub use allowed_signers::{Principals, SkippedLine, TrustedSigners};
pub use certificate::Certificate;
pub use problem::SignatureProblem;
pub use revoked::Revoked;
pub use verdict::{
    Check, Finding, Integrity, Outcome, PassedOver, Policy, RecordAuthor, SignatureOutcome, Signer,
    SignerCertificate, TimeIs, ValidityTime, Verdict,
};
