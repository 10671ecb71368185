//! How an error crosses.

use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::error::FdlError;

#[derive(Serialize)]
struct Failure<'a> {
    code: &'static str,
    message: String,
    path: Option<&'a str>,
    broken: bool,
    facts: &'a FdlError,
}

impl From<FdlError> for JsValue {
    fn from(error: FdlError) -> JsValue {
        super::plain(&Failure {
            code: error.code(),
            message: error.to_string(),
            path: error.path(),
            broken: error.is_broken_content(),
            facts: &error,
        })
    }
}
