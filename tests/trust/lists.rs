//! Lines of trusted signers.

use fdl_reader::trust::SignatureOutcome;

use crate::agreement::{Case, lists_agree, lists_agree_on};
use crate::ssh_keygen::{ALICE, MALLORY};

#[test]
fn a_key_is_trusted_where_a_line_has_it() {
    lists_agree(&[
        ("alice ALICE", true),
        ("alice BOB", false),
        ("", false),
        ("bob BOB\nalice ALICE\n", true),
        ("alice ALICE\nbob BOB\n", true),
        ("alice ALICE Alice's laptop, since 2024", true),
    ]);
    lists_agree_on(&["alice", "bob"], &[("bob ALICE", true)]);
    let stranger = Case::signed(&MALLORY, "fdl", "sha512");
    assert!(!stranger.agrees());
    assert_eq!(stranger.judge().0.signature, SignatureOutcome::Untrusted);
}

#[test]
fn blank_lines_and_comments_are_passed_over() {
    lists_agree(&[
        ("\n\n \t\n# alice BOB\nalice ALICE", true),
        (" \t# indented\n\talice ALICE", true),
        ("#alice ALICE", false),
        ("# alice\n#", false),
        ("alice ALICE # Alice", true),
    ]);
}

#[test]
fn lines_end_in_lf_or_crlf() {
    lists_agree(&[
        ("alice ALICE\r\n", true),
        ("# who may sign\r\n\r\nbob BOB\r\nalice ALICE comment\r\n", true),
        ("alice ALICE\r\r\n", true),
        ("alice\rALICE", true),
        ("bob BOB\ralice ALICE", false),
        ("# comment\ralice ALICE", false),
    ]);
}

#[test]
fn words_are_parted_by_blanks_and_tabs() {
    lists_agree(&[
        ("alice\tALICE", true),
        ("alice   \t ALICE\t\tcomment", true),
        ("  alice ALICE   ", true),
        ("alice,bob ALICE", true),
        ("alice, bob ALICE", false),
        ("alice\u{a0}ALICE", false),
        ("alice\u{b}ALICE", false),
        ("alice ALICE\u{b}", true),
        ("alice ALICE\u{c}\n", true),
        ("alice ALICE\u{a0}", false),
        ("alice ALICE\u{2003}", false),
        ("alice ALICE\u{85}\n", false),
        ("\u{a0}\nalice ALICE", true),
    ]);
}

#[test]
fn a_line_ends_at_a_nul() {
    lists_agree(&[("alice\0 ALICE", false), ("alice ALICE\0", true), ("\0alice ALICE", false)]);
}

#[test]
fn principals_are_patterns() {
    lists_agree_on(
        &["alice", "alice@example.org"],
        &[
            ("* ALICE", true),
            ("*@example.org ALICE", true),
            ("al?ce ALICE", true),
            ("carol,dave,alice ALICE", true),
            ("alice, ALICE", true),
            (",alice ALICE", true),
            (", ALICE", false),
            ("\"\" ALICE", false),
        ],
    );
}

#[test]
fn a_negated_principal_vetoes_and_never_admits() {
    lists_agree_on(
        &["alice", "bob", "alice@example.org"],
        &[
            ("!alice ALICE", false),
            ("!alice,!bob ALICE", false),
            ("alice,!bob ALICE", true),
            ("*,!alice ALICE", true),
            ("alice,bob,!alice ALICE", true),
            ("alice,!alice ALICE", false),
            ("!alice,alice ALICE", false),
            ("alice,!* ALICE", false),
            ("*,!* ALICE", false),
            ("*@example.org,!*@example.org ALICE", false),
            ("alice@example.org,!*@example.org ALICE", false),
            ("*,!*@example.org ALICE", true),
            ("alice,!!alice ALICE", true),
            ("alice,!alice ALICE\nalice ALICE", true),
        ],
    );
}

#[test]
fn principals_may_be_quoted() {
    lists_agree_on(
        &["alice", "a b", "ab c"],
        &[
            ("\"alice\" ALICE", true),
            ("\"a b\" ALICE", true),
            ("\"alice\"ALICE", true),
            ("\"alice\"\tALICE", true),
            ("a\"b c\" ALICE", true),
            ("\"alice ALICE", false),
            ("alice\" ALICE", false),
            ("\"alice\",bob ALICE", false),
            ("\"alice,bob\" ALICE", true),
            ("\"#alice\" ALICE\nalice ALICE", true),
        ],
    );
}

#[test]
fn a_pattern_of_1023_bytes_or_more_admits_nobody() {
    let long = |length: usize| format!("{}*,alice ALICE", "x".repeat(length - 1));
    lists_agree(&[(&long(1022), true), (&long(1023), false), (&long(4000), false)]);
    let namespaces = |length: usize| format!("alice namespaces=\"{},fdl\" ALICE", "x".repeat(length));
    lists_agree(&[(&namespaces(1022), true), (&namespaces(1023), false)]);
    let after = format!("alice,{} ALICE", "x".repeat(2000));
    lists_agree(&[(&after, false)]);
}

#[test]
fn a_damaged_key_is_no_key() {
    let (_, base64) = ALICE.public.split_once(' ').unwrap();
    let line = |key: &str| format!("alice {key}");
    let longer = format!("{base64}AAAA");
    for key in [
        format!("ssh-ed25519 {}", &base64[..base64.len() - 4]),
        format!("ssh-ed25519 {}", &base64[..base64.len() - 1]),
        format!("ssh-ed25519 {longer}"),
        format!("ssh-ed25519 {base64}="),
        format!("ssh-ed25519 {base64}===="),
        format!("ssh-ed25519 {}", base64.replace(&base64[30..34], "****")),
        format!("ssh-ed25519{base64}"),
        format!("ssh-rsa {base64}"),
        format!("ecdsa-sha2-nistp256 {base64}"),
        format!("SSH-ED25519 {base64}"),
        format!("ed25519 {base64}"),
        format!("ssh-ed25519 \"{base64}\""),
        "ssh-ed25519".into(),
        base64.into(),
        String::new(),
    ] {
        lists_agree(&[(&line(&key), false), (&format!("{}\nalice ALICE", line(&key)), true)]);
    }
}

#[test]
fn a_line_may_limit_its_key_to_namespaces() {
    lists_agree(&[
        (r#"alice namespaces="fdl" ALICE"#, true),
        (r#"alice namespaces="git,fdl" ALICE"#, true),
        (r#"alice namespaces="f*" ALICE"#, true),
        (r#"alice namespaces="git" ALICE"#, false),
        (r#"alice namespaces="FDL" ALICE"#, false),
        (r#"alice namespaces="*,!fdl" ALICE"#, false),
        (r#"alice namespaces="!git" ALICE"#, false),
        (r#"alice namespaces="" ALICE"#, false),
        (r#"alice namespaces="fdl," ALICE"#, true),
        (r#"alice namespaces="x y,fdl" ALICE"#, true),
        (r#"alice NameSpaces="fdl" ALICE comment"#, true),
    ]);
}

#[test]
fn options_are_read_as_openssh_reads_them() {
    lists_agree(&[
        ("alice no-such-option ALICE", false),
        (r#"alice namespaces="fdl",no-such-option ALICE"#, false),
        (r#"alice no-such-option="x" ALICE"#, false),
        (r#"alice namespaces=fdl ALICE"#, false),
        (r#"alice namespaces ALICE"#, false),
        (r#"alice namespaces="fdl ALICE"#, false),
        (r#"alice namespaces="fdl", ALICE"#, false),
        (r#"alice ,namespaces="fdl" ALICE"#, true),
        (r#"alice ,,namespaces="git" ALICE"#, false),
        (r#"alice namespaces="fdl",,valid-after="20200101Z" ALICE"#, true),
        ("alice , ALICE", false),
        ("alice ,,no-such ALICE", false),
        (r#"alice namespaces="fdl" valid-after="20200101Z" ALICE"#, false),
        (r#"alice namespaces="fdl",valid-after="20200101Z" ALICE"#, true),
        (r#"alice namespaces="fdl",namespaces="fdl" ALICE"#, false),
        (r#"alice valid-after="20200101Z",valid-after="20200101Z" ALICE"#, false),
        (r#"alice namespaces = "fdl" ALICE"#, false),
        (r#"alice namespaces="a\"b,fdl" ALICE"#, true),
        (r#"alice namespaces="a\"b fdl" ALICE"#, false),
        (r#"alice namespaces="fdl\\" ALICE"#, false),
        (r#"alice namespaces="a\\" b,fdl" ALICE"#, true),
        (r#"alice namespaces="a\\\" b,fdl" ALICE"#, true),
        (r#"alice namespaces="a\b,fdl" ALICE"#, true),
        (r#"alice "namespaces=fdl" ALICE"#, false),
        (r#"alice namespaces="fdl"x ALICE"#, false),
        (r#"alice xnamespaces="fdl" ALICE"#, false),
        (r#"alice namespaces="fdl"ALICE"#, false),
        (r#"alice restrict ALICE"#, false),
    ]);
}

#[test]
fn a_line_of_an_authority_does_not_speak_for_its_own_key() {
    lists_agree(&[
        ("alice cert-authority ALICE", false),
        (r#"alice cert-authority,namespaces="fdl" ALICE"#, false),
        ("alice CERT-AUTHORITY ALICE", false),
        ("alice no-cert-authority ALICE", false),
        ("alice cert-authority ALICE\nalice ALICE", true),
    ]);
}

#[test]
fn the_first_line_that_passes_counts() {
    for list in [
        "bob namespaces=\"git\" ALICE\nalice ALICE",
        "bob valid-before=\"20200101Z\" ALICE\nalice ALICE",
        "bob no-such ALICE\nalice ALICE",
        "bob BOB\nalice ALICE\nalice namespaces=\"git\" ALICE",
        "# Alice\n\nalice ALICE\nbob ALICE",
    ] {
        let case = Case::new().list(list);
        assert!(case.agrees(), "{list}");
        let signer = case.judge().0.signer.unwrap();
        assert_eq!(signer.principal.as_deref(), Some("alice"), "{list}");
        let line = list.lines().position(|line| line == "alice ALICE").unwrap() + 1;
        assert_eq!(signer.line, Some(line), "{list}");
    }
}
