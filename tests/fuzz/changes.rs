//! How files are changed.

use serde_json::{Value, json};

use crate::chance::Chance;

/// Pieces that mean something somewhere.
const PIECES: [&[u8]; 40] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"null",
    b"true",
    b"-1",
    b"0.5",
    b"1e999",
    b"18446744073709551616",
    b"9223372036854775808",
    b"\\u0000",
    b"\\ud800",
    b"\\",
    b"..",
    b"../",
    b"/",
    b"//",
    b"https://",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xf0\x9f\x8c\x8d",
    b"\0",
    b"\r\n",
    b"\n",
    b"\t",
    b" ",
    b"<html>",
    b"!",
    b"*",
    b"?",
    b"#",
    b"=",
    b"namespaces=\"",
    b"valid-after=\"99991231235959Z\",",
    b"cert-authority ",
    b"-----END SSH SIGNATURE-----",
];

/// Changes bytes: a few steps, each at a place of its own.
pub fn changed(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=chance.below(3) {
        let from = chance.below(bytes.len() + 1);
        let to = (from + chance.below(16)).min(bytes.len());
        match chance.below(6) {
            0 if from < bytes.len() => bytes[from] ^= 1 << chance.below(8),
            1 => _ = bytes.drain(from..to),
            2 => _ = bytes.splice(from..to, chance.of(&PIECES).iter().copied()),
            3 => _ = bytes.splice(from..from, chance.of(&PIECES).iter().copied()),
            4 => {
                let again = bytes[from..to].repeat(1 + chance.below(64));
                _ = bytes.splice(from..from, again);
            }
            _ => bytes.truncate(from.max(to)),
        }
    }
    bytes
}

/// Where each value of a JSON file is, as a JSON pointer.
fn places(json: &Value, place: String, found: &mut Vec<String>) {
    match json {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| {
                places(value, format!("{place}/{}", name.replace('~', "~0").replace('/', "~1")), found)
            });
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| places(value, format!("{place}/{at}"), found));
        }
        _ => {}
    }
    found.push(place);
}

/// Puts something else in one place of a JSON file, and leaves it JSON.
pub fn changed_member(json: &Value, chance: &mut Chance) -> Value {
    let others = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0.5),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(""),
        json!(".."),
        json!("/etc/passwd"),
        json!("https://elsewhere.example/x"),
        json!("9".repeat(40)),
        json!([]),
        json!({}),
        json!([[[[[]]]]]),
        json!([null]),
        json!({ "sha256": "" }),
        json!({ "name": 7 }),
    ];
    let mut found = Vec::new();
    places(json, String::new(), &mut found);
    let mut json = json.clone();
    let place = &found[chance.below(found.len())];
    let place = json.pointer_mut(place).expect("it was just found");
    *place = match place.as_str() {
        Some(text) if chance.once_in(2) => String::from_utf8_lossy(&changed(text.as_bytes(), chance)).into(),
        _ => others[chance.below(others.len())].clone(),
    };
    json
}
