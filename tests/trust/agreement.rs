//! One case, judged by this reader and by ssh-keygen.

use base64ct::{Base64, Encoding};
use fdl_reader::FdlError;
use fdl_reader::record::Timestamp;
use fdl_reader::trust::{
    Policy, Principals, Revoked, SignatureOutcome, TrustedSigners, ValidityTime, Verdict,
};
use pollster::block_on;
use serde::{Deserialize, Serialize};

use crate::by_hand::{HandKey, Noted};
use crate::parts::Parts;
use crate::reader;
use crate::ssh_keygen::{self, ALICE, BOB, Key, Question};

/// When the record of a case was made, as the record and as ssh-keygen write it.
pub const MADE_AT: Moment = ("2026-10-15T09:00:00Z", "20261015090000Z");

/// Where ssh-keygen trusts and this reader does not, on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A time without `Z` is read as UTC: a browser has no server's time zone.
    TimeZone,
    /// A time is digits of a day that the calendar has: ssh-keygen takes 30 February for 2 March, 60
    /// for a second, and a blank for a digit.
    LooseTime,
    /// A build without ECDSA or RSA does not check them.
    UncheckedAlgorithm,
    /// RSA keys of less than 2,048 bits count for nothing here; ssh-keygen takes 1,024.
    #[cfg(feature = "rsa")]
    WeakRsa,
    /// A number in the signature that is not reduced (RFC 8032, 5.1.7) makes another signature of
    /// one that was made, and is refused.
    Malleability,
    /// SHA-1 is broken: an RSA signature over it, such as an authority's, is not checked.
    #[cfg(feature = "rsa")]
    Sha1,
    /// Where a line has a key for anyone, it may be for someone whom the page's pattern does not take.
    AnyoneIsNoOne,
    /// The empty name is nobody's.
    EmptyName,
    /// Text with a NUL is no text: ssh-keygen lets one stand at the very end.
    LastNul,
    /// Text is UTF-8: ssh-keygen takes any bytes for names.
    NotUtf8,
    /// A list of revoked keys that is signed is not read: nobody says by whom it must be.
    SignedKrl,
    /// A signature of version 0 is none: PROTOCOL.sshsig knows version 1.
    Version0,
}

/// A signed record, and what a page trusts and demands.
#[derive(Clone, Serialize, Deserialize)]
pub struct Case {
    pub list: String,
    pub record: Vec<u8>,
    pub signature: Vec<u8>,
    /// By whose names ssh-keygen may trust the signature.
    pub principals: Vec<String>,
    /// By whom this reader is told that it must be; `None` for anyone on the list.
    pub demanded: Option<String>,
    pub revoked: Option<Vec<u8>>,
    pub namespace: &'static str,
    pub made_at: &'static str,
    /// When keys must count, where that is not when the record was made.
    pub time: Option<Moment>,
    pub time_zone: &'static str,
}

/// A time as the record and as ssh-keygen write it.
pub type Moment = (&'static str, &'static str);

impl Case {
    /// A record signed by Alice, whom the page trusts.
    pub fn new() -> Case {
        Case::signed(&ALICE, "fdl", "sha512")
    }

    /// The same, signed by another key, for another namespace or over another hash.
    pub fn signed(by: &Key, namespace: &str, hash: &str) -> Case {
        Case::made(MADE_AT, by, namespace, hash)
    }

    /// The same, made at another time.
    pub fn made(at: Moment, by: &Key, namespace: &str, hash: &str) -> Case {
        let record = reader::record(at.0);
        let signature = by.sign(&record, namespace, hash);
        Case::of(at.1, record, signature)
    }

    /// The same, signed by a key whose signatures are made here.
    pub fn by_hand(by: &HandKey, noted: Noted) -> Case {
        let record = reader::record(MADE_AT.0);
        let signature = by.sign(&record, "fdl", "sha512", noted).armor();
        Case::of(MADE_AT.1, record, signature)
    }

    pub fn of(made_at: &'static str, record: Vec<u8>, signature: Vec<u8>) -> Case {
        let case = Case {
            list: String::new(),
            record,
            signature,
            principals: vec!["alice".into()],
            demanded: None,
            revoked: None,
            namespace: "fdl",
            made_at,
            time: None,
            time_zone: "UTC",
        };
        case.list("alice ALICE")
    }

    /// With another list, in which ALICE and BOB stand for their keys.
    pub fn list(self, list: &str) -> Case {
        Case { list: list.replace("ALICE", &ALICE.public).replace("BOB", &BOB.public), ..self }
    }

    /// With revoked keys, in which ALICE and BOB stand for theirs.
    pub fn revoked(self, list: &str) -> Case {
        let list = list.replace("ALICE", &ALICE.public).replace("BOB", &BOB.public);
        Case { revoked: Some(list.into()), ..self }
    }

    /// By one who goes by one of these names.
    pub fn by_one_of<T: ToString>(self, principals: &[T]) -> Case {
        Case { principals: principals.iter().map(T::to_string).collect(), ..self }
    }

    /// By the one who goes by this name, and by nobody else.
    pub fn by(self, principal: &str) -> Case {
        Case { demanded: Some(principal.into()), ..self.by_one_of(&[principal]) }
    }

    /// At another time than that of the record.
    pub fn at(self, time: Moment) -> Case {
        Case { time: Some(time), ..self }
    }

    /// With another armor around the signature.
    pub fn armored(self, change: impl FnOnce(&str) -> String) -> Case {
        let armor = String::from_utf8(self.signature).unwrap();
        Case { signature: change(&armor).into_bytes(), ..self }
    }

    /// With some parts of the signature changed.
    pub fn parts(self, change: impl FnOnce(&mut Parts)) -> Case {
        let mut parts = Parts::of(&self.signature);
        change(&mut parts);
        Case { signature: parts.armor(), ..self }
    }

    /// With a certificate, as a line has it, of the key that signed: what is signed has no key in it.
    pub fn certified(self, certificate: &str) -> Case {
        let blob = Base64::decode_vec(certificate.split(' ').nth(1).unwrap()).unwrap();
        self.parts(|parts| parts.key = blob)
    }

    /// With the record of another case, and a signature put together by hand.
    pub fn with(self, whole: &Case, parts: &Parts) -> Case {
        Case { record: whole.record.clone(), signature: parts.armor(), ..self }
    }

    /// The verdict of this reader; an error where the revoked keys are no list, or the record is none.
    pub fn verdict(&self) -> Result<Verdict, FdlError> {
        let policy = Policy {
            trusted_signers: Some(block_on(TrustedSigners::parse(&self.list))),
            namespace: self.namespace.into(),
            principal: self.demanded.clone().map(Principals::new),
            revoked: block_on(Revoked::parse(self.revoked.as_deref().unwrap_or_default()))?,
            time: self.time.map_or(ValidityTime::Created, |(time, _)| {
                ValidityTime::Given(Timestamp::parse(time).unwrap())
            }),
        };
        reader::verdict(&self.record, &self.signature, policy)
    }

    /// The verdict of this reader, and whether ssh-keygen trusts.
    pub fn judge(&self) -> (Verdict, bool) {
        let (verdict, theirs) = self.judge_or_refuse();
        (verdict.unwrap_or_else(|error| panic!("{error} {self}")), theirs)
    }

    /// The same, where there may be no verdict.
    pub fn judge_or_refuse(&self) -> (Result<Verdict, FdlError>, bool) {
        let verdict = self.verdict();
        // Until version 9.2 ssh-keygen reads CRLF everywhere but behind the header.
        let header = b"-----BEGIN SSH SIGNATURE-----";
        let signature = &match self.signature.strip_prefix(header).and_then(|rest| rest.strip_prefix(b"\r\n"))
        {
            Some(rest) => [header, &b"\n"[..], rest].concat(),
            None => self.signature.clone(),
        };
        let principals: Vec<&str> = self.principals.iter().map(String::as_str).collect();
        let theirs = ssh_keygen::trusts(Question {
            list: self.list.as_bytes(),
            principals: &principals,
            revoked: self.revoked.as_deref(),
            signature,
            message: &self.record,
            namespace: self.namespace,
            time: self.time.map_or(self.made_at, |(_, time)| time),
            time_zone: self.time_zone,
        });
        let Ok(verdict) = verdict else { return (verdict, theirs) };
        // One for another namespace is good there, and trusted nowhere else.
        let own = verdict.signer.as_ref().map_or(self.namespace, |signer| signer.namespace.as_str());
        let good = theirs || !own.contains('\0') && ssh_keygen::is_good(signature, &self.record, own);
        let ours = verdict.signature;
        assert!(theirs || ours != SignatureOutcome::Trusted, "trusted here alone: {self}");
        assert!(good || ours != SignatureOutcome::Untrusted, "good here alone: {self}");
        assert!(!good || ours != SignatureOutcome::Unsigned, "a signature is there: {self}");
        (Ok(verdict), theirs)
    }

    /// Both trust, or neither does.
    pub fn agrees(&self) -> bool {
        let (verdict, theirs) = self.judge();
        assert_eq!(verdict.signature == SignatureOutcome::Trusted, theirs, "{:?} of {self}", verdict.checks);
        theirs
    }

    /// Neither trusts, and this is why.
    pub fn agrees_that_not(&self, code: &str) {
        let (verdict, theirs) = self.judge();
        assert_eq!((verdict.checks[0].code, theirs), (Some(code), false), "{self}");
    }

    /// Only ssh-keygen trusts.
    pub fn differs(&self, by: Difference) -> Verdict {
        let (verdict, theirs) = self.judge();
        assert!(theirs && verdict.signature != SignatureOutcome::Trusted, "{by:?} is no difference: {self}");
        verdict
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let signature = String::from_utf8_lossy(&self.signature);
        write!(f, "list {:?}\nsignature {signature:?}\nnamespace {:?}", self.list, self.namespace)?;
        let revoked = self.revoked.as_deref().map(String::from_utf8_lossy);
        write!(f, "\nby {:?}, of {:?}, at {:?}", self.demanded, self.principals, self.time)?;
        write!(f, "\nrevoked {revoked:?}")
    }
}

/// Each list trusts Alice's signature, or does not, and ssh-keygen says the same.
pub fn lists_agree(lists: &[(&str, bool)]) {
    lists_agree_on(&["alice"], lists);
}

/// The same, where the lists may trust her by one of several names.
pub fn lists_agree_on(principals: &[&str], lists: &[(&str, bool)]) {
    let mut case = Case::new().by_one_of(principals);
    for (list, trusted) in lists {
        case = case.list(list);
        assert_eq!(case.agrees(), *trusted, "{list:?}");
    }
    println!("{} lists, ssh-keygen agrees on each", lists.len());
}
