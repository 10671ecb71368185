//! Data files, delete files and source files, held against what vouches for them.

use std::collections::{BTreeMap, BTreeSet};

use fdl_reader::data::{DataOptions, DataOutcome, DataProgress, DataVerdict, Kind, ListedBy, ListedFile};
use fdl_reader::trust::{Integrity, Verdict};
use fdl_reader::{FdlError, Options, RelativePath};
use serde_json::{Value, json};

use crate::host::{HTML, Host, Instead};
use crate::scenario::{self, Scenario};

/// The repositories whose default ref is read to its end.
fn sound() -> impl Iterator<Item = Scenario> {
    let is_sound = |scenario: &Scenario| {
        scenario.judged.fails.is_none()
            && scenario.judged.versions.iter().any(|version| !version.refs.is_empty())
    };
    scenario::all().into_iter().filter(is_sound)
}

fn verify(host: &Host, options: DataOptions) -> Verdict {
    host.run(async {
        let version = host.open_with(Options::default()).await?.version(None).await?;
        host.parts();
        Ok::<_, FdlError>(version.verify_data(options, |_| {}).await.clone())
    })
    .unwrap()
}

fn data(host: &Host, options: DataOptions) -> DataVerdict {
    verify(host, options).data.expect("it was asked for")
}

/// How many files came to what: verified, compared, failed, unchecked, not available.
fn counts(data: &DataVerdict) -> [u64; 5] {
    [data.verified, data.compared, data.failed, data.unchecked, data.not_available]
}

/// The files that files.json at the tip lists, as the maker wrote it. One is listed twice that has two
/// delete files, and is a single file all the same.
fn listed(scenario: &Scenario) -> Vec<ListedFile> {
    let index = scenario.folder.join(scenario.at_tip("files.json"));
    let Ok(index) = std::fs::read(index) else { return Vec::new() };
    let index: Value = serde_json::from_slice(&index).unwrap();
    let tables = index["tables"].as_array().unwrap().iter();
    let files = tables.flat_map(|table| table["files"].as_array().unwrap());
    let file = |kind, file: &Value, rows: &str| ListedFile {
        kind,
        path: RelativePath::parse(file["path"].as_str().unwrap()).unwrap(),
        bytes: file["bytes"].as_u64(),
        rows: file[rows].as_u64(),
        sha256: None,
    };
    let mut paths = BTreeSet::new();
    files
        .flat_map(|data| {
            let delete = &data["delete_file"];
            let delete = delete.is_object().then(|| file(Kind::Delete, delete, "delete_count"));
            [Some(file(Kind::Data, data, "record_count")), delete].into_iter().flatten()
        })
        .filter(|file| paths.insert(file.path.to_string()))
        .collect()
}

/// How many source files a repository has, and how many its host keeps to itself.
fn sources(name: &str) -> (u64, u64) {
    match name {
        "inputs" => (1, 0),
        "private-sources" => (1, 1),
        "demo" => (0, 3),
        _ => (0, 0),
    }
}

/// A host whose record names no files.json.
fn without_index(name: &str) -> Host {
    let host = Host::of(name);
    let path = host.scenario().at_tip("version.json");
    let mut record: Value = serde_json::from_slice(&host.scenario().read(&path)).unwrap();
    record.as_object_mut().unwrap().remove("files");
    host.put(&path, Instead::Bytes(record.to_string().into()));
    host
}

/// What the catalog says instead.
fn from_catalog(host: &Host) -> DataOptions {
    DataOptions { files: Some(listed(host.scenario())), ..DataOptions::default() }
}

/// Of these files alone.
fn of(files: impl IntoIterator<Item = ListedFile>) -> DataOptions {
    DataOptions { files: Some(files.into_iter().collect()), sources: false, ..DataOptions::default() }
}

#[test]
fn every_file_of_a_named_files_json_is_hashed() {
    let mut hashed = 0;
    for scenario in sound() {
        let name = &scenario.judged.name;
        let files = listed(&scenario);
        let unsaid = ["added-files-outside", "files-json-not-named", "files-without-hashes", "no-files-json"];
        if unsaid.contains(&name.as_str()) {
            continue;
        }
        let (sources, withheld) = sources(name);
        let verdict = verify(&Host::of(name), DataOptions::default());
        let data = verdict.data.as_ref().unwrap();
        assert_eq!(data.source, Some(ListedBy::Index), "{name}");
        let all = files.len() as u64;
        assert_eq!(counts(data), [all + sources, 0, 0, 0, withheld], "{name}: {:?}", data.problems);
        let bytes = files.iter().map(|file| file.bytes.unwrap()).sum::<u64>();
        assert!(data.bytes >= bytes && (data.bytes == bytes || sources > 0), "{name}");
        assert_eq!(verdict.integrity, Integrity::Intact, "{name}");
        let covered = verdict.covers.contains(&format!("data files ({all})"));
        assert_eq!(covered, all > 0, "{name}: {:?}", verdict.covers);
        hashed += all;
    }
    assert!(hashed > 100, "{hashed}");
}

#[test]
fn where_no_hash_is_recorded_length_and_rows_are_compared() {
    for scenario in sound() {
        let name = &scenario.judged.name;
        let all = listed(&scenario).len() as u64;
        let (sources, withheld) = sources(name);
        for host in [without_index(name), without_index(name).without_parts()] {
            let verdict = verify(&host, from_catalog(&host));
            let data = verdict.data.as_ref().unwrap();
            assert_eq!(data.source, Some(ListedBy::Catalog), "{name}");
            assert_eq!(counts(data), [sources, all, 0, 0, withheld], "{name}: {:?}", data.problems);
            assert!(!verdict.covers.iter().any(|covered| covered.starts_with("data files")), "{name}");
        }
    }
}

#[test]
fn a_named_files_json_without_hashes_is_compared_too() {
    let host = Host::of("files-without-hashes");
    let all = listed(host.scenario()).len() as u64;
    let data = data(&host, DataOptions::default());
    assert_eq!((data.source, counts(&data)), (Some(ListedBy::Index), [0, all, 0, 0, 0]));
    assert!(all > 3);
}

#[test]
fn without_a_hash_a_file_takes_one_request_for_its_end() {
    const TAIL: u64 = 64 << 10;
    let host = without_index("demo");
    let data = data(&host, of(listed(host.scenario())));
    let mut expected = BTreeMap::new();
    for file in listed(host.scenario()) {
        let bytes = file.bytes.unwrap();
        expected.insert(file.path.to_string(), (bytes > TAIL).then(|| bytes - TAIL));
    }
    assert!(expected.values().flatten().count() > 2, "{expected:?}");
    assert_eq!(host.parts(), expected.into_iter().collect::<Vec<_>>());
    let ends = listed(host.scenario()).iter().map(|file| file.bytes.unwrap().min(TAIL)).sum::<u64>();
    assert_eq!(data.bytes, ends);
}

/// A host of two versions that has something else for one file, once by its name and once by a change
/// to its bytes.
fn with(host: Host, path: &str, instead: Instead) -> Host {
    host.put(path, instead);
    host
}

/// Of a repository with a data file and its delete file.
const DELETES: &str = "delete-files";

fn path_of(name: &str, kind: Kind) -> String {
    let files = listed(&scenario::named(name));
    files.iter().find(|file| file.kind == kind).unwrap().path.to_string()
}

#[test]
fn what_is_wrong_with_a_file_is_told_by_its_code_hashed_or_not() {
    for kind in [Kind::Data, Kind::Delete] {
        let path = path_of(DELETES, kind);
        let bytes = scenario::named(DELETES).read(&path);
        let flipped = |at: usize| {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            Instead::Bytes(flipped)
        };
        let length = bytes.len();
        let longer = [&bytes[..], b"x"].concat();
        let (half, html) = (bytes[..length / 2].to_vec(), Instead::Bytes(HTML.into()));
        let hashed = |code| Some((DataOutcome::Failed, code));
        let unchecked = Some((DataOutcome::Unchecked, "http_status"));
        for (what, instead, with_hash, without) in [
            ("as recorded", flipped(0), hashed("hash_mismatch"), None),
            ("a flipped value", flipped(length / 3), hashed("hash_mismatch"), None),
            ("a flipped end", flipped(length - 1), hashed("hash_mismatch"), hashed("malformed_parquet")),
            ("truncated", Instead::Bytes(half), hashed("size_mismatch"), hashed("size_mismatch")),
            ("longer", Instead::Bytes(longer), hashed("size_mismatch"), hashed("size_mismatch")),
            ("empty", Instead::Bytes(Vec::new()), hashed("size_mismatch"), hashed("size_mismatch")),
            ("a web page", html, hashed("html_instead"), hashed("html_instead")),
            ("missing", Instead::Nothing, hashed("missing_file"), hashed("missing_file")),
            ("forbidden", Instead::Status(403), unchecked, unchecked),
            ("out of order", Instead::Status(503), unchecked, unchecked),
        ] {
            let plain = with(without_index(DELETES), &path, instead.clone());
            let whole = with(without_index(DELETES), &path, instead.clone()).without_parts();
            for (host, expected) in
                [(with(Host::of(DELETES), &path, instead), with_hash), (plain, without), (whole, without)]
            {
                let verdict = verify(&host, from_catalog(&host));
                let data = verdict.data.as_ref().unwrap();
                let found: Vec<_> =
                    data.problems.iter().map(|problem| (problem.outcome, problem.code)).collect();
                assert_eq!(found, Vec::from_iter(expected), "{kind:?} {what}");
                for problem in &data.problems {
                    assert_eq!((problem.kind, &problem.path), (kind, &path), "{what}");
                    assert_eq!(problem.message, problem.facts.to_string());
                }
                // The other files were checked all the same.
                let files = listed(host.scenario()).len() as u64;
                assert_eq!(data.verified + data.compared + expected.iter().count() as u64, files, "{what}");
                assert_eq!(
                    verdict.integrity,
                    match expected {
                        Some((DataOutcome::Failed, _)) => Integrity::Broken,
                        Some(_) => Integrity::Unchecked,
                        None => Integrity::Intact,
                    },
                    "{kind:?} {what}"
                );
            }
        }
    }
}

#[test]
fn two_files_that_were_swapped_are_seen_by_their_rows_where_their_lengths_agree() {
    let host = without_index("demo");
    let files = listed(host.scenario());
    let data_files = || files.iter().filter(|file| file.kind == Kind::Data);
    let differs = |a: &&ListedFile, b: &&ListedFile| a.rows != b.rows;
    let a = data_files().next().unwrap();
    let b = data_files().find(|b| differs(&a, b)).unwrap();
    for (one, other) in [(a, b), (b, a)] {
        let bytes = host.scenario().read(other.path.as_str());
        host.put(one.path.as_str(), Instead::Bytes(bytes));
    }
    // As if the catalog recorded the other's lengths.
    let swapped = files.iter().map(|file| {
        let bytes = match &file.path {
            path if *path == a.path => b.bytes,
            path if *path == b.path => a.bytes,
            _ => file.bytes,
        };
        ListedFile { bytes, ..file.clone() }
    });
    let data = data(&host, of(swapped));
    let facts: BTreeSet<_> = data.problems.iter().map(|problem| problem.facts.to_string()).collect();
    assert_eq!(data.failed, 2, "{facts:?}");
    let url = |file: &ListedFile| host.scenario().root().url(&file.path);
    let mismatch = |file: &ListedFile, found: &ListedFile| FdlError::RowCountMismatch {
        url: url(file),
        expected: file.rows.unwrap(),
        found: found.rows.unwrap(),
    };
    assert_eq!(facts, BTreeSet::from([mismatch(a, b).to_string(), mismatch(b, a).to_string()]));
}

/// A Parquet file that is all footer, of so many bytes, with 5 rows; `magic` ends it.
fn parquet(bytes: usize, magic: &[u8; 4]) -> Vec<u8> {
    let text = bytes - 19; // all else
    let [a, b, c] = [text, text >> 7, text >> 14].map(|bits| bits as u8 & 0x7f);
    let footer = [&[0x28, a | 0x80, b | 0x80, c][..], &vec![b'x'; text], &[0x16, 0x0a, 0]].concat();
    [b"PAR1", &footer[..], &(footer.len() as u32).to_le_bytes(), magic].concat()
}

/// What comes of such a file, and how many requests it took.
fn compare_synthetic(bytes: Vec<u8>, rows: u64) -> (DataVerdict, Vec<Option<u64>>) {
    let host = without_index("first-commit");
    let mut file = listed(host.scenario()).remove(0);
    (file.bytes, file.rows) = (Some(bytes.len() as u64), Some(rows));
    host.put(file.path.as_str(), Instead::Bytes(bytes));
    let data = data(&host, of([file]));
    (data, host.parts().into_iter().map(|(_, first)| first).collect())
}

#[test]
fn a_footer_that_is_longer_than_the_end_takes_a_second_request() {
    const BYTES: usize = 300_000;
    let (data, firsts) = compare_synthetic(parquet(BYTES, b"PAR1"), 5);
    assert_eq!(counts(&data), [0, 1, 0, 0, 0], "{:?}", data.problems);
    assert_eq!(firsts, [Some(4), Some(BYTES as u64 - (64 << 10))]);
    let (data, _) = compare_synthetic(parquet(BYTES, b"PAR1"), 6);
    assert_eq!(data.problems[0].code, "row_count_mismatch");
}

#[test]
fn a_footer_that_begins_before_its_file_is_no_footer() {
    let mut bytes = parquet(300_000, b"PAR1");
    let at = bytes.len() - 8;
    bytes[at..at + 4].copy_from_slice(&300_000u32.to_le_bytes());
    let (data, firsts) = compare_synthetic(bytes, 5);
    assert_eq!(data.problems[0].code, "malformed_parquet");
    assert_eq!(firsts.len(), 1);
}

#[test]
fn an_encrypted_file_could_not_be_checked() {
    let (data, _) = compare_synthetic(parquet(1000, b"PARE"), 5);
    assert_eq!(counts(&data), [0, 0, 0, 1, 0]);
    assert_eq!(data.problems[0].code, "encrypted_parquet");
}

#[test]
fn a_file_of_which_nothing_is_recorded_is_not_asked_for() {
    let host = without_index("first-commit");
    let mut file = listed(host.scenario()).remove(0);
    (file.bytes, file.rows) = (None, None);
    let data = data(&host, of([file]));
    assert_eq!((counts(&data), data.problems[0].code), ([0, 0, 0, 1, 0], "nothing_recorded"));
    assert_eq!(host.parts(), []);
}

#[test]
fn a_file_whose_length_is_not_recorded_is_read_to_its_end_for_its_rows() {
    let host = without_index("demo");
    let without_bytes = |file: ListedFile| ListedFile { bytes: None, ..file };
    let files: Vec<_> = listed(host.scenario()).into_iter().map(without_bytes).collect();
    let all = files.len() as u64;
    let data = data(&host, of(files));
    assert_eq!(counts(&data), [0, all, 0, 0, 0]);
    assert!(host.parts().iter().all(|(_, first)| first.is_none()));
}

#[test]
fn a_files_json_that_the_record_does_not_name_lists_nothing() {
    for host in [Host::of("files-json-not-named"), Host::of("no-files-json")] {
        let verdict = verify(&host, DataOptions::default());
        assert_eq!(host.parts(), [], "nothing was asked for");
        let data = verdict.data.unwrap();
        assert_eq!((data.source, data.files), (None, 0));
        let [problem] = &data.problems[..] else { panic!("{:?}", data.problems) };
        assert_eq!((problem.path.as_str(), problem.outcome), ("files.json", DataOutcome::Unchecked));
        assert_eq!(problem.code, "data_files_not_listed");
        assert_eq!(verdict.integrity, Integrity::Unchecked);
    }
}

#[test]
fn past_retention_the_data_files_are_not_asked_for() {
    let host = Host::of("expired-with-catalog");
    let verdict = verify(&host, from_catalog(&host));
    let data = verdict.data.unwrap();
    assert_eq!((data.source, data.problems[0].code), (None, "past_retention"));
    assert_eq!(host.parts(), []);
}

#[test]
fn a_source_file_is_held_against_its_own_name_and_one_that_is_withheld_is_no_failure() {
    let path = {
        let inputs: Value = {
            let scenario = scenario::named("inputs");
            serde_json::from_slice(&scenario.read(&scenario.at_tip("version.json"))).unwrap()
        };
        format!("sources/{}", inputs["inputs"][0]["sha256"].as_str().unwrap())
    };
    let withheld = |instead| (instead, Some("not_available"), Integrity::Intact);
    for (instead, outcome, integrity) in [
        (None, None, Integrity::Intact),
        withheld(Some(Instead::Nothing)),
        withheld(Some(Instead::Status(403))),
        withheld(Some(Instead::Status(401))),
        withheld(Some(Instead::Bytes(HTML.into()))),
        (Some(Instead::Bytes(b"id,name\n1,Tokyo\n".into())), Some("failed"), Integrity::Broken),
        (Some(Instead::Status(503)), Some("unchecked"), Integrity::Unchecked),
    ] {
        let host = Host::of("inputs");
        if let Some(instead) = instead.clone() {
            host.put(&path, instead);
        }
        let verdict = verify(&host, DataOptions::default());
        assert!(host.parts().contains(&(path.clone(), None)));
        let data = verdict.data.unwrap();
        let problems =
            data.problems.iter().map(|problem| json!([problem.kind, problem.outcome, problem.path]));
        let expected = outcome.map(|outcome| json!(["source", outcome, path]));
        assert_eq!(
            outcome == Some("not_available"),
            data.problems.iter().any(|problem| problem.code == "not_available")
        );
        assert_eq!(Value::from_iter(problems), Value::from_iter(expected), "{outcome:?}");
        assert_eq!(verdict.integrity, integrity, "{outcome:?}");
        assert_eq!(verdict.covers.contains(&"source files (1)".into()), outcome.is_none());
    }

    let host = Host::of("inputs");
    let data = data(&host, DataOptions { sources: false, ..DataOptions::default() });
    assert_eq!((data.files, data.verified), (1, 1));
    assert!(host.parts().iter().all(|(asked, _)| *asked != path));
}

#[test]
fn no_more_files_are_read_at_once_than_were_asked_for() {
    for (at_once, most) in [(DataOptions::default().at_once, 4), (1, 1), (7, 7), (0, 1)] {
        let host = Host::of("long-history");
        let options = DataOptions { at_once, ..DataOptions::default() };
        let version =
            host.run(async { host.open_with(Options::default()).await?.version(None).await }).unwrap();
        host.most_at_once();
        let verdict = host.run(version.verify_data(options, |_| {})).clone();
        assert_eq!(verdict.data.unwrap().verified, 25);
        assert_eq!(host.most_at_once(), most, "{at_once}");
    }
}

#[test]
fn progress_ends_where_it_said_that_it_would() {
    let short = |host: Host| {
        let path = listed(host.scenario())[0].path.to_string();
        let half = host.scenario().read(&path);
        with(host, &path, Instead::Bytes(half[..half.len() / 2].to_vec()))
    };
    for host in [Host::of("demo"), Host::of("inputs"), without_index("demo"), short(Host::of("demo"))] {
        let mut told: Vec<DataProgress> = Vec::new();
        let options = from_catalog(&host);
        host.run(async {
            let version = host.open_with(Options::default()).await?.version(None).await?;
            version.verify_data(options, |progress| told.push(progress)).await;
            Ok::<_, FdlError>(())
        })
        .unwrap();
        let last = told.last().unwrap();
        assert_eq!((last.files, last.received), (last.files_total, last.total), "{last:?}");
        for pair in told.windows(2) {
            assert!(pair[0].received <= pair[1].received && pair[0].files <= pair[1].files);
            assert!(pair[1].received <= pair[1].total && pair[1].files <= pair[1].files_total);
        }
    }
}

#[test]
fn cancelling_ends_the_requests_and_asks_for_no_more() {
    let host = Host::of("long-history");
    let version = host.run(async { host.open_with(Options::default()).await?.version(None).await }).unwrap();
    host.parts();
    {
        let mut work = std::pin::pin!(version.verify_data(DataOptions::default(), |_| {}));
        host.run(std::future::poll_fn(|context| {
            // As often as it takes until all of the round have been asked.
            for _ in 0..4 {
                assert!(work.as_mut().poll(context).is_pending());
            }
            std::task::Poll::Ready(())
        }));
    }
    assert_eq!(host.parts().len(), 4);
    assert_eq!(host.open_now(), 0);
    assert_eq!(version.verdict().data, None);
}

#[test]
fn a_version_with_a_broken_data_file_is_not_handed_over() {
    let path = path_of("second-commit", Kind::Data);
    let host = with(Host::of("second-commit"), &path, Instead::Nothing);
    let version = host.run(async { host.open_with(Options::default()).await?.version(None).await }).unwrap();
    assert!(host.run(version.catalog(|_, _| {})).is_ok());
    host.run(version.verify_data(DataOptions::default(), |_| {}));
    let refused = host.run(version.catalog(|_, _| {})).unwrap_err();
    assert_eq!(refused, FdlError::BrokenVersion { id: version.id().clone(), file: path.clone() });
    host.restore(&path);
    host.run(version.verify_data(DataOptions::default(), |_| {}));
    assert!(host.run(version.catalog(|_, _| {})).is_ok(), "and may be asked for again");
}

#[test]
fn a_verdict_names_a_thousand_problems_what_failed_first_and_counts_the_rest() {
    let host = without_index("first-commit");
    let file = |number: usize, bytes| ListedFile {
        path: RelativePath::parse(&format!("data/{number:04}.parquet")).unwrap(),
        kind: Kind::Data,
        bytes,
        rows: bytes,
        sha256: None,
    };
    let files = (0..1200).map(|number| file(number, (number % 2 == 1).then_some(1)));
    let data = data(&host, of(files));
    assert_eq!(counts(&data), [0, 0, 600, 600, 0]);
    assert_eq!((data.problems.len(), data.more), (1000, 200));
    assert!(data.problems[..600].iter().all(|problem| problem.outcome == DataOutcome::Failed));
    let paths: Vec<_> = data.problems[..600].iter().map(|problem| &problem.path).collect();
    assert!(paths.is_sorted());
}

#[test]
fn a_list_from_a_page_stays_in_data_dir() {
    let host = Host::of("other-data-dir");
    let repository = host.run(host.open()).unwrap();
    let parse = |kind: &str, path: &str| {
        let json = json!([{"kind": kind, "path": path, "bytes": 1, "rows": null}]).to_string();
        ListedFile::parse_list(&json, &repository.settings().data_dir)
    };
    let [file] = &parse("delete", "tables/parquet/main/a.parquet").unwrap()[..] else { panic!() };
    assert_eq!((file.kind, file.bytes, file.rows, file.sha256), (Kind::Delete, Some(1), None, None));
    for path in ["data/main/a.parquet", "tables/parquet/../x", "/tables/parquet/x", "https://x/y"] {
        assert_eq!(parse("data", path).unwrap_err().code(), "unsafe_path", "{path}");
    }
    assert_eq!(parse("source", "tables/parquet/a").unwrap_err().code(), "invalid_record");
}
