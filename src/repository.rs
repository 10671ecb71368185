//! One repository, opened: its settings, its refs, and the way from a name to a version.

use std::rc::Rc;

use futures_util::future::{OptionFuture, join};
use futures_util::lock::Mutex;

use crate::error::FdlError;
use crate::history::{History, Judge};
use crate::layout::{RefName, Root, VersionId};
use crate::record::settings::Settings;
use crate::refs::{Followed, ReadRefs, Refs};
use crate::roots::{Roots, Served, read_settings};
use crate::source::{Limits, Source};
use crate::tips::{self, TipComparison, TipWarning};
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
    refs: Mutex<Option<Rc<Refs>>>,
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
            let refs = OptionFuture::from(refs_are_wanted.then(|| ReadRefs::read(source)));
            let (settings, refs) = join(read_settings(source), refs).await;
            // Another major version may lay out its refs in another way, so the settings come first.
            settings.map(|settings| (settings, refs))
        };
        let Served { root, value: (settings, refs), .. } = roots.read(roots.home(), read).await?;
        roots.settle(root, &settings);
        let refs = match refs {
            Some(refs) => Some(Rc::new(Refs::from(roots.or_elsewhere(root, refs, ReadRefs::read).await?))),
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
        Ok(self.known_refs().await?.head.clone())
    }

    /// The root that served HEAD and refs.json. A mirror may be behind.
    ///
    /// # Errors
    /// Those of HEAD and refs.json.
    pub async fn refs_served_by(&self) -> Result<&Root, FdlError> {
        Ok(self.roots.root(self.known_refs().await?.root))
    }

    /// Every ref and the version it holds, in the order of their names. Without refs.json a static host
    /// cannot list them, and the answer holds HEAD's ref alone (one more request).
    ///
    /// # Errors
    /// Those of HEAD, refs.json and the ref's file.
    pub async fn refs(&self) -> Result<Vec<(RefName, VersionId)>, FdlError> {
        self.known_refs().await?.all(&self.roots).await
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
        Ok(self.follow(name).await?.version)
    }

    /// The same, with the ref that led there.
    ///
    /// # Errors
    /// As [`Repository::resolve`].
    pub async fn follow(&self, name: Option<&str>) -> Result<Followed, FdlError> {
        match name.and_then(VersionId::parse) {
            Some(version) => Ok(Followed { reference: None, version }),
            None => self.known_refs().await?.follow(&self.roots, name).await,
        }
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
        self.walk(name, None).await
    }

    /// The same, each version with a verdict of its own on its record and the signature on that. The
    /// files that a record names are not read.
    ///
    /// # Errors
    /// As [`Repository::history`].
    pub async fn history_with_verdicts(&self, name: Option<&str>) -> Result<History<T>, FdlError> {
        self.walk(name, Some(self.judge())).await
    }

    /// Holds the version `found` at a ref against the one that was `seen` there when a page last looked,
    /// if any was.
    ///
    /// Requests: none where it is the same, or where the ref is a tag; else those of a history with
    /// verdicts, from `found` back to `seen`, as many records as `options.limits.ancestors` allows.
    /// Where none was seen, those of one record if the page gives trusted signers.
    ///
    /// # Errors
    /// [`FdlError::Aborted`]
    pub async fn compare_tip(
        &self,
        reference: &RefName,
        found: &VersionId,
        seen: Option<&VersionId>,
    ) -> Result<TipComparison, FdlError> {
        tips::compare(&self.roots, &self.judge(), reference, found, seen).await
    }

    /// Holds the repository's id against the one that was `seen` at this root.
    pub fn compare_id(&self, seen: Option<&str>) -> Option<TipWarning> {
        let found = self.settings.id.clone();
        (found.as_deref() != seen).then(|| TipWarning::ChangedId {
            url: self.root().to_string(),
            seen: seen.map(str::to_owned),
            found,
        })
    }

    async fn walk(&self, name: Option<&str>, judge: Option<Judge>) -> Result<History<T>, FdlError> {
        let tip = self.resolve(name).await?;
        let refs = self.refs().await?;
        Ok(History::new(self.roots.clone(), judge, tip, refs))
    }

    fn judge(&self) -> Judge {
        Judge { policy: self.options.policy.clone(), expected: self.settings.expected() }
    }

    async fn known_refs(&self) -> Result<Rc<Refs>, FdlError> {
        let mut refs = self.refs.lock().await;
        match &*refs {
            Some(refs) => Ok(refs.clone()),
            None => {
                let read = Rc::new(Refs::from(self.roots.read(self.roots.home(), ReadRefs::read).await?));
                *refs = Some(read.clone());
                Ok(read)
            }
        }
    }
}
