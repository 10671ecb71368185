//! Hashing alone, for `npm run bench`: a wasm of its own, which is in no package.

use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::promise::promised;
use crate::error::FdlError;
use crate::record::Sha256;
use crate::trust::digest::{Digest, Expected};

/// Hashes pieces as they come from a host, in the way of a `file` of known length, of bytes that are
/// `held` anyway, or `streamed`. The answer says whether their sha256 is all zeros.
#[wasm_bindgen(unchecked_return_type = "Promise<boolean>")]
pub fn hash(pieces: Array, way: &str) -> Promise {
    let pieces: Vec<Uint8Array> = pieces.iter().map(JsCast::unchecked_into).collect();
    let length = pieces.iter().map(|piece| u64::from(piece.length())).sum();
    let mut digest = match way {
        "file" => Digest::expecting(Some(length)),
        "held" => Digest::holding(length),
        _ => Digest::expecting(None),
    };
    promised(None, async move {
        for piece in pieces {
            digest.update(piece.to_vec());
        }
        let zeros = Sha256::from([0; 32]);
        match digest.check("", Expected { bytes: Some(length), sha256: &zeros }).await {
            Err(FdlError::HashMismatch { .. }) => Ok(JsValue::FALSE),
            checked => checked.map(|_| JsValue::TRUE),
        }
    })
}
