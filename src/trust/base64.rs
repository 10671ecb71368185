//! Base64 as OpenSSH decodes it, padded, canonical, blanks passed over; and as others want it.

use base64ct::{Base64, Encoding};

/// The bytes; `None` where the text is not base64.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    // What C's isspace takes for a blank.
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let dense: Vec<u8> = text.iter().copied().filter(|byte| !is_blank(byte)).collect();
    Base64::decode_vec(std::str::from_utf8(&dense).ok()?).ok()
}

/// Without padding, as in fingerprints.
pub(super) fn encode(bytes: &[u8]) -> String {
    Base64::encode_string(bytes).trim_end_matches('=').into()
}

/// The same in the alphabet of URLs, as in JSON Web Keys.
#[cfg(target_arch = "wasm32")]
pub(super) fn encode_for_url(bytes: &[u8]) -> String {
    encode(bytes).replace('+', "-").replace('/', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_do_not_count_and_everything_else_does() {
        assert_eq!(decode(b"dG VzdA\r\n\x0b\x0c=\t=").as_deref(), Some(&b"test"[..]));
        for text in ["dGVzdA", "dGVzdA=", "dGVzdB==", "dGVzdA==AAAA", "dGV-dA==", "dGVz\u{a0}dA==", "d==="] {
            assert_eq!(decode(text.as_bytes()), None, "{text}");
        }
    }
}
