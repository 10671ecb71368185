//! A ref, held against the version that it held when a page last looked.

use fdl_reader::trust::SignatureOutcome;
use fdl_reader::{
    FdlError, Limits, Obstacle, Options, RefName, Repository, TipComparison, TipWarning, VersionId,
};

use crate::host::{Host, Instead};

fn main() -> RefName {
    RefName::branch("main").unwrap()
}

/// The ID of the scenario's n-th version, the oldest being 0.
fn version(host: &Host, number: usize) -> VersionId {
    VersionId::parse(&host.scenario().judged.versions[number].id).unwrap()
}

fn record(host: &Host, number: usize) -> String {
    format!("versions/{}/version.json", version(host, number))
}

fn repository(host: &Host) -> Repository<Host> {
    let repository = host.run(host.open()).unwrap();
    host.rounds();
    repository
}

/// `main` holds the version `found`, and held `seen`.
fn compare(host: &Host, found: usize, seen: usize) -> TipComparison {
    let (found, seen) = (version(host, found), version(host, seen));
    host.run(repository(host).compare_tip(&main(), &found, Some(&seen))).unwrap()
}

fn warned(comparison: TipComparison) -> TipWarning {
    assert!(!comparison.remember, "what is warned of stays as it was until it is accepted");
    comparison.warning.expect("a warning")
}

const FINE: TipComparison = TipComparison { warning: None, remember: true };

fn cannot_tell(host: &Host, found: usize, seen: usize, at: usize, reason: Obstacle) -> TipWarning {
    TipWarning::CannotTell {
        reference: main(),
        seen: version(host, seen),
        found: version(host, found),
        reason,
        version: version(host, at),
    }
}

#[test]
fn a_ref_that_stands_where_it_stood_costs_nothing() {
    let host = Host::of("long-history");
    assert_eq!(compare(&host, 2, 2), FINE);
    assert!(host.rounds().is_empty());
}

#[test]
fn a_version_that_comes_after_the_one_seen_is_remembered_and_no_more_is_read_than_lies_between() {
    let host = Host::of("long-history");
    for (found, seen) in [(1, 0), (3, 1), (3, 0)] {
        assert_eq!(compare(&host, found, seen), FINE);
        let records = host.rounds().concat().iter().filter(|path| path.ends_with("/version.json")).count();
        assert_eq!(records, found - seen);
    }
}

#[test]
fn both_lines_of_a_merge_lead_back() {
    let host = Host::of("merge");
    for seen in 0..3 {
        assert_eq!(compare(&host, 3, seen), FINE, "{seen}");
    }
    // The two lines do not come after each other.
    for (found, seen) in [(1, 2), (2, 1)] {
        assert_eq!(warned(compare(&host, found, seen)).code(), "rolled_back");
    }
}

#[test]
fn an_older_version_is_a_rollback_with_both_ends_shown() {
    let host = Host::of("long-history");
    let warning = warned(compare(&host, 1, 3));
    let (found, seen) = (version(&host, 1), version(&host, 3));
    let sentence = warning.to_string();
    for end in ["refs/heads/main", found.as_str(), seen.as_str()] {
        assert!(sentence.contains(end), "{sentence}");
    }
    assert_eq!(
        serde_json::to_value(&warning).unwrap(),
        serde_json::json!({ "code": "rolled_back", "ref": "refs/heads/main", "seen": seen, "found": found })
    );
}

#[test]
fn a_tag_at_another_version_has_moved_wherever_it_went() {
    let host = Host::of("long-history");
    let tag = RefName::tag("final").unwrap();
    for (found, seen) in [(1, 0), (0, 1)] {
        let (found, seen) = (version(&host, found), version(&host, seen));
        let comparison = host.run(repository(&host).compare_tip(&tag, &found, Some(&seen))).unwrap();
        assert_eq!(warned(comparison), TipWarning::MovedTag { reference: tag.clone(), seen, found });
        assert!(host.rounds().is_empty());
    }
}

#[test]
fn where_a_record_between_cannot_be_had_the_way_cannot_be_told() {
    let host = Host::of("long-history");
    for (instead, reason) in [
        (Instead::Nothing, Obstacle::Missing),
        (Instead::Status(503), Obstacle::Unreadable),
        (Instead::Bytes(b"{".into()), Obstacle::Unreadable),
    ] {
        host.put(&record(&host, 2), instead);
        assert_eq!(warned(compare(&host, 3, 0)), cannot_tell(&host, 3, 0, 2, reason));
        assert_eq!(warned(compare(&host, 2, 0)), cannot_tell(&host, 2, 0, 2, reason), "the tip itself");
        host.restore(&record(&host, 2));
    }
}

#[test]
fn a_missing_record_on_one_line_does_not_hide_the_way_on_the_other() {
    let host = Host::of("merge");
    host.put(&record(&host, 1), Instead::Nothing);
    assert_eq!(compare(&host, 3, 0), FINE);
    assert_eq!(compare(&host, 3, 1), FINE, "its child names it");
}

/// A host that shows an old version could write, for one behind it, a record that leads to whatever
/// was seen.
#[test]
fn a_record_that_no_trusted_signer_signed_leads_nowhere() {
    let host = Host::of("long-history");
    let forged = String::from_utf8(host.scenario().read(&record(&host, 0))).unwrap();
    let mut forged: serde_json::Value = serde_json::from_str(&forged).unwrap();
    forged["parents"] = serde_json::json!([version(&host, 3)]);
    host.put(&record(&host, 0), Instead::Bytes(forged.to_string().into()));
    assert_eq!(warned(compare(&host, 1, 3)), cannot_tell(&host, 1, 3, 0, Obstacle::Untrusted));

    // Without its signature; a page that trusts no one believes the records themselves.
    host.put(&format!("{}.sig", record(&host, 0)), Instead::Nothing);
    assert_eq!(warned(compare(&host, 1, 3)), cannot_tell(&host, 1, 3, 0, Obstacle::Untrusted));
    let repository = host.run(host.open_with(Options::default())).unwrap();
    let (found, seen) = (version(&host, 1), version(&host, 3));
    assert_eq!(host.run(repository.compare_tip(&main(), &found, Some(&seen))), Ok(FINE));
}

#[test]
fn a_way_that_is_longer_than_the_limit_is_not_walked_to_its_end() {
    let host = Host::of("long-history");
    let compare = |ancestors, found, seen| {
        let limits = Limits { ancestors, ..Limits::default() };
        let options = Options { limits, ..host.scenario().options() };
        let repository = host.run(host.open_with(options)).unwrap();
        let (found, seen) = (version(&host, found), version(&host, seen));
        host.run(repository.compare_tip(&main(), &found, Some(&seen))).unwrap()
    };
    assert_eq!(compare(3, 3, 0), FINE);
    assert_eq!(warned(compare(2, 3, 0)), cannot_tell(&host, 3, 0, 1, Obstacle::TooFar));
    assert_eq!(warned(compare(0, 3, 0)), cannot_tell(&host, 3, 0, 3, Obstacle::TooFar));
}

#[test]
fn a_graph_that_leads_back_to_itself_ends() {
    for name in ["self-parent", "cycle"] {
        let host = Host::of(name);
        let repository = host.run(host.open_with(Options::default())).unwrap();
        let found = VersionId::parse(host.scenario().tip()).unwrap();
        let seen = VersionId::parse("00000000-0000-7000-8000-000000000000").unwrap();
        let comparison = host.run(repository.compare_tip(&main(), &found, Some(&seen))).unwrap();
        assert_eq!(warned(comparison).code(), "rolled_back", "{name}");
    }
}

#[test]
fn what_the_page_cancelled_is_no_answer() {
    let host = Host::of("long-history");
    host.put(&record(&host, 2), Instead::Error(FdlError::Aborted));
    let (found, seen) = (version(&host, 3), version(&host, 0));
    let compared = host.run(repository(&host).compare_tip(&main(), &found, Some(&seen)));
    assert_eq!(compared, Err(FdlError::Aborted));
}

#[test]
fn a_first_tip_is_remembered_unless_the_page_trusts_someone_who_did_not_sign_it() {
    for (name, outcome, remember) in [
        ("long-history", SignatureOutcome::Trusted, true),
        ("unsigned", SignatureOutcome::Unsigned, false),
        ("flipped-record", SignatureOutcome::Bad, false),
    ] {
        let host = Host::of(name);
        let found = VersionId::parse(host.scenario().tip()).unwrap();
        let version = host.run(async { host.open().await?.version(None).await }).unwrap();
        assert_eq!(version.verdict().signature, outcome);
        let first = host.run(repository(&host).compare_tip(&main(), &found, None)).unwrap();
        assert_eq!(first, TipComparison { warning: None, remember }, "{name}");
        assert_eq!(host.rounds().len(), 1);

        let repository = host.run(host.open_with(Options::default())).unwrap();
        host.rounds();
        assert_eq!(host.run(repository.compare_tip(&main(), &found, None)), Ok(FINE));
        assert!(host.rounds().is_empty(), "without trusted signers it is not even read");
    }
}

#[test]
fn a_repository_with_another_id_is_another_repository() {
    let host = Host::of("second-commit");
    let own = repository(&host);
    let id = own.settings().id.clone();
    assert_eq!(own.compare_id(id.as_deref()), None);
    let url = host.root().to_string();
    let another = own.compare_id(Some("another")).unwrap();
    assert_eq!(another, TipWarning::ChangedId { url, seen: Some("another".into()), found: id.clone() });
    let sentence = another.to_string();
    assert!(sentence.contains("\"another\"") && sentence.contains(&id.unwrap()), "{sentence}");
    assert!(own.compare_id(None).unwrap().to_string().contains("without an id"));
}

#[test]
fn a_name_leads_to_a_ref_and_its_version() {
    let host = Host::of("tagged");
    let own = repository(&host);
    let tip = VersionId::parse(host.scenario().tip()).unwrap();
    for (name, reference) in [
        (None, Some("refs/heads/main")),
        (Some("HEAD"), Some("refs/heads/main")),
        (Some("main"), Some("refs/heads/main")),
        (Some("refs/heads/main"), Some("refs/heads/main")),
        (Some("2025-final"), Some("refs/tags/2025-final")),
        (Some(tip.as_str()), None),
    ] {
        let followed = host.run(own.follow(name)).unwrap();
        assert_eq!(followed.reference.as_ref().map(RefName::as_str), reference, "{name:?}");
        assert_eq!(host.run(own.resolve(name)), Ok(followed.version), "{name:?}");
    }
}
