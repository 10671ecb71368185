//! Whole cases put together at random, each from a seed of its own: keys, certificates, armors,
//! namespaces, lists, options, principals, times and revoked keys, and one byte changed somewhere.
//!
//! `cargo test` judges a few hundred. As many as one likes:
//!
//! ```sh
//! FDL_TRUST_CASES=10000 FDL_TRUST_SEED=1 cargo test --test trust seeded
//! ```
//!
//! With FDL_TRUST_CASES_FILE they are written down with what came out, a JSON line each: what pages load
//! lets the browser check ECDSA and RSA, so `tests/command/trust.test.mjs` judges them by that again.
//!
//! Keys, and with them signatures, are new in each run: one that fails leaves its case in a file,
//! from which it is judged again.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};

use fdl_reader::FdlError;
use fdl_reader::trust::{SignatureOutcome, Verdict};

use crate::agreement::{Case, Difference, MADE_AT, Moment};
use crate::by_hand::{HandKey, Noted};
use crate::chance::Chance;
use crate::parts::{armored, blob};
use crate::reader;
use crate::ssh_keygen::{self, ALICE, KEYS, Key, MALLORY, krl};

/// Who there is: each of them may be named by a list, a certificate or the page. One goes by the name
/// of `*`, as far as a certificate knows.
const NAMES: [&str; 6] = ["alice", "bob", "carol", "a b", "alice@example.org", "*"];

const TIMES: [Moment; 4] = [
    ("2026-10-15T08:59:59Z", "20261015085959Z"),
    MADE_AT,
    ("2026-10-15T18:00:01.5+09:00", "20261015090001Z"),
    ("2026-10-16T00:00:00Z", "20261016Z"),
];

/// One who signs.
enum Maker {
    Key(&'static Key),
    Device(Box<HandKey>),
}

impl Maker {
    fn public(&self) -> String {
        match self {
            Maker::Key(key) => key.public.clone(),
            Maker::Device(device) => device.public(),
        }
    }
}

/// A certificate of a maker's key, by an authority.
struct Certified {
    maker: usize,
    public: String,
    authority: &'static Key,
}

/// What is to be signed: by which maker, made when, for which namespace, over which hash.
type Order = (usize, Moment, &'static str, &'static str);

/// All that cases are put together from, made once.
struct World {
    makers: Vec<Maker>,
    certificates: Vec<Certified>,
    krls: Vec<Vec<u8>>,
    signatures: Mutex<HashMap<Order, Vec<u8>>>,
}

static WEAK: LazyLock<Option<Key>> =
    LazyLock::new(|| cfg!(feature = "rsa").then(|| Key::of(ssh_keygen::Kind::Rsa("1024"))));

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let mut chance = Chance::seeded(3);
    let mut makers: Vec<Maker> = KEYS.iter().chain([&*MALLORY]).map(Maker::Key).collect();
    makers.push(Maker::Device(HandKey::ed25519(1).in_device("ssh:").into()));
    if cfg!(feature = "ecdsa") {
        makers.push(Maker::Device(HandKey::p256(1).in_device("ssh:").into()));
    }
    makers.extend(WEAK.iter().map(Maker::Key));
    let certificates = (0..8 * makers.len()).map(|at| certificate(at % makers.len(), &makers, &mut chance));
    let certificates: Vec<Certified> = certificates.collect();
    let keys = || makers.iter().map(Maker::public).chain(authorities().map(|key| key.public.clone()));
    let keys: Vec<String> = keys().collect();
    let krls = (0..40).map(|_| random_krl(&keys, &mut chance)).collect();
    World { makers, certificates, krls, signatures: Mutex::default() }
});

fn authorities() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().chain([&*ALICE])
}

fn certificate(maker: usize, makers: &[Maker], chance: &mut Chance) -> Certified {
    let authorities: Vec<&Key> = authorities().collect();
    let authority = chance.of(&authorities);
    let names = chance.of(&["alice", "alice", "alice,bob", "carol", "*", "alice@example.org,carol", ""]);
    let validity = chance.of(&[
        "always:forever",
        "always:forever",
        "20261015090000Z:20261016Z",
        "20261001Z:20261015090000Z",
        "20261015085959Z:20261015090001Z",
        "20270101Z:20280101Z",
    ]);
    let (serial, id) = (chance.of(&["0", "1", "7", "1000"]), chance.of(&["id", "laptop"]));
    let mut options = vec!["-V", validity, "-z", serial, "-I", id];
    if !names.is_empty() {
        options.extend(["-n", names]);
    }
    if chance.once_in(8) {
        options.push("-h");
    } else if chance.once_in(8) {
        options.extend(["-O", "force-command=/bin/false"]);
    }
    let public = ssh_keygen::certificate_of(&makers[maker].public(), authority, &options);
    Certified { maker, public, authority }
}

fn random_krl(keys: &[String], chance: &mut Chance) -> Vec<u8> {
    let lines: Vec<String> = (0..chance.below(4))
        .map(|_| {
            let key = &keys[chance.below(keys.len())];
            match chance.below(6) {
                0 => format!("key: {key}"),
                1 => format!("sha1: {key}"),
                2 => format!("sha256: {key}"),
                3 => format!(
                    "serial: {}",
                    chance.of(&["1", "7", "5-9", "1-100000", "3\nserial: 5\nserial: 7"])
                ),
                4 => format!("id: {}", chance.of(&["id", "laptop", "desk"])),
                _ => format!("hash: {}", ssh_keygen::fingerprint(key)),
            }
        })
        .collect();
    let authorities: Vec<&Key> = authorities().collect();
    let authority = chance.of(&authorities);
    krl(&lines.join("\n"), Some(authority).filter(|_| !chance.once_in(3)))
}

impl World {
    fn signature(&self, maker: usize, at: Moment, namespace: &'static str, hash: &'static str) -> Vec<u8> {
        let key = (maker, at, namespace, hash);
        if let Some(signature) = self.signatures.lock().unwrap().get(&key) {
            return signature.clone();
        }
        let record = reader::record(at.0);
        let signature = match &self.makers[maker] {
            Maker::Key(key) => key.sign(&record, namespace, hash),
            Maker::Device(device) => {
                device.sign(&record, namespace, hash, Noted { flags: maker as u8, counter: 7 }).armor()
            }
        };
        self.signatures.lock().unwrap().insert(key, signature.clone());
        signature
    }
}

/// A line of trusted signers, often one that is about the signature.
fn line(chance: &mut Chance, about: &About) -> String {
    let principals = [
        "alice",
        "alice",
        "*",
        "alice,bob",
        "bob",
        "\"a b\"",
        "*@example.org",
        "carol",
        "alice,!bob",
        "!alice",
        "*,!alice",
        "b?*,!b*?",
        ",alice",
    ];
    let options = [
        "",
        "",
        "",
        "namespaces=\"fdl\"",
        "namespaces=\"git,weather\"",
        "namespaces=\"*,!git\"",
        "valid-after=\"20261015090000Z\"",
        "valid-after=\"20261016Z\"",
        "valid-before=\"202610150900\"",
        "valid-before=\"20261014UTC\"",
        "namespaces=\"f?l\",valid-after=\"20260101Z\",valid-before=\"20270101Z\"",
        "no-such",
        "namespaces=\"fdl\",",
    ];
    if chance.once_in(12) {
        return chance.of(&["", "# comment", "\t", "alice", "#", "\r", "\"alice"]).to_string();
    }
    let other = &WORLD.makers[chance.below(WORLD.makers.len())].public();
    let keys = [
        &about.key,
        &about.key,
        &about.maker,
        about.authority.as_ref().unwrap_or(&about.key),
        other,
        "ssh-ed25519 AAAA",
        "ssh-rsa",
    ];
    let (mut option, mut key) = (chance.of(&options).to_owned(), chance.of(&keys));
    let is_authority = match &about.authority {
        Some(authority) if !chance.once_in(3) => {
            key = authority;
            !chance.once_in(6)
        }
        _ => chance.once_in(10),
    };
    if is_authority {
        let name = chance.of(&["cert-authority", "cert-authority", "Cert-Authority"]);
        option = if option.is_empty() { name.into() } else { format!("{name},{option}") };
    }
    let gap = chance.of(&[" ", "\t", "  "]);
    let comment = chance.of(&["", "", " Alice", " # c", "\t", "\r"]);
    let space = if option.is_empty() { "" } else { " " };
    format!("{}{gap}{option}{space}{key}{comment}", chance.of(&principals))
}

/// Whom a signature is by.
struct About {
    /// What it names: a key or a certificate.
    key: String,
    maker: String,
    authority: Option<String>,
}

fn list(chance: &mut Chance, about: &About) -> String {
    let ending = chance.of(&["\n", "\n", "\r\n"]);
    let lines: Vec<String> = (0..1 + chance.below(4)).map(|_| line(chance, about)).collect();
    lines.join(ending)
}

/// Keys that the page no longer trusts, seldom one that matters.
fn revoked(chance: &mut Chance, about: &About) -> Vec<u8> {
    if chance.once_in(2) {
        return WORLD.krls[chance.below(WORLD.krls.len())].clone();
    }
    let lines: Vec<String> = (0..chance.below(4))
        .map(|_| {
            let other = WORLD.makers[chance.below(WORLD.makers.len())].public();
            let matters = [&about.key, &about.maker, about.authority.as_ref().unwrap_or(&about.key)];
            match chance.below(12) {
                0 => chance.of(&matters).clone(),
                1 => "# lost".into(),
                2 => String::new(),
                3 if chance.once_in(3) => "lost".into(),
                4 => format!(" {other} lost"),
                _ => other,
            }
        })
        .collect();
    lines.join("\n").into()
}

fn armor(armor: &str, chance: &mut Chance) -> String {
    match chance.below(10) {
        0 => armor.replace('\n', "\r\n"),
        1 => format!("{armor}Signed.\n"),
        2 => armor.trim_end().into(),
        3 => armor.replace('\n', " \n").replacen(" \n", "\n", 1),
        4 => {
            let width = chance.of(&[1, 4, 63, 76, 100_000]);
            let lines: Vec<&str> = armor.lines().collect();
            let base64: Vec<char> = lines[1..lines.len() - 1].concat().chars().collect();
            let body: Vec<String> = base64.chunks(width).map(|line| line.iter().collect()).collect();
            format!("{}\n{}\n{}\n", lines[0], body.join("\n"), lines[lines.len() - 1])
        }
        _ => armor.into(),
    }
}

/// One bit of it changed, so that text stays text.
fn flipped(bytes: &[u8], chance: &mut Chance, bits: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = chance.below(bytes.len());
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << chance.below(bits);
    }
    bytes
}

/// The case of a seed.
fn case(seed: u64) -> Case {
    let chance = &mut Chance::seeded(seed);
    let world = &*WORLD;
    let (at, hash) = (chance.of(&TIMES), chance.of(&["sha256", "sha512"]));
    let namespace = chance.of(&["fdl", "fdl", "fdl", "fdl", "git", "weather"]);
    let (maker, certified) = match chance.once_in(2) {
        true => (chance.below(world.makers.len()), None),
        false => {
            let certified = &world.certificates[chance.below(world.certificates.len())];
            (certified.maker, Some(certified))
        }
    };
    let maker_public = world.makers[maker].public();
    let about = About {
        key: certified.map_or(&maker_public, |certified| &certified.public).clone(),
        authority: certified.map(|certified| certified.authority.public.clone()),
        maker: maker_public,
    };
    let mut case = Case::of(at.1, reader::record(at.0), world.signature(maker, at, namespace, hash));
    if let Some(certified) = certified {
        case = case.certified(&certified.public);
    }
    case = case.list(&list(chance, &about)).by_one_of(&NAMES);
    case.namespace = if chance.once_in(8) { "fdl" } else { namespace };
    if chance.once_in(3) {
        case = match chance.of(&[
            "alice",
            "alice",
            "bob",
            "a b",
            "alice@example.org",
            "al*",
            "*@example.org",
            "*",
        ]) {
            pattern @ ("al*" | "*@example.org" | "*") => {
                let taken = NAMES.iter().filter(|name| match pattern {
                    "al*" => name.starts_with("al"),
                    "*@example.org" => name.ends_with("@example.org"),
                    _ => true,
                });
                let case = case.by_one_of(&taken.collect::<Vec<_>>());
                Case { demanded: Some(pattern.into()), ..case }
            }
            name => case.by(name),
        };
    }
    if chance.once_in(4) {
        case = case.at(chance.of(&TIMES));
    }
    if chance.once_in(3) {
        case.revoked = Some(revoked(chance, &about));
    }
    if chance.once_in(10) {
        case.signature = armored(&flipped(&blob(&case.signature), chance, 8));
    }
    case = case.armored(|whole| armor(whole, chance));
    match chance.below(10) {
        1 => case.signature = flipped(&case.signature, chance, 7),
        2 => case.list = String::from_utf8(flipped(case.list.as_bytes(), chance, 7)).unwrap(),
        3 => case.record = flipped(&case.record, chance, 7),
        4 => case.revoked = case.revoked.map(|revoked| flipped(&revoked, chance, 8)),
        _ => {}
    }
    // A list that was changed may name someone else.
    if case.demanded.is_none() {
        case.principals.extend(named_in(&case.list).filter(|name| !NAMES.contains(&name.as_str())));
    }
    case
}

/// The names that stand in a list, and for each pattern one that it matches.
fn named_in(list: &str) -> impl Iterator<Item = String> {
    let word = |line: &str| match line.trim_start().strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
        None => line.split_whitespace().next().unwrap_or_default().to_owned(),
    };
    let words: Vec<String> = list.lines().map(word).collect();
    let names = words.iter().flat_map(|word| word.split(','));
    let names: Vec<String> = names.map(|name| name.replace(['*', '"'], "").replace('?', "x")).collect();
    names.into_iter().filter(|name| !name.is_empty() && !name.contains(['!', '\0']))
}

/// Why ssh-keygen trusts and this reader does not.
fn difference(case: &Case, verdict: &Result<Verdict, FdlError>) -> Difference {
    let verdict = match verdict {
        Ok(verdict) => verdict,
        Err(FdlError::InvalidRevokedKeys { .. }) => return Difference::NotUtf8,
        Err(error) => panic!("{error} {case}"),
    };
    let is_loose = |reason: &str| reason.contains("is not a time");
    match verdict.checks[0].code {
        #[cfg(feature = "rsa")]
        Some("weak_key") => Difference::WeakRsa,
        Some("malformed_signature") if said(verdict).contains("its version is 0") => Difference::Version0,
        _ if by_a_name(case) => Difference::AnyoneIsNoOne,
        _ if verdict.skipped_lines.iter().any(|line| is_loose(&line.reason)) => Difference::LooseTime,
        code => panic!("trusted by ssh-keygen alone: {code:?}, {:?}, {case}", verdict.skipped_lines),
    }
}

/// Whether the page would trust, had it demanded one of those by name whom its pattern takes.
fn by_a_name(case: &Case) -> bool {
    let is_pattern = case.demanded.as_ref().is_some_and(|name| name.contains('*'));
    let trusts = |name: &String| case.clone().by(name).verdict().is_ok_and(|verdict| is_trusted(&verdict));
    is_pattern && case.principals.iter().any(trusts)
}

fn is_trusted(verdict: &Verdict) -> bool {
    verdict.signature == SignatureOutcome::Trusted
}

fn said(verdict: &Verdict) -> &str {
    verdict.checks[0].message.as_deref().unwrap_or_default()
}

/// Judges a case; what came of it.
fn judge(case: &Case) -> String {
    let (verdict, theirs) = case.judge_or_refuse();
    if theirs && !verdict.as_ref().is_ok_and(is_trusted) {
        return format!("difference: {:?}", difference(case, &verdict));
    }
    match verdict {
        Ok(verdict) => {
            let outcome: &'static str = verdict.signature.into();
            format!("{outcome}: {}", verdict.checks[0].code.unwrap_or("yes"))
        }
        Err(error) => format!("not opened: {}", error.code()),
    }
}

const FAILED: &str = "FAILED";

/// Leaves a case that failed in a file.
fn left(case: &Case, seed: u64) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("seed-{seed}.json"));
    fs::write(&path, serde_json::to_vec(case).unwrap()).unwrap();
    let command = format!("FDL_TRUST_CASE={} cargo test --test trust seeded", path.display());
    say(&format!("The case of seed {seed} fails. Judge it again: {command}\n"));
    FAILED.into()
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a whole number"))
}

#[test]
fn a_case_that_was_left_is_judged_again() {
    let case = case(1);
    let path = std::env::var_os("FDL_TRUST_CASE").map_or_else(
        || {
            let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("case.json");
            fs::write(&path, serde_json::to_vec(&case).unwrap()).unwrap();
            path
        },
        PathBuf::from,
    );
    let text = fs::read_to_string(path).unwrap().leak();
    let left: Case = serde_json::from_str(text).unwrap();
    let came = judge(&left);
    say(&format!("{came}\n"));
    assert!(std::env::var_os("FDL_TRUST_CASE").is_some() || came == judge(&case));
}

#[test]
fn whatever_is_put_together_this_reader_trusts_nobody_whom_ssh_keygen_does_not() {
    let (first, cases) = (number("FDL_TRUST_SEED", 1), number("FDL_TRUST_CASES", 300));
    let next = AtomicU64::new(first);
    let counts = Mutex::new(BTreeMap::<String, u64>::new());
    let file =
        std::env::var_os("FDL_TRUST_CASES_FILE").map(|path| Mutex::new(fs::File::create(path).unwrap()));
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + cases {
                        return;
                    }
                    let case = case(seed);
                    let came = catch_unwind(|| judge(&case)).unwrap_or_else(|_| left(&case, seed));
                    *counts.lock().unwrap().entry(came).or_default() += 1;
                    if let Some(file) = &file {
                        writeln!(file.lock().unwrap(), "{}", written(&case)).unwrap();
                    }
                }
            });
        }
    });
    let counts = counts.into_inner().unwrap();
    let lines: String = counts.iter().map(|(came, count)| format!("{count:8} {came}\n")).collect();
    say(&format!("{cases} cases:\n{lines}"));
    assert!(!counts.contains_key(FAILED), "see above");
    let share = |start: &str| {
        let counted = counts.iter().filter(|(came, _)| came.starts_with(start));
        counted.map(|(_, count)| count * 100).sum::<u64>() / cases
    };
    assert!(cases < 100 || share("trusted") > 10 && share("untrusted") > 10 && share("bad") > 5, "one-sided");
}

/// A case, and what this reader says of its signature.
fn written(case: &Case) -> serde_json::Value {
    let came = match case.verdict() {
        Ok(Verdict { signature, checks, .. }) => serde_json::json!([signature, checks[0].code]),
        Err(error) => serde_json::json!(["refused", error.code()]),
    };
    serde_json::json!({ "case": case, "came": came })
}

/// Past the capture, so that the counts are seen.
fn say(text: &str) {
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}
