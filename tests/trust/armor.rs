//! The text around a signature.

use crate::agreement::Case;

const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";

fn base64(armor: &str) -> String {
    armor.lines().filter(|line| !line.starts_with('-')).collect()
}

/// The same base64, its lines broken otherwise.
fn wrapped(armor: &str, width: usize) -> String {
    let base64 = base64(armor);
    let lines: Vec<&str> =
        base64.as_bytes().chunks(width).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("{BEGIN}\n{}\n{END}\n", lines.join("\n"))
}

fn agrees(change: impl Fn(&str) -> String) -> bool {
    Case::new().armored(change).agrees()
}

#[test]
fn as_ssh_keygen_writes_it() {
    assert!(agrees(str::to_owned));
}

#[test]
fn lines_may_end_in_crlf() {
    assert!(agrees(|armor| armor.replace('\n', "\r\n")));
    assert!(agrees(|armor| armor.replacen('\n', "\r\n", 1)));
}

#[test]
fn the_base64_may_be_wrapped_at_any_width() {
    for width in [1, 4, 63, 64, 76, 77, 100_000] {
        assert!(agrees(|armor| wrapped(armor, width)), "{width}");
    }
}

#[test]
fn blanks_in_the_base64_do_not_count() {
    for blank in [" ", "\t", "\n\n", "\r", "\u{b}", "\u{c}"] {
        assert!(
            agrees(|armor| armor.replace("\n", &format!("\n{blank}")).replacen(
                &format!("{blank}{END}"),
                END,
                1
            )),
            "{blank:?}"
        );
    }
    for other in ["\u{a0}", "\u{85}", "\0", "*", "=", "-"] {
        assert!(!agrees(|armor| armor.replacen('\n', &format!("\n{other}"), 1)), "{other:?}");
    }
}

#[test]
fn what_follows_the_footer_is_not_looked_at() {
    for rest in
        ["", "\n\n\n", " ", "\nSigned by Alice\n", "-", "\0\u{ff}", "\n-----BEGIN SSH SIGNATURE-----\n"]
    {
        assert!(agrees(|armor| format!("{}{rest}", armor.trim_end())), "{rest:?}");
    }
}

#[test]
fn nothing_stands_before_the_header() {
    for before in ["\n", " ", "\r\n", "\u{feff}", "Signed by Alice\n", "-"] {
        assert!(!agrees(|armor| format!("{before}{armor}")), "{before:?}");
    }
}

#[test]
fn header_and_footer_are_these_very_words() {
    for (whole, damaged) in [
        (BEGIN, "-----BEGIN SSH SIGNATURE----"),
        (BEGIN, "----BEGIN SSH SIGNATURE-----"),
        (BEGIN, "-----begin ssh signature-----"),
        (BEGIN, "-----BEGIN SIGNATURE-----"),
        (BEGIN, ""),
        (END, "-----END SSH SIGNATURE----"),
        (END, " -----END SSH SIGNATURE-----"),
        (END, "-----end ssh signature-----"),
        (END, ""),
        ("\n-----END", "-----END"),
    ] {
        assert!(!agrees(|armor| armor.replace(whole, damaged)), "{damaged:?} for {whole:?}");
    }
}

#[test]
fn the_header_has_its_line_to_itself() {
    for after in ["", " ", "\t", " \n", "\r", "-\n"] {
        let header = format!("{BEGIN}{after}");
        assert!(!agrees(|armor| armor.replacen(&format!("{BEGIN}\n"), &header, 1)), "{after:?}");
    }
}

#[test]
fn the_base64_is_whole_and_padded() {
    let with = |change: &dyn Fn(&str) -> String| {
        agrees(|armor| format!("{BEGIN}\n{}\n{END}\n", change(&base64(armor))))
    };
    assert!(with(&|base64| base64.into()));
    for change in [
        &(|base64: &str| String::new() + &base64[1..]) as &dyn Fn(&str) -> String,
        &|base64| base64[..base64.len() - 1].into(),
        &|base64| base64[..base64.len() - 4].into(),
        &|base64| base64.trim_end_matches('=').into(),
        &|base64| format!("{base64}="),
        &|base64| format!("{base64}AAAA"),
        &|base64| base64.replacen('A', "-", 1),
        &|_| String::new(),
        &|_| "====".into(),
    ] {
        assert!(!with(change));
    }
}
