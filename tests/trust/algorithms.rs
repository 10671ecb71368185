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

#[test]
fn keys_that_anyone_could_sign_for_are_judged_as_by_ssh_keygen() {
    use crate::parts::Parts;
    use crate::wire::strings;

    // The points of edwards25519 whose order divides 8, and other ways to write them: for such a key
    // one signature may fit many messages.
    let points = [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    ]
    .map(|hex| -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    });
    let whole = Case::new();
    let (mut trusted, mut not) = (0, 0);
    for key in &points {
        let blob = strings([b"ssh-ed25519", &key[..]]);
        let list = format!("alice {}", crate::by_hand::line("ssh-ed25519", &blob));
        for r in &points {
            let signature = strings([b"ssh-ed25519", &[&r[..], &[0; 32]].concat()[..]]);
            let parts = Parts::signed(blob.clone(), &whole.record, "fdl", "sha512", |_| signature);
            let case = Case { signature: parts.armor(), ..whole.clone() }.list(&list);
            if case.agrees() { trusted += 1 } else { not += 1 }
        }
    }
    assert!(trusted > 0 && not > 0, "{trusted} and {not}");
}
