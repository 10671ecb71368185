//! The graph of parents, walked lazily from a tip, newest first.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::rc::Rc;

use futures_util::future::{join, try_join_all};
use serde::Serialize;

use crate::error::FdlError;
use crate::layout::{self, RefName, RelativePath, VersionId};
use crate::record::expired::Expired;
use crate::record::version::VersionRecord;
use crate::roots::Roots;
use crate::source::{Found, Source};
use crate::transport::Freshness::{Immutable, Revalidate};
use crate::transport::Transport;

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
const AT_ONCE: usize = 8;

/// A walk through the history. Each version comes once, however many lines lead to it, and a
/// graph that leads back to itself ends.
///
/// Requests of a step: version.json and expired.json of each parent of the version that the step
/// before gave, eight parents at once.
#[derive(Debug)]
pub struct History<T> {
    roots: Rc<Roots<T>>,
    /// The refs that hold each version.
    refs: HashMap<VersionId, Vec<RefName>>,
    seen: HashSet<VersionId>,
    /// Versions whose records have not been read yet.
    unread: Vec<VersionId>,
    /// Versions that have been read and not yet given.
    ready: BinaryHeap<Ready>,
}

/// A version's record and the mark that it is past retention; `None` where the
/// record is missing.
///
/// # Errors
/// Those of the files.
async fn read_record<T: Transport>(
    roots: &Roots<T>,
    id: &VersionId,
) -> Result<Option<(VersionRecord, Option<Expired>)>, FdlError> {
    let path = |file: RelativePath| layout::version_file(id, &file);
    let (record, expired) = (path(layout::file::record()), path(layout::file::expired()));
    let read = async |source: Source<'_, T>| {
        let (bytes, expired) =
            join(source.json(&record, Immutable), source.optional_json(&expired, Revalidate)).await;
        let url = source.url(&record);
        let expired = expired?.map(|bytes| Expired::parse(&bytes));
        match (bytes?, expired) {
            (Found::Bytes(bytes), expired) => Ok(Some((VersionRecord::parse(&url, id, &bytes)?, expired))),
            // Withdrawn together with its record: what a mirror still has does not count.
            (_, Some(_)) => Ok(None),
            (_, None) => Err(FdlError::MissingVersion { id: id.clone(), url }),
        }
    };
    match roots.read(roots.home(), read).await {
        Ok(served) => Ok(served.value),
        Err(error) if matches!(error.at_first_root(), FdlError::MissingVersion { .. }) => Ok(None),
        Err(error) => Err(error),
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
    pub(crate) fn new(roots: Rc<Roots<T>>, tip: VersionId, refs: BTreeMap<RefName, VersionId>) -> History<T> {
        let mut held: HashMap<VersionId, Vec<RefName>> = HashMap::new();
        for (name, id) in refs {
            held.entry(id).or_default().push(name);
        }
        History {
            roots,
            refs: held,
            seen: HashSet::from([tip.clone()]),
            unread: vec![tip],
            ready: BinaryHeap::new(),
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
            let read = try_join_all(next.iter().map(|id| read_record(&self.roots, id))).await?;
            for (id, read) in self.unread.drain(..read.len()).zip(read) {
                let refs = self.refs.remove(&id).unwrap_or_default();
                self.ready.push(match read {
                    Some((record, expired)) => Ready {
                        made_at: record.created_at.unix(),
                        entry: HistoryEntry::Version { id, refs, record: record.into(), expired },
                    },
                    None => Ready { made_at: i64::MAX, entry: HistoryEntry::Missing { id, refs } },
                });
            }
        }
        let Some(Ready { entry, .. }) = self.ready.pop() else { return Ok(None) };
        if let HistoryEntry::Version { record, .. } = &entry {
            let new = record.parents.iter().filter(|parent| self.seen.insert((*parent).clone()));
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
