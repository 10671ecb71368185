//! What hosts answer instead of a file: a status, a web page, nothing.

use fdl_reader::trust::{Integrity, Outcome, SignatureOutcome};
use fdl_reader::{FdlError, OnUntrusted, Options, Version};

use crate::host::{HTML, Host, Instead};
use crate::scenario;

/// Reads the tip of a repository that has something else for a file of the tip's folder.
fn tip_with(file: &str, instead: Instead) -> (Host, Result<Version<Host>, FdlError>) {
    let host = Host::of("second-commit");
    host.put(&host.scenario().at_tip(file), instead);
    let version = host.run(async { host.open().await?.version(None).await });
    (host, version)
}

/// The same for any file of the repository.
fn open_with(file: &str, instead: Instead) -> Result<(), FdlError> {
    let host = Host::of("second-commit");
    host.put(file, instead);
    host.run(async { host.open().await?.version(None).await.map(drop) })
}

#[test]
fn a_file_that_must_be_there_and_is_not_readable_stops_with_the_status() {
    for status in [401, 403, 429, 500, 503] {
        for file in ["fdl.json", "HEAD"] {
            let Err(FdlError::HttpStatus { url, status: found }) = open_with(file, Instead::Status(status))
            else {
                panic!("{file}: {status}")
            };
            assert!(url.ends_with(&format!("/{file}")));
            assert_eq!(found, status);
        }
        let (_, version) = tip_with("version.json", Instead::Status(status));
        assert_eq!(version.unwrap_err().code(), "http_status");
    }
}

/// Hosts that may not say what they hold answer 403 for what is not there.
#[test]
fn forbidden_is_missing_for_a_file_that_need_not_be_there_and_no_other_status_is() {
    let expired = Host::of("second-commit").scenario().at_tip("expired.json");
    for file in ["refs.json", &expired] {
        assert_eq!(open_with(file, Instead::Status(403)), Ok(()), "{file}");
        for status in [401, 429, 500, 503] {
            assert_eq!(open_with(file, Instead::Status(status)).unwrap_err().code(), "http_status");
        }
    }
}

#[test]
fn a_signature_that_could_not_be_had_is_unchecked_and_one_that_is_not_there_is_unsigned() {
    for (instead, outcome, code) in [
        (Instead::Status(403), SignatureOutcome::Unchecked, "http_status"),
        (Instead::Status(500), SignatureOutcome::Unchecked, "http_status"),
        (Instead::Bytes(vec![b'A'; (64 << 10) + 1]), SignatureOutcome::Unchecked, "too_large"),
        (Instead::Nothing, SignatureOutcome::Unsigned, "unsigned"),
        (Instead::Bytes(HTML.into()), SignatureOutcome::Unsigned, "unsigned"),
        (Instead::Bytes(Vec::new()), SignatureOutcome::Bad, "malformed_signature"),
    ] {
        let (host, version) = tip_with("version.json.sig", instead);
        let version = version.unwrap();
        assert_eq!(version.verdict().signature, outcome, "{code}");
        assert_eq!(version.verdict().checks[0].code, Some(code));
        assert!(!version.verdict().covers.iter().any(|file| file == "version.json"), "{code}");
        // Fails closed.
        let error = host.run(version.catalog(|_, _| {})).unwrap_err();
        assert_eq!(error, FdlError::UntrustedVersion { id: version.id().clone(), problem: code });
    }
}

#[test]
fn a_file_that_the_record_names_is_broken_where_it_is_missing_and_unchecked_where_it_could_not_be_had() {
    for file in ["dataset.json", "files.json"] {
        for (instead, integrity, outcome, code) in [
            (Instead::Nothing, Integrity::Broken, Outcome::Failed, "missing_file"),
            (Instead::Bytes(HTML.into()), Integrity::Broken, Outcome::Failed, "html_instead"),
            (Instead::Status(403), Integrity::Unchecked, Outcome::Unchecked, "http_status"),
            (Instead::Status(500), Integrity::Unchecked, Outcome::Unchecked, "http_status"),
        ] {
            let (_, version) = tip_with(file, instead);
            let version = version.unwrap();
            let verdict = version.verdict();
            assert_eq!(verdict.integrity, integrity, "{file}: {code}");
            let check = verdict.checks.iter().find(|check| check.file == file).unwrap();
            assert_eq!((check.outcome, check.code), (outcome, Some(code)), "{file}");
        }
    }
}

#[test]
fn with_trusted_signers_what_could_not_be_checked_stops_the_hand_over() {
    for file in ["dataset.json", "files.json"] {
        let (host, version) = tip_with(file, Instead::Status(503));
        let error = host.run(version.unwrap().catalog(|_, _| {})).unwrap_err();
        let url = format!("{}{}", host.scenario().root(), host.scenario().at_tip(file));
        assert_eq!(error, FdlError::HttpStatus { url, status: 503 });
    }
}

#[test]
fn a_page_without_trusted_signers_or_that_says_so_gets_what_could_not_be_checked_otherwise() {
    let host = Host::of("second-commit");
    host.put(&host.scenario().at_tip("dataset.json"), Instead::Status(503));
    let says_so = Options { on_untrusted: OnUntrusted::HandOver, ..host.scenario().options() };
    for options in [Options::default(), says_so] {
        let catalog = async {
            let version = host.open_with(options).await?.version(None).await?;
            version.catalog(|_, _| {}).await
        };
        assert!(host.run(catalog).is_ok());
    }
}

#[test]
fn a_web_page_for_the_catalog_is_no_catalog() {
    let (host, version) = tip_with("ducklake.duckdb", Instead::Bytes(HTML.into()));
    let version = version.unwrap();
    assert_eq!(host.run(version.catalog(|_, _| {})).unwrap_err().code(), "size_mismatch");
    assert_eq!(version.verdict().integrity, Integrity::Broken);
}

#[test]
fn a_web_page_counts_as_missing_where_a_file_need_not_be_there() {
    for page in [HTML, b"<html>", b"\xef\xbb\xbf\r\n\t <!DOCTYPE html>", b"<?xml version=\"1.0\"?><Error/>"] {
        assert_eq!(open_with("refs.json", Instead::Bytes(page.into())), Ok(()));
        let error = open_with("HEAD", Instead::Bytes(page.into())).unwrap_err();
        assert_eq!(error.code(), "no_head");
    }
}

#[test]
fn a_web_page_for_the_settings_is_told_from_no_repository_at_all() {
    let host = Host::of("second-commit");
    let url = format!("{}fdl.json", host.scenario().root());
    let html = open_with("fdl.json", Instead::Bytes(HTML.into()));
    assert_eq!(html.unwrap_err(), FdlError::HtmlInstead { url: url.clone() });
    assert_eq!(open_with("fdl.json", Instead::Nothing).unwrap_err(), FdlError::NotARepository { url });
}

#[test]
fn the_settings_come_before_what_is_wrong_with_the_refs() {
    let host = Host::of("unknown-major-version");
    host.put("HEAD", Instead::Status(500)).put("refs.json", Instead::Bytes(b"{".into()));
    assert_eq!(host.run(host.open()).map(drop).unwrap_err().code(), "unknown_major_version");
}

#[test]
fn a_catalog_that_could_not_be_had_or_was_broken_may_be_asked_for_again() {
    let scenario = scenario::named("second-commit");
    let mut flipped = scenario.read(&scenario.at_tip("ducklake.duckdb"));
    flipped[0] ^= 1;
    for (instead, code, integrity) in [
        (Instead::Status(503), "http_status", Integrity::Unchecked),
        (Instead::Nothing, "missing_file", Integrity::Broken),
        (Instead::Bytes(flipped), "hash_mismatch", Integrity::Broken),
    ] {
        let (host, version) = tip_with("ducklake.duckdb", instead);
        let version = version.unwrap();
        assert_eq!(host.run(version.catalog(|_, _| {})).unwrap_err().code(), code);
        assert_eq!(version.verdict().integrity, integrity);
        host.restore(&host.scenario().at_tip("ducklake.duckdb"));
        assert!(host.run(version.catalog(|_, _| {})).is_ok(), "{code}");
        assert_eq!(version.verdict().integrity, Integrity::Intact);
    }
}
