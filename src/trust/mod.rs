//! Whether to believe a version: integrity (do the bytes match the record?) and signature (did
//! someone whom the page trusts sign the record?), kept apart.
//!
//! These modules take bytes and the time as arguments: they fetch nothing, read no clock and
//! parse no JSON. What `ssh-keygen -Y verify` accepts decides what is accepted here.

mod algorithm;
pub mod allowed_signers;
mod base64;
pub mod digest;
mod patterns;
pub mod sshsig;
pub mod verdict;
mod wire;

pub use allowed_signers::TrustedSigners;
pub use verdict::{
    Check, Finding, Integrity, Outcome, Policy, SignatureOutcome, Signer, SkippedLine, Verdict,
};
