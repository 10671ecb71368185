//! From a name to a version.

use fdl_reader::{FdlError, VersionId};
use pollster::block_on;

use crate::host::{HTML, Host, Instead};
use crate::scenario;

/// The version that a name leads to.
fn resolve(host: &Host, name: Option<&str>) -> Result<String, FdlError> {
    host.run(async { host.open().await?.resolve(name).await }).map(|id| id.to_string())
}

fn code(host: &Host, name: &str) -> &'static str {
    resolve(host, Some(name)).unwrap_err().code()
}

/// The host of a scenario, with refs.json and without it: the answers must not differ.
fn with_refs_json_and_without(name: &str) -> [Host; 2] {
    let without = Host::of(name);
    without.put("refs.json", Instead::Nothing);
    [Host::of(name), without]
}

#[test]
fn no_name_and_head_are_the_default_ref() {
    for host in with_refs_json_and_without("tagged") {
        let tip = host.scenario().tip();
        for name in [None, Some("HEAD"), Some("main"), Some("refs/heads/main")] {
            assert_eq!(resolve(&host, name).unwrap(), tip, "{name:?}");
        }
    }
}

#[test]
fn a_tag_is_found_by_its_short_and_its_full_name() {
    for host in with_refs_json_and_without("tagged") {
        let tagged = &host.scenario().judged.versions[1];
        assert_eq!(tagged.refs, ["refs/tags/2025-final"]);
        for name in ["2025-final", "refs/tags/2025-final"] {
            assert_eq!(resolve(&host, Some(name)).unwrap(), tagged.id);
        }
    }
}

#[test]
fn a_name_may_have_parts_and_a_request_has_a_full_name_only() {
    for host in with_refs_json_and_without("branches") {
        for version in &host.scenario().judged.versions {
            for name in &version.refs {
                assert_eq!(resolve(&host, Some(name)).unwrap(), version.id, "{name}");
                let short = name.splitn(3, '/').nth(2).unwrap();
                match name.starts_with("refs/requests/") {
                    true => assert_eq!(code(&host, short), "unknown_ref"),
                    false => assert_eq!(resolve(&host, Some(short)).unwrap(), version.id, "{short}"),
                }
            }
        }
    }
}

#[test]
fn a_version_id_is_a_name_whether_or_not_a_ref_holds_it() {
    let host = Host::of("retention");
    for version in &host.scenario().judged.versions {
        assert_eq!(resolve(&host, Some(&version.id)).unwrap(), version.id);
    }
}

#[test]
fn an_id_without_a_folder_is_a_missing_version() {
    let host = Host::of("second-commit");
    let id = "019cb813-5280-7cc8-b383-000000000000";
    let url = format!("{}versions/{id}/version.json", host.scenario().root());
    let error = host.run(async { host.open().await?.version(Some(id)).await.map(drop) }).unwrap_err();
    assert_eq!(error, FdlError::MissingVersion { id: VersionId::parse(id).unwrap(), url });
}

#[test]
fn the_name_of_a_branch_and_of_a_tag_is_ambiguous() {
    for host in with_refs_json_and_without("ambiguous-ref-name") {
        let error = resolve(&host, Some("spring")).unwrap_err();
        assert_eq!(error, FdlError::AmbiguousRef { name: "spring".into() });
        let [on_tag, on_branch] =
            ["refs/tags/spring", "refs/heads/spring"].map(|name| resolve(&host, Some(name)).unwrap());
        assert_ne!(on_branch, on_tag);
    }
}

#[test]
fn a_name_that_no_ref_has_is_unknown() {
    for host in with_refs_json_and_without("tagged") {
        for name in ["nope", "refs/heads/nope", "refs/tags/main", "2025", "mai"] {
            assert_eq!(resolve(&host, Some(name)).unwrap_err(), FdlError::UnknownRef { name: name.into() });
        }
    }
}

#[test]
fn what_cannot_be_the_name_of_a_ref_is_not_asked_for() {
    let host = Host::of("tagged");
    for name in [
        "",
        "..",
        "a/../b",
        "a b",
        "a?b",
        "/main",
        "main/",
        "refs/heads/",
        "refs/heads/../x",
        "refs/other/x",
        "refs/heads/a\\b",
        "\u{0}",
        "main.lock",
        "019CB813-5280-7CC8-B383-837A247249D9/..",
    ] {
        assert_eq!(code(&host, name), "invalid_ref_name", "{name:?}");
        assert_eq!(host.rounds().len(), 1, "{name:?}: nothing but the opening is asked for");
    }
}

#[test]
fn before_the_first_version_the_default_ref_has_none_and_other_names_are_unknown() {
    for host in with_refs_json_and_without("after-init") {
        let none = FdlError::NoVersion { reference: "refs/heads/main".into() };
        for name in [None, Some("HEAD"), Some("main"), Some("refs/heads/main")] {
            assert_eq!(resolve(&host, name).unwrap_err(), none, "{name:?}");
        }
        assert_eq!(code(&host, "other"), "unknown_ref");
        let refs = host.run(async { host.open().await?.refs().await }).unwrap();
        assert!(refs.is_empty());
    }
}

#[test]
fn without_head_there_is_no_default_ref_and_every_other_name_is_read() {
    let host = Host::of("no-head");
    let url = format!("{}HEAD", host.scenario().root());
    for name in [None, Some("HEAD")] {
        assert_eq!(resolve(&host, name).unwrap_err(), FdlError::NoHead { url: url.clone() });
    }
    assert_eq!(resolve(&host, Some("main")).unwrap(), host.scenario().tip());
    let (head, refs) = host
        .run(async {
            let repository = host.open().await?;
            Ok::<_, FdlError>((repository.head().await?, repository.refs().await?))
        })
        .unwrap();
    assert_eq!((head, refs.len()), (None, 1));
}

#[test]
fn head_decides_and_a_hint_in_refs_json_stands_in_for_it() {
    let host = Host::of("branches");
    let refs = host.scenario().read("refs.json");
    let mut refs: serde_json::Value = serde_json::from_slice(&refs).unwrap();
    refs["head"] = "refs/heads/draft".into();
    host.put("refs.json", Instead::Bytes(refs.to_string().into()));
    assert_eq!(resolve(&host, None).unwrap(), host.scenario().tip());
    host.put("HEAD", Instead::Nothing);
    assert_eq!(resolve(&host, None).unwrap(), resolve(&host, Some("draft")).unwrap());
}

#[test]
fn a_ref_that_refs_json_does_not_list_is_read_from_its_own_file() {
    for unlisted in [r#"{"refs": {}}"#, "[]", "{}"] {
        let host = Host::of("tagged");
        host.put("refs.json", Instead::Bytes(unlisted.into()));
        assert_eq!(resolve(&host, None).unwrap(), host.scenario().tip());
        assert!(resolve(&host, Some("2025-final")).is_ok());
    }
}

#[test]
fn a_file_of_a_ref_that_is_a_web_page_counts_as_missing() {
    let host = Host::of("tagged");
    host.put("refs.json", Instead::Bytes(HTML.into()));
    host.put("refs/tags/main", Instead::Bytes(HTML.into()));
    assert_eq!(resolve(&host, Some("main")).unwrap(), host.scenario().tip());
}

#[test]
fn a_ref_that_holds_something_else_is_malformed_and_not_unknown() {
    let scenario = scenario::named("malformed-ref");
    let url = format!("{}refs/heads/main", scenario.root());
    let error = block_on(async { scenario.open().await?.resolve(Some("main")).await }).unwrap_err();
    assert_eq!(error, FdlError::MalformedRef { url });
}

#[test]
fn refs_for_the_hosts_own_use_are_told_apart() {
    let host = Host::of("branches");
    let refs = host.run(async { host.open().await?.refs().await }).unwrap();
    let requests: Vec<&str> =
        refs.iter().filter(|(name, _)| name.is_request()).map(|(name, _)| name.as_str()).collect();
    assert_eq!(requests, ["refs/requests/1"]);
}
