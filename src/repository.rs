//! One root, opened: its settings, its refs, and the way from a name to a version.

use std::collections::BTreeMap;
use std::rc::Rc;

use futures_util::future::join;

use crate::error::FdlError;
use crate::history::History;
use crate::layout::{self, RefName, Root, VersionId};
use crate::record::refs::{RefList, parse_head, parse_ref};
use crate::record::settings::Settings;
use crate::source::{Limits, Source};
use crate::transport::Freshness::Revalidate;
use crate::transport::Transport;
use crate::trust::Policy;
use crate::version::Version;

/// How a repository is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whom the page trusts.
    pub policy: Policy,
    /// What happens to a version that no trusted signer has signed.
    pub on_untrusted: OnUntrusted,
    /// How many bytes of each kind of file are read.
    pub limits: Limits,
    /// The ref or version that will be read first. Where it is a version ID, HEAD and refs.json
    /// are not read until something asks for them.
    pub first: Option<String>,
}

/// What happens to the catalog of a version that is not trusted although the page gave trusted
/// signers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnUntrusted {
    /// It is not handed over.
    #[default]
    Refuse,
    /// It is handed over all the same; the verdict still says what it is.
    HandOver,
}

/// A repository, opened.
#[derive(Debug)]
pub struct Repository<T> {
    pub(crate) source: Rc<Source<T>>,
    options: Options,
    settings: Settings,
    refs: futures_util::lock::Mutex<Option<Rc<Refs>>>,
}

/// HEAD and refs.json, as they were when the repository was opened.
#[derive(Clone, Debug)]
struct Refs {
    head: Option<RefName>,
    /// `None` where the repository has no refs.json.
    list: Option<BTreeMap<RefName, VersionId>>,
}

impl<T: Transport> Repository<T> {
    /// Opens the repository at `root`.
    ///
    /// Requests: fdl.json, HEAD and refs.json at once; fdl.json alone where `options.first` is a
    /// version ID. Spec: "Layout".
    ///
    /// # Errors
    /// [`FdlError::NotARepository`], [`FdlError::UnknownMajorVersion`], and those of the files.
    pub async fn open(transport: T, root: Root, options: Options) -> Result<Repository<T>, FdlError> {
        let source = Source { root, transport, limits: options.limits };
        let (settings, refs) = match options.first.as_deref().and_then(VersionId::parse) {
            Some(_) => (read_settings(&source).await, None),
            None => {
                let (settings, refs) = join(read_settings(&source), read_refs(&source)).await;
                (settings, Some(refs))
            }
        };
        // Another major version may lay out its refs in another way, so the settings come first.
        let settings = settings?;
        let refs = refs.transpose()?.map(Rc::new);
        Ok(Repository { source: Rc::new(source), options, settings, refs: refs.into() })
    }

    /// The root.
    pub fn root(&self) -> &Root {
        &self.source.root
    }

    /// fdl.json.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The default ref's full name; `None` where the repository has no HEAD.
    ///
    /// # Errors
    /// Those of HEAD and refs.json.
    pub async fn head(&self) -> Result<Option<RefName>, FdlError> {
        Ok(self.known_refs().await?.head.clone())
    }

    /// Every ref and the version it holds, by name. Without refs.json a static host cannot list
    /// them, and the answer holds HEAD's ref alone (one more request).
    ///
    /// # Errors
    /// Those of HEAD, refs.json and the ref's file.
    pub async fn refs(&self) -> Result<BTreeMap<RefName, VersionId>, FdlError> {
        let known = self.known_refs().await?;
        match (&known.list, &known.head) {
            (Some(list), _) => Ok(list.clone()),
            (None, Some(head)) => {
                let id = self.read_ref(head).await?;
                Ok(id.map(|id| (head.clone(), id)).into_iter().collect())
            }
            (None, None) => Ok(BTreeMap::new()),
        }
    }

    /// The version that `name` points at. A name is a full ref name, a branch's or tag's short
    /// name, a version ID, or `HEAD`; none is HEAD.
    ///
    /// Requests: none where refs.json lists the ref, else its file.
    ///
    /// # Errors
    /// [`FdlError::NoVersion`] where the default ref does not exist yet, [`FdlError::NoHead`],
    /// [`FdlError::UnknownRef`], [`FdlError::AmbiguousRef`], [`FdlError::InvalidRefName`], and
    /// those of the files.
    pub async fn resolve(&self, name: Option<&str>) -> Result<VersionId, FdlError> {
        if let Some(id) = name.and_then(VersionId::parse) {
            return Ok(id);
        }
        let known = self.known_refs().await?;
        let found = match name {
            None | Some("HEAD") => {
                let no_head = || FdlError::NoHead { url: self.source.url(&layout::head()) };
                self.look_up(&known, known.head.as_ref().ok_or_else(no_head)?).await?
            }
            Some(full) if full.starts_with("refs/") => self.look_up(&known, &RefName::parse(full)?).await?,
            Some(short) => self.look_up_short(&known, short).await?,
        };
        found.ok_or_else(|| {
            let head = known.head.as_ref().map(RefName::as_str);
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

    /// Reads and verifies the version that `name` points at, as in [`Repository::resolve`].
    ///
    /// Requests, all at once: version.json, version.json.sig, expired.json, dataset.json,
    /// files.json. The catalog is not read.
    ///
    /// # Errors
    /// Those of [`Repository::resolve`], [`FdlError::MissingVersion`], [`FdlError::IdMismatch`],
    /// [`FdlError::UnsafePath`], and those of the files.
    pub async fn version(&self, name: Option<&str>) -> Result<Version<T>, FdlError> {
        let id = self.resolve(name).await?;
        Version::read(self.source.clone(), &self.settings, &self.options, id).await
    }

    /// The history behind the version that `name` points at, newest first, as in
    /// [`Repository::resolve`].
    ///
    /// # Errors
    /// Those of [`Repository::resolve`] and [`Repository::refs`].
    pub async fn history(&self, name: Option<&str>) -> Result<History<T>, FdlError> {
        let tip = self.resolve(name).await?;
        let refs = self.refs().await?;
        Ok(History::new(self.source.clone(), tip, refs))
    }

    async fn known_refs(&self) -> Result<Rc<Refs>, FdlError> {
        let mut refs = self.refs.lock().await;
        match &*refs {
            Some(refs) => Ok(refs.clone()),
            None => {
                let read = Rc::new(read_refs(&self.source).await?);
                *refs = Some(read.clone());
                Ok(read)
            }
        }
    }

    async fn look_up(&self, known: &Refs, name: &RefName) -> Result<Option<VersionId>, FdlError> {
        match known.list.as_ref().and_then(|list| list.get(name)) {
            Some(id) => Ok(Some(id.clone())),
            None => self.read_ref(name).await,
        }
    }

    async fn look_up_short(&self, known: &Refs, short: &str) -> Result<Option<VersionId>, FdlError> {
        let invalid = |_| FdlError::InvalidRefName { name: short.into() };
        let branch = RefName::branch(short).map_err(invalid)?;
        let tag = RefName::tag(short).map_err(invalid)?;
        let listed = known.list.as_ref().map(|list| (list.get(&branch).cloned(), list.get(&tag).cloned()));
        let (on_branch, on_tag) = match listed {
            Some(found @ (Some(_), _) | found @ (_, Some(_))) => found,
            _ => {
                let (on_branch, on_tag) = join(self.read_ref(&branch), self.read_ref(&tag)).await;
                (on_branch?, on_tag?)
            }
        };
        match (on_branch, on_tag) {
            (Some(_), Some(_)) => Err(FdlError::AmbiguousRef { name: short.into() }),
            (on_branch, on_tag) => Ok(on_branch.or(on_tag)),
        }
    }

    async fn read_ref(&self, name: &RefName) -> Result<Option<VersionId>, FdlError> {
        let path = layout::ref_file(name);
        match self.source.text(&path, Revalidate).await?.optional() {
            Some(bytes) => parse_ref(&self.source.url(&path), &bytes).map(Some),
            None => Ok(None),
        }
    }
}

async fn read_settings<T: Transport>(source: &Source<T>) -> Result<Settings, FdlError> {
    let path = layout::settings();
    let url = source.url(&path);
    let missing = FdlError::NotARepository { url: url.clone() };
    let bytes = source.json(&path, Revalidate).await?.required(url.clone(), missing)?;
    Settings::parse(&url, &bytes)
}

async fn read_refs<T: Transport>(source: &Source<T>) -> Result<Refs, FdlError> {
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
    Ok(Refs { head, list: list.map(|list| list.versions) })
}
