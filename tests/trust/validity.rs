//! From when and until when a key counts. The record was made on 15 October 2026 at 09:00:00 UTC.

use crate::agreement::{Case, Difference, lists_agree};
use crate::ssh_keygen::ALICE;

#[test]
fn a_key_counts_from_valid_after_to_valid_before_ends_included() {
    lists_agree(&[
        (r#"alice valid-after="20261015085959Z" ALICE"#, true),
        (r#"alice valid-after="20261015090000Z" ALICE"#, true),
        (r#"alice valid-after="20261015090001Z" ALICE"#, false),
        (r#"alice valid-before="20261015085959Z" ALICE"#, false),
        (r#"alice valid-before="20261015090000Z" ALICE"#, true),
        (r#"alice valid-before="20261015090001Z" ALICE"#, true),
        (r#"alice valid-after="20261015090000Z",valid-before="20261015090001Z" ALICE"#, true),
        (r#"alice valid-before="20270101Z",valid-after="20260101Z" ALICE"#, true),
    ]);
}

#[test]
fn a_validity_that_is_empty_is_a_fault() {
    lists_agree(&[
        (r#"alice valid-after="20261015090000Z",valid-before="20261015090000Z" ALICE"#, false),
        (r#"alice valid-after="20270101Z",valid-before="20260101Z" ALICE"#, false),
    ]);
}

#[test]
fn a_time_is_a_day_a_minute_or_a_second() {
    lists_agree(&[
        (r#"alice valid-after="20261015" ALICE"#, true),
        (r#"alice valid-after="20261015Z" ALICE"#, true),
        (r#"alice valid-before="20261015Z" ALICE"#, false),
        (r#"alice valid-before="20261015UTC" ALICE"#, false),
        (r#"alice valid-before="20261016UTC" ALICE"#, true),
        (r#"alice valid-before="202610150900" ALICE"#, true),
        (r#"alice valid-before="202610150859Z" ALICE"#, false),
        (r#"alice valid-after="202610150900Z" ALICE"#, true),
        (r#"alice valid-after="20261015090000z" ALICE"#, true),
        (r#"alice valid-after="20261015090000utc" ALICE"#, true),
        (r#"alice valid-after="20261015090001utc" ALICE"#, false),
        (r#"alice valid-before="99991231235959Z" ALICE"#, true),
        (r#"alice valid-after="20240229Z" ALICE"#, true),
    ]);
}

#[test]
fn what_is_no_time_makes_the_line_a_fault() {
    for time in [
        "",
        "2026",
        "202610",
        "2026101",
        "2026101509",
        "2026101509000",
        "202610150900000",
        "20261015T090000Z",
        "2026-10-15",
        "20261301Z",
        "20260001Z",
        "20261032Z",
        "20261000Z",
        "202610152400Z",
        "202610150960Z",
        "20261015090062Z",
        "20261015 Z",
        "+2026101",
        "-2026101",
        "Z",
        "tomorrow",
        "19700101Z",
        "19700101000000UTC",
        "19691231Z",
        "00010101Z",
        "always",
    ] {
        lists_agree(&[
            (&format!(r#"alice valid-after="{time}" ALICE"#), false),
            (&format!(r#"alice valid-before="{time}" ALICE"#), false),
        ]);
    }
}

#[test]
fn a_time_without_z_is_read_as_utc() {
    // Nine hours east of Greenwich the day of the record began at 15:00 the day before.
    let mut case = Case::new().list(r#"alice valid-after="20261015093000" ALICE"#);
    assert!(!case.agrees());
    case.time_zone = "JST-9";
    case.differs(Difference::TimeZone);
    for with_zone in
        [r#"alice valid-after="20261015093000Z" ALICE"#, r#"alice valid-after="20261015083000UTC" ALICE"#]
    {
        case = case.list(with_zone);
        case.agrees();
    }
}

#[test]
fn a_time_is_digits_of_a_day_that_the_calendar_has() {
    for time in ["20260230Z", "20260431Z", "20250229Z", "20260101000060Z", "2026 1 1Z", "2026010100 0Z"] {
        Case::new().list(&format!(r#"alice valid-after="{time}" ALICE"#)).differs(Difference::LooseTime);
    }
}

#[test]
fn the_page_may_choose_the_time() {
    let list = r#"alice valid-after="20261001Z",valid-before="20261101Z" ALICE"#;
    let certificate = crate::ssh_keygen::BOB.certified(&ALICE, &["-n", "alice", "-V", "20261001Z:20261101Z"]);
    let certified = Case::signed(&certificate, "fdl", "sha512").list("alice cert-authority ALICE");
    for (time, keys, certificates) in [
        (
            ("2026-09-30T23:59:59Z", "20260930235959Z"),
            Some("not_yet_valid"),
            Some("certificate_not_yet_valid"),
        ),
        (("2026-10-01T00:00:00Z", "20261001Z"), None, None),
        (("2026-10-31T23:59:59Z", "20261031235959Z"), None, None),
        (("2026-11-01T00:00:00Z", "20261101Z"), None, Some("certificate_expired")),
        (("2026-11-01T09:00:00.9+09:00", "20261101Z"), None, Some("certificate_expired")),
        (("2026-11-01T00:00:01Z", "20261101000001Z"), Some("expired_key"), Some("certificate_expired")),
        (("2126-10-15T09:00:00Z", "21261015090000Z"), Some("expired_key"), Some("certificate_expired")),
    ] {
        for (case, code) in [(Case::new().list(list), keys), (certified.clone(), certificates)] {
            let case = case.at(time);
            match code {
                Some(code) => case.agrees_that_not(code),
                None => assert!(case.agrees(), "{time:?}"),
            }
        }
    }
}

#[test]
fn no_key_counts_before_1970() {
    for before in [("1969-12-31T23:59:59Z", "19691231235959Z"), ("1970-01-01T00:00:00Z", "19700101Z")] {
        for list in ["alice ALICE", r#"alice valid-before="20260101Z" ALICE"#] {
            Case::made(before, &ALICE, "fdl", "sha512").list(list).agrees_that_not("not_yet_valid");
        }
    }
    let first = ("1970-01-01T00:00:01Z", "19700101000001Z");
    assert!(Case::made(first, &ALICE, "fdl", "sha512").list("alice ALICE").agrees());
}
