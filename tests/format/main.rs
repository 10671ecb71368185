//! What each file of a repository says, and in how many requests it is read: the maker's real
//! repositories, read from disk, held against the judge's answers beside them.
//!
//! `tests/repositories/README.md` tells how they are made. `FDL_REPOSITORIES` may name another
//! folder than `build/repositories/`.
#![cfg(not(target_arch = "wasm32"))]

mod host; // a repository on disk, changed in a file or two, that notes what it is asked
mod scenario; // the maker's repositories and the judge's answers

mod stops; // every broken scenario, and where a reader of it stops
mod walk; // every scenario, from the root to the catalogs

mod expired; // what past retention and withdrawal leave
mod history; // the graph of parents
mod hosts; // what hosts answer instead of a file
mod limits; // how far a file is read
mod mirrors; // other roots, where the first fails or is broken
mod names; // from a name to a version
mod rounds;
mod tips; // a ref held against what it held before // how many requests, and when

mod data; // data files, delete files and source files, held against what vouches for them
mod memory; // how much of a file is in memory at once

mod damage; // every byte flipped, every length cut
