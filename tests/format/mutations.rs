//! Real files, changed at random: whatever is in a file, its reader answers with a value that keeps
//! the rules or with an error that says what is wrong.

use fdl_reader::catalog::{CatalogRows, HandOver};
use fdl_reader::record::dataset::Dataset;
use fdl_reader::record::expired::Expired;
use fdl_reader::record::files::Files;
use fdl_reader::record::refs::{RefList, parse_head, parse_ref};
use fdl_reader::record::settings::Settings;
use fdl_reader::record::version::VersionRecord;
use fdl_reader::record::{Sha256, Timestamp};
use fdl_reader::trust::TrustedSigners;
use fdl_reader::trust::sshsig::SshSig;
use fdl_reader::{FdlError, RefName, RelativePath, Root, VersionId};
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::scenario::{self, Scenario};

/// How often each file is changed.
const TIMES: usize = 3000;

const URL: &str = "https://host.example/lake/file";

/// Pieces that mean something somewhere.
const PIECES: [&[u8]; 40] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"null",
    b"true",
    b"-1",
    b"0.5",
    b"1e999",
    b"18446744073709551616",
    b"9223372036854775808",
    b"\\u0000",
    b"\\ud800",
    b"\\",
    b"..",
    b"../",
    b"/",
    b"//",
    b"https://",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xf0\x9f\x8c\x8d",
    b"\0",
    b"\r\n",
    b"\n",
    b"\t",
    b" ",
    b"<html>",
    b"!",
    b"*",
    b"?",
    b"#",
    b"=",
    b"namespaces=\"",
    b"valid-after=\"99991231235959Z\",",
    b"cert-authority ",
    b"-----END SSH SIGNATURE-----",
];

/// Changes bytes: a few steps, each at a place of its own.
fn changed(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=chance.below(3) {
        let from = chance.below(bytes.len() + 1);
        let to = (from + chance.below(16)).min(bytes.len());
        match chance.below(6) {
            0 if from < bytes.len() => bytes[from] ^= 1 << chance.below(8),
            1 => _ = bytes.drain(from..to),
            2 => _ = bytes.splice(from..to, chance.of(&PIECES).iter().copied()),
            3 => _ = bytes.splice(from..from, chance.of(&PIECES).iter().copied()),
            4 => {
                let again = bytes[from..to].repeat(1 + chance.below(64));
                _ = bytes.splice(from..from, again);
            }
            _ => bytes.truncate(from.max(to)),
        }
    }
    bytes
}

/// Where each value of a JSON file is, as a JSON pointer.
fn places(json: &Value, place: String, found: &mut Vec<String>) {
    match json {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| {
                places(value, format!("{place}/{}", name.replace('~', "~0").replace('/', "~1")), found)
            });
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| places(value, format!("{place}/{at}"), found));
        }
        _ => {}
    }
    found.push(place);
}

/// Puts something else in one place of a JSON file, and leaves it JSON.
fn changed_member(json: &Value, chance: &mut Chance) -> Value {
    let others = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0.5),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(""),
        json!(".."),
        json!("/etc/passwd"),
        json!("https://elsewhere.example/x"),
        json!("9".repeat(40)),
        json!([]),
        json!({}),
        json!([[[[[]]]]]),
        json!([null]),
        json!({ "sha256": "" }),
        json!({ "name": 7 }),
    ];
    let mut found = Vec::new();
    places(json, String::new(), &mut found);
    let mut json = json.clone();
    let place = &found[chance.below(found.len())];
    let place = json.pointer_mut(place).expect("it was just found");
    *place = match place.as_str() {
        Some(text) if chance.once_in(2) => String::from_utf8_lossy(&changed(text.as_bytes(), chance)).into(),
        _ => others[chance.below(others.len())].clone(),
    };
    json
}

/// An error can be shown: it has a code, a sentence and facts that agree.
fn can_be_shown(error: &FdlError) {
    let facts = json!(error);
    assert_eq!(facts["code"], error.code());
    assert!(error.to_string().ends_with('.') || error.to_string().ends_with(')'), "{error}");
    assert!(error.path().is_none_or(|path| facts.as_object().unwrap().values().any(|fact| fact == path)));
}

/// Reads each file changed in every way; says how many were still read.
fn each_change(seed: u64, files: &[Vec<u8>], read: impl Fn(&[u8]) -> Result<(), FdlError>) {
    let mut chance = Chance::seeded(seed);
    let (mut still_read, mut all) = (0, 0);
    for file in files {
        read(file).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(file)));
        let json: Option<Value> = serde_json::from_slice(file).ok();
        for time in 0..TIMES {
            let bytes = match &json {
                Some(json) if time % 2 == 0 => changed_member(json, &mut chance).to_string().into(),
                _ => changed(file, &mut chance),
            };
            all += 1;
            match read(&bytes) {
                Ok(()) => still_read += 1,
                Err(error) => can_be_shown(&error),
            }
        }
    }
    println!("{all} changes, {still_read} still read");
    assert!(still_read > 0 && still_read < all, "the changes are too many or too few");
}

/// A file of each of several scenarios.
fn files(names: &[&str], path: impl Fn(&Scenario) -> String) -> Vec<Vec<u8>> {
    let scenarios = names.iter().map(|name| scenario::named(name));
    scenarios.map(|scenario| scenario.read(&path(&scenario))).collect()
}

/// The same for a file of their roots, and for one of the folders of their tips.
fn at_roots(names: &[&str], file: &str) -> Vec<Vec<u8>> {
    files(names, |_| file.into())
}

fn at_tips(names: &[&str], file: &str) -> Vec<Vec<u8>> {
    files(names, |scenario| scenario.at_tip(file))
}

#[test]
fn settings() {
    each_change(1, &at_roots(&["catalog-formats", "no-id", "demo"], "fdl.json"), |bytes| {
        let settings = Settings::parse(URL, bytes)?;
        assert!(settings.fdl.starts_with('0'));
        let data_file = settings.data_dir.join("main/t/x.parquet").unwrap();
        assert!(settings.data_dir.holds(&data_file));
        for signer in &settings.signers {
            assert_eq!(signer.problem.is_some(), signer.fingerprint.is_none());
        }
        Ok(())
    });
}

#[test]
fn records() {
    for name in ["merge", "inputs", "demo"] {
        let id = VersionId::parse(scenario::named(name).tip()).unwrap();
        each_change(2, &at_tips(&[name], "version.json"), |bytes| {
            let record = VersionRecord::parse(URL, &id, bytes)?;
            assert_eq!(record.id, id);
            for file in [Some(&record.catalog.file), record.dataset.as_ref(), record.files.as_ref()] {
                file.iter().for_each(|file| stays_in_its_folder(&file.path));
            }
            Ok(())
        });
    }
}

#[test]
fn refs() {
    each_change(3, &at_roots(&["branches", "ambiguous-ref-name", "demo"], "refs.json"), |bytes| {
        RefList::parse(URL, bytes)?.versions.keys().for_each(keeps_the_rules_of_git);
        Ok(())
    });
    each_change(4, &at_roots(&["demo"], "HEAD"), |bytes| {
        parse_head(URL, bytes).map(|name| keeps_the_rules_of_git(&name))
    });
    each_change(5, &at_roots(&["demo"], "refs/heads/main"), |bytes| {
        parse_ref(URL, bytes).map(|id| assert_eq!(VersionId::parse(id.as_str()), Some(id)))
    });
}

#[test]
fn descriptions() {
    each_change(6, &at_tips(&["types", "several-schemas", "demo"], "dataset.json"), |bytes| {
        let dataset = Dataset::parse(URL, bytes)?;
        let attributions = [&dataset.licenses, &dataset.sources, &dataset.contributors];
        for url in attributions.into_iter().flatten().filter_map(|attribution| attribution.url.as_ref()) {
            assert!(url.starts_with("http"), "{url}");
        }
        Ok(())
    });
}

#[test]
fn indexes() {
    let settings = Settings::parse(URL, br#"{"fdl": "0.1"}"#).unwrap();
    each_change(7, &at_tips(&["deletes-both", "added-columns", "demo"], "files.json"), |bytes| {
        let index = Files::parse(URL, &settings.data_dir, bytes)?;
        for file in index.tables.iter().flat_map(|table| &table.files) {
            let paths = [Some(&file.path), file.delete_file.as_ref().map(|delete| &delete.path)];
            for path in paths.into_iter().flatten() {
                stays_in_its_folder(path);
                assert!(settings.data_dir.holds(path), "{path}");
            }
        }
        Ok(())
    });
}

#[test]
fn marks() {
    let scenario = scenario::named("retention");
    let id = scenario.judged.facts["expired"][0].as_str().unwrap();
    let mark = scenario.read(&format!("versions/{id}/expired.json"));
    let id = VersionId::parse(id).unwrap();
    let mut chance = Chance::seeded(8);
    for _ in 0..TIMES {
        let error = Expired::parse(&changed(&mark, &mut chance)).error(&id);
        can_be_shown(&error);
        assert!(matches!(error.code(), "past_retention" | "withdrawn"));
    }
}

#[test]
fn signatures_and_trusted_signers() {
    let scenario = scenario::named("second-commit");
    let signature = scenario.read(&scenario.at_tip("version.json.sig"));
    let record = scenario.read(&scenario.at_tip("version.json"));
    let signers = scenario.judged.trusted_signers.as_bytes();
    let whole = SshSig::parse(&signature).unwrap();
    let trusted = TrustedSigners::parse(&scenario.judged.trusted_signers);
    let time = 1_772_000_000;
    assert!(whole.verify(&record, "fdl").is_ok() && trusted.find(&whole.key, "fdl", time).is_ok());

    let mut chance = Chance::seeded(9);
    for _ in 0..TIMES {
        if let Ok(sshsig) = SshSig::parse(&changed(&signature, &mut chance))
            && sshsig.verify(&record, "fdl").is_ok()
        {
            assert_eq!(sshsig, whole, "another signature of the same key is none that it made");
        }
        let text = String::from_utf8_lossy(&changed(signers, &mut chance)).into_owned();
        let changed = TrustedSigners::parse(&text);
        assert!(changed.lines.len() + changed.skipped.len() <= text.lines().count());
        if let Ok((number, line, _)) = changed.find(&whole.key, "fdl", time) {
            assert_eq!(line.key, whole.key);
            assert!(!line.cert_authority && number >= 1 && number <= text.lines().count());
        }
        for (_, problem) in &changed.skipped {
            assert!(!problem.to_string().is_empty());
        }
    }
}

#[test]
fn rows_of_catalogs() {
    let root = Root::parse("https://host.example/lake/").unwrap();
    let data_dir = Settings::parse(URL, br#"{"fdl": "0.1"}"#).unwrap().data_dir;
    let rows: Vec<Vec<u8>> = [
        &include_bytes!("rows/deletes-both.json")[..],
        include_bytes!("rows/inlined-rows-and-added-columns.json"),
        include_bytes!("rows/types.json"),
    ]
    .map(Vec::from)
    .into();
    each_change(10, &rows, |bytes| {
        let json = String::from_utf8_lossy(bytes);
        let rows = CatalogRows::parse(&json)?;
        let snapshot = serde_json::from_str::<Value>(&json).unwrap()["snapshot"].as_u64().unwrap_or_default();
        let hand_over =
            HandOver { alias: "lake", catalog: "catalog", snapshot, root: &root, data_dir: &data_dir };
        for statement in hand_over.plan(&rows)?.statements {
            // What is read is below data_dir.
            for (_, path) in
                statement.match_indices("https://host.example/").map(|(at, _)| statement.split_at(at))
            {
                assert!(path.starts_with("https://host.example/lake/data/"), "{statement}");
                let path = path.split('\'').next().unwrap();
                assert!(!path.split('/').any(|segment| segment == ".." || segment == "."), "{statement}");
            }
        }
        Ok(())
    });
}

#[test]
fn names_paths_and_times() {
    let root = Root::parse("https://host.example/lake/").unwrap();
    let mut chance = Chance::seeded(11);
    for _ in 0..TIMES * 4 {
        let mut text =
            |whole: &str| String::from_utf8_lossy(&changed(whole.as_bytes(), &mut chance)).into_owned();
        if let Ok(path) = RelativePath::parse(&text("data/main/t/ducklake-0199f1.parquet")) {
            stays_in_its_folder(&path);
            let url = root.url(&path);
            assert!(url.starts_with("https://host.example/lake/") && url.is_ascii(), "{url}");
        }
        if let Ok(name) = RefName::parse(&text("refs/heads/team/bob")) {
            keeps_the_rules_of_git(&name);
        }
        if let Ok(root) = Root::parse(&text("https://host.example/lake/?token=a")) {
            assert!(!root.to_string().contains(char::is_whitespace), "{root}");
        }
        if let Some(id) = VersionId::parse(&text("019a2f10-0c4d-7e88-a1b2-55c0d9e3f7aa")) {
            assert!(id.as_str().len() == 36 && id.as_str().is_ascii());
        }
        if let Some(time) = Timestamp::parse(&text("2026-10-15T18:00:00.5+09:00")) {
            assert!(time.unix().abs() < 1 << 40, "{}", time.as_str());
        }
        let hex = text(&"9f86d081".repeat(8));
        assert!(Sha256::parse(&hex).is_none_or(|sha256| sha256.to_string() == hex));
    }
}

fn stays_in_its_folder(path: &RelativePath) {
    let path = path.as_str();
    assert!(!path.starts_with('/') && !path.contains(['\\', '\0', '\n']), "{path:?}");
    assert!(path.split('/').all(|segment| !["", ".", ".."].contains(&segment)), "{path:?}");
}

fn keeps_the_rules_of_git(name: &RefName) {
    let name = name.as_str();
    assert!(name.starts_with("refs/") && !name.contains("..") && !name.contains("//"), "{name:?}");
    assert!(!name.contains([' ', '~', '^', ':', '?', '*', '[', '\\']), "{name:?}");
}
