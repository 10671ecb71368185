//! A version's record with the signature on it, both from one root: a mirror's signature never
//! vouches for another root's record.

use futures_util::future::{join, join3};

use crate::error::FdlError;
use crate::layout::{self, RelativePath, VersionId};
use crate::record::expired::Expired;
use crate::record::version::VersionRecord;
use crate::roots::{Roots, is_passed_over};
use crate::source::{Found, Source};
use crate::transport::Freshness::{Immutable, Revalidate};
use crate::transport::Transport;
use crate::trust::{Policy, TrustedSigners, Verdict};

/// A record, the verdict on its signature, and the mark that the version is past retention.
#[derive(Debug)]
pub(crate) struct SignedRecord<B> {
    /// The root that served the record and the signature.
    pub(crate) root: usize,
    pub(crate) record: VersionRecord,
    pub(crate) verdict: Verdict,
    pub(crate) expired: Option<Expired>,
    /// What was asked for in the same round.
    pub(crate) beside: B,
}

impl<B> SignedRecord<B> {
    /// Reads them from the first root whose signature is as good as the page wants it, or else from
    /// the one whose signature is the best. `expected` are the signers that fdl.json lists.
    ///
    /// Requests at each root, at once: version.json, version.json.sig, expired.json, and those of
    /// `beside`.
    ///
    /// # Errors
    /// [`FdlError::PastRetention`] and [`FdlError::Withdrawn`] where the record is gone too,
    /// [`FdlError::MissingVersion`], [`FdlError::IdMismatch`], [`FdlError::UnsafePath`], and those
    /// of the files.
    pub(crate) async fn read<T: Transport>(
        roots: &Roots<T>,
        policy: &Policy,
        expected: &TrustedSigners,
        id: &VersionId,
        beside: impl AsyncFn(Source<'_, T>) -> B,
    ) -> Result<SignedRecord<B>, FdlError> {
        let mut best: Option<SignedRecord<B>> = None;
        let mut failures = Vec::new();
        for root in roots.beginning_with(roots.home()) {
            let read = async |source: Source<'_, T>| {
                let (read, beside) = join(read_at(source, policy, expected, id), beside(source)).await;
                read.map(|(record, verdict, expired)| SignedRecord { root, record, verdict, expired, beside })
            };
            match roots.at(root, read).await {
                Ok(found) => {
                    let better = match best {
                        None => found,
                        Some(best) => best.or_better(found),
                    };
                    let wanted = !better.verdict.wants_a_better_signature(policy);
                    best = Some(better);
                    if wanted {
                        break;
                    }
                }
                Err(error) if is_passed_over(root == roots.home(), &error) => {
                    failures.push(roots.failure(root, error));
                }
                Err(error) => return Err(error),
            }
        }
        match best {
            None => Err(FdlError::at_every_root(failures)),
            Some(mut best) => {
                let failures = failures.into_iter().map(Into::into);
                best.verdict.passed_over_for_the_record(failures);
                Ok(best)
            }
        }
    }

    /// The one with the better signature. A mark counts wherever it was seen: a copy that was
    /// signed is no reason to open what was withdrawn.
    fn or_better(self, other: SignedRecord<B>) -> SignedRecord<B> {
        let is_better = other.verdict.signature_rank() > self.verdict.signature_rank();
        let (mut better, worse) = if is_better { (other, self) } else { (self, other) };
        better.verdict.passed_over_for_the_record(worse.verdict.into_passed_over());
        better.expired = better.expired.or(worse.expired);
        better
    }
}

async fn read_at<T: Transport>(
    source: Source<'_, T>,
    policy: &Policy,
    expected: &TrustedSigners,
    id: &VersionId,
) -> Result<(VersionRecord, Verdict, Option<Expired>), FdlError> {
    let path = |file: RelativePath| layout::version_file(id, &file);
    let record = path(layout::file::record());
    let url = source.url(&record);
    let (signature, expired) = (path(layout::file::signature()), path(layout::file::expired()));
    let (bytes, signature, expired) = join3(
        source.json(&record, Immutable),
        source.text(&signature, Immutable),
        source.optional_json(&expired, Revalidate),
    )
    .await;

    let expired = expired?.map(|bytes| Expired::parse(&bytes));
    let missing = match &expired {
        // A withdrawn version's record may itself hold what was withdrawn.
        Some(expired) => expired.error(id),
        None => FdlError::MissingVersion { id: id.clone(), url: url.clone() },
    };
    let bytes = bytes?.required(url.clone(), missing)?;
    let signature = signature.map(Found::optional);
    let record = match VersionRecord::parse(&url, id, &bytes) {
        // What was changed after it was signed is no record of a later edition.
        Err(FdlError::UnknownMajorVersion { .. }) if policy.finds_changed(&bytes, &signature).await => {
            let file = layout::file::record().to_string();
            return Err(FdlError::BrokenVersion { id: id.clone(), file });
        }
        record => record?,
    };
    let root = source.root.to_string();
    let verdict = Verdict::on_signature(policy, expected, root, &record, &bytes, signature).await;
    Ok((record, verdict, expired))
}
