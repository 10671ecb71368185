//! Records, refs, verdicts and errors cross as plain objects, by the names of `www/reader/types.ts`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

use super::page::{CATALOG, LIVE, PAST, Page, ROOT, answer, call, get, open, text};
use crate::wasm::catalog::HandOver;

const TYPES: &str = include_str!("../../../www/reader/types.ts");

/// The names of an interface's members.
fn members(interface: &str) -> BTreeSet<String> {
    members_in(TYPES, interface)
}

fn members_in(types: &str, interface: &str) -> BTreeSet<String> {
    let head = format!("interface {interface} ");
    let (_, rest) = types.split_once(&head).unwrap_or_else(|| panic!("there is no {interface}"));
    let (extends, rest) = rest.split_once("{\n").unwrap();
    let (body, _) = rest.split_once("\n}\n").unwrap();
    let own = body.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("  ")?.split_once(": ")?;
        name.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| name.to_owned())
    });
    let inherited =
        extends.trim().strip_prefix("extends ").map(|base| members_in(types, base)).unwrap_or_default();
    own.chain(inherited).collect()
}

fn keys(value: &JsValue) -> BTreeSet<String> {
    assert!(value.is_object(), "{value:?}");
    let plain = Reflect::get_prototype_of(value).unwrap();
    let of_object = Reflect::get_prototype_of(&Object::new()).unwrap();
    assert_eq!(plain, of_object, "it is no plain object");
    Object::keys(value.unchecked_ref::<Object>()).iter().map(|key| key.as_string().unwrap()).collect()
}

/// A verdict, but for what `www/reader/verdict.ts` adds to make a document of it.
fn is_verdict(value: &JsValue) {
    let mut expected = members("VerdictDocument");
    assert!(expected.remove("document") && expected.remove("repository"));
    assert_eq!(keys(value), expected);
}

/// Each member at a path is of an interface.
fn are(value: &JsValue, interfaces: &[(&str, &str)]) {
    for (path, interface) in interfaces {
        assert_eq!(keys(&get(value, path)), members(interface), "{path}: {interface}");
    }
}

#[wasm_bindgen_test]
async fn settings() {
    let page = Page::of_the_demo();
    page.put(
        "fdl.json",
        br#"{"fdl": "0.1", "signers": ["alice ssh-ed25519 x"], "catalog_formats": [{"ducklake": "1.0"}], "colour": 1}"#,
    );
    let repository = page.open().await.unwrap();
    let settings = get(&repository, "settings");
    are(
        &settings,
        &[("", "Settings"), ("signers.0", "ExpectedSigner"), ("catalog_formats.0", "CatalogFormat")],
    );
    assert_eq!(text(&settings, "data_dir"), "data/");
    assert!(get(&settings, "id").is_null() && get(&settings, "catalog_formats.0.until").is_null());
    assert_eq!(text(&repository, "url"), ROOT);
}

#[wasm_bindgen_test]
async fn refs_and_those_for_the_hosts_own_use_only_where_they_are_asked_for() {
    let repository = Page::of_the_demo().open().await.unwrap();
    let names = |refs: &JsValue| -> Vec<String> {
        Array::from(&get(refs, "refs")).iter().map(|entry| text(&entry, "name")).collect()
    };
    let refs = answer(&repository, "refs", &[false.into()]).await.unwrap();
    are(&refs, &[("", "Refs"), ("refs.0", "RefEntry")]);
    assert_eq!(text(&refs, "head"), "refs/heads/main");
    assert_eq!(text(&refs, "refs.0.version"), LIVE);
    assert_eq!(names(&refs), ["refs/heads/main", "refs/tags/first"]);
    let all = answer(&repository, "refs", &[true.into()]).await.unwrap();
    assert_eq!(names(&all), ["refs/heads/main", "refs/requests/1", "refs/tags/first"]);
}

#[wasm_bindgen_test]
async fn a_version_with_its_record_description_index_and_verdict() {
    let version = Page::of_the_demo().version(None).await.unwrap();
    assert_eq!(text(&version, "id"), LIVE);
    are(
        &version,
        &[
            ("record", "VersionRecord"),
            ("record.catalog", "NamedCatalog"),
            ("record.dataset", "NamedFile"),
            ("record.files", "NamedFile"),
            ("dataset", "Dataset"),
            ("dataset.licenses.0", "Attribution"),
            ("dataset.tables.0", "TableDescription"),
            ("dataset.tables.0.columns.0", "ColumnDescription"),
            ("files", "Files"),
            ("files.tables.0", "TableFiles"),
            ("files.tables.0.columns.0", "ColumnOfFiles"),
            ("files.tables.0.files.0", "DataFile"),
            ("verdict.signer", "Signer"),
            ("verdict.checks.0", "Check"),
        ],
    );
    is_verdict(&get(&version, "verdict"));
    assert_eq!(text(&version, "record.parents.0"), PAST);
    assert_eq!(text(&version, "record.author.name"), "release-desk");
    assert_eq!(get(&version, "record.seq").as_f64(), Some(2.0));
    assert!(get(&version, "expired").is_null());
    assert_eq!(text(&version, "verdict.integrity"), "intact");
    assert_eq!(text(&version, "verdict.signature"), "trusted");
    assert_eq!(text(&version, "verdict.signer.principal"), "release-desk@example.org");
    assert_eq!(get(&version, "verdict.signer.line").as_f64(), Some(3.0));
}

#[wasm_bindgen_test]
async fn a_version_past_retention() {
    let version = Page::of_the_demo().version(Some(PAST)).await.unwrap();
    are(&version, &[("expired", "Expired")]);
    assert!(get(&version, "files").is_null());
    let error = answer(&version, "catalog", &[]).await.unwrap_err();
    assert_eq!(text(&error, "code"), "past_retention");
}

#[wasm_bindgen_test]
async fn entries_of_the_history() {
    let page = Page::of_the_demo();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let walk =
        answer(&page.open().await.unwrap(), "history", &[JsValue::UNDEFINED, JsValue::FALSE]).await.unwrap();
    let newest = answer(&walk, "next", &[]).await.unwrap();
    assert_eq!(keys(&newest), names(&["kind", "id", "refs", "record", "expired", "verdict"]));
    are(&newest, &[("record", "VersionRecord")]);
    assert_eq!(text(&newest, "kind"), "version");
    assert_eq!(text(&newest, "refs.0"), "refs/heads/main");
    are(&answer(&walk, "next", &[]).await.unwrap(), &[("expired", "Expired")]);
    assert!(answer(&walk, "next", &[]).await.unwrap().is_undefined(), "the end");
    assert!(answer(&walk, "next", &[]).await.unwrap().is_undefined(), "the end stays the end");

    page.remove(&format!("versions/{PAST}/version.json"));
    let walk =
        answer(&page.open().await.unwrap(), "history", &[JsValue::UNDEFINED, JsValue::FALSE]).await.unwrap();
    answer(&walk, "next", &[]).await.unwrap();
    let missing = answer(&walk, "next", &[]).await.unwrap();
    assert_eq!(keys(&missing), names(&["kind", "id", "refs"]));
    assert_eq!(text(&missing, "kind"), "missing");
    assert_eq!(text(&missing, "id"), PAST);
}

#[wasm_bindgen_test]
async fn entries_of_a_history_with_verdicts() {
    let repository = Page::of_the_demo().open().await.unwrap();
    let walk = answer(&repository, "history", &[JsValue::UNDEFINED, JsValue::TRUE]).await.unwrap();
    let newest = answer(&walk, "next", &[]).await.unwrap();
    is_verdict(&get(&newest, "verdict"));
    assert_eq!(text(&newest, "verdict.signature"), "trusted");
    assert_eq!(text(&newest, "verdict.root"), ROOT);
}

#[wasm_bindgen_test]
async fn what_came_of_holding_a_ref_and_the_repository_against_what_was_seen() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let repository = Page::of_the_demo().open().await.unwrap();
    let followed = answer(&repository, "follow", &["main".into()]).await.unwrap();
    assert_eq!(keys(&followed), names(&["ref", "version"]));
    assert_eq!((text(&followed, "ref"), text(&followed, "version")), ("refs/heads/main".into(), LIVE.into()));
    let compare = |found: &str, seen: &str| {
        let arguments = ["refs/heads/main", found, seen].map(JsValue::from);
        let repository = repository.clone();
        async move { answer(&repository, "compareTip", &arguments).await.unwrap() }
    };
    let after = compare(LIVE, PAST).await;
    assert_eq!(keys(&after), names(&["warning", "remember"]));
    assert!(get(&after, "warning").is_null() && get(&after, "remember").is_truthy());
    let before = compare(PAST, LIVE).await;
    assert_eq!(keys(&get(&before, "warning")), names(&["code", "message", "facts"]));
    assert_eq!(text(&before, "warning.code"), "rolled_back");
    assert_eq!(text(&before, "warning.facts.ref"), "refs/heads/main");
    assert!(get(&before, "remember").is_falsy());
    let changed = call(&repository, "compareId", &["another".into()]);
    assert_eq!(text(&changed, "code"), "changed_id");
    assert_eq!(text(&changed, "facts.seen"), "another");
}

#[wasm_bindgen_test]
async fn the_catalog_as_its_bytes_with_its_progress_told() {
    let told = Rc::new(RefCell::new(Vec::new()));
    let tell = {
        let told = told.clone();
        Closure::<dyn FnMut(f64, f64)>::new(move |received, total| told.borrow_mut().push((received, total)))
    };
    let progress = tell.as_ref().clone();
    let version = Page::of_the_demo().version(None).await.unwrap();
    let bytes = answer(&version, "catalog", &[progress]).await.unwrap();
    assert!(bytes.unchecked_into::<Uint8Array>().to_vec() == CATALOG);
    let length = CATALOG.len() as f64;
    assert_eq!(told.borrow().last(), Some(&(length, length)));
    let covers = Array::from(&get(&version, "verdict.covers"));
    assert!(covers.includes(&"ducklake.duckdb".into(), 0));
}

#[wasm_bindgen_test]
async fn what_the_pages_progress_throws_is_its_own_affair() {
    let throws = Function::new_no_args("throw new Error('mine')");
    let version = Page::of_the_demo().version(None).await.unwrap();
    assert!(answer(&version, "catalog", &[throws.into()]).await.is_ok());
}

#[wasm_bindgen_test]
async fn a_verdict_that_is_whole_only_once_the_catalog_was_read() {
    let page = Page::of_the_demo();
    let mut flipped = CATALOG.to_vec();
    flipped[CATALOG.len() / 2] ^= 1;
    page.put(&format!("versions/{LIVE}/ducklake.duckdb"), &flipped);
    let version = page.version(None).await.unwrap();
    assert_eq!(text(&version, "verdict.integrity"), "intact");
    let verdict = answer(&version, "verify", &[]).await.unwrap();
    assert_eq!(text(&verdict, "integrity"), "broken");
    let checks = Array::from(&get(&verdict, "checks"));
    let catalog = checks.iter().find(|check| text(check, "file") == "ducklake.duckdb").unwrap();
    are(&catalog, &[("", "Check")]);
    assert_eq!(text(&catalog, "code"), "hash_mismatch");
    assert_eq!(text(&catalog, "facts.code"), "hash_mismatch");
    assert_eq!(text(&answer(&version, "catalog", &[]).await.unwrap_err(), "code"), "hash_mismatch");
}

/// An error: its code, and whether the repository itself is broken.
fn failure(error: JsValue) -> (String, bool) {
    let names = ["broken", "code", "facts", "message", "path"];
    assert_eq!(keys(&error), names.map(String::from).into());
    let code = text(&error, "code");
    assert_eq!(text(&error, "facts.code"), code);
    assert!(text(&error, "message").ends_with('.'), "{}", text(&error, "message"));
    (code, get(&error, "broken").is_truthy())
}

#[wasm_bindgen_test]
async fn an_error_has_a_code_a_sentence_a_path_and_facts() {
    let page = Page::of_the_demo();
    let record = format!("versions/{LIVE}/version.json");

    let error = page.version(Some("mian")).await.unwrap_err();
    assert_eq!(text(&error, "path"), "mian");
    assert_eq!(text(&error, "facts.name"), "mian");
    assert_eq!(failure(error), ("unknown_ref".into(), false));

    page.put(&record, b"{");
    let error = page.version(None).await.unwrap_err();
    assert_eq!(text(&error, "path"), format!("{ROOT}{record}"));
    assert_eq!(text(&error, "facts.url"), format!("{ROOT}{record}"));
    assert_eq!(failure(error), ("truncated_json".into(), true));

    page.put(&record, b"{\"a\" 1}");
    let error = page.version(None).await.unwrap_err();
    assert_eq!(get(&error, "facts.line").as_f64(), Some(1.0));
    assert_eq!(get(&error, "facts.column").as_f64(), Some(6.0));
    assert_eq!(failure(error), ("malformed_json".into(), true));

    page.remove(&record);
    assert_eq!(failure(page.version(None).await.unwrap_err()), ("missing_version".into(), false));

    page.remove("fdl.json");
    assert_eq!(failure(page.open().await.unwrap_err()), ("not_a_repository".into(), false));

    let error = open("lake", None, None).await.unwrap_err();
    assert_eq!(text(&error, "path"), "lake");
    assert_eq!(failure(error), ("invalid_url".into(), false));
}

#[wasm_bindgen_test]
async fn an_error_without_a_path_says_null() {
    let version = Page::of_the_demo().version(Some(PAST)).await.unwrap();
    let error = answer(&version, "catalog", &[]).await.unwrap_err();
    assert!(get(&error, "path").is_null());
    assert_eq!(text(&error, "facts.reason"), "retention");
    assert_eq!(failure(error).0, "past_retention");
}

#[wasm_bindgen_test]
fn the_hand_over_asks_until_it_knows_enough_and_gives_a_plan() {
    const PLAN: &str = include_str!("../../../www/duckdb/plan.ts");
    let mut hand_over = HandOver::new("lake".into(), "catalog".into(), 2, ROOT, ROOT, "data/").unwrap();
    assert_eq!(text(&hand_over.plan().unwrap_err(), "code"), "malformed_catalog");
    let answers =
        [r#"{"metadata":[{"key":"version","value":"1.0"}]}"#, r#"{"snapshots":[{"snapshot_id":"2"}]}"#];
    for answer in answers {
        let questions = hand_over.questions().unwrap();
        assert_eq!(keys(&questions), members_in(PLAN, "Questions"));
        let queries = Array::from(&get(&questions, "queries"));
        assert!(queries.length() > 0);
        assert_eq!(keys(&queries.get(0)), members_in(PLAN, "CatalogQuery"));
        hand_over.answer(answer).unwrap();
    }
    assert_eq!(Array::from(&get(&hand_over.questions().unwrap(), "queries")).length(), 0);
    assert_eq!(keys(&hand_over.plan().unwrap()), members_in(PLAN, "Plan"));
}
