//! Revoked keys: a list of public keys, or a key revocation list (KRL) as ssh-keygen writes it.

use crate::agreement::{Case, Difference};
use crate::by_hand::{HandKey, TOUCHED};
use crate::ssh_keygen::{ALICE, BOB, KEYS, MALLORY, krl};
use crate::wire::{string, strings};

/// A record signed with a certificate of Bob's key, by Alice's word, whatever is revoked.
fn certified(options: &[&str]) -> Case {
    let certificate = BOB.certified(&ALICE, &[&["-n", "alice"], options].concat());
    Case::signed(&certificate, "fdl", "sha512").list("alice cert-authority ALICE")
}

impl Case {
    /// With these revoked keys, it is not trusted, and that is why.
    fn is_revoked_by(&self, revoked: impl AsRef<[u8]>) {
        Case { revoked: Some(revoked.as_ref().into()), ..self.clone() }.agrees_that_not("revoked");
    }

    /// It is trusted all the same.
    fn stands_in_spite_of(&self, revoked: impl AsRef<[u8]>) {
        let case = Case { revoked: Some(revoked.as_ref().into()), ..self.clone() };
        assert!(case.agrees(), "{case}");
    }

    /// Neither reads these revoked keys, and so neither trusts anyone.
    fn is_refused_by(&self, revoked: impl AsRef<[u8]>) {
        let case = Case { revoked: Some(revoked.as_ref().into()), ..self.clone() };
        let (verdict, theirs) = case.judge_or_refuse();
        assert!(!theirs, "{case}");
        assert_eq!(verdict.unwrap_err().code(), "invalid_revoked_keys", "{case}");
    }

    /// This reader alone does not read them.
    fn is_refused_here_by(&self, revoked: impl AsRef<[u8]>, by: Difference) {
        let case = Case { revoked: Some(revoked.as_ref().into()), ..self.clone() };
        let (verdict, theirs) = case.judge_or_refuse();
        assert!(theirs && verdict.is_err(), "{by:?} is no difference: {case}");
    }
}

/// Keys in the words of these tests: ALICE and BOB stand for theirs.
fn list(text: &str) -> String {
    text.replace("ALICE", &ALICE.public).replace("BOB", &BOB.public)
}

#[test]
fn a_key_on_the_list_does_not_count() {
    let case = Case::new();
    for revoked in
        ["ALICE", "ALICE\n", "BOB\nALICE\n", "ALICE comment\n", "# lost\n\n \t ALICE\n", "BOB\n\tALICE"]
    {
        case.is_revoked_by(list(revoked));
    }
    for revoked in ["", "\n", "# nobody yet\n", "BOB\n", "#ALICE\n", "  # ALICE\nBOB\n"] {
        case.stands_in_spite_of(list(revoked));
    }
}

#[test]
fn a_revoked_key_of_any_kind_does_not_count() {
    for key in KEYS.iter() {
        let case = Case::signed(key, "fdl", "sha256").list(&format!("alice {}", key.public));
        case.is_revoked_by(&key.public);
        case.is_revoked_by(krl(&format!("key: {}", key.public), None));
        let others: Vec<&str> = KEYS
            .iter()
            .filter(|other| other.public != key.public)
            .map(|other| other.public.as_str())
            .collect();
        case.stands_in_spite_of(others.join("\n"));
        case.stands_in_spite_of(krl(&others.join("\n"), None));
    }
    for device in [HandKey::ed25519(1).in_device("ssh:"), HandKey::p256(1).in_device("ssh:")] {
        let case = Case::by_hand(&device, TOUCHED).list(&format!("alice {}", device.public()));
        if case.judge().0.signature != fdl_reader::trust::SignatureOutcome::Trusted {
            continue; // it is not checked by this build
        }
        case.is_revoked_by(device.public());
        case.is_revoked_by(krl(&format!("key: {}", device.public()), None));
        case.stands_in_spite_of(HandKey::ed25519(1).in_device("ssh:other").public());
        case.stands_in_spite_of(HandKey::ed25519(1).public());
    }
}

#[test]
fn a_list_of_which_a_line_cannot_be_read_is_none() {
    let case = Case::new();
    for revoked in [
        "ssh-ed25519 AAAA",
        "BOB\nlost\n",
        "\r\n",
        "alice BOB",
        "restrict BOB",
        "ssh-rsa AAAA\nALICE",
        "BOB\n{}\n",
        "no-such-type AAAA",
        "ssh-ed25519",
        "<!doctype html>",
        "SSHKRL",
    ] {
        case.is_refused_by(list(revoked));
    }
    // Where the key stands before the fault, ssh-keygen has seen enough, and so does neither trust.
    let (verdict, theirs) = case.clone().revoked("ALICE\nlost\n").judge_or_refuse();
    assert!(verdict.is_err() && !theirs);
}

#[test]
fn a_list_is_text() {
    let case = Case::new();
    case.is_refused_here_by(
        list("BOB ").into_bytes().into_iter().chain([0xe9]).collect::<Vec<_>>(),
        Difference::NotUtf8,
    );
    case.stands_in_spite_of(list("BOB caf\u{e9}\n"));
    case.stands_in_spite_of(list("BOB\r\n"));
    case.is_revoked_by(list("BOB\r\nALICE\r\n"));
}

#[test]
fn keys_are_revoked_whatever_the_time_and_whoever_has_them() {
    let case = Case::new();
    case.clone().at(("2020-01-01T00:00:00Z", "20200101000000Z")).is_revoked_by(&ALICE.public);
    case.clone().list("bob BOB").is_revoked_by(&ALICE.public);
    case.clone().by("bob").is_revoked_by(&ALICE.public);
    case.list(r#"alice namespaces="git" ALICE"#).is_revoked_by(&ALICE.public);
    // What nobody signed is not revoked but bad.
    let bad = Case::new().parts(|parts| *parts.signature.last_mut().unwrap() ^= 1);
    bad.revoked("ALICE").agrees_that_not("bad_signature");
}

#[test]
fn a_revoked_key_counts_in_no_certificate_nor_does_its_word_for_another() {
    let case = certified(&[]);
    for key in [&*ALICE, &*BOB] {
        case.is_revoked_by(&key.public);
        for line in ["key: ", "sha256: ", "sha1: "] {
            case.is_revoked_by(krl(&format!("{line}{}", key.public), None));
        }
    }
    case.stands_in_spite_of(&MALLORY.public);
    case.stands_in_spite_of(krl(&MALLORY.public, None));
    // A certificate on the list means its key.
    let other = BOB.certified(&MALLORY, &["-n", "x"]);
    case.is_revoked_by(&other.public);
    Case::signed(&BOB, "fdl", "sha512").list("bob BOB").by("bob").is_revoked_by(&other.public);
    let of_authority = ALICE.certified(&MALLORY, &["-n", "x"]);
    case.is_revoked_by(&of_authority.public);
    // The authority of one who signs without a certificate does not matter.
    Case::signed(&BOB, "fdl", "sha512").list("alice BOB").stands_in_spite_of(&ALICE.public);
}

#[test]
fn a_krl_names_keys_whole_or_by_their_hashes() {
    let case = Case::new();
    let fingerprint = ALICE.fingerprint();
    for lines in ["ALICE", "key: ALICE", "sha1: ALICE", "sha256: ALICE", &format!("hash: {fingerprint}")] {
        case.is_revoked_by(krl(&list(lines), None));
    }
    for lines in
        ["BOB", "sha1: BOB", "sha256: BOB", &format!("hash: {}", BOB.fingerprint()), "id: alice", "serial: 1"]
    {
        case.stands_in_spite_of(krl(&list(lines), Some(&ALICE)));
    }
    case.stands_in_spite_of(krl("", None));
}

#[test]
fn a_krl_names_certificates_by_their_serial_numbers() {
    let case = |serial: &str| certified(&["-z", serial]);
    for (serial, lines) in [
        ("7", "serial: 7"),
        ("7", "serial: 0x7"),
        ("7", "serial: 5-9"),
        ("5", "serial: 5-9"),
        ("9", "serial: 5-9"),
        ("7", "serial: 1\nserial: 3\nserial: 5\nserial: 7\nserial: 9\nserial: 11"),
        ("1000", "serial: 1-999\nserial: 1000\nserial: 2000"),
        ("18446744073709551615", "serial: 18446744073709551615"),
        ("18446744073709551615", "serial: 1-18446744073709551615"),
    ] {
        let case = case(serial);
        case.is_revoked_by(krl(lines, Some(&ALICE)));
        case.is_revoked_by(krl(lines, None));
        case.stands_in_spite_of(krl(lines, Some(&MALLORY)));
        case.stands_in_spite_of(krl(lines, Some(&BOB)));
    }
    for (serial, lines) in [
        ("4", "serial: 5-9"),
        ("10", "serial: 5-9"),
        ("8", "serial: 1\nserial: 3\nserial: 5\nserial: 7\nserial: 9\nserial: 11"),
        // What an authority gives that counts none.
        ("0", "serial: 1-18446744073709551615"),
    ] {
        case(serial).stands_in_spite_of(krl(lines, Some(&ALICE)));
    }
}

#[test]
fn a_krl_names_certificates_by_their_ids() {
    let case = certified(&["-I", "laptop"]);
    case.is_revoked_by(krl("id: laptop", Some(&ALICE)));
    case.is_revoked_by(krl("id: desk\nid: laptop", None));
    for lines in ["id: Laptop", "id: lap", "id: laptop2", "id: *"] {
        case.stands_in_spite_of(krl(lines, Some(&ALICE)));
    }
    case.stands_in_spite_of(krl("id: laptop", Some(&MALLORY)));
}

/// A KRL of these sections, each a kind and what it holds.
fn by_hand(sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let header = [&b"SSHKRL\n\0\0\0\0\x01"[..], &[0; 24], &strings(["", "by hand"])].concat();
    let sections = sections.iter().flat_map(|(kind, bytes)| [vec![*kind], string(bytes)].concat());
    header.into_iter().chain(sections).collect()
}

/// Certificates of Alice's, revoked by sections of their own.
fn of_alice(sections: &[(u8, Vec<u8>)]) -> (u8, Vec<u8>) {
    let sections = sections.iter().flat_map(|(kind, bytes)| [vec![*kind], string(bytes)].concat());
    (1, strings([&ALICE.blob()[..], b""]).into_iter().chain(sections).collect())
}

const SERIALS: u8 = 0x20;
const RANGE: u8 = 0x21;
const BITMAP: u8 = 0x22;
const IDS: u8 = 0x23;

fn numbers(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

#[test]
fn each_section_of_a_krl_is_read() {
    let case = certified(&["-z", "7", "-I", "laptop"]);
    let bitmap = |from: u64, bits: &[u8]| [&from.to_be_bytes()[..], &string(bits)].concat();
    for section in [
        (SERIALS, numbers(&[1, 7])),
        (RANGE, numbers(&[7, 7])),
        (BITMAP, bitmap(7, &[1])),
        (BITMAP, bitmap(5, &[4])),
        (BITMAP, bitmap(0, &[0, 0x80])),
        (BITMAP, bitmap(6, &[0, 0x80, 2])),
        (IDS, strings(["desk", "laptop"])),
    ] {
        case.is_revoked_by(by_hand(&[of_alice(std::slice::from_ref(&section))]));
        case.is_revoked_by(by_hand(&[of_alice(&[]), of_alice(&[(SERIALS, numbers(&[1])), section])]));
    }
    for section in [
        (SERIALS, numbers(&[6, 8])),
        (SERIALS, vec![]),
        (RANGE, numbers(&[8, 9])),
        (BITMAP, bitmap(7, &[2])),
        (BITMAP, bitmap(7, &[])),
        (IDS, strings(["", "desk"])),
    ] {
        case.stands_in_spite_of(by_hand(&[of_alice(&[section])]));
    }
    case.is_revoked_by(by_hand(&[(2, strings([BOB.blob()]))]));
    case.is_revoked_by(by_hand(&[(2, strings([MALLORY.blob(), ALICE.blob()]))]));
    case.stands_in_spite_of(by_hand(&[(2, strings(["no key", ""]))]));
    case.stands_in_spite_of(by_hand(&[(2, vec![]), (3, vec![]), (5, vec![])]));
}

#[test]
fn a_krl_that_cannot_be_read_whole_is_none() {
    let case = certified(&["-z", "7"]);
    let bitmap = |from: u64, bits: &[u8]| [&from.to_be_bytes()[..], &string(bits)].concat();
    for section in [
        (SERIALS, vec![0; 7]),
        (SERIALS, numbers(&[0])),
        (RANGE, numbers(&[9, 5])),
        (RANGE, numbers(&[0, 5])),
        (RANGE, numbers(&[5])),
        (RANGE, numbers(&[5, 9, 9])),
        (BITMAP, bitmap(0, &[1])),
        (BITMAP, bitmap(1, &[0x80])),
        (BITMAP, bitmap(u64::MAX, &[2])),
        (BITMAP, bitmap(1, &[1; 2050])),
        (IDS, b"\0\0\0\x09short".into()),
        (IDS, strings(["a\0b"])),
        (0x24, vec![]),
        (0, vec![]),
    ] {
        case.is_refused_by(by_hand(&[of_alice(&[section])]));
    }
    for section in [
        (1, vec![]),
        (1, strings(["no key", ""])),
        (3, string([0; 19])),
        (5, string([0; 20])),
        (2, vec![0]),
        (6, vec![]),
        (0, vec![]),
    ] {
        case.is_refused_by(by_hand(&[section]));
    }
    let whole = krl(&list("MALLORY\nserial: 1-5\nid: x").replace("MALLORY", &MALLORY.public), Some(&ALICE));
    case.stands_in_spite_of(&whole);
    for length in (8..whole.len()).step_by(5) {
        case.is_refused_by(&whole[..length]);
    }
    for (at, byte) in [(8, 1), (11, 2), (11, 0)] {
        let mut changed = whole.clone();
        changed[at] = byte;
        case.is_refused_by(changed);
    }
    case.is_refused_by([&whole[..], b"\0"].concat());
}

#[test]
fn whatever_byte_of_a_krl_is_changed_nobody_is_trusted_whom_ssh_keygen_does_not_trust() {
    let case = certified(&["-z", "7", "-I", "laptop"]);
    let lines = list("ALICE\nserial: 5-9\nserial: 20\nserial: 22\nid: laptop\nsha1: BOB\nsha256: BOB");
    let whole = krl(&lines, Some(&ALICE));
    for at in (0..whole.len()).step_by(3) {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        _ = Case { revoked: Some(changed), ..case.clone() }.judge_or_refuse();
    }
}

/// A KRL with a signature of its own over it, which ssh-keygen checks and does not make.
fn signed(krl: Vec<u8>, by: &HandKey) -> Vec<u8> {
    let before = [krl, vec![4], string(by.blob())].concat();
    let signature = by.sign_bytes(&before, TOUCHED);
    [before, string(signature)].concat()
}

#[test]
fn a_krl_that_is_signed_is_not_read_since_nobody_says_by_whom_it_must_be() {
    let whole = krl(&MALLORY.public, None);
    Case::new().is_refused_here_by(signed(whole.clone(), &HandKey::ed25519(9)), Difference::SignedKrl);
    let mut forged = signed(whole, &HandKey::ed25519(9));
    *forged.last_mut().unwrap() ^= 1;
    Case::new().is_refused_by(forged);
}

#[test]
fn what_a_later_krl_adds_is_passed_over_where_it_says_so() {
    // Version 9.4 of ssh-keygen brought extensions: until then it reads none.
    let extension = |critical: u8| [string("x@example.org"), vec![critical], string("?")].concat();
    for krl in [
        by_hand(&[(255, extension(0)), (2, string(ALICE.blob()))]),
        by_hand(&[(2, string(ALICE.blob())), (255, extension(0))]),
    ] {
        let (verdict, theirs) = Case { revoked: Some(krl), ..Case::new() }.judge_or_refuse();
        assert_eq!((verdict.unwrap().checks[0].code, theirs), (Some("revoked"), false));
    }
    Case::new().is_refused_by(by_hand(&[(255, extension(1)), (2, string(BOB.blob()))]));
    Case::new().is_refused_by(by_hand(&[(255, vec![]), (2, string(BOB.blob()))]));
}

#[test]
fn a_key_is_revoked_however_it_is_written() {
    // A key that is not written as keys are would be another key here, and the same for ssh-keygen.
    let point = ALICE.blob();
    let longer = [&point[..], b"\0"].concat();
    Case::new().is_refused_by(crate::by_hand::line("ssh-ed25519", &longer));
    #[cfg(feature = "rsa")]
    {
        use crate::ssh_keygen::{Key, Kind};

        let key = Key::of(Kind::Rsa("2048"));
        let mut fields = &key.blob()[11..];
        let (e, n) = (crate::wire::take(&mut fields), crate::wire::take(&mut fields));
        let case = Case::signed(&key, "fdl", "sha512").list(&format!("alice {}", key.public));
        let zeros = strings([&b"ssh-rsa"[..], &[&[0; 4], &e[..]].concat(), &n]);
        let written_with_zeros = crate::by_hand::line("ssh-rsa", &zeros);
        let (verdict, theirs) = Case { revoked: Some(written_with_zeros.into()), ..case }.judge_or_refuse();
        assert!(!theirs && verdict.is_err(), "it is not read, so that nobody is trusted");
    }
}

#[test]
#[cfg(feature = "ecdsa")]
fn a_key_that_no_curve_has_is_none() {
    use crate::by_hand::line;

    for device in [HandKey::p256(1), HandKey::p256(1).in_device("ssh:")] {
        let mut blob = device.blob();
        let key_type = device.key_type();
        let at = string(key_type).len() + string("nistp256").len() + 4 + 40;
        blob[at] ^= 1;
        Case::new().is_refused_by(line(key_type, &blob));
        let authority = strings([&blob[..], b""]);
        Case::new().is_refused_by(by_hand(&[(1, authority)]));
        let listed = Case::by_hand(&device, TOUCHED).list(&format!("alice {}", line(key_type, &blob)));
        assert_eq!((listed.agrees(), listed.judge().0.skipped_lines.len()), (false, 1));
        // A list of whole wire forms is compared, not read.
        Case::new().stands_in_spite_of(by_hand(&[(2, string(&blob))]));
    }
}
