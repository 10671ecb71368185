//! `Version`, for JavaScript.

use std::rc::Rc;

use js_sys::{Function, Promise, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::plain;
use super::promise::promised;
use crate::data::{DataOptions, DataProgress};
use crate::transport::Http;

/// A version, read and verified.
#[wasm_bindgen]
pub struct Version {
    version: Rc<crate::Version<Http>>,
}

impl Version {
    pub(super) fn new(version: crate::Version<Http>) -> Version {
        Version { version: Rc::new(version) }
    }
}

/// Tells the page how many bytes have come, of how many. What its function throws is its own.
fn tell(progress: Option<&Function>) -> impl FnMut(u64, u64) {
    move |received, total| {
        if let Some(progress) = progress {
            let _ = progress.call2(&JsValue::UNDEFINED, &(received as f64).into(), &(total as f64).into());
        }
    }
}

#[wasm_bindgen]
impl Version {
    /// The version's ID.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> String {
        self.version.id().to_string()
    }

    /// The root of its data files.
    #[wasm_bindgen(getter)]
    pub fn root(&self) -> String {
        self.version.root().to_string()
    }

    /// version.json.
    #[wasm_bindgen(getter)]
    pub fn record(&self) -> JsValue {
        plain(self.version.record())
    }

    /// dataset.json, or `null`.
    #[wasm_bindgen(getter)]
    pub fn dataset(&self) -> JsValue {
        plain(&self.version.dataset())
    }

    /// files.json, or `null`.
    #[wasm_bindgen(getter)]
    pub fn files(&self) -> JsValue {
        plain(&self.version.files())
    }

    /// expired.json, or `null`.
    #[wasm_bindgen(getter)]
    pub fn expired(&self) -> JsValue {
        plain(&self.version.expired())
    }

    /// The verdict so far.
    #[wasm_bindgen(getter)]
    pub fn verdict(&self) -> JsValue {
        plain(&*self.version.verdict())
    }

    /// Throws where the version's rows may not be read.
    #[wasm_bindgen(js_name = mayBeOpened)]
    pub fn may_be_opened(&self) -> Result<(), JsValue> {
        Ok(self.version.may_be_opened()?)
    }

    /// The URL of a data file.
    #[wasm_bindgen(js_name = dataUrl)]
    pub fn data_url(&self, path: &str) -> Result<String, JsValue> {
        Ok(self.version.data_url(path)?)
    }

    /// The verified catalog.
    #[wasm_bindgen(unchecked_return_type = "Promise<Uint8Array>")]
    pub fn catalog(&self, progress: Option<Function>, signal: Option<AbortSignal>) -> Promise {
        let version = self.version.clone();
        promised(signal, async move {
            let catalog = version.catalog(tell(progress.as_ref())).await?;
            Ok(Uint8Array::from(catalog.into_bytes().as_slice()))
        })
    }

    /// The whole verdict, the catalog's bytes included.
    #[wasm_bindgen(unchecked_return_type = "Promise<unknown>")]
    pub fn verify(&self, progress: Option<Function>, signal: Option<AbortSignal>) -> Promise {
        let version = self.version.clone();
        promised(signal, async move { Ok(plain(&*version.verify(tell(progress.as_ref())).await)) })
    }

    /// A data file or delete file, verified.
    #[wasm_bindgen(js_name = dataFile, unchecked_return_type = "Promise<Uint8Array>")]
    pub fn data_file(
        &self,
        path: String,
        progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Promise {
        let version = self.version.clone();
        promised(signal, async move {
            let mut received = 0;
            let mut tell = tell(progress.as_ref());
            let bytes = version.data_file(&path, |bytes| {
                received += bytes;
                tell(received, 0);
            });
            Ok(Uint8Array::from(bytes.await?.as_slice()))
        })
    }

    /// The whole verdict, with the data files, delete files and source files. `files` is the list of
    /// the catalog as JSON, where there is one.
    #[wasm_bindgen(js_name = verifyData, unchecked_return_type = "Promise<unknown>")]
    pub fn verify_data(
        &self,
        files: Option<String>,
        sources: bool,
        at_once: usize,
        progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Promise {
        let version = self.version.clone();
        promised(signal, async move {
            let files = files.map(|files| version.listed(&files)).transpose()?;
            let told = |told: DataProgress| {
                if let Some(progress) = &progress {
                    let numbers = [told.received, told.total, told.files, told.files_total];
                    let [a, b, c, d] = numbers.map(|number| JsValue::from(number as f64));
                    let _ = progress.call4(&JsValue::UNDEFINED, &a, &b, &c, &d);
                }
            };
            let options = DataOptions { files, sources, at_once };
            Ok(plain(&*version.verify_data(options, told).await))
        })
    }
}
