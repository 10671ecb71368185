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
#[cfg(test)]
mod tests;
mod version;

use js_sys::Promise;
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

use crate::error::FdlError;

/// A plain object, as `JSON.parse` makes it.
fn plain(value: &impl Serialize) -> JsValue {
    serde_json::to_string(value)
        .ok()
        .and_then(|json| js_sys::JSON::parse(&json).ok())
        .unwrap_or(JsValue::NULL)
}

/// The promise of what comes of `work`. It holds what it needs and borrows no handle, so that a
/// page may free the handle meanwhile; an `async fn` of the handle would forbid it.
fn promised<T: Into<JsValue>>(work: impl Future<Output = Result<T, FdlError>> + 'static) -> Promise {
    future_to_promise(async move { Ok(work.await?.into()) })
}
