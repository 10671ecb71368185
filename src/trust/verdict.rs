//! What verification came to: two questions, kept apart, and every check that was made.

use serde::Serialize;

use super::allowed_signers::{Demand, Found, Principals, SkippedLine, TrustedSigners};
use super::certificate::Certificate;
use super::key::PublicKey;
use super::problem::SignatureProblem;
use super::revoked::Revoked;
use super::sshsig::SshSig;
use crate::data::DataVerdict;
use crate::error::{FdlError, RootFailure};
use crate::layout::VersionId;
use crate::record::Timestamp;
use crate::record::expired::Expired;
use crate::record::version::VersionRecord;

/// Whom the page trusts, and for what.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The trusted signers; `None` where the page gives none, so that nobody vouches.
    pub trusted_signers: Option<TrustedSigners>,
    /// The namespace that signatures must have.
    pub namespace: String,
    /// By whom signatures must be: a name as `ssh-keygen -Y verify -I` takes it, or patterns; `None`
    /// for any trusted signer.
    pub principal: Option<Principals>,
    /// The keys that no longer count, whatever the time.
    pub revoked: Revoked,
    /// When keys must count.
    pub time: ValidityTime,
}

/// The time at which a key must count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ValidityTime {
    /// When the record says that it was made.
    #[default]
    Created,
    /// The moment at which the page asks.
    Now(Timestamp),
    /// A time that the page gives.
    Given(Timestamp),
}

/// Where the time of a verdict comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // as in ValidityTime
pub enum TimeIs {
    Created,
    Now,
    Given,
}

impl ValidityTime {
    fn of(&self, created_at: &Timestamp) -> (Timestamp, TimeIs) {
        match self {
            ValidityTime::Created => (created_at.clone(), TimeIs::Created),
            ValidityTime::Now(time) => (time.clone(), TimeIs::Now),
            ValidityTime::Given(time) => (time.clone(), TimeIs::Given),
        }
    }
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            trusted_signers: None,
            namespace: "fdl".into(),
            principal: None,
            revoked: Revoked::default(),
            time: ValidityTime::Created,
        }
    }
}

impl Policy {
    /// Whether anything but a signature by someone whom the page trusts is refused.
    pub(crate) fn demands_a_signer(&self) -> bool {
        self.trusted_signers.is_some() || self.principal.is_some()
    }

    /// Whether a record, whatever it says, is not the one that was signed.
    pub(crate) async fn finds_changed(
        &self,
        record: &[u8],
        signature: &Result<Option<Vec<u8>>, FdlError>,
    ) -> bool {
        let Ok(Some(armored)) = signature else { return false };
        let Ok(sshsig) = SshSig::parse(armored) else { return false };
        sshsig.verify(record, &self.namespace).await == Err(SignatureProblem::BadSignature)
    }
}

/// Do the bytes match what the record says?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Integrity {
    /// Every file that was read is the one that the record names.
    Intact,
    /// At least one is not.
    Broken,
    /// At least one could not be checked.
    Unchecked,
}

/// Did someone whom the page trusts sign the record?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SignatureOutcome {
    /// A trusted signer did.
    Trusted,
    /// The signature is good, but not by a trusted signer.
    Untrusted,
    /// There is no signature.
    Unsigned,
    /// The signature does not fit the record.
    Bad,
    /// The signature could not be fetched, or its algorithm is not known.
    Unchecked,
}

/// What verification came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The version.
    pub id: VersionId,
    /// The root that served its record and the signature on it.
    pub root: String,
    /// Do the bytes match what the record says?
    pub integrity: Integrity,
    /// Did someone whom the page trusts sign the record?
    pub signature: SignatureOutcome,
    /// The key that the signature names; `None` where no signature could be read.
    pub signer: Option<Signer>,
    /// Who wrote the record.
    pub author: RecordAuthor,
    /// Every check, in the order made.
    pub checks: Vec<Check>,
    /// The files that the checks reach: the record by its signature, the others by the record.
    pub covers: Vec<String>,
    /// The lines of the trusted signers that cannot be read, and so do not count.
    pub skipped_lines: Vec<SkippedLine>,
    /// What verifying the data files came to; `None` where that was not asked for.
    pub data: Option<DataVerdict>,
}

/// The key that a signature names, and the line of the trusted signers that has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Signer {
    /// The principals of that line; of a certificate, those names that the line admits.
    pub principal: Option<String>,
    /// Such as `ssh-ed25519`.
    pub key_type: String,
    /// `SHA256:…`
    pub fingerprint: String,
    /// What the signature says that it is for.
    pub namespace: String,
    /// The number of that line, from 1.
    pub line: Option<usize>,
    /// The time at which the key must count.
    pub time: Timestamp,
    /// Where that time comes from.
    pub time_is: TimeIs,
    /// The principals for whom fdl.json lists the key. That never makes it trusted.
    pub listed_as: Option<String>,
    /// The certificate that the key comes in.
    pub certificate: Option<SignerCertificate>,
}

/// What the certificate of a signer's key says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // as in Certificate
pub struct SignerCertificate {
    pub key_id: String,
    /// In decimal digits: it may be larger than JavaScript's numbers are exact.
    pub serial: String,
    pub principals: Vec<String>,
    /// `None` where it counted always.
    pub valid_after: Option<Timestamp>,
    /// From when on it no longer counts; `None` where it counts for ever.
    pub valid_before: Option<Timestamp>,
    /// The fingerprint of the authority's key.
    pub authority: String,
}

impl SignerCertificate {
    fn of(certificate: &Certificate) -> SignerCertificate {
        SignerCertificate {
            key_id: certificate.key_id.clone(),
            serial: certificate.serial.to_string(),
            principals: certificate.principals.clone(),
            valid_after: Some(certificate.valid_after)
                .filter(|time| *time > 0)
                .and_then(Timestamp::from_unix),
            valid_before: Timestamp::from_unix(certificate.valid_before),
            authority: certificate.authority.fingerprint(),
        }
    }
}

/// Who wrote the record, as it says itself, beside who signed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordAuthor {
    /// The name.
    pub name: Option<String>,
    /// The address.
    pub email: Option<String>,
    /// Whether the trusted signer goes by that name or address; `None` where there is no address to
    /// compare, and the name is not the signer's. Someone may well sign what another wrote, so this decides nothing.
    pub is_signer: Option<bool>,
}

/// One check of one file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// The file, such as `dataset.json`.
    pub file: String,
    /// What came out.
    pub outcome: Outcome,
    /// The root that served it; `None` where nothing was served.
    pub root: Option<String>,
    /// Why it did not pass, or what else is to be said of it.
    pub code: Option<&'static str>,
    /// The same in a sentence.
    pub message: Option<String>,
    /// The same as facts, from which another language can word the sentence.
    pub facts: Option<Finding>,
    /// The other roots that were asked, and why it was not read from them.
    pub passed_over: Vec<PassedOver>,
}

/// A root that was asked for a file, and why the file was not read from it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassedOver {
    /// The root.
    pub root: String,
    /// What was wrong.
    pub code: &'static str,
    /// The same in a sentence.
    pub message: String,
    /// The same as facts.
    pub facts: Option<Finding>,
}

impl PassedOver {
    fn new(root: String, finding: Finding) -> PassedOver {
        PassedOver { root, code: finding.code(), message: finding.message(), facts: finding.facts() }
    }
}

impl From<RootFailure> for PassedOver {
    fn from(RootFailure { root, error }: RootFailure) -> PassedOver {
        PassedOver::new(root, Finding::Error(error))
    }
}

/// Where a file came from.
#[derive(Debug, Default)]
pub(crate) struct ServedBy {
    pub(crate) root: Option<String>,
    pub(crate) passed_over: Vec<PassedOver>,
}

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// As it must be.
    Passed,
    /// Not as it must be.
    Failed,
    /// Could not be checked.
    Unchecked,
    /// There is nothing to check.
    Absent,
}

impl Outcome {
    /// What it means for a file that must be there that this stood in the way.
    pub(crate) fn of(error: &FdlError) -> Outcome {
        match error.at_first_root() {
            FdlError::MissingFile { .. } | FdlError::HtmlInstead { .. } => Outcome::Failed,
            error if error.is_broken_content() => Outcome::Failed,
            _ => Outcome::Unchecked,
        }
    }
}

/// Why a check did not pass, as facts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Finding {
    /// The file could not be had, or is not the one that the record names.
    Error(FdlError),
    /// The signature does not make the version trusted.
    Signature(SignatureProblem),
    /// There is nothing more to say than the code.
    #[serde(skip)]
    Code(&'static str, &'static str),
}

/// The check of the signature bears this name.
const SIGNATURE: &str = "version.json.sig";
const NOT_READ_YET: Finding = Finding::Code("not_read_yet", "It is checked when it is read.");
const NOT_IN_RECORD: Finding =
    Finding::Code("not_in_record", "The record does not name this file, so nothing covers it.");
const UNSIGNED: Finding = Finding::Code("unsigned", "The version is not signed.");

impl Finding {
    fn code(&self) -> &'static str {
        match self {
            Finding::Error(error) => error.code(),
            Finding::Signature(problem) => problem.code(),
            Finding::Code(code, _) => code,
        }
    }

    fn message(&self) -> String {
        match self {
            Finding::Error(error) => error.to_string(),
            Finding::Signature(problem) => problem.to_string(),
            Finding::Code(_, message) => (*message).into(),
        }
    }

    fn facts(self) -> Option<Finding> {
        Some(self).filter(|finding| !matches!(finding, Finding::Code(..)))
    }
}

impl Verdict {
    /// The verdict on a record's signature; the files that the record names come after it. `bytes` are
    /// the record's, `expected` the signers that fdl.json lists; `signature` is version.json.sig, from
    /// the same `root`: `None` where there is none.
    pub(crate) async fn on_signature(
        policy: &Policy,
        expected: &TrustedSigners,
        root: String,
        record: &VersionRecord,
        bytes: &[u8],
        signature: Result<Option<Vec<u8>>, FdlError>,
    ) -> Verdict {
        let mut verdict = Verdict {
            id: record.id.clone(),
            root,
            integrity: Integrity::Unchecked,
            signature: SignatureOutcome::Unchecked,
            signer: None,
            author: RecordAuthor {
                name: record.author.name.clone(),
                email: record.author.email.clone(),
                is_signer: None,
            },
            checks: Vec::new(),
            covers: Vec::new(),
            skipped_lines: policy.trusted_signers.iter().flat_map(TrustedSigners::skipped_lines).collect(),
            data: None,
        };
        match signature {
            Err(error) => {
                let finding = Some(Finding::Error(error));
                verdict.add(SIGNATURE, Outcome::Unchecked, finding, ServedBy::default());
            }
            Ok(None) => {
                verdict.signature = SignatureOutcome::Unsigned;
                verdict.add(SIGNATURE, Outcome::Absent, Some(UNSIGNED), ServedBy::default());
            }
            Ok(Some(armored)) => {
                let result = verdict.judge(policy, expected, &record.created_at, bytes, &armored).await;
                verdict.signed(result);
            }
        }
        verdict
    }

    /// Checks the signature, and then whether its key is trusted. Sets `signer` on the way.
    async fn judge(
        &mut self,
        policy: &Policy,
        expected: &TrustedSigners,
        created_at: &Timestamp,
        record: &[u8],
        armored: &[u8],
    ) -> Result<(), SignatureProblem> {
        let sshsig = SshSig::parse(armored)?;
        let (time, time_is) = policy.time.of(created_at);
        let demand =
            Demand { namespace: &policy.namespace, time: time.unix(), principal: policy.principal.as_ref() };
        let key = &sshsig.key;
        let mut signer = Signer {
            principal: None,
            key_type: key.key_type.clone(),
            fingerprint: key.fingerprint(),
            namespace: String::from_utf8_lossy(&sshsig.namespace).into_owned(),
            line: None,
            time,
            time_is,
            listed_as: expected.find(key, &demand).ok().map(|found| found.principals),
            certificate: key.certificate.as_deref().map(SignerCertificate::of),
        };
        let checked = sshsig
            .verify(record, &policy.namespace)
            .await
            .and_then(|()| policy.revoked.check(key))
            .and_then(|()| self.find(policy, key, &demand, &mut signer));
        self.signer = Some(signer);
        checked
    }

    /// Whether a key that made a good signature is trusted. Notes in `signer` who it is.
    fn find(
        &mut self,
        policy: &Policy,
        key: &PublicKey,
        demand: &Demand,
        signer: &mut Signer,
    ) -> Result<(), SignatureProblem> {
        let fingerprint = || key.fingerprint();
        let Some(trusted) = &policy.trusted_signers else {
            return Err(SignatureProblem::NoTrustedSigners { fingerprint: fingerprint() });
        };
        let Found { number, line, principals, answer } =
            trusted.find(key, demand).map_err(|unknown| match signer.listed_as.clone() {
                Some(listed_as) => SignatureProblem::ListedKey { fingerprint: fingerprint(), listed_as },
                None => unknown,
            })?;
        signer.principal = Some(principals);
        signer.line = Some(number);
        answer?;
        let RecordAuthor { name, email, .. } = &self.author;
        let is = |name: &Option<String>| name.as_ref().map(|name| line.may_be(key, name));
        // Principals are addresses as a rule, so a name that is none of them says nothing.
        self.author.is_signer = match (is(name), is(email)) {
            (Some(true), _) => Some(true),
            (_, by_email) => by_email,
        };
        Ok(())
    }

    fn signed(&mut self, result: Result<(), SignatureProblem>) {
        use SignatureProblem::*;
        self.signature = match &result {
            Ok(()) => SignatureOutcome::Trusted,
            Err(MalformedSignature { .. } | BadSignature | CertificateBadAuthoritySignature) => {
                SignatureOutcome::Bad
            }
            Err(UnsupportedAlgorithm { .. }) => SignatureOutcome::Unchecked,
            Err(
                WeakKey { .. }
                | WrongNamespace { .. }
                | UnknownKey { .. }
                | NoTrustedSigners { .. }
                | NamespaceNotAllowed { .. }
                | NotYetValid { .. }
                | ExpiredKey { .. }
                | ListedKey { .. }
                | Revoked { .. }
                | PrincipalNotAllowed { .. }
                | CertificateNotForUsers
                | CertificateNotYetValid
                | CertificateExpired
                | CertificateWithoutPrincipals,
            ) => SignatureOutcome::Untrusted,
        };
        // A good signature reaches the record's bytes, whoever made it.
        if matches!(self.signature, SignatureOutcome::Trusted | SignatureOutcome::Untrusted) {
            self.covers.push("version.json".into());
        }
        let outcome = match &result {
            Ok(()) => Outcome::Passed,
            Err(UnsupportedAlgorithm { .. } | NoTrustedSigners { .. }) => Outcome::Unchecked,
            Err(_) => Outcome::Failed,
        };
        let served_by = ServedBy { root: Some(self.root.clone()), passed_over: Vec::new() };
        self.add(SIGNATURE, outcome, result.err().map(Finding::Signature), served_by);
    }

    /// Whether the page would rather have another root's record and signature. Where it trusts no
    /// one, versions need not be signed.
    pub(crate) fn wants_a_better_signature(&self, policy: &Policy) -> bool {
        match self.signature {
            SignatureOutcome::Trusted => false,
            _ if policy.trusted_signers.is_some() => true,
            SignatureOutcome::Bad => true,
            SignatureOutcome::Unchecked => matches!(self.checks[0].facts, Some(Finding::Error(_))),
            SignatureOutcome::Untrusted | SignatureOutcome::Unsigned => false,
        }
    }

    /// Only a good signature is better than another root's.
    pub(crate) fn signature_rank(&self) -> u8 {
        match self.signature {
            SignatureOutcome::Trusted => 2,
            SignatureOutcome::Untrusted => 1,
            _ => 0,
        }
    }

    /// Why the record and the signature are not read from this root, and from those before it.
    pub(crate) fn into_passed_over(self) -> impl Iterator<Item = PassedOver> {
        let root = self.root;
        self.checks.into_iter().filter(|check| check.file == SIGNATURE).flat_map(move |check| {
            let why = check.code.zip(check.message).map(|(code, message)| PassedOver {
                root: root.clone(),
                code,
                message,
                facts: check.facts,
            });
            why.into_iter().chain(check.passed_over)
        })
    }

    /// Notes the roots whose record and signature were not used.
    pub(crate) fn passed_over_for_the_record(&mut self, roots: impl IntoIterator<Item = PassedOver>) {
        if let Some(check) = self.checks.iter_mut().find(|check| check.file == SIGNATURE) {
            check.passed_over.extend(roots);
        }
    }

    /// Notes a file that is checked when it is read.
    pub(crate) fn not_read_yet(&mut self, file: &str) {
        self.add(file, Outcome::Unchecked, Some(NOT_READ_YET), ServedBy::default());
    }

    /// Notes the catalog before it is read. One past retention never will be.
    pub(crate) fn on_catalog_not_read(&mut self, catalog: &str, expired: Option<&Expired>) {
        match expired.map(|expired| expired.error(&self.id)) {
            Some(gone) => self.on_file(catalog, Err(gone), ServedBy::default()),
            None => self.not_read_yet(catalog),
        }
    }

    /// Notes a file that is there and that the record does not name.
    pub(crate) fn not_in_record(&mut self, file: &str, root: String) {
        let served_by = ServedBy { root: Some(root), passed_over: Vec::new() };
        self.add(file, Outcome::Unchecked, Some(NOT_IN_RECORD), served_by);
    }

    /// Notes that a file is the one that the record names, and cannot be made sense of.
    pub(crate) fn not_understood(&mut self, file: &str, error: FdlError) {
        if let Some(check) = self.checks.iter_mut().find(|check| check.file == file) {
            let finding = Finding::Error(error);
            check.code = Some(finding.code());
            check.message = Some(finding.message());
            check.facts = finding.facts();
        }
    }

    /// Notes what came of reading a file that the record names, in place of what stood there.
    pub(crate) fn on_file(&mut self, file: &str, result: Result<(), FdlError>, served_by: ServedBy) {
        self.checks.retain(|check| check.file != file);
        self.covers.retain(|covered| covered != file);
        let outcome = match &result {
            Ok(()) => {
                self.covers.push(file.into());
                Outcome::Passed
            }
            Err(error) => Outcome::of(error),
        };
        self.add(file, outcome, result.err().map(Finding::Error), served_by);
    }

    /// Notes what verifying the data files came to, in place of what it came to before.
    pub(crate) fn on_data(&mut self, data: DataVerdict) {
        self.covers.retain(|covered| !covered.ends_with(')'));
        let reached = [("data", data.verified - data.verified_sources), ("source", data.verified_sources)];
        for (kind, files) in reached.into_iter().filter(|(_, files)| *files > 0) {
            self.covers.push(format!("{kind} files ({files})"));
        }
        self.data = Some(data);
        self.integrity = self.integrity();
    }

    fn add(&mut self, file: &str, outcome: Outcome, finding: Option<Finding>, served_by: ServedBy) {
        let ServedBy { root, passed_over } = served_by;
        self.checks.push(Check {
            file: file.into(),
            outcome,
            root,
            code: finding.as_ref().map(Finding::code),
            message: finding.as_ref().map(Finding::message),
            facts: finding.and_then(Finding::facts),
            passed_over,
        });
        self.integrity = self.integrity();
    }

    fn integrity(&self) -> Integrity {
        let later = [NOT_READ_YET.code(), NOT_IN_RECORD.code()];
        if self.data.as_ref().is_some_and(|data| data.failed > 0) {
            return Integrity::Broken;
        }
        let mut compared = false;
        let mut unchecked = self.data.as_ref().is_some_and(DataVerdict::is_unchecked);
        for check in self.checks.iter().filter(|check| check.file != SIGNATURE) {
            match check.outcome {
                Outcome::Failed => return Integrity::Broken,
                Outcome::Passed => compared = true,
                Outcome::Unchecked => unchecked |= !check.code.is_some_and(|code| later.contains(&code)),
                Outcome::Absent => {}
            }
        }
        if compared && !unchecked { Integrity::Intact } else { Integrity::Unchecked }
    }

    /// Why the signature does not make the version trusted; `None` where it does.
    pub(crate) fn signature_code(&self) -> Option<&'static str> {
        self.checks.iter().find(|check| check.file == "version.json.sig").and_then(|check| check.code)
    }

    /// Why a file could not be checked, the catalog apart: it is checked when it is handed over.
    pub(crate) fn unchecked(&self, catalog: &str) -> Option<&FdlError> {
        let files = [SIGNATURE, catalog];
        let mut others = self.checks.iter().filter(|check| !files.contains(&check.file.as_str()));
        others.find(|check| check.outcome == Outcome::Unchecked).and_then(|check| match &check.facts {
            Some(Finding::Error(error)) => Some(error),
            _ => None,
        })
    }

    /// The first file that is not the one that the record names, the catalog apart.
    pub(crate) fn broken_file(&self, catalog: &str) -> Option<&str> {
        self.checks
            .iter()
            .filter(|check| ![SIGNATURE, catalog].contains(&check.file.as_str()))
            .find(|check| check.outcome == Outcome::Failed)
            .map(|check| check.file.as_str())
            .or_else(|| self.data.as_ref()?.broken_file())
    }
}
