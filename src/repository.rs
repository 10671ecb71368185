//! One repository, opened: its settings, its refs, and the way from a name to a version.

use std::collections::BTreeMap;
use std::rc::Rc;

use futures_util::future::{OptionFuture, join};
use futures_util::lock::Mutex;

use crate::error::FdlError;
use crate::history::History;
use crate::layout::{self, RefName, Root, VersionId};
use crate::record::refs::{RefList, parse_head, parse_ref};
use crate::record::settings::Settings;
use crate::roots::{Roots, Served, read_settings};
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
    /// Other roots of the same repository, in the order in which they are tried where a file cannot
    /// be had, or is broken, at the root that is opened. One whose fdl.json has another `id` is
    /// never read.
    pub mirrors: Vec<Root>,
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
    roots: Rc<Roots<T>>,
    options: Options,
    settings: Settings,
    refs: Mutex<Option<Rc<Served<Refs>>>>,
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
        let mut roots = Roots::new(transport, root, &options.mirrors, options.limits);
        let refs_are_wanted = options.first.as_deref().and_then(VersionId::parse).is_none();
        let read = async |source: Source<'_, T>| {
            let refs = OptionFuture::from(refs_are_wanted.then(|| read_refs(source)));
            let (settings, refs) = join(read_settings(source), refs).await;
            // Another major version may lay out its refs in another way, so the settings come first.
            settings.map(|settings| (settings, refs))
        };
        let Served { root, value: (settings, refs), .. } = roots.read(roots.home(), read).await?;
        roots.settle(root, &settings);
        let refs = match refs {
            Some(refs) => Some(Rc::new(roots.or_elsewhere(root, refs, read_refs).await?)),
            None => None,
        };
        Ok(Repository { roots: Rc::new(roots), options, settings, refs: refs.into() })
    }

    /// The root that was opened.
    pub fn root(&self) -> &Root {
        self.roots.root(0)
    }

    /// The root that served fdl.json: a mirror, where the one that was opened could not.
    pub fn served_by(&self) -> &Root {
        self.roots.root(self.roots.home())
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
        Ok(self.known_refs().await?.value.head.clone())
    }

    /// The root that served HEAD and refs.json. A mirror may be behind.
    ///
    /// # Errors
    /// Those of HEAD and refs.json.
    pub async fn refs_served_by(&self) -> Result<&Root, FdlError> {
        Ok(self.roots.root(self.known_refs().await?.root))
    }

    /// Every ref and the version it holds, by name. Without refs.json a static host cannot list
    /// them, and the answer holds HEAD's ref alone (one more request).
    ///
    /// # Errors
    /// Those of HEAD, refs.json and the ref's file.
    pub async fn refs(&self) -> Result<BTreeMap<RefName, VersionId>, FdlError> {
        let known = self.known_refs().await?;
        match (&known.value.list, &known.value.head) {
            (Some(list), _) => Ok(list.clone()),
            (None, Some(head)) => {
                let id = self.read_ref(known.root, head).await?;
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
        let head = known.value.head.as_ref();
        let found = match name {
            None | Some("HEAD") => {
                let url = || self.roots.source(known.root).url(&layout::head());
                let no_head = || FdlError::NoHead { url: url() };
                self.look_up(&known, head.ok_or_else(no_head)?).await?
            }
            Some(full) if full.starts_with("refs/") => self.look_up(&known, &RefName::parse(full)?).await?,
            Some(short) => self.look_up_short(&known, short).await?,
        };
        found.ok_or_else(|| {
            let head = head.map(RefName::as_str);
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
        Version::read(self.roots.clone(), &self.settings, &self.options, id).await
    }

    /// The history behind the version that `name` points at, newest first, as in
    /// [`Repository::resolve`].
    ///
    /// # Errors
    /// Those of [`Repository::resolve`] and [`Repository::refs`].
    pub async fn history(&self, name: Option<&str>) -> Result<History<T>, FdlError> {
        let tip = self.resolve(name).await?;
        let refs = self.refs().await?;
        Ok(History::new(self.roots.clone(), tip, refs))
    }

    async fn known_refs(&self) -> Result<Rc<Served<Refs>>, FdlError> {
        let mut refs = self.refs.lock().await;
        match &*refs {
            Some(refs) => Ok(refs.clone()),
            None => {
                let read = Rc::new(self.roots.read(self.roots.home(), read_refs).await?);
                *refs = Some(read.clone());
                Ok(read)
            }
        }
    }

    async fn look_up(&self, known: &Served<Refs>, name: &RefName) -> Result<Option<VersionId>, FdlError> {
        match known.value.list.as_ref().and_then(|list| list.get(name)) {
            Some(id) => Ok(Some(id.clone())),
            None => self.read_ref(known.root, name).await,
        }
    }

    async fn look_up_short(&self, known: &Served<Refs>, short: &str) -> Result<Option<VersionId>, FdlError> {
        let invalid = |_| FdlError::InvalidRefName { name: short.into() };
        let branch = RefName::branch(short).map_err(invalid)?;
        let tag = RefName::tag(short).map_err(invalid)?;
        let listed =
            known.value.list.as_ref().map(|list| (list.get(&branch).cloned(), list.get(&tag).cloned()));
        let (on_branch, on_tag) = match listed {
            Some(found @ (Some(_), _) | found @ (_, Some(_))) => found,
            _ => {
                let read = |name| self.read_ref(known.root, name);
                let (on_branch, on_tag) = join(read(&branch), read(&tag)).await;
                (on_branch?, on_tag?)
            }
        };
        match (on_branch, on_tag) {
            (Some(_), Some(_)) => Err(FdlError::AmbiguousRef { name: short.into() }),
            (on_branch, on_tag) => Ok(on_branch.or(on_tag)),
        }
    }

    /// The file of a ref, from the root of the other refs if that can be.
    async fn read_ref(&self, root: usize, name: &RefName) -> Result<Option<VersionId>, FdlError> {
        let path = layout::ref_file(name);
        let read = async |source: Source<'_, T>| match source.text(&path, Revalidate).await?.optional() {
            Some(bytes) => parse_ref(&source.url(&path), &bytes).map(Some),
            None => Ok(None),
        };
        Ok(self.roots.read(root, read).await?.value)
    }
}

/// HEAD and refs.json.
async fn read_refs<T: Transport>(source: Source<'_, T>) -> Result<Refs, FdlError> {
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
