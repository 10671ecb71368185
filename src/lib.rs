//! Read FDL repositories: follow a ref, decide whether to believe the version, hand it over.
//!
//! An FDL repository is a DuckLake whose catalog is frozen once per version and laid out as plain
//! files on any static host. The words are the specification's: a *repository* has a *root*,
//! *refs* hold *versions*, a version has a *record* (version.json) and a frozen *catalog*.
//!
//! ```no_run
//! # async fn example(transport: impl fdl_reader::Transport) -> Result<(), fdl_reader::FdlError> {
//! use fdl_reader::{Options, Repository, Root};
//!
//! let root = Root::parse("https://host.example/lake/")?;
//! let repository = Repository::open(transport, root, Options::default()).await?;
//! let version = repository.version(Some("main")).await?;
//! println!("{} {:?}", version.id(), version.verdict().integrity);
//! # Ok(())
//! # }
//! ```
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod error; // what can go wrong, with its facts
mod facts; // those facts, member by member
mod layout; // where each file lies
mod quoted; // a text from outside within a sentence
pub mod record; // what each file says
pub mod transport; // how bytes come in
pub mod trust; // whether to believe them

mod history; // the graph of parents
mod refs; // from a name to a version
mod repository; // one repository, opened
mod roots; // its own root and its mirrors
mod signed; // a record and the signature on it
mod sorted; // lists in order
mod source; // the files of one root
mod tips; // whether a ref went back
mod together; // several things at the same time
mod version; // one version, read and verified

pub mod catalog; // from the catalog's rows to what DuckDB is told
pub mod data; // the data files, held against what vouches for them

#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)] // wasm-bindgen generates it
mod wasm; // the same, for JavaScript

pub use error::{FdlError, RootFailure};
pub use history::{History, HistoryEntry};
pub use layout::{RefName, RelativePath, Root, VersionId};
pub use refs::Followed;
pub use repository::{OnUntrusted, Options, Repository};
pub use source::Limits;
pub use tips::{Obstacle, TipComparison, TipWarning};
pub use transport::Transport;
pub use version::{VerifiedCatalog, Version};
