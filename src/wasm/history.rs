//! `History`, for JavaScript.

use std::rc::Rc;

use futures_util::lock::Mutex;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::plain;
use super::signal::unless_aborted;
use crate::transport::Http;

/// A walk through the history.
#[wasm_bindgen]
pub struct History(Rc<Mutex<crate::History<Http>>>);

impl History {
    pub(super) fn new(history: crate::History<Http>) -> History {
        History(Rc::new(Mutex::new(history)))
    }
}

#[wasm_bindgen]
impl History {
    /// The next entry; `undefined` at the end.
    pub async fn next(&self, signal: Option<AbortSignal>) -> Result<JsValue, JsValue> {
        let history = self.0.clone();
        let next = async { history.lock().await.next().await };
        let entry = unless_aborted(signal, next).await?;
        Ok(entry.map_or(JsValue::UNDEFINED, |entry| plain(&entry)))
    }
}
