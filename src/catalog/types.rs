//! A table's columns at a snapshot, with their types in DuckDB's words.
//!
//! Source: the DuckLake specification, "Data Types".

use super::rows::Column;
use super::sql::identifier;

/// A column of a table, or of a nested type.
#[derive(Clone, Debug)]
pub(super) struct TypedColumn<'a> {
    pub(super) id: i64,
    pub(super) name: &'a str,
    /// In DuckDB's words.
    pub(super) data_type: String,
    /// The type by which a Parquet file holds it, where that is another one.
    pub(super) stored_type: Option<String>,
    pub(super) initial_default: Option<&'a str>,
}

/// The columns live at `snapshot`, in order.
///
/// # Errors
/// Why they cannot be read exactly, as the end of a sentence.
pub(super) fn columns_at<'a>(rows: &[&'a Column], snapshot: u64) -> Result<Vec<TypedColumn<'a>>, String> {
    rows.iter()
        .filter(|row| row.parent_column.is_none() && row.is_live_at(snapshot))
        .map(|column| {
            let types = Types { rows, snapshot };
            refuse_changed_children(column, rows)?;
            let data_type = types.data_type(column, 0)?;
            Ok(TypedColumn {
                id: column.column_id,
                name: &column.column_name,
                stored_type: data_type.contains("JSON").then(|| types.stored_type(column)).flatten(),
                data_type,
                initial_default: column.initial_default.as_deref(),
            })
        })
        .collect()
}

struct Types<'a, 'b> {
    rows: &'b [&'a Column],
    snapshot: u64,
}

/// Deeper nesting than this is refused; DuckDB's own parser has a limit of the same order.
const MAX_DEPTH: usize = 64;

impl Types<'_, '_> {
    fn data_type(&self, column: &Column, depth: usize) -> Result<String, String> {
        if depth > MAX_DEPTH {
            return Err(format!("has the column {:?}, which is nested too deeply", column.column_name));
        }
        let children = || -> Result<Vec<(&str, String)>, String> {
            self.rows
                .iter()
                .filter(|row| row.parent_column == Some(column.column_id) && row.is_live_at(self.snapshot))
                .map(|child| Ok((child.column_name.as_str(), self.data_type(child, depth + 1)?)))
                .collect()
        };
        let unreadable = || {
            format!(
                "has the column {:?} of a type that is not read yet ({})",
                column.column_name, column.column_type
            )
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

    /// JSON is stored as text, and a plain column of it is read so.
    fn stored_type(&self, column: &Column) -> Option<String> {
        (column.column_type == "json").then(|| "VARCHAR".into())
    }
}

/// Below the top level, `read_parquet` matches by name and not by field id. That is exact only
/// while every nested name and id belong together, in all snapshots.
fn refuse_changed_children(column: &Column, rows: &[&Column]) -> Result<(), String> {
    let mut pending = vec![column.column_id];
    let mut seen = std::collections::HashSet::new();
    while let Some(parent) = pending.pop() {
        if !seen.insert(parent) {
            return Err(format!("has the column {:?}, which holds itself", column.column_name));
        }
        let versions = |id: i64| rows.iter().filter(move |row| row.column_id == id);
        let born = versions(column.column_id).map(|row| row.begin_snapshot).min();
        let children: Vec<_> = rows.iter().filter(|row| row.parent_column == Some(parent)).collect();
        for child in &children {
            let changed = children.iter().any(|other| {
                (other.column_id == child.column_id) != (other.column_name == child.column_name)
            });
            let added = versions(child.column_id).map(|row| row.begin_snapshot).min() != born;
            if changed || added || child.initial_default.is_some() {
                return Err(format!("has the nested column {:?}, whose members changed", column.column_name));
            }
        }
        let mut ids: Vec<i64> = children.iter().map(|child| child.column_id).collect();
        ids.sort_unstable();
        ids.dedup();
        pending.extend(ids);
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
    (width <= 38 && scale <= width).then(|| format!("DECIMAL({width},{scale})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(
        id: i64,
        name: &str,
        column_type: &str,
        parent: Option<i64>,
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
        for name in ["geometry", "decimal(39,1)", "decimal(3,4)", "decimal", "struct", "list", "map"] {
            assert!(types(&[column(1, "x", name, None, (1, None))]).is_err(), "{name}");
        }
        let cycle = [
            column(1, "x", "list", None, (1, None)),
            column(2, "y", "list", Some(1), (1, None)),
            column(1, "x", "list", Some(2), (1, None)),
        ];
        assert!(types(&cycle).is_err());
    }
}
