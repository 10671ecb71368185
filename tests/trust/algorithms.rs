//! Kinds of keys and hashes.

use fdl_reader::trust::SignatureOutcome;

use crate::agreement::{Case, Difference};
use crate::ssh_keygen::{ALICE, Key, Kind};

#[test]
fn sha256_and_sha512_are_checked() {
    for hash in ["sha256", "sha512"] {
        assert!(Case::signed(&ALICE, "fdl", hash).agrees());
    }
}

#[test]
fn a_kind_of_key_that_is_not_checked_yet_is_said_to_be_unchecked() {
    for kind in [Kind::Ecdsa("256"), Kind::Ecdsa("384"), Kind::Ecdsa("521"), Kind::Rsa] {
        for hash in ["sha256", "sha512"] {
            let key = Key::of(kind);
            let case = Case::signed(&key, "fdl", hash).list(&format!("alice {}", key.public));
            let verdict = case.differs(Difference::UncheckedAlgorithm);
            assert_eq!(verdict.signature, SignatureOutcome::Unchecked, "{kind:?}");
            assert_eq!(verdict.checks[0].code, Some("unsupported_algorithm"));
            assert!(verdict.covers.is_empty());
            let signer = verdict.signer.unwrap();
            assert!(key.public.starts_with(&signer.key_type), "{}", signer.key_type);
            assert!((signer.principal, signer.line) == (None, None), "nobody is named");
        }
    }
}

#[test]
fn a_kind_that_is_not_checked_is_unchecked_whoever_is_trusted_and_in_whatever_namespace() {
    let key = Key::of(Kind::Ecdsa("256"));
    let unlisted = Case::signed(&key, "fdl", "sha512").judge();
    assert_eq!((unlisted.0.signature, unlisted.1), (SignatureOutcome::Unchecked, false));
    let elsewhere = Case::signed(&key, "git", "sha512").list(&format!("alice {}", key.public)).judge();
    assert_eq!((elsewhere.0.signature, elsewhere.1), (SignatureOutcome::Unchecked, false));
}
