//! One version, read and verified: its record, its description, its verdict, its catalog.

use std::cell::{Cell, Ref, RefCell};
use std::fmt;
use std::rc::Rc;

use futures_util::future::join;

use crate::data::{self, DataOptions, DataProgress, ListedBy, ListedFile};
use crate::error::FdlError;
use crate::layout::{self, RelativePath, Root, VersionId};
use crate::record::dataset::Dataset;
use crate::record::expired::Expired;
use crate::record::files::Files;
use crate::record::settings::{DataDir, Settings};
use crate::record::version::{NamedFile, VersionRecord};
use crate::repository::{OnUntrusted, Options};
use crate::roots::Roots;
use crate::signed::SignedRecord;
use crate::source::{Found, Source};
use crate::transport::Freshness::Immutable;
use crate::transport::Transport;
use crate::trust::digest::Digest;
use crate::trust::{SignatureOutcome, Verdict};

/// A version of a repository.
#[derive(Debug)]
pub struct Version<T> {
    data_dir: DataDir,
    roots: Rc<Roots<T>>,
    /// The root that served the record: the other files are asked for there first.
    root: usize,
    /// The root that served the catalog; the record's, until then.
    catalog_root: Cell<usize>,
    record: VersionRecord,
    dataset: Option<Dataset>,
    files: Option<Files>,
    expired: Option<Expired>,
    verdict: RefCell<Verdict>,
    /// Whether the page wants a signer whom it trusts.
    signers_given: bool,
    /// Whether the page wants the version whatever its signature is.
    hand_over_untrusted: bool,
}

/// Problems of a signature that stop the hand-over, whether or not the page trusts anyone.
const NEVER: [&str; 3] = ["bad_signature", "certificate_bad_authority_signature", "revoked"];

/// A catalog whose bytes are those that the record names. Only [`Version::catalog`] makes one.
pub struct VerifiedCatalog(Vec<u8>);

impl fmt::Debug for VerifiedCatalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifiedCatalog({} bytes)", self.0.len())
    }
}

impl VerifiedCatalog {
    /// The DuckDB file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// dataset.json or files.json as it was read.
struct Described {
    file: RelativePath,
    url: String,
    bytes: Vec<u8>,
    /// Whether the record names it, so that these are the bytes of which it has the hash.
    is_named: bool,
}

impl<T: Transport> Version<T> {
    pub(crate) async fn read(
        roots: Rc<Roots<T>>,
        settings: &Settings,
        options: &Options,
        id: VersionId,
    ) -> Result<Version<T>, FdlError> {
        // The record gives the names of these two; the layout's are asked for before it is here.
        let (dataset_file, files_file) = (layout::file::dataset(), layout::file::files());
        let path = |file: &RelativePath| layout::version_file(&id, file);
        let (dataset_path, files_path) = (path(&dataset_file), path(&files_file));
        let described = async |source: Source<'_, T>| {
            join(source.json(&dataset_path, Immutable), source.json(&files_path, Immutable)).await
        };
        let SignedRecord { root, record, verdict, expired, beside: (dataset, files) } =
            SignedRecord::read(&roots, &options.policy, &settings.expected(), &id, described).await?;

        let mut version = Version {
            data_dir: settings.data_dir.clone(),
            root,
            catalog_root: Cell::new(root),
            roots,
            dataset: None,
            files: None,
            expired,
            verdict: RefCell::new(verdict),
            signers_given: options.policy.demands_a_signer(),
            hand_over_untrusted: options.on_untrusted == OnUntrusted::HandOver,
            record,
        };
        let named = version.record.dataset.clone();
        let described = version.described(named, dataset_file, dataset).await?;
        version.dataset = version.understood(described, Dataset::parse)?;
        let named = version.record.files.clone();
        let described = version.described(named, files_file, files).await?;
        let read_files = |url: &str, bytes: &[u8]| Files::parse(url, &settings.data_dir, bytes);
        version.files = version.understood(described, read_files)?;
        let catalog = version.record.catalog.file.path.to_string();
        version.verdict.get_mut().on_catalog_not_read(&catalog, version.expired.as_ref());
        Ok(version)
    }

    /// dataset.json or files.json, once it has been held against the record. `fetched` is what
    /// lies at `usual`, the layout's name.
    async fn described(
        &mut self,
        named: Option<NamedFile>,
        usual: RelativePath,
        fetched: Result<Found, FdlError>,
    ) -> Result<Option<Described>, FdlError> {
        let file = named.as_ref().map_or(&usual, |named| &named.path).clone();
        let path = layout::version_file(&self.record.id, &file);
        let first = self.roots.source(self.root);
        let fetched = if file == usual { fetched } else { first.json(&path, Immutable).await };
        let verdict = self.verdict.get_mut();
        let Some(named) = named else {
            let Some(bytes) = fetched.ok().and_then(Found::optional) else { return Ok(None) };
            verdict.not_in_record(file.as_str(), first.root.to_string());
            return Ok(Some(Described { file, url: first.url(&path), bytes, is_named: false }));
        };
        let check = async |source: Source<'_, T>, fetched: Result<Found, FdlError>| {
            let url = source.url(&path);
            match fetched
                .and_then(|found| found.required(url.clone(), FdlError::MissingFile { url: url.clone() }))
            {
                // Retention deletes files.json together with the catalogs.
                Err(FdlError::MissingFile { .. }) if self.expired.is_some() => Ok(None),
                Err(error) => Err(error),
                Ok(bytes) => Digest::Held(bytes).check(&url, (&named).into()).await.map(Some),
            }
        };
        let again = async |source: Source<'_, T>| check(source, source.json(&path, Immutable).await).await;
        let read = self.roots.or_elsewhere(self.root, check(first, fetched).await, again).await;
        let (result, served_by) = self.roots.served_by(self.root, read);
        let (bytes, root) = match result {
            Ok((None, _)) => return Ok(None),
            Ok((Some(bytes), root)) => (bytes, root),
            Err(error) => {
                verdict.on_file(file.as_str(), Err(error), served_by);
                return Ok(None);
            }
        };
        verdict.on_file(file.as_str(), Ok(()), served_by);
        let url = self.roots.source(root).url(&path);
        Ok(Some(Described { file, url, bytes, is_named: true }))
    }

    /// What such a file says.
    ///
    /// What the specification's pages leave open may be written in a way that is not ours: a file
    /// that cannot be made sense of is noted in the verdict and left out.
    fn understood<D>(
        &mut self,
        described: Option<Described>,
        parse: impl FnOnce(&str, &[u8]) -> Result<D, FdlError>,
    ) -> Result<Option<D>, FdlError> {
        let Some(Described { file, url, bytes, is_named }) = described else { return Ok(None) };
        match parse(&url, &bytes) {
            Ok(parsed) => Ok(Some(parsed)),
            Err(_) if !is_named => Ok(None),
            Err(error @ (FdlError::InvalidRecord { .. } | FdlError::UnsafePath { .. })) => {
                self.verdict.get_mut().not_understood(file.as_str(), error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The version's ID.
    pub fn id(&self) -> &VersionId {
        &self.record.id
    }

    /// version.json.
    pub fn record(&self) -> &VersionRecord {
        &self.record
    }

    /// dataset.json; `None` where there is none, or where it is not the one that the record
    /// names (the verdict says so).
    pub fn dataset(&self) -> Option<&Dataset> {
        self.dataset.as_ref()
    }

    /// files.json, as [`Version::dataset`].
    pub fn files(&self) -> Option<&Files> {
        self.files.as_ref()
    }

    /// The mark that the version is past retention or withdrawn.
    pub fn expired(&self) -> Option<&Expired> {
        self.expired.as_ref()
    }

    /// The root at which the version's data files are read: the one that served the catalog, or, as
    /// long as that was not read, the record.
    pub fn root(&self) -> &Root {
        self.roots.root(self.catalog_root.get())
    }

    /// What verification came to so far; it grows when the catalog has been read.
    pub fn verdict(&self) -> Ref<'_, Verdict> {
        self.verdict.borrow()
    }

    /// The catalog, verified. `progress` is told how many bytes have come, of how many.
    ///
    /// Requests: one.
    ///
    /// # Errors
    /// [`FdlError::PastRetention`], [`FdlError::Withdrawn`], [`FdlError::BrokenVersion`],
    /// [`FdlError::UntrustedVersion`], and why a file that the record names could not be checked,
    /// before anything is fetched; then
    /// [`FdlError::SizeMismatch`], [`FdlError::HashMismatch`], [`FdlError::MissingFile`].
    pub async fn catalog(&self, progress: impl FnMut(u64, u64)) -> Result<VerifiedCatalog, FdlError> {
        self.may_be_opened()?;
        let bytes = self.record.catalog.file.bytes;
        self.read_catalog(progress, || Digest::holding(bytes)).await.map(VerifiedCatalog)
    }

    /// Reads the catalog only to check it, keeping none of it, and gives the whole verdict. What
    /// stands in the way is in the verdict.
    ///
    /// Requests: one; none where the version is past retention.
    pub async fn verify(&self, progress: impl FnMut(u64, u64)) -> Ref<'_, Verdict> {
        if self.expired.is_none() {
            // What came of it is in the verdict.
            let bytes = self.record.catalog.file.bytes;
            let _ = self.read_catalog(progress, || Digest::expecting(Some(bytes))).await;
        }
        self.verdict()
    }

    /// Reads a list of data files that was made of the version's catalog, for [`DataOptions::files`].
    ///
    /// # Errors
    /// As [`ListedFile::parse_list`].
    pub fn listed(&self, json: &str) -> Result<Vec<ListedFile>, FdlError> {
        ListedFile::parse_list(json, &self.data_dir)
    }

    /// Reads the version's data files, delete files and source files to check them, keeping none of
    /// them, and gives the whole verdict. The catalog is not read. What stands in the way is in the
    /// verdict; no file keeps another from being checked.
    ///
    /// Which data files the version has is said by the files.json that the record names, or else by
    /// `options.files`. A files.json that the record does not name lists nothing.
    ///
    /// Requests: one for each file, `options.at_once` at a time; two where a file without a hash has
    /// an exceptionally long footer. Spec: "Data files".
    pub async fn verify_data(
        &self,
        options: DataOptions,
        progress: impl FnMut(DataProgress),
    ) -> Ref<'_, Verdict> {
        let list = match (&self.expired, self.record.files.as_ref().and(self.files.as_ref()), options.files) {
            (Some(expired), ..) => Err(expired.error(self.id())),
            (None, Some(files), _) => Ok((ListedBy::Index, ListedFile::of_index(files))),
            (None, None, Some(files)) => Ok((ListedBy::Catalog, files)),
            (None, None, None) => Err(FdlError::DataFilesNotListed { id: self.id().clone() }),
        };
        let sources = if options.sources { ListedFile::of_inputs(&self.record.inputs) } else { Vec::new() };
        let data =
            data::verify(&self.roots, self.catalog_root.get(), list, sources, options.at_once, progress)
                .await;
        self.verdict.borrow_mut().on_data(data);
        self.verdict()
    }

    /// The URL of a data file or delete file of the version, at [`Version::root`]. Rows are read only
    /// of a version that may be opened, so there is none of another.
    ///
    /// # Errors
    /// [`FdlError::UnsafePath`], and those of [`Version::may_be_opened`].
    pub fn data_url(&self, path: &str) -> Result<String, FdlError> {
        self.may_be_opened()?;
        let unsafe_path = |reason: &str| FdlError::UnsafePath {
            url: layout::file::files().to_string(),
            path: path.into(),
            reason: reason.into(),
        };
        let relative = RelativePath::parse(path).map_err(unsafe_path)?;
        if self.data_dir.holds(&relative) {
            Ok(self.root().url(&relative))
        } else {
            Err(unsafe_path("lies outside data_dir"))
        }
    }

    /// A data file or delete file, verified: its bytes are those of which the files.json that the record
    /// names gives the sha256. `received` is told how many bytes have come, piece by piece.
    ///
    /// Requests: one.
    ///
    /// # Errors
    /// Those of [`Version::may_be_opened`], before anything is fetched; then [`FdlError::NothingRecorded`]
    /// where no such hash is given, [`FdlError::HashMismatch`], [`FdlError::SizeMismatch`],
    /// [`FdlError::MissingFile`].
    pub async fn data_file(&self, path: &str, received: impl FnMut(u64)) -> Result<Vec<u8>, FdlError> {
        self.may_be_opened()?;
        let named = self.record.files.as_ref().and(self.files.as_ref());
        let listed = named.map(ListedFile::of_index).unwrap_or_default();
        let file = listed.iter().find(|file| file.path.as_str() == path && file.sha256.is_some());
        let Some(file) = file else { return Err(FdlError::NothingRecorded { url: path.into() }) };
        data::read(&self.roots, self.catalog_root.get(), file, received).await
    }

    /// Whether the version's rows may be read, as far as its verdict goes so far.
    ///
    /// Fails closed: a mark that it is past retention, broken files, signatures that are not trusted,
    /// and, where the page trusts someone, files that could not be checked stop the hand-over.
    ///
    /// # Errors
    /// [`FdlError::PastRetention`], [`FdlError::Withdrawn`], [`FdlError::BrokenVersion`],
    /// [`FdlError::UntrustedVersion`], and why a file that the record names could not be checked.
    pub fn may_be_opened(&self) -> Result<(), FdlError> {
        if let Some(expired) = &self.expired {
            return Err(expired.error(self.id()));
        }
        let verdict = self.verdict();
        // The catalog is checked as it is read, again if it failed before.
        let catalog = self.record.catalog.file.path.as_str();
        if let Some(file) = verdict.broken_file(catalog) {
            return Err(FdlError::BrokenVersion { id: self.id().clone(), file: file.into() });
        }
        let refused = match verdict.signature {
            SignatureOutcome::Trusted => false,
            _ if self.hand_over_untrusted => false,
            // Whomever the page trusts: the record is not the one that was signed.
            _ if NEVER.contains(&verdict.signature_code().unwrap_or_default()) => true,
            _ => self.signers_given,
        };
        if refused {
            let problem = verdict.signature_code().unwrap_or_default();
            return Err(FdlError::UntrustedVersion { id: self.id().clone(), problem });
        }
        if self.signers_given
            && !self.hand_over_untrusted
            && let Some(error) = verdict.unchecked(catalog)
        {
            return Err(error.clone());
        }
        Ok(())
    }

    /// Reads the catalog, from its beginning at each root, and gives the bytes that `digest` held.
    async fn read_catalog(
        &self,
        mut progress: impl FnMut(u64, u64),
        digest: impl Fn() -> Digest,
    ) -> Result<Vec<u8>, FdlError> {
        let named = &self.record.catalog.file;
        let path = layout::version_file(self.id(), &named.path);
        let read = async |source: Source<'_, T>| {
            let mut received = 0;
            let read = source.hashed(&path, named.into(), digest(), source.limits.catalog, |chunk| {
                received += chunk.len() as u64;
                progress(received, named.bytes);
            });
            read.await
        };
        let read = self.roots.read(self.root, read).await;
        let (result, served_by) = self.roots.served_by(self.root, read);
        let result = result.map(|(bytes, root)| {
            self.catalog_root.set(root);
            bytes
        });
        let came = result.as_ref().map(drop).map_err(FdlError::clone);
        self.verdict.borrow_mut().on_file(named.path.as_str(), came, served_by);
        result
    }
}
