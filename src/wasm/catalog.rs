//! The hand-over's SQL, for JavaScript.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::plain;
use super::version::Version;
use crate::catalog::{CatalogRows, HandOver};

#[wasm_bindgen]
impl Version {
    /// The queries that read the version's catalog, attached as `catalog`.
    #[wasm_bindgen(js_name = catalogQueries)]
    pub fn catalog_queries(&self, catalog: &str) -> JsValue {
        plain(&CatalogRows::queries(catalog, self.version.record().ducklake.snapshot_id))
    }

    /// What DuckDB is told, from the rows that the queries gave (as JSON).
    #[wasm_bindgen(js_name = planHandOver)]
    pub fn plan_hand_over(&self, alias: &str, catalog: &str, rows: &str) -> Result<JsValue, JsValue> {
        let hand_over = HandOver {
            alias,
            catalog,
            snapshot: self.version.record().ducklake.snapshot_id,
            root: self.repository.root(),
            data_dir: &self.repository.settings().data_dir,
        };
        Ok(plain(&hand_over.plan(&CatalogRows::parse(rows)?)?))
    }
}
