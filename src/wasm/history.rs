//! `History`, for JavaScript.

use std::rc::Rc;

use futures_util::lock::Mutex;
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::plain;
use super::promise::promised;
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
    #[wasm_bindgen(unchecked_return_type = "Promise<unknown>")]
    pub fn next(&self, signal: Option<AbortSignal>) -> Promise {
        let history = self.0.clone();
        promised(signal, async move {
            let entry = history.lock().await.next().await?;
            Ok(entry.map_or(JsValue::UNDEFINED, |entry| plain(&entry)))
        })
    }
}
