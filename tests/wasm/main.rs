//! The same code as WebAssembly in a browser: the demo repository, fetched from the test runner's
//! own server, which serves the project's folder.
#![cfg(target_arch = "wasm32")]

use fdl_reader::transport::{Answer, Body, Freshness, Transport};
use fdl_reader::trust::{Integrity, Policy, SignatureOutcome, TrustedSigners};
use fdl_reader::{FdlError, HistoryEntry, Options, Repository, Root};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Fetches files whole, and flips the last bit of the one whose URL ends in `flipped`.
#[derive(Debug, Default)]
struct Fetched {
    flipped: Option<&'static str>,
}

/// A file in one piece.
#[derive(Debug)]
struct Whole(Option<Vec<u8>>);

impl Transport for Fetched {
    type Body = Whole;

    async fn get(&self, url: &str, _: Freshness) -> Result<Answer<Whole>, FdlError> {
        let response = gloo_net::http::Request::get(url).send().await.unwrap();
        if !response.ok() {
            return Ok(Answer::Missing);
        }
        let mut bytes = response.binary().await.unwrap();
        if self.flipped.is_some_and(|name| url.ends_with(name)) {
            *bytes.last_mut().unwrap() ^= 1;
        }
        Ok(Answer::Found(Whole(Some(bytes))))
    }
}

impl Body for Whole {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        Ok(self.0.take())
    }
}

/// The demo, opened by a page that trusts the demo's signers.
async fn demo(transport: Fetched) -> Repository<Fetched> {
    let origin = origin();
    let root = Root::parse(&format!("{origin}/www/demo/")).unwrap();
    let trusted = TrustedSigners::parse(include_str!("../../www/portal/trusted-signers.txt"));
    let policy = Policy { trusted_signers: Some(trusted), ..Policy::default() };
    Repository::open(transport, root, Options { policy, ..Options::default() }).await.unwrap()
}

/// The origin of the page that the tests run on.
fn origin() -> String {
    let location = js_sys::Reflect::get(&js_sys::global(), &"location".into()).unwrap();
    js_sys::Reflect::get(&location, &"origin".into()).unwrap().as_string().unwrap()
}

#[wasm_bindgen_test]
async fn the_demo_is_intact_and_signed_by_a_trusted_signer() {
    let version = demo(Fetched::default()).await.version(None).await.unwrap();
    let verdict = version.verify(|_, _| {}).await.clone();
    assert_eq!(verdict.integrity, Integrity::Intact);
    assert_eq!(verdict.signature, SignatureOutcome::Trusted);
}

#[wasm_bindgen_test]
async fn a_catalog_with_one_flipped_bit_is_not_handed_over() {
    let host = Fetched { flipped: Some("/ducklake.duckdb") };
    let version = demo(host).await.version(None).await.unwrap();
    let error = version.catalog(|_, _| {}).await.map(|_| ()).unwrap_err();
    assert!(matches!(error, FdlError::HashMismatch { .. }), "{error}");
}

#[wasm_bindgen_test]
async fn a_description_with_one_flipped_bit_breaks_the_version() {
    let host = Fetched { flipped: Some("/dataset.json") };
    let version = demo(host).await.version(None).await.unwrap();
    assert_eq!(version.verdict().integrity, Integrity::Broken);
}

#[wasm_bindgen_test]
async fn the_history_is_walked_to_its_end() {
    let mut history = demo(Fetched::default()).await.history(None).await.unwrap();
    let mut versions = 0;
    while let Some(entry) = history.next().await.unwrap() {
        assert!(matches!(entry, HistoryEntry::Version { .. }), "{entry:?}");
        versions += 1;
    }
    assert!(versions >= 5, "{versions}");
}
