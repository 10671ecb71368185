//! What verifying the data files came to.

use serde::Serialize;

use super::check::Checked;
use super::listed::{Kind, ListedFile};
use crate::error::FdlError;
use crate::sorted::sorted;
use crate::trust::Outcome;

/// What said which data files the version has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ListedBy {
    /// The files.json that the record names.
    #[serde(rename = "files.json")]
    Index,
    /// The catalog, read by the page's engine.
    #[serde(rename = "catalog")]
    Catalog,
}

/// What verifying the data files came to. Every file counts once, under one outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DataVerdict {
    /// What said which data files the version has; `None` where that could not be learned.
    pub source: Option<ListedBy>,
    /// How many files were asked for: data files, delete files, source files.
    pub files: u64,
    /// Files whose bytes are those that a hash in the record, or in what it names, is of.
    pub verified: u64,
    /// Files without such a hash that have the length and the rows that are recorded for them: that
    /// shows truncation and mix-ups, not forgery.
    pub compared: u64,
    /// Files that are not as they must be, or are not there.
    pub failed: u64,
    /// Files that could not be checked.
    pub unchecked: u64,
    /// Source files that the host does not give: whether to give them is its own decision.
    pub not_available: u64,
    /// How many bytes came in.
    pub bytes: u64,
    /// What is to be said of files that are neither verified nor compared, what failed first; no more
    /// than a thousand.
    pub problems: Vec<DataProblem>,
    /// How many more there are.
    pub more: u64,
    /// How many of `verified` are source files.
    #[serde(skip)]
    pub(crate) verified_sources: u64,
}

/// A file that is neither verified nor compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DataProblem {
    /// Relative to the root.
    pub path: String,
    /// What the file is.
    pub kind: Kind,
    /// What came of it.
    pub outcome: DataOutcome,
    /// Why, such as `hash_mismatch`.
    pub code: &'static str,
    /// The same in a sentence.
    pub message: String,
    /// The same as facts, from which another language can word the sentence.
    pub facts: FdlError,
}

/// What came of a file that is neither verified nor compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DataOutcome {
    /// It is not as it must be, or is not there.
    Failed,
    /// It could not be checked.
    Unchecked,
    /// The host does not give this source file.
    NotAvailable,
}

/// How many problems a verdict holds.
const MOST: usize = 1000;

impl DataVerdict {
    /// None yet, of files that this lists.
    pub(super) fn on(source: Option<ListedBy>) -> DataVerdict {
        DataVerdict {
            source,
            files: 0,
            verified: 0,
            compared: 0,
            failed: 0,
            unchecked: 0,
            not_available: 0,
            bytes: 0,
            problems: Vec::new(),
            more: 0,
            verified_sources: 0,
        }
    }

    /// Which data files the version has could not be learned.
    pub(super) fn without_list(why: FdlError) -> DataVerdict {
        let mut verdict = DataVerdict::on(None);
        verdict.problem("files.json", Kind::Data, DataOutcome::Unchecked, why);
        verdict
    }

    /// Counts a file of which so many bytes came in.
    pub(super) fn add(&mut self, file: &ListedFile, came: Result<Checked, FdlError>, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
        let error = match came {
            Ok(Checked::Verified) => {
                self.verified += 1;
                self.verified_sources += u64::from(file.kind == Kind::Source);
                return;
            }
            Ok(Checked::Compared) => {
                self.compared += 1;
                return;
            }
            Err(error) => error,
        };
        let outcome = match Outcome::of(&error) {
            _ if matches!(error.at_first_root(), FdlError::NotAvailable { .. }) => DataOutcome::NotAvailable,
            Outcome::Failed => DataOutcome::Failed,
            _ => DataOutcome::Unchecked,
        };
        *match outcome {
            DataOutcome::Failed => &mut self.failed,
            DataOutcome::Unchecked => &mut self.unchecked,
            DataOutcome::NotAvailable => &mut self.not_available,
        } += 1;
        self.problem(file.path.as_str(), file.kind, outcome, error);
    }

    fn problem(&mut self, path: &str, kind: Kind, outcome: DataOutcome, error: FdlError) {
        let (code, message) = (error.code(), error.to_string());
        self.problems.push(DataProblem { path: path.into(), kind, outcome, code, message, facts: error });
    }

    /// Every file has been counted. Answers come in any order; the verdict has one of its own.
    pub(super) fn complete(mut self) -> DataVerdict {
        self.problems =
            sorted(self.problems, |a, b| (a.outcome, a.kind, &a.path).cmp(&(b.outcome, b.kind, &b.path)));
        self.more = self.problems.len().saturating_sub(MOST) as u64;
        self.problems.truncate(MOST);
        self
    }

    /// Whether something that ought to have been checked was not.
    pub(crate) fn is_unchecked(&self) -> bool {
        self.source.is_none() || self.unchecked > 0
    }

    /// The first file that is not as it must be.
    pub(crate) fn broken_file(&self) -> Option<&str> {
        self.problems.first().filter(|first| first.outcome == DataOutcome::Failed).map(|first| &*first.path)
    }
}
