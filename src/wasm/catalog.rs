//! The hand-over's SQL, for JavaScript.
//!
//! It takes plain values, since it is a wasm of its own and shares no handles with the other one.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::plain;
use crate::catalog::{self, CatalogRows, Page};
use crate::data::ListedFile;
use crate::error::FdlError;
use crate::layout::{self, RelativePath, Root};
use crate::record::settings::DataDir;

/// A version that is handed over: it asks for what it has to know, and then says what DuckDB is told.
#[wasm_bindgen]
pub struct HandOver {
    alias: String,
    catalog: String,
    snapshot: u64,
    /// The names of the data files in the engine begin with it.
    names: Root,
    root: Root,
    data_dir: DataDir,
    rows: CatalogRows,
}

#[wasm_bindgen]
impl HandOver {
    /// `catalog` is the name under which the catalog is attached, `alias` the one for its tables. Data
    /// files lie at `root`; the engine has them under the same paths below `names`, a URL too.
    #[wasm_bindgen(constructor)]
    pub fn new(
        alias: String,
        catalog: String,
        snapshot: u64,
        names: &str,
        root: &str,
        data_dir: &str,
    ) -> Result<HandOver, JsValue> {
        let data_dir = DataDir::parse(data_dir).map_err(|reason| FdlError::InvalidRecord {
            url: layout::settings().to_string(),
            member: "data_dir".into(),
            reason: reason.into(),
        })?;
        let (names, root) = (Root::parse(names)?, Root::parse(root)?);
        Ok(HandOver { alias, catalog, snapshot, names, root, data_dir, rows: CatalogRows::default() })
    }

    /// What is still to be asked before there can be a plan.
    pub fn questions(&self) -> Result<JsValue, JsValue> {
        Ok(plain(&self.hand_over().questions(&self.rows)?))
    }

    /// What is still to be asked before the data files can be told.
    #[wasm_bindgen(js_name = questionsAboutFiles)]
    pub fn questions_about_files(&self) -> Result<JsValue, JsValue> {
        Ok(plain(&self.hand_over().questions_about_files(&self.rows)?))
    }

    /// Takes what the queries gave, as JSON: by the name of each its rows.
    pub fn answer(&mut self, json: &str) -> Result<(), JsValue> {
        Ok(self.rows.add(json)?)
    }

    /// What DuckDB is told.
    pub fn plan(&self) -> Result<JsValue, JsValue> {
        Ok(plain(&self.hand_over().plan(&self.rows)?))
    }

    /// The query that tells, from the catalog alone, which data files hold no row of a page; nothing where
    /// it cannot.
    #[wasm_bindgen(js_name = filesLeftOut)]
    pub fn files_left_out(&self, page: &str) -> Result<JsValue, JsValue> {
        Ok(plain(&self.hand_over().files_left_out(&self.rows, &Page::parse(page)?)?))
    }

    /// The query that gives the rows of a page, from data files other than those.
    pub fn page(&self, page: &str, left_out: Vec<i64>) -> Result<String, JsValue> {
        Ok(self.hand_over().page(&self.rows, &Page::parse(page)?, &left_out)?)
    }

    /// The data files and delete files of the version.
    #[wasm_bindgen(js_name = dataFiles)]
    pub fn data_files(&self) -> Result<JsValue, JsValue> {
        Ok(plain(&self.rows.data_files(self.snapshot, &self.data_dir)?))
    }

    /// The files that the plan may name: what the engine calls each, and where it lies.
    #[wasm_bindgen(js_name = namedFiles)]
    pub fn named_files(&self) -> Result<JsValue, JsValue> {
        let files = self.rows.readable_files(self.snapshot, &self.data_dir)?;
        let named = files.into_iter().map(|ListedFile { path, bytes, .. }| NamedFile {
            name: self.names.url(&path),
            url: self.root.url(&path),
            path,
            bytes,
        });
        Ok(plain(&named.collect::<Vec<_>>()))
    }

    /// Keeps data files from being read, whose tables are refused (see [`CatalogRows::withhold`]).
    pub fn withhold(&mut self, json: &str) -> Result<(), JsValue> {
        Ok(self.rows.withhold(json)?)
    }

    /// The statement that attaches the catalog, which the engine has as `file`, by DuckLake instead.
    #[wasm_bindgen(js_name = byDuckLake)]
    pub fn by_ducklake(&self, file: &str) -> Result<String, JsValue> {
        let hand_over = catalog::HandOver { root: &self.root, ..self.hand_over() };
        Ok(hand_over.by_ducklake(&self.rows, file)?)
    }
}

impl HandOver {
    fn hand_over(&self) -> catalog::HandOver<'_> {
        let HandOver { alias, catalog, snapshot, names: root, data_dir, .. } = self;
        catalog::HandOver { alias, catalog, snapshot: *snapshot, root, data_dir }
    }
}

#[derive(Serialize)]
struct NamedFile {
    name: String,
    url: String,
    path: RelativePath,
    bytes: Option<u64>,
}
