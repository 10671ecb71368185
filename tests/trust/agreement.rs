//! One case, judged by this reader and by ssh-keygen.

use fdl_reader::trust::{SignatureOutcome, Verdict};

use crate::framing::Parts;
use crate::reader;
use crate::ssh_keygen::{self, ALICE, BOB, Key};

/// When the record of a case was made, as the record and as ssh-keygen write it.
pub const MADE_AT: (&str, &str) = ("2026-10-15T09:00:00Z", "20261015090000Z");

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
    /// A signature of version 0 is none: PROTOCOL.sshsig knows version 1.
    Version0,
}

/// A signed record and the list of a page.
pub struct Case {
    pub list: String,
    pub record: Vec<u8>,
    pub signature: Vec<u8>,
    /// By whose names ssh-keygen may trust the signature. This reader asks for no name.
    pub principals: &'static [&'static str],
    pub namespace: &'static str,
    pub made_at: &'static str,
    pub time_zone: &'static str,
}

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
    pub fn made(at: (&str, &'static str), by: &Key, namespace: &str, hash: &str) -> Case {
        let record = reader::record(at.0);
        let signature = by.sign(&record, namespace, hash);
        let case = Case {
            list: String::new(),
            record,
            signature,
            principals: &["alice"],
            namespace: "fdl",
            made_at: at.1,
            time_zone: "UTC",
        };
        case.list("alice ALICE")
    }

    /// With another list, in which ALICE and BOB stand for their keys.
    pub fn list(self, list: &str) -> Case {
        Case { list: list.replace("ALICE", &ALICE.public).replace("BOB", &BOB.public), ..self }
    }

    /// With another armor around the signature.
    pub fn armored(self, change: impl FnOnce(&str) -> String) -> Case {
        let armor = String::from_utf8(self.signature).unwrap();
        Case { signature: change(&armor).into_bytes(), ..self }
    }

    /// With the record of another case, and a signature put together by hand.
    pub fn with(self, whole: &Case, parts: &Parts) -> Case {
        Case { record: whole.record.clone(), signature: parts.armor().into_bytes(), ..self }
    }

    /// The verdict of this reader, and whether ssh-keygen trusts.
    pub fn judge(&self) -> (Verdict, bool) {
        let Case { list, record, signature, principals, namespace, made_at, time_zone } = self;
        let verdict = reader::verdict(list, signature, record, namespace);
        // Until version 9.2 ssh-keygen reads CRLF everywhere but behind the header.
        let header = b"-----BEGIN SSH SIGNATURE-----";
        let signature = &match signature.strip_prefix(header).and_then(|rest| rest.strip_prefix(b"\r\n")) {
            Some(rest) => [header, &b"\n"[..], rest].concat(),
            None => signature.clone(),
        };
        let theirs =
            ssh_keygen::trusts(list.as_bytes(), principals, signature, record, namespace, made_at, time_zone);
        // One for another namespace is good there, and trusted nowhere else.
        let own = verdict.signer.as_ref().map_or(*namespace, |signer| signer.namespace.as_str());
        let good = theirs || !own.contains('\0') && ssh_keygen::is_good(signature, record, own);
        let ours = verdict.signature;
        assert!(theirs || ours != SignatureOutcome::Trusted, "trusted here alone: {self}");
        assert!(good || ours != SignatureOutcome::Untrusted, "good here alone: {self}");
        assert!(!good || ours != SignatureOutcome::Unsigned, "a signature is there: {self}");
        (verdict, theirs)
    }

    /// Both trust, or neither does.
    pub fn agrees(&self) -> bool {
        let (verdict, theirs) = self.judge();
        assert_eq!(verdict.signature == SignatureOutcome::Trusted, theirs, "{:?} of {self}", verdict.checks);
        theirs
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
        write!(f, "list {:?}\nsignature {signature:?}\nnamespace {:?}", self.list, self.namespace)
    }
}

/// Each list trusts Alice's signature, or does not, and ssh-keygen says the same.
pub fn lists_agree(lists: &[(&str, bool)]) {
    lists_agree_on(&["alice"], lists);
}

/// The same, where the lists may trust her by one of several names.
pub fn lists_agree_on(principals: &'static [&'static str], lists: &[(&str, bool)]) {
    let mut case = Case { principals, ..Case::new() };
    for (list, trusted) in lists {
        case = case.list(list);
        assert_eq!(case.agrees(), *trusted, "{list:?}");
    }
    println!("{} lists, ssh-keygen agrees on each", lists.len());
}
