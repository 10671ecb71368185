//! The face that JavaScript sees: one file per class, no logic of its own.
//!
//! It is built as two: what reads a repository (the feature `reader`), and the hand-over's SQL (the
//! feature `catalog`), which is loaded only together with DuckDB.
//!
//! Repositories, versions and walks are handles with `free()`; records, refs and verdicts cross
//! as plain objects. Each promise rejects with a plain object `{ code, message, path, broken, facts }`,
//! from which `www/reader/errors.ts` makes the error that a page sees.

mod failure;

#[cfg(feature = "catalog")]
mod catalog;

#[cfg(feature = "bench")]
mod bench;

#[cfg(feature = "reader")]
mod history;
#[cfg(any(feature = "reader", feature = "bench"))]
mod promise;
#[cfg(feature = "reader")]
mod repository;
#[cfg(feature = "reader")]
mod trusted_signers;
#[cfg(feature = "reader")]
mod version;

#[cfg(all(test, feature = "reader", feature = "catalog"))]
mod tests;

use serde::Serialize;
use wasm_bindgen::JsValue;

/// A plain object, as `JSON.parse` makes it.
fn plain(value: &impl Serialize) -> JsValue {
    serde_json::to_string(value)
        .ok()
        .and_then(|json| js_sys::JSON::parse(&json).ok())
        .unwrap_or(JsValue::NULL)
}
