//! The parts of a signature, taken apart and put together otherwise. Its version, its reserved part
//! and its framing are not signed, so a signature stays good when they change.

use crate::agreement::{Case, Difference};
use crate::parts::{Parts, armored, blob};
use crate::ssh_keygen::{ALICE, BOB, MALLORY};
use crate::wire::{string, take};

/// Alice's signature with some of its parts changed.
fn with(change: impl Fn(&mut Parts)) -> Case {
    Case::new().parts(change)
}

#[test]
fn parts_put_together_again_are_the_signature() {
    assert!(with(|_| {}).agrees());
}

#[test]
fn the_magic_and_the_version_are_those_of_the_protocol() {
    assert!(!with(|parts| parts.magic = b"SSHSIH".into()).agrees());
    assert!(!with(|parts| parts.magic = b"SSHSI".into()).agrees());
    for version in [2, 256, u32::MAX] {
        assert!(!with(|parts| parts.version = version).agrees());
    }
    with(|parts| parts.version = 0).differs(Difference::Version0);
}

#[test]
fn no_bytes_follow() {
    for rest in [&b"\0"[..], b"\0\0\0\0", &[0; 1000]] {
        assert!(!with(|parts| parts.rest = rest.into()).agrees());
        assert!(!with(|parts| parts.signature.extend(rest)).agrees());
        assert!(!with(|parts| parts.key.extend(rest)).agrees());
    }
}

#[test]
fn a_signature_cut_anywhere_is_none() {
    let blob = blob(&Case::new().signature);
    for length in (0..blob.len()).step_by(7) {
        let cut = Case { signature: armored(&blob[..length]), ..Case::new() };
        assert!(!cut.agrees(), "{length}");
    }
}

#[test]
fn a_length_that_leads_past_the_end_is_a_fault() {
    let blob = |length: u32| [&b"SSHSIG\0\0\0\x01"[..], &length.to_be_bytes(), &[0; 60]].concat();
    for length in [61, 0x7fff_ffff, u32::MAX] {
        let case = Case { signature: armored(&blob(length)), ..Case::new() };
        assert!(!case.agrees(), "{length}");
    }
}

#[test]
fn the_reserved_part_is_not_looked_at() {
    for reserved in [&b"x"[..], b"\0", b"fdl", &[255; 300]] {
        assert!(with(|parts| parts.reserved = reserved.into()).agrees());
    }
}

#[test]
fn the_namespace_is_the_one_that_the_page_expects() {
    for signed_for in ["git", "FDL", "fdl ", "fd", "fdl\u{e9}"] {
        assert!(!Case::signed(&ALICE, signed_for, "sha512").agrees(), "{signed_for:?}");
    }
    let mut case = Case::signed(&ALICE, "weather", "sha512");
    case.namespace = "weather";
    assert!(case.agrees());
}

#[test]
fn a_namespace_that_was_put_in_afterwards_makes_nothing_good() {
    for namespace in [&b""[..], b"git", b"\0fdl", b"fdl\0fdl", b"\xff"] {
        assert!(!with(|parts| parts.namespace = namespace.into()).agrees(), "{namespace:?}");
        let other = Case::signed(&ALICE, "git", "sha512").parts(|parts| parts.namespace = b"fdl".into());
        assert!(!other.agrees());
    }
}

#[test]
fn text_does_not_end_at_a_nul() {
    // For C it does, and OpenSSH lets one stand at the very end.
    for change in [
        (|parts| parts.namespace.push(0)) as fn(&mut Parts),
        |parts| parts.hash.push(0),
        |parts| {
            let mut key = &parts.key[..];
            parts.key = [string([take(&mut key), vec![0]].concat()), key.into()].concat();
        },
        |parts| {
            let mut signature = &parts.signature[..];
            parts.signature = [string([take(&mut signature), vec![0]].concat()), signature.into()].concat();
        },
    ] {
        with(change).differs(Difference::LastNul);
    }
}

#[test]
fn a_page_that_expects_no_namespace_trusts_no_signature() {
    let mut case = with(|parts| parts.namespace.clear());
    case.namespace = "";
    assert!(!case.agrees());
}

#[test]
fn the_hash_is_the_one_that_was_signed() {
    for hash in [&b"sha256"[..], b"sha1", b"md5", b"SHA512", b"sha512\0sha256", b""] {
        assert!(!with(|parts| parts.hash = hash.into()).agrees(), "{hash:?}");
    }
}

#[test]
fn a_signature_counts_for_the_key_that_made_it_alone() {
    // Bob and Mallory say that they made what Alice made, and Alice what they made.
    assert!(!with(|parts| parts.key = BOB.blob()).list("bob BOB").agrees());
    for signer in [&*BOB, &*MALLORY] {
        let claimed = Case::signed(signer, "fdl", "sha512").parts(|parts| parts.key = ALICE.blob());
        assert!(!claimed.agrees());
    }
    assert!(!with(|parts| parts.key.clear()).agrees());
    assert!(!with(|parts| parts.key[14] ^= 1).agrees());
}

#[test]
fn a_signature_counts_for_the_record_that_was_signed_alone() {
    let case = Case::new();
    let other = crate::reader::record("2026-10-15T09:00:01Z");
    assert!(!Case { record: other, ..Case::new() }.agrees());
    let mut longer = case.record.clone();
    longer.push(b'\n');
    assert!(!Case { record: longer, ..case }.agrees());
}

#[test]
fn the_kind_of_signature_is_the_kind_of_the_key() {
    for kind in [&b"ssh-rsa"[..], b"ssh-ed25519-cert-v01@openssh.com", b"ssh-ed2551", b""] {
        let case = with(|parts| {
            let mut signature = &parts.signature[..];
            take(&mut signature);
            parts.signature = [string(kind), signature.into()].concat();
        });
        assert!(!case.agrees(), "{kind:?}");
    }
}

#[test]
fn the_numbers_of_a_signature_are_reduced() {
    // The order of the group of edwards25519, little-endian (RFC 8032, 5.1).
    const ORDER: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let malleated = with(|parts| {
        let start = parts.signature.len() - 32;
        let mut carry = 0;
        for (byte, order) in parts.signature[start..].iter_mut().zip(ORDER) {
            let sum = u16::from(*byte) + u16::from(order) + carry;
            (*byte, carry) = (sum as u8, sum >> 8);
        }
    });
    malleated.differs(Difference::Malleability);
}
