//! The graph of parents, walked lazily from a tip, newest first.

use std::cmp::Ordering;
use std::rc::Rc;

use futures_util::future::join;
use serde::Serialize;

use crate::error::FdlError;
use crate::layout::{self, RefName, RelativePath, VersionId};
use crate::record::expired::Expired;
use crate::record::version::VersionRecord;
use crate::roots::Roots;
use crate::signed::SignedRecord;
use crate::sorted::{insert, sorted};
use crate::source::{Found, Source};
use crate::together;
use crate::transport::Freshness::{Immutable, Revalidate};
use crate::transport::Transport;
use crate::trust::{Policy, TrustedSigners, Verdict};

/// One step of the history.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HistoryEntry {
    /// A version.
    Version {
        /// Its ID.
        id: VersionId,
        /// The refs that hold it.
        refs: Vec<RefName>,
        /// Its record.
        record: Box<VersionRecord>,
        /// The mark that it is past retention or withdrawn.
        expired: Option<Expired>,
        /// The verdict on it, as far as its record and the signature on that go; `None` where verdicts
        /// were not asked for.
        verdict: Option<Box<Verdict>>,
    },
    /// A parent whose record is missing: the history ends here.
    Missing {
        /// Its ID.
        id: VersionId,
        /// The refs that hold it.
        refs: Vec<RefName>,
    },
}

/// How many records are asked for at once.
pub(crate) const AT_ONCE: usize = 8;

/// A walk through the history. Each version comes once, however many lines lead to it, and a
/// graph that leads back to itself ends.
///
/// Requests of a step: version.json and expired.json of each parent of the version that the step
/// before gave, eight parents at once; where verdicts are asked for, version.json.sig with them.
#[derive(Debug)]
pub struct History<T> {
    roots: Rc<Roots<T>>,
    judge: Option<Judge>,
    /// The refs, in the order of the versions that they hold.
    refs: Vec<(RefName, VersionId)>,
    /// In order.
    seen: Vec<VersionId>,
    /// Versions whose records have not been read yet.
    unread: Vec<VersionId>,
    /// Versions that have been read and not yet given, the next one last.
    #[allow(clippy::vec_box)] // each is moved whenever one is put before it
    ready: Vec<Box<Ready>>,
}

/// What a version's signature is held against.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    pub(crate) policy: Policy,
    /// The signers that fdl.json lists.
    pub(crate) expected: TrustedSigners,
}

/// A step of a walk.
#[derive(Debug)]
pub(crate) struct Ancestor {
    pub(crate) record: VersionRecord,
    pub(crate) expired: Option<Expired>,
    pub(crate) verdict: Option<Verdict>,
}

impl Ancestor {
    /// Reads a version's record; `None` where it is missing.
    ///
    /// # Errors
    /// Those of the files.
    pub(crate) async fn read<T: Transport>(
        roots: &Roots<T>,
        judge: Option<&Judge>,
        id: &VersionId,
    ) -> Result<Option<Ancestor>, FdlError> {
        use FdlError::{MissingVersion, PastRetention, Withdrawn};
        let read = match judge {
            Some(judge) => Ancestor::read_signed(roots, judge, id).await,
            None => Ancestor::read_record(roots, id).await,
        };
        match read {
            Ok(ancestor) => Ok(Some(ancestor)),
            Err(error) => match error.at_first_root() {
                // Past retention or withdrawn together with its record: what a mirror still has does
                // not count.
                MissingVersion { .. } | PastRetention { .. } | Withdrawn { .. } => Ok(None),
                _ => Err(error),
            },
        }
    }

    async fn read_record<T: Transport>(roots: &Roots<T>, id: &VersionId) -> Result<Ancestor, FdlError> {
        let path = |file: RelativePath| layout::version_file(id, &file);
        let (record, expired) = (path(layout::file::record()), path(layout::file::expired()));
        let read = async |source: Source<'_, T>| {
            let (bytes, expired) =
                join(source.json(&record, Immutable), source.optional_json(&expired, Revalidate)).await;
            let url = source.url(&record);
            let expired = expired?.map(|bytes| Expired::parse(&bytes));
            match (bytes?, expired) {
                (Found::Bytes(bytes), expired) => {
                    let record = VersionRecord::parse(&url, id, &bytes)?;
                    Ok(Ancestor { record, expired, verdict: None })
                }
                (_, Some(expired)) => Err(expired.error(id)),
                (_, None) => Err(FdlError::MissingVersion { id: id.clone(), url }),
            }
        };
        Ok(roots.read(roots.home(), read).await?.value)
    }

    async fn read_signed<T: Transport>(
        roots: &Roots<T>,
        judge: &Judge,
        id: &VersionId,
    ) -> Result<Ancestor, FdlError> {
        let nothing = async |_: Source<'_, T>| ();
        let read = SignedRecord::read(roots, &judge.policy, &judge.expected, id, nothing).await?;
        let SignedRecord { record, mut verdict, expired, .. } = read;
        for file in [&record.dataset, &record.files].into_iter().flatten() {
            verdict.not_read_yet(file.path.as_str());
        }
        verdict.on_catalog_not_read(record.catalog.file.path.as_str(), expired.as_ref());
        Ok(Ancestor { record, expired, verdict: Some(verdict) })
    }
}

/// A version in the order of the walk: the latest first, and what is missing at once, so that
/// it stands right behind its child.
#[derive(Debug)]
struct Ready {
    made_at: i64,
    entry: HistoryEntry,
}

impl<T: Transport> History<T> {
    pub(crate) fn new(
        roots: Rc<Roots<T>>,
        judge: Option<Judge>,
        tip: VersionId,
        refs: Vec<(RefName, VersionId)>,
    ) -> History<T> {
        History {
            roots,
            judge,
            refs: sorted(refs, |(_, a), (_, b)| a.cmp(b)),
            seen: vec![tip.clone()],
            unread: vec![tip],
            ready: Vec::new(),
        }
    }

    /// The next entry; `None` at the end. After an error the walk may be continued: it tries the
    /// same versions again.
    ///
    /// # Errors
    /// Those of the files.
    pub async fn next(&mut self) -> Result<Option<HistoryEntry>, FdlError> {
        while !self.unread.is_empty() {
            let next = &self.unread[..self.unread.len().min(AT_ONCE)];
            let judge = self.judge.as_ref();
            let read = together::all(next.iter().map(|id| Ancestor::read(&self.roots, judge, id))).await?;
            for (id, read) in self.unread.drain(..read.len()).zip(read) {
                let held = self.refs.partition_point(|(_, held)| *held < id);
                let refs = self.refs[held..].iter().take_while(|(_, held)| *held == id);
                let refs = refs.map(|(name, _)| name.clone()).collect();
                let ready = match read {
                    Some(Ancestor { record, expired, verdict }) => Ready {
                        made_at: record.created_at.unix(),
                        entry: HistoryEntry::Version {
                            id,
                            refs,
                            record: record.into(),
                            expired,
                            verdict: verdict.map(Box::new),
                        },
                    },
                    None => Ready { made_at: i64::MAX, entry: HistoryEntry::Missing { id, refs } },
                };
                insert(&mut self.ready, ready.into());
            }
        }
        let Some(Ready { entry, .. }) = self.ready.pop().map(|ready| *ready) else { return Ok(None) };
        if let HistoryEntry::Version { record, .. } = &entry {
            let new = record.parents.iter().filter(|parent| insert(&mut self.seen, (*parent).clone()));
            self.unread.extend(new.cloned());
        }
        Ok(Some(entry))
    }
}

impl Ready {
    fn order(&self) -> (i64, Option<u64>, &VersionId) {
        match &self.entry {
            HistoryEntry::Version { id, record, .. } => (self.made_at, record.seq, id),
            HistoryEntry::Missing { id, .. } => (self.made_at, None, id),
        }
    }
}

impl Ord for Ready {
    fn cmp(&self, other: &Ready) -> Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Ready) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ready {
    fn eq(&self, other: &Ready) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ready {}
