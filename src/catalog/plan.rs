//! What DuckDB is told so that a version's tables can be queried by their own names.

use serde::Serialize;

use super::rows::{CatalogRows, Path};
use super::sql::identifier;
use super::view::{TableRows, TableView};
use crate::error::FdlError;
use crate::layout::Root;
use crate::record::settings::DataDir;

/// A version that is handed over.
#[derive(Clone, Debug)]
pub struct HandOver<'a> {
    /// The name under which the page wants the tables: `<alias>.<schema>.<table>`.
    pub alias: &'a str,
    /// The name under which the catalog is attached.
    pub catalog: &'a str,
    /// The snapshot that the record gives.
    pub snapshot: u64,
    /// Where the repository is.
    pub root: &'a Root,
    /// Where its data files are.
    pub data_dir: &'a DataDir,
}

/// What DuckDB is told, and what it then has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// To be run in this order, once there is an empty database under the alias.
    pub statements: Vec<String>,
    /// The tables, by schema and name.
    pub tables: Vec<PlannedTable>,
    /// Gives each readable table's row count, from the catalog alone: `place` in `tables` and
    /// `rows`. `None` where there is none.
    pub row_counts: Option<String>,
    /// Extensions that the views need beside `parquet`.
    pub extensions: Vec<&'static str>,
}

/// A table of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedTable {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<PlannedColumn>,
    /// Why it cannot be read; `None` where it can.
    pub refused: Option<String>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedColumn {
    /// Its name.
    pub name: String,
    /// Its type in DuckDB's words.
    #[serde(rename = "type")]
    pub data_type: String,
}

impl HandOver<'_> {
    /// Plans the hand-over by Parquet: one view for each table.
    ///
    /// # Errors
    /// [`FdlError::UnsupportedFormat`], [`FdlError::MalformedCatalog`]
    pub fn plan(&self, rows: &CatalogRows) -> Result<Plan, FdlError> {
        rows.can_be_read_at(self.snapshot)?;
        let alias = identifier(self.alias);
        let mut plan =
            Plan { statements: Vec::new(), tables: Vec::new(), row_counts: None, extensions: Vec::new() };
        let (tables, none) = (TableRows::by_table(rows), TableRows::default());
        let mut counts = Vec::new();
        for schema in &rows.schemas {
            let schema_name = identifier(&schema.schema_name);
            plan.statements.push(format!("CREATE SCHEMA IF NOT EXISTS {alias}.{schema_name}"));
            for table in rows.tables.iter().filter(|table| table.schema_id == schema.schema_id) {
                let url_of = |file: &Path| {
                    let path = rows.path_in(self.data_dir, [&schema.path, &table.path, file])?;
                    Ok(self.root.url(&path))
                };
                let view = TableView::gather(
                    tables.get(&table.table_id).unwrap_or(&none),
                    self.catalog,
                    self.snapshot,
                    url_of,
                );
                let mut planned = PlannedTable {
                    schema: schema.schema_name.clone(),
                    name: table.table_name.clone(),
                    columns: Vec::new(),
                    refused: None,
                };
                match view {
                    Ok(view) => {
                        counts.push(format!(
                            "SELECT {} AS place, {} AS rows",
                            plan.tables.len(),
                            view.count()
                        ));
                        plan.statements.push(format!(
                            "CREATE VIEW {alias}.{schema_name}.{} AS\n{}",
                            identifier(&table.table_name),
                            view.query()
                        ));
                        for column in &view.columns {
                            if column.data_type.contains("JSON") && plan.extensions.is_empty() {
                                plan.extensions.push("json");
                            }
                            planned.columns.push(PlannedColumn {
                                name: column.name.into(),
                                data_type: column.data_type.clone(),
                            });
                        }
                    }
                    Err(reason) => planned.refused = Some(reason),
                }
                plan.tables.push(planned);
            }
            for view in rows.views.iter().filter(|view| view.schema_id == schema.schema_id) {
                plan.tables.push(PlannedTable {
                    schema: schema.schema_name.clone(),
                    name: view.view_name.clone(),
                    columns: Vec::new(),
                    refused: Some("is a view of DuckLake, which is not read yet".into()),
                });
            }
        }
        plan.row_counts = (!counts.is_empty()).then(|| counts.join(" UNION ALL "));
        Ok(plan)
    }
}
