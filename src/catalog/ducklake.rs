//! By DuckLake: the catalog attached by DuckDB's own extension `ducklake`, under the same names.

use super::definitions::{Definitions, selects};
use super::plan::HandOver;
use super::rows::CatalogRows;
use super::sql::{identifier, literal};
use super::syntax::{Name, What};
use crate::error::FdlError;

/// The format that the extension reads as it is. It would migrate an older one, and a frozen catalog is
/// not written to.
const FORMAT: &str = "1.0";

impl HandOver<'_> {
    /// The statement that attaches the catalog, which DuckDB has as the file `file`, read-only and at the
    /// version's snapshot. Whatever the catalog says of it, data files lie below the root.
    ///
    /// The publisher's views and macros come with the catalog, so one that may not be run here stands in the way
    /// of all of it.
    ///
    /// # Errors
    /// [`FdlError::UnsupportedFormat`], [`FdlError::MalformedCatalog`], and [`FdlError::InvalidUrl`] where
    /// the root has a query, since DuckLake puts the paths of files behind it.
    pub fn by_ducklake(&self, rows: &CatalogRows, file: &str) -> Result<String, FdlError> {
        rows.can_be_read_at(self.snapshot)?;
        let found = rows.setting("version").unwrap_or_default();
        if found != FORMAT {
            return Err(FdlError::UnsupportedFormat { found: found.into(), supported: FORMAT.into() });
        }
        self.definitions_are_safe(rows)?;
        let root = self.root.to_string();
        if root.contains('?') {
            return Err(FdlError::InvalidUrl {
                url: root,
                reason: "DuckLake reads no address with a query; hand the version over by Parquet".into(),
            });
        }
        Ok(format!(
            "ATTACH {} AS {} (READ_ONLY, DATA_PATH {}, OVERRIDE_DATA_PATH true, SNAPSHOT_VERSION {})",
            literal(&format!("ducklake:{file}")),
            identifier(self.alias),
            literal(&format!("{}/", self.root.url(self.data_dir.folder()))),
            self.snapshot
        ))
    }

    fn definitions_are_safe(&self, rows: &CatalogRows) -> Result<(), FdlError> {
        if !rows.syntax.given && !selects(rows, self.alias).is_empty() {
            return Err(FdlError::MalformedCatalog { reason: "syntax is missing".into() });
        }
        let schema_of = |id: i64| rows.schemas.iter().find(|schema| schema.schema_id == id);
        let mut names: Vec<Name> = rows
            .tables
            .iter()
            .filter_map(|table| {
                let schema = schema_of(table.schema_id)?;
                Some(Name { schema, name: &table.table_name, what: What::Table, place: Ok(None) })
            })
            .collect();
        let definitions = Definitions::new(rows, self.alias, schema_of, &mut names);
        for definition in &definitions.all {
            if let Err(reason) = &definition.made {
                let (schema, name) = (&definition.schema.schema_name, definition.name);
                return Err(FdlError::MalformedCatalog { reason: format!("{schema}.{name} {reason}") });
            }
        }
        Ok(())
    }
}
