//! From the rows of a frozen catalog to what DuckDB is told.
//!
//! The catalog is a DuckDB file and its rows are read by DuckDB, with the queries made here; what
//! they mean is decided here too, by the rules of the DuckLake specification (formats 0.3 and 1.0): which
//! tables a snapshot has, which columns they have, and which Parquet files hold their rows. Each
//! table becomes a view over `read_parquet`. What such a view cannot show exactly is refused by
//! name: a wrong row is worse than none.

mod queries; // what is asked of a catalog
mod row; // what one row of each answer holds
mod rows; // all the answers, and the rules that concern the whole catalog

mod field; // columns and what is inside them
mod reading;
mod rebuild; // a nested value put together again by field id
mod stored; // what a data file holds, where it is not as the table has it // how files of one kind are read

mod table; // the rows that concern one table
mod view; // a table as a view over its files

mod definitions; // the publisher's views and macros
mod syntax; // what they may name

mod ducklake; // the other way: by DuckDB's own extension
mod files;
mod page; // rows of one table, as a page asks for them
mod plan;
mod sql;

pub use page::Page;
pub use plan::{HandOver, Kind, Plan, PlannedColumn, PlannedDefinition, PlannedTable, Questions};
pub use queries::Query;
pub use rows::CatalogRows;
