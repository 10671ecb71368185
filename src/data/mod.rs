//! The data files of a version, and the source files that it was made from, held against what
//! vouches for them.
//!
//! The chain: the record names files.json or the catalog by its hash, and that names each data file
//! and delete file. Where it gives a sha256, the file is read whole and hashed. Where it does not, the
//! file's length and its number of rows are compared, which shows truncation and mix-ups, not
//! forgery. A source file is named by its own hash (specification, "Data files").

mod check; // one file
mod footer; // the rows that a Parquet file says it holds
mod listed; // which files, and what is known of each
mod verdict; // what came of them

use std::cell::RefCell;

pub use footer::{FooterProblem, row_count};
pub use listed::{Kind, ListedFile};
pub use verdict::{DataOutcome, DataProblem, DataVerdict, ListedBy};

use crate::error::FdlError;
use crate::roots::Roots;
use crate::sorted::sorted;
use crate::source::Source;
use crate::together::{self, Work};
use crate::transport::Transport;

/// How the data files of a version are verified.
#[derive(Clone, Debug)]
pub struct DataOptions {
    /// The data files and delete files as the version's verified catalog lists them. They count where
    /// the record does not name a files.json.
    pub files: Option<Vec<ListedFile>>,
    /// Whether the source files of the record's `inputs` are read too. Default: yes.
    pub sources: bool,
    /// How many files are read at once. Default: 4.
    pub at_once: usize,
}

impl Default for DataOptions {
    fn default() -> DataOptions {
        DataOptions { files: None, sources: true, at_once: 4 }
    }
}

/// How far verifying has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataProgress {
    /// Files that are done with, whatever came of them.
    pub files: u64,
    /// Files in all.
    pub files_total: u64,
    /// Bytes that have come in.
    pub received: u64,
    /// Bytes in all, as far as is known: a source file's length is not known before it is read.
    pub total: u64,
}

/// Checks each file, whatever came of those before it. Each is asked for at the root `first` first.
pub(crate) async fn verify<T: Transport>(
    roots: &Roots<T>,
    first: usize,
    list: Result<(ListedBy, Vec<ListedFile>), FdlError>,
    sources: Vec<ListedFile>,
    at_once: usize,
    progress: impl FnMut(DataProgress),
) -> DataVerdict {
    let (verdict, mut files) = match list {
        Ok((listed_by, files)) => (DataVerdict::on(Some(listed_by)), files),
        Err(why) => (DataVerdict::without_list(why), Vec::new()),
    };
    files.extend(sources);
    let mut files = sorted(files, |a, b| (a.kind, &a.path).cmp(&(b.kind, &b.path)));
    files.dedup(); // several tables or inputs may name the same file

    let told = RefCell::new(Told::new(&files, progress));
    let counted = RefCell::new(verdict);
    let mut checks = files.iter().map(|file| -> Work {
        Box::pin(async {
            let mut received = 0;
            let check = async |source: Source<'_, T>| {
                let came_in = |bytes| {
                    received += bytes;
                    told.borrow_mut().received(file, received, bytes);
                };
                check::check(source, file, came_in).await
            };
            let came = roots.read(first, check).await.map(|served| served.value);
            told.borrow_mut().done(file, received);
            counted.borrow_mut().add(file, came, received);
            Ok(())
        })
    });
    // None of them ends the others.
    let _ = together::each(at_once, &mut checks).await;
    drop(checks);
    counted.into_inner().complete()
}

/// Reads a file that has a hash, and gives its bytes once they are verified. It is asked for at the root
/// `first` first; `received` is told how many bytes have come, piece by piece.
///
/// # Errors
/// [`FdlError::HashMismatch`], [`FdlError::SizeMismatch`], [`FdlError::HtmlInstead`],
/// [`FdlError::MissingFile`], and those of the transport.
pub(crate) async fn read<T: Transport>(
    roots: &Roots<T>,
    first: usize,
    file: &ListedFile,
    mut received: impl FnMut(u64),
) -> Result<Vec<u8>, FdlError> {
    let read = async |source: Source<'_, T>| check::read(source, file, &mut received).await;
    roots.read(first, read).await.map(|served| served.value)
}

/// What the page is told.
struct Told<F> {
    progress: DataProgress,
    tell: F,
}

impl<F: FnMut(DataProgress)> Told<F> {
    fn new(files: &[ListedFile], tell: F) -> Told<F> {
        let total = files.iter().map(check::expected).fold(0, u64::saturating_add);
        let progress = DataProgress { files_total: files.len() as u64, total, ..DataProgress::default() };
        Told { progress, tell }
    }

    /// `bytes` more have come of a file, `in_all` by now.
    fn received(&mut self, file: &ListedFile, in_all: u64, bytes: u64) {
        self.progress.received += bytes;
        // A file whose length was not known, or is not as expected.
        let beyond = in_all.saturating_sub(check::expected(file)).min(bytes);
        self.progress.total = self.progress.total.saturating_add(beyond);
        (self.tell)(self.progress);
    }

    /// No more will come of a file than `in_all`.
    fn done(&mut self, file: &ListedFile, in_all: u64) {
        self.progress.files += 1;
        self.progress.total -= check::expected(file).saturating_sub(in_all).min(self.progress.total);
        (self.tell)(self.progress);
    }
}
