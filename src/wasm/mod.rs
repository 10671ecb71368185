//! The face that JavaScript sees: one file per class, no logic of its own.
//!
//! Repositories, versions and walks are handles with `free()`; records, refs and verdicts cross
//! as plain objects. Each promise rejects with a plain object `{ code, message, path, broken, facts }`,
//! from which `www/reader/errors.ts` makes the error that a page sees.

mod catalog;
mod failure;
mod history;
mod repository;
mod signal;
mod version;

use serde::Serialize;
use wasm_bindgen::JsValue;

/// A plain object, as `JSON.parse` makes it.
fn plain(value: &impl Serialize) -> JsValue {
    serde_json::to_string(value)
        .ok()
        .and_then(|json| js_sys::JSON::parse(&json).ok())
        .unwrap_or(JsValue::NULL)
}
