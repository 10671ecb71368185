//! What can go wrong, as facts. Each failure has one code, one sentence in English, and members
//! from which another language can word the same.

use serde::{Serialize, Serializer};

use crate::facts::{self, Fact, Facts, facts};
use crate::layout::VersionId;
use crate::quoted::Quoted;

/// A failure that can reach a person.
///
/// Serialised, it is its facts beside its `code`: `{"code": "unknown_ref", "name": "mian"}`.
#[derive(Clone, Debug, PartialEq, Eq, strum::IntoStaticStr, thiserror::Error)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs)] // each sentence below says what its members are
pub enum FdlError {
    // The address and the host
    #[error("{url} is not an address of a repository: {reason}. Check the address.")]
    InvalidUrl { url: String, reason: String },
    #[error(
        "There is no FDL repository here: {url} does not exist. Check the address; it is the folder that holds fdl.json."
    )]
    NotARepository { url: String },
    #[error("Could not {}", unread(.url, .reason))]
    CouldNotFetch { url: String, reason: String },
    #[error("The host answered {url} with status {status}. {}", after_status(*.status))]
    HttpStatus { url: String, status: u16 },
    #[error("{url} is larger than {limit} bytes, the limit for this kind of file. Tell the publisher.")]
    TooLarge { url: String, limit: u64 },
    #[error(
        "{url} is a web page where a file of the repository is due. Some hosts answer every missing file with their start page; check the address."
    )]
    HtmlInstead { url: String },
    #[error(
        "{url} is missing. The copy of the repository is not complete: try another mirror, or tell the publisher."
    )]
    MissingFile { url: String },
    #[error(
        "{url} belongs to another repository: its id is {}, not {}. It was not read as a mirror; check the list of mirrors.", id(.found), id(.expected)
    )]
    OtherRepository { url: String, expected: Option<String>, found: Option<String> },
    #[error("Reading was cancelled.")]
    Aborted,

    // What the files say
    #[error("{url} is not UTF-8 text (from byte {offset} on). Tell the publisher.")]
    InvalidUtf8 { url: String, offset: usize },
    #[error(
        "{url} ends in the middle. It was not written or not copied whole: try again, or tell the publisher."
    )]
    TruncatedJson { url: String },
    #[error("{url} is not JSON: {reason} (line {line}, column {column}). Tell the publisher.")]
    MalformedJson { url: String, line: usize, column: usize, reason: String },
    #[error("{url} does not follow the specification: {member} {reason}. Tell the publisher.")]
    InvalidRecord { url: String, member: String, reason: String },
    #[error("{url} does not hold what a ref holds. Tell the publisher.")]
    MalformedRef { url: String },
    #[error(
        "{url} follows version {found} of the FDL specification, which this reader does not know. A newer reader is needed."
    )]
    UnknownMajorVersion { url: String, found: String },
    #[error(
        "{url} says that it is the record of {found}, but it lies in the folder of {expected}. Tell the publisher."
    )]
    IdMismatch { url: String, expected: VersionId, found: VersionId },
    #[error("{url} names the path {}, which {reason}. It was not read; tell the publisher.", Quoted(.path))]
    UnsafePath { url: String, path: String, reason: String },

    // Refs and versions
    #[error("{} cannot be the name of a ref. Name a branch, a tag or a version ID.", Quoted(.name))]
    InvalidRefName { name: String },
    #[error("The repository has no branch, tag or version {}. Choose one that it has.", Quoted(.name))]
    UnknownRef { name: String },
    #[error("{} is the name of a branch and of a tag. Write refs/heads/{name} or refs/tags/{name}.", Quoted(.name))]
    AmbiguousRef { name: String },
    #[error("The repository has no default ref ({url} is missing). Name a branch, a tag or a version ID.")]
    NoHead { url: String },
    #[error("The repository has no version yet: {reference} does not exist. Its first version will make it.")]
    NoVersion { reference: String },
    #[error(
        "The repository has no version {id}. It was withdrawn together with its record, or not copied to this mirror. Choose another version."
    )]
    MissingVersion { id: VersionId, url: String },
    #[error("Version {id} is past retention{} (reason: {reason}). Its record stands in the history; its tables are no longer kept. Choose a newer version.", at("since", .expired_at))]
    PastRetention { id: VersionId, expired_at: Option<String>, reason: String },
    #[error("Version {id} was withdrawn{}. Its tables are no longer published. Use a newer version.", at("on", .expired_at))]
    Withdrawn { id: VersionId, expired_at: Option<String> },

    // Whether to believe it
    #[error("{url} is {}, but {expected} bytes are recorded for it. It was changed, or not copied whole.", length(*.expected, *.found))]
    SizeMismatch { url: String, expected: u64, found: u64 },
    #[error(
        "{url} is not the file that was recorded: its sha256 is {found}, not {expected}. It was changed after the record was written."
    )]
    HashMismatch { url: String, expected: String, found: String },
    #[error(
        "{url} holds {found} rows, but {expected} are recorded for it. It was changed, or is another file."
    )]
    RowCountMismatch { url: String, expected: u64, found: u64 },
    #[error("{url} does not end as a Parquet file does. It was changed, or not copied whole.")]
    MalformedParquet { url: String },
    #[error("{url} is encrypted, so that its rows cannot be counted.")]
    EncryptedParquet { url: String },
    #[error(
        "Neither a sha256 nor a length nor a number of rows is recorded for {url}, so that there is nothing to hold it against. Tell the publisher."
    )]
    NothingRecorded { url: String },
    #[error("The host does not give {url}. Whether to give source files is its own decision.")]
    NotAvailable { url: String },
    #[error(
        "Which data files version {id} has was not learned: its record names no files.json, so that nothing covers one that is there, and its catalog was not read."
    )]
    DataFilesNotListed { id: VersionId },
    #[error("Version {id} is not opened: {file} is broken.")]
    BrokenVersion { id: VersionId, file: String },
    #[error("Version {id} is not opened: {}.", why_untrusted(.problem))]
    UntrustedVersion { id: VersionId, problem: &'static str },

    // What the page asks for
    #[error(
        "The list of revoked keys cannot be read: {reason}. Mend the list: until then nothing is opened."
    )]
    InvalidRevokedKeys { reason: String },
    #[error("{} is not a time such as 2026-10-15T09:00:00Z.", Quoted(.time))]
    InvalidTime { time: String },

    // The hand-over
    #[error("The catalog is of DuckLake format {found}; this reader reads {supported}.")]
    UnsupportedFormat { found: String, supported: String },
    #[error("The catalog could not be read: {reason}.")]
    MalformedCatalog { reason: String },

    /// What went wrong at the first root, by its code and with its facts, and that no mirror could
    /// help.
    #[error("{first} {}", no_mirror_helped(.mirrors))]
    AtEveryRoot { first: Box<FdlError>, mirrors: Vec<RootFailure> },
}

/// What went wrong at one root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RootFailure {
    /// The root.
    pub root: String,
    /// What went wrong there.
    #[serde(flatten)]
    pub error: FdlError,
}

impl From<Box<FdlError>> for FdlError {
    fn from(boxed: Box<FdlError>) -> FdlError {
        *boxed
    }
}

impl Serialize for FdlError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        facts::serialize(self.code(), self.facts(), serializer)
    }
}

impl FdlError {
    /// The stable code, such as `unknown_ref`.
    pub fn code(&self) -> &'static str {
        self.at_first_root().into()
    }

    /// The failure at the root that was asked first, where mirrors were asked too.
    pub fn at_first_root(&self) -> &FdlError {
        match self {
            FdlError::AtEveryRoot { first, .. } => first,
            error => error,
        }
    }

    /// What went wrong at one root after the other, at least one.
    pub(crate) fn at_every_root(failures: Vec<RootFailure>) -> FdlError {
        let mut failures = failures.into_iter();
        match (failures.next(), failures.len()) {
            // No root was asked, which nothing here does.
            (None, _) => FdlError::Aborted,
            (Some(only), 0) => only.error,
            (Some(first), _) => {
                FdlError::AtEveryRoot { first: first.error.into(), mirrors: failures.collect() }
            }
        }
    }

    /// The facts beside the code; those of the first root, where mirrors were asked too.
    fn facts(&self) -> Facts<'_> {
        use FdlError::*;
        match self {
            NotARepository { url }
            | HtmlInstead { url }
            | MissingFile { url }
            | TruncatedJson { url }
            | MalformedRef { url }
            | NoHead { url }
            | MalformedParquet { url }
            | EncryptedParquet { url }
            | NothingRecorded { url }
            | NotAvailable { url } => facts![url],
            InvalidUrl { url, reason } | CouldNotFetch { url, reason } => facts![url, reason],
            HttpStatus { url, status } => facts![url, status],
            TooLarge { url, limit } => facts![url, limit],
            OtherRepository { url, expected, found } => facts![url, expected, found],
            InvalidUtf8 { url, offset } => facts![url, offset],
            MalformedJson { url, line, column, reason } => facts![url, line, column, reason],
            InvalidRecord { url, member, reason } => facts![url, member, reason],
            UnknownMajorVersion { url, found } => facts![url, found],
            IdMismatch { url, expected, found } => facts![url, expected, found],
            UnsafePath { url, path, reason } => facts![url, path, reason],
            InvalidRefName { name } | UnknownRef { name } | AmbiguousRef { name } => facts![name],
            NoVersion { reference } => facts![reference],
            MissingVersion { id, url } => facts![id, url],
            PastRetention { id, expired_at, reason } => facts![id, expired_at, reason],
            Withdrawn { id, expired_at } => facts![id, expired_at],
            SizeMismatch { url, expected, found } | RowCountMismatch { url, expected, found } => {
                facts![url, expected, found]
            }
            HashMismatch { url, expected, found } => facts![url, expected, found],
            DataFilesNotListed { id } => facts![id],
            BrokenVersion { id, file } => facts![id, file],
            UntrustedVersion { id, problem } => facts![id, problem],
            InvalidRevokedKeys { reason } | MalformedCatalog { reason } => facts![reason],
            InvalidTime { time } => facts![time],
            UnsupportedFormat { found, supported } => facts![found, supported],
            Aborted => facts![],
            AtEveryRoot { first, mirrors } => {
                let mut facts = first.facts();
                facts.extend(facts![mirrors]);
                facts
            }
        }
    }

    /// The URL or path concerned, where there is one.
    pub fn path(&self) -> Option<&str> {
        self.facts().into_iter().find_map(|fact| match fact {
            ("url" | "name" | "reference" | "file", Fact::Text(path)) => Some(path),
            _ => None,
        })
    }

    /// Whether the failure is what a file of the repository says or holds, rather than that it
    /// could not be had: a broken repository is not an unreachable one.
    pub fn is_broken_content(&self) -> bool {
        use FdlError::*;
        matches!(
            self.at_first_root(),
            InvalidUtf8 { .. }
                | TruncatedJson { .. }
                | MalformedJson { .. }
                | InvalidRecord { .. }
                | IdMismatch { .. }
                | UnsafePath { .. }
                | SizeMismatch { .. }
                | HashMismatch { .. }
                | RowCountMismatch { .. }
                | MalformedParquet { .. }
                | BrokenVersion { .. }
        )
    }

    /// The failure to read a file for which `expected` bytes are recorded: it is read no further than
    /// that, so that one which is longer is told here.
    pub(crate) fn or_size_mismatch(self, expected: Option<u64>) -> FdlError {
        match self {
            FdlError::TooLarge { url, limit } if Some(limit) == expected => {
                FdlError::SizeMismatch { url, expected: limit, found: limit.saturating_add(1) }
            }
            other => other,
        }
    }

    /// Whether another root may do better: this one could not be read, does not hold the file, or
    /// holds it broken.
    pub(crate) fn may_be_mended_elsewhere(&self) -> bool {
        use FdlError::*;
        self.is_broken_content()
            || matches!(
                self,
                CouldNotFetch { .. }
                    | HttpStatus { .. }
                    | TooLarge { .. }
                    | HtmlInstead { .. }
                    | NotARepository { .. }
                    | OtherRepository { .. }
                    | MissingFile { .. }
                    | NotAvailable { .. }
                    | MissingVersion { .. }
                    | MalformedRef { .. }
            )
    }
}

fn id(id: &Option<String>) -> String {
    id.as_ref().map_or("not given".into(), |id| Quoted(id).to_string())
}

fn no_mirror_helped(mirrors: &[RootFailure]) -> String {
    let failures = mirrors.iter().map(|RootFailure { root, error }| format!(" {root}: {error}"));
    format!("No mirror could help.{}", failures.collect::<String>())
}

/// What stood in the way, and what may be behind it: a disk has other reasons than a network.
fn unread(url: &str, reason: &str) -> String {
    if url.starts_with("file:") {
        return format!("read {url}: {reason}.");
    }
    format!(
        "fetch {url}: {reason}. The network or the host may be down. To a web page, the host may also forbid to read it: it must send the header Access-Control-Allow-Origin."
    )
}

fn after_status(status: u16) -> &'static str {
    match status {
        401 => "It wants to know who asks.",
        403 => {
            "It does not allow this file to be read, or, as some hosts say it so, there is no such file: check the address."
        }
        _ => "Ask whoever runs the host, or try again later.",
    }
}

fn at(word: &str, expired_at: &Option<String>) -> String {
    expired_at.as_ref().map(|time| format!(" {word} {time}")).unwrap_or_default()
}

/// A file is read no further than the record allows, so that a longer one has no known length.
fn length(expected: u64, found: u64) -> String {
    if found > expected { "longer".into() } else { format!("{found} bytes long") }
}

/// Why a version whose signature has this problem is not opened.
fn why_untrusted(problem: &str) -> &'static str {
    match problem {
        "bad_signature" => "its signature does not fit its record, so one of the two was changed",
        "malformed_signature" => {
            "its signature cannot be read, and this page opens only what a trusted signer has signed"
        }
        "unsigned" => "it is not signed, and this page opens only what a trusted signer has signed",
        "weak_key" => "the key of its signature is too short to count",
        "wrong_namespace" => "its signature is good, but was made for something else",
        "unknown_key" => "its signature is good, but not by a signer whom this page trusts",
        "listed_key" => {
            "its signature is good, by a key that the repository itself lists, but that this page does not trust"
        }
        "revoked" => "its signature is good, but its key was revoked",
        "principal_not_allowed" => "its signature is good, but not by whom this page asks for",
        "certificate_bad_authority_signature" => "the certificate of its key is not what it says",
        "certificate_not_for_users"
        | "certificate_not_yet_valid"
        | "certificate_expired"
        | "certificate_without_principals" => {
            "its signature is good, but the certificate of its key does not count for this, or not at that time"
        }
        "namespace_not_allowed" | "not_yet_valid" | "expired_key" => {
            "its signature is good, and by a key that this page trusts, but not for this, or not at that time"
        }
        _ => "its signature could not be checked, and this page opens only what a trusted signer has signed",
    }
}
