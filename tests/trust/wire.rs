//! SSH's wire form, written (RFC 4251, section 5).

/// A string: its length before it.
pub fn string(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let bytes = bytes.as_ref();
    [&(bytes.len() as u32).to_be_bytes(), bytes].concat()
}

/// Several strings, one behind the other.
pub fn strings<T: AsRef<[u8]>>(several: impl IntoIterator<Item = T>) -> Vec<u8> {
    several.into_iter().flat_map(string).collect()
}

/// A positive number: big-endian, as short as can be, with a zero before a first bit that is set.
pub fn number(bytes: &[u8]) -> Vec<u8> {
    let start = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
    let bytes = &bytes[start..];
    let sign: &[u8] = if bytes.first().is_some_and(|first| *first >= 0x80) { &[0] } else { &[] };
    string([sign, bytes].concat())
}

/// Takes a string off the front.
pub fn take(bytes: &mut &[u8]) -> Vec<u8> {
    let (length, rest) = bytes.split_first_chunk::<4>().unwrap();
    let (taken, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
    *bytes = rest;
    taken.into()
}
