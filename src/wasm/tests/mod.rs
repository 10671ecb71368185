//! What crosses to JavaScript, seen from a page: these run in a browser.

mod aborting; // a call ends when its signal is aborted
mod crossing; // records, refs, verdicts and errors are plain objects
mod freeing; // a handle may be freed while it is at work
mod page; // a page whose fetch serves the demo repository

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
