//! Futures as promises, which an AbortSignal ends when the page no longer wants them.

use std::pin::{Pin, pin};

use futures_util::future::{Either, select};
use js_sys::Promise;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::AbortSignal;

use crate::error::FdlError;

/// The promise of what comes of `work`. It holds what it needs and borrows no handle, so that a
/// page may free the handle meanwhile; an `async fn` of the handle would forbid it.
pub(super) fn promised<T: Into<JsValue>>(
    signal: Option<AbortSignal>,
    work: impl Future<Output = Result<T, FdlError>> + 'static,
) -> Promise {
    driven(signal, Box::pin(async move { Ok(work.await?.into()) }))
}

/// Apart from `promised` and of a boxed future, so that the wasm holds what drives a promise once and
/// not once for each method.
fn driven(signal: Option<AbortSignal>, work: Work) -> Promise {
    future_to_promise(async move { Ok(unless_aborted(signal, work).await?) })
}

type Work = Pin<Box<dyn Future<Output = Result<JsValue, FdlError>>>>;

/// Runs `work` until it is done or `signal` is aborted. What is dropped unfinished ends its
/// requests.
async fn unless_aborted(signal: Option<AbortSignal>, work: Work) -> Result<JsValue, FdlError> {
    let Some(signal) = signal else { return work.await };
    if signal.aborted() {
        return Err(FdlError::Aborted);
    }
    let mut listener = None;
    let aborted = Promise::new(&mut |resolve, _| {
        let heard = Closure::once(move || {
            // A promise's own resolve function does not throw.
            let _ = resolve.call0(&resolve);
        });
        let _ = signal.add_event_listener_with_callback("abort", heard.as_ref().unchecked_ref());
        listener = Some(heard);
    });
    let result = match select(work, pin!(JsFuture::from(aborted))).await {
        Either::Left((result, _)) => result,
        Either::Right(_) => Err(FdlError::Aborted),
    };
    if let Some(listener) = listener {
        let _ = signal.remove_event_listener_with_callback("abort", listener.as_ref().unchecked_ref());
    }
    result
}
