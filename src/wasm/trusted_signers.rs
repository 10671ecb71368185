//! A list of trusted signers, for JavaScript.

use js_sys::Promise;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use super::plain;
use super::promise::promised;
use crate::record::Timestamp;
use crate::trust::allowed_signers::Line;
use crate::trust::{Principals, SkippedLine, TrustedSigners};

#[derive(Serialize)]
struct List<'a> {
    lines: Vec<Shown<'a>>,
    skipped: Vec<SkippedLine>,
}

#[derive(Serialize)]
struct Shown<'a> {
    line: usize,
    principals: &'a Principals,
    cert_authority: bool,
    namespaces: &'a Option<Principals>,
    valid_after: Option<Timestamp>,
    valid_before: Option<Timestamp>,
    key_type: String,
    fingerprint: String,
    comment: &'a str,
}

impl Shown<'_> {
    fn of((number, line): &(usize, Line)) -> Shown<'_> {
        let time = |seconds: Option<i64>| Timestamp::from_unix(u64::try_from(seconds?).ok()?);
        Shown {
            line: *number,
            principals: &line.principals,
            cert_authority: line.cert_authority,
            namespaces: &line.namespaces,
            valid_after: time(line.valid_after),
            valid_before: time(line.valid_before),
            key_type: line.key_type(),
            fingerprint: line.fingerprint(),
            comment: &line.comment,
        }
    }
}

/// Whom a list trusts, from when until when, and for what; and the lines that do not count.
#[wasm_bindgen(js_name = readTrustedSigners, unchecked_return_type = "Promise<unknown>")]
pub fn read_trusted_signers(text: String) -> Promise {
    promised(None, async move {
        let signers = TrustedSigners::parse(&text).await;
        let lines = signers.lines.iter().map(Shown::of).collect();
        Ok(plain(&List { lines, skipped: signers.skipped_lines() }))
    })
}
