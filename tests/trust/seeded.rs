//! Lists, namespaces, times and armors put together at random, from a seed.

use std::io::Write;

use fdl_reader::trust::SignatureOutcome;

use crate::agreement::{Case, MADE_AT};
use crate::chance::Chance;
use crate::ssh_keygen::{ALICE, BOB, MALLORY};

const CASES: usize = 150;

/// A line of trusted signers.
fn line(chance: &mut Chance) -> String {
    let principals =
        ["alice", "bob", "*", "\"a b\"", "alice,bob", "*@example.org", "alice,!bob", "!alice", "*,!alice"];
    let options = [
        "",
        "",
        "",
        "namespaces=\"fdl\" ",
        "namespaces=\"git,weather\" ",
        "namespaces=\"*,!git\" ",
        "valid-after=\"20261015090000Z\" ",
        "valid-after=\"20261016Z\" ",
        "valid-before=\"202610150900\" ",
        "valid-before=\"20261014UTC\" ",
        "namespaces=\"f?l\",valid-after=\"20260101Z\",valid-before=\"20270101Z\" ",
        "cert-authority ",
        "no-such ",
        "namespaces=\"fdl\", ",
    ];
    let keys = ["ALICE", "ALICE", "BOB", "ssh-ed25519 AAAA", "ssh-rsa", ""];
    let comments = ["", " Alice", " # c", "\t", "\r"];
    if chance.once_in(8) {
        return chance.of(&["", "# comment", "\t", "alice", "#", "\r", "\"alice"]).to_string();
    }
    let gap = chance.of(&[" ", "\t", "  "]);
    format!(
        "{}{gap}{}{}{}",
        chance.of(&principals),
        chance.of(&options),
        chance.of(&keys),
        chance.of(&comments)
    )
}

fn list(chance: &mut Chance) -> String {
    let ending = chance.of(&["\n", "\r\n"]);
    let lines: Vec<String> = (0..1 + chance.below(4)).map(|_| line(chance)).collect();
    lines.join(ending)
}

fn armor(armor: &str, chance: &mut Chance) -> String {
    match chance.below(8) {
        0 => armor.replace('\n', "\r\n"),
        1 => format!("{armor}Signed.\n"),
        2 => armor.trim_end().into(),
        3 => armor.replace('\n', " \n").replacen(" \n", "\n", 1),
        4 => armor.replacen('A', "B", 1 + chance.below(20)),
        _ => armor.into(),
    }
}

#[test]
fn whatever_is_put_together_ssh_keygen_agrees() {
    let mut chance = Chance::seeded(2026);
    let signers = [&*ALICE, &*ALICE, &*ALICE, &*BOB, &*MALLORY];
    let times = [
        ("2026-10-15T08:59:59Z", "20261015085959Z"),
        MADE_AT,
        ("2026-10-15T18:00:01.5+09:00", "20261015090001Z"),
        ("2026-10-16T00:00:00Z", "20261016000000Z"),
    ];
    let namespaces = ["fdl", "fdl", "fdl", "git", "weather"];
    let (mut trusted, mut untrusted, mut bad) = (0, 0, 0);
    for _ in 0..CASES {
        let (signer, namespace) = (chance.of(&signers), chance.of(&namespaces));
        let (time, hash) = (chance.of(&times), chance.of(&["sha256", "sha512"]));
        let mut case = Case::made(time, signer, namespace, hash).list(&list(&mut chance));
        case.namespace = if chance.once_in(6) { "fdl" } else { namespace };
        case = case.armored(|whole| armor(whole, &mut chance));
        case = case.by_one_of(&["alice", "bob", "a b", "alice@example.org"]);
        let (verdict, theirs) = case.judge();
        assert_eq!(verdict.signature == SignatureOutcome::Trusted, theirs, "{:?} of {case}", verdict.checks);
        match verdict.signature {
            SignatureOutcome::Trusted => trusted += 1,
            SignatureOutcome::Untrusted => untrusted += 1,
            SignatureOutcome::Bad => bad += 1,
            other => panic!("{other:?}: {case}"),
        }
    }
    // Past the capture, so that the counts are seen.
    let counts = format!(
        "{CASES} cases: {trusted} trusted, {untrusted} untrusted, {bad} bad; ssh-keygen agrees on each"
    );
    writeln!(std::io::stderr(), "{counts}").unwrap();
    assert!(trusted > CASES / 10 && untrusted > CASES / 10 && bad > CASES / 20, "the cases are one-sided");
}
