//! The graph of parents, against a walk over the files on disk.

use std::collections::{BTreeSet, HashSet};

use fdl_reader::trust::Integrity;
use fdl_reader::{FdlError, History, HistoryEntry, Transport};
use pollster::block_on;
use serde_json::Value;

use crate::host::{Host, Instead};
use crate::scenario::{self, Scenario};

/// What a record on disk says; `None` where it is missing.
fn record(scenario: &Scenario, id: &str) -> Option<Value> {
    let path = scenario.folder.join("versions").join(id).join("version.json");
    std::fs::read(path).ok().map(|bytes| serde_json::from_slice(&bytes).unwrap())
}

fn parents(record: &Value) -> Vec<String> {
    record["parents"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().into()).collect()
}

/// The IDs that can be reached from a tip: those with a record, the newest first, and those
/// without.
fn reference(scenario: &Scenario, tip: &str) -> (Vec<String>, BTreeSet<String>) {
    let mut reached = BTreeSet::from([tip.to_owned()]);
    let mut unread = vec![tip.to_owned()];
    let (mut records, mut missing) = (Vec::new(), BTreeSet::new());
    while let Some(id) = unread.pop() {
        match record(scenario, &id) {
            None => _ = missing.insert(id),
            Some(record) => {
                let new = parents(&record).into_iter().filter(|parent| reached.insert(parent.clone()));
                unread.extend(new);
                // The maker writes every time in the same form, so they compare as text.
                records.push((record["created_at"].as_str().unwrap().to_owned(), id));
            }
        }
    }
    records.sort_by(|a, b| b.cmp(a));
    (records.into_iter().map(|(_, id)| id).collect(), missing)
}

async fn walk<T: Transport>(mut history: History<T>) -> Result<Vec<HistoryEntry>, FdlError> {
    let mut entries = Vec::new();
    while let Some(entry) = history.next().await? {
        entries.push(entry);
        assert!(entries.len() < 100, "the walk does not end");
    }
    Ok(entries)
}

fn id(entry: &HistoryEntry) -> &str {
    match entry {
        HistoryEntry::Version { id, .. } | HistoryEntry::Missing { id, .. } => id.as_str(),
    }
}

/// The history behind every ref of every repository whose tips can be read.
fn each_history(mut check: impl FnMut(&Scenario, &str, Vec<HistoryEntry>)) {
    let mut walked = 0;
    for scenario in scenario::all() {
        let stops_at_a_record = ["open:", "version:"]
            .iter()
            .any(|place| scenario.judged.fails.as_ref().is_some_and(|fails| fails.starts_with(place)));
        if stops_at_a_record {
            continue;
        }
        for judged in scenario.judged.versions.iter().filter(|version| !version.refs.is_empty()) {
            for name in &judged.refs {
                let history = async { walk(scenario.open().await?.history(Some(name)).await?).await };
                check(&scenario, &judged.id, block_on(history).unwrap());
                walked += 1;
            }
        }
    }
    assert!(walked > 40, "only {walked} histories");
}

#[test]
fn each_version_comes_once_the_newest_first_and_missing_parents_are_shown() {
    each_history(|scenario, tip, entries| {
        let is_version = |entry: &&HistoryEntry| matches!(entry, HistoryEntry::Version { .. });
        let (versions, missing) = reference(scenario, tip);
        let walked: Vec<&str> = entries.iter().filter(is_version).map(id).collect();
        assert_eq!(walked, versions, "{}", scenario.judged.name);
        let shown: Vec<&str> = entries.iter().filter(|entry| !is_version(entry)).map(id).collect();
        assert_eq!(shown, Vec::from_iter(&missing), "{}", scenario.judged.name);
    });
}

#[test]
fn a_child_comes_before_its_parents_and_a_missing_parent_right_behind_its_child() {
    each_history(|scenario, _, entries| {
        let place = |id_: &str| entries.iter().position(|entry| id(entry) == id_).unwrap();
        for (index, entry) in entries.iter().enumerate() {
            let HistoryEntry::Version { record, .. } = entry else { continue };
            for parent in &record.parents {
                let is_cycle = ["self-parent", "cycle"].contains(&scenario.judged.name.as_str());
                let behind = place(parent.as_str());
                assert!(is_cycle || index < behind, "{}: {parent}", scenario.judged.name);
                if let HistoryEntry::Missing { .. } = entries[behind] {
                    assert_eq!(behind, index + 1, "{}", scenario.judged.name);
                }
            }
        }
    });
}

#[test]
fn an_entry_names_the_refs_that_hold_it_and_the_mark_of_one_past_retention() {
    each_history(|scenario, _, entries| {
        // Without refs.json a reader that cannot list knows HEAD's ref alone.
        let lists = scenario.judged.name != "no-refs-json";
        for entry in &entries {
            let judged = scenario.judged.versions.iter().find(|version| version.id == id(entry));
            let (HistoryEntry::Version { refs, .. } | HistoryEntry::Missing { refs, .. }) = entry;
            let refs: Vec<String> = refs.iter().map(|name| name.to_string()).collect();
            let held = judged.map(|version| version.refs.clone()).unwrap_or_default();
            assert!(refs == held || !lists, "{}: {refs:?}", scenario.judged.name);
            if let HistoryEntry::Version { expired, .. } = entry
                && scenario.judged.name != "expired-with-catalog"
            {
                let mark = expired.as_ref().map(|mark| serde_json::json!(mark));
                assert_eq!(mark, judged.unwrap().expired, "{}", scenario.judged.name);
            }
        }
    });
}

#[test]
fn a_graph_that_leads_back_to_itself_ends() {
    for (name, length) in [("self-parent", 1), ("cycle", 2)] {
        let scenario = scenario::named(name);
        let entries = block_on(async { walk(scenario.open().await?.history(None).await?).await }).unwrap();
        assert_eq!(entries.len(), length, "{name}");
    }
}

#[test]
fn both_lines_of_a_merge_are_walked_and_what_they_share_comes_once() {
    let scenario = scenario::named("merge");
    let entries = block_on(async { walk(scenario.open().await?.history(None).await?).await }).unwrap();
    let HistoryEntry::Version { record, .. } = &entries[0] else { panic!("the merge itself") };
    assert_eq!(record.parents.len(), 2);
    assert_eq!(entries.len(), 4);
    assert_eq!(entries.iter().map(id).collect::<HashSet<_>>().len(), 4);
}

#[test]
fn a_missing_parent_stands_right_behind_its_child_although_the_other_line_goes_on() {
    let host = Host::of("merge");
    let record = record(host.scenario(), host.scenario().tip()).unwrap();
    for missing in parents(&record) {
        let path = format!("versions/{missing}/version.json");
        host.put(&path, Instead::Nothing);
        let entries = host.run(async { walk(host.open().await?.history(None).await?).await }).unwrap();
        assert_eq!(entries.len(), 4);
        assert!(matches!(&entries[1], HistoryEntry::Missing { id, .. } if id.as_str() == missing));
        host.restore(&path);
    }
}

#[test]
fn a_history_is_read_no_further_than_it_is_asked_for() {
    let host = Host::of("long-history");
    let versions = &host.scenario().judged.versions;
    let files = |id: &str| ["expired.json", "version.json"].map(|file| format!("versions/{id}/{file}"));
    let mut history = host.run(async { host.open().await?.history(None).await }).unwrap();
    assert_eq!(host.rounds().concat(), ["HEAD", "fdl.json", "refs.json"], "refs.json has the tip");
    for version in versions.iter().rev().take(3) {
        host.run(history.next()).unwrap();
        assert_eq!(host.rounds(), [files(&version.id)]);
    }
}

#[test]
fn the_parents_of_a_merge_are_read_in_one_round() {
    let host = Host::of("merge");
    let mut history = host.run(async { host.open().await?.history(None).await }).unwrap();
    host.run(history.next()).unwrap();
    host.rounds();
    host.run(history.next()).unwrap();
    let rounds = host.rounds();
    assert_eq!((rounds.len(), rounds[0].len()), (1, 4), "{rounds:?}");
}

#[test]
fn a_history_with_verdicts_asks_for_the_signature_together_with_the_record() {
    let host = Host::of("long-history");
    let versions = &host.scenario().judged.versions;
    let files = |id: &str| {
        ["expired.json", "version.json", "version.json.sig"].map(|file| format!("versions/{id}/{file}"))
    };
    let mut history = host.run(async { host.open().await?.history_with_verdicts(None).await }).unwrap();
    host.rounds();
    for version in versions.iter().rev().take(3) {
        host.run(history.next()).unwrap();
        assert_eq!(host.rounds(), [files(&version.id)]);
    }

    let host = Host::of("merge");
    let mut history = host.run(async { host.open().await?.history_with_verdicts(None).await }).unwrap();
    host.run(history.next()).unwrap();
    host.rounds();
    host.run(history.next()).unwrap();
    let rounds = host.rounds();
    assert_eq!((rounds.len(), rounds[0].len()), (1, 6), "{rounds:?}");
}

#[test]
fn a_versions_verdict_in_the_history_is_its_own_as_far_as_the_signature_goes() {
    let mut judged = BTreeSet::new();
    for name in ["long-history", "merge", "unsigned", "flipped-record", "expired-with-catalog"] {
        let scenario = scenario::named(name);
        let repository = block_on(scenario.open()).unwrap();
        let history = block_on(repository.history_with_verdicts(None)).unwrap();
        for entry in block_on(walk(history)).unwrap() {
            let HistoryEntry::Version { id, verdict, expired, record, .. } = entry else {
                panic!("{entry:?}")
            };
            let verdict = verdict.expect("a verdict was asked for");
            let version = block_on(repository.version(Some(id.as_str()))).unwrap();
            let own = version.verdict();
            assert_eq!((&verdict.id, verdict.signature), (&id, own.signature), "{name}");
            assert_eq!((&verdict.signer, &verdict.checks[0]), (&own.signer, &own.checks[0]), "{name}");
            // Nothing was held against the record.
            assert_eq!(verdict.integrity, Integrity::Unchecked, "{name}");
            assert!(verdict.covers.iter().all(|file| file == "version.json"), "{name}");
            let catalog = record.catalog.file.path.as_str();
            let code = verdict.checks.iter().find(|check| check.file == catalog).unwrap().code;
            assert_eq!(code, Some(if expired.is_some() { "past_retention" } else { "not_read_yet" }));
            judged.insert(format!("{:?}", verdict.signature));
        }
    }
    assert_eq!(Vec::from_iter(judged), ["Bad", "Trusted", "Unsigned"]);
}

#[test]
fn without_being_asked_for_there_is_no_verdict() {
    let scenario = scenario::named("second-commit");
    let entries = block_on(async { walk(scenario.open().await?.history(None).await?).await }).unwrap();
    assert!(entries.iter().all(|entry| matches!(entry, HistoryEntry::Version { verdict: None, .. })));
}

#[test]
fn after_an_error_the_walk_goes_on_where_it_stood() {
    let host = Host::of("long-history");
    let versions = &host.scenario().judged.versions;
    let parent = format!("versions/{}/version.json", versions[versions.len() - 2].id);
    host.put(&parent, Instead::Status(503));
    let mut history = host.run(async { host.open().await?.history(None).await }).unwrap();
    host.run(history.next()).unwrap();
    for _ in 0..2 {
        assert_eq!(host.run(history.next()).unwrap_err().code(), "http_status");
    }
    host.restore(&parent);
    let rest = host.run(walk(history)).unwrap();
    assert_eq!(rest.len(), versions.len() - 1);
}

#[test]
fn a_record_that_cannot_be_read_stops_the_walk_and_is_not_taken_for_a_missing_one() {
    for (instead, code) in [
        (Instead::Bytes(b"{".into()), "truncated_json"),
        (Instead::Bytes(b"{}".into()), "invalid_record"),
        (Instead::Status(403), "http_status"),
    ] {
        let host = Host::of("second-commit");
        let first = host.scenario().judged.versions[0].id.clone();
        host.put(&format!("versions/{first}/version.json"), instead);
        let walked = host.run(async { walk(host.open().await?.history(None).await?).await });
        assert_eq!(walked.unwrap_err().code(), code);
    }
}

#[test]
fn a_history_that_has_no_version_is_said_to_have_none() {
    let scenario = scenario::named("after-init");
    let history = block_on(async { scenario.open().await?.history(None).await.map(drop) });
    assert_eq!(history.unwrap_err(), FdlError::NoVersion { reference: "refs/heads/main".into() });
}
