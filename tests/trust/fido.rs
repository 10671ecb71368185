//! Keys in FIDO devices. What they sign is not the message but hashes and what the device notes.

use crate::agreement::Case;
use crate::by_hand::{HandCertificate, HandKey, Noted, TOUCHED};
use crate::parts::Parts;
use crate::ssh_keygen::{self, ALICE};
use crate::wire::string;

const SSH: &str = "ssh:";

/// A device of each kind that this build checks.
fn devices(application: &str) -> Vec<HandKey> {
    let mut devices = vec![HandKey::ed25519(1).in_device(application)];
    if cfg!(feature = "ecdsa") {
        devices.push(HandKey::p256(1).in_device(application));
    }
    devices
}

/// A record signed by a device whose key the page trusts.
fn signed_by(device: &HandKey, noted: Noted) -> Case {
    Case::by_hand(device, noted).list(&format!("alice {}", device.public()))
}

#[test]
fn a_key_in_a_device_is_checked_as_any_other() {
    for device in devices(SSH) {
        let case = signed_by(&device, TOUCHED);
        assert!(case.agrees());
        let signer = case.judge().0.signer.unwrap();
        assert_eq!((signer.key_type.as_str(), signer.line), (device.key_type(), Some(1)));
        assert!(!case.list("alice ALICE").agrees());
    }
}

#[test]
#[cfg(not(feature = "ecdsa"))]
fn a_build_without_ecdsa_says_that_it_does_not_check_such_a_device() {
    use crate::agreement::Difference;
    use fdl_reader::trust::SignatureOutcome;

    let verdict =
        signed_by(&HandKey::p256(1).in_device(SSH), TOUCHED).differs(Difference::UncheckedAlgorithm);
    assert_eq!(verdict.signature, SignatureOutcome::Unchecked);
}

#[test]
fn whether_someone_touched_the_device_and_how_often_it_signed_is_its_own_matter() {
    for device in devices(SSH) {
        for flags in [0, 1, 4, 5, 0x41, 0xff] {
            assert!(signed_by(&device, Noted { flags, counter: 7 }).agrees(), "{flags}");
        }
        for counter in [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
            assert!(signed_by(&device, Noted { flags: 1, counter }).agrees(), "{counter}");
        }
    }
}

#[test]
fn what_the_device_notes_is_signed() {
    for device in devices(SSH) {
        let length = Parts::of(&signed_by(&device, TOUCHED).signature).signature.len();
        for at in length - 5..length {
            let changed = signed_by(&device, TOUCHED).parts(|parts| parts.signature[at] ^= 1);
            assert!(!changed.agrees(), "{at}");
        }
    }
}

#[test]
fn a_key_is_made_for_one_application() {
    for application in ["", "ssh:", "ssh:work", "https://example.org", "ssh:\u{e9}"] {
        for device in devices(application) {
            assert!(signed_by(&device, TOUCHED).agrees(), "{application:?}");
        }
    }
    for (device, other) in devices(SSH).iter().zip(devices("ssh:other")) {
        // Another application makes another key of the same numbers.
        signed_by(device, TOUCHED).list(&format!("alice {}", other.public())).agrees_that_not("unknown_key");
        let claimed = signed_by(&other, TOUCHED).parts(|parts| {
            parts.signature = Parts::of(&signed_by(device, TOUCHED).signature).signature;
        });
        claimed.agrees_that_not("bad_signature");
    }
}

#[test]
fn what_the_device_notes_is_all_there_and_nothing_follows() {
    for device in devices(SSH) {
        for missing in 1..=5 {
            let cut = signed_by(&device, TOUCHED)
                .parts(|parts| parts.signature.truncate(parts.signature.len() - missing));
            cut.agrees_that_not("malformed_signature");
        }
        for more in [&b"\0"[..], b"\0\0\0\0", &[1; 300]] {
            let longer = signed_by(&device, TOUCHED).parts(|parts| parts.signature.extend(more));
            longer.agrees_that_not("malformed_signature");
        }
    }
}

#[test]
fn a_signature_by_a_device_is_none_by_the_same_key_outside_and_the_other_way_round() {
    for (inside, outside) in [
        (HandKey::ed25519(1).in_device(SSH), HandKey::ed25519(1)),
        #[cfg(feature = "ecdsa")]
        (HandKey::p256(1).in_device(SSH), HandKey::p256(1)),
    ] {
        for (signer, claimed) in [(&inside, &outside), (&outside, &inside)] {
            let signature = Parts::of(&Case::by_hand(signer, TOUCHED).signature).signature;
            let mut named = string(claimed.key_type());
            named.extend(&signature[string(signer.key_type()).len()..]);
            for signature in [signature.clone(), named] {
                let case = signed_by(claimed, TOUCHED).parts(|parts| parts.signature = signature.clone());
                assert!(!case.agrees(), "{} as {}", signer.key_type(), claimed.key_type());
            }
        }
        // And neither is listed by the other's line.
        signed_by(&inside, TOUCHED)
            .list(&format!("alice {}", outside.public()))
            .agrees_that_not("unknown_key");
    }
}

#[test]
fn a_line_cannot_ask_for_a_touch() {
    for device in devices(SSH) {
        for option in ["verify-required", "no-touch-required", "touch-required"] {
            let list = format!("alice {option} {}", device.public());
            assert!(!signed_by(&device, TOUCHED).list(&list).agrees());
        }
    }
}

#[test]
fn an_authority_may_certify_a_key_in_a_device() {
    for device in devices(SSH) {
        let certificate = ssh_keygen::certificate_of(&device.public(), &ALICE, &["-n", "alice"]);
        let case = signed_by(&device, TOUCHED).certified(&certificate);
        assert!(case.clone().list("alice cert-authority ALICE").agrees());
        assert!(!case.list("bob cert-authority ALICE").agrees());
    }
}

#[test]
fn an_authority_may_lie_in_a_device() {
    let key = HandKey::ed25519(2);
    for device in devices(SSH) {
        let certificate = HandCertificate::of(&key, &["alice"], &device);
        let case = Case::by_hand(&key, TOUCHED).list(&format!("alice cert-authority {}", device.public()));
        let signed = |noted| {
            let blob = certificate.signed(|message| device.sign_bytes(message, noted));
            case.clone().parts(|parts| parts.key = blob)
        };
        assert!(signed(TOUCHED).agrees());
        assert!(signed(Noted { flags: 0, counter: 0 }).agrees());
        let mut cut = Parts::of(&signed(TOUCHED).signature);
        let last = cut.key.len() - 1;
        cut.key[last] ^= 1;
        case.clone()
            .parts(|parts| parts.key = cut.key)
            .agrees_that_not("certificate_bad_authority_signature");
    }
}
