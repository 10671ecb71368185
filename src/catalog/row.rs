//! One row of each of the catalog's tables, as the queries give it: every value is text or null.

use std::ops::Deref;

use crate::record::member::{Member, Read};

/// The rows that a query gave; nothing was asked until they are `given`.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    rows: Vec<T>,
    pub(super) given: bool,
}

impl<T> Default for Rows<T> {
    fn default() -> Rows<T> {
        Rows { rows: Vec::new(), given: false }
    }
}

impl<T> Deref for Rows<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.rows
    }
}

/// Reads the member `name` of the answers, where it is there.
pub(super) fn rows_of<T: Row>(root: &Member, name: &'static str, rows: &mut Rows<T>) -> Read<()> {
    let member = root.member(name);
    if !member.is_missing()? {
        *rows = Rows { rows: member.each(|row| T::read(&row))?, given: true };
    }
    Ok(())
}

pub(super) trait Row: Sized {
    fn read(row: &Member) -> Read<Self>;
}

/// A value of a row.
trait Cell: Sized {
    fn read(row: &Member, column: &'static str) -> Read<Self>;
}

impl Cell for String {
    fn read(row: &Member, column: &'static str) -> Read<String> {
        row.member(column).text()
    }
}

impl<T: Cell> Cell for Option<T> {
    fn read(row: &Member, column: &'static str) -> Read<Option<T>> {
        row.member(column).optional(|_| T::read(row, column))
    }
}

impl Cell for bool {
    fn read(row: &Member, column: &'static str) -> Read<bool> {
        let value = row.member(column);
        value.text()?.parse().map_err(|_| value.invalid("is not true or false"))
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl Cell for $number {
            fn read(row: &Member, column: &'static str) -> Read<$number> {
                let value = row.member(column);
                value.text()?.parse().map_err(|_| value.invalid("is not a number that it can be"))
            }
        })*
    };
}

numbers!(i64, u32, u64, usize);

/// A path, relative to what holds it or to nothing.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) path: Option<String>,
    pub(super) is_relative: bool,
}

impl Cell for Path {
    fn read(row: &Member, column: &'static str) -> Read<Path> {
        let is_relative = Option::<bool>::read(row, "path_is_relative")?.unwrap_or(true);
        Ok(Path { path: Cell::read(row, column)?, is_relative })
    }
}

/// A struct for a row whose columns are called as its fields.
macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $column:ident: $cell:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug)]
            pub(super) struct $name {
                $($(#[$about])* pub(super) $column: $cell),*
            }

            impl Row for $name {
                fn read(row: &Member) -> Read<$name> {
                    Ok($name { $($column: Cell::read(row, stringify!($column))?),* })
                }
            }
        )*
    };
}

rows! {
    Metadata { key: String, value: Option<String> }

    Snapshot { snapshot_id: u64 }

    Schema { schema_id: i64, schema_name: String, path: Path }

    Table { table_id: i64, schema_id: i64, table_name: String, path: Path }

    Column {
        table_id: i64,
        column_id: u32,
        begin_snapshot: u64,
        end_snapshot: Option<u64>,
        column_name: String,
        column_type: String,
        initial_default: Option<String>,
        parent_column: Option<u32>,
    }

    DataFile {
        data_file_id: i64,
        table_id: i64,
        path: Path,
        file_format: Option<String>,
        record_count: u64,
        file_size_bytes: Option<u64>,
        encryption_key: Option<String>,
        mapping_id: Option<i64>,
        partial_max: Option<u64>,
        /// What format 0.3 has for `partial_max`.
        partial_file_info: Option<String>,
    }

    DeleteFile {
        data_file_id: i64,
        path: Path,
        format: Option<String>,
        delete_count: u64,
        file_size_bytes: Option<u64>,
        encryption_key: Option<String>,
    }

    /// How the columns of some data files are found, which carry no field ids.
    Mapping { mapping_id: i64, kind: Option<String> }

    MappedColumn {
        mapping_id: i64,
        column_id: i64,
        source_name: String,
        target_field_id: u32,
        parent_column: Option<i64>,
        is_partition: bool,
    }

    InlinedData { table_id: i64, table_name: String, schema_version: u64 }

    SchemaVersion { begin_snapshot: u64, schema_version: u64, table_id: Option<i64> }

    InlinedTable { table_name: String }

    /// Of a table or a view.
    Comment { object_id: i64, value: Option<String> }

    ColumnComment { table_id: i64, column_id: u32, value: Option<String> }

    View {
        view_id: i64,
        schema_id: i64,
        view_name: String,
        dialect: Option<String>,
        sql: String,
        column_aliases: Option<String>,
    }

    Macro { macro_id: i64, schema_id: i64, macro_name: String }

    /// One overload of a macro.
    MacroImpl {
        macro_id: i64,
        impl_id: i64,
        dialect: Option<String>,
        sql: String,
        /// `scalar` or `table`.
        kind: String,
    }

    MacroParameter {
        macro_id: i64,
        impl_id: i64,
        parameter_name: String,
        parameter_type: Option<String>,
        default_value: Option<String>,
        default_value_type: Option<String>,
    }

    /// How many rows of a data file are deleted by one of the catalog's own tables.
    InlinedDeletes { table_name: String, file_id: i64, deletes: u64 }

    /// How many rows one of the catalog's own tables holds.
    InlinedRows { table_name: String, rows: u64 }

    /// An element of the schema in a Parquet file's footer; they come in depth-first order.
    FooterElement {
        file_name: String,
        name: String,
        /// How many elements are directly in it.
        children: Option<usize>,
        field_id: Option<u32>,
        converted_type: Option<String>,
        duckdb_type: Option<String>,
    }

    /// The syntax tree of the publisher's SQL, as DuckDB's parser gives it.
    Syntax { place: usize, tree: String }
}

impl Column {
    pub(super) fn is_live_at(&self, snapshot: u64) -> bool {
        self.begin_snapshot <= snapshot && self.end_snapshot.is_none_or(|end| snapshot < end)
    }
}
