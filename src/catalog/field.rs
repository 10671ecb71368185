//! A table's columns as trees of fields, with their types in DuckDB's words.
//!
//! Source: the DuckLake specification, "Data Types" and "ducklake_column". The id of a column is the
//! field id that its Parquet columns carry; so do the members of structs, lists and maps.

use std::collections::{HashMap, HashSet};

use super::row::Column;
use super::sql::identifier;
use crate::quoted::Quoted;

/// A column, or what a nested column holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Field<'a> {
    pub(super) id: u32,
    pub(super) name: &'a str,
    pub(super) shape: Shape<'a>,
    /// What rows that were written before the field was added hold, as text.
    pub(super) initial_default: Option<&'a str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape<'a> {
    /// A type in DuckDB's words.
    Scalar(String),
    Struct(Vec<Field<'a>>),
    /// Its element.
    List(Box<Field<'a>>),
    /// Key and value.
    Map(Box<[Field<'a>; 2]>),
}

impl Field<'_> {
    /// The type in DuckDB's words.
    pub(super) fn data_type(&self) -> String {
        match &self.shape {
            Shape::Scalar(name) => name.clone(),
            Shape::Struct(members) => {
                struct_type(members.iter().map(|member| (member.name, member.data_type())))
            }
            Shape::List(element) => format!("{}[]", element.data_type()),
            Shape::Map(entry) => format!("MAP({}, {})", entry[0].data_type(), entry[1].data_type()),
        }
    }

    /// What the field directly holds.
    pub(super) fn children(&self) -> &[Self] {
        match &self.shape {
            Shape::Scalar(_) => &[],
            Shape::Struct(members) => members,
            Shape::List(element) => std::slice::from_ref(element),
            Shape::Map(entry) => &**entry,
        }
    }

    pub(super) fn is_nested(&self) -> bool {
        !matches!(self.shape, Shape::Scalar(_))
    }
}

/// `STRUCT("a" INTEGER, …)`
pub(super) fn struct_type<'n>(members: impl Iterator<Item = (&'n str, String)>) -> String {
    let members: Vec<String> =
        members.map(|(name, data_type)| format!("{} {data_type}", identifier(name))).collect();
    format!("STRUCT({})", members.join(", "))
}

/// Deeper nesting than this is refused; DuckDB's own parser has a limit of the same order.
const MAX_DEPTH: usize = 64;

/// A table's rows of `ducklake_column` in all snapshots, by the column that holds them (`None`: the
/// table itself).
pub(super) struct Columns<'a>(HashMap<Option<u32>, Vec<&'a Column>>);

impl<'a> Columns<'a> {
    pub(super) fn new(rows: &[&'a Column]) -> Columns<'a> {
        let mut by_parent: HashMap<_, Vec<_>> = HashMap::new();
        for row in rows {
            by_parent.entry(row.parent_column).or_default().push(*row);
        }
        Columns(by_parent)
    }

    /// The columns live at `snapshot`, in order.
    ///
    /// # Errors
    /// Why they cannot be read exactly, as the end of a sentence about the table.
    pub(super) fn at(&self, snapshot: u64) -> Result<Vec<Field<'a>>, String> {
        let live = self.live_in(None, snapshot).ok_or("has a column that is listed twice")?;
        if live.is_empty() {
            return Err("has no columns".into());
        }
        live.into_iter().map(|column| self.field(column, snapshot, 0)).collect()
    }

    /// The columns in `parent` at `snapshot`; `None` where one is listed twice, which would let the
    /// rows of a damaged catalog multiply with every level.
    fn live_in(&self, parent: Option<u32>, snapshot: u64) -> Option<Vec<&'a Column>> {
        let live: Vec<_> =
            self.rows_in(parent).iter().copied().filter(|row| row.is_live_at(snapshot)).collect();
        let ids: HashSet<u32> = live.iter().map(|row| row.column_id).collect();
        (ids.len() == live.len()).then_some(live)
    }

    fn rows_in(&self, parent: Option<u32>) -> &[&'a Column] {
        self.0.get(&parent).map(Vec::as_slice).unwrap_or_default()
    }

    fn field(&self, column: &'a Column, snapshot: u64, depth: usize) -> Result<Field<'a>, String> {
        let unreadable = || {
            let Column { column_name, column_type, .. } = column;
            format!("has the column {} of a type that is not read ({column_type})", Quoted(column_name))
        };
        if depth > MAX_DEPTH {
            return Err(unreadable());
        }
        let children = || -> Result<Vec<Field<'a>>, String> {
            self.live_in(Some(column.column_id), snapshot)
                .ok_or_else(unreadable)?
                .into_iter()
                .map(|child| self.field(child, snapshot, depth + 1))
                .collect()
        };
        let shape = match column.column_type.as_str() {
            "struct" => match children()? {
                members if members.is_empty() => return Err(unreadable()),
                members => Shape::Struct(members),
            },
            "list" => match <[Field; 1]>::try_from(children()?) {
                Ok([element]) => Shape::List(Box::new(element)),
                Err(_) => return Err(unreadable()),
            },
            "map" => match <[Field; 2]>::try_from(children()?) {
                Ok(entry) => Shape::Map(Box::new(entry)),
                Err(_) => return Err(unreadable()),
            },
            scalar => Shape::Scalar(scalar_type(scalar).ok_or_else(unreadable)?),
        };
        Ok(Field {
            id: column.column_id,
            name: &column.column_name,
            shape,
            initial_default: column.initial_default.as_deref(),
        })
    }

    /// Whether names do not suffice to find what is inside the column `id` in every file. Below the top
    /// level `read_parquet` matches by name and not by field id: that is exact only while every
    /// nested name and id belong together in all snapshots, and none was added later.
    pub(super) fn members_changed(&self, id: u32, parent: Option<u32>) -> bool {
        let born = |parent, id| {
            let rows = self.rows_in(parent).iter().filter(|row| row.column_id == id);
            rows.map(|row| row.begin_snapshot).min()
        };
        let column_born = born(parent, id);
        let mut pending = vec![id];
        let mut seen = HashSet::new();
        while let Some(parent) = pending.pop() {
            if !seen.insert(parent) {
                return true;
            }
            let (mut ids, mut names) = (HashMap::new(), HashMap::new());
            for child in self.rows_in(Some(parent)) {
                let (id, name) = (child.column_id, child.column_name.as_str());
                let first = ids.insert(id, name);
                if names.insert(name, id).is_some_and(|other| other != id)
                    || first.is_some_and(|other| other != name)
                    || child.initial_default.is_some()
                    || first.is_none() && Some(child.begin_snapshot) != column_born
                {
                    return true;
                }
                if first.is_none() {
                    pending.push(id);
                }
            }
        }
        false
    }
}

/// The type that DuckLake calls `name`, in DuckDB's words.
pub(super) fn scalar_type(name: &str) -> Option<String> {
    let plain = match name {
        "boolean" => "BOOLEAN",
        "int8" => "TINYINT",
        "int16" => "SMALLINT",
        "int32" => "INTEGER",
        "int64" => "BIGINT",
        "int128" => "HUGEINT",
        "uint8" => "UTINYINT",
        "uint16" => "USMALLINT",
        "uint32" => "UINTEGER",
        "uint64" => "UBIGINT",
        "uint128" => "UHUGEINT",
        "float32" => "FLOAT",
        "float64" => "DOUBLE",
        "varchar" => "VARCHAR",
        "blob" => "BLOB",
        "uuid" => "UUID",
        "json" => "JSON",
        "variant" => "VARIANT",
        "geometry" => "GEOMETRY",
        "date" => "DATE",
        "time" => "TIME",
        "time_ns" => "TIME_NS",
        "timetz" => "TIME WITH TIME ZONE",
        "timestamp" | "timestamp_us" => "TIMESTAMP",
        "timestamp_s" => "TIMESTAMP_S",
        "timestamp_ms" => "TIMESTAMP_MS",
        "timestamp_ns" => "TIMESTAMP_NS",
        "timestamptz" => "TIMESTAMP WITH TIME ZONE",
        "interval" => "INTERVAL",
        _ => return decimal_type(name),
    };
    Some(plain.into())
}

/// `decimal(width,scale)`
fn decimal_type(name: &str) -> Option<String> {
    let (width, scale) = name.strip_prefix("decimal(")?.strip_suffix(')')?.split_once(',')?;
    let (width, scale): (u8, u8) = (width.trim().parse().ok()?, scale.trim().parse().ok()?);
    ((1..=38).contains(&width) && scale <= width).then(|| format!("DECIMAL({width},{scale})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(
        id: u32,
        name: &str,
        column_type: &str,
        parent: Option<u32>,
        live: (u64, Option<u64>),
    ) -> Column {
        Column {
            table_id: 1,
            column_id: id,
            begin_snapshot: live.0,
            end_snapshot: live.1,
            column_name: name.into(),
            column_type: column_type.into(),
            initial_default: None,
            parent_column: parent,
        }
    }

    fn types(columns: &[Column]) -> Result<Vec<String>, String> {
        let rows: Vec<&Column> = columns.iter().collect();
        Ok(Columns::new(&rows).at(5)?.iter().map(Field::data_type).collect())
    }

    #[test]
    fn nested_types_are_built_from_their_children() {
        let columns = [
            column(1, "deep", "list", None, (1, None)),
            column(2, "element", "struct", Some(1), (1, None)),
            column(3, "a\"b", "decimal(38, 10)", Some(2), (1, None)),
            column(4, "m", "map", Some(2), (1, None)),
            column(5, "key", "varchar", Some(4), (1, None)),
            column(6, "value", "int8", Some(4), (1, None)),
        ];
        assert_eq!(
            types(&columns).unwrap(),
            [r#"STRUCT("a""b" DECIMAL(38,10), "m" MAP(VARCHAR, TINYINT))[]"#]
        );
    }

    #[test]
    fn a_nested_member_that_was_renamed_added_or_made_again_cannot_be_found_by_its_name() {
        let parent = || column(1, "s", "struct", None, (1, None));
        let unchanged = [parent(), column(2, "a", "int8", Some(1), (1, None))];
        let promoted = [
            parent(),
            column(2, "a", "int8", Some(1), (1, Some(3))),
            column(2, "a", "int16", Some(1), (3, None)),
        ];
        let renamed = [
            parent(),
            column(2, "a", "int8", Some(1), (1, Some(3))),
            column(2, "b", "int8", Some(1), (3, None)),
        ];
        let added = [
            parent(),
            column(2, "a", "int8", Some(1), (1, None)),
            column(3, "b", "int8", Some(1), (3, None)),
        ];
        let remade = [
            parent(),
            column(2, "a", "int8", Some(1), (1, Some(3))),
            column(3, "a", "int8", Some(1), (1, None)),
        ];
        for (columns, changed) in
            [(&unchanged[..], false), (&promoted, false), (&renamed, true), (&added, true), (&remade, true)]
        {
            let rows: Vec<&Column> = columns.iter().collect();
            assert_eq!(Columns::new(&rows).members_changed(1, None), changed, "{columns:?}");
        }
    }

    #[test]
    fn a_type_that_is_not_known_or_holds_itself_is_refused() {
        for name in
            ["tensor", "decimal(39,1)", "decimal(3,4)", "decimal(0,0)", "decimal", "struct", "list", "map"]
        {
            assert!(types(&[column(1, "x", name, None, (1, None))]).is_err(), "{name}");
        }
        let cycle = [column(1, "x", "list", None, (1, None)), column(1, "y", "list", Some(1), (1, None))];
        assert!(types(&cycle).is_err());
    }

    #[test]
    fn columns_that_are_listed_twice_do_not_multiply_with_every_level() {
        let twice = |id: u32| [(); 2].map(|()| column(id, "a", "struct", id.checked_sub(1), (1, None)));
        let columns: Vec<Column> = (0..60).flat_map(twice).collect();
        assert!(types(&columns).is_err());
    }
}
