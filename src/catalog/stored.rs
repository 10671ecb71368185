//! What a file holds, where the table's own columns do not say it: by its footer, or by the mapping that
//! came with it.

use super::field::{Field, Shape};
use super::row::{FooterElement, MappedColumn};
use crate::quoted::Quoted;

/// Deeper footers than this are refused. A nested column has up to three levels for each of DuckLake's.
const MAX_DEPTH: usize = 200;

/// The columns of a file, by the elements of its footer. A field without an id has 0, which no column
/// of DuckLake has.
///
/// Source: the Parquet format, "Nested Types".
pub(super) fn by_footer<'a>(elements: &[&'a FooterElement]) -> Option<Vec<Field<'a>>> {
    let mut rest = elements.iter().copied();
    let root = rest.next()?;
    let columns = (0..root.children.unwrap_or(0)).map(|_| field(&mut rest, 0)).collect::<Option<Vec<_>>>()?;
    rest.next().is_none().then_some(columns)
}

fn field<'a>(rest: &mut impl Iterator<Item = &'a FooterElement>, depth: usize) -> Option<Field<'a>> {
    let element = rest.next().filter(|_| depth < MAX_DEPTH)?;
    let mut children =
        (0..element.children.unwrap_or(0)).map(|_| field(rest, depth + 1)).collect::<Option<Vec<_>>>()?;
    let is = |names: &[&str]| element.converted_type.as_deref().is_some_and(|name| names.contains(&name));
    let shape = if children.is_empty() {
        Shape::Scalar(element.duckdb_type.clone().unwrap_or_else(|| "BLOB".into()))
    } else if is(&["LIST"]) {
        // The repeated group between the list and its element has no name of its own in DuckLake.
        Shape::List(Box::new(only(repeated(&mut children)?)?))
    } else if is(&["MAP", "MAP_KEY_VALUE"]) {
        Shape::Map(Box::new(<[Field; 2]>::try_from(repeated(&mut children)?).ok()?))
    } else {
        Shape::Struct(children)
    };
    Some(Field { id: element.field_id.unwrap_or(0), name: &element.name, shape, initial_default: None })
}

/// What the repeated group in a list or a map holds.
fn repeated<'a>(children: &mut Vec<Field<'a>>) -> Option<Vec<Field<'a>>> {
    match only(std::mem::take(children))?.shape {
        Shape::Struct(fields) => Some(fields),
        _ => None,
    }
}

fn only<T>(items: Vec<T>) -> Option<T> {
    <[T; 1]>::try_from(items).ok().map(|[item]| item)
}

/// A mapping's columns directly in `parent`.
pub(super) fn mapped_in<'m, 'a>(
    mapping: &'m [&'a MappedColumn],
    parent: Option<i64>,
) -> impl Iterator<Item = &'a MappedColumn> + 'm {
    mapping.iter().copied().filter(move |column| column.parent_column == parent)
}

/// How files with a mapping hold `field`, which is found there as `column`.
///
/// # Errors
/// Why they cannot be read exactly, as the end of a sentence about the table.
pub(super) fn by_mapping<'a>(
    mapping: &[&'a MappedColumn],
    column: &'a MappedColumn,
    field: &Field<'a>,
) -> Result<Field<'a>, String> {
    let unmapped =
        || format!("has data files whose mapping does not tell what the column {} holds", Quoted(field.name));
    let found = |child: &Field<'a>| {
        let mut columns = mapped_in(mapping, Some(column.column_id));
        columns.find(|column| column.target_field_id == child.id)
    };
    let child = |child: &Field<'a>| by_mapping(mapping, found(child).ok_or_else(unmapped)?, child);
    let shape = match &field.shape {
        Shape::Scalar(name) => Shape::Scalar(name.clone()),
        Shape::Struct(members) => Shape::Struct(
            mapped_in(mapping, Some(column.column_id))
                .map(|column| match members.iter().find(|member| member.id == column.target_field_id) {
                    Some(member) => by_mapping(mapping, column, member),
                    // A member that the table has no more: whatever it holds, it can be read as text.
                    None => Ok(Field {
                        id: column.target_field_id,
                        name: &column.source_name,
                        shape: Shape::Scalar("VARCHAR".into()),
                        initial_default: None,
                    }),
                })
                .collect::<Result<_, _>>()?,
        ),
        Shape::List(element) => Shape::List(Box::new(child(element)?)),
        Shape::Map(entry) => Shape::Map(Box::new([child(&entry[0])?, child(&entry[1])?])),
    };
    if matches!(&shape, Shape::Struct(members) if members.is_empty()) {
        return Err(unmapped());
    }
    Ok(Field { id: field.id, name: &column.source_name, shape, initial_default: None })
}

/// The value that the folders of a path give a partition column, as text of its type: `Ok(None)` is NULL.
///
/// # Errors
/// The path has no such folder.
pub(super) fn partition_value(path: &str, name: &str, data_type: &str) -> Result<Option<String>, String> {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let value = folders
        .split('/')
        .filter_map(|folder| folder.split_once('='))
        .find(|(key, value)| *key == name && !value.contains('='))
        .map(|(_, value)| value)
        .ok_or_else(|| format!("has a data file whose path does not give the partition {}", Quoted(name)))?;
    // All are NULL by DuckDB's reading, the last but for text.
    let is_null = value.eq_ignore_ascii_case("NULL") || value == "__HIVE_DEFAULT_PARTITION__";
    if is_null || value.is_empty() && data_type != "VARCHAR" {
        return Ok(None);
    }
    let decoded = percent_encoding::percent_decode_str(value).decode_utf8();
    let decoded =
        decoded.map_err(|_| format!("has a data file whose partition {} is not text", Quoted(name)))?;
    Ok(Some(decoded.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(name: &str, children: usize, field_id: u32, converted_type: Option<&str>) -> FooterElement {
        FooterElement {
            file_name: "f".into(),
            name: name.into(),
            children: Some(children).filter(|&children| children > 0),
            field_id: Some(field_id).filter(|&id| id > 0),
            converted_type: converted_type.map(str::to_owned),
            duckdb_type: (children == 0).then(|| "INTEGER".into()),
        }
    }

    #[test]
    fn the_groups_between_are_no_fields_of_their_own() {
        let elements = [
            element("duckdb_schema", 2, 0, None),
            element("l", 1, 1, Some("LIST")),
            element("list", 1, 0, None),
            element("element", 1, 2, None),
            element("x", 0, 3, None),
            element("m", 1, 4, Some("MAP")),
            element("key_value", 2, 0, None),
            element("key", 0, 5, None),
            element("value", 0, 6, None),
        ];
        let elements: Vec<&FooterElement> = elements.iter().collect();
        let columns = by_footer(&elements).unwrap();
        let types: Vec<String> = columns.iter().map(Field::data_type).collect();
        assert_eq!(types, [r#"STRUCT("x" INTEGER)[]"#, "MAP(INTEGER, INTEGER)"]);
        assert_eq!(columns[0].children()[0].id, 2);
        // A footer that ends too early, or not where it says, is none.
        assert_eq!(by_footer(&elements[..8]), None);
        assert_eq!(by_footer(&[&elements[..], &elements[4..5]].concat()), None);
    }

    #[test]
    fn a_partition_is_read_from_the_folders_of_the_path() {
        let path = "data/main/t/region=%E6%97%A5%2F%3D/year=2024/day=__HIVE_DEFAULT_PARTITION__/a=b.parquet";
        assert_eq!(partition_value(path, "region", "VARCHAR"), Ok(Some("日/=".into())));
        assert_eq!(partition_value(path, "year", "INTEGER"), Ok(Some("2024".into())));
        assert_eq!(partition_value(path, "day", "DATE"), Ok(None));
        assert!(partition_value(path, "a", "VARCHAR").is_err());
        assert_eq!(partition_value("t=/a.parquet", "t", "VARCHAR"), Ok(Some("".into())));
        assert_eq!(partition_value("t=/a.parquet", "t", "DATE"), Ok(None));
    }
}
