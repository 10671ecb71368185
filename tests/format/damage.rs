//! Every byte of a file flipped, every length cut: nothing panics, nothing is taken for what it is
//! not.

use fdl_reader::trust::{Integrity, SignatureOutcome};
use fdl_reader::{FdlError, Version};

use crate::host::{Host, Instead};

/// How far apart the bits are that are flipped, one at a time.
const EVERY_BIT: usize = 1;
const ONE_BIT_OF_EACH_BYTE: usize = 9;

/// Reads a version with a file damaged in every way in turn. `check` gets the damaged bytes.
fn each_damage(
    host: &Host,
    path: &str,
    bits: usize,
    version: Option<&str>,
    check: impl Fn(&[u8], Result<Version<Host>, FdlError>),
) {
    let whole = host.scenario().read(path);
    let flipped = (0..whole.len() * 8).step_by(bits).map(|bit| {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    });
    let cut = (0..whole.len()).map(|length| whole[..length].to_vec());
    for damaged in flipped.chain(cut) {
        host.put(path, Instead::Bytes(damaged.clone()));
        check(&damaged, host.run(async { host.open().await?.version(version).await }));
        host.rounds();
    }
}

/// What was damaged, for whoever reads that a test failed.
fn shown(damaged: &[u8]) -> String {
    String::from_utf8_lossy(damaged).into_owned()
}

fn catalog_code(host: &Host, version: &Version<Host>) -> &'static str {
    host.run(version.catalog(|_, _| {})).unwrap_err().code()
}

#[test]
fn a_damaged_record_is_never_the_one_that_was_signed() {
    let host = Host::of("small-blocks");
    let record = host.scenario().at_tip("version.json");
    each_damage(&host, &record, EVERY_BIT, None, |damaged, version| match version {
        Ok(version) => {
            assert_eq!(version.verdict().signature, SignatureOutcome::Bad, "{}", shown(damaged));
            let code = catalog_code(&host, &version);
            assert!(matches!(code, "untrusted_version" | "broken_version"), "{code}: {}", shown(damaged));
        }
        Err(error) => assert!(error.is_broken_content(), "{error}: {}", shown(damaged)),
    });
}

#[test]
fn a_damaged_signature_vouches_for_nothing() {
    let host = Host::of("small-blocks");
    let signature = host.scenario().at_tip("version.json.sig");
    // Blanks in the base64 and what follows the footer are no part of it.
    let part = |armored: &[u8]| {
        let armored = shown(armored);
        let (base64, _) = armored
            .strip_prefix("-----BEGIN SSH SIGNATURE-----\n")?
            .split_once("\n-----END SSH SIGNATURE-----")?;
        Some(base64.replace(|c: char| c.is_ascii_whitespace() || c == '\u{b}', ""))
    };
    let whole = part(&host.scenario().read(&signature));
    assert!(whole.is_some());
    each_damage(&host, &signature, EVERY_BIT, None, |damaged, version| {
        let version = version.unwrap();
        let outcome = version.verdict().signature;
        match part(damaged) == whole {
            true => assert_eq!(outcome, SignatureOutcome::Trusted, "{}", shown(damaged)),
            false => {
                let vouches = matches!(outcome, SignatureOutcome::Trusted | SignatureOutcome::Untrusted);
                assert!(!vouches, "{outcome:?}: {}", shown(damaged));
                assert_eq!(catalog_code(&host, &version), "untrusted_version");
            }
        }
    });
}

#[test]
fn a_damaged_description_or_index_is_broken_and_not_shown() {
    let host = Host::of("small-blocks");
    for file in ["dataset.json", "files.json"] {
        let path = host.scenario().at_tip(file);
        each_damage(&host, &path, ONE_BIT_OF_EACH_BYTE, None, |damaged, version| {
            let version = version.unwrap_or_else(|error| panic!("{error}: {}", shown(damaged)));
            let verdict = version.verdict().clone();
            assert_eq!(verdict.integrity, Integrity::Broken, "{}", shown(damaged));
            assert_eq!(verdict.signature, SignatureOutcome::Trusted, "the record is whole");
            assert_eq!(version.dataset().is_none(), file == "dataset.json");
            assert_eq!(version.files().is_none(), file == "files.json");
            assert_eq!(catalog_code(&host, &version), "broken_version");
        });
        host.restore(&path);
    }
}

/// These are signed by nobody: the verdict on what they lead to must be the same as ever.
#[test]
fn damaged_settings_and_refs_lead_to_no_version_or_to_a_whole_one() {
    let host = Host::of("small-blocks");
    for file in ["fdl.json", "refs.json", "HEAD"] {
        each_damage(&host, file, ONE_BIT_OF_EACH_BYTE, None, |damaged, version| match version {
            Ok(version) => {
                assert_eq!(version.id().as_str(), host.scenario().tip());
                assert_eq!(version.verdict().signature, SignatureOutcome::Trusted, "{}", shown(damaged));
                assert_eq!(version.verdict().integrity, Integrity::Intact, "{}", shown(damaged));
            }
            Err(
                FdlError::UnknownMajorVersion { .. }
                | FdlError::MalformedRef { .. }
                | FdlError::NoVersion { .. }
                | FdlError::MissingVersion { .. },
            ) => {}
            Err(error) => assert!(error.is_broken_content(), "{error}: {}", shown(damaged)),
        });
        host.restore(file);
    }
}

#[test]
fn a_damaged_ref_leads_to_no_version_or_to_the_one_it_held() {
    let host = Host::of("no-refs-json");
    each_damage(&host, "refs/heads/main", EVERY_BIT, None, |damaged, version| match version {
        Ok(version) => assert_eq!(version.id().as_str(), host.scenario().tip(), "{}", shown(damaged)),
        Err(
            FdlError::MalformedRef { .. } | FdlError::InvalidUtf8 { .. } | FdlError::MissingVersion { .. },
        ) => {}
        Err(error) => panic!("{error}: {}", shown(damaged)),
    });
}

#[test]
fn a_damaged_mark_brings_no_version_back() {
    for (name, fact) in [("retention", "expired"), ("withdrawal", "withdrawn")] {
        let host = Host::of(name);
        let id = host.scenario().judged.facts[fact][0].as_str().unwrap();
        each_damage(
            &host,
            &format!("versions/{id}/expired.json"),
            EVERY_BIT,
            Some(id),
            |damaged, version| {
                let code = catalog_code(&host, &version.unwrap());
                assert!(matches!(code, "past_retention" | "withdrawn"), "{code}: {}", shown(damaged));
            },
        );
    }
}
