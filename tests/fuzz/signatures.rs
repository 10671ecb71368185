//! Signatures, keys and certificates, and the lists that trust or revoke them.

use base64ct::{Base64, Encoding};
use fdl_reader::trust::allowed_signers::Demand;
use fdl_reader::trust::sshsig::SshSig;
use fdl_reader::trust::{Policy, Principals, Revoked, SignatureOutcome, TrustedSigners, Verdict};
use pollster::block_on;

use crate::by_hand::{HandCertificate, HandKey, TOUCHED, line};
use crate::chance::Chance;
use crate::changes::changed;
use crate::parts::{Parts, armored, blob};
use crate::reader;
use crate::run::target;
use crate::scenario;
use crate::wire::{number, string, strings};

/// When the keys of the scenarios count.
const TIME: i64 = 1_772_000_000;

const MADE_AT: &str = "2026-10-15T09:00:00Z";

#[test]
fn signatures() {
    let scenario = scenario::named("second-commit");
    let signature = scenario.read(&scenario.at_tip("version.json.sig"));
    let record = scenario.read(&scenario.at_tip("version.json"));
    let whole = SshSig::parse(&signature).unwrap();
    assert_eq!(block_on(whole.verify(&record, "fdl")), Ok(()));
    let blob = blob(&signature);
    // A change of the base64 itself seldom leaves it base64.
    let make = |chance: &mut Chance| match chance.below(4) {
        0 => changed(&signature, chance),
        _ => armored(&changed(&blob, chance)),
    };
    target("version.json.sig", make, |bytes| {
        let Ok(sshsig) = SshSig::parse(bytes) else { return false };
        if block_on(sshsig.verify(&record, "fdl")).is_ok() {
            assert_eq!(sshsig, whole, "another signature of the same key is none that it made");
        }
        true
    });
}

/// OpenSSH's vectors: a key of each kind, and its signature.
fn vectors() -> (String, Vec<(String, Parts)>) {
    let json: serde_json::Value =
        serde_json::from_str(include_str!("../trust/vectors/openssh.json")).unwrap();
    let vectors = json["signatures"].as_array().unwrap().iter().map(|vector| {
        let signature = Base64::decode_vec(vector["signature"].as_str().unwrap()).unwrap();
        (vector["public"].as_str().unwrap().to_owned(), Parts::of(&armored(&signature)))
    });
    (json["message"].as_str().unwrap().to_owned(), vectors.collect())
}

fn bytes(chance: &mut Chance, length: usize) -> Vec<u8> {
    (0..length).map(|_| chance.below(256) as u8).collect()
}

/// A public key whose numbers are anything: no curve has its point, or its modulus is even, or 1.
fn any_key(chance: &mut Chance) -> Vec<u8> {
    let point = |chance: &mut Chance, size: usize| {
        let first = chance.of(&[4, 4, 4, 0, 2]);
        let rest = chance.of(&[0, 1, size, 2 * size, 2 * size]);
        let filling = chance.of(&[0, 0xff]);
        [vec![first], if chance.once_in(3) { vec![filling; rest] } else { bytes(chance, rest) }].concat()
    };
    let curves = [("nistp256", 32), ("nistp384", 48), ("nistp521", 66)];
    match chance.below(4) {
        0 => {
            let (curve, size) = chance.of(&curves);
            strings([format!("ecdsa-sha2-{curve}").as_bytes(), curve.as_bytes(), &point(chance, size)])
        }
        1 => {
            let length = chance.of(&[1, 8, 127, 128, 256, 257, 512, 1024]);
            let (e, mut n) = (chance.of(&[1, 2, 3, 17, 255]), bytes(chance, length));
            if chance.once_in(2) {
                *n.last_mut().unwrap() |= 1;
            }
            let e = if chance.once_in(4) { bytes(chance, length) } else { vec![e] };
            [string("ssh-rsa"), number(&e), number(&n)].concat()
        }
        2 => {
            let (length, filling) = (chance.of(&[0, 31, 32, 32, 32, 33]), chance.of(&[0, 1, 0xff]));
            let key = if chance.once_in(3) { vec![filling; length] } else { bytes(chance, length) };
            strings([b"ssh-ed25519", &key[..]])
        }
        _ => {
            let application = chance.of(&["", "ssh:", "\0", "ssh:\u{e9}"]);
            let point = point(chance, 32);
            strings([b"sk-ecdsa-sha2-nistp256@openssh.com", &b"nistp256"[..], &point, application.as_bytes()])
        }
    }
}

#[test]
fn signatures_by_every_kind_of_key() {
    let (message, vectors) = vectors();
    let good = |parts: &Parts| {
        SshSig::parse(&parts.armor())
            .is_ok_and(|sshsig| block_on(sshsig.verify(message.as_bytes(), "unittest")).is_ok())
    };
    let good_ones = vectors.iter().filter(|(_, parts)| good(parts)).count();
    assert!(good_ones >= 2, "{good_ones}");
    let make = |chance: &mut Chance| {
        let mut parts = vectors[chance.below(vectors.len())].1.clone();
        match chance.below(6) {
            0 => parts.key = any_key(chance),
            1 => parts.key = changed(&parts.key, chance),
            2 => parts.signature = changed(&parts.signature, chance),
            3 => {
                let name = chance.of(&[
                    "ssh-rsa",
                    "rsa-sha2-256",
                    "rsa-sha2-512",
                    "ssh-ed25519",
                    "ecdsa-sha2-nistp521",
                ]);
                let length = chance.of(&[0, 1, 64, 128, 256, 257]);
                let bytes = bytes(chance, length);
                parts.signature = strings([name.as_bytes(), &bytes]);
                parts.key = any_key(chance);
            }
            4 => {
                parts.key = any_key(chance);
                let (r, s) = (chance.of(&[0, 1, 32, 48, 66, 67]), chance.of(&[0, 1, 32, 48, 66]));
                let numbers = [number(&bytes(chance, r)), number(&bytes(chance, s))].concat();
                let mut key = &parts.key[..];
                let key_type = crate::wire::take(&mut key);
                parts.signature = strings([&key_type, &numbers]);
            }
            _ => parts.hash = changed(&parts.hash, chance),
        }
        parts.armor()
    };
    target("signatures by every kind of key", make, |bytes| {
        let Ok(sshsig) = SshSig::parse(bytes) else { return false };
        if block_on(sshsig.verify(message.as_bytes(), "unittest")).is_ok() {
            let is_one = |parts: &Parts| SshSig::parse(&parts.armor()).is_ok_and(|one| one.key == sshsig.key);
            assert!(vectors.iter().any(|(_, parts)| is_one(parts)), "nobody has such a key");
        }
        true
    });
}

#[test]
fn trusted_signers() {
    let scenario = scenario::named("second-commit");
    let key = SshSig::parse(&scenario.read(&scenario.at_tip("version.json.sig"))).unwrap().key;
    let authority = HandKey::ed25519(3);
    let certificate = HandCertificate::of(&HandKey::ed25519(2), &["alice"], &authority).signed_by(&authority);
    let mut whole = scenario.judged.trusted_signers.clone();
    whole += &format!("* cert-authority,namespaces=\"fdl\" {}\n", authority.public());
    whole += &format!("alice {}\n", line("ssh-ed25519-cert-v01@openssh.com", &certificate));
    vectors().1.iter().for_each(|(public, _)| whole += &format!("bob valid-after=\"20260101\" {public}\n"));
    let lists = [&scenario.judged.trusted_signers, &whole];
    let make = |chance: &mut Chance| changed(chance.of(&lists).as_bytes(), chance);
    target("trusted signers", make, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let list = block_on(TrustedSigners::parse(&text));
        assert!(list.lines.len() + list.skipped.len() <= text.lines().count());
        for (_, problem) in &list.skipped {
            assert!(!problem.to_string().is_empty());
        }
        let demanded = Principals::new("*@example.org,alice".into());
        let mut is_found = false;
        for principal in [None, Some(&demanded)] {
            let demand = Demand { namespace: "fdl", time: TIME, principal };
            let Ok(found) = list.find(&key, &demand) else { continue };
            assert_eq!(found.line.key, key);
            assert!(!found.line.cert_authority && (1..=text.lines().count()).contains(&found.number));
            is_found = true;
        }
        is_found
    });
}

/// A verdict on a signature by a certificate of an authority whom the page trusts.
fn verdict(record: &[u8], signature: &[u8], list: &str, revoked: &[u8]) -> Verdict {
    let policy = Policy {
        trusted_signers: Some(block_on(TrustedSigners::parse(list))),
        revoked: block_on(Revoked::parse(revoked)).unwrap_or_default(),
        ..Policy::default()
    };
    reader::verdict(record, signature, policy).unwrap()
}

#[test]
fn certificates() {
    let (key, authority) = (HandKey::ed25519(2), HandKey::ed25519(3));
    let record = reader::record(MADE_AT);
    let signed = key.sign(&record, "fdl", "sha512", TOUCHED);
    let whole = HandCertificate::of(&key, &["alice", "bob"], &authority);
    let list = format!("alice cert-authority {}", authority.public());
    let make = |chance: &mut Chance| {
        let mut certificate = whole.clone();
        for _ in 0..=chance.below(2) {
            let times = [0, 1, 1_792_054_800, 1_792_054_801, 1 << 63, u64::MAX];
            match chance.below(9) {
                0 => certificate.fields = changed(&certificate.fields, chance),
                1 => certificate.principals = changed(&certificate.principals, chance),
                2 => certificate.key_id = changed(&certificate.key_id, chance),
                3 => certificate.critical_options = changed(&strings(["force-command", ""]), chance),
                4 => certificate.extensions = changed(&strings(["permit-pty", ""]), chance),
                5 => certificate.authority = changed(&certificate.authority, chance),
                6 => certificate.kind = chance.of(&[0, 1, 1, 2, u32::MAX]),
                7 => certificate.valid_after = chance.of(&times),
                _ => certificate.valid_before = chance.of(&times),
            }
        }
        // Signed as it then is, it is read to its end.
        let mut parts = signed.clone();
        parts.key = certificate.signed_by(&authority);
        if chance.once_in(4) {
            parts.key = changed(&parts.key, chance);
        }
        parts.armor()
    };
    target("certificates", make, |bytes| {
        let verdict = verdict(&record, bytes, &list, b"");
        if verdict.signature != SignatureOutcome::Trusted {
            return false;
        }
        let certificate = verdict.signer.unwrap().certificate.unwrap();
        assert!(certificate.principals.iter().any(|name| name == "alice"), "{certificate:?}");
        true
    });
}

/// A KRL of some sections, at random.
fn any_krl(chance: &mut Chance, keys: &[Vec<u8>]) -> Vec<u8> {
    let mut krl = [&b"SSHKRL\n\0\0\0\0\x01"[..], &[0; 24], &strings(["", "by chance"])].concat();
    for _ in 0..chance.below(4) {
        let key = &keys[chance.below(keys.len())];
        let numbers: Vec<u8> = (0..chance.below(4))
            .flat_map(|_| chance.of(&[1, 2, 7, 1 << 40, u64::MAX]).to_be_bytes())
            .collect();
        let length = chance.below(5);
        let (kind, section) = match chance.below(6) {
            0 => (2, strings([key])),
            1 => (3, string(bytes(chance, 20))),
            2 => (5, string(bytes(chance, 32))),
            3 => (255, [string("x@example.org"), vec![chance.of(&[0, 1])], string("?")].concat()),
            _ => {
                let (kind, list) = match chance.below(4) {
                    0 => (0x20, numbers),
                    1 => (0x21, numbers),
                    2 => (0x22, [&7_u64.to_be_bytes()[..], &number(&bytes(chance, length))].concat()),
                    _ => (0x23, strings(["id", "laptop"])),
                };
                let authority = if chance.once_in(3) { &[][..] } else { key };
                (1, [strings([authority, b""]), vec![kind], string(list)].concat())
            }
        };
        krl.push(kind);
        krl.extend(string(section));
    }
    krl
}

#[test]
fn revoked_keys() {
    let (key, authority) = (HandKey::ed25519(2), HandKey::ed25519(3));
    let record = reader::record(MADE_AT);
    let mut signature = key.sign(&record, "fdl", "sha512", TOUCHED);
    signature.key = HandCertificate::of(&key, &["alice"], &authority).signed_by(&authority);
    let signature = signature.armor();
    let list = format!("alice cert-authority {}", authority.public());
    let keys = [key.blob(), authority.blob(), HandKey::p256(1).blob(), b"no key".into()];
    let lines = format!("# lost\n{}\n{}\n", HandKey::p256(1).public(), key.public());
    let make = |chance: &mut Chance| {
        let whole = if chance.once_in(3) { lines.clone().into() } else { any_krl(chance, &keys) };
        if chance.once_in(2) { changed(&whole, chance) } else { whole }
    };
    target("revoked keys", make, |bytes| {
        if block_on(Revoked::parse(bytes)).is_err() {
            return false;
        }
        let verdict = verdict(&record, &signature, &list, bytes);
        assert!(matches!(verdict.checks[0].code, None | Some("revoked")), "{:?}", verdict.checks);
        true
    });
}
