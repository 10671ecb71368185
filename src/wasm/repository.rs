//! `Repository`, for JavaScript.

use std::rc::Rc;

use js_sys::{Function, Promise};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::history::History;
use super::plain;
use super::promise::promised;
use super::version::Version;
use crate::error::FdlError;
use crate::layout::{RefName, Root, VersionId};
use crate::record::Timestamp;
use crate::repository::{OnUntrusted, Options};
use crate::tips::{TipComparison, TipWarning};
use crate::transport::Http;
use crate::trust::{Policy, Principals, Revoked, TrustedSigners, ValidityTime};

/// A repository, opened.
#[wasm_bindgen]
pub struct Repository(Rc<crate::Repository<Http>>);

#[derive(Serialize)]
struct Refs<'a> {
    head: Option<RefName>,
    root: String,
    refs: Vec<RefEntry<'a>>,
}

#[derive(Serialize)]
struct RefEntry<'a> {
    name: &'a RefName,
    version: &'a VersionId,
}

/// `created`, `now`, or a time (RFC 3339). What is now is settled once, so that verdicts that are
/// looked at together are of one moment.
fn validity_time(time: Option<&str>) -> Result<ValidityTime, FdlError> {
    match time {
        None | Some("created") => Ok(ValidityTime::Created),
        Some("now") => {
            let seconds = (js_sys::Date::now() / 1000.0) as u64;
            Timestamp::from_unix(seconds).map(ValidityTime::Now).ok_or(invalid_time("now"))
        }
        Some(time) => Timestamp::parse(time).map(ValidityTime::Given).ok_or(invalid_time(time)),
    }
}

fn invalid_time(time: &str) -> FdlError {
    FdlError::InvalidTime { time: time.into() }
}

#[derive(Serialize)]
struct Compared<'a> {
    warning: Option<Warning<'a>>,
    remember: bool,
}

#[derive(Serialize)]
struct Warning<'a> {
    code: &'static str,
    message: String,
    facts: &'a TipWarning,
}

impl<'a> From<&'a TipWarning> for Warning<'a> {
    fn from(warning: &'a TipWarning) -> Warning<'a> {
        Warning { code: warning.code(), message: warning.to_string(), facts: warning }
    }
}

#[wasm_bindgen]
impl Repository {
    /// See `openRepository` in `www/reader/index.ts`.
    #[allow(clippy::too_many_arguments)] // the members of one options object
    #[wasm_bindgen(unchecked_return_type = "Promise<Repository>")]
    pub fn open(
        url: String,
        trusted_signers: Option<String>,
        revoked_keys: Option<Vec<u8>>,
        namespace: Option<String>,
        principal: Option<String>,
        time: Option<String>,
        hand_over_untrusted: bool,
        mirrors: Vec<String>,
        first: Option<String>,
        fetch: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Promise {
        promised(signal, async move {
            let mut policy = Policy {
                trusted_signers: match trusted_signers {
                    Some(text) => Some(TrustedSigners::parse(&text).await),
                    None => None,
                },
                revoked: Revoked::parse(&revoked_keys.unwrap_or_default()).await?,
                principal: principal.map(Principals::new),
                time: validity_time(time.as_deref())?,
                ..Policy::default()
            };
            if let Some(namespace) = namespace {
                policy.namespace = namespace;
            }
            let on_untrusted = if hand_over_untrusted { OnUntrusted::HandOver } else { OnUntrusted::Refuse };
            let mirrors = mirrors.iter().map(|url| Root::parse(url)).collect::<Result<_, _>>()?;
            let options = Options { policy, on_untrusted, mirrors, first, ..Options::default() };
            let opened = crate::Repository::open(Http { fetch }, Root::parse(&url)?, options);
            Ok(Repository(Rc::new(opened.await?)))
        })
    }

    /// The root.
    #[wasm_bindgen(getter)]
    pub fn url(&self) -> String {
        self.0.root().to_string()
    }

    /// The root that served fdl.json.
    #[wasm_bindgen(getter, js_name = servedBy)]
    pub fn served_by(&self) -> String {
        self.0.served_by().to_string()
    }

    /// fdl.json.
    #[wasm_bindgen(getter)]
    pub fn settings(&self) -> JsValue {
        plain(self.0.settings())
    }

    /// HEAD and every ref; those for the host's own use only where they are asked for.
    #[wasm_bindgen(unchecked_return_type = "Promise<unknown>")]
    pub fn refs(&self, requests: bool, signal: Option<AbortSignal>) -> Promise {
        let repository = self.0.clone();
        promised(signal, async move {
            let root = repository.refs_served_by().await?.to_string();
            let (head, refs) = (repository.head().await?, repository.refs().await?);
            let refs = refs
                .iter()
                .filter(|(name, _)| requests || !name.is_request())
                .map(|(name, version)| RefEntry { name, version })
                .collect();
            Ok(plain(&Refs { head, root, refs }))
        })
    }

    /// The version that a name points at.
    #[wasm_bindgen(unchecked_return_type = "Promise<Version>")]
    pub fn version(&self, name: Option<String>, signal: Option<AbortSignal>) -> Promise {
        let repository = self.0.clone();
        promised(signal, async move { Ok(Version::new(repository.version(name.as_deref()).await?)) })
    }

    /// The walk through the history behind a name.
    #[wasm_bindgen(unchecked_return_type = "Promise<History>")]
    pub fn history(&self, name: Option<String>, verdicts: bool, signal: Option<AbortSignal>) -> Promise {
        let repository = self.0.clone();
        promised(signal, async move {
            let name = name.as_deref();
            let history = match verdicts {
                true => repository.history_with_verdicts(name).await,
                false => repository.history(name).await,
            };
            history.map(History::new)
        })
    }

    /// The ref that a name leads to and the version that it holds.
    #[wasm_bindgen(unchecked_return_type = "Promise<unknown>")]
    pub fn follow(&self, name: Option<String>, signal: Option<AbortSignal>) -> Promise {
        let repository = self.0.clone();
        promised(signal, async move { Ok(plain(&repository.follow(name.as_deref()).await?)) })
    }

    /// Holds a version at a ref against the one that was seen there; what is no name of a ref or no
    /// version ID was not seen.
    #[wasm_bindgen(js_name = compareTip, unchecked_return_type = "Promise<unknown>")]
    pub fn compare_tip(
        &self,
        reference: String,
        found: String,
        seen: Option<String>,
        signal: Option<AbortSignal>,
    ) -> Promise {
        let repository = self.0.clone();
        promised(signal, async move {
            let reference = RefName::parse(&reference)?;
            let found = VersionId::parse(&found).ok_or(FdlError::UnknownRef { name: found })?;
            let seen = seen.as_deref().and_then(VersionId::parse);
            let TipComparison { warning, remember } =
                repository.compare_tip(&reference, &found, seen.as_ref()).await?;
            Ok(plain(&Compared { warning: warning.as_ref().map(Warning::from), remember }))
        })
    }

    /// Holds the repository's id against the one that was seen at this root: a warning, or `null`.
    #[wasm_bindgen(js_name = compareId)]
    pub fn compare_id(&self, seen: Option<String>) -> JsValue {
        plain(&self.0.compare_id(seen.as_deref()).as_ref().map(Warning::from))
    }
}
