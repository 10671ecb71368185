//! The files of a repository, and the names, paths and times in them.

use fdl_reader::catalog::{CatalogRows, HandOver, Page};
use fdl_reader::data::{ListedFile, row_count};
use fdl_reader::record::dataset::Dataset;
use fdl_reader::record::expired::Expired;
use fdl_reader::record::files::Files;
use fdl_reader::record::refs::{RefList, parse_head, parse_ref};
use fdl_reader::record::settings::Settings;
use fdl_reader::record::version::VersionRecord;
use fdl_reader::record::{Sha256, Timestamp};
use fdl_reader::{FdlError, RefName, RelativePath, Root, VersionId};
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::changes::{changed, changed_member};
use crate::run::target;
use crate::scenario::{self, Scenario};

const URL: &str = "https://host.example/lake/file";

/// An error can be shown: it has a code, a sentence and facts that agree.
fn can_be_shown(error: &FdlError) {
    let facts = json!(error);
    assert_eq!(facts["code"], error.code());
    assert!(error.to_string().ends_with('.') || error.to_string().ends_with(')'), "{error}");
    assert!(error.path().is_none_or(|path| facts.as_object().unwrap().values().any(|fact| fact == path)));
}

/// A target: these files, changed in every way.
fn each_change(name: &str, files: &[Vec<u8>], read: impl Fn(&[u8]) -> Result<(), FdlError>) {
    let files: Vec<(&[u8], Option<Value>)> =
        files.iter().map(|file| (&file[..], serde_json::from_slice(file).ok())).collect();
    for (file, _) in &files {
        read(file).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(file)));
    }
    let make = |chance: &mut Chance| match &files[chance.below(files.len())] {
        (_, Some(json)) if chance.once_in(2) => changed_member(json, chance).to_string().into(),
        (file, _) => changed(file, chance),
    };
    target(name, make, |bytes| read(bytes).map_err(|error| can_be_shown(&error)).is_ok());
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
    each_change("fdl.json", &at_roots(&["catalog-formats", "no-id", "demo"], "fdl.json"), |bytes| {
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
    let names = ["merge", "inputs", "demo"];
    let ids = names.map(|name| VersionId::parse(scenario::named(name).tip()).unwrap());
    each_change("version.json", &at_tips(&names, "version.json"), |bytes| {
        let parsed = ids.iter().map(|id| VersionRecord::parse(URL, id, bytes).map(|record| (id, record)));
        let (id, record) = parsed.reduce(Result::or).unwrap()?;
        assert_eq!(record.id, *id);
        for file in [Some(&record.catalog.file), record.dataset.as_ref(), record.files.as_ref()] {
            file.iter().for_each(|file| stays_in_its_folder(&file.path));
        }
        Ok(())
    });
}

#[test]
fn refs() {
    each_change("refs.json", &at_roots(&["branches", "ambiguous-ref-name", "demo"], "refs.json"), |bytes| {
        RefList::parse(URL, bytes)?.versions.iter().for_each(|(name, _)| keeps_the_rules_of_git(name));
        Ok(())
    });
    each_change("HEAD", &at_roots(&["demo"], "HEAD"), |bytes| {
        parse_head(URL, bytes).map(|name| keeps_the_rules_of_git(&name))
    });
    each_change("refs/heads/main", &at_roots(&["demo"], "refs/heads/main"), |bytes| {
        parse_ref(URL, bytes).map(|id| assert_eq!(VersionId::parse(id.as_str()), Some(id)))
    });
}

#[test]
fn descriptions() {
    each_change("dataset.json", &at_tips(&["types", "several-schemas", "demo"], "dataset.json"), |bytes| {
        let dataset = Dataset::parse(URL, bytes)?;
        let attributions = [&dataset.licenses, &dataset.sources, &dataset.contributors];
        for url in attributions.into_iter().flatten().filter_map(|attribution| attribution.url.as_ref()) {
            assert!(url.to_ascii_lowercase().starts_with("http"), "{url}");
        }
        Ok(())
    });
}

#[test]
fn indexes() {
    let settings = Settings::parse(URL, br#"{"fdl": "0.1"}"#).unwrap();
    each_change("files.json", &at_tips(&["deletes-both", "added-columns", "demo"], "files.json"), |bytes| {
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
    let make = |chance: &mut Chance| changed(&mark, chance);
    target("expired.json", make, |bytes| {
        let error = Expired::parse(bytes).error(&id);
        can_be_shown(&error);
        assert!(matches!(error.code(), "past_retention" | "withdrawn"));
        error == Expired::parse(&mark).error(&id)
    });
}

#[test]
fn rows_of_catalogs() {
    let root = Root::parse("https://host.example/lake/").unwrap();
    let data_dir = Settings::parse(URL, br#"{"fdl": "0.1"}"#).unwrap().data_dir;
    let rows: Vec<Vec<u8>> = [
        &include_bytes!("rows/added-files-of-nested-columns.json")[..],
        include_bytes!("rows/deletes-both.json"),
        include_bytes!("rows/hive-partitions.json"),
        include_bytes!("rows/inlined-rows-and-added-columns.json"),
        include_bytes!("rows/macros.json"),
        include_bytes!("rows/nested-members-swapped.json"),
        include_bytes!("rows/types.json"),
        include_bytes!("rows/views-and-comments.json"),
        include_bytes!("rows/views-of-all-kinds.json"),
    ]
    .map(Vec::from)
    .into();
    each_change("rows of a catalog", &rows, |bytes| {
        let json = String::from_utf8_lossy(bytes);
        let rows = CatalogRows::parse(&json)?;
        let snapshot = serde_json::from_str::<Value>(&json).unwrap()["snapshot"].as_u64().unwrap_or_default();
        let hand_over =
            HandOver { alias: "lake", catalog: "catalog", snapshot, root: &root, data_dir: &data_dir };
        let plan = hand_over.plan(&rows)?;
        for statement in &plan.statements {
            // What is read is below data_dir.
            for (_, path) in
                statement.match_indices("https://host.example/").map(|(at, _)| statement.split_at(at))
            {
                assert!(path.starts_with("https://host.example/lake/data/"), "{statement}");
                let path = path.split('\'').next().unwrap();
                assert!(!path.split('/').any(|segment| segment == ".." || segment == "."), "{statement}");
            }
        }
        for definition in &plan.definitions {
            let made = ["CREATE VIEW \"lake\".\"", "CREATE MACRO \"lake\".\""];
            assert!(made.iter().any(|begin| definition.statement.starts_with(begin)), "{definition:?}");
        }
        if let Some(table) = plan.tables.first() {
            let page = json!({
                "schema": table.schema,
                "name": table.name,
                "order": table.columns.iter().map(|column| json!({ "column": column.name })).collect::<Vec<_>>(),
                "limit": 20,
            });
            let page = Page::parse(&page.to_string())?;
            // A table that is refused has no page.
            if table.refused.is_none() {
                hand_over.files_left_out(&rows, &page)?;
                hand_over.page(&rows, &page, &[1])?;
            }
        }
        Ok(())
    });
}

#[test]
fn lists_of_data_files() {
    let data_dir = Settings::parse(URL, br#"{"fdl": "0.1"}"#).unwrap().data_dir;
    let list = json!([
        { "kind": "data", "path": "data/main/t/a.parquet", "bytes": 1234, "rows": 5 },
        { "kind": "delete", "path": "data/main/t/b-delete.parquet", "bytes": null, "rows": null },
    ]);
    each_change("list of data files", &[list.to_string().into()], |bytes| {
        for file in ListedFile::parse_list(&String::from_utf8_lossy(bytes), &data_dir)? {
            stays_in_its_folder(&file.path);
            assert!(data_dir.holds(&file.path), "{}", file.path);
        }
        Ok(())
    });
}

#[test]
fn footers_of_data_files() {
    let scenario = scenario::named("demo");
    let index = scenario.read(&scenario.at_tip("files.json"));
    let data_dir = Settings::parse(URL, &scenario.read("fdl.json")).unwrap().data_dir;
    let tables = Files::parse(URL, &data_dir, &index).unwrap().tables;
    let tails: Vec<Vec<u8>> = tables
        .iter()
        .flat_map(|table| &table.files)
        .map(|file| {
            let file = scenario.read(file.path.as_str());
            file[file.len().saturating_sub(4096)..].into()
        })
        .filter(|tail: &Vec<u8>| row_count(tail).is_ok())
        .take(8)
        .collect();
    assert!(!tails.is_empty());
    let make = |chance: &mut Chance| {
        let tail = &tails[chance.below(tails.len())];
        let mut tail = match chance.below(4) {
            0 => changed(tail, chance),
            _ => {
                // The end stays as it is, so that what is before it is read.
                let (footer, trailer) = tail.split_at(tail.len() - 8);
                [changed(footer, chance), trailer.into()].concat()
            }
        };
        if chance.once_in(2) && tail.len() >= 8 {
            // The whole of it is the footer, from anywhere.
            let length = chance.below(tail.len() - 7);
            let at = tail.len() - 8;
            tail[at..at + 4].copy_from_slice(&(length as u32).to_le_bytes());
        }
        tail
    };
    target("footer of a data file", make, |bytes| row_count(bytes).is_ok());
}

#[test]
fn names_paths_and_times() {
    let root = Root::parse("https://host.example/lake/").unwrap();
    let wholes = [
        "data/main/t/ducklake-0199f1.parquet",
        "refs/heads/team/bob",
        "https://host.example/lake/?token=a",
        "019a2f10-0c4d-7e88-a1b2-55c0d9e3f7aa",
        "2026-10-15T18:00:00.5+09:00",
        &"9f86d081".repeat(8),
    ];
    let make = |chance: &mut Chance| changed(chance.of(&wholes).as_bytes(), chance);
    target("names, paths and times", make, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let (path, name) = (RelativePath::parse(&text), RefName::parse(&text));
        if let Ok(path) = &path {
            stays_in_its_folder(path);
            let url = root.url(path);
            assert!(url.starts_with("https://host.example/lake/") && url.is_ascii(), "{url}");
        }
        name.iter().for_each(keeps_the_rules_of_git);
        let root = Root::parse(&text);
        if let Ok(root) = &root {
            assert!(!root.to_string().contains(char::is_whitespace), "{root}");
        }
        let id = VersionId::parse(&text);
        if let Some(id) = &id {
            assert!(id.as_str().len() == 36 && id.as_str().is_ascii());
        }
        let time = Timestamp::parse(&text);
        if let Some(time) = &time {
            assert!(time.unix().abs() < 1 << 40, "{}", time.as_str());
        }
        let sha256 = Sha256::parse(&text);
        assert!(sha256.as_ref().is_none_or(|sha256| sha256.to_string() == text));
        name.is_ok() || root.is_ok() || id.is_some() || time.is_some() || sha256.is_some()
    });
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
