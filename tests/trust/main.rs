//! Whom this reader trusts, held against `ssh-keygen -Y verify`: it never trusts where ssh-keygen
//! does not, and where ssh-keygen does and it does not, the difference has a name
//! ([`agreement::Difference`]).
#![cfg(not(target_arch = "wasm32"))]

mod agreement; // one case, judged by both
mod reader; // this reader's verdict
mod ssh_keygen; // the judge

mod algorithms; // kinds of keys and hashes
mod armor; // the text around a signature
mod framing; // the parts of a signature
mod lists; // lines of trusted signers
mod validity; // from when and until when a key counts

#[path = "../fuzz/chance.rs"]
mod chance; // chance that is the same each time
mod seeded; // all of these together, at random
