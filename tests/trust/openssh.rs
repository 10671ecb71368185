//! OpenSSH's own tests of signatures: its vectors, and each case of its regress/sshsig.sh (revision
//! 1.17) in its order. There a signature is verified for one principal, or principals are found for
//! it; here the page demands one, or none.

use std::process::{Child, Command};
use std::sync::LazyLock;

use base64ct::{Base64, Encoding};
use fdl_reader::trust::TrustedSigners;
use fdl_reader::trust::sshsig::SshSig;
use pollster::block_on;

use crate::agreement::{Case, MADE_AT, Moment};
use crate::by_hand::{HandKey, TOUCHED};
use crate::parts::armored;
use crate::reader;
use crate::ssh_keygen::{self, ALICE, KEYS, MALLORY};

/// The whole of regress/unittests/sshsig/testdata, and what comes out for it.
#[test]
fn vectors() {
    let vectors: serde_json::Value = serde_json::from_str(include_str!("vectors/openssh.json")).unwrap();
    let text = |json: &serde_json::Value| json.as_str().unwrap().to_owned();
    let (message, namespace) = (text(&vectors["message"]), text(&vectors["namespace"]));
    for vector in vectors["signatures"].as_array().unwrap() {
        let (name, public) = (text(&vector["name"]), text(&vector["public"]));
        let signature = armored(&Base64::decode_vec(vector["signature"].as_str().unwrap()).unwrap());
        let code = |message: &str, namespace: &str| {
            let verified = SshSig::parse(&signature)
                .and_then(|signature| block_on(signature.verify(message.as_bytes(), namespace)));
            verified.map_or_else(|problem| problem.code(), |()| "good")
        };
        let is_checked = match name.as_str() {
            "dsa" | "ecdsa_sk_webauthn" => false,
            "rsa" => cfg!(feature = "rsa"),
            name => !name.starts_with("ecdsa") || cfg!(feature = "ecdsa"),
        };
        assert!(ssh_keygen::is_good(&signature, message.as_bytes(), &namespace), "{name}");
        if !is_checked {
            assert_eq!(code(&message, &namespace), "unsupported_algorithm", "{name}");
            continue;
        }
        assert_eq!(code(&message, &namespace), "good", "{name}");
        assert_eq!(code(&message, "other"), "wrong_namespace", "{name}");
        assert_eq!(code("This is another test", &namespace), "bad_signature", "{name}");
        let list = block_on(TrustedSigners::parse(&format!("someone {public}")));
        assert_eq!(list.lines[0].1.key, SshSig::parse(&signature).unwrap().key, "{name}");
    }
}

const PRINCIPAL: &str = "user@example.com";

/// A record that is signed, and whose key it says made that.
struct Signed {
    case: Case,
    /// A key or a certificate, as a line has it.
    public: String,
    fingerprint: String,
    is_certificate: bool,
}

/// Signatures by each kind of key, and by each kind of certificate, which counted in 1984 and 1985.
static SIGNED: LazyLock<Vec<Signed>> = LazyLock::new(|| {
    let options = ["-n", PRINCIPAL, "-z", "7", "-V", "19840101Z:19860101Z"];
    let mut signed = Vec::new();
    for key in KEYS.iter() {
        let certificate = key.certified(&ALICE, &options);
        for (key, is_certificate) in [(key, false), (&certificate, true)] {
            let (case, public) = (Case::signed(key, "fdl", "sha512"), key.public.clone());
            signed.push(Signed { case, public, fingerprint: key.fingerprint(), is_certificate });
        }
    }
    let mut devices = vec![HandKey::ed25519(1)];
    if cfg!(feature = "ecdsa") {
        devices.push(HandKey::p256(1));
    }
    for device in devices {
        let device = device.in_device("ssh:");
        let (case, public) = (Case::by_hand(&device, TOUCHED), device.public());
        let fingerprint = ssh_keygen::fingerprint(&public);
        let certificate = ssh_keygen::certificate_of(&public, &ALICE, &options);
        let certified = case.clone().certified(&certificate);
        signed.push(Signed { case, public, fingerprint: fingerprint.clone(), is_certificate: false });
        signed.push(Signed { case: certified, public: certificate, fingerprint, is_certificate: true });
    }
    signed
});

/// Every signature with a list, in which PRINCIPAL, KEY, WRONG and CA stand for what they mean.
fn each(list: &str) -> Vec<Case> {
    let with = |signed: &Signed| {
        let list = list.replace("PRINCIPAL", PRINCIPAL).replace("KEY", &signed.public);
        signed.case.clone().list(&list.replace("WRONG", &MALLORY.public).replace("CA ", "ALICE "))
    };
    SIGNED.iter().map(with).collect()
}

/// The same for certificates alone.
fn each_certificate(list: &str) -> Vec<Case> {
    let cases = each(list).into_iter().zip(SIGNED.iter());
    cases.filter(|(_, signed)| signed.is_certificate).map(|(case, _)| case).collect()
}

/// They are good by `PRINCIPAL`, or not, at a time.
fn verified(cases: Vec<Case>, time: Moment, expected: bool) {
    for case in cases {
        assert_eq!(case.at(time).by(PRINCIPAL).agrees(), expected);
    }
}

/// They are good by someone, or not, at a time.
fn found(cases: Vec<Case>, time: Moment, expected: bool) {
    for case in cases {
        assert_eq!(case.at(time).by_one_of(&[PRINCIPAL]).agrees(), expected);
    }
}

const NOW: Moment = MADE_AT;
const IN_1979: Moment = ("1979-01-01T00:00:00Z", "19790101Z");
const IN_1981: Moment = ("1981-01-01T00:00:00Z", "19810101Z");
const IN_1983: Moment = ("1983-01-01T00:00:00Z", "19830101Z");
const IN_1984: Moment = ("1984-01-01T00:00:00Z", "19840101Z");
const IN_1985: Moment = ("1985-01-01T00:00:00Z", "19850101Z");
const IN_1988: Moment = ("1988-01-01T00:00:00Z", "19880101Z");
const IN_1989: Moment = ("1989-01-01T00:00:00Z", "19890101Z");
const IN_1991: Moment = ("1991-01-01T00:00:00Z", "19910101Z");
const IN_1995: Moment = ("1995-01-01T00:00:00Z", "19950101Z");
const IN_1999: Moment = ("1999-01-01T00:00:00Z", "19990101Z");
const IN_2010: Moment = ("2010-01-01T00:00:00Z", "20100101Z");

#[test]
fn check_bad_hashalg() {
    for case in each("PRINCIPAL KEY") {
        let case = case.by(PRINCIPAL).parts(|parts| parts.hash = b"sha1".into());
        case.agrees_that_not("unsupported_algorithm");
    }
}

#[test]
fn sign_and_verify_with_hash() {
    for key in KEYS.iter() {
        for hash in ["sha256", "sha512"] {
            let case = Case::signed(key, "fdl", hash).list(&format!("{PRINCIPAL} {}", key.public));
            assert!(case.by(PRINCIPAL).agrees(), "{hash}");
        }
    }
    verified(each("PRINCIPAL KEY"), NOW, true);
}

#[test]
fn verify_with_limited_namespace() {
    verified(each(r#"PRINCIPAL namespaces="fdl,whatever" KEY"#), NOW, true);
}

#[test]
fn print_pubkey() {
    for (case, signed) in each(r#"PRINCIPAL namespaces="fdl,whatever" KEY"#).into_iter().zip(SIGNED.iter()) {
        let signer = case.by(PRINCIPAL).judge().0.signer.unwrap();
        assert_eq!(signer.fingerprint, signed.fingerprint);
        assert_eq!(signer.certificate.is_some(), signed.is_certificate);
    }
}

#[test]
fn verify_with_bad_signers() {
    verified(each("PRINCIPAL octopus KEY"), NOW, false);
}

#[test]
fn verify_with_wrong_key() {
    verified(each("PRINCIPAL WRONG"), NOW, false);
}

#[test]
fn verify_with_wrong_data() {
    let record = reader::record(IN_2010.0);
    for case in each("PRINCIPAL KEY") {
        Case { record: record.clone(), ..case.by(PRINCIPAL) }.agrees_that_not("bad_signature");
    }
}

#[test]
fn verify_with_wrong_principal() {
    verified(each("josef.k@example.com KEY"), NOW, false);
}

#[test]
fn verify_with_wrong_namespace() {
    for case in each("PRINCIPAL KEY") {
        Case { namespace: "COWS_COWS_COWS", ..case.by(PRINCIPAL) }.agrees_that_not("wrong_namespace");
    }
}

#[test]
fn verify_with_excluded_namespace() {
    verified(each(r#"PRINCIPAL namespaces="whatever" KEY"#), NOW, false);
}

const IN_THE_EIGHTIES: &str = r#"PRINCIPAL valid-after="19800101",valid-before="19900101" KEY"#;

#[test]
fn verify_with_valid_lifespan() {
    verified(each(IN_THE_EIGHTIES), IN_1985, true);
}

#[test]
fn verify_with_not_yet_valid_lifespan() {
    verified(each(IN_THE_EIGHTIES), IN_1979, false);
}

#[test]
fn verify_with_expired_lifespan() {
    verified(each(IN_THE_EIGHTIES), IN_1991, false);
}

#[test]
fn verify_with_expired_lifespan_now() {
    verified(each(IN_THE_EIGHTIES), NOW, false);
}

#[test]
fn find_principals_with_valid_lifespan() {
    found(each(IN_THE_EIGHTIES), IN_1985, true);
}

#[test]
fn find_principals_with_not_yet_valid_lifespan() {
    found(each(IN_THE_EIGHTIES), IN_1979, false);
}

#[test]
fn find_principals_with_expired_lifespan() {
    found(each(IN_THE_EIGHTIES), IN_1999, false);
}

#[test]
fn find_principals_with_expired_lifespan_now() {
    found(each(IN_THE_EIGHTIES), NOW, false);
}

#[test]
fn verify_with_revoked_key() {
    for (case, signed) in each(r#"PRINCIPAL namespaces="whatever" KEY"#).into_iter().zip(SIGNED.iter()) {
        case.by(PRINCIPAL).revoked(&signed.public).agrees_that_not("revoked");
    }
}

#[test]
fn verify_with_unrevoked_key() {
    let wrong = |case: Case| case.revoked(&MALLORY.public);
    verified(each("PRINCIPAL KEY").into_iter().map(wrong).collect(), NOW, true);
}

#[test]
fn check_novalidate_with_valid_data() {
    for case in each("") {
        case.agrees_that_not("unknown_key");
        assert_eq!(case.judge().0.covers, ["version.json"], "it is good all the same");
    }
}

#[test]
fn check_novalidate_with_invalid_data() {
    let record = reader::record(IN_2010.0);
    for case in each("") {
        Case { record: record.clone(), ..case }.agrees_that_not("bad_signature");
    }
}

#[test]
fn find_principals_with_valid_key() {
    found(each("PRINCIPAL KEY"), NOW, true);
}

#[test]
fn find_principals_with_wrong_key() {
    found(each("PRINCIPAL WRONG"), NOW, false);
}

#[test]
fn find_principals_with_missing_namespace() {
    // A page always has a namespace; whom the line means is found and shown.
    for case in each(r#"PRINCIPAL namespaces="test1,test2" KEY"#) {
        case.agrees_that_not("namespace_not_allowed");
        assert_eq!(case.judge().0.signer.unwrap().principal.as_deref(), Some(PRINCIPAL));
    }
}

#[test]
fn sign_with_agent_and_check_that_signature() {
    let agent = Agent::start();
    let record = reader::record(MADE_AT.0);
    for key in KEYS.iter() {
        let signature = key.sign_with_agent(&agent.socket, &record);
        let case = Case::signed(key, "fdl", "sha512")
            .list(&format!(r#"{PRINCIPAL} namespaces="fdl,whatever" {}"#, key.public));
        assert!(Case { signature, ..case.by(PRINCIPAL) }.agrees());
    }
}

/// The program that keeps keys for whoever signs.
struct Agent {
    socket: String,
    process: Child,
}

impl Agent {
    fn start() -> Agent {
        // The path of a socket is short.
        let socket = std::env::temp_dir().join(format!("fdl-{}.agent", std::process::id()));
        let socket = socket.to_str().unwrap().to_owned();
        let process = Command::new("ssh-agent")
            .args(["-D", "-a", &socket])
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("it comes with ssh-keygen");
        while !std::fs::exists(&socket).unwrap() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        Agent { socket, process }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.process.kill().and_then(|()| self.process.wait().map(drop));
        let _ = std::fs::remove_file(&self.socket);
    }
}

const TWO_LIFESPANS: &str = "PRINCIPAL valid-after=\"19800101\",valid-before=\"19900101\" KEY\n\
                             PRINCIPAL valid-after=\"19850101\",valid-before=\"20000101\" KEY";

#[test]
fn find_principals_outside_multiple_validities() {
    found(each(TWO_LIFESPANS), IN_2010, false);
}

#[test]
fn find_principals_matching_one_validity_1st() {
    found(each(TWO_LIFESPANS), IN_1983, true);
}

#[test]
fn find_principals_matching_two_validities() {
    found(each(TWO_LIFESPANS), IN_1988, true);
}

#[test]
fn find_principals_matching_one_validity_2nd() {
    found(each(TWO_LIFESPANS), IN_1995, true);
}

#[test]
fn verify_outside_multiple_validities() {
    verified(each(TWO_LIFESPANS), IN_2010, false);
}

#[test]
fn verify_matching_one_validity_1st() {
    verified(each(TWO_LIFESPANS), IN_1983, true);
}

#[test]
fn verify_matching_two_validities() {
    verified(each(TWO_LIFESPANS), IN_1988, true);
}

#[test]
fn verify_matching_one_validity_2nd() {
    verified(each(TWO_LIFESPANS), IN_1995, true);
}

const AUTHORITY: &str = r#"PRINCIPAL cert-authority,valid-after="19800101",valid-before="19900101" CA "#;

#[test]
fn find_principals_cert_lifetime_valid() {
    found(each_certificate(AUTHORITY), IN_1985, true);
}

#[test]
fn find_principals_cert_lifetime_not_yet_valid() {
    found(each_certificate(AUTHORITY), IN_1979, false);
}

#[test]
fn find_principals_cert_lifetime_expired() {
    found(each_certificate(AUTHORITY), IN_1999, false);
}

#[test]
fn find_principals_cert_lifetime_expired_now() {
    found(each_certificate(AUTHORITY), NOW, false);
}

#[test]
fn verify_cert_good_ca() {
    verified(each_certificate("PRINCIPAL cert-authority CA "), IN_1985, true);
}

#[test]
fn find_principals_cert_good_ca() {
    found(each_certificate("PRINCIPAL cert-authority CA "), IN_1985, true);
}

#[test]
fn find_principals_cert_good_wildcard_ca() {
    for case in each_certificate("*@example.com cert-authority CA ") {
        let case = case.at(IN_1985).by_one_of(&[PRINCIPAL]);
        assert!(case.agrees());
        assert_eq!(case.judge().0.signer.unwrap().principal.as_deref(), Some(PRINCIPAL));
    }
}

#[test]
fn verify_cert_good_wildcard_ca() {
    verified(each_certificate("*@example.com cert-authority CA "), IN_1985, true);
}

#[test]
fn verify_signing_key_listed_as_ca() {
    verified(each_certificate("PRINCIPAL cert-authority KEY"), NOW, false);
    verified(each_certificate("PRINCIPAL cert-authority KEY"), IN_1985, false);
}

#[test]
fn verify_key_not_marked_as_ca() {
    verified(each_certificate("PRINCIPAL CA "), NOW, false);
    verified(each_certificate("PRINCIPAL CA "), IN_1985, false);
}

#[test]
fn verify_cert_with_wrong_principal() {
    verified(each_certificate("josef.k@example.com cert-authority CA "), NOW, false);
    verified(each_certificate("josef.k@example.com cert-authority CA "), IN_1985, false);
}

#[test]
fn verify_cert_with_revoked_ca() {
    for case in each_certificate("PRINCIPAL KEY") {
        case.by(PRINCIPAL).revoked("ALICE").agrees_that_not("revoked");
    }
}

#[test]
fn verify_cert_valid_ca_lifespan() {
    verified(each_certificate(AUTHORITY), IN_1985, true);
}

#[test]
fn verify_cert_valid_ca_lifespan_not_yet_valid_cert() {
    verified(each_certificate(AUTHORITY), IN_1981, false);
}

#[test]
fn verify_cert_valid_ca_lifespan_expired_cert() {
    verified(each_certificate(AUTHORITY), IN_1989, false);
}

#[test]
fn verify_cert_ca_not_yet_valid() {
    verified(each_certificate(AUTHORITY), IN_1979, false);
}

#[test]
fn verify_cert_ca_expired() {
    verified(each_certificate(AUTHORITY), IN_1991, false);
}

#[test]
fn verify_cert_ca_expired_now() {
    verified(each_certificate(AUTHORITY), NOW, false);
}

#[test]
fn verify_ca_cert_lifespan_mismatch() {
    let list = r#"PRINCIPAL cert-authority,valid-after="19800101",valid-before="19820101" CA "#;
    verified(each_certificate(list), IN_1984, false);
}

#[test]
fn match_principals() {
    let list = "principal1 KEY\nprinci* KEY\nunique KEY".replace("KEY", &ALICE.public);
    let list = block_on(TrustedSigners::parse(&list));
    let matches = |name: &str| -> Vec<String> {
        let lines = list.lines.iter().map(|(_, line)| &line.principals);
        lines.filter(|principals| principals.admits(name)).map(ToString::to_string).collect()
    };
    assert_eq!(matches("unique"), ["unique"]);
    assert_eq!(matches("princip"), ["princi*"]);
    assert_eq!(matches("principal1"), ["principal1", "princi*"]);
}

#[test]
fn nomatch_principals() {
    for name in ["princ", "prince", "unknown"] {
        let list = "principal1 ALICE\nprinci* ALICE\nunique ALICE";
        assert!(!Case::new().list(list).by(name).agrees(), "{name}");
    }
}

/// What regress/sshsig.sh does, over kinds of keys, is done here over as many.
#[test]
fn each_kind_of_key_is_there_as_a_key_and_as_a_certificate() {
    let certificates = SIGNED.iter().filter(|signed| signed.is_certificate).count();
    let kinds = 2 + 4 * usize::from(cfg!(feature = "ecdsa")) + usize::from(cfg!(feature = "rsa"));
    assert_eq!((SIGNED.len() - certificates, certificates), (kinds, kinds));
}
