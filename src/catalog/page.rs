//! The page's own queries: rows of one table, filtered and sorted, from no more files than may hold them.
//!
//! A view names all files of its table, and every query of it asks each of them. What the page itself asks
//! is known beforehand, so the catalog's statistics are held against it first.
//!
//! Source: the DuckLake specification, "ducklake_file_column_stats".

use super::field::{Field, Shape};
use super::plan::HandOver;
use super::queries::Query;
use super::rows::CatalogRows;
use super::sql::{identifier, literal};
use super::table::Tables;
use super::view::{File, TableView};
use crate::error::FdlError;
use crate::record::member::{Member, Read, read_json};

/// Which rows of a table or a view are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    schema: String,
    name: String,
    /// All, where there are none.
    columns: Vec<String>,
    filters: Vec<Filter>,
    order: Vec<Order>,
    offset: u64,
    limit: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Filter {
    column: String,
    is: Comparison,
    /// As text of the column's type.
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    /// The value's text holds this one, whatever their case.
    Contains,
    Null,
    NotNull,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Order {
    column: String,
    descending: bool,
}

impl Page {
    /// Reads a request: `schema`, `name`, and where they are given `columns`, `filters` (each with
    /// `column`, `is` and `value`), `order` (each with `column` and `descending`), `offset`, `limit`.
    ///
    /// # Errors
    /// [`FdlError::InvalidRecord`]
    pub fn parse(json: &str) -> Result<Page, FdlError> {
        read_json("the request for rows", json.as_bytes(), |root| {
            Ok(Page {
                schema: root.member("schema").text()?,
                name: root.member("name").text()?,
                columns: root.member("columns").each(|column| column.text())?,
                filters: root.member("filters").each(read_filter)?,
                order: root.member("order").each(|order| {
                    let descending = order.member("descending").optional(Member::flag)?;
                    Ok(Order {
                        column: order.member("column").text()?,
                        descending: descending.unwrap_or(false),
                    })
                })?,
                offset: root.member("offset").optional_count()?.unwrap_or(0),
                limit: root.member("limit").optional_count()?.unwrap_or(u64::MAX >> 1),
            })
        })
    }

    /// How many rows come up to the end of the page.
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.limit)
    }

    fn conditions(&self, columns: &[Field]) -> Vec<String> {
        let condition = |filter: &Filter| {
            let column = identifier(&filter.column);
            let data_type = columns.iter().find(|field| field.name == filter.column).map(Field::data_type);
            let value = match data_type {
                Some(data_type) => format!("CAST({} AS {data_type})", literal(&filter.value)),
                None => literal(&filter.value),
            };
            match filter.is {
                Comparison::Equal => format!("{column} = {value}"),
                Comparison::NotEqual => format!("{column} <> {value}"),
                Comparison::Less => format!("{column} < {value}"),
                Comparison::AtMost => format!("{column} <= {value}"),
                Comparison::Greater => format!("{column} > {value}"),
                Comparison::AtLeast => format!("{column} >= {value}"),
                Comparison::Contains => {
                    format!("contains(lower(CAST({column} AS VARCHAR)), lower({}))", literal(&filter.value))
                }
                Comparison::Null => format!("{column} IS NULL"),
                Comparison::NotNull => format!("{column} IS NOT NULL"),
            }
        };
        self.filters.iter().map(condition).collect()
    }

    /// The query over what gives all rows that may be on the page; the first `passed` of them are left
    /// out already. `columns` are the table's; none of a view.
    ///
    /// In an order rows that are alike in it stand by the columns that are shown, so that no page lacks or
    /// repeats one.
    fn query(&self, columns: &[Field], from: &str, passed: u64) -> String {
        let shown: Vec<String> = match &*self.columns {
            [] => columns.iter().map(|column| identifier(column.name)).collect(),
            chosen => chosen.iter().map(|name| identifier(name)).collect(),
        };
        let names = if shown.is_empty() { "*".into() } else { shown.join(", ") };
        let mut sql = format!("SELECT {names} FROM {from}");
        let conditions = self.conditions(columns);
        if !conditions.is_empty() {
            sql += &format!(" WHERE {}", conditions.join(" AND "));
        }
        if !self.order.is_empty() {
            let order = self.order.iter().map(|Order { column, descending }| {
                format!("{} {} NULLS LAST", identifier(column), if *descending { "DESC" } else { "ASC" })
            });
            let order: Vec<String> = order.chain(shown).collect();
            sql += &format!(" ORDER BY {}", order.join(", "));
        }
        sql + &format!(" LIMIT {} OFFSET {}", self.limit, self.offset - passed)
    }
}

fn read_filter(filter: Member) -> Read<Filter> {
    let is = filter.member("is");
    Ok(Filter {
        column: filter.member("column").text()?,
        is: match is.text()?.as_str() {
            "=" => Comparison::Equal,
            "<>" => Comparison::NotEqual,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            ">=" => Comparison::AtLeast,
            "contains" => Comparison::Contains,
            "null" => Comparison::Null,
            "not null" => Comparison::NotNull,
            _ => return Err(is.invalid("is not a comparison that is known")),
        },
        value: filter.member("value").optional_text()?.unwrap_or_default(),
    })
}

impl HandOver<'_> {
    /// The query that gives, from the catalog alone, the `data_file_id` of each file that holds no row of
    /// the page; `None` where the catalog cannot tell any.
    ///
    /// # Errors
    /// [`FdlError::MalformedCatalog`]
    pub fn files_left_out(&self, rows: &CatalogRows, page: &Page) -> Result<Option<Query>, FdlError> {
        self.with_table(rows, page, |table_id, view| {
            let stats = Statistics { hand_over: self, rows, table_id, view };
            let mut parts: Vec<String> =
                page.filters.iter().filter_map(|filter| stats.excluded(filter)).collect();
            if page.filters.is_empty() {
                parts.extend(page.order.first().and_then(|order| stats.behind(order, page.end())));
            }
            let from = format!("({})", parts.join(" UNION "));
            (!parts.is_empty()).then(|| self.at().query("left_out", "data_file_id", &from))
        })
        .map(Option::flatten)
    }

    /// The query that gives the rows of a page; `left_out` are the files that hold none of them.
    ///
    /// # Errors
    /// [`FdlError::MalformedCatalog`]
    pub fn page(&self, rows: &CatalogRows, page: &Page, left_out: &[i64]) -> Result<String, FdlError> {
        let of_table = self.with_table(rows, page, |_, view| {
            let mut files: Vec<&File> =
                view.files.iter().filter(|file| !left_out.contains(&file.row.data_file_id)).collect();
            let mut passed = 0;
            if page.filters.is_empty() && page.order.is_empty() {
                passed = only_files_of(page, view, &mut files);
            }
            page.query(&view.columns, &format!("(\n{}\n)", view.query_in_order(&files)), passed)
        })?;
        Ok(of_table.unwrap_or_else(|| page.query(&[], &self.qualified(&page.schema, &page.name), 0)))
    }

    /// What `make` makes of the table that the page is of; `None` where there is none, but perhaps a view.
    fn with_table<T>(
        &self,
        rows: &CatalogRows,
        page: &Page,
        make: impl FnOnce(i64, &TableView) -> T,
    ) -> Result<Option<T>, FdlError> {
        let tables = Tables::new(rows, self.snapshot);
        let mut of_tables = self.tables(rows, &tables);
        let of_table = of_tables
            .find(|table| table.schema.schema_name == page.schema && table.table.table_name == page.name);
        let Some(of_table) = of_table else { return Ok(None) };
        let url_of = |file: &_| self.url(rows, &of_table, file);
        let view =
            TableView::gather(of_table.rows, &tables.footers, self.at(), url_of).map_err(|reason| {
                FdlError::MalformedCatalog { reason: format!("the table {} {reason}", page.name) }
            })?;
        Ok(Some(make(of_table.table.table_id, &view)))
    }
}

/// Where the catalog knows how many rows each file gives, in their order, keeps those files alone that hold
/// rows of the page. How many rows come before them is returned.
fn only_files_of(page: &Page, view: &TableView, files: &mut Vec<&File>) -> u64 {
    if view.rows.is_none() {
        return 0;
    }
    let (mut before, mut passed) = (0u64, 0u64);
    files.retain(|file| {
        let (begin, end) = (before, before.saturating_add(file.live_rows()));
        before = end;
        if end <= page.offset {
            passed = end;
        }
        page.offset < end && begin < page.end()
    });
    passed
}

/// What the catalog knows of the values in each file of a table.
struct Statistics<'s> {
    hand_over: &'s HandOver<'s>,
    rows: &'s CatalogRows,
    table_id: i64,
    view: &'s TableView<'s>,
}

impl Statistics<'_> {
    /// The statistics of one column, with bounds of its type; `None` for a type whose bounds are not
    /// surely in its order, or that was another one when files were written.
    fn of(&self, column: &str) -> Option<(String, String, bool)> {
        let field = self.view.columns.iter().find(|field| field.name == column)?;
        let Shape::Scalar(data_type) = &field.shape else { return None };
        let ordered = matches!(
            data_type.as_str(),
            "TINYINT"
                | "SMALLINT"
                | "INTEGER"
                | "BIGINT"
                | "UTINYINT"
                | "USMALLINT"
                | "UINTEGER"
                | "UBIGINT"
                | "FLOAT"
                | "DOUBLE"
                | "VARCHAR"
                | "DATE"
                | "TIME"
                | "TIMESTAMP"
                | "TIMESTAMP_S"
                | "TIMESTAMP_MS"
                | "TIMESTAMP_NS"
                | "TIMESTAMP WITH TIME ZONE"
        ) || data_type.starts_with("DECIMAL(");
        let types =
            self.rows.columns.iter().filter(|row| (row.table_id, row.column_id) == (self.table_id, field.id));
        let mut types = types.map(|row| &row.column_type);
        let first = types.next();
        if !ordered || types.any(|other| Some(other) != first) {
            return None;
        }
        let stats = format!(
            "(SELECT data_file_id, TRY_CAST(min_value AS {data_type}) AS low, TRY_CAST(max_value AS {data_type}) AS high, null_count, coalesce(contains_nan, true) AS nan FROM {} WHERE table_id = {} AND column_id = {})",
            self.hand_over.at().of("file_column_stats", ""),
            self.table_id,
            field.id
        );
        Some((stats, data_type.clone(), matches!(data_type.as_str(), "FLOAT" | "DOUBLE")))
    }

    /// The files in which no value passes a filter.
    fn excluded(&self, filter: &Filter) -> Option<String> {
        let (stats, data_type, floats) = self.of(&filter.column)?;
        let value = format!("TRY_CAST({} AS {data_type})", literal(&filter.value));
        // NaN is greater than all, and no bound tells of it.
        let no_nan = if floats { " AND NOT nan" } else { "" };
        let none = match filter.is {
            Comparison::Equal => format!("(high < {value} OR low > {value}){no_nan}"),
            Comparison::Less => format!("low >= {value}"),
            Comparison::AtMost => format!("low > {value}"),
            Comparison::Greater => format!("high <= {value}{no_nan}"),
            Comparison::AtLeast => format!("high < {value}{no_nan}"),
            Comparison::Null => "null_count = 0".into(),
            Comparison::NotEqual | Comparison::Contains | Comparison::NotNull => return None,
        };
        Some(format!("SELECT data_file_id FROM {stats} WHERE {none}"))
    }

    /// The files all of whose values surely come behind `wanted` others in an order.
    fn behind(&self, order: &Order, wanted: u64) -> Option<String> {
        let (stats, _, floats) = self.of(&order.column)?;
        let (bound, far, direction, behind) =
            if order.descending { ("low", "high", "DESC", "<") } else { ("high", "low", "ASC", ">") };
        let no_nan = if floats { " AND NOT nan" } else { "" };
        let live: Vec<String> = self
            .view
            .files
            .iter()
            .map(|file| format!("({}, {}::UBIGINT)", file.row.data_file_id, file.live_rows()))
            .collect();
        if live.is_empty() {
            return None;
        }
        let sure = format!(
            "SELECT {bound}, sum(greatest(live::HUGEINT - null_count, 0)) OVER (ORDER BY {bound} {direction} ROWS UNBOUNDED PRECEDING) AS sure FROM {stats} JOIN (VALUES {}) files(id, live) ON id = data_file_id WHERE {bound} IS NOT NULL AND null_count IS NOT NULL{no_nan}",
            live.join(", ")
        );
        let enough = format!(
            "SELECT {bound} FROM ({sure}) WHERE sure >= {wanted} ORDER BY {bound} {direction} LIMIT 1"
        );
        Some(format!("SELECT data_file_id FROM {stats} WHERE {far} {behind} ({enough}){no_nan}"))
    }
}
