//! Mirrors: other roots of the same repository, read where the first one fails or is broken, and
//! only there.

use fdl_reader::data::DataOptions;
use fdl_reader::transport::{Answer, Freshness, Part, Transport};
use fdl_reader::trust::{Check, Integrity, SignatureOutcome};
use fdl_reader::{FdlError, History, HistoryEntry, Options, Repository, Root, RootFailure, Version};

use crate::host::{HTML, Host, Instead, Sent};

/// A page's hosts: the repository's own and its mirrors.
#[derive(Clone, Debug)]
struct Hosts(Vec<Host>);

impl Hosts {
    /// The scenario at three roots.
    fn of(scenario: &str) -> Hosts {
        let first = Host::of(scenario);
        let near = first.mirror("https://near.example/lake/");
        let far = first.mirror("https://far.example/lake/");
        Hosts(vec![first, near, far])
    }

    fn first(&self) -> &Host {
        &self.0[0]
    }

    fn near(&self) -> &Host {
        &self.0[1]
    }

    fn far(&self) -> &Host {
        &self.0[2]
    }

    fn options(&self) -> Options {
        self.with_mirrors(self.first().scenario().options())
    }

    fn with_mirrors(&self, options: Options) -> Options {
        Options { mirrors: self.0[1..].iter().map(|host| host.root().clone()).collect(), ..options }
    }

    async fn open_with(&self, options: Options) -> Result<Repository<Hosts>, FdlError> {
        Repository::open(self.clone(), self.first().root().clone(), options).await
    }

    async fn open(&self) -> Result<Repository<Hosts>, FdlError> {
        self.open_with(self.options()).await
    }

    /// Reads the version that `main` holds.
    fn version(&self) -> Result<Version<Hosts>, FdlError> {
        self.run(async { self.open().await?.version(None).await })
    }

    fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.first().run(work)
    }

    /// What each root was asked for since the last call.
    fn asked(&self) -> [Vec<String>; 3] {
        [0, 1, 2].map(|host| self.0[host].rounds().concat())
    }
}

impl Transport for Hosts {
    type Body = Sent;

    async fn get(&self, url: &str, freshness: Freshness) -> Result<Answer<Sent>, FdlError> {
        self.host(url).get(url, freshness).await
    }

    async fn get_from(
        &self,
        url: &str,
        freshness: Freshness,
        first: u64,
    ) -> Result<Answer<Part<Sent>>, FdlError> {
        self.host(url).get_from(url, freshness, first).await
    }
}

impl Hosts {
    fn host(&self, url: &str) -> &Host {
        let serves = |host: &&Host| url.starts_with(&host.root().to_string());
        self.0.iter().find(serves).unwrap_or_else(|| panic!("{url} is at none of the roots"))
    }
}

fn unreachable() -> FdlError {
    FdlError::CouldNotFetch { url: "https://host.example/".into(), reason: "no route".into() }
}

fn check(version: &Version<Hosts>, file: &str) -> Check {
    version.verdict().checks.iter().find(|check| check.file == file).unwrap().clone()
}

/// The roots that were passed over, and why.
fn passed_over(check: &Check) -> Vec<(String, &'static str)> {
    check.passed_over.iter().map(|other| (other.root.clone(), other.code)).collect()
}

fn flipped(mut bytes: Vec<u8>) -> Instead {
    bytes[0] ^= 1;
    Instead::Bytes(bytes)
}

async fn whole(mut history: History<Hosts>) -> Result<Vec<HistoryEntry>, FdlError> {
    let mut entries = Vec::new();
    while let Some(entry) = history.next().await? {
        entries.push(entry);
    }
    Ok(entries)
}

#[test]
fn while_the_first_root_is_well_nothing_is_asked_of_a_mirror() {
    for name in ["second-commit", "merge", "no-refs-json", "expired-with-catalog"] {
        let hosts = Hosts::of(name);
        let read = async {
            let repository = hosts.open().await?;
            repository.refs().await?;
            let version = repository.version(None).await?;
            version.verify(|_, _| {}).await;
            assert_eq!(version.root(), hosts.first().root());
            whole(repository.history(None).await?).await
        };
        hosts.run(read).unwrap();
        let [first, near, far] = hosts.asked();
        assert!(first.len() > 8 && near.is_empty() && far.is_empty(), "{name}: {near:?}, {far:?}");
    }
}

#[test]
fn a_file_that_cannot_be_had_or_is_broken_is_read_from_a_mirror_and_the_verdict_says_so() {
    for file in ["dataset.json", "files.json", "ducklake.duckdb"] {
        let original =
            Host::of("second-commit").scenario().read(&Host::of("second-commit").scenario().at_tip(file));
        for (instead, code) in [
            (Instead::Error(unreachable()), "could_not_fetch"),
            (Instead::Status(503), "http_status"),
            (Instead::Nothing, "missing_file"),
            (Instead::Bytes(original[1..].into()), "size_mismatch"),
            (flipped(original.clone()), "hash_mismatch"),
        ] {
            let hosts = Hosts::of("second-commit");
            hosts.first().put(&hosts.first().scenario().at_tip(file), instead);
            let version = hosts.version().unwrap();
            let catalog = hosts.run(version.catalog(|_, _| {})).unwrap();
            let on_disk = hosts.first().scenario().at_tip("ducklake.duckdb");
            assert!(catalog.into_bytes() == hosts.first().scenario().read(&on_disk), "{file}: {code}");
            assert_eq!(version.verdict().integrity, Integrity::Intact, "{file}: {code}");
            let of_file = check(&version, file);
            assert_eq!(of_file.root, Some(hosts.near().root().to_string()));
            assert_eq!(passed_over(&of_file), [(hosts.first().root().to_string(), code)]);
            // Everything else came from the first root.
            let elsewhere =
                version.verdict().checks.iter().filter(|check| check.root != of_file.root).count();
            assert_eq!(elsewhere, 3, "{file}: {code}");
            let [_, near, far] = hosts.asked();
            assert_eq!(near, ["fdl.json".to_owned(), hosts.first().scenario().at_tip(file)]);
            assert!(far.is_empty());
        }
    }
}

#[test]
fn a_data_file_that_cannot_be_had_or_is_broken_is_read_from_a_mirror() {
    let hosts = Hosts::of("second-commit");
    let version = hosts.version().unwrap();
    let file = version.files().unwrap().tables[0].files[0].path.to_string();
    let bytes = hosts.first().scenario().read(&file);
    for instead in [
        Instead::Error(unreachable()),
        Instead::Status(503),
        Instead::Nothing,
        Instead::Bytes(bytes[1..].into()),
    ] {
        hosts.first().put(&file, instead.clone());
        hosts.near().restore(&file);
        hosts.run(version.verify_data(DataOptions::default(), |_| {}));
        assert!(version.verdict().data.as_ref().unwrap().problems.is_empty());
        for mirror in [hosts.near(), hosts.far()] {
            mirror.put(&file, instead.clone());
        }
        hosts.run(version.verify_data(DataOptions::default(), |_| {}));
        let verdict = version.verdict();
        let data = verdict.data.as_ref().unwrap();
        assert_eq!(data.failed + data.unchecked, 1);
        assert!(
            matches!(&data.problems[0].facts, FdlError::AtEveryRoot { mirrors, .. } if mirrors.len() == 2)
        );
        hosts.far().restore(&file);
    }
}

#[test]
fn the_data_files_of_a_version_are_where_its_catalog_was() {
    let hosts = Hosts::of("second-commit");
    hosts.first().put(&hosts.first().scenario().at_tip("ducklake.duckdb"), Instead::Status(500));
    let version = hosts.version().unwrap();
    assert_eq!(version.root(), hosts.first().root());
    hosts.run(version.catalog(|_, _| {})).unwrap();
    assert_eq!(version.root(), hosts.near().root());
}

#[test]
fn a_record_that_cannot_be_had_or_is_broken_is_read_from_a_mirror_together_with_its_signature() {
    for (instead, code) in [
        (Instead::Error(unreachable()), "could_not_fetch"),
        (Instead::Status(404), "http_status"),
        (Instead::Nothing, "missing_version"),
        (Instead::Bytes(HTML.into()), "html_instead"),
        (Instead::Bytes(b"{".into()), "truncated_json"),
        (Instead::Bytes(b"{}".into()), "invalid_record"),
        (Instead::Bytes(Host::of("second-commit").scenario().read("fdl.json")), "id_mismatch"),
    ] {
        let hosts = Hosts::of("second-commit");
        hosts.first().put(&hosts.first().scenario().at_tip("version.json"), instead);
        let version = hosts.version().unwrap();
        assert_eq!(version.verdict().signature, SignatureOutcome::Trusted, "{code}");
        assert_eq!(version.verdict().root, hosts.near().root().to_string());
        let signature = check(&version, "version.json.sig");
        assert_eq!(signature.root, Some(hosts.near().root().to_string()));
        assert_eq!(passed_over(&signature), [(hosts.first().root().to_string(), code)]);
    }
}

#[test]
fn a_better_signature_is_looked_for_where_the_page_trusts_someone() {
    for (instead, code) in [
        (Instead::Nothing, "unsigned"),
        (Instead::Status(503), "http_status"),
        (Instead::Bytes(b"x".into()), "malformed_signature"),
        (
            Instead::Bytes(
                Host::of("tagged").scenario().read(&Host::of("tagged").scenario().at_tip("version.json.sig")),
            ),
            "bad_signature",
        ),
    ] {
        let hosts = Hosts::of("second-commit");
        hosts.first().put(&hosts.first().scenario().at_tip("version.json.sig"), instead);
        let version = hosts.version().unwrap();
        assert_eq!(version.verdict().signature, SignatureOutcome::Trusted, "{code}");
        let signature = check(&version, "version.json.sig");
        assert_eq!(passed_over(&signature), [(hosts.first().root().to_string(), code)]);
        assert!(hosts.run(version.catalog(|_, _| {})).is_ok());
    }
}

#[test]
fn a_version_that_no_root_has_a_good_signature_of_stays_the_first_roots() {
    let hosts = Hosts::of("unsigned");
    let version = hosts.version().unwrap();
    let verdict = version.verdict();
    assert_eq!(
        (verdict.signature, &verdict.root),
        (SignatureOutcome::Unsigned, &hosts.first().root().to_string())
    );
    let others = [hosts.near(), hosts.far()].map(|host| (host.root().to_string(), "unsigned"));
    assert_eq!(passed_over(&check(&version, "version.json.sig")), others);
}

#[test]
fn where_nobody_is_trusted_only_a_signature_that_is_bad_or_was_not_had_is_looked_for_elsewhere() {
    for (instead, code, asks) in [
        (Instead::Nothing, "unsigned", false),
        (Instead::Status(503), "http_status", true),
        (Instead::Bytes(b"x".into()), "malformed_signature", true),
    ] {
        let hosts = Hosts::of("second-commit");
        hosts.first().put(&hosts.first().scenario().at_tip("version.json.sig"), instead);
        let options = hosts.with_mirrors(Options::default());
        hosts.run(async { hosts.open_with(options).await?.version(None).await }).unwrap();
        assert_eq!(!hosts.asked()[1].is_empty(), asks, "{code}");
    }
}

#[test]
fn a_signature_never_vouches_for_another_roots_record() {
    let hosts = Hosts::of("second-commit");
    let scenario = hosts.first().scenario();
    let record = scenario.read(&scenario.at_tip("version.json"));
    let changed = String::from_utf8(record).unwrap().replace("\"message\"", "\"massage\"");
    // The record that was signed is here, its signature there.
    hosts.first().put(&scenario.at_tip("version.json.sig"), Instead::Status(503));
    for mirror in [hosts.near(), hosts.far()] {
        mirror.put(&scenario.at_tip("version.json"), Instead::Bytes(changed.clone().into()));
    }
    let version = hosts.version().unwrap();
    assert_eq!(version.verdict().signature, SignatureOutcome::Unchecked);
    assert_eq!(hosts.run(version.catalog(|_, _| {})).unwrap_err().code(), "untrusted_version");
}

#[test]
fn a_mirror_of_another_repository_is_asked_for_its_settings_once_and_for_nothing_else() {
    let hosts = Hosts::of("second-commit");
    let other = br#"{"fdl": "0.1", "id": "another"}"#;
    hosts.near().put("fdl.json", Instead::Bytes(other.into()));
    for file in ["dataset.json", "files.json", "ducklake.duckdb"] {
        hosts.first().put(&hosts.first().scenario().at_tip(file), Instead::Status(500));
    }
    let version = hosts.version().unwrap();
    hosts.run(version.catalog(|_, _| {})).unwrap();
    for file in ["dataset.json", "files.json", "ducklake.duckdb"] {
        let check = check(&version, file);
        assert_eq!(check.root, Some(hosts.far().root().to_string()));
        assert_eq!(check.passed_over[1].code, "other_repository");
        let facts = serde_json::to_value(&check.passed_over[1].facts).unwrap();
        assert_eq!(facts["found"], "another");
        assert_eq!(facts["url"], "https://near.example/lake/fdl.json");
        assert!(facts["expected"].is_string());
    }
    let [_, near, far] = hosts.asked();
    assert_eq!((near, far.len()), (vec!["fdl.json".to_owned()], 4));
}

#[test]
fn a_repository_without_an_id_has_mirrors_without_an_id_only() {
    for (at_near, reads_near) in [("{\"fdl\": \"0.1\"}", true), ("{\"fdl\": \"0.1\", \"id\": \"x\"}", false)]
    {
        let hosts = Hosts::of("second-commit");
        hosts.first().put("fdl.json", Instead::Bytes(b"{\"fdl\": \"0.1\"}".into()));
        hosts.near().put("fdl.json", Instead::Bytes(at_near.into()));
        hosts.first().put(&hosts.first().scenario().at_tip("dataset.json"), Instead::Nothing);
        hosts.version().unwrap();
        assert_eq!(hosts.asked()[1].len() == 2, reads_near, "{at_near}");
    }
}

#[test]
fn a_mirror_that_could_not_be_reached_may_be_there_the_next_time() {
    let hosts = Hosts::of("second-commit");
    hosts.first().put(&hosts.first().scenario().at_tip("ducklake.duckdb"), Instead::Nothing);
    hosts.far().always(Some(Instead::Status(500)));
    hosts.near().always(Some(Instead::Error(unreachable())));
    let version = hosts.version().unwrap();
    assert_eq!(hosts.run(version.catalog(|_, _| {})).unwrap_err().code(), "missing_file");
    hosts.near().always(None);
    assert!(hosts.run(version.catalog(|_, _| {})).is_ok());
}

#[test]
fn a_repository_whose_first_root_is_down_is_opened_at_a_mirror() {
    for instead in [
        Instead::Error(unreachable()),
        Instead::Status(503),
        Instead::Nothing,
        Instead::Bytes(HTML.into()),
        Instead::Bytes(b"{".into()),
    ] {
        let hosts = Hosts::of("second-commit");
        hosts.first().always(Some(instead));
        let repository = hosts.run(hosts.open()).unwrap();
        assert_eq!(repository.root(), hosts.first().root());
        assert_eq!(repository.served_by(), hosts.near().root());
        assert_eq!(hosts.run(repository.refs_served_by()).unwrap(), hosts.near().root());
        hosts.asked();
        // What is down is not asked again while the mirror is well.
        let version = hosts.run(repository.version(None)).unwrap();
        hosts.run(version.catalog(|_, _| {})).unwrap();
        let [first, near, far] = hosts.asked();
        assert_eq!((first.len(), near.len(), far.len()), (0, 6, 0));
        assert_eq!(version.root(), hosts.near().root());
    }
}

#[test]
fn refs_that_cannot_be_had_at_the_first_root_are_a_mirrors_and_said_to_be() {
    for (file, instead) in [
        ("HEAD", Instead::Status(500)),
        ("HEAD", Instead::Bytes(b"main".into())),
        ("refs.json", Instead::Status(500)),
        ("refs.json", Instead::Bytes(b"[".into())),
    ] {
        let hosts = Hosts::of("second-commit");
        hosts.first().put(file, instead);
        let repository = hosts.run(hosts.open()).unwrap();
        assert_eq!(repository.served_by(), hosts.first().root());
        assert_eq!(hosts.run(repository.refs_served_by()).unwrap(), hosts.near().root());
        assert!(hosts.run(repository.version(None)).is_ok());
    }
}

#[test]
fn a_ref_that_the_first_root_does_not_have_is_an_answer() {
    let hosts = Hosts::of("second-commit");
    let repository = hosts.run(hosts.open()).unwrap();
    assert_eq!(hosts.run(repository.resolve(Some("mian"))).unwrap_err().code(), "unknown_ref");
    assert!(hosts.asked()[1].is_empty());
}

#[test]
fn another_major_version_is_an_answer_and_so_is_past_retention() {
    let hosts = Hosts::of("second-commit");
    hosts.first().put("fdl.json", Instead::Bytes(b"{\"fdl\": \"1.0\"}".into()));
    assert_eq!(hosts.run(hosts.open()).unwrap_err().code(), "unknown_major_version");

    // The mirror still has what was withdrawn together with its record.
    let hosts = Hosts::of("second-commit");
    let scenario = hosts.first().scenario();
    hosts.first().put(&scenario.at_tip("version.json"), Instead::Nothing);
    let mark = Instead::Bytes(br#"{"reason": "withdrawn"}"#.into());
    hosts.first().put(&scenario.at_tip("expired.json"), mark);
    assert_eq!(hosts.version().unwrap_err().code(), "withdrawn");
    let entries = hosts.run(async { whole(hosts.open().await?.history(None).await?).await }).unwrap();
    assert!(matches!(&entries[..], [HistoryEntry::Missing { .. }]));
    assert!(hosts.asked()[1].is_empty());
}

#[test]
fn a_mark_counts_at_whichever_root_it_was_seen() {
    let hosts = Hosts::of("second-commit");
    let scenario = hosts.first().scenario();
    hosts.first().put(&scenario.at_tip("version.json.sig"), Instead::Nothing);
    hosts.first().put(&scenario.at_tip("expired.json"), Instead::Bytes(b"{}".into()));
    let version = hosts.version().unwrap();
    assert_eq!(version.verdict().signature, SignatureOutcome::Trusted, "by the mirror's signature");
    assert_eq!(hosts.run(version.catalog(|_, _| {})).unwrap_err().code(), "past_retention");
}

#[test]
fn where_every_root_fails_the_error_is_the_first_roots_and_names_what_the_mirrors_answered() {
    let hosts = Hosts::of("second-commit");
    hosts.first().always(Some(Instead::Status(503)));
    hosts.near().always(Some(Instead::Nothing));
    hosts.far().always(Some(Instead::Bytes(HTML.into())));
    let error = hosts.run(hosts.open()).unwrap_err();
    assert_eq!(error.code(), "http_status");
    let settings = |host: &Host| format!("{}fdl.json", host.root());
    assert_eq!(error.path(), Some(settings(hosts.first()).as_str()));
    let sentence = error.to_string();
    for host in &hosts.0 {
        assert!(sentence.contains(&settings(host)), "{sentence}");
    }
    let facts = serde_json::to_value(&error).unwrap();
    assert_eq!((facts["code"].as_str(), facts["status"].as_u64()), (Some("http_status"), Some(503)));
    let codes = [0, 1].map(|mirror| facts["mirrors"][mirror]["code"].as_str().unwrap());
    assert_eq!(codes, ["not_a_repository", "html_instead"]);
    assert_eq!(facts["mirrors"][1]["root"], hosts.far().root().to_string());
}

#[test]
fn a_file_that_is_broken_everywhere_is_broken() {
    let hosts = Hosts::of("second-commit");
    let catalog = hosts.first().scenario().at_tip("ducklake.duckdb");
    for host in &hosts.0 {
        host.put(&catalog, flipped(host.scenario().read(&catalog)));
    }
    let version = hosts.version().unwrap();
    let error = hosts.run(version.catalog(|_, _| {})).unwrap_err();
    assert_eq!((error.code(), error.is_broken_content()), ("hash_mismatch", true));
    let FdlError::AtEveryRoot { mirrors, .. } = error else { panic!("{error:?}") };
    let of_mirrors = |RootFailure { root, error }: RootFailure| (root, error.code());
    let others = [hosts.near(), hosts.far()].map(|host| (host.root().to_string(), "hash_mismatch"));
    assert_eq!(mirrors.into_iter().map(of_mirrors).collect::<Vec<_>>(), others);
    assert_eq!(version.verdict().integrity, Integrity::Broken);
    assert_eq!(check(&version, "ducklake.duckdb").root, Some(hosts.first().root().to_string()));
}

#[test]
fn the_progress_of_a_catalog_begins_again_at_the_next_root() {
    let hosts = Hosts::of("second-commit");
    let catalog = hosts.first().scenario().at_tip("ducklake.duckdb");
    let bytes = hosts.first().scenario().read(&catalog);
    hosts.first().put(&catalog, flipped(bytes.clone()));
    let version = hosts.version().unwrap();
    let mut told = Vec::new();
    hosts.run(version.catalog(|received, _| told.push(received))).unwrap();
    assert_eq!(told.iter().filter(|received| **received == bytes.len() as u64).count(), 2);
    assert_eq!(told.windows(2).filter(|pair| pair[1] <= pair[0]).count(), 1);
}

#[test]
fn what_the_page_cancelled_is_not_asked_of_a_mirror() {
    let hosts = Hosts::of("second-commit");
    hosts.first().put("fdl.json", Instead::Error(FdlError::Aborted));
    assert_eq!(hosts.run(hosts.open()).map(drop), Err(FdlError::Aborted));
    hosts.first().restore("fdl.json");
    for file in ["version.json", "ducklake.duckdb"] {
        let path = hosts.first().scenario().at_tip(file);
        hosts.first().put(&path, Instead::Error(FdlError::Aborted));
        let read = hosts.version().map(|version| hosts.run(version.catalog(|_, _| {})).map(drop));
        assert_eq!(read.unwrap_or_else(Err), Err(FdlError::Aborted), "{file}");
        hosts.first().restore(&path);
    }
    let [_, near, far] = hosts.asked();
    assert!(near.is_empty() && far.is_empty());
}

#[test]
fn a_history_goes_on_at_a_mirror() {
    let hosts = Hosts::of("second-commit");
    let parent = format!("versions/{}/version.json", hosts.first().scenario().judged.versions[0].id);
    for instead in [Instead::Status(503), Instead::Nothing, Instead::Bytes(b"{".into())] {
        hosts.first().put(&parent, instead);
        let entries = hosts.run(async { whole(hosts.open().await?.history(None).await?).await }).unwrap();
        assert!(entries.iter().all(|entry| matches!(entry, HistoryEntry::Version { .. })));
        assert_eq!(entries.len(), 2);
    }
    // Missing is what no root has, and not what one of them could not be asked for.
    for mirror in [hosts.near(), hosts.far()] {
        mirror.put(&parent, Instead::Nothing);
    }
    hosts.first().put(&parent, Instead::Nothing);
    let walk = || hosts.run(async { whole(hosts.open().await?.history(None).await?).await });
    assert!(matches!(walk().unwrap()[1], HistoryEntry::Missing { .. }));
    hosts.first().put(&parent, Instead::Status(503));
    assert_eq!(walk().unwrap_err().code(), "http_status");
}

#[test]
fn a_history_with_verdicts_says_which_root_served_each_record_and_its_signature() {
    let hosts = Hosts::of("second-commit");
    let judged = &hosts.first().scenario().judged;
    hosts.first().put(&format!("versions/{}/version.json.sig", judged.versions[0].id), Instead::Nothing);
    let entries = async { whole(hosts.open().await?.history_with_verdicts(None).await?).await };
    let roots = hosts.run(entries).unwrap().into_iter().map(|entry| match entry {
        HistoryEntry::Version { verdict: Some(verdict), .. } => (verdict.signature, verdict.root),
        other => panic!("{other:?}"),
    });
    let root = |host: &Host| (SignatureOutcome::Trusted, host.root().to_string());
    assert_eq!(roots.collect::<Vec<_>>(), [root(hosts.first()), root(hosts.near())]);
}

#[test]
fn a_root_that_is_named_twice_is_read_once() {
    let hosts = Hosts::of("second-commit");
    let own: Root = hosts.first().root().clone();
    hosts.first().put("fdl.json", Instead::Status(500));
    let options = Options { mirrors: vec![own.clone(), own], ..hosts.first().scenario().options() };
    assert_eq!(hosts.run(hosts.open_with(options)).unwrap_err().code(), "http_status");
    assert_eq!(hosts.asked()[0].len(), 3);
}
