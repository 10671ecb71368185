//! A call ends when its signal is aborted, and so do its requests.

use std::cell::Cell;
use std::future::pending;
use std::rc::Rc;

use js_sys::{Function, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{AbortController, AbortSignal};

use super::page::{Page, ROOT, answer, open, text};
use crate::error::FdlError;
use crate::wasm::promise::promised;

/// A signal that is aborted a little later.
fn soon() -> AbortSignal {
    let abort =
        "const control = new AbortController(); setTimeout(() => control.abort(), 10); return control.signal";
    Function::new_no_args(abort).call0(&JsValue::UNDEFINED).unwrap().into()
}

/// Work that never ends, and whether it was dropped.
fn endless() -> (Rc<Cell<bool>>, impl Future<Output = Result<JsValue, FdlError>>) {
    struct Tells(Rc<Cell<bool>>);
    impl Drop for Tells {
        fn drop(&mut self) {
            self.0.set(true);
        }
    }
    let dropped = Rc::new(Cell::new(false));
    let tells = Tells(dropped.clone());
    (dropped, async move {
        let _tells = tells;
        pending().await
    })
}

/// What comes of `work`: its value, or the code of its error.
async fn end(
    signal: Option<AbortSignal>,
    work: impl Future<Output = Result<impl Into<JsValue>, FdlError>> + 'static,
) -> Result<JsValue, String> {
    promised(signal, work).await.map_err(|error| text(&error, "code"))
}

#[wasm_bindgen_test]
async fn work_is_dropped_when_its_signal_is_aborted() {
    let (dropped, work) = endless();
    assert_eq!(end(Some(soon()), work).await, Err("aborted".into()));
    assert!(dropped.get());
}

#[wasm_bindgen_test]
async fn work_is_not_begun_where_its_signal_is_aborted_already() {
    let controller = AbortController::new().unwrap();
    controller.abort();
    let begun = Rc::new(Cell::new(false));
    let begins = begun.clone();
    let work = async move {
        begins.set(true);
        Ok(7)
    };
    assert_eq!(end(Some(controller.signal()), work).await, Err("aborted".into()));
    assert!(!begun.get());
}

#[wasm_bindgen_test]
async fn work_that_is_done_first_counts_and_a_later_abort_changes_nothing() {
    let controller = AbortController::new().unwrap();
    assert_eq!(end(Some(controller.signal()), async { Ok(7) }).await, Ok(7.into()));
    controller.abort();
    assert_eq!(end(None, async { Ok(8) }).await, Ok(8.into()));
}

#[wasm_bindgen_test]
async fn a_call_ends_although_the_host_never_answers_and_its_requests_are_ended() {
    let silent = "(globalThis.silent ??= []).push(request.signal); return new Promise(() => {})";
    let fetch = Some(Function::new_with_args("request", silent));
    let opened = open(ROOT, fetch, Some(soon())).await;
    assert_eq!(text(&opened.unwrap_err(), "code"), "aborted");
    let signals = Reflect::get(&js_sys::global(), &"silent".into()).unwrap();
    let signals = js_sys::Array::from(&signals);
    assert_eq!(signals.length(), 3, "fdl.json, HEAD and refs.json");
    assert!(signals.iter().all(|signal| AbortSignal::from(signal).aborted()));
}

#[wasm_bindgen_test]
async fn each_call_takes_a_signal_of_its_own() {
    let controller = AbortController::new().unwrap();
    controller.abort();
    let signal = JsValue::from(controller.signal());
    let none = JsValue::UNDEFINED;
    let repository = Page::of_the_demo().open().await.unwrap();
    let version = answer(&repository, "version", &[]).await.unwrap();
    let walk = answer(&repository, "history", &[none.clone(), JsValue::FALSE]).await.unwrap();
    for (handle, method, arguments) in [
        (&repository, "refs", vec![false.into(), signal.clone()]),
        (&repository, "version", vec![none.clone(), signal.clone()]),
        (&repository, "history", vec![none.clone(), JsValue::FALSE, signal.clone()]),
        (&walk, "next", vec![signal.clone()]),
        (&version, "catalog", vec![none.clone(), signal.clone()]),
        (&version, "verify", vec![none, signal]),
    ] {
        let aborted = answer(handle, method, &arguments).await.unwrap_err();
        assert_eq!(text(&aborted, "code"), "aborted", "{method}");
        let (_, without) = arguments.split_last().unwrap();
        assert!(answer(handle, method, without).await.is_ok(), "{method} is none the worse for it");
    }
}
