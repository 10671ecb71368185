//! The page's list of trusted signers, in the form of an allowed_signers file.
//!
//! Source: ssh-keygen(1), "ALLOWED SIGNERS". A line is `principals [options] keytype base64
//! [comment]`; a line that cannot be read is skipped and reported, and the rest still counts.
//! Times without `Z` are read as UTC: a browser has no server's time zone.

use serde::Serialize;

use super::algorithm;
use super::base64;
pub use super::key::PublicKey;
use super::key::type_of;
pub use super::patterns::PatternList as Principals;
use super::patterns::PatternList;
use super::problem::SignatureProblem;
use crate::quoted::Quoted;
use crate::record::calendar;

/// The blanks of a line. Others, such as U+00A0, are part of a word.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// The keys that the page trusts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrustedSigners {
    /// The lines that count, by their number from 1.
    pub lines: Vec<(usize, Line)>,
    /// The lines that do not, and why.
    pub skipped: Vec<(usize, LineProblem)>,
}

impl TrustedSigners {
    /// Reads a list. This never fails: what cannot be read is in `skipped`.
    pub async fn parse(text: &str) -> TrustedSigners {
        let mut signers = TrustedSigners::default();
        for (index, line) in text.split('\n').enumerate() {
            // A line ends at a NUL, as for all C.
            let line = line.split('\0').next().unwrap_or_default().trim_start_matches(BLANKS);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match Line::parse(line) {
                Ok(line) if algorithm::is_damaged(&line.key).await => {
                    signers.skipped.push((index + 1, LineProblem::DamagedKey));
                }
                Ok(line) => signers.lines.push((index + 1, line)),
                Err(problem) => signers.skipped.push((index + 1, problem)),
            }
        }
        signers
    }

    /// The lines that do not count, and why, for people.
    pub fn skipped_lines(&self) -> Vec<SkippedLine> {
        let told =
            |(line, problem): &(usize, LineProblem)| SkippedLine { line: *line, reason: problem.to_string() };
        self.skipped.iter().map(told).collect()
    }

    /// The first line that trusts `key` as it is demanded; where none does, the last line that has
    /// the key, and why it does not count.
    ///
    /// # Errors
    /// [`SignatureProblem::UnknownKey`] where no line has the key, nor that of the authority that signed
    /// its certificate.
    pub fn find(&self, key: &PublicKey, demand: &Demand) -> Result<Found<'_>, SignatureProblem> {
        let mut last = Err(SignatureProblem::UnknownKey { fingerprint: key.fingerprint() });
        for (number, line) in &self.lines {
            if !line.is_about(key) {
                continue;
            }
            let answer = line.admits(*number, key, demand);
            let counts = answer.is_ok();
            let principals = match line.names_of(key) {
                Some(names) => {
                    names.filter(|name| line.principals.admits(name)).collect::<Vec<_>>().join(", ")
                }
                None => line.principals.to_string(),
            };
            last = Ok(Found { number: *number, line, principals, answer });
            if counts {
                break;
            }
        }
        last
    }
}

/// A line of the trusted signers that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedLine {
    /// Its number, from 1.
    pub line: usize,
    /// Why, as the end of a sentence.
    pub reason: String,
}

/// What a signature is looked at for.
#[derive(Clone, Copy, Debug)]
pub struct Demand<'a> {
    /// The namespace that it has.
    pub namespace: &'a str,
    /// When its key must count, in seconds since 1970.
    pub time: i64,
    /// By whom it must be; `None` for anyone on the list.
    pub principal: Option<&'a Principals>,
}

/// A line that has a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// The line.
    pub line: &'a Line,
    /// By whom the signature is then: the line's principals, or those names of the key's certificate
    /// that they admit.
    pub principals: String,
    /// Why the line does not count, where it does not.
    pub answer: Result<(), SignatureProblem>,
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Whom the key belongs to.
    pub principals: Principals,
    /// Whether the key signs certificates instead of versions.
    pub cert_authority: bool,
    /// For which namespaces the key counts; `None` for all.
    pub namespaces: Option<PatternList>,
    /// From when on the key counts, in seconds since 1970.
    pub valid_after: Option<i64>,
    /// Until when the key counts, in seconds since 1970.
    pub valid_before: Option<i64>,
    /// The key.
    pub key: PublicKey,
    /// What stands after the key.
    pub comment: String,
}

impl Line {
    /// Reads one line that is neither blank nor a comment. Its key may still be damaged.
    ///
    /// # Errors
    /// [`LineProblem`]
    pub fn parse(line: &str) -> Result<Line, LineProblem> {
        let (principals, rest) =
            quotable_word(line.trim_matches(BLANKS)).ok_or(LineProblem::UnclosedQuote)?;
        let principals = Principals::new(principals);
        if !principals.can_admit() {
            return Err(LineProblem::NoPrincipal);
        }
        let mut options = Options::default();
        let (key, comment) = match key_and_comment(rest) {
            Ok(found) => found,
            Err(no_key) => {
                let (text, rest) = options_word(rest).ok_or(LineProblem::UnclosedQuote)?;
                // Without a key behind them they are no options, but a key that is wrong.
                let found = key_and_comment(rest).map_err(|behind| match behind {
                    LineProblem::NoKey => no_key,
                    other => other,
                })?;
                options = Options::parse(text)?;
                found
            }
        };
        Ok(Line {
            principals,
            cert_authority: options.cert_authority,
            namespaces: options.namespaces,
            valid_after: options.valid_after,
            valid_before: options.valid_before,
            key,
            comment: comment.into(),
        })
    }

    /// Such as `ssh-ed25519`.
    pub fn key_type(&self) -> String {
        self.key.key_type.clone()
    }

    /// `SHA256:…`
    pub fn fingerprint(&self) -> String {
        self.key.fingerprint()
    }

    /// Whether the line is about this key: an authority's about the certificates that it signed,
    /// never about its own key.
    fn is_about(&self, key: &PublicKey) -> bool {
        match &key.certificate {
            Some(certificate) if self.cert_authority => certificate.authority.blob == self.key.blob,
            _ => !self.cert_authority && self.key == *key,
        }
    }

    /// The names that the certificate of a key gives it, where the line is about the certificate's
    /// authority. They are names, even those that look like patterns.
    fn names_of<'a>(&self, key: &'a PublicKey) -> Option<impl Iterator<Item = &'a str>> {
        let certificate = key.certificate.as_ref().filter(|_| self.cert_authority)?;
        Some(certificate.principals.iter().map(String::as_str))
    }

    /// Whether `name` may be the one who signed with the key.
    pub fn may_be(&self, key: &PublicKey, name: &str) -> bool {
        self.principals.admits(name)
            && self.names_of(key).is_none_or(|mut names| names.any(|certified| certified == name))
    }

    fn admits(&self, line: usize, key: &PublicKey, demand: &Demand) -> Result<(), SignatureProblem> {
        if let Some(certificate) = key.certificate.as_ref().filter(|_| self.cert_authority) {
            certificate.counts_at(demand.time)?;
        }
        let is_one = match (self.names_of(key), demand.principal) {
            (Some(mut names), demanded) => names.any(|name| {
                self.principals.admits(name) && demanded.is_none_or(|demanded| demanded.admits(name))
            }),
            (None, Some(demanded)) => self.principals.is_within(demanded),
            (None, None) => true, // a line that admits nobody is not read
        };
        // A page that asks for nobody gets nobody.
        if !is_one || demand.principal.is_some_and(|demanded| !demanded.can_admit()) {
            return Err(SignatureProblem::PrincipalNotAllowed {
                line,
                listed: self.principals.to_string(),
                demanded: demand.principal.map(ToString::to_string),
            });
        }
        if let Some(namespaces) = &self.namespaces
            && !namespaces.admits(demand.namespace)
        {
            return Err(SignatureProblem::NamespaceNotAllowed {
                line,
                namespace: demand.namespace.into(),
                allowed: namespaces.to_string(),
            });
        }
        // As for ssh-keygen, time begins after 1970 has: what claims to be older counts for nothing.
        if demand.time <= 0 || self.valid_after.is_some_and(|after| demand.time < after) {
            return Err(SignatureProblem::NotYetValid { line });
        }
        if self.valid_before.is_some_and(|before| demand.time > before) {
            return Err(SignatureProblem::ExpiredKey { line });
        }
        Ok(())
    }
}

/// Why a line does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum LineProblem {
    #[error("a quote is not closed")]
    UnclosedQuote,
    #[error("it names no principal")]
    NoPrincipal,
    #[error("it has no key")]
    NoKey,
    #[error("the key type {} is not known", Quoted(.0))]
    UnknownKeyType(String),
    #[error("its key is damaged")]
    DamagedKey,
    #[error("the option {} is not known", Quoted(.0))]
    UnknownOption(String),
    #[error("the option {} is given twice", Quoted(.0))]
    RepeatedOption(&'static str),
    #[error("the options end in a comma")]
    TrailingComma,
    #[error("the value of {} is not in quotes", Quoted(.0))]
    UnquotedValue(&'static str),
    #[error("{} is not a time such as 20261015 or 20261015090000Z", Quoted(.0))]
    InvalidTime(String),
    #[error("valid-before is not later than valid-after")]
    EmptyValidity,
}

/// The first word, which may hold one part in double quotes: `"a b" rest`, `a"b c" rest`. The
/// closing quote ends the word.
fn quotable_word(text: &str) -> Option<(String, &str)> {
    let end = text.find(|c| c == '"' || BLANKS.contains(&c)).unwrap_or(text.len());
    let (before, rest) = text.split_at(end);
    match rest.strip_prefix('"') {
        Some(quoted) => {
            let (quoted, rest) = quoted.split_once('"')?;
            Some((format!("{before}{quoted}"), rest.trim_start_matches(BLANKS)))
        }
        None => Some((before.into(), rest.trim_start_matches(BLANKS))),
    }
}

/// The word of options: up to a blank outside quotes, `\"` being no quote. `None` where a quote is
/// not closed.
fn options_word(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let mut before = None;
    for (at, c) in text.char_indices() {
        match c {
            '"' if before != Some('\\') => quoted = !quoted,
            ' ' | '\t' if !quoted => return Some((&text[..at], text[at..].trim_start_matches([' ', '\t']))),
            _ => {}
        }
        before = Some(c);
    }
    (!quoted).then_some((text, ""))
}

fn key_and_comment(text: &str) -> Result<(PublicKey, &str), LineProblem> {
    let (key_type, rest) = word(text);
    let (base64, comment) = word(rest);
    if key_type.is_empty() || base64.is_empty() {
        return Err(LineProblem::NoKey);
    }
    if type_of(key_type).is_none() {
        return Err(LineProblem::UnknownKeyType(key_type.into()));
    }
    let key = base64::decode(base64.as_bytes()).and_then(|blob| PublicKey::read(&blob).ok());
    let key = key.filter(|key| key.is_named(key_type)).ok_or(LineProblem::DamagedKey)?;
    Ok((key, comment))
}

pub(super) fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_at(text.find([' ', '\t']).unwrap_or(text.len()));
    (word, rest.trim_start_matches([' ', '\t']))
}

#[derive(Default)]
struct Options {
    cert_authority: bool,
    namespaces: Option<PatternList>,
    valid_after: Option<i64>,
    valid_before: Option<i64>,
}

impl Options {
    fn parse(text: &str) -> Result<Options, LineProblem> {
        let mut options = Options::default();
        let mut rest = text;
        loop {
            rest = options.take(rest)?;
            match rest.strip_prefix(',') {
                Some("") => return Err(LineProblem::TrailingComma),
                Some(next) => rest = next,
                None if rest.is_empty() => break,
                None => return Err(LineProblem::UnknownOption(rest.into())),
            }
        }
        match (options.valid_after, options.valid_before) {
            (Some(after), Some(before)) if before <= after => Err(LineProblem::EmptyValidity),
            _ => Ok(options),
        }
    }

    /// Takes one option off the front of `text`; it may be empty.
    fn take<'a>(&mut self, text: &'a str) -> Result<&'a str, LineProblem> {
        if text.starts_with(',') {
            return Ok(text);
        }
        if let Some(rest) = strip_prefix_in_any_case(text, "cert-authority") {
            self.cert_authority = true;
            return Ok(rest);
        }
        for name in ["namespaces", "valid-after", "valid-before"] {
            let Some(rest) = strip_prefix_in_any_case(text, name).and_then(|rest| rest.strip_prefix('='))
            else {
                continue;
            };
            let (value, rest) = quoted_value(rest).ok_or(LineProblem::UnquotedValue(name))?;
            let repeated = match name {
                "namespaces" => self.namespaces.replace(PatternList::new(value)).is_some(),
                "valid-after" => self.valid_after.replace(seconds(&value)?).is_some(),
                _ => self.valid_before.replace(seconds(&value)?).is_some(),
            };
            return if repeated { Err(LineProblem::RepeatedOption(name)) } else { Ok(rest) };
        }
        Err(LineProblem::UnknownOption(text.into()))
    }
}

fn strip_prefix_in_any_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// `"value"` with `\"` for a quote; the value and what follows it.
fn quoted_value(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?;
    let mut value = String::new();
    loop {
        if let Some(after) = rest.strip_prefix("\\\"") {
            value.push('"');
            rest = after;
            continue;
        }
        let c = rest.chars().next()?;
        rest = &rest[c.len_utf8()..];
        if c == '"' {
            return Some((value, rest));
        }
        value.push(c);
    }
}

/// `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, with or without `Z` or `UTC` in any case, as
/// seconds since 1970. What is not later counts as no time, as in OpenSSH.
fn seconds(text: &str) -> Result<i64, LineProblem> {
    let read = || {
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let zone = &text[digits.len()..];
        if !["", "Z", "UTC"].iter().any(|known| known.eq_ignore_ascii_case(zone)) {
            return None;
        }
        if !matches!(digits.len(), 8 | 12 | 14) || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        // A time that is not written is midnight, or the first second.
        let part = |from| digits.as_bytes().get(from..from + 2).map_or(Some(0), calendar::number);
        let date = [part(0)? * 100 + part(2)?, part(4)?, part(6)?];
        calendar::seconds(date, [part(8)?, part(10)?, part(12)?]).filter(|seconds| *seconds > 0)
    };
    read().ok_or_else(|| LineProblem::InvalidTime(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From OpenSSH's regress/unittests/sshkey/testdata/ed25519_1.pub.
    const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFOG6kY7Rf4UtCFvPwKgo/BztXck2xC4a2WyA34XtIwZ";

    fn list_of(text: &str) -> TrustedSigners {
        pollster::block_on(TrustedSigners::parse(text))
    }

    fn line(text: &str) -> Result<Line, LineProblem> {
        Line::parse(&text.replace("KEY", KEY))
    }

    #[test]
    fn blank_lines_and_comments_are_passed_over_and_damaged_lines_are_reported() {
        let list = list_of(&format!(
            "# who may sign\n\n  \t\nalice@example.org {KEY} laptop\r\n  # more\nbob ssh-ed25519 AAAA\nbob\n*@example.org {KEY}"
        ));
        assert_eq!(list.lines.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [4, 8]);
        assert_eq!(list.lines[0].1.comment, "laptop");
        assert_eq!(list.skipped, [(6, LineProblem::DamagedKey), (7, LineProblem::NoKey)]);
    }

    #[test]
    fn principals_may_be_quoted() {
        assert_eq!(line("\"a b,c\" KEY").unwrap().principals.to_string(), "a b,c");
        assert_eq!(line("a\"b c\" KEY").unwrap().principals.to_string(), "ab c");
        assert_eq!(line("\"a b KEY").unwrap_err(), LineProblem::UnclosedQuote);
        assert_eq!(line("!a,!b KEY").unwrap_err(), LineProblem::NoPrincipal);
    }

    #[test]
    fn options_are_read_in_any_case_and_with_quoted_values() {
        let read = line(r#"a NameSpaces="x y,\"z",VALID-AFTER="20260101",valid-before="20270101Z",Cert-Authority KEY c d"#).unwrap();
        assert!(read.cert_authority);
        assert!(read.namespaces.unwrap().admits("x y"));
        assert_eq!(read.valid_after, Some(1_767_225_600));
        assert_eq!(read.comment, "c d");
    }

    #[test]
    fn a_line_with_a_wrong_option_does_not_count() {
        for (options, problem) in [
            ("no-such", LineProblem::UnknownOption("no-such".into())),
            ("cert-authority,", LineProblem::TrailingComma),
            ("cert-authorityx", LineProblem::UnknownOption("x".into())),
            ("namespaces=x", LineProblem::UnquotedValue("namespaces")),
            ("namespaces=\"a\",namespaces=\"b\"", LineProblem::RepeatedOption("namespaces")),
            ("valid-after=\"1970\"", LineProblem::InvalidTime("1970".into())),
            ("valid-after=\"19700101\"", LineProblem::InvalidTime("19700101".into())),
            ("valid-after=\"19691231\"", LineProblem::InvalidTime("19691231".into())),
            ("valid-after=\"20260230\"", LineProblem::InvalidTime("20260230".into())),
            ("valid-after=\"20270101\",valid-before=\"20260101\"", LineProblem::EmptyValidity),
        ] {
            assert_eq!(line(&format!("a {options} KEY")).unwrap_err(), problem, "{options}");
        }
    }

    #[test]
    fn a_key_counts_for_its_namespaces_and_within_its_validity_ends_included() {
        let list = |options: &str| list_of(&format!("a {options} {KEY}"));
        let key = line("a KEY").unwrap().key;
        let code = |options: &str, time: i64| {
            let demand = Demand { namespace: "fdl", time, principal: None };
            match list(options).find(&key, &demand) {
                Ok(Found { number: 1, answer: Ok(_), .. }) => "trusted",
                Ok(Found { answer: Err(problem), .. }) | Err(problem) => problem.code(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(code("namespaces=\"fdl,git\"", 1), "trusted");
        assert_eq!(code("namespaces=\"git\"", 1), "namespace_not_allowed");
        let validity = "valid-after=\"20260101000010Z\",valid-before=\"20260101000020Z\"";
        let start = 1_767_225_600;
        assert_eq!(code(validity, start + 9), "not_yet_valid");
        assert_eq!(code(validity, start + 10), "trusted");
        assert_eq!(code(validity, start + 20), "trusted");
        assert_eq!(code(validity, start + 21), "expired_key");
        assert_eq!(code("cert-authority", 1), "unknown_key");
    }
}
