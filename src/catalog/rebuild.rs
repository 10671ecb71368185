//! A nested value put together again by field id.
//!
//! `read_parquet` and casts match the members of structs by name. Where those of a file (or of inlined
//! rows) are not called what the table calls them now, the value is read under the names that it was
//! stored with, and rebuilt: members renamed, left out, and added with their default.

use super::field::{Field, Shape, struct_type};
use super::sql::{identifier, literal};
use crate::quoted::Quoted;

/// Whether a value stored as `stored` is one of `field` as it is, once read by name.
pub(super) fn fits(stored: &Field, field: &Field) -> bool {
    match (&stored.shape, &field.shape) {
        (Shape::Scalar(_), Shape::Scalar(_)) => true,
        (Shape::Struct(_), Shape::Struct(_)) => {
            stored.children().len() == field.children().len()
                && pairs(stored, field).all(|(stored, field)| {
                    stored.id == field.id && stored.name == field.name && fits(stored, field)
                })
        }
        (Shape::List(_), Shape::List(_)) | (Shape::Map(_), Shape::Map(_)) => {
            pairs(stored, field).all(|(stored, field)| fits(stored, field))
        }
        _ => false,
    }
}

fn pairs<'f, 'a>(
    stored: &'f Field<'a>,
    field: &'f Field<'a>,
) -> impl Iterator<Item = (&'f Field<'a>, &'f Field<'a>)> {
    stored.children().iter().zip(field.children())
}

/// The type by which a value stored as `stored` is read to become one of `field`: the names are those
/// that it was stored with, the types those of `field`, and members that `field` has not are left out.
///
/// # Errors
/// Where the one can never become the other: the end of a sentence about the table.
pub(super) fn type_to_read(stored: &Field, field: &Field) -> Result<String, String> {
    match (&stored.shape, &field.shape) {
        (Shape::Scalar(_), Shape::Scalar(name)) => Ok(name.clone()),
        (Shape::Struct(from), Shape::Struct(to)) => {
            let mut members = Vec::new();
            for member in from {
                if let Some(field) = to.iter().find(|field| field.id == member.id) {
                    members.push((member.name, type_to_read(member, field)?));
                }
            }
            // Of a struct whose members all went, one is read to know where it was NULL.
            if let ([], Some(member)) = (&*members, from.first()) {
                members.push((member.name, member.data_type()));
            }
            Ok(struct_type(members.into_iter()))
        }
        (Shape::List(from), Shape::List(to)) => Ok(format!("{}[]", type_to_read(from, to)?)),
        (Shape::Map(from), Shape::Map(to)) => {
            let [key, value] = [0, 1].map(|part| type_to_read(&from[part], &to[part]));
            Ok(format!("MAP({}, {})", key?, value?))
        }
        _ => Err(format!("has data files in which the column {} is of another kind", Quoted(field.name))),
    }
}

/// `value`, which was stored as `stored` and read by [`type_to_read`], as one of `field`.
pub(super) fn rebuilt(value: &str, stored: &Field, field: &Field) -> String {
    rebuilt_at(value, stored, field, 0)
}

fn rebuilt_at(value: &str, stored: &Field, field: &Field, depth: usize) -> String {
    if fits(stored, field) {
        return value.into();
    }
    let each = |list: &str, stored: &Field, field: &Field| {
        if fits(stored, field) {
            return list.to_owned();
        }
        let element = format!("e{depth}");
        let rebuilt = rebuilt_at(&element, stored, field, depth + 1);
        format!("list_transform({list}, lambda {element}: {rebuilt})")
    };
    match (&stored.shape, &field.shape) {
        (Shape::Struct(from), Shape::Struct(to)) => {
            let members: Vec<String> = to
                .iter()
                .map(|member| {
                    let value = match from.iter().find(|stored| stored.id == member.id) {
                        Some(stored) => {
                            let value = format!("struct_extract({value}, {})", literal(stored.name));
                            rebuilt_at(&value, stored, member, depth)
                        }
                        None => default_of(member),
                    };
                    format!("{} := {value}", identifier(member.name))
                })
                .collect();
            format!("CASE WHEN {value} IS NULL THEN NULL ELSE struct_pack({}) END", members.join(", "))
        }
        (Shape::List(from), Shape::List(to)) => each(value, from, to),
        (Shape::Map(from), Shape::Map(to)) => {
            let keys = each(&format!("map_keys({value})"), &from[0], &to[0]);
            let values = each(&format!("map_values({value})"), &from[1], &to[1]);
            format!("CASE WHEN {value} IS NULL THEN NULL ELSE map({keys}, {values}) END")
        }
        // `type_to_read` refused it.
        _ => value.into(),
    }
}

/// What rows hold that were written before the field was added.
pub(super) fn default_of(field: &Field) -> String {
    let default = field.initial_default.map_or("NULL".into(), literal);
    format!("CAST({default} AS {})", field.data_type())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(id: u32, name: &'static str, data_type: &str) -> Field<'static> {
        Field { id, name, shape: Shape::Scalar(data_type.into()), initial_default: None }
    }

    fn structure(id: u32, name: &'static str, members: Vec<Field<'static>>) -> Field<'static> {
        Field { id, name, shape: Shape::Struct(members), initial_default: None }
    }

    #[test]
    fn what_was_renamed_added_or_dropped_is_found_by_its_id() {
        let stored = structure(1, "s", vec![scalar(2, "a", "INTEGER"), scalar(3, "b", "VARCHAR")]);
        let added = Field { initial_default: Some("it's"), ..scalar(4, "new", "VARCHAR") };
        let field = structure(1, "s", vec![scalar(3, "a", "VARCHAR"), added]);
        assert!(!fits(&stored, &field));
        assert_eq!(type_to_read(&stored, &field).unwrap(), r#"STRUCT("b" VARCHAR)"#);
        assert_eq!(
            rebuilt("k1", &stored, &field),
            r#"CASE WHEN k1 IS NULL THEN NULL ELSE struct_pack("a" := struct_extract(k1, 'b'), "new" := CAST('it''s' AS VARCHAR)) END"#
        );
    }

    #[test]
    fn a_struct_whose_members_all_went_is_read_for_where_it_was_null() {
        let stored = structure(1, "s", vec![scalar(2, "a", "INTEGER")]);
        let field = structure(1, "s", vec![scalar(5, "b", "DATE")]);
        assert_eq!(type_to_read(&stored, &field).unwrap(), r#"STRUCT("a" INTEGER)"#);
        assert!(rebuilt("k1", &stored, &field).contains("CAST(NULL AS DATE)"));
    }

    #[test]
    fn what_is_of_another_kind_is_refused() {
        let stored = scalar(1, "s", "INTEGER");
        let field = structure(1, "s", vec![scalar(2, "a", "INTEGER")]);
        assert!(type_to_read(&stored, &field).unwrap_err().contains("\"s\""));
    }
}
