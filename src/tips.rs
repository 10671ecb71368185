//! Whether a ref holds what may come after the version that it held when it was last seen.
//!
//! Refs are not signed: a host can show an older state that was once signed. A page that remembers
//! the tip of a ref can tell, if it asks. Where the page trusts someone, a record counts as a step
//! from child to parent only if a trusted signer signed it; otherwise a host could write one that
//! leads back to whatever was seen.

use serde::Serialize;

use crate::error::FdlError;
use crate::history::{AT_ONCE, Ancestor, Judge};
use crate::layout::{RefName, VersionId};
use crate::quoted::Quoted;
use crate::roots::Roots;
use crate::sorted::insert;
use crate::together;
use crate::transport::Transport;
use crate::trust::SignatureOutcome;

/// What a page that remembers is warned of.
///
/// Serialised, it is its facts beside its `code`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[allow(missing_docs)] // each sentence below says what its members are
pub enum TipWarning {
    #[error(
        "{reference} holds version {found}, which does not come after {seen}, the version that it held when it was last seen here. The host may be showing an older state. Accept it only if the publisher says that it was meant."
    )]
    RolledBack {
        #[serde(rename = "ref")]
        reference: RefName,
        seen: VersionId,
        found: VersionId,
    },
    #[error(
        "The tag {reference} holds version {found}; when it was last seen here it held {seen}. Tags are never moved: accept it only if the publisher says that it was meant."
    )]
    MovedTag {
        #[serde(rename = "ref")]
        reference: RefName,
        seen: VersionId,
        found: VersionId,
    },
    #[error(
        "{url} says that it is the repository {}; when it was last seen here it was {}. Accept it only if the publisher says that another repository is there now.", id(.found), id(.seen)
    )]
    ChangedId { url: String, seen: Option<String>, found: Option<String> },
    #[error(
        "Whether version {found}, which {reference} holds, comes after {seen}, the version that it held when it was last seen here, cannot be told: {}. Ask again later, or accept it if the publisher says that it does.", why(.reason, .version)
    )]
    CannotTell {
        #[serde(rename = "ref")]
        reference: RefName,
        seen: VersionId,
        found: VersionId,
        reason: Obstacle,
        /// The version at which the way ends.
        version: VersionId,
    },
}

impl TipWarning {
    /// The stable code, such as `rolled_back`.
    pub fn code(&self) -> &'static str {
        self.into()
    }
}

/// Why the way from a version to its ancestors ends too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// A record is missing.
    Missing,
    /// A record could not be fetched, or is broken.
    Unreadable,
    /// No trusted signer signed a record.
    Untrusted,
    /// More records would have to be read than the page allows.
    TooFar,
}

/// What came of holding a ref against what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TipComparison {
    /// What the page is warned of.
    pub warning: Option<TipWarning>,
    /// Whether the version that the ref holds may be remembered in place of the one that was seen.
    pub remember: bool,
}

impl TipComparison {
    fn warn(warning: TipWarning) -> TipComparison {
        TipComparison { warning: Some(warning), remember: false }
    }
}

/// Holds the version `found` at `reference` against the one that was `seen` there, if any was.
pub(crate) async fn compare<T: Transport>(
    roots: &Roots<T>,
    judge: &Judge,
    reference: &RefName,
    found: &VersionId,
    seen: Option<&VersionId>,
) -> Result<TipComparison, FdlError> {
    let (reference, found) = (reference.clone(), found.clone());
    match seen {
        Some(seen) if *seen == found => Ok(TipComparison { warning: None, remember: true }),
        Some(seen) if reference.is_tag() => {
            Ok(TipComparison::warn(TipWarning::MovedTag { reference, seen: seen.clone(), found }))
        }
        Some(seen) => {
            let seen = seen.clone();
            Ok(match way_back(roots, judge, &found, &seen).await? {
                WayBack::Leads => TipComparison { warning: None, remember: true },
                WayBack::LeadsElsewhere => {
                    TipComparison::warn(TipWarning::RolledBack { reference, seen, found })
                }
                WayBack::EndsAt(version, reason) => {
                    TipComparison::warn(TipWarning::CannotTell { reference, seen, found, reason, version })
                }
            })
        }
        // What nobody vouches for is no ground to warn of what comes later.
        None => {
            let remember = match judge.policy.trusted_signers {
                Some(_) => step(roots, judge, &found).await?.is_ok(),
                None => true,
            };
            Ok(TipComparison { warning: None, remember })
        }
    }
}

/// Where the parents of a version lead.
enum WayBack {
    Leads,
    LeadsElsewhere,
    EndsAt(VersionId, Obstacle),
}

/// Whether `seen` is an ancestor of `from`. Every line is followed to its end: what a record says of
/// its time and number does not tell which versions are behind it.
async fn way_back<T: Transport>(
    roots: &Roots<T>,
    judge: &Judge,
    from: &VersionId,
    seen: &VersionId,
) -> Result<WayBack, FdlError> {
    let mut met = vec![from.clone()];
    let mut unread = vec![from.clone()];
    let mut obstacle = None;
    let mut left = roots.limits.ancestors;
    while !unread.is_empty() {
        if left == 0 {
            obstacle = Some((unread.swap_remove(0), Obstacle::TooFar));
            break;
        }
        let at_once = unread.len().min(AT_ONCE).min(usize::try_from(left).unwrap_or(AT_ONCE));
        let next: Vec<VersionId> = unread.drain(..at_once).collect();
        left -= next.len() as u64;
        let steps = together::all(next.iter().map(|id| step(roots, judge, id))).await?;
        for (id, step) in next.into_iter().zip(steps) {
            match step {
                Ok(parents) if parents.contains(seen) => return Ok(WayBack::Leads),
                Ok(parents) => {
                    unread.extend(parents.into_iter().filter(|parent| insert(&mut met, parent.clone())))
                }
                Err(why) => obstacle = obstacle.or(Some((id, why))),
            }
        }
    }
    Ok(match obstacle {
        Some((id, why)) => WayBack::EndsAt(id, why),
        None => WayBack::LeadsElsewhere,
    })
}

/// The parents of a version, or why they do not count.
async fn step<T: Transport>(
    roots: &Roots<T>,
    judge: &Judge,
    id: &VersionId,
) -> Result<Result<Vec<VersionId>, Obstacle>, FdlError> {
    let ancestor = match Ancestor::read(roots, Some(judge), id).await {
        Ok(Some(ancestor)) => ancestor,
        Ok(None) => return Ok(Err(Obstacle::Missing)),
        Err(FdlError::Aborted) => return Err(FdlError::Aborted),
        Err(_) => return Ok(Err(Obstacle::Unreadable)),
    };
    let counts = match ancestor.verdict.map(|verdict| verdict.signature) {
        Some(SignatureOutcome::Trusted) => true,
        Some(SignatureOutcome::Bad) => false,
        _ => judge.policy.trusted_signers.is_none(),
    };
    Ok(if counts { Ok(ancestor.record.parents) } else { Err(Obstacle::Untrusted) })
}

fn id(id: &Option<String>) -> String {
    id.as_ref().map_or("without an id".into(), |id| Quoted(id).to_string())
}

fn why(reason: &Obstacle, version: &VersionId) -> String {
    match reason {
        Obstacle::Missing => format!("the record of {version} is missing"),
        Obstacle::Unreadable => format!("the record of {version} could not be read"),
        Obstacle::Untrusted => format!("no trusted signer signed the record of {version}"),
        Obstacle::TooFar => format!("too many versions lie between, and none behind {version} was read"),
    }
}
