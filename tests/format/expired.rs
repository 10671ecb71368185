//! What is left of a version past retention, and of one that was withdrawn.

use fdl_reader::trust::{Outcome, SignatureOutcome};
use fdl_reader::{FdlError, HistoryEntry, VersionId};

use crate::host::{HTML, Host, Instead};

fn fact(host: &Host, name: &str, index: usize) -> String {
    host.scenario().judged.facts[name][index].as_str().unwrap().into()
}

#[test]
fn past_retention_the_record_stands_and_its_signature_still_counts() {
    let host = Host::of("retention");
    let id = fact(&host, "expired", 0);
    let version = host.run(async { host.open().await?.version(Some(&id)).await }).unwrap();
    assert_eq!(version.record().message.as_deref(), Some("First towns"));
    assert_eq!(version.verdict().signature, SignatureOutcome::Trusted);
    let error = host.run(version.catalog(|_, _| {})).unwrap_err();
    let expired_at = version.expired().unwrap().expired_at.clone();
    assert!(expired_at.is_some());
    let id = VersionId::parse(&id).unwrap();
    assert_eq!(error, FdlError::PastRetention { id, expired_at, reason: "retention".into() });
}

#[test]
fn what_retention_deletes_is_not_taken_for_broken() {
    let host = Host::of("retention");
    let id = fact(&host, "expired", 0);
    let version = host.run(async { host.open().await?.version(Some(&id)).await }).unwrap();
    let verdict = version.verdict();
    assert!(verdict.checks.iter().all(|check| check.outcome != Outcome::Failed), "{:?}", verdict.checks);
    let catalog = verdict.checks.iter().find(|check| check.file == "ducklake.duckdb").unwrap();
    assert_eq!((catalog.outcome, catalog.code), (Outcome::Unchecked, Some("past_retention")));
}

#[test]
fn verifying_a_version_past_retention_asks_for_no_catalog() {
    let host = Host::of("expired-with-catalog");
    let version = host.run(async { host.open().await?.version(None).await }).unwrap();
    host.rounds();
    host.run(async { version.verify(|_, _| {}).await.checks.len() });
    assert!(host.rounds().is_empty());
}

#[test]
fn a_withdrawn_version_says_so_whether_or_not_its_record_is_left() {
    let host = Host::of("withdrawal");
    let id = fact(&host, "withdrawn", 0);
    let withdrawn = |read: Result<(), FdlError>| {
        let error = read.unwrap_err();
        let FdlError::Withdrawn { id: named, expired_at } = &error else { panic!("{error:?}") };
        assert_eq!((named.as_str(), expired_at.is_some()), (id.as_str(), true));
    };
    let version = host.run(async { host.open().await?.version(Some(&id)).await }).unwrap();
    withdrawn(host.run(version.catalog(|_, _| {})).map(drop));
    // Where the record itself holds what was withdrawn, it is deleted too.
    host.put(&format!("versions/{id}/version.json"), Instead::Nothing);
    withdrawn(host.run(async { host.open().await?.version(Some(&id)).await.map(drop) }));
}

#[test]
fn the_history_shows_a_withdrawn_version_and_a_missing_parent_where_its_record_is_deleted() {
    for (name, kinds) in [
        ("withdrawal", &["live", "expired", "expired", "live"][..]),
        // Behind a record that is gone, its own parents cannot be known.
        ("withdrawal-record-deleted", &["live", "missing"]),
    ] {
        let host = Host::of(name);
        let mut history = host.run(async { host.open().await?.history(None).await }).unwrap();
        let mut found = Vec::new();
        while let Some(entry) = host.run(history.next()).unwrap() {
            found.push(match entry {
                HistoryEntry::Version { expired: None, .. } => "live",
                HistoryEntry::Version { .. } => "expired",
                HistoryEntry::Missing { .. } => "missing",
            });
        }
        assert_eq!(found, kinds, "{name}");
    }
}

#[test]
fn a_withdrawal_takes_the_tags_along_and_main_goes_on() {
    let host = Host::of("withdrawal");
    let resolve = |name| host.run(async { host.open().await?.resolve(Some(name)).await });
    assert_eq!(resolve("summer").unwrap_err(), FdlError::UnknownRef { name: "summer".into() });
    assert_eq!(resolve("main").unwrap().as_str(), host.scenario().tip());
}

#[test]
fn that_the_mark_is_there_decides_whatever_it_holds() {
    for mark in [&b""[..], b"{", b"[]", b"\xff\xfe", b"{\"reason\": 7}", b"withdrawn"] {
        let host = Host::of("second-commit");
        host.put(&host.scenario().at_tip("expired.json"), Instead::Bytes(mark.into()));
        let version = host.run(async { host.open().await?.version(None).await }).unwrap();
        let error = host.run(version.catalog(|_, _| {})).unwrap_err();
        assert_eq!(error.code(), "past_retention", "{mark:?}");
    }
}

#[test]
fn a_mark_that_could_not_be_had_stops_the_reader_and_one_that_is_not_there_does_not() {
    let read = |instead| {
        let host = Host::of("second-commit");
        host.put(&host.scenario().at_tip("expired.json"), instead);
        host.run(async { host.open().await?.version(None).await.map(drop) })
    };
    assert_eq!(read(Instead::Status(500)).unwrap_err().code(), "http_status");
    assert_eq!(read(Instead::Bytes(vec![b' '; (16 << 20) + 1])).unwrap_err().code(), "too_large");
    for not_there in [Instead::Nothing, Instead::Status(403), Instead::Bytes(HTML.into())] {
        assert_eq!(read(not_there), Ok(()));
    }
}
