//! A handle may be freed while it is at work: what was asked for still comes.

use futures_util::future::join;
use js_sys::{Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use super::page::{CATALOG, LIVE, Page, answer, call, text};

/// Calls a method and frees the handle before the answer is there.
async fn freed_at_work(handle: JsValue, method: &str) -> JsValue {
    let arguments = match method {
        "refs" => &[JsValue::FALSE][..],
        "history" => &[JsValue::UNDEFINED, JsValue::FALSE],
        _ => &[],
    };
    let promise: Promise = call(&handle, method, arguments).unchecked_into();
    call(&handle, "free", &[]);
    JsFuture::from(promise).await.unwrap_or_else(|error| panic!("{method} was rejected with {error:?}"))
}

async fn repository() -> JsValue {
    Page::of_the_demo().open().await.unwrap()
}

async fn version() -> JsValue {
    Page::of_the_demo().version(None).await.unwrap()
}

fn is_catalog(bytes: JsValue) -> bool {
    bytes.unchecked_into::<Uint8Array>().to_vec() == CATALOG
}

#[wasm_bindgen_test]
async fn a_repository_and_a_walk() {
    assert_eq!(text(&freed_at_work(repository().await, "version").await, "id"), LIVE);
    let walk = freed_at_work(repository().await, "history").await;
    assert_eq!(text(&freed_at_work(walk, "next").await, "id"), LIVE);
    assert_eq!(text(&freed_at_work(repository().await, "refs").await, "head"), "refs/heads/main");
}

#[wasm_bindgen_test]
async fn a_version() {
    assert!(is_catalog(freed_at_work(version().await, "catalog").await));
    assert_eq!(text(&freed_at_work(version().await, "verify").await, "integrity"), "intact");
}

#[wasm_bindgen_test]
async fn a_version_outlives_its_repository() {
    let repository = repository().await;
    let version = answer(&repository, "version", &[]).await.unwrap();
    call(&repository, "free", &[]);
    assert!(is_catalog(answer(&version, "catalog", &[]).await.unwrap()));
}

#[wasm_bindgen_test]
async fn two_calls_at_once_do_not_stand_in_each_others_way() {
    let walk = answer(&repository().await, "history", &[JsValue::UNDEFINED, JsValue::FALSE]).await.unwrap();
    let (first, second) = join(answer(&walk, "next", &[]), answer(&walk, "next", &[])).await;
    let ids = [first, second].map(|entry| text(&entry.unwrap(), "id"));
    assert_eq!(ids[0], LIVE);
    assert_ne!(ids[0], ids[1]);

    let version = version().await;
    let (first, second) = join(answer(&version, "catalog", &[]), answer(&version, "verify", &[])).await;
    assert!(is_catalog(first.unwrap()));
    assert_eq!(text(&second.unwrap(), "integrity"), "intact");
}
