//! HTTP by the page's `fetch`.
//!
//! Only GET is used, and no header is set, so that no request needs a preflight (Fetch standard,
//! "CORS-safelisted").

use gloo_net::http::{Request, RequestBuilder};
use js_sys::{Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader, RequestCache, Response};

use super::{Answer, Freshness, Transport};
use crate::error::FdlError;

/// Fetches by the global `fetch`, or by a function of the same shape that the page gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Http {
    pub(crate) fetch: Option<Function>,
}

impl Transport for Http {
    type Body = Body;

    async fn get(&self, url: &str, freshness: Freshness) -> Result<Answer<Body>, FdlError> {
        let failed = |cause: &JsValue| could_not_fetch(url, cause);
        let controller = AbortController::new().map_err(|cause| failed(&cause))?;
        let request = RequestBuilder::new(url)
            .cache(match freshness {
                Freshness::Revalidate => RequestCache::NoCache,
                Freshness::Immutable => RequestCache::Default,
            })
            .abort_signal(Some(&controller.signal()))
            .build()
            .map_err(|error| failed(&error.to_string().into()))?;
        let request_in_flight = InFlight(controller);
        let response = self.send(request).await.map_err(|cause| failed(&cause))?;
        Ok(match response.status() {
            // 0 is what a `file:` answer has in some engines.
            0 | 200..=299 => Answer::Found(Body {
                url: url.into(),
                reader: response.body().map(|body| body.get_reader().unchecked_into()),
                _request: request_in_flight,
            }),
            404 | 410 => Answer::Missing,
            status => Answer::Status(status),
        })
    }
}

impl Http {
    async fn send(&self, request: Request) -> Result<Response, JsValue> {
        let Some(fetch) = &self.fetch else {
            let response = request.send().await.map_err(|error| JsValue::from(error.to_string()))?;
            return Ok(response.into());
        };
        let request: web_sys::Request = request.into();
        let answer = fetch.call1(&JsValue::UNDEFINED, &request)?;
        JsFuture::from(Promise::resolve(&answer))
            .await?
            .dyn_into()
            .map_err(|_| "the page's fetch gave no Response".into())
    }
}

/// A request; it is ended when nobody waits for it any more.
#[derive(Debug)]
struct InFlight(AbortController);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A response that is being read.
#[derive(Debug)]
pub(crate) struct Body {
    url: String,
    /// `None` for an answer without a body.
    reader: Option<ReadableStreamDefaultReader>,
    _request: InFlight,
}

impl super::Body for Body {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        let Some(reader) = &self.reader else { return Ok(None) };
        let failed = |cause: JsValue| could_not_fetch(&self.url, &cause);
        let step = JsFuture::from(reader.read()).await.map_err(failed)?;
        let value = Reflect::get(&step, &"value".into()).map_err(failed)?;
        Ok(value.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec))
    }
}

fn could_not_fetch(url: &str, cause: &JsValue) -> FdlError {
    let message = cause
        .dyn_ref::<js_sys::Error>()
        .map(|error| String::from(error.message()))
        .or_else(|| cause.as_string())
        .unwrap_or_else(|| "no reason given".into());
    FdlError::CouldNotFetch { url: url.into(), reason: message.trim_end_matches('.').into() }
}
