//! What another verifier, for JavaScript, gets wrong.

use crate::agreement::Case;
use crate::ssh_keygen::{ALICE, MALLORY};

#[test]
fn the_namespace_is_compared() {
    let case = Case::signed(&ALICE, "git", "sha512");
    case.agrees_that_not("wrong_namespace");
    assert!(Case { namespace: "git", ..case }.agrees());
}

#[test]
#[cfg(feature = "ecdsa")]
fn signatures_by_p521_keys_are_checked() {
    use crate::ssh_keygen::{Key, Kind};

    let key = Key::of(Kind::Ecdsa("521"));
    for hash in ["sha256", "sha512"] {
        let case = Case::signed(&key, "fdl", hash).list(&format!("alice {}", key.public));
        assert!(case.agrees(), "{hash}");
        // The last bytes of s, before which there is nothing to be wrong about.
        case.parts(|parts| *parts.signature.last_mut().unwrap() ^= 1).agrees_that_not("bad_signature");
    }
}

#[test]
#[cfg(feature = "ecdsa")]
fn numbers_of_an_ecdsa_signature_that_are_shorter_than_the_field_are_filled_up() {
    use crate::by_hand::{HandKey, TOUCHED};
    use crate::wire::take;

    let key = HandKey::p256(1);
    let list = format!("alice {}", key.public());
    let mut record = Case::new().record;
    let mut found = [false; 2];
    // One number in 256 is shorter by a byte.
    for _ in 0..4096 {
        if found == [true; 2] {
            return;
        }
        record.push(b'\n');
        let parts = key.sign(&record, "fdl", "sha512", TOUCHED);
        let mut strings = &parts.signature[..];
        let (_, numbers) = (take(&mut strings), take(&mut strings));
        let mut numbers = &numbers[..];
        for found in &mut found {
            let number = take(&mut numbers);
            let length = number.iter().skip_while(|byte| **byte == 0).count();
            if length < 32 && !*found {
                *found = true;
                let case = Case { record: record.clone(), signature: parts.armor(), ..Case::new() };
                assert!(case.list(&list).agrees());
            }
        }
    }
    panic!("no short number was looked at");
}

#[test]
fn armor_with_crlf_is_read() {
    assert!(Case::new().armored(|armor| armor.replace('\n', "\r\n")).agrees());
}

#[test]
fn what_does_not_count_says_why() {
    let mallory = Case::signed(&MALLORY, "fdl", "sha512");
    for (case, code) in [
        (mallory.clone(), "unknown_key"),
        (Case::signed(&ALICE, "git", "sha512"), "wrong_namespace"),
        (Case::new().parts(|parts| parts.namespace = b"git".into()), "bad_signature"),
        (Case::new().armored(|_| "no signature".into()), "malformed_signature"),
        (Case::new().parts(|parts| parts.hash = b"sha1".into()), "unsupported_algorithm"),
        (Case::new().list(r#"alice namespaces="git" ALICE"#), "namespace_not_allowed"),
        (Case::new().list(r#"alice valid-before="20200101Z" ALICE"#), "expired_key"),
        (Case::new().list(r#"alice valid-after="20300101Z" ALICE"#), "not_yet_valid"),
        (Case::new().by("bob"), "principal_not_allowed"),
        (Case::new().revoked("ALICE"), "revoked"),
    ] {
        case.agrees_that_not(code);
        let check = case.judge().0.checks.remove(0);
        let said = check.message.unwrap();
        assert!(said.ends_with('.') && said.len() > 30, "{said}");
        assert_eq!(serde_json::to_value(check.facts).unwrap()["code"], code);
    }
}
