//! From the rows of a frozen catalog to what DuckDB is told.
//!
//! The catalog is a DuckDB file and its rows are read by DuckDB, with the queries made here; what
//! they mean is decided here too, by the rules of the DuckLake specification (format 1.0): which
//! tables a snapshot has, which columns they have, and which Parquet files hold their rows. Each
//! table becomes a view over `read_parquet`. What such a view cannot show exactly is refused by
//! name: a wrong row is worse than none.

mod files;
mod plan;
mod rows;
mod sql;
mod types;
mod view;

pub use plan::{HandOver, Plan, PlannedTable};
pub use rows::{CatalogRows, Query};

/// The DuckLake formats that are read.
pub const FORMATS: [&str; 1] = ["1.0"];
