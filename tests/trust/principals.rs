//! By whom a signature must be, where the page demands someone: a name is what `ssh-keygen -I` takes.

use fdl_reader::trust::SignatureOutcome;

use crate::agreement::{Case, Difference};
use crate::ssh_keygen::{ALICE, BOB};

/// Each list has Alice's key for the one demanded, or has not, and ssh-keygen says the same.
fn agree(demanded: &str, lists: &[(&str, bool)]) {
    for (list, trusted) in lists {
        let case = Case::new().list(list).by(demanded);
        assert_eq!(case.agrees(), *trusted, "{demanded:?} by {list:?}");
    }
}

#[test]
fn a_signature_is_by_the_one_whom_the_page_demands() {
    agree(
        "alice",
        &[
            ("alice ALICE", true),
            ("bob ALICE", false),
            ("bob,alice ALICE", true),
            ("* ALICE", true),
            ("al?ce ALICE", true),
            ("Alice ALICE", false),
            ("alice2 ALICE", false),
            ("*,!alice ALICE", false),
            ("*,!bob ALICE", true),
            ("\"alice\" ALICE", true),
            ("\"alice b\" ALICE", false),
            ("bob ALICE\nalice ALICE", true),
            ("bob ALICE\nalice BOB", false),
            ("alice namespaces=\"git\" ALICE\nbob ALICE", false),
        ],
    );
    Case::new().list("bob ALICE").by("alice").agrees_that_not("principal_not_allowed");
}

#[test]
fn names_are_compared_whole() {
    for name in ["alice@example.org", "Alice Ex", "\u{30a2}\u{30ea}\u{30b9}", "-x", "#a", "a=b"] {
        agree(name, &[("* ALICE", true), ("alice ALICE", false)]);
    }
    agree("\u{30a2}\u{30ea}\u{30b9}", &[("\u{30a2}\u{30ea}\u{30b9} ALICE", true), ("??? ALICE", false)]);
    agree("a b", &[("\"a b\" ALICE", true), ("a ALICE", false), ("\"a ?\" ALICE", true)]);
    agree("alice@example.org", &[("*@example.org ALICE", true), ("*@example.com ALICE", false)]);
}

#[test]
fn the_empty_name_is_nobodys() {
    for list in ["* ALICE", "*,!?* ALICE", ", ALICE"] {
        Case::new().list(list).by("").differs(Difference::EmptyName);
    }
    for list in ["alice ALICE", "\"\" ALICE", "?* ALICE"] {
        assert!(!Case::new().list(list).by("").agrees(), "{list}");
    }
}

#[test]
fn a_line_that_admits_nobody_trusts_nobody() {
    let names = ["alice", "bob", "b", "bb", "bxb", "x", "xx", "xxx"];
    for list in ["b?*,!b*? ALICE", "?*,!*? ALICE", "*b,!*b* ALICE", "?,!?* ALICE"] {
        assert!(!Case::new().list(list).by_one_of(&names).agrees(), "{list}");
    }
    for list in ["b*,!b*? ALICE", "*,!? ALICE", "?*,!b* ALICE", "b*b,!b?b ALICE", "*,!?,!?? ALICE"] {
        assert!(Case::new().list(list).by_one_of(&names).agrees(), "{list}");
    }
}

/// By patterns: what this reader trusts, ssh-keygen trusts for a name that the page's pattern takes.
fn takes(demanded: &str, by: &[&str], list: &str) -> bool {
    let mut case = Case::new().list(list).by_one_of(by);
    case.demanded = Some(demanded.into());
    let (verdict, _) = case.judge();
    verdict.signature == SignatureOutcome::Trusted
}

#[test]
fn a_page_may_demand_a_pattern() {
    let by = ["alice@example.org", "bob@example.org"];
    for (demanded, list, trusted) in [
        ("*@example.org", "alice@example.org ALICE", true),
        ("*@example.org", "alice@example.com ALICE", false),
        ("*@example.org", "alice@example.com,bob@example.org ALICE", true),
        ("*@example.org", "*@example.org ALICE", true),
        ("*@example.org", "?*@example.org ALICE", true),
        // They may be anyone, so they may be no one of example.org.
        ("*@example.org", "* ALICE", false),
        ("*@example.org,!bob@*", "alice@example.org ALICE", true),
        ("*@example.org,!bob@*", "bob@example.org ALICE", false),
        ("*@example.org", "alice@example.org,!alice@* ALICE", false),
        ("alice@example.org,bob@example.org", "bob@example.org ALICE", true),
        ("!alice@example.org", "bob@example.org ALICE", false),
        ("*", "alice@example.org ALICE", true),
    ] {
        assert_eq!(takes(demanded, &by, list), trusted, "{demanded:?} by {list:?}");
    }
}

#[test]
fn a_certificate_names_the_one_whom_the_page_demands() {
    let certified = BOB.certified(&ALICE, &["-n", "alice,carol"]);
    let case = Case::signed(&certified, "fdl", "sha512");
    for (demanded, line, trusted) in [
        ("alice", "alice", true),
        ("carol", "*", true),
        ("bob", "*", false),
        ("carol", "alice", false),
        ("alice", "*,!alice", false),
        ("carol", "*,!alice", true),
        ("alice", "bob", false),
        ("ALICE", "*", false),
        ("alic?", "*", true),
        ("*", "carol", true),
        ("", "*", false),
    ] {
        let case = case.clone().list(&format!("{line} cert-authority ALICE"));
        let case = match demanded.contains(['*', '?']) {
            true => Case { demanded: Some(demanded.into()), ..case.by_one_of(&["alice", "carol"]) },
            false => case.by(demanded),
        };
        assert_eq!(case.agrees(), trusted, "{demanded:?} by {line:?}");
    }
    let by_alice = case.list("* cert-authority ALICE").by("alice");
    assert_eq!(by_alice.judge().0.signer.unwrap().principal.as_deref(), Some("alice, carol"));
}
