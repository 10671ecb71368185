//! What DuckDB is told so that a version's tables can be queried by their own names.

use std::collections::HashMap;

use serde::Serialize;

use super::definitions::{Definitions, selects, syntax_of};
use super::queries::{At, Query};
use super::row::{Path, Schema, Table};
use super::rows::CatalogRows;
use super::sql::{identifier, list, literal};
use super::syntax::{Name, What};
use super::table::{TableRows, Tables};
use super::view::TableView;
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

/// What has to be known before there can be a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Questions {
    /// Extensions that the queries need beside `parquet`.
    pub extensions: Vec<&'static str>,
    /// To be run in this order; none where there is nothing more to ask.
    pub queries: Vec<Query>,
}

/// What DuckDB is told, and what it then has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// Extensions that the views need beside `parquet`.
    pub extensions: Vec<&'static str>,
    /// To be run in this order, once there is an empty database under the alias.
    pub statements: Vec<String>,
    /// Then these, in this order, on a connection that uses the database under the alias: each makes one
    /// view or macro of the publisher's, and may fail where DuckDB finds that it no longer holds.
    pub definitions: Vec<PlannedDefinition>,
    /// The tables and views, by schema and name.
    pub tables: Vec<PlannedTable>,
}

/// How a view or a macro of the publisher's is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedDefinition {
    /// `CREATE …`
    pub statement: String,
    /// The definitions without which it is not made, by their places.
    pub needs: Vec<usize>,
    /// The view's place in `tables`; `None` for a macro.
    pub table: Option<usize>,
    /// What gives it its comment.
    pub comment: Option<String>,
}

/// A table or view of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedTable {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Whether it is a table or a view.
    pub kind: Kind,
    /// Its columns. Those of a view are known when it is made.
    pub columns: Vec<PlannedColumn>,
    /// The publisher's comment.
    pub comment: Option<String>,
    /// The number of rows, where the catalog alone can tell.
    pub rows: Option<u64>,
    /// Why it cannot be read; `None` where it can.
    pub refused: Option<String>,
}

/// What a name in a schema stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A table, with rows of its own.
    Table,
    /// A view: a query of the publisher's.
    View,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedColumn {
    /// Its name.
    pub name: String,
    /// Its type in DuckDB's words.
    #[serde(rename = "type")]
    pub data_type: String,
    /// The publisher's comment.
    pub comment: Option<String>,
}

impl<'h> HandOver<'h> {
    pub(super) fn at(&self) -> At<'h> {
        At { catalog: self.catalog, snapshot: self.snapshot }
    }

    /// What is still to be asked before [`CatalogRows::data_files`] can tell them. The catalog alone
    /// answers.
    ///
    /// # Errors
    /// [`FdlError::UnsupportedFormat`], [`FdlError::MalformedCatalog`]
    pub fn questions_about_files(&self, rows: &CatalogRows) -> Result<Questions, FdlError> {
        let queries = if !rows.metadata.given {
            vec![self.at().metadata()]
        } else if !rows.snapshots.given {
            self.at().tables(rows.format()?)
        } else {
            rows.can_be_read_at(self.snapshot)?;
            Vec::new()
        };
        Ok(Questions { queries, ..Questions::default() })
    }

    /// What is still to be asked before there can be a plan; `rows` is what was answered so far.
    ///
    /// Requests: mostly none, since the catalog answers. Where members of nested columns were renamed,
    /// added or dropped, the footer of each of the table's data files is read.
    ///
    /// # Errors
    /// [`FdlError::UnsupportedFormat`], [`FdlError::MalformedCatalog`]
    pub fn questions(&self, rows: &CatalogRows) -> Result<Questions, FdlError> {
        let mut asked = self.questions_about_files(rows)?;
        if !asked.queries.is_empty() {
            return Ok(asked);
        }
        let at = self.at();
        let tables = Tables::new(rows, self.snapshot);
        if !rows.inlined_deletes.given {
            let holders = tables.all().filter_map(|table| table.inlined_deletes_table.as_deref());
            asked.queries.extend(at.inlined_deletes(holders));
        }
        if !rows.inlined_rows.given {
            let holders = tables.all().flat_map(|table| table.inlined.iter().map(|(name, _)| *name));
            asked.queries.extend(at.inlined_rows(holders));
        }
        if !rows.footers.given {
            asked.queries.extend(self.footers(rows, &tables));
        }
        let selects = selects(rows, self.alias);
        if !rows.syntax.given && !selects.is_empty() {
            asked.extensions.push("json");
            asked.queries.push(at.query("syntax", "place tree", &syntax_of(&selects)));
        }
        Ok(asked)
    }

    /// Asks the data files what they hold, where the names in them need not be the table's.
    fn footers(&self, rows: &CatalogRows, tables: &Tables) -> Option<Query> {
        let mut urls = Vec::new();
        for of_table in self.tables(rows, tables) {
            let columns = of_table.rows.columns.at(self.snapshot).unwrap_or_default();
            if of_table.rows.has_changed_members(&columns) {
                let files = of_table.rows.files.iter().filter(|file| file.row.mapping_id.is_none());
                urls.extend(files.filter_map(|file| self.url(rows, &of_table, &file.row.path).ok()));
            }
        }
        let files = list(urls.iter().map(|url| literal(url)));
        let columns = "file_name name num_children=children field_id converted_type duckdb_type";
        (!urls.is_empty()).then(|| self.at().query("footers", columns, &format!("parquet_schema({files})")))
    }

    /// Plans the hand-over by Parquet: one view for each table, and the publisher's own views and macros.
    ///
    /// # Errors
    /// [`FdlError::UnsupportedFormat`], [`FdlError::MalformedCatalog`], also where a question is open.
    pub fn plan(&self, rows: &CatalogRows) -> Result<Plan, FdlError> {
        if let Some(Query { name, .. }) = self.questions(rows)?.queries.first() {
            return Err(FdlError::MalformedCatalog { reason: format!("{name} is missing") });
        }
        let mut plan = Plan::default();
        for schema in rows.schemas.iter() {
            let (alias, schema) = (identifier(self.alias), identifier(&schema.schema_name));
            plan.statements.push(format!("CREATE SCHEMA IF NOT EXISTS {alias}.{schema}"));
        }
        let tables = Tables::new(rows, self.snapshot);
        let mut names = Vec::new();
        for of_table in self.tables(rows, &tables) {
            let planned = self.plan_table(rows, &of_table, &tables, &mut plan);
            names.push(Name {
                schema: of_table.schema,
                name: &of_table.table.table_name,
                what: What::Table,
                place: if planned.refused.is_none() { Ok(None) } else { Err(()) },
            });
            plan.tables.push(planned);
        }
        self.plan_definitions(rows, names, &mut plan);
        Ok(plan)
    }

    fn plan_table(
        &self,
        rows: &CatalogRows,
        of_table: &OfTable,
        tables: &Tables,
        plan: &mut Plan,
    ) -> PlannedTable {
        let OfTable { schema, table, rows: table_rows } = of_table;
        let comment = rows.comment_on(table.table_id);
        let mut planned = PlannedTable {
            schema: schema.schema_name.clone(),
            name: table.table_name.clone(),
            kind: Kind::Table,
            columns: Vec::new(),
            comment: comment.map(str::to_owned),
            rows: None,
            refused: None,
        };
        let url_of = |file: &Path| self.url(rows, of_table, file);
        let view = match TableView::gather(table_rows, &tables.footers, self.at(), url_of) {
            Ok(view) => view,
            Err(reason) => return PlannedTable { refused: Some(reason), ..planned },
        };
        let name = self.qualified(&schema.schema_name, &table.table_name);
        plan.statements.push(format!("CREATE VIEW {name} AS\n{}", view.query()));
        plan.statements.extend(comment.map(|text| format!("COMMENT ON VIEW {name} IS {}", literal(text))));
        for column in &view.columns {
            let data_type = column.data_type();
            if data_type.contains("JSON") && plan.extensions.is_empty() {
                plan.extensions.push("json");
            }
            let comment = rows.comment_on_column(table.table_id, column.id);
            plan.statements.extend(comment.map(|text| {
                format!("COMMENT ON COLUMN {name}.{} IS {}", identifier(column.name), literal(text))
            }));
            let comment = comment.map(str::to_owned);
            planned.columns.push(PlannedColumn { name: column.name.into(), data_type, comment });
        }
        planned.rows = view.rows;
        planned
    }

    /// `names` are those of the tables.
    fn plan_definitions<'a>(&self, rows: &'a CatalogRows, mut names: Vec<Name<'a>>, plan: &mut Plan) {
        let schema_of = |id: i64| rows.schemas.iter().find(|schema| schema.schema_id == id);
        let definitions = Definitions::new(rows, self.alias, schema_of, &mut names);
        let mut table_of = HashMap::new();
        for (place, definition) in definitions.all.iter().enumerate() {
            if definition.what == What::View {
                table_of.insert(place, plan.tables.len());
                plan.tables.push(PlannedTable {
                    schema: definition.schema.schema_name.clone(),
                    name: definition.name.into(),
                    kind: Kind::View,
                    columns: Vec::new(),
                    comment: definition.comment.map(str::to_owned),
                    rows: None,
                    refused: definition.made.as_ref().err().cloned(),
                });
            }
        }
        let place_of: HashMap<usize, usize> =
            definitions.order.iter().enumerate().map(|(place, &definition)| (definition, place)).collect();
        for &place in &definitions.order {
            let definition = &definitions.all[place];
            let Ok(made) = &definition.made else { continue };
            let name = self.qualified(&definition.schema.schema_name, definition.name);
            plan.definitions.push(PlannedDefinition {
                statement: format!("CREATE {} {name}{}", made.what, made.rest),
                needs: made.needs.iter().map(|need| place_of[need]).collect(),
                table: table_of.get(&place).copied(),
                comment: definition
                    .comment
                    .map(|text| format!("COMMENT ON VIEW {name} IS {}", literal(text))),
            });
        }
    }

    /// The tables of the version, schema by schema.
    pub(super) fn tables<'t, 'a>(
        &self,
        rows: &'a CatalogRows,
        tables: &'t Tables<'a>,
    ) -> impl Iterator<Item = OfTable<'t, 'a>> {
        rows.schemas.iter().flat_map(move |schema| {
            let in_schema = rows.tables.iter().filter(|table| table.schema_id == schema.schema_id);
            in_schema.filter_map(|table| {
                let rows = tables.get(table.table_id)?;
                Some(OfTable { schema, table, rows })
            })
        })
    }

    pub(super) fn url(
        &self,
        rows: &CatalogRows,
        OfTable { schema, table, .. }: &OfTable,
        file: &Path,
    ) -> Result<String, String> {
        let path = rows.path_in(self.data_dir, [&schema.path, &table.path, file])?;
        Ok(self.root.url(&path))
    }

    /// `"alias"."schema"."name"`
    pub(super) fn qualified(&self, schema: &str, name: &str) -> String {
        [self.alias, schema, name].map(identifier).join(".")
    }
}

/// A table, where it stands, and what the catalog holds of it.
pub(super) struct OfTable<'t, 'a> {
    pub(super) schema: &'a Schema,
    pub(super) table: &'a Table,
    pub(super) rows: &'t TableRows<'a>,
}
