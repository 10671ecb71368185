//! A page whose fetch serves the demo repository, and what its script does with a handle.

use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

use crate::wasm::repository::Repository;

pub(super) const ROOT: &str = "https://demo.example/lake/";

/// A live version, and its parent, which is past retention.
pub(super) const LIVE: &str = "0184cb05-5860-7319-85a0-35c03fca0982";
pub(super) const PAST: &str = "018190c3-5790-7541-b44d-36ca385eb2ab";

macro_rules! demo {
    ($path:literal) => {
        ($path, include_bytes!(concat!("../../../www/demo/", $path)).as_slice())
    };
}

const FILES: [(&str, &[u8]); 11] = [
    demo!("fdl.json"),
    demo!("HEAD"),
    demo!("versions/0184cb05-5860-7319-85a0-35c03fca0982/version.json"),
    demo!("versions/0184cb05-5860-7319-85a0-35c03fca0982/version.json.sig"),
    demo!("versions/0184cb05-5860-7319-85a0-35c03fca0982/dataset.json"),
    demo!("versions/0184cb05-5860-7319-85a0-35c03fca0982/files.json"),
    demo!("versions/0184cb05-5860-7319-85a0-35c03fca0982/ducklake.duckdb"),
    demo!("versions/018190c3-5790-7541-b44d-36ca385eb2ab/version.json"),
    demo!("versions/018190c3-5790-7541-b44d-36ca385eb2ab/version.json.sig"),
    demo!("versions/018190c3-5790-7541-b44d-36ca385eb2ab/dataset.json"),
    demo!("versions/018190c3-5790-7541-b44d-36ca385eb2ab/expired.json"),
];

pub(super) const CATALOG: &[u8] = FILES[6].1;

const TRUSTED_SIGNERS: &str = include_str!("../../../www/portal/trusted-signers.txt");

/// A page, with the files that its fetch knows.
pub(super) struct Page {
    files: Object,
}

impl Page {
    /// The demo as it was when [`LIVE`] was its newest version, with a ref for the host's own use.
    pub(super) fn of_the_demo() -> Page {
        let page = Page { files: Object::new() };
        for (path, bytes) in FILES {
            page.put(path, bytes);
        }
        let refs = format!(
            r#"{{"refs": {{"refs/heads/main": "{LIVE}", "refs/requests/1": "{PAST}", "refs/tags/first": "{LIVE}"}}}}"#
        );
        page.put("refs.json", refs.as_bytes());
        page
    }

    /// Puts a file in its place.
    pub(super) fn put(&self, path: &str, bytes: &[u8]) {
        Reflect::set(&self.files, &format!("{ROOT}{path}").into(), &Uint8Array::from(bytes)).unwrap();
    }

    /// Takes a file away.
    pub(super) fn remove(&self, path: &str) {
        Reflect::delete_property(&self.files, &format!("{ROOT}{path}").into()).unwrap();
    }

    /// The page's fetch: a little later it answers with the file, or 404.
    fn fetch(&self) -> Function {
        Function::new_with_args(
            "files",
            "return async (request) => {
                await new Promise((later) => setTimeout(later));
                request.signal.throwIfAborted();
                const bytes = files[request.url];
                return bytes ? new Response(bytes) : new Response(null, { status: 404 });
            }",
        )
        .call1(&JsValue::UNDEFINED, &self.files)
        .unwrap()
        .unchecked_into()
    }

    /// Opens the repository; the page trusts the demo's signers.
    pub(super) async fn open(&self) -> Result<JsValue, JsValue> {
        open(ROOT, Some(self.fetch()), None).await
    }

    /// Opens it and reads the version that a name points at.
    pub(super) async fn version(&self, name: Option<&str>) -> Result<JsValue, JsValue> {
        let name = name.map_or(JsValue::UNDEFINED, JsValue::from);
        answer(&self.open().await?, "version", &[name]).await
    }
}

/// Opens a repository as the demo's page does, with a fetch and a signal of the page's own.
pub(super) async fn open(
    url: &str,
    fetch: Option<Function>,
    signal: Option<AbortSignal>,
) -> Result<JsValue, JsValue> {
    let trusted = Some(TRUSTED_SIGNERS.into());
    let opened =
        Repository::open(url.into(), trusted, None, None, None, None, false, vec![], None, fetch, signal);
    JsFuture::from(opened).await
}

/// `handle.method(…)`
pub(super) fn call(handle: &JsValue, method: &str, arguments: &[JsValue]) -> JsValue {
    let function: Function = get(handle, method).unchecked_into();
    let arguments: Array = arguments.iter().collect();
    let called = Reflect::apply(&function, handle, &arguments);
    called.unwrap_or_else(|error| panic!("{method} threw {error:?}"))
}

/// `await handle.method(…)`
pub(super) async fn answer(
    handle: &JsValue,
    method: &str,
    arguments: &[JsValue],
) -> Result<JsValue, JsValue> {
    JsFuture::from(call(handle, method, arguments).unchecked_into::<Promise>()).await
}

/// The member at a path such as `tables.0.columns.0`.
pub(super) fn get(value: &JsValue, path: &str) -> JsValue {
    let step = |value: JsValue, name: &str| Reflect::get(&value, &name.into()).unwrap();
    path.split('.').filter(|name| !name.is_empty()).fold(value.clone(), step)
}

/// The text there.
pub(super) fn text(value: &JsValue, path: &str) -> String {
    get(value, path).as_string().unwrap_or_else(|| panic!("{path} of {value:?}"))
}
