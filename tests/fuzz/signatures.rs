//! Signatures, and the lists that trust or revoke their keys.

use base64ct::{Base64, Encoding};
use fdl_reader::trust::TrustedSigners;
use fdl_reader::trust::allowed_signers::Demand;
use fdl_reader::trust::sshsig::SshSig;

use crate::chance::Chance;
use crate::changes::changed;
use crate::run::target;
use crate::scenario;

/// When the keys of the scenarios count.
const TIME: i64 = 1_772_000_000;

/// The same armor around other bytes: a change of the base64 itself seldom leaves it base64.
fn armored(blob: &[u8]) -> Vec<u8> {
    let base64 = Base64::encode_string(blob);
    format!("-----BEGIN SSH SIGNATURE-----\n{base64}\n-----END SSH SIGNATURE-----\n").into_bytes()
}

fn blob(armor: &[u8]) -> Vec<u8> {
    let armor = std::str::from_utf8(armor).unwrap();
    let base64: String = armor.lines().filter(|line| !line.starts_with('-')).collect();
    Base64::decode_vec(&base64).unwrap()
}

#[test]
fn signatures() {
    let scenario = scenario::named("second-commit");
    let signature = scenario.read(&scenario.at_tip("version.json.sig"));
    let record = scenario.read(&scenario.at_tip("version.json"));
    let whole = SshSig::parse(&signature).unwrap();
    assert_eq!(whole.verify(&record, "fdl"), Ok(()));
    let blob = blob(&signature);
    let make = |chance: &mut Chance| match chance.below(4) {
        0 => changed(&signature, chance),
        _ => armored(&changed(&blob, chance)),
    };
    target("version.json.sig", make, |bytes| {
        let Ok(sshsig) = SshSig::parse(bytes) else { return false };
        if sshsig.verify(&record, "fdl").is_ok() {
            assert_eq!(sshsig, whole, "another signature of the same key is none that it made");
        }
        true
    });
}

#[test]
fn trusted_signers() {
    let scenario = scenario::named("second-commit");
    let key = SshSig::parse(&scenario.read(&scenario.at_tip("version.json.sig"))).unwrap().key;
    let list = scenario.judged.trusted_signers.as_bytes();
    let make = |chance: &mut Chance| changed(list, chance);
    target("trusted signers", make, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let list = TrustedSigners::parse(&text);
        assert!(list.lines.len() + list.skipped.len() <= text.lines().count());
        for (_, problem) in &list.skipped {
            assert!(!problem.to_string().is_empty());
        }
        let demand = Demand { namespace: "fdl", time: TIME, principal: None };
        let Ok(found) = list.find(&key, &demand) else { return false };
        assert_eq!(found.line.key, key);
        assert!(!found.line.cert_authority && (1..=text.lines().count()).contains(&found.number));
        true
    });
}
