//! The browser's own hashing and checking of signatures: Web Cryptography's `SubtleCrypto`.
//!
//! A page that was not loaded securely has none.

#[cfg(target_arch = "wasm32")]
pub(super) use native::*;

#[cfg(target_arch = "wasm32")]
mod native {
    use js_sys::{Array, JSON, Object, Reflect, Uint8Array};
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;
    use web_sys::{CryptoKey, SubtleCrypto};

    pub(in crate::trust) fn is_there() -> bool {
        subtle().is_some()
    }

    /// The SHA-256 of bytes; `None` where the browser does not hash.
    pub(in crate::trust) async fn sha256(bytes: &[u8]) -> Option<[u8; 32]> {
        // It takes a copy of the bytes before it answers with a promise.
        let digest = subtle()?.digest_with_str_and_u8_array("SHA-256", bytes).ok()?;
        let hash = JsFuture::from(digest).await.ok()?;
        Uint8Array::new(&hash).to_vec().try_into().ok()
    }

    /// Why a signature was not checked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(in crate::trust) enum Refused {
        /// The key is none.
        Key,
        /// The browser does not check such signatures.
        Algorithm,
    }

    /// Whether a key (a JSON Web Key) made a signature by an algorithm (a dictionary, as JSON).
    pub(in crate::trust) async fn verify(
        jwk: &str,
        algorithm: &str,
        signature: &[u8],
        message: &[u8],
    ) -> Result<bool, Refused> {
        let key = key(jwk, algorithm).await?;
        let verified = subtle()
            .zip(object(algorithm))
            .and_then(|(subtle, algorithm)| {
                let verify = SubtleCrypto::verify_with_object_and_u8_array_and_u8_array;
                verify(&subtle, &algorithm, &key, signature, message).ok()
            })
            .ok_or(Refused::Algorithm)?;
        JsFuture::from(verified).await.map(|is_by| is_by == true).map_err(|_| Refused::Algorithm)
    }

    /// A key that checks signatures.
    pub(in crate::trust) async fn key(jwk: &str, algorithm: &str) -> Result<CryptoKey, Refused> {
        let imported = subtle()
            .zip(object(jwk).zip(object(algorithm)))
            .and_then(|(subtle, (jwk, algorithm))| {
                let uses = Array::of1(&"verify".into());
                subtle.import_key_with_object("jwk", &jwk, &algorithm, false, &uses).ok()
            })
            .ok_or(Refused::Algorithm)?;
        match JsFuture::from(imported).await {
            Ok(key) => Ok(key.unchecked_into()),
            Err(_) if can_make(algorithm).await => Err(Refused::Key),
            Err(_) => Err(Refused::Algorithm),
        }
    }

    /// Whether the browser makes keys of an algorithm itself. Some say of one that they do not know what
    /// others say of a damaged key.
    async fn can_make(algorithm: &str) -> bool {
        let made = subtle().zip(object(algorithm)).and_then(|(subtle, algorithm)| {
            let uses = Array::of2(&"sign".into(), &"verify".into());
            subtle.generate_key_with_object(&algorithm, false, &uses).ok()
        });
        match made {
            Some(made) => JsFuture::from(made).await.is_ok(),
            None => false,
        }
    }

    fn object(json: &str) -> Option<Object> {
        JSON::parse(json).ok()?.dyn_into().ok()
    }

    /// Of the page, of a worker or of Node: each has it in its global scope.
    fn subtle() -> Option<SubtleCrypto> {
        let crypto = Reflect::get(&js_sys::global(), &JsValue::from("crypto")).ok()?;
        let subtle = Reflect::get(crypto.dyn_ref::<Object>()?, &JsValue::from("subtle")).ok()?;
        subtle.dyn_into().ok()
    }
}

#[cfg(not(target_arch = "wasm32"))]
pub(super) fn is_there() -> bool {
    false
}

#[cfg(not(target_arch = "wasm32"))]
pub(super) async fn sha256(_: &[u8]) -> Option<[u8; 32]> {
    None
}

#[cfg(all(test, target_arch = "wasm32", not(feature = "ecdsa")))]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use crate::trust::Revoked;
    use crate::trust::base64::encode;

    /// The base point of P-256 (SEC 2).
    const POINT: &str = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296\
                         4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

    fn line(point: &[u8]) -> String {
        let fields: [&[u8]; 3] = [b"ecdsa-sha2-nistp256", b"nistp256", point];
        let strings = fields.map(|field| [&(field.len() as u32).to_be_bytes(), field].concat());
        let dense = encode(&strings.concat());
        format!("ecdsa-sha2-nistp256 {dense}{}", &"==="[..(4 - dense.len() % 4) % 4])
    }

    #[wasm_bindgen_test]
    async fn a_list_of_revoked_keys_with_one_that_is_on_no_curve_is_none() {
        let digits = (0..POINT.len()).step_by(2);
        let mut point: Vec<u8> =
            digits.map(|at| u8::from_str_radix(&POINT[at..at + 2], 16).unwrap()).collect();
        point.insert(0, 4);
        assert!(Revoked::parse(line(&point).as_bytes()).await.is_ok());
        for at in [1, 32, 33, 64] {
            let mut off = point.clone();
            off[at] ^= 1;
            let refused = Revoked::parse(line(&off).as_bytes()).await.unwrap_err();
            assert_eq!(refused.code(), "invalid_revoked_keys", "{at}");
        }
    }
}
