//! Every broken repository, and the place where a reader of its default ref stops.

use fdl_reader::trust::Integrity;
use fdl_reader::{FdlError, OnUntrusted, Options};
use pollster::block_on;
use serde_json::{Value, json};

use crate::scenario::{self, Scenario};

/// Reads the default ref as far as its catalog: the place where that fails, and how.
async fn read(scenario: &Scenario, options: Options) -> Result<(), (&'static str, FdlError)> {
    let at = |place| move |error| (place, error);
    let repository = scenario.open_with(options).await.map_err(at("open"))?;
    let version = repository.version(None).await.map_err(at("version"))?;
    version.catalog(|_, _| {}).await.map_err(at("catalog"))?;
    Ok(())
}

/// Where a reader stops, in the words of `fails`.
fn stop(scenario: &Scenario, options: Options) -> Option<String> {
    let stopped = block_on(read(scenario, options)).err();
    stopped.map(|(place, error)| format!("{place}: {}", error.code()))
}

fn error(name: &str) -> FdlError {
    let scenario = scenario::named(name);
    block_on(read(&scenario, scenario.options())).unwrap_err().1
}

/// What `fails` says to a reader that asks for no rows.
fn before_rows(scenario: &Scenario) -> Option<String> {
    if scenario.judged.name == "after-init" {
        return Some("version: no_version".into());
    }
    scenario.judged.fails.clone().filter(|fails| !fails.starts_with("rows:"))
}

#[test]
fn with_trusted_signers_a_reader_stops_where_the_repository_is_broken_or_nobody_vouches() {
    for scenario in scenario::all() {
        let expected = match scenario.judged.name.as_str() {
            "unsigned" | "untrusted-signer" | "flipped-catalog-unsigned" => {
                Some("catalog: untrusted_version".into())
            }
            _ => before_rows(&scenario),
        };
        assert_eq!(stop(&scenario, scenario.options()), expected, "{}", scenario.judged.name);
    }
}

#[test]
fn where_no_signers_are_given_only_what_is_broken_stops_a_reader() {
    let mut broken = 0;
    for scenario in scenario::all() {
        let expected = before_rows(&scenario);
        broken += usize::from(expected.is_some());
        assert_eq!(stop(&scenario, Options::default()), expected, "{}", scenario.judged.name);
    }
    assert!(broken > 15, "only {broken} broken repositories");
}

#[test]
fn a_page_that_wants_untrusted_versions_is_still_stopped_by_broken_files() {
    for scenario in scenario::all() {
        let options = Options { on_untrusted: OnUntrusted::HandOver, ..scenario.options() };
        let expected = before_rows(&scenario).filter(|fails| fails != "catalog: untrusted_version");
        assert_eq!(stop(&scenario, options), expected, "{}", scenario.judged.name);
    }
}

#[test]
fn an_error_says_which_file_and_what_in_it() {
    for (name, file, fact) in [
        ("invalid-utf8-record", "version.json", Some("offset")),
        ("invalid-utf8-dataset", "dataset.json", Some("offset")),
        ("record-id-not-its-folder", "version.json", Some("found")),
        ("catalog-path-dotdot", "version.json", Some("path")),
        ("truncated-json", "version.json", None),
        ("html-instead-of-json", "version.json", None),
        ("missing-version", "version.json", None),
        ("missing-catalog", "ducklake.duckdb", None),
        ("flipped-catalog", "ducklake.duckdb", None),
        ("catalog-truncated", "ducklake.duckdb", None),
    ] {
        let scenario = scenario::named(name);
        let error = json!(error(name));
        let url = format!("{}{}", scenario.root(), scenario.at_tip(file));
        assert_eq!(error["url"], Value::String(url), "{name}");
        if let Some(fact) = fact {
            assert_eq!(error[fact], scenario.judged.facts[fact], "{name}");
        }
    }
}

#[test]
fn an_error_has_a_path_that_a_page_can_show() {
    for scenario in scenario::all() {
        if let Err((_, error)) = block_on(read(&scenario, scenario.options())) {
            let facts = json!(error);
            let path = ["url", "reference", "name", "file"].iter().find_map(|member| facts[*member].as_str());
            assert_eq!(error.path(), path, "{error:?}");
        }
    }
}

#[test]
fn a_file_that_is_not_the_one_that_the_record_names_is_named_and_not_shown() {
    for (name, file, code) in [
        ("flipped-dataset", "dataset.json", "hash_mismatch"),
        ("missing-dataset", "dataset.json", "missing_file"),
        ("flipped-files", "files.json", "hash_mismatch"),
    ] {
        let scenario = scenario::named(name);
        let version = block_on(async { scenario.open().await?.version(None).await }).unwrap();
        assert_eq!(error(name), FdlError::BrokenVersion { id: version.id().clone(), file: file.into() });
        let verdict = version.verdict();
        let check = verdict.checks.iter().find(|check| check.file == file).unwrap();
        assert_eq!(check.code, Some(code), "{name}");
        assert!(!verdict.covers.iter().any(|covered| covered == file), "{name}");
        assert_eq!(version.dataset().is_none(), file == "dataset.json", "{name}");
        assert_eq!(version.files().is_none(), file == "files.json", "{name}");
    }
}

#[test]
fn a_catalog_is_in_the_verdict_once_it_is_read_however_often() {
    for (name, integrity) in [
        ("flipped-catalog", Integrity::Broken),
        ("catalog-truncated", Integrity::Broken),
        ("missing-catalog", Integrity::Broken),
        ("second-commit", Integrity::Intact),
    ] {
        let scenario = scenario::named(name);
        let version = block_on(async { scenario.open().await?.version(None).await }).unwrap();
        assert_eq!(version.verdict().integrity, Integrity::Intact, "{name}: it is not read yet");
        for _ in 0..2 {
            let verdict = block_on(version.verify(|_, _| {}));
            assert_eq!(verdict.integrity, integrity, "{name}");
            let checks = verdict.checks.iter().filter(|check| check.file == "ducklake.duckdb");
            assert_eq!(checks.count(), 1, "{name}");
            let covered = verdict.covers.iter().any(|file| file == "ducklake.duckdb");
            assert_eq!(covered, integrity == Integrity::Intact, "{name}");
        }
    }
}
