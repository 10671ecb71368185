//! The repositories that the maker made, and the judge's answer beside each.

use std::fs;
use std::path::{Path, PathBuf};

use fdl_reader::transport::Directory;
use fdl_reader::trust::{Policy, TrustedSigners};
use fdl_reader::{FdlError, Options, Repository, Root};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use pollster::block_on;
use serde::Deserialize;

/// What a path keeps unencoded in a `file:` URL.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A repository, and what the judge says of it.
pub struct Scenario {
    pub folder: PathBuf,
    pub judged: Judged,
}

/// `<name>.json`.
#[derive(Deserialize)]
pub struct Judged {
    pub name: String,
    pub trusted_signers: String,
    /// Oldest first.
    pub versions: Vec<JudgedVersion>,
    /// Where a reader of the default ref stops, such as `version: id_mismatch`.
    pub fails: Option<String>,
    /// What a test needs to know.
    pub facts: serde_json::Value,
}

/// A version, seen before anything was broken.
#[derive(Deserialize)]
pub struct JudgedVersion {
    pub id: String,
    pub refs: Vec<String>,
    pub expired: Option<serde_json::Value>,
    pub signer: Option<String>,
}

/// Every scenario, the demo included.
pub fn all() -> Vec<Scenario> {
    let folder = made();
    let names = fs::read_dir(&folder).expect("the folder was just looked at").filter_map(|entry| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        name.strip_suffix(".json").map(str::to_owned)
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.iter().map(|name| named(name)).collect()
}

/// One scenario.
pub fn named(name: &str) -> Scenario {
    let made = made();
    let answer = made.join(format!("{name}.json"));
    let answer = fs::read(&answer).unwrap_or_else(|error| panic!("{}: {error}", answer.display()));
    let folder = match name {
        "demo" => Path::new(env!("CARGO_MANIFEST_DIR")).join("www/demo"),
        _ => made.join(name),
    };
    Scenario { folder, judged: serde_json::from_slice(&answer).expect("the judge writes JSON") }
}

fn made() -> PathBuf {
    let folder = std::env::var_os("FDL_REPOSITORIES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("build/repositories"), PathBuf::from);
    let there = fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some());
    assert!(
        there,
        "There are no repositories in {}: make them with `npm test -- --only rust`, or as tests/repositories/README.md tells.",
        folder.display()
    );
    folder
}

impl Scenario {
    /// The root, as a `file:` URL.
    pub fn root(&self) -> Root {
        let path = self.folder.to_str().expect("a path in UTF-8");
        Root::parse(&format!("file://{}", utf8_percent_encode(path, PATH))).expect("a file: URL")
    }

    /// The page trusts whom the scenario trusts.
    pub fn options(&self) -> Options {
        let trusted_signers = Some(block_on(TrustedSigners::parse(&self.judged.trusted_signers)));
        Options { policy: Policy { trusted_signers, ..Policy::default() }, ..Options::default() }
    }

    /// Opens the repository on disk.
    pub async fn open(&self) -> Result<Repository<Directory>, FdlError> {
        self.open_with(self.options()).await
    }

    pub async fn open_with(&self, options: Options) -> Result<Repository<Directory>, FdlError> {
        Repository::open(Directory, self.root(), options).await
    }

    /// A file of the repository.
    pub fn read(&self, path: &str) -> Vec<u8> {
        let path = self.folder.join(path);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The ID of the version that `main` holds.
    pub fn tip(&self) -> &str {
        let holds_main = |version: &&JudgedVersion| version.refs.iter().any(|name| name == "refs/heads/main");
        &self.judged.versions.iter().find(holds_main).expect("a version on main").id
    }

    /// A file of the folder of the version that `main` holds.
    pub fn at_tip(&self, file: &str) -> String {
        format!("versions/{}/{file}", self.tip())
    }
}
