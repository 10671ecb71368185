//! Certificates: an authority's word for whose key a key is. The record was made on 15 October 2026
//! at 09:00:00 UTC.

use fdl_reader::trust::SignatureOutcome;

use crate::agreement::{Case, Difference};
use crate::by_hand::{HandCertificate, HandKey, TOUCHED, line};
use crate::parts::Parts;
use crate::ssh_keygen::{ALICE, BOB, KEYS, MALLORY};
use crate::wire::{string, strings};

/// A record signed with a certificate of Bob's key, by Alice's word.
fn certified(options: &[&str]) -> Case {
    let certificate = BOB.certified(&ALICE, options);
    Case::signed(&certificate, "fdl", "sha512").list("alice cert-authority ALICE")
}

/// Each list trusts a certificate for alice and carol, or does not, and ssh-keygen says the same.
fn lists_agree(lists: &[(&str, bool)]) {
    let case = certified(&["-n", "alice,carol"]).by_one_of(&["alice", "carol", "bob"]);
    for (list, trusted) in lists {
        assert_eq!(case.clone().list(list).agrees(), *trusted, "{list:?}");
    }
}

/// The same record, signed by a key with a certificate that is put together by hand.
fn by_hand(change: impl Fn(&mut HandCertificate)) -> Case {
    let (key, authority) = (HandKey::ed25519(2), HandKey::ed25519(3));
    let mut certificate = HandCertificate::of(&key, &["alice"], &authority);
    change(&mut certificate);
    let case = Case::by_hand(&key, TOUCHED).parts(|parts| parts.key = certificate.signed_by(&authority));
    case.list(&format!("* cert-authority {}", authority.public()))
}

#[test]
fn every_kind_of_authority_certifies_every_kind_of_key() {
    for authority in KEYS.iter() {
        for key in KEYS.iter() {
            let certificate = key.certified(authority, &["-n", "alice"]);
            let case = Case::signed(&certificate, "fdl", "sha256");
            assert!(case.clone().list(&format!("alice cert-authority {}", authority.public)).agrees());
            assert!(!case.clone().list(&format!("alice {}", authority.public)).agrees());
            assert!(!case.clone().list(&format!("alice {}", key.public)).agrees());
            let by_its_own = case.list(&format!("alice cert-authority {}", key.public));
            assert_eq!(by_its_own.agrees(), std::ptr::eq(key, authority));
        }
    }
}

#[test]
fn a_certificate_counts_by_the_line_of_its_authority_alone() {
    lists_agree(&[
        ("alice cert-authority ALICE", true),
        ("alice cert-authority BOB", false),
        ("alice ALICE", false),
        ("alice BOB", false),
        ("alice BOB\ncarol CERT-AUTHORITY ALICE comment", true),
        ("alice ALICE\nalice cert-authority ALICE", true),
    ]);
    certified(&["-n", "alice"]).list("alice BOB").agrees_that_not("unknown_key");
    // And says nothing for who signs without it.
    assert!(!Case::signed(&BOB, "fdl", "sha512").list("alice cert-authority ALICE").agrees());
}

#[test]
fn a_line_admits_those_of_a_certificates_names_that_its_patterns_match() {
    lists_agree(&[
        ("* cert-authority ALICE", true),
        ("carol cert-authority ALICE", true),
        ("bob cert-authority ALICE", false),
        ("bob,carol cert-authority ALICE", true),
        ("Alice cert-authority ALICE", false),
        ("a* cert-authority ALICE", true),
        ("b* cert-authority ALICE", false),
        ("*,!alice cert-authority ALICE", true),
        ("*,!alice,!carol cert-authority ALICE", false),
        ("!bob cert-authority ALICE", false),
        ("bob cert-authority ALICE\ncarol cert-authority ALICE", true),
    ]);
    let case = certified(&["-n", "alice,carol"]).by_one_of(&["carol"]).list("*,!alice cert-authority ALICE");
    assert_eq!(case.judge().0.signer.unwrap().principal.as_deref(), Some("carol"));
    certified(&["-n", "carol"]).agrees_that_not("principal_not_allowed");
}

#[test]
fn names_of_a_certificate_are_names_even_where_they_look_like_patterns() {
    for name in ["*", "a?ice", "!alice", "a b", "Ex, Alice", "\u{e9}"] {
        let case = by_hand(|certificate| certificate.principals = strings([name])).by_one_of(&[name]);
        assert!(case.agrees(), "{name:?}");
        let as_if = case.by_one_of(&["alice", "Alice", "Ex"]);
        let (_, theirs) = Case { demanded: Some("alice".into()), ..as_if }.judge();
        assert!(!theirs, "{name:?}");
    }
}

#[test]
fn the_options_of_the_authoritys_line_bind_its_certificates() {
    lists_agree(&[
        (r#"alice cert-authority,namespaces="fdl" ALICE"#, true),
        (r#"alice cert-authority,namespaces="git" ALICE"#, false),
        (r#"alice namespaces="f*",cert-authority ALICE"#, true),
        (r#"alice cert-authority,valid-after="20261015090000Z" ALICE"#, true),
        (r#"alice cert-authority,valid-after="20261015090001Z" ALICE"#, false),
        (r#"alice cert-authority,valid-before="20261015090000Z" ALICE"#, true),
        (r#"alice cert-authority,valid-before="20261015085959Z" ALICE"#, false),
        (r#"alice cert-authority, ALICE"#, false),
        (r#"alice cert-authority,no-such ALICE"#, false),
        (r#"alice cert-authority="yes" ALICE"#, false),
        (r#"alice cert-authority,cert-authority ALICE"#, true),
        (r#"alice no-cert-authority ALICE"#, false),
    ]);
}

#[test]
fn a_certificate_counts_from_its_first_second_to_before_its_last() {
    for (validity, code) in [
        ("20261015085959Z:20261015090001Z", None),
        ("20261015090000Z:20261015090001Z", None),
        ("20261015090001Z:20261015090002Z", Some("certificate_not_yet_valid")),
        ("20261015080000Z:20261015090000Z", Some("certificate_expired")),
        ("20261015080000Z:20261015085959Z", Some("certificate_expired")),
        ("20261015080000Z:forever", None),
        ("always:20261015090001Z", None),
        ("always:20261015090000Z", Some("certificate_expired")),
        ("always:forever", None),
    ] {
        let case = certified(&["-n", "alice", "-V", validity]);
        match code {
            Some(code) => case.agrees_that_not(code),
            None => assert!(case.agrees(), "{validity}"),
        }
    }
    for (after, before, trusted) in
        [(0, 0, false), (u64::MAX, u64::MAX, false), (1 << 63, u64::MAX, false), (0, 1 << 63, true)]
    {
        let case = by_hand(|certificate| {
            (certificate.valid_after, certificate.valid_before) = (after, before);
        });
        assert_eq!(case.agrees(), trusted, "{after} {before}");
    }
}

#[test]
fn a_certificate_of_a_host_is_not_one_of_a_person() {
    certified(&["-n", "alice", "-h"]).agrees_that_not("certificate_not_for_users");
    for kind in [0, 3, u32::MAX] {
        by_hand(|certificate| certificate.kind = kind).agrees_that_not("malformed_signature");
    }
}

#[test]
fn a_certificate_without_principals_is_nobodys() {
    let case = certified(&[]);
    case.agrees_that_not("certificate_without_principals");
    case.list("* cert-authority ALICE").agrees_that_not("certificate_without_principals");
}

#[test]
fn a_certificate_names_256_principals_at_most() {
    let named = |count: usize| {
        by_hand(|certificate| {
            let others = (1..count).map(|number| format!("person-{number}"));
            certificate.principals = strings(others.chain(["alice".into()]));
        })
    };
    assert!(named(256).agrees());
    named(257).agrees_that_not("malformed_signature");
}

#[test]
fn what_a_certificate_forbids_at_a_login_does_not_bind_signatures() {
    for option in ["force-command=/bin/false", "source-address=192.0.2.0/24", "verify-required", "clear"] {
        assert!(certified(&["-n", "alice", "-O", option]).agrees(), "{option}");
    }
    for options in [strings(["no-such@example.org", ""]), strings(["b", "", "a", ""]), strings(["", ""])] {
        assert!(by_hand(|certificate| certificate.critical_options = options.clone()).agrees());
        assert!(by_hand(|certificate| certificate.extensions = options.clone()).agrees());
    }
    for damaged in [string("no value"), vec![0], vec![0, 0, 0, 9, b'x']] {
        let critical = by_hand(|certificate| certificate.critical_options = damaged.clone());
        critical.agrees_that_not("malformed_signature");
        by_hand(|certificate| certificate.extensions = damaged.clone())
            .agrees_that_not("malformed_signature");
    }
    assert!(by_hand(|certificate| certificate.reserved = b"later".into()).agrees());
}

#[test]
fn the_authority_signed_the_whole_certificate() {
    for authority in KEYS.iter() {
        let certificate = BOB.certified(authority, &["-n", "alice"]);
        let case = Case::signed(&certificate, "fdl", "sha512")
            .list(&format!("* cert-authority {}", authority.public));
        assert!(case.agrees());
        let length = certificate.blob().len();
        for at in (0..length).step_by(1 + length / 60) {
            let changed = case.clone().parts(|parts| parts.key[at] ^= 1);
            assert!(!changed.agrees(), "{at} of {length}");
        }
        for rest in [&b"\0"[..], &[0; 4]] {
            assert!(!case.clone().parts(|parts| parts.key.extend(rest)).agrees());
        }
        assert!(!case.parts(|parts| parts.key.truncate(length - 1)).agrees());
    }
    by_hand(|certificate| certificate.rest = vec![0]).agrees_that_not("malformed_signature");
}

#[test]
fn a_certificate_by_someone_who_claims_to_be_the_authority_is_bad() {
    let (key, authority, other) = (HandKey::ed25519(2), HandKey::ed25519(3), HandKey::ed25519(4));
    let forged = HandCertificate::of(&key, &["alice"], &authority).signed_by(&other);
    let case = Case::by_hand(&key, TOUCHED)
        .parts(|parts| parts.key = forged)
        .list(&format!("alice cert-authority {}", authority.public()));
    case.agrees_that_not("certificate_bad_authority_signature");
    let (verdict, _) = case.judge();
    assert_eq!(verdict.signature, SignatureOutcome::Bad);
    assert!(verdict.covers.is_empty());
}

#[test]
fn a_certificate_is_of_the_key_that_signed() {
    let mallory = Case::signed(&MALLORY, "fdl", "sha512").list("* cert-authority ALICE");
    let bobs = BOB.certified(&ALICE, &["-n", "alice"]);
    mallory.certified(&bobs.public).agrees_that_not("bad_signature");
}

#[test]
fn an_authority_is_a_key_and_no_certificate() {
    let (key, authority, root) = (HandKey::ed25519(2), HandKey::ed25519(3), HandKey::ed25519(4));
    let between = HandCertificate::of(&authority, &["alice"], &root).signed_by(&root);
    let mut certificate = HandCertificate::of(&key, &["alice"], &authority);
    certificate.authority = between.clone();
    let case = Case::by_hand(&key, TOUCHED).parts(|parts| parts.key = certificate.signed_by(&authority));
    for trusted in [root.public(), authority.public()] {
        let case = case.clone().list(&format!("* cert-authority {trusted}"));
        case.agrees_that_not("malformed_signature");
    }
    // A line of an authority may give a certificate of its key all the same.
    let certificate = HandCertificate::of(&key, &["alice"], &authority).signed_by(&authority);
    let between = line("ssh-ed25519-cert-v01@openssh.com", &between);
    let case = Case::by_hand(&key, TOUCHED)
        .parts(|parts| parts.key = certificate)
        .list(&format!("* cert-authority {between}"));
    assert!(case.agrees());
}

#[test]
fn a_line_may_list_a_very_certificate_which_then_counts_whatever_it_says() {
    for options in [&["-n", "alice"][..], &["-n", "bob"], &["-h"], &["-V", "20200101Z:20210101Z"]] {
        let certificate = BOB.certified(&ALICE, options);
        let case = Case::signed(&certificate, "fdl", "sha512").by("alice");
        let list = |list: &str| case.clone().list(&list.replace("CERTIFICATE", &certificate.public));
        assert!(list("alice CERTIFICATE").agrees(), "{options:?}");
        assert!(!list("bob CERTIFICATE").agrees());
        assert!(!list("alice cert-authority CERTIFICATE").agrees());
        assert!(!list(r#"alice namespaces="git" CERTIFICATE"#).agrees());
        assert!(!list(r#"alice valid-before="20261014Z" CERTIFICATE"#).agrees());
        let other = BOB.certified(&ALICE, &["-n", "alice"]);
        assert!(!case.clone().list(&format!("alice {}", other.public)).agrees());
        assert!(!Case::signed(&BOB, "fdl", "sha512").list(&format!("alice {}", certificate.public)).agrees());
    }
}

#[test]
fn a_listed_certificate_whose_authority_did_not_sign_it_is_no_key() {
    let (key, authority, other) = (HandKey::ed25519(2), HandKey::ed25519(3), HandKey::ed25519(4));
    let forged = HandCertificate::of(&key, &["alice"], &authority).signed_by(&other);
    let list = format!("alice {}", line("ssh-ed25519-cert-v01@openssh.com", &forged));
    let case = Case::by_hand(&key, TOUCHED).parts(|parts| parts.key = forged).list(&list);
    assert!(!case.agrees());
    assert_eq!(case.judge().0.skipped_lines.len(), 1);
}

#[test]
fn an_authority_whose_listed_certificate_is_forged_is_none() {
    let case = Case::signed(&ALICE.certified(&BOB, &["-n", "alice"]), "fdl", "sha512");
    for above in KEYS.iter() {
        let certificate = BOB.certified(above, &["-n", "bob"]);
        let name = certificate.public.split(' ').next().unwrap();
        let listed = |blob: &[u8]| case.clone().list(&format!("alice cert-authority {}", line(name, blob)));
        let mut blob = certificate.blob();
        assert!(listed(&blob).agrees());
        *blob.last_mut().unwrap() ^= 1;
        assert!(!listed(&blob).agrees());
        assert_eq!(listed(&blob).judge().0.skipped_lines.len(), 1);
    }
}

#[test]
fn a_certificates_type_is_that_of_its_key() {
    for key_type in [
        "ssh-ed25519",
        "ssh-rsa-cert-v01@openssh.com",
        "sk-ssh-ed25519-cert-v01@openssh.com",
        "ssh-ed25519-cert-v00@openssh.com",
        "ssh-ed25519-cert-v01",
        "ecdsa-sha2-nistp256-cert-v01@openssh.com",
    ] {
        assert!(!by_hand(|certificate| certificate.key_type = key_type.into()).agrees(), "{key_type}");
    }
}

#[test]
fn a_verdict_says_what_the_certificate_says() {
    let certificate = BOB.certified(
        &ALICE,
        &["-n", "alice,carol", "-z", "18446744073709551615", "-V", "20261001Z:20261101Z", "-I", "laptop"],
    );
    let case = Case::signed(&certificate, "fdl", "sha512").list("alice cert-authority ALICE");
    let signer = case.judge().0.signer.unwrap();
    let said = serde_json::to_value(&signer.certificate).unwrap();
    assert_eq!(
        said,
        serde_json::json!({
            "key_id": "laptop",
            "serial": "18446744073709551615",
            "principals": ["alice", "carol"],
            "valid_after": "2026-10-01T00:00:00Z",
            "valid_before": "2026-11-01T00:00:00Z",
            "authority": ALICE.fingerprint(),
        })
    );
    assert_eq!((signer.key_type.as_str(), signer.fingerprint), ("ssh-ed25519", BOB.fingerprint()));
    assert_eq!(signer.principal.as_deref(), Some("alice"));
}

#[test]
#[cfg(feature = "rsa")]
fn an_authority_with_an_rsa_key_signs_over_sha256_or_sha512() {
    use crate::ssh_keygen::{Key, Kind};

    let list = |authority: &Key| format!("alice cert-authority {}", authority.public);
    let signed = |authority: &Key, algorithm: &str| {
        let certificate = BOB.certified(authority, &["-n", "alice", "-t", algorithm]);
        Case::signed(&certificate, "fdl", "sha512").list(&list(authority))
    };
    let authority = Key::of(Kind::Rsa("2048"));
    assert!(signed(&authority, "rsa-sha2-256").agrees());
    assert!(signed(&authority, "rsa-sha2-512").agrees());
    let verdict = signed(&authority, "ssh-rsa").differs(Difference::Sha1);
    assert_eq!(verdict.signature, SignatureOutcome::Unchecked);
    let weak = signed(&Key::of(Kind::Rsa("1024")), "rsa-sha2-512");
    let verdict = weak.clone().differs(Difference::WeakRsa);
    assert_eq!(verdict.signature, SignatureOutcome::Untrusted);
    // What is bad is bad, whatever else is to be said of it.
    weak.parts(|parts| *parts.signature.last_mut().unwrap() ^= 1).agrees_that_not("bad_signature");
}

#[test]
#[cfg(feature = "rsa")]
fn a_certificate_that_is_bad_is_bad_however_weak_its_key_is() {
    use crate::ssh_keygen::{Key, Kind};

    let certificate = Key::of(Kind::Rsa("1024")).certified(&ALICE, &["-n", "alice"]);
    let case = Case::signed(&certificate, "fdl", "sha512").list("alice cert-authority ALICE");
    assert_eq!(case.differs(Difference::WeakRsa).checks[0].code, Some("weak_key"));
    let forged = case.parts(|parts| *parts.key.last_mut().unwrap() ^= 1);
    forged.agrees_that_not("certificate_bad_authority_signature");
}

#[test]
fn text_of_a_certificate_ends_where_it_ends() {
    // C ends a string at a NUL, and OpenSSH lets one stand at the very end.
    for change in
        [(|certificate| certificate.key_id = b"id\0".into()) as fn(&mut HandCertificate), |certificate| {
            certificate.principals = strings(["alice\0"])
        }]
    {
        by_hand(change).differs(Difference::LastNul);
    }
    for change in [
        (|certificate| certificate.key_id = b"i\0d".into()) as fn(&mut HandCertificate),
        |certificate| certificate.principals = strings(["alice\0bob"]),
        |certificate| certificate.principals = strings(["\0alice"]),
        |certificate| certificate.principals = b"\0\0\0\x09alice".into(),
    ] {
        by_hand(change).agrees_that_not("malformed_signature");
    }
    // Nor is text what is not UTF-8.
    for change in
        [(|certificate| certificate.key_id = b"\xe9".into()) as fn(&mut HandCertificate), |certificate| {
            certificate.principals = strings([&b"alice"[..], b"\xe9"])
        }]
    {
        by_hand(change).differs(Difference::NotUtf8);
    }
}

#[test]
fn a_certificate_in_a_signature_is_compared_in_its_parts() {
    let case = certified(&["-n", "alice"]);
    let mut parts = Parts::of(&case.signature);
    assert!(case.agrees());
    parts.namespace = b"git".into();
    assert!(!Case { signature: parts.armor(), ..case }.agrees());
}
