//! The roots of one repository: the one that the page named, and its mirrors.
//!
//! A mirror is read only where the root before it could not serve a file or served it broken, and
//! only once its fdl.json has shown that it holds the same repository.

use futures_util::lock::Mutex;

use crate::error::{FdlError, RootFailure};
use crate::layout::{self, Root};
use crate::record::settings::Settings;
use crate::source::{Limits, Source};
use crate::transport::Freshness::Revalidate;
use crate::transport::Transport;
use crate::trust::verdict::ServedBy;

/// The roots, by number: 0 is the one that the page named.
#[derive(Debug)]
pub(crate) struct Roots<T> {
    transport: T,
    pub(crate) limits: Limits,
    roots: Vec<Root>,
    /// `None` until a root has served fdl.json.
    home: Option<Home>,
    /// Of each root, once it has said what repository it holds: whether that is this one.
    admitted: Vec<Mutex<Option<Result<(), FdlError>>>>,
}

/// The root that served fdl.json: every reading begins there.
#[derive(Debug)]
struct Home {
    root: usize,
    /// The repository's id.
    id: Option<String>,
}

/// What a root served, and why those before it did not.
#[derive(Debug)]
pub(crate) struct Served<R> {
    pub(crate) root: usize,
    pub(crate) value: R,
    pub(crate) passed_over: Vec<RootFailure>,
}

impl<T: Transport> Roots<T> {
    /// `mirrors` in the order in which they are tried.
    pub(crate) fn new(transport: T, root: Root, mirrors: &[Root], limits: Limits) -> Roots<T> {
        let mut roots = vec![root];
        for mirror in mirrors {
            if !roots.contains(mirror) {
                roots.push(mirror.clone());
            }
        }
        let admitted = roots.iter().map(|_| Mutex::default()).collect();
        Roots { transport, limits, roots, home: None, admitted }
    }

    /// From here on a root is read only if it holds the repository of this id.
    pub(crate) fn settle(&mut self, root: usize, settings: &Settings) {
        self.home = Some(Home { root, id: settings.id.clone() });
    }

    /// Where every reading begins.
    pub(crate) fn home(&self) -> usize {
        self.home.as_ref().map_or(0, |home| home.root)
    }

    pub(crate) fn root(&self, number: usize) -> &Root {
        &self.roots[number]
    }

    pub(crate) fn source(&self, number: usize) -> Source<'_, T> {
        Source { root: &self.roots[number], transport: &self.transport, limits: self.limits }
    }

    /// Every root, `first` first.
    pub(crate) fn beginning_with(&self, first: usize) -> impl Iterator<Item = usize> + use<T> {
        let others = (0..self.roots.len()).filter(move |number| *number != first);
        std::iter::once(first).chain(others)
    }

    /// What `read` gives at the first root at which it succeeds.
    ///
    /// # Errors
    /// Where no root can: what went wrong at `first`, together with what went wrong elsewhere.
    pub(crate) async fn read<R>(
        &self,
        first: usize,
        mut read: impl AsyncFnMut(Source<'_, T>) -> Result<R, FdlError>,
    ) -> Result<Served<R>, FdlError> {
        let at_first = self.at(first, &mut read).await;
        self.or_elsewhere(first, at_first, read).await
    }

    /// The same where `first` has been asked already.
    pub(crate) async fn or_elsewhere<R>(
        &self,
        first: usize,
        at_first: Result<R, FdlError>,
        mut read: impl AsyncFnMut(Source<'_, T>) -> Result<R, FdlError>,
    ) -> Result<Served<R>, FdlError> {
        let mut passed_over = Vec::new();
        let mut at_first = Some(at_first);
        for number in self.beginning_with(first) {
            let result = match at_first.take() {
                Some(at_first) => at_first,
                None => self.at(number, &mut read).await,
            };
            match result {
                Ok(value) => return Ok(Served { root: number, value, passed_over }),
                Err(error) if is_passed_over(number == first, &error) => {
                    passed_over.push(self.failure(number, error));
                }
                Err(error) => return Err(error),
            }
        }
        Err(FdlError::at_every_root(passed_over))
    }

    /// The same in the words of a verdict: who served a file that was asked for at `first` first.
    pub(crate) fn served_by<R>(
        &self,
        first: usize,
        read: Result<Served<R>, FdlError>,
    ) -> (Result<(R, usize), FdlError>, ServedBy) {
        match read {
            Ok(Served { root, value, passed_over }) => {
                let passed_over = passed_over.into_iter().map(Into::into).collect();
                (Ok((value, root)), ServedBy { root: Some(self.roots[root].to_string()), passed_over })
            }
            Err(error) => {
                // Broken bytes were served too; why the mirrors could not help is in the error.
                let root = error.is_broken_content().then(|| self.roots[first].to_string());
                (Err(error), ServedBy { root, passed_over: Vec::new() })
            }
        }
    }

    /// What `read` gives at one root.
    ///
    /// # Errors
    /// [`FdlError::OtherRepository`] and why fdl.json could not be read, before `read` is asked.
    pub(crate) async fn at<R>(
        &self,
        number: usize,
        mut read: impl AsyncFnMut(Source<'_, T>) -> Result<R, FdlError>,
    ) -> Result<R, FdlError> {
        self.admit(number).await?;
        read(self.source(number)).await
    }

    pub(crate) fn failure(&self, number: usize, error: FdlError) -> RootFailure {
        RootFailure { root: self.roots[number].to_string(), error }
    }

    /// Whether a root holds this repository. Its fdl.json is read once, when it is first needed.
    async fn admit(&self, number: usize) -> Result<(), FdlError> {
        let Some(home) = self.home.as_ref().filter(|home| home.root != number) else { return Ok(()) };
        let mut admitted = self.admitted[number].lock().await;
        if let Some(known) = &*admitted {
            return known.clone();
        }
        // A root that could not be read now may be there the next time.
        let found = read_settings(self.source(number)).await?.id;
        let result = if found == home.id {
            Ok(())
        } else {
            let url = self.source(number).url(&layout::settings());
            Err(FdlError::OtherRepository { url, expected: home.id.clone(), found })
        };
        *admitted = Some(result.clone());
        result
    }
}

/// Whether another root is asked after this error. What the first root says may be an answer (that
/// it follows another major version); a mirror's word is one only where it says that the version
/// is gone.
pub(crate) fn is_passed_over(is_first: bool, error: &FdlError) -> bool {
    use FdlError::{Aborted, PastRetention, Withdrawn};
    match error {
        Aborted | PastRetention { .. } | Withdrawn { .. } => false,
        error => !is_first || error.may_be_mended_elsewhere(),
    }
}

/// fdl.json.
pub(crate) async fn read_settings<T: Transport>(source: Source<'_, T>) -> Result<Settings, FdlError> {
    let path = layout::settings();
    let url = source.url(&path);
    let missing = FdlError::NotARepository { url: url.clone() };
    let bytes = source.json(&path, Revalidate).await?.required(url.clone(), missing)?;
    Settings::parse(&url, &bytes)
}
