//! A table's columns at a snapshot, with their types in DuckDB's words.
//!
//! Source: the DuckLake specification, "Data Types".

use std::collections::{HashMap, HashSet};

use super::rows::Column;
use super::sql::identifier;

/// A column of a table.
#[derive(Clone, Debug)]
pub(super) struct TypedColumn<'a> {
    pub(super) id: u32,
    pub(super) name: &'a str,
    /// In DuckDB's words.
    pub(super) data_type: String,
    /// The type by which a Parquet file holds it, where that is another one.
    pub(super) stored_type: Option<&'static str>,
    pub(super) initial_default: Option<&'a str>,
}

/// The columns of a table in all snapshots, by the column that holds them (`None`: the table).
type Tree<'a> = HashMap<Option<u32>, Vec<&'a Column>>;

/// Deeper nesting than this is refused; DuckDB's own parser has a limit of the same order.
const MAX_DEPTH: usize = 64;

/// The columns live at `snapshot`, in order.
///
/// # Errors
/// Why they cannot be read exactly, as the end of a sentence.
pub(super) fn columns_at<'a>(rows: &[&'a Column], snapshot: u64) -> Result<Vec<TypedColumn<'a>>, String> {
    let mut tree: Tree = HashMap::new();
    for row in rows {
        tree.entry(row.parent_column).or_default().push(row);
    }
    let columns = live_children(&tree, None, snapshot)
        .ok_or("has a column that is listed twice")?
        .into_iter()
        .map(|column| {
            refuse_changed_children(column, &tree)?;
            Ok(TypedColumn {
                id: column.column_id,
                name: &column.column_name,
                data_type: data_type(column, &tree, snapshot, 0)?,
                // JSON is stored as text, and a plain column of it is read so.
                stored_type: (column.column_type == "json").then_some("VARCHAR"),
                initial_default: column.initial_default.as_deref(),
            })
        })
        .collect::<Result<Vec<_>, String>>()?;
    if columns.is_empty() { Err("has no columns".into()) } else { Ok(columns) }
}

/// The columns in `parent` at `snapshot`; `None` where one is listed twice, which would let the
/// rows of a damaged catalog multiply with every level.
fn live_children<'a>(tree: &Tree<'a>, parent: Option<u32>, snapshot: u64) -> Option<Vec<&'a Column>> {
    let children = tree.get(&parent).map(Vec::as_slice).unwrap_or_default();
    let live: Vec<_> = children.iter().copied().filter(|row| row.is_live_at(snapshot)).collect();
    let ids: HashSet<u32> = live.iter().map(|row| row.column_id).collect();
    (ids.len() == live.len()).then_some(live)
}

fn data_type(column: &Column, tree: &Tree, snapshot: u64, depth: usize) -> Result<String, String> {
    let unreadable = || {
        let Column { column_name, column_type, .. } = column;
        format!("has the column {column_name:?} of a type that is not read yet ({column_type})")
    };
    if depth > MAX_DEPTH {
        return Err(unreadable());
    }
    let children = || -> Result<Vec<(&str, String)>, String> {
        live_children(tree, Some(column.column_id), snapshot)
            .ok_or_else(unreadable)?
            .into_iter()
            .map(|child| Ok((child.column_name.as_str(), data_type(child, tree, snapshot, depth + 1)?)))
            .collect()
    };
    Ok(match column.column_type.as_str() {
        "struct" => {
            let members: Vec<String> = children()?
                .iter()
                .map(|(name, data_type)| format!("{} {data_type}", identifier(name)))
                .collect();
            if members.is_empty() {
                return Err(unreadable());
            }
            format!("STRUCT({})", members.join(", "))
        }
        "list" => match children()?.as_slice() {
            [(_, element)] => format!("{element}[]"),
            _ => return Err(unreadable()),
        },
        "map" => match children()?.as_slice() {
            [(_, key), (_, value)] => format!("MAP({key}, {value})"),
            _ => return Err(unreadable()),
        },
        scalar => scalar_type(scalar).ok_or_else(unreadable)?,
    })
}

/// Below the top level, `read_parquet` matches by name and not by field id. That is exact only
/// while every nested name and id belong together, in all snapshots.
fn refuse_changed_children(column: &Column, tree: &Tree) -> Result<(), String> {
    let changed = || Err(format!("has the nested column {:?}, whose members changed", column.column_name));
    let born = |rows: &[&Column], id: u32| {
        rows.iter().filter(|row| row.column_id == id).map(|row| row.begin_snapshot).min()
    };
    let siblings = tree.get(&column.parent_column).map(Vec::as_slice).unwrap_or_default();
    let column_born = born(siblings, column.column_id);
    let mut pending = vec![column.column_id];
    let mut seen = HashSet::new();
    while let Some(parent) = pending.pop() {
        if !seen.insert(parent) {
            return changed();
        }
        let (mut ids, mut names) = (HashMap::new(), HashMap::new());
        for child in tree.get(&Some(parent)).map(Vec::as_slice).unwrap_or_default() {
            let (id, name) = (child.column_id, child.column_name.as_str());
            let first = ids.insert(id, name);
            if names.insert(name, id).is_some_and(|other| other != id)
                || first.is_some_and(|other| other != name)
                || child.initial_default.is_some()
                || first.is_none() && Some(child.begin_snapshot) != column_born
            {
                return changed();
            }
            if first.is_none() {
                pending.push(id);
            }
        }
    }
    Ok(())
}

fn scalar_type(name: &str) -> Option<String> {
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
        "date" => "DATE",
        "time" => "TIME",
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
        Ok(columns_at(&rows, 5)?.into_iter().map(|column| column.data_type).collect())
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
    fn a_nested_member_that_was_renamed_or_added_is_refused() {
        let parent = || column(1, "s", "struct", None, (1, None));
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
        for columns in [&renamed[..], &added, &remade] {
            assert!(types(columns).unwrap_err().contains("members changed"));
        }
    }

    #[test]
    fn a_type_that_is_not_known_or_holds_itself_is_refused() {
        for name in
            ["geometry", "decimal(39,1)", "decimal(3,4)", "decimal(0,0)", "decimal", "struct", "list", "map"]
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
