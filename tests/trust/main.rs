//! Whom this reader trusts, held against `ssh-keygen -Y verify`: it never trusts where ssh-keygen
//! does not, and where ssh-keygen does and it does not, the difference has a name
//! ([`agreement::Difference`]).
#![cfg(not(target_arch = "wasm32"))]

mod agreement; // one case, judged by both
mod reader; // this reader's verdict
mod ssh_keygen; // the judge

mod by_hand; // keys and certificates that ssh-keygen does not make
mod parts; // a signature taken apart
mod wire; // SSH's wire form

mod algorithms; // kinds of keys and hashes
mod armor; // the text around a signature
mod certificates; // an authority's word for a key
mod fido; // keys in devices
mod framing; // the parts of a signature
mod lists; // lines of trusted signers
mod neighbours; // what other verifiers get wrong
mod openssh; // OpenSSH's own tests
mod principals; // by whom a signature must be
mod revocation; // keys that no longer count
mod validity; // from when and until when a key counts

#[path = "../fuzz/chance.rs"]
mod chance; // chance that is the same each time
mod seeded; // all of these together, at random
