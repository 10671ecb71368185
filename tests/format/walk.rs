//! Every repository, walked as a reader does: from the root to the refs, the versions, their
//! verdicts and their catalogs.

use std::collections::{BTreeMap, BTreeSet};

use fdl_reader::Version;
use fdl_reader::transport::Directory;
use fdl_reader::trust::{Integrity, SignatureOutcome};
use pollster::block_on;
use serde_json::json;

use crate::scenario::{self, JudgedVersion, Scenario};

/// The repositories that can be opened.
fn openable() -> impl Iterator<Item = Scenario> {
    let fails_at_once =
        |scenario: &Scenario| scenario.judged.fails.as_ref().is_some_and(|fails| fails.starts_with("open:"));
    scenario::all().into_iter().filter(move |scenario| !fails_at_once(scenario))
}

/// A version that stands as the judge saw it.
struct Whole<'a> {
    scenario: &'a Scenario,
    judged: &'a JudgedVersion,
    version: Version<Directory>,
    /// Which it is, for whoever reads that a test failed.
    what: String,
}

/// Reads every version that stands as the judge saw it: of a broken repository, those before its
/// tip.
fn each_whole_version(mut check: impl FnMut(Whole)) {
    for scenario in &openable().collect::<Vec<_>>() {
        let repository = block_on(scenario.open()).unwrap();
        for judged in &scenario.judged.versions {
            let is_broken = scenario.judged.fails.is_some() && judged.id == scenario.tip();
            let is_deleted = scenario.judged.facts["missing"] == *judged.id;
            if !is_broken && !is_deleted {
                let what = format!("{}, {}", scenario.judged.name, judged.id);
                let version = block_on(repository.version(Some(&judged.id))).expect(&what);
                check(Whole { scenario, judged, version, what });
            }
        }
    }
}

#[test]
fn the_refs_are_those_of_the_repository() {
    for scenario in openable() {
        let name = &scenario.judged.name;
        let refs = block_on(async { scenario.open().await?.refs().await });
        let refs: BTreeMap<String, String> = match refs {
            Ok(refs) => refs.iter().map(|(name, id)| (name.to_string(), id.to_string())).collect(),
            Err(error) => {
                assert_eq!((name.as_str(), error.code()), ("malformed-ref", "malformed_ref"));
                continue;
            }
        };
        let judged = scenario.judged.versions.iter();
        let mut judged: BTreeMap<String, String> = judged
            .flat_map(|version| version.refs.iter().map(|name| (name.clone(), version.id.clone())))
            .collect();
        match name.as_str() {
            // Without refs.json a reader that cannot list knows HEAD's ref alone.
            "no-refs-json" => judged.retain(|name, _| name == "refs/heads/main"),
            "html-refs" => judged.clear(),
            _ => {}
        }
        assert_eq!(refs, judged, "{name}");
    }
}

#[test]
fn a_version_has_the_signer_that_ssh_keygen_names() {
    let mut seen = BTreeSet::new();
    each_whole_version(|Whole { scenario, judged, version, what }| {
        let verdict = version.verdict();
        let expected = match judged.signer.as_deref() {
            None => SignatureOutcome::Unsigned,
            Some("mallory") => SignatureOutcome::Untrusted,
            Some(_) => SignatureOutcome::Trusted,
        };
        assert_eq!(verdict.signature, expected, "{what}");
        seen.insert(<&str>::from(verdict.signature));
        // Alice has signed these again since the judge saw them.
        if !["self-parent", "cycle", "unknown-members", "hostile-macros", "hostile-views"]
            .contains(&scenario.judged.name.as_str())
            && expected == SignatureOutcome::Trusted
        {
            let principal = verdict.signer.as_ref().and_then(|signer| signer.principal.as_ref());
            let name = principal.and_then(|principal| principal.split('@').next());
            assert_eq!(name, judged.signer.as_deref(), "{what}");
        }
    });
    assert_eq!(seen, BTreeSet::from(["trusted", "unsigned", "untrusted"]));
}

#[test]
fn a_version_is_intact_and_one_past_retention_cannot_be_checked() {
    each_whole_version(|Whole { judged, version, what, .. }| {
        assert_eq!(version.expired().map(|mark| json!(mark)), judged.expired, "{what}");
        let integrity = version.verdict().integrity;
        match judged.expired {
            // What its record names is gone by right.
            Some(_) => assert_eq!(integrity, Integrity::Unchecked, "{what}"),
            None => assert_eq!(integrity, Integrity::Intact, "{what}: {:?}", version.verdict().checks),
        }
    });
}

#[test]
fn a_catalog_is_handed_over_byte_for_byte_and_only_where_a_trusted_signer_vouches() {
    let mut handed_over = 0;
    each_whole_version(|Whole { scenario, judged, version, what }| {
        let catalog = block_on(version.catalog(|_, _| {}));
        match (version.expired(), version.verdict().signature) {
            (Some(mark), _) => assert_eq!(catalog.unwrap_err(), mark.error(version.id()), "{what}"),
            (None, SignatureOutcome::Trusted) => {
                let file = format!("versions/{}/{}", judged.id, version.record().catalog.file.path);
                assert!(catalog.expect(&what).into_bytes() == scenario.read(&file), "{what}");
                handed_over += 1;
            }
            (None, _) => assert_eq!(catalog.unwrap_err().code(), "untrusted_version", "{what}"),
        }
    });
    assert!(handed_over > 50, "only {handed_over} catalogs");
}

#[test]
fn a_description_and_an_index_are_read_where_the_version_has_them() {
    each_whole_version(|Whole { scenario, judged, version, what }| {
        let has = |file: &str| scenario.folder.join("versions").join(&judged.id).join(file).exists();
        assert_eq!(version.dataset().is_some(), has("dataset.json"), "{what}");
        assert_eq!(version.files().is_some(), has("files.json"), "{what}");
    });
}
