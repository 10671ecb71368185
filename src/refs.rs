//! HEAD and the refs of a repository as they were read, and the way from a name to a version.

use futures_util::future::join;
use serde::Serialize;

use crate::error::FdlError;
use crate::layout::{self, RefName, VersionId};
use crate::record::refs::{RefList, parse_head, parse_ref};
use crate::roots::{Roots, Served};
use crate::sorted::get;
use crate::source::Source;
use crate::transport::Freshness::Revalidate;
use crate::transport::Transport;

/// Where a name leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Followed {
    /// The ref of that name; `None` for a version ID.
    #[serde(rename = "ref")]
    pub reference: Option<RefName>,
    /// The version that it holds.
    pub version: VersionId,
}

/// HEAD and refs.json, as a root served them.
#[derive(Debug)]
pub(crate) struct ReadRefs {
    head: Option<RefName>,
    /// `None` where there is no refs.json.
    list: Option<Vec<(RefName, VersionId)>>,
}

/// The same, with the number of that root.
#[derive(Debug)]
pub(crate) struct Refs {
    pub(crate) root: usize,
    pub(crate) head: Option<RefName>,
    list: Option<Vec<(RefName, VersionId)>>,
}

impl From<Served<ReadRefs>> for Refs {
    fn from(Served { root, value: ReadRefs { head, list }, .. }: Served<ReadRefs>) -> Refs {
        Refs { root, head, list }
    }
}

impl ReadRefs {
    pub(crate) async fn read<T: Transport>(source: Source<'_, T>) -> Result<ReadRefs, FdlError> {
        let (head, list) = (layout::head(), layout::refs());
        let (head_bytes, list_bytes) =
            join(source.text(&head, Revalidate), source.optional_json(&list, Revalidate)).await;
        let list = match list_bytes? {
            Some(bytes) => Some(RefList::parse(&source.url(&list), &bytes)?),
            None => None,
        };
        let head = match head_bytes?.optional() {
            Some(bytes) => Some(parse_head(&source.url(&head), &bytes)?),
            None => list.as_ref().and_then(|list| list.head.clone()),
        };
        Ok(ReadRefs { head, list: list.map(|list| list.versions) })
    }
}

impl Refs {
    /// Every ref, as far as they are known: see `Repository::refs`.
    pub(crate) async fn all<T: Transport>(
        &self,
        roots: &Roots<T>,
    ) -> Result<Vec<(RefName, VersionId)>, FdlError> {
        match (&self.list, &self.head) {
            (Some(list), _) => Ok(list.clone()),
            (None, Some(head)) => {
                let id = self.read_file(roots, head).await?;
                Ok(id.map(|id| (head.clone(), id)).into_iter().collect())
            }
            (None, None) => Ok(Vec::new()),
        }
    }

    /// Where a name that is no version ID leads: see `Repository::resolve`.
    pub(crate) async fn follow<T: Transport>(
        &self,
        roots: &Roots<T>,
        name: Option<&str>,
    ) -> Result<Followed, FdlError> {
        let found = match name {
            None | Some("HEAD") => {
                let no_head = || FdlError::NoHead { url: roots.source(self.root).url(&layout::head()) };
                self.look_up(roots, self.head.clone().ok_or_else(no_head)?).await?
            }
            Some(full) if full.starts_with("refs/") => self.look_up(roots, RefName::parse(full)?).await?,
            Some(short) => self.look_up_short(roots, short).await?,
        };
        found.ok_or_else(|| {
            let head = self.head.as_ref().map(RefName::as_str);
            match name {
                Some(name)
                    if head != Some(name)
                        && head != Some(&format!("refs/heads/{name}"))
                        && name != "HEAD" =>
                {
                    FdlError::UnknownRef { name: name.into() }
                }
                _ => FdlError::NoVersion { reference: head.unwrap_or("HEAD").into() },
            }
        })
    }

    async fn look_up<T: Transport>(
        &self,
        roots: &Roots<T>,
        name: RefName,
    ) -> Result<Option<Followed>, FdlError> {
        let version = match self.list.as_ref().and_then(|list| get(list, &name)) {
            Some(id) => Some(id.clone()),
            None => self.read_file(roots, &name).await?,
        };
        Ok(version.map(|version| Followed { reference: Some(name), version }))
    }

    async fn look_up_short<T: Transport>(
        &self,
        roots: &Roots<T>,
        short: &str,
    ) -> Result<Option<Followed>, FdlError> {
        let invalid = |_| FdlError::InvalidRefName { name: short.into() };
        let branch = RefName::branch(short).map_err(invalid)?;
        let tag = RefName::tag(short).map_err(invalid)?;
        let listed = self.list.as_ref().map(|list| (get(list, &branch).cloned(), get(list, &tag).cloned()));
        let (on_branch, on_tag) = match listed {
            Some(found @ (Some(_), _) | found @ (_, Some(_))) => found,
            _ => {
                let (on_branch, on_tag) =
                    join(self.read_file(roots, &branch), self.read_file(roots, &tag)).await;
                (on_branch?, on_tag?)
            }
        };
        let (reference, version) = match (on_branch, on_tag) {
            (Some(_), Some(_)) => return Err(FdlError::AmbiguousRef { name: short.into() }),
            (Some(version), None) => (branch, version),
            (None, Some(version)) => (tag, version),
            (None, None) => return Ok(None),
        };
        Ok(Some(Followed { reference: Some(reference), version }))
    }

    /// The file of a ref, from the root of the other refs if that can be.
    async fn read_file<T: Transport>(
        &self,
        roots: &Roots<T>,
        name: &RefName,
    ) -> Result<Option<VersionId>, FdlError> {
        let path = layout::ref_file(name);
        let read = async |source: Source<'_, T>| match source.text(&path, Revalidate).await?.optional() {
            Some(bytes) => parse_ref(&source.url(&path), &bytes).map(Some),
            None => Ok(None),
        };
        Ok(roots.read(self.root, read).await?.value)
    }
}
