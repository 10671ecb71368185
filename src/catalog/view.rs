//! One table as a view over `read_parquet`.
//!
//! The rows of a table are those of its data files, less its deletes, and the rows inlined in the
//! catalog. Files that are read alike are one scan. Files with no deletes are read plainly; the others are
//! filtered by one key of file and position, which keeps the scan of many files a single one.

use std::collections::HashMap;

use super::field::Field;
use super::queries::At;
use super::reading::Reading;
use super::rebuild::{default_of, rebuilt};
use super::row::{DataFile, DeleteFile, Path};
use super::sql::{identifier, list, literal};
use super::table::{FileRows, Footers, TableRows};

/// The field ids that DuckLake gives its own columns in Parquet files.
const POSITION: u32 = 2147483645;
pub(super) const SNAPSHOT: u32 = 2147483539;

/// A table at a snapshot, with what its view is made of.
pub(super) struct TableView<'a> {
    at: At<'a>,
    pub(super) columns: Vec<Field<'a>>,
    pub(super) files: Vec<File<'a>>,
    /// How files are read, each by its place here.
    readings: Vec<Reading>,
    inlined: Vec<InlinedRows<'a>>,
    inlined_deletes: Option<&'a str>,
    /// The number of rows, where the catalog alone can tell.
    pub(super) rows: Option<u64>,
}

/// A data file, with what says which of its rows count.
pub(super) struct File<'a> {
    pub(super) row: &'a DataFile,
    pub(super) url: String,
    deletes: Option<(&'a DeleteFile, String)>,
    inlined_deletes: u64,
    later: Later,
    reading: usize,
}

/// Rows of later snapshots that were merged into a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Later {
    /// There are none.
    None,
    /// Each row carries its snapshot.
    Marked,
    /// They come behind this many rows (format 0.3).
    Behind(u64),
}

/// Rows inlined in the catalog under one schema version of the table.
struct InlinedRows<'a> {
    table: &'a str,
    /// The value of each column of the view.
    values: Vec<String>,
}

impl<'a> TableView<'a> {
    /// Gathers a table. `url_of` gives the URL of a data file or delete file of the table.
    ///
    /// # Errors
    /// Why the table cannot be read exactly, as the end of a sentence.
    pub(super) fn gather(
        rows: &'a TableRows<'a>,
        footers: &Footers<'a>,
        at: At<'a>,
        url_of: impl Fn(&Path) -> Result<String, String>,
    ) -> Result<TableView<'a>, String> {
        let columns = rows.columns.at(at.snapshot)?;
        let changed = rows.has_changed_members(&columns);
        let mut readings: Vec<Reading> = Vec::new();
        let mut known: HashMap<_, usize> = HashMap::new();
        let mut files = Vec::new();
        for of_file in &rows.files {
            let mut file = File::gather(of_file, at.snapshot, &url_of)?;
            let row = file.row;
            let kind = rows.kind_of(row, footers.get(&*file.url), changed, &columns)?;
            if row.mapping_id.is_some() && file.later != Later::None {
                return Err("has merged data files whose columns are matched by name".into());
            }
            file.reading = match known.get(&kind) {
                Some(&place) => place,
                None => {
                    readings.push(Reading::new(&columns, &kind)?);
                    known.insert(kind, readings.len() - 1);
                    readings.len() - 1
                }
            };
            files.push(file);
        }
        let inlined = rows
            .inlined
            .iter()
            .map(|(table, began)| {
                let began =
                    began.ok_or("has inlined rows of a schema version that the catalog does not list")?;
                // They carry the names that the columns had when that schema version began.
                let stored = rows.columns.at(began)?;
                let value = |column: &Field| match stored.iter().find(|stored| stored.id == column.id) {
                    Some(stored) => {
                        let value = rebuilt(&identifier(stored.name), stored, column);
                        format!("CAST({value} AS {})", column.data_type())
                    }
                    None => default_of(column),
                };
                Ok(InlinedRows { table, values: columns.iter().map(value).collect() })
            })
            .collect::<Result<_, String>>()?;
        let inlined_deletes = rows.inlined_deletes_table.as_deref();
        let mut view = TableView { at, columns, files, readings, inlined, inlined_deletes, rows: None };
        view.rows = view.count(rows);
        Ok(view)
    }

    /// The query that gives the table's rows.
    pub(super) fn query(&self) -> String {
        let mut groups: Vec<Vec<&File>> = Vec::new();
        let mut places = HashMap::new();
        for file in &self.files {
            let place = *places.entry((file.alike(), file.has_deletes())).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[place].push(file);
        }
        self.union(groups)
    }

    /// The same of some files alone, and in their order: first the rows of the first file, last those in
    /// the catalog.
    pub(super) fn query_in_order(&self, files: &[&File<'a>]) -> String {
        let runs = files.chunk_by(|one, next| {
            let told = |file: &File| (file.alike(), file.deletes.is_some(), file.has_deletes());
            told(one) == told(next)
        });
        self.union(runs.map(<[&File]>::to_vec).collect())
    }

    fn union(&self, groups: Vec<Vec<&File>>) -> String {
        let mut parts: Vec<String> = groups.into_iter().map(|files| self.scan(files)).collect();
        parts.extend(self.inlined.iter().map(|inlined| {
            format!("SELECT {} FROM {}", self.named(&inlined.values), self.at.live_inlined(inlined.table))
        }));
        if parts.is_empty() {
            let none = |column: &Field| format!("CAST(NULL AS {})", column.data_type());
            let values: Vec<String> = self.columns.iter().map(none).collect();
            parts.push(format!("SELECT {} WHERE false", self.named(&values)));
        }
        parts.join("\nUNION ALL\n")
    }

    /// The values of the columns, under their names.
    fn named(&self, values: &[String]) -> String {
        let named: Vec<String> = values
            .iter()
            .zip(&self.columns)
            .map(|(value, column)| format!("{value} AS {}", identifier(column.name)))
            .collect();
        named.join(", ")
    }

    /// Deletes and merged rows of later snapshots can be counted only at the newest snapshot, where they
    /// all count.
    fn count(&self, rows: &TableRows) -> Option<u64> {
        let mut count = 0u64;
        for file in &self.files {
            if file.later != Later::None || file.deletes.is_some() && !rows.is_newest {
                return None;
            }
            count = count.checked_add(file.live_rows())?;
        }
        let inlined = self.inlined.iter().map(|inlined| rows.inlined_rows_of(inlined.table));
        inlined.sum::<Option<u64>>()?.checked_add(count)
    }

    /// One scan of files that are read alike and either all have deletes or all have none.
    fn scan(&self, mut files: Vec<&File>) -> String {
        let Some(&File { reading, later, .. }) = files.first().copied() else { return String::new() };
        let reading = &self.readings[reading];
        let mut schema = reading.schema.clone();
        let mut conditions = Vec::new();
        // Delete files are matched to data files by their place in the list, so files that have one
        // come first.
        files.sort_by_key(|file| file.deletes.is_none());
        if files.iter().any(|file| file.has_deletes()) {
            let keys = self.deleted(&files);
            conditions.push(format!("(file_index::BIGINT << 40) + file_row_number NOT IN ({keys})"));
        }
        if later != Later::None {
            // A file of the one kind gives no limit of the other.
            schema.push(entry(&SNAPSHOT.to_string(), "written_at", "BIGINT", None));
            conditions.push(format!("(written_at IS NULL OR written_at <= {})", self.at.snapshot));
            let limits = files.iter().map(|file| match file.later {
                Later::Behind(rows) => rows.to_string(),
                _ => "NULL".into(),
            });
            conditions
                .push(format!("coalesce(file_row_number < {}[file_index::BIGINT + 1], true)", list(limits)));
        }
        let scan = read_parquet(files.iter().map(|file| file.url.as_str()), &schema);
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", conditions.join(" AND "))
        };
        format!("SELECT {} FROM {scan}{filter}", self.named(&reading.values))
    }

    /// The keys of deleted rows: the file's place in `files`, and the row's position in it.
    fn deleted(&self, files: &[&File]) -> String {
        let mut parts = Vec::new();
        let delete_files: Vec<&str> =
            files.iter().filter_map(|file| file.deletes.as_ref()).map(|(_, url)| url.as_str()).collect();
        if !delete_files.is_empty() {
            let schema = [
                entry(&POSITION.to_string(), "pos", "BIGINT", None),
                entry(&SNAPSHOT.to_string(), "deleted_at", "BIGINT", None),
            ];
            parts.push(format!(
                "SELECT (file_index::BIGINT << 40) + pos FROM {} WHERE deleted_at IS NULL OR deleted_at <= {}",
                read_parquet(delete_files.into_iter(), &schema),
                self.at.snapshot
            ));
        }
        let places: Vec<String> = files
            .iter()
            .enumerate()
            .filter(|(_, file)| file.inlined_deletes > 0)
            .map(|(place, file)| format!("({}, {place}::BIGINT)", file.row.data_file_id))
            .collect();
        if let (Some(table), false) = (self.inlined_deletes, places.is_empty()) {
            parts.push(format!(
                "SELECT (place << 40) + row_id FROM {} JOIN (VALUES {}) files(id, place) ON file_id = id WHERE begin_snapshot <= {}",
                self.at.inlined(table),
                places.join(", "),
                self.at.snapshot
            ));
        }
        parts.join(" UNION ALL ")
    }
}

impl<'a> File<'a> {
    fn gather(
        FileRows { row, deletes, inlined_deletes }: &FileRows<'a>,
        snapshot: u64,
        url_of: impl Fn(&Path) -> Result<String, String>,
    ) -> Result<File<'a>, String> {
        let keys = deletes.iter().map(|delete| &delete.encryption_key).chain([&row.encryption_key]);
        if keys.flatten().next().is_some() {
            return Err("is encrypted".into());
        }
        let is_parquet = |format: &Option<String>| format.as_deref().is_none_or(|name| name == "parquet");
        if !is_parquet(&row.file_format) {
            return Err("has data files that are not Parquet".into());
        }
        if let Some(delete) = deletes.iter().find(|delete| !is_parquet(&delete.format)) {
            let format = delete.format.as_deref().unwrap_or_default();
            return Err(format!("has deletes of a format that is not read ({format})"));
        }
        let deletes = match &**deletes {
            [] => None,
            [delete] => Some((*delete, url_of(&delete.path)?)),
            _ => return Err("has a data file with more than one delete file".into()),
        };
        let later = Later::of(row, snapshot)?;
        Ok(File {
            row,
            url: url_of(&row.path)?,
            deletes,
            inlined_deletes: *inlined_deletes,
            later,
            reading: 0,
        })
    }

    /// What files have in common that one scan can read.
    fn alike(&self) -> (usize, bool) {
        (self.reading, self.later == Later::None)
    }

    /// How many rows the file surely gives: where the catalog cannot tell, as [`TableView::count`] has it,
    /// it may be more.
    pub(super) fn live_rows(&self) -> u64 {
        if self.later != Later::None {
            return 0;
        }
        let deleted = self.deletes.as_ref().map_or(0, |(row, _)| row.delete_count);
        self.row.record_count.saturating_sub(deleted).saturating_sub(self.inlined_deletes)
    }

    fn has_deletes(&self) -> bool {
        self.deletes.is_some() || self.inlined_deletes > 0
    }
}

impl Later {
    fn of(row: &DataFile, snapshot: u64) -> Result<Later, String> {
        let marked = |max: u64| if max > snapshot { Later::Marked } else { Later::None };
        if let Some(max) = row.partial_max {
            return Ok(marked(max));
        }
        let Some(info) = row.partial_file_info.as_deref() else { return Ok(Later::None) };
        // `partial_max:10`, or what each snapshot brought the file to: `2:10|5:20`
        let unreadable = || format!("has a merged data file that is not read ({info})");
        if let Some(max) = info.strip_prefix("partial_max:") {
            return max.parse().map(marked).map_err(|_| unreadable());
        }
        let mut before = None;
        let mut later = false;
        for part in info.split('|') {
            let (at, rows) = part.split_once(':').ok_or_else(unreadable)?;
            let (at, rows): (u64, u64) = at.parse().ok().zip(rows.parse().ok()).ok_or_else(unreadable)?;
            if at <= snapshot {
                before = before.max(Some(rows));
            } else {
                later = true;
            }
        }
        Ok(if later { Later::Behind(before.unwrap_or(0)) } else { Later::None })
    }
}

/// A scan by a `schema`, whose entries [`entry`] makes.
fn read_parquet<'u>(urls: impl Iterator<Item = &'u str>, schema: &[String]) -> String {
    format!(
        "read_parquet({}, schema = MAP {{{}}}, hive_partitioning = false)",
        list(urls.map(literal)),
        schema.join(", ")
    )
}

/// A column of a scan: what it is found by, what it is called, and what it gives where a file lacks it.
pub(super) fn entry(key: &str, name: &str, data_type: &str, default: Option<&str>) -> String {
    let default = default.map_or("NULL".into(), literal);
    format!("{key}: {{name: '{name}', type: {}, default_value: {default}::VARCHAR}}", literal(data_type))
}
