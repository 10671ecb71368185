//! The hand-over's SQL, for JavaScript.
//!
//! It takes plain values, since it is a wasm of its own and shares no handles with the other one.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::plain;
use crate::catalog::{CatalogRows, HandOver};
use crate::error::FdlError;
use crate::layout::{self, Root};
use crate::record::settings::DataDir;

/// The queries that read a catalog, attached as `catalog`, at `snapshot`.
#[wasm_bindgen(js_name = catalogQueries)]
pub fn catalog_queries(catalog: &str, snapshot: u64) -> JsValue {
    plain(&CatalogRows::queries(catalog, snapshot))
}

/// What DuckDB is told, from the rows that the queries gave (as JSON).
#[wasm_bindgen(js_name = planHandOver)]
pub fn plan_hand_over(
    alias: &str,
    catalog: &str,
    snapshot: u64,
    root: &str,
    data_dir: &str,
    rows: &str,
) -> Result<JsValue, JsValue> {
    let (root, data_dir) = (Root::parse(root)?, data_dir_of(data_dir)?);
    let hand_over = HandOver { alias, catalog, snapshot, root: &root, data_dir: &data_dir };
    Ok(plain(&hand_over.plan(&CatalogRows::parse(rows)?)?))
}

/// The data files and delete files of a version, from the same rows.
#[wasm_bindgen(js_name = dataFiles)]
pub fn data_files(snapshot: u64, data_dir: &str, rows: &str) -> Result<JsValue, JsValue> {
    let files = CatalogRows::parse(rows)?.data_files(snapshot, &data_dir_of(data_dir)?)?;
    Ok(plain(&files))
}

fn data_dir_of(text: &str) -> Result<DataDir, FdlError> {
    DataDir::parse(text).map_err(|reason| FdlError::InvalidRecord {
        url: layout::settings().to_string(),
        member: "data_dir".into(),
        reason: reason.into(),
    })
}
