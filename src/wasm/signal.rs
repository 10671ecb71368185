//! AbortSignal: a future that ends when the page no longer wants it.

use std::pin::pin;

use futures_util::future::{Either, select};
use js_sys::Promise;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

use crate::error::FdlError;

/// Runs `work` until it is done or `signal` is aborted. What is dropped unfinished ends its
/// requests.
pub(super) async fn unless_aborted<T>(
    signal: Option<AbortSignal>,
    work: impl Future<Output = Result<T, FdlError>>,
) -> Result<T, FdlError> {
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
    let result = match select(pin!(work), pin!(JsFuture::from(aborted))).await {
        Either::Left((result, _)) => result,
        Either::Right(_) => Err(FdlError::Aborted),
    };
    if let Some(listener) = listener {
        let _ = signal.remove_event_listener_with_callback("abort", listener.as_ref().unchecked_ref());
    }
    result
}
