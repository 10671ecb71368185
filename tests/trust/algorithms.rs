//! Kinds of keys and hashes.

use fdl_reader::trust::SignatureOutcome;

use crate::agreement::{Case, Difference};
use crate::parts::Parts;
use crate::ssh_keygen::{ALICE, Key, Kind};

#[test]
fn sha256_and_sha512_are_checked() {
    for hash in ["sha256", "sha512"] {
        assert!(Case::signed(&ALICE, "fdl", hash).agrees());
    }
}

/// Every kind that ssh-keygen makes, and whether this build checks it.
const KINDS: [(Kind, bool); 5] = [
    (Kind::Ed25519, true),
    (Kind::Ecdsa("256"), cfg!(feature = "ecdsa")),
    (Kind::Ecdsa("384"), cfg!(feature = "ecdsa")),
    (Kind::Ecdsa("521"), cfg!(feature = "ecdsa")),
    (Kind::Rsa("2048"), cfg!(feature = "rsa")),
];

fn signed_by(key: &Key, hash: &'static str) -> Case {
    Case::signed(key, "fdl", hash).list(&format!("alice {}", key.public))
}

#[test]
fn a_kind_of_key_is_checked_or_said_to_be_unchecked() {
    for (kind, is_checked) in KINDS {
        for hash in ["sha256", "sha512"] {
            let key = Key::of(kind);
            let case = signed_by(&key, hash);
            if is_checked {
                assert!(case.agrees(), "{kind:?}");
                continue;
            }
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
fn a_signature_changed_in_any_part_is_by_nobody_whatever_kind_of_key() {
    for (kind, _) in KINDS.iter().filter(|(_, is_checked)| *is_checked) {
        let key = Key::of(*kind);
        // An ECDSA signature has a length of its own; many show what padding does.
        for _ in 0..4 {
            let whole = signed_by(&key, "sha512");
            assert!(whole.agrees(), "{kind:?}");
            let parts = Parts::of(&whole.signature);
            for at in (0..parts.signature.len()).step_by(7) {
                let mut changed = parts.clone();
                changed.signature[at] ^= 1;
                assert!(!signed_by(&key, "sha512").with(&whole, &changed).agrees(), "{kind:?} at {at}");
            }
        }
    }
}

#[test]
fn a_signature_by_one_kind_of_key_is_none_by_another() {
    let keys: Vec<Key> = KINDS.iter().map(|(kind, _)| Key::of(*kind)).collect();
    for (one, other) in keys.iter().zip(keys.iter().cycle().skip(1)) {
        let whole = signed_by(one, "sha512");
        let mut parts = Parts::of(&whole.signature);
        let theirs = signed_by(other, "sha512");
        parts.key = Parts::of(&theirs.signature).key;
        let (verdict, trusted) = signed_by(other, "sha512").with(&whole, &parts).judge();
        assert!(!trusted && verdict.signature != SignatureOutcome::Trusted);
    }
}

#[test]
#[cfg(feature = "rsa")]
fn an_rsa_key_of_less_than_2048_bits_counts_for_nothing_here() {
    let key = Key::of(Kind::Rsa("1024"));
    let verdict = signed_by(&key, "sha512").differs(Difference::WeakRsa);
    assert_eq!(verdict.signature, SignatureOutcome::Untrusted);
    assert_eq!(verdict.checks[0].code, Some("weak_key"));
    for size in ["3072", "4096"] {
        assert!(signed_by(&Key::of(Kind::Rsa(size)), "sha256").agrees(), "{size}");
    }
}
