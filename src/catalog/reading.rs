//! How the columns of a table are read from files of one kind.

use super::field::{Field, Shape};
use super::rebuild::{fits, rebuilt, type_to_read};
use super::sql::literal;
use super::view::entry;

/// What tells files of a table apart that have to be read differently.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Kind<'a> {
    /// Columns are found by field id, and all that is in them by its name.
    AsTheTable,
    /// Columns are found by field id; these are those of the file.
    Stored(Vec<Field<'a>>),
    /// Columns are found by name.
    Mapped(Vec<MappedTo<'a>>),
}

/// Where files of a mapping have one of the table's columns.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum MappedTo<'a> {
    Nothing,
    Column(Field<'a>),
    /// The value of a partition, the same in all the file.
    Partition(Option<String>),
}

/// A scan's schema, and the value of each of the table's columns over it.
pub(super) struct Reading {
    pub(super) schema: Vec<String>,
    pub(super) values: Vec<String>,
}

impl Reading {
    /// # Errors
    /// Why the files cannot be read exactly, as the end of a sentence about the table.
    pub(super) fn new(columns: &[Field], kind: &Kind) -> Result<Reading, String> {
        let mut reading = Reading { schema: Vec::new(), values: Vec::new() };
        for (place, column) in columns.iter().enumerate() {
            let id = column.id.to_string();
            match kind {
                Kind::AsTheTable => reading.read(&id, column, None)?,
                Kind::Stored(stored) => {
                    reading.read(&id, column, stored.iter().find(|stored| stored.id == column.id))?;
                }
                Kind::Mapped(mapped) => match &mapped[place] {
                    MappedTo::Column(stored) => reading.read(&literal(stored.name), column, Some(stored))?,
                    // No file has a column of that name, so all get the default.
                    MappedTo::Nothing => reading.give(column, column.initial_default),
                    MappedTo::Partition(value) => reading.give(column, value.as_deref()),
                },
            }
        }
        Ok(reading)
    }

    /// The column is found by `key`; `stored` says how, where that is not as the table has it.
    fn read(&mut self, key: &str, column: &Field, stored: Option<&Field>) -> Result<(), String> {
        let name = format!("k{}", column.id);
        let stored = stored.filter(|stored| column.is_nested() && !fits(stored, column));
        let read_as = match (stored, &column.shape) {
            (Some(stored), _) => type_to_read(stored, column)?,
            // JSON is stored as text.
            (None, Shape::Scalar(scalar)) if scalar == "JSON" => "VARCHAR".into(),
            (None, _) => column.data_type(),
        };
        self.schema.push(entry(key, &name, &read_as, column.initial_default));
        self.values.push(match (stored, &column.shape) {
            (Some(stored), _) => rebuilt(&name, stored, column),
            (None, Shape::Scalar(scalar)) if scalar == "JSON" => format!("CAST({name} AS JSON)"),
            (None, _) => name,
        });
        Ok(())
    }

    fn give(&mut self, column: &Field, value: Option<&str>) {
        let (key, name) = (literal(&format!("no column {}", column.id)), format!("k{}", column.id));
        self.schema.push(entry(&key, &name, &column.data_type(), value));
        self.values.push(name);
    }
}
