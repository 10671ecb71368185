//! How many requests, in how many rounds, and how fresh their answers must be.

use fdl_reader::Options;
use fdl_reader::transport::Freshness::{self, Immutable, Revalidate};
use futures_util::future::join;

use crate::host::{Host, Instead};

const OPENING: [&str; 3] = ["HEAD", "fdl.json", "refs.json"];

/// What is asked for to read a version.
fn of_version(id: &str) -> Vec<String> {
    ["dataset.json", "expired.json", "files.json", "version.json", "version.json.sig"]
        .map(|file| format!("versions/{id}/{file}"))
        .into()
}

fn read(host: &Host, options: Options, name: Option<&str>) -> Vec<Vec<String>> {
    host.run(async { host.open_with(options).await?.version(name).await }).unwrap();
    host.rounds()
}

#[test]
fn the_verdict_takes_two_rounds() {
    let host = Host::of("tagged");
    let tip = host.scenario().tip();
    for name in [None, Some("main"), Some("refs/heads/main"), Some(tip)] {
        let rounds = read(&host, Options::default(), name);
        assert_eq!(rounds, [OPENING.map(String::from).to_vec(), of_version(tip)], "{name:?}");
    }
}

#[test]
fn a_version_id_given_at_the_opening_saves_head_and_refs_json() {
    let host = Host::of("tagged");
    let tip = host.scenario().tip();
    let options = Options { first: Some(tip.into()), ..Options::default() };
    assert_eq!(read(&host, options, Some(tip)), [vec!["fdl.json".into()], of_version(tip)]);
}

#[test]
fn what_was_saved_is_read_once_when_it_is_asked_for() {
    let host = Host::of("tagged");
    let options = Options { first: Some(host.scenario().tip().into()), ..Options::default() };
    let repository = host.run(host.open_with(options)).unwrap();
    host.rounds();
    let (refs, head) = host.run(async { join(repository.refs(), repository.head()).await });
    assert_eq!((refs.unwrap().len(), head.unwrap().is_some()), (2, true));
    assert_eq!(host.rounds(), [["HEAD", "refs.json"]]);
    host.run(repository.resolve(Some("2025-final"))).unwrap();
    assert!(host.rounds().is_empty());
}

#[test]
fn without_refs_json_a_ref_costs_one_more_round() {
    let host = Host::of("no-refs-json");
    let tip = host.scenario().tip();
    let rounds = |name| read(&host, Options::default(), name);
    let opening = OPENING.map(String::from).to_vec();
    let branch = vec!["refs/heads/main".to_owned()];
    assert_eq!(rounds(None), [opening.clone(), branch, of_version(tip)]);
    // A short name may be a branch's or a tag's, so both are asked for, at once.
    let either = vec!["refs/heads/main".into(), "refs/tags/main".into()];
    assert_eq!(rounds(Some("main")), [opening, either, of_version(tip)]);
}

#[test]
fn a_file_that_the_record_names_otherwise_costs_one_more_round_at_most() {
    let host = Host::of("second-commit");
    let tip = host.scenario().tip();
    let record = String::from_utf8(host.scenario().read(&host.scenario().at_tip("version.json"))).unwrap();
    let renamed = record.replace("dataset.json", "described.json");
    host.put(&host.scenario().at_tip("version.json"), Instead::Bytes(renamed.into()));
    let dataset = host.scenario().read(&host.scenario().at_tip("dataset.json"));
    host.put(&host.scenario().at_tip("described.json"), Instead::Bytes(dataset));
    let rounds = read(&host, Options::default(), None);
    assert_eq!(rounds[2], [format!("versions/{tip}/described.json")]);
    assert_eq!(rounds.len(), 3);
}

#[test]
fn the_catalog_is_read_only_when_it_is_asked_for_and_then_alone() {
    let host = Host::of("small-blocks");
    let version = host.run(async { host.open().await?.version(None).await }).unwrap();
    host.rounds();
    host.run(version.catalog(|_, _| {})).unwrap();
    assert_eq!(host.rounds(), [[host.scenario().at_tip("ducklake.duckdb")]]);
}

#[test]
fn what_may_not_be_opened_is_not_fetched() {
    for name in ["expired-with-catalog", "flipped-dataset", "flipped-record", "unsigned"] {
        let host = Host::of(name);
        let version = host.run(async { host.open().await?.version(None).await }).unwrap();
        host.rounds();
        assert!(host.run(version.catalog(|_, _| {})).is_err());
        assert!(host.rounds().is_empty(), "{name}");
    }
}

#[test]
fn the_progress_of_a_catalog_ends_at_its_length() {
    let host = Host::of("small-blocks");
    let version = host.run(async { host.open().await?.version(None).await }).unwrap();
    let mut told = Vec::new();
    let bytes = host.run(version.catalog(|received, total| told.push((received, total)))).unwrap();
    let length = bytes.into_bytes().len() as u64;
    assert_eq!(told.last(), Some(&(length, length)));
    assert!(told.iter().all(|(received, total)| received <= total));
}

#[test]
fn what_may_change_is_revalidated_and_what_never_changes_is_not() {
    let host = Host::of("no-refs-json");
    host.run(async {
        let version = host.open().await?.version(Some("main")).await?;
        version.catalog(|_, _| {}).await.map(drop)
    })
    .unwrap();
    let may_change = |path: &str| {
        ["fdl.json", "HEAD", "refs.json"].contains(&path)
            || path.starts_with("refs/")
            || path.ends_with("/expired.json")
    };
    let asked: Vec<(String, Freshness)> = host.freshness().into_iter().collect();
    assert_eq!(asked.len(), 11, "{asked:?}");
    for (path, freshness) in asked {
        assert_eq!(freshness, if may_change(&path) { Revalidate } else { Immutable }, "{path}");
    }
}
