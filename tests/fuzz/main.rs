//! Files changed at random: whatever is in a file, its reader answers with a value that keeps the
//! rules or with an error that says what is wrong. It neither panics nor hangs.
//!
//! A target is a test. `cargo test` runs each a few thousand times; for some seconds each, and as
//! fast as can be:
//!
//! ```sh
//! FDL_FUZZ_SECONDS=60 cargo test --profile fuzz --test fuzz
//! ```
//!
//! A failure prints the input and the seed; with that as `FDL_FUZZ_SEED` it is the first input.
#![cfg(not(target_arch = "wasm32"))]

mod chance; // chance that is the same each time
mod changes; // how files are changed
mod run; // how often, and what is said of it

mod files; // the files of a repository
mod signatures; // signatures, and the lists that trust or revoke their keys

#[allow(dead_code)] // parts of it are for other tests
#[path = "../format/scenario.rs"]
mod scenario; // the maker's repositories

#[allow(dead_code)]
#[path = "../trust/by_hand.rs"]
mod by_hand; // keys and certificates
#[allow(dead_code)]
#[path = "../trust/parts.rs"]
mod parts; // a signature taken apart
#[path = "../trust/reader.rs"]
mod reader; // this reader's verdict
#[path = "../trust/wire.rs"]
mod wire; // SSH's wire form
